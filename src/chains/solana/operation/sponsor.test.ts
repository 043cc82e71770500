import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import {
  getAdvanceNonceAccountInstruction,
  getAllocateInstruction,
  getAssignInstruction,
  getAuthorizeNonceAccountInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction,
  getWithdrawNonceAccountInstruction,
} from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createWallet,
  execute,
  findWallet,
  type Setup,
  type SignerKey,
} from '../../../../programs/solana-wallet/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { openSmartWallets } from '../testing/smart.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';
import { writeMessage, writeTransaction } from './message.ts';
import { readOperation, storeOperation } from './stored.ts';
import { programs } from './wrapping/programs.ts';

/**
 * The service signs as the fee payer: what a caller writes must not be able to use that signature
 * for anything else.
 */

let world: World;
let wallet: TestWallet;
let feePayer: Address;
let nonceAccount: Address;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
  wallet = await world.aWallet({ tokens: 1_000n, lamports: 100_000_000n });
  feePayer = world.feePayers[0]!.address;
  const prepared = await world.prepareTransfer(wallet, 1n, newAddress());
  const [advance] = readOperation(prepared.operation).message.staticAccounts.slice(1);
  expect(advance).toBeDefined();
  const { rows } = await world.database.store.query<{ address: string }>({
    text: 'select address from solana_nonces order by address',
  });
  nonceAccount = rows[0]!.address as Address;
});
afterAll(() => world?.close());

const own = () => createNoopSigner(wallet.address as Address);
const payer = () => createNoopSigner(feePayer);
/** A program that calls what its caller says: wallets of it are anybody's. */
async function walletProgram(): Promise<Address> {
  const smart = openSmartWallets(world);
  await smart.install();
  return smart.program;
}
/** A harmless instruction that the wallet signs. */
const signed = () =>
  getTransferSolInstruction({ source: own(), destination: wallet.address as Address, amount: 1n });
const paramsOf = (...instructions: Instruction[]) => ({
  transaction: bs58.encode(
    writeTransaction(writeMessage({ feePayer: own().address, instructions, tables: {} })),
  ),
});
async function refusalOf(...instructions: Instruction[]): Promise<string> {
  const thrown = await world
    .prepare(wallet, paramsOf(...instructions))
    .catch((error: unknown) => error);
  if (!(thrown instanceof ServiceError)) throw new Error('it was not refused');
  return `${thrown.code}: ${thrown.message}`;
}
const accountOf = async (owner: string, mint = world.mint) =>
  (
    await findAssociatedTokenPda({
      owner: owner as Address,
      mint: mint as Address,
      tokenProgram: programs.token,
    })
  )[0];

describe('what a transaction costs', () => {
  it('is told with the signatures that the cluster checks for its instructions', async () => {
    const seed = randomBytes(32);
    const text = Buffer.from('a text');
    const count = 20;
    // Each names the same key, signature and text, which stand behind their places.
    const at = 2 + 14 * count;
    const places = Buffer.alloc(14);
    [at, 0xffff, at + 64, 0xffff, at + 96, text.length, 0xffff].forEach((place, index) =>
      places.writeUInt16LE(place, 2 * index),
    );
    const checks: Instruction = {
      programAddress: 'Ed25519SigVerify111111111111111111111111111' as Address,
      accounts: [],
      data: Buffer.concat([
        Buffer.of(count, 0),
        ...Array.from({ length: count }, () => places),
        ed25519.sign(text, seed),
        ed25519.getPublicKey(seed),
        text,
      ]),
    };
    const { feesEstimate, operation } = await world.prepare(wallet, paramsOf(signed(), checks));
    const least = BigInt(2 + count) * 5_000n;
    expect(BigInt(feesEstimate!['amountLamports'] as string)).toBeGreaterThanOrEqual(least);
    expect(readOperation(operation).costMax).toBeGreaterThanOrEqual(least);
    const { status, costMinor } = await world.outcomeOf(await world.submit(wallet, { operation }));
    expect([status, costMinor]).toEqual(['success', least]);
  });
});

describe('a transaction of a caller cannot reach the money of the service', () => {
  it('by an instruction that takes it from the fee payer, or makes it an authority', async () => {
    const thief = newAddress() as Address;
    const attacks: Instruction[] = [
      getTransferSolInstruction({ source: payer(), destination: thief, amount: 1_000_000_000n }),
      getWithdrawNonceAccountInstruction({
        nonceAccount,
        recipientAccount: thief,
        nonceAuthority: payer(),
        withdrawAmount: 1_000n,
      }),
      getAuthorizeNonceAccountInstruction({
        nonceAccount,
        nonceAuthority: payer(),
        newNonceAuthority: thief,
      }),
      getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: payer() }),
      getCreateAccountInstruction({
        payer: payer(),
        newAccount: own(),
        lamports: 1_000_000_000n,
        space: 0n,
        programAddress: programs.system,
      }),
    ];
    for (const attack of attacks)
      expect(await refusalOf(signed(), attack)).toMatch(
        /transaction-invalid: .*(fee payer|signature of)/,
      );
  });

  it('by giving the account of the wallet to a program, whose would be what comes to it later', async () => {
    const programAddress = newAddress() as Address;
    const attacks = [
      getAssignInstruction({ account: own(), programAddress }),
      getAllocateInstruction({ newAccount: own(), space: 1n }),
      getCreateAccountInstruction({
        payer: own(),
        newAccount: own(),
        lamports: 0n,
        space: 0n,
        programAddress,
      }),
    ];
    for (const attack of attacks)
      expect(await refusalOf(signed(), attack)).toMatch(
        /transaction-invalid: .*gives the account of the wallet to another program in instruction 2/,
      );
  });

  it('by having a program give the account of the wallet away, which signed for what it does', async () => {
    const key: SignerKey = { kind: 'ed25519', address: own().address };
    const setup: Setup = {
      salt: new Uint8Array(32),
      groups: [{ threshold: 1, members: [key] }],
      delegates: [],
    };
    const other = findWallet(await walletProgram(), setup);
    const assign = getAssignInstruction({
      account: own(),
      programAddress: newAddress() as Address,
    });
    expect(
      await refusalOf(
        createWallet(other, setup, own().address),
        execute(other, assign, { epoch: 0, signers: [own().address] }),
      ),
    ).toMatch(/transaction-invalid: .*gives the account of the wallet to another program/);
  });

  it('by its account among those of any other instruction, written or only read', async () => {
    for (const role of [AccountRole.READONLY, AccountRole.WRITABLE]) {
      const attack = {
        programAddress: programs.memo,
        accounts: [{ address: feePayer, role }],
        data: new Uint8Array([1]),
      };
      expect(await refusalOf(signed(), attack)).toMatch(
        /transaction-invalid: .*names the fee payer of this service/,
      );
    }
  });

  it('by a lookup table that has the fee payer in it', async () => {
    const table = newAddress() as Address;
    const header = Buffer.alloc(56);
    header[0] = 1;
    header.writeBigUInt64LE(2n ** 64n - 1n, 4);
    await world.setAccount(
      table,
      programs.lookupTable,
      Buffer.concat([header, bs58.decode(feePayer)]),
    );
    const attack = getTransferSolInstruction({ source: own(), destination: feePayer, amount: 1n });
    const message = writeMessage({
      feePayer: own().address,
      instructions: [attack],
      tables: { [table]: [feePayer] },
    });
    const thrown = await world
      .prepare(wallet, { transaction: bs58.encode(writeTransaction(message)) })
      .catch((error: unknown) => error);
    expect((thrown as Error).message).toMatch(/names the fee payer of this service/);
  });

  it('by token accounts of another token program, of another address, or by the dozen', async () => {
    const owner = newAddress() as Address;
    const creation = async (to: Address) =>
      getCreateAssociatedTokenIdempotentInstruction({
        payer: own(),
        ata: await accountOf(to),
        owner: to,
        mint: world.mint as Address,
      });
    const honest = await creation(owner);
    const with5 = (index: number, address: Address) => ({
      ...honest,
      accounts: honest.accounts.map((account, at) =>
        at === index ? { ...account, address } : account,
      ),
    });
    expect(await refusalOf(signed(), with5(5, newAddress() as Address))).toMatch(
      /transaction-invalid: .*unknown program/,
    );
    expect(await refusalOf(signed(), with5(1, newAddress() as Address))).toMatch(
      /transaction-invalid: .*not that of its owner/,
    );
    // The third is the wallet's own to pay, which it cannot here.
    const poor = await world.aWallet({ tokens: 1n });
    const many = await Promise.all(
      [newAddress(), newAddress(), newAddress()].map((to) => creation(to as Address)),
    );
    const asPoor = many.map((one) => ({
      ...one,
      accounts: [
        { ...one.accounts[0]!, address: poor.address as Address },
        ...one.accounts.slice(1),
      ],
    }));
    const message = writeMessage({
      feePayer: poor.address as Address,
      instructions: asPoor as Instruction[],
      tables: {},
    });
    const thrown = await world
      .prepare(poor, { transaction: bs58.encode(writeTransaction(message)) })
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'transaction-simulation-failed' });
  });

  it('by bytes written into the queue past all checks: the relay looks once more before it signs', async () => {
    const held = () => Promise.all([world.lamportsOf(feePayer), world.lamportsOf(wallet.address)]);
    const [paying, own] = await held();
    const prepared = await world.prepareTransfer(wallet, 1_000_000n, newAddress(), world.native);
    const stored = readOperation(prepared.operation);
    const instructions: Instruction[] = [
      getTransferSolInstruction({
        source: payer(),
        destination: wallet.address as Address,
        amount: 1_000_000_000n,
      }),
      signed(),
    ];
    const { rows } = await world.database.store.query<{ address: string; value: string }>({
      text: 'select address, value from solana_nonces where lease = $1',
      values: [stored.lease],
    });
    const nonce = { account: rows[0]!.address as Address, value: rows[0]!.value };
    const messageBytes = writeMessage({ feePayer, instructions, tables: {}, nonce });
    const outcome = await world.outcomeOf(
      await world.submit(wallet, { operation: storeOperation({ ...stored, messageBytes }) }),
    );
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: 'The service does not pay for this transaction.' },
      costMinor: 0n,
    });
    const price = writeMessage({
      feePayer,
      tables: {},
      nonce: { account: nonceAccount, value: nonce.value },
      instructions: [
        {
          programAddress: programs.computeBudget,
          data: Uint8Array.of(3, 255, 255, 255, 255, 255, 0, 0, 0),
        },
        signed(),
      ],
    });
    const dear = await world.outcomeOf(
      await world.submit(wallet, { operation: storeOperation({ ...stored, messageBytes: price }) }),
    );
    expect(dear).toMatchObject({ status: 'failed', costMinor: 0n });
    const [left, got] = await held();
    expect(got).toBe(own);
    // It makes nonces meanwhile, of a few million lamports each.
    expect(paying - left).toBeLessThan(100_000_000n);
  });

  it('by a price with a byte behind it, which the cluster reads all the same', async () => {
    const stored = readOperation(
      (await world.prepareTransfer(wallet, 1_000_000n, newAddress(), world.native)).operation,
    );
    const { rows } = await world.database.store.query<{ address: string; value: string }>({
      text: 'select address, value from solana_nonces where lease = $1',
      values: [stored.lease],
    });
    const messageBytes = writeMessage({
      feePayer,
      tables: {},
      nonce: { account: rows[0]!.address as Address, value: rows[0]!.value },
      instructions: [
        {
          programAddress: programs.computeBudget,
          data: Uint8Array.of(3, 0, 0, 0, 0, 1, 0, 0, 0, 9),
        },
        signed(),
      ],
    });
    const outcome = await world.outcomeOf(
      await world.submit(wallet, { operation: storeOperation({ ...stored, messageBytes }) }),
    );
    expect(outcome).toMatchObject({
      error: { message: 'The service does not pay for this transaction.' },
      costMinor: 0n,
    });
  });
});

describe('what the service pays for', () => {
  it('is the token account of a recipient, whoever wrote the transaction, and its rent is in the estimate', async () => {
    const poor = await world.aWallet({ tokens: 10n });
    const to = newAddress() as Address;
    const owner = createNoopSigner(poor.address as Address);
    const [source, ata] = [await accountOf(poor.address), await accountOf(to)];
    const params = {
      transaction: bs58.encode(
        writeTransaction(
          writeMessage({
            feePayer: owner.address,
            tables: {},
            instructions: [
              getCreateAssociatedTokenIdempotentInstruction({
                payer: owner,
                ata,
                owner: to,
                mint: world.mint as Address,
              }),
              getTransferCheckedInstruction({
                source,
                mint: world.mint as Address,
                destination: ata,
                authority: owner,
                amount: 4n,
                decimals: 6,
              }),
            ],
          }),
        ),
      ),
    };
    const prepared = await world.prepare(poor, params);
    const { status, costMinor } = await world.outcomeOf(await world.submit(poor, prepared));
    expect(status).toBe('success');
    expect(BigInt(prepared.feesEstimate['amountLamports'] as string)).toBe(costMinor);
    expect(await world.tokensOf(to)).toBe(4n);
  });

  it('is nothing that the wallet does not sign', async () => {
    const memo = { programAddress: programs.memo, accounts: [], data: new Uint8Array([97]) };
    expect(await refusalOf(memo)).toMatch(
      /transaction-invalid: No instruction .* needs the signature of the wallet/,
    );
  });
});
