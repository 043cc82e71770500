import { bcs } from '@mysten/sui/bcs';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Inputs, Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SuiChain, startSuiChain } from '../../../../devnet/sui/local.ts';
import { type ObjectRef, parseExactly, readProgram } from './program.ts';
import { checkSponsored } from './sponsor.ts';
import {
  buildTransaction,
  checkTransaction,
  type Moment,
  type SuiOperation,
  serializeSignature,
  signedBytesOf,
  transactionDigest,
} from './transaction.ts';
import { memosOf, readCoinType, type Transfer } from './transfer-program.ts';

const sui = normalizeStructTag('0x2::sui::SUI');
const usd = normalizeStructTag('0xabc::usd::USD');
const dear = normalizeStructTag('0xabc::dear::DEAR');
const [wallet, sponsor] = [new Ed25519Keypair(), new Ed25519Keypair()];
const friend = normalizeSuiAddress('0x0bad0bad0bad');
const memo = 'ab'.repeat(32);

let node: SuiChain;
let client: SuiGrpcClient;
let count = 0x10_000;

beforeAll(async () => {
  node = await startSuiChain();
  client = new SuiGrpcClient({ network: 'localnet', baseUrl: node.url });
});
afterAll(() => node.stop());

const give = (owner: Ed25519Keypair, type: string, amount: bigint) =>
  node.fund(normalizeSuiAddress((++count).toString(16)), owner.toSuiAddress(), { type, amount });
const coinsOf = async (owner: Ed25519Keypair, coinType: string) =>
  (await client.listCoins({ owner: owner.toSuiAddress(), coinType })).objects;
const balanceOf = async (owner: string, coinType: string) =>
  BigInt((await client.getBalance({ owner, coinType })).balance.balance);

/** A coin of the sponsor for one operation alone. */
async function gas(): Promise<SuiOperation['gas']> {
  give(sponsor, sui, 1_000_000_000n);
  const coin = (await coinsOf(sponsor, sui)).find(
    ({ objectId }) => objectId === normalizeSuiAddress(count.toString(16)),
  )!;
  return {
    sponsor: sponsor.toSuiAddress(),
    coin: refOf(coin),
    budgetMax: 20_000_000n,
    priceMax: 2_000n,
  };
}

const refOf = ({ objectId, version, digest }: ObjectRef): ObjectRef => ({
  objectId,
  version,
  digest,
});
const moment = (coins: readonly ObjectRef[]): Moment => ({
  coins: coins.map(refOf),
  budget: 10_000_000n,
  price: 1_000n,
  expiresAfterEpoch: 1n,
});

async function operationOf(does: SuiOperation['does']): Promise<SuiOperation> {
  return { wallet: wallet.toSuiAddress(), does, gas: await gas() };
}

const transferOf = (over: Partial<Transfer> = {}): { transfer: Transfer } => ({
  transfer: { coinType: usd, amount: 250n, recipient: friend, ...over },
});

/** Signed as custody and the sponsor's key do: bytes alone. */
async function send(transaction: Uint8Array) {
  const signatures = await Promise.all(
    [wallet, sponsor].map(async (key) =>
      serializeSignature(
        key.getPublicKey().toRawBytes(),
        await key.sign(signedBytesOf(transaction)),
      ),
    ),
  );
  const done = await client.executeTransaction({
    transaction,
    signatures,
    include: { bcs: true, effects: true },
  });
  return done.$kind === 'Transaction' ? done.Transaction : done.FailedTransaction;
}

describe('a transfer', () => {
  it('is made offline of several coins, costs the wallet nothing, and carries a text that is read back from the chain', async () => {
    for (const amount of [100n, 100n, 100n]) give(wallet, usd, amount);
    const operation = await operationOf(transferOf({ memo }));
    const transaction = buildTransaction(operation, moment(await coinsOf(wallet, usd)));
    const sent = await send(transaction);
    expect([sent.status.success, sent.digest]).toEqual([true, transactionDigest(transaction)]);
    expect([await balanceOf(friend, usd), await balanceOf(wallet.toSuiAddress(), usd)]).toEqual([
      250n,
      50n,
    ]);
    expect(await coinsOf(wallet, usd)).toHaveLength(1);
    expect(await balanceOf(wallet.toSuiAddress(), sui)).toBe(0n);
    const onChain = parseExactly(bcs.TransactionData, sent.bcs!)!.V1!;
    expect(memosOf(onChain.kind.ProgrammableTransaction!)).toEqual([memo]);
  });

  it('happens once, however often it is built and signed: its transactions use up one version of one coin', async () => {
    give(wallet, usd, 1_000n);
    const before = await balanceOf(friend, usd);
    const operation = await operationOf(transferOf({ amount: 10n }));
    const coins = await coinsOf(wallet, usd);
    const [first, second] = coins.map((coin) => buildTransaction(operation, moment([coin])));
    await send(first!);
    // Another coin of the wallet, another transaction: the network would take it but for the coin
    // that pays.
    await expect(send(second!)).rejects.toThrow(
      `object ${operation.gas.coin.objectId} version 0x1 is unavailable for consumption`,
    );
    expect((await balanceOf(friend, usd)) - before).toBe(10n);
  });

  it('of one money is never one of another, whichever coins are chosen', async () => {
    give(wallet, dear, 1_000n);
    const before = await balanceOf(friend, dear);
    const operation = await operationOf(transferOf({ amount: 10n }));
    const sent = await send(buildTransaction(operation, moment(await coinsOf(wallet, dear))));
    expect(sent.status).toMatchObject({
      success: false,
      error: { message: expect.stringContaining('TypeMismatch') },
    });
    expect(await balanceOf(friend, dear)).toBe(before);
    // By the command, which names no type, the chooser of the coins would have moved it.
    const untyped = await operationOf({
      program: await programOf(
        (tx, coin) => tx.transferObjects([tx.splitCoins(coin, [10])], friend),
        dear,
      ),
    });
    expect((await send(buildTransaction(untyped, moment([])))).status.success).toBe(true);
    expect((await balanceOf(friend, dear)) - before).toBe(10n);
  });
});

async function programOf(
  fill: (tx: Transaction, coin: ReturnType<Transaction['object']>) => void,
  type = usd,
) {
  const [coin] = await coinsOf(wallet, type);
  const tx = new Transaction();
  fill(tx, tx.object(Inputs.ObjectRef(coin!)));
  const bytes = await tx.build({ onlyTransactionKind: true });
  return readProgram(Buffer.from(bytes).toString('base64'), wallet.toSuiAddress());
}

describe('custody signs', () => {
  it('nothing but its operation, read anew from the bytes', async () => {
    give(wallet, usd, 500n);
    const operation = await operationOf(transferOf({ memo }));
    const [coin] = await coinsOf(wallet, usd);
    const good = buildTransaction(operation, moment([coin!]));
    expect(() => checkTransaction(operation, good)).not.toThrow();
    const data = parseExactly(bcs.TransactionData, good)!.V1!;
    const other = refOf({ ...operation.gas.coin, version: '7' });
    const { gasData, kind } = data;
    const altered: readonly [Partial<typeof data>, string][] = [
      [{ sender: friend }, 'sent by another account'],
      [{ gasData: { ...gasData, owner: wallet.toSuiAddress() } }, 'not paid by the coin'],
      [{ gasData: { ...gasData, payment: [other] } }, 'not paid by the coin'],
      [{ gasData: { ...gasData, payment: [operation.gas.coin, other] } }, 'not paid by the coin'],
      [{ gasData: { ...gasData, budget: '20000001' } }, 'The budget 20000001 is above'],
      [{ gasData: { ...gasData, price: '2001' } }, 'The price of gas 2001 is above'],
      [{ expiration: { $kind: 'None', None: true } }, 'does not expire'],
    ];
    for (const [change, text] of altered) {
      const bytes = bcs.TransactionData.serialize({ V1: { ...data, ...change } }).toBytes();
      expect(() => checkTransaction(operation, bytes), text).toThrow(text);
    }
    const { inputs, commands } = kind.ProgrammableTransaction!;
    const programs = [
      { inputs, commands: commands.slice(0, -1) },
      { inputs, commands: [...commands, commands.at(-1)!] },
      { inputs: [...inputs, inputs[0]!], commands },
      {
        inputs: inputs.map((one, index) =>
          index === 1 ? { Pure: { bytes: 'AQAAAAAAAAA=' } } : one,
        ),
        commands,
      },
      {
        inputs: inputs.map((one, index) =>
          index === 2 ? { Pure: { bytes: Buffer.alloc(32, 9).toString('base64') } } : one,
        ),
        commands,
      },
    ];
    for (const ProgrammableTransaction of programs) {
      const bytes = bcs.TransactionData.serialize({
        V1: { ...data, kind: { ProgrammableTransaction } },
      }).toBytes();
      expect(() => checkTransaction(operation, bytes)).toThrow('does something else');
    }
    expect(() => checkTransaction(operation, Buffer.concat([good, Buffer.of(0)]))).toThrow(
      'no transaction of Sui',
    );
    expect(() => buildTransaction(operation, moment([operation.gas.coin]))).toThrow(
      'uses the coin that pays',
    );
  });
});

describe('a program of a caller', () => {
  it('may not name the coin that the service pays with, in any place of any command', async () => {
    const fills: ((tx: Transaction, coin: ReturnType<Transaction['object']>) => void)[] = [
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [1])], friend),
      (tx) => tx.transferObjects([tx.gas], friend),
      (tx, coin) => tx.mergeCoins(tx.gas, [coin]),
      (tx, coin) => tx.mergeCoins(coin, [tx.gas]),
      (tx) => tx.makeMoveVec({ elements: [tx.gas] }),
      (tx) =>
        tx.moveCall({
          target: '0x2::pay::split_and_transfer',
          typeArguments: [sui],
          arguments: [tx.gas, tx.pure.u64(1), tx.pure.address(friend)],
        }),
      (tx, coin) => tx.splitCoins(coin, [tx.gas]),
      (tx, coin) => tx.transferObjects([coin], tx.gas),
    ];
    for (const fill of fills) {
      const program = await programOf(fill);
      expect(() => checkSponsored(program)).toThrow(
        /uses the gas coin in command [12], which is the service's/,
      );
      await expect(
        operationOf({ program }).then((operation) => buildTransaction(operation, moment([]))),
      ).rejects.toThrow('uses the gas coin');
    }
    // What it is for: the network takes it, with the sponsor's signature.
    const before = await balanceOf(friend, sui);
    const { coin } = await gas();
    const tx = new Transaction();
    tx.transferObjects([tx.splitCoins(tx.gas, [1])], friend);
    tx.setSender(wallet.toSuiAddress());
    tx.setGasOwner(sponsor.toSuiAddress());
    tx.setGasPayment([coin]);
    tx.setGasBudget(10_000_000);
    tx.setGasPrice(1_000);
    await send(await tx.build());
    expect((await balanceOf(friend, sui)) - before).toBe(1n);
  });

  it('withdraws nothing from the sponsor, and publishes nothing at its cost', async () => {
    const publishing = await programOf((tx) => tx.publish({ modules: ['AA=='], dependencies: [] }));
    expect(() => checkSponsored(publishing)).toThrow('publishes a package in command 1');
    const plain = await programOf((tx, coin) => tx.transferObjects([coin], friend));
    for (const withdrawFrom of [
      { Sponsor: true },
      { SenderAllowance: { funder: friend, allowance: friend } },
    ] as const) {
      const FundsWithdrawal = {
        reservation: { MaxAmountU64: '5' },
        typeArg: { Balance: sui },
        withdrawFrom,
      };
      const ProgrammableTransaction = {
        inputs: [...plain.inputs, { FundsWithdrawal }],
        commands: [...plain.commands],
      };
      const text = bcs.TransactionKind.serialize({ ProgrammableTransaction }).toBase64();
      expect(() => checkSponsored(readProgram(text, wallet.toSuiAddress()))).toThrow(
        "withdraws from somebody else's balance in input 3",
      );
    }
  });

  it('puts no other key beside the one of the wallet', async () => {
    const target = `${normalizeSuiAddress('0x2')}::address_alias::add` as const;
    const aliasing = await programOf((tx, coin) => {
      tx.transferObjects([coin], friend);
      tx.moveCall({ target, arguments: [tx.pure.address(friend)] });
    });
    expect(() => checkSponsored(aliasing)).toThrow(
      'calls address_alias in command 2: a wallet keeps its own key alone',
    );
    checkSponsored(
      await programOf((tx) =>
        tx.moveCall({ target: `${friend}::address_alias::add`, arguments: [] }),
      ),
    );
  });

  it('is read from the kind of a transaction, or from a whole one that the wallet sends', async () => {
    const tx = new Transaction();
    tx.moveCall({ target: '0x1::string::utf8', arguments: [tx.pure.string('hello')] });
    const kind = Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64');
    tx.setSender(wallet.toSuiAddress());
    tx.setGasPayment([(await gas()).coin]);
    tx.setGasBudget(1);
    tx.setGasPrice(1);
    const whole = Buffer.from(await tx.build()).toString('base64');
    expect(readProgram(whole, wallet.toSuiAddress())).toEqual(
      readProgram(kind, wallet.toSuiAddress()),
    );
    expect(memosOf(readProgram(kind, wallet.toSuiAddress()))).toEqual(['hello']);
    expect(() => readProgram(whole, friend)).toThrow('and not by the wallet');
    const empty = bcs.TransactionKind.serialize({
      ProgrammableTransaction: { inputs: [], commands: [] },
    }).toBase64();
    const refused = [
      ['', 'is not base64'],
      [`${kind}=`, 'is not base64'],
      [
        Buffer.concat([Buffer.from(kind, 'base64'), Buffer.of(0)]).toString('base64'),
        'is no programmable transaction',
      ],
      [Buffer.alloc(70_000).toString('base64'), 'has more than 65536 bytes'],
      [empty, 'has no commands'],
    ] as const;
    for (const [text, sentence] of refused)
      expect(() => readProgram(text, wallet.toSuiAddress())).toThrow(sentence);
  });

  it('coin types have one spelling', () => {
    expect(readCoinType('0x2::sui::SUI')).toBe(sui);
    expect(readCoinType(sui)).toBe(sui);
    for (const text of ['u64', '0x2', 'vector<u8>', '', '0x2::sui'])
      expect(readCoinType(text)).toBeUndefined();
  });
});
