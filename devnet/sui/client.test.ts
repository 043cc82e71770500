import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bcs } from '@mysten/sui/bcs';
import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { GrpcTypes, SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suiLocalChain } from './family.ts';
import { type SuiChain, startSuiChain } from './local.ts';

type Signer = Pick<Ed25519Keypair, 'signTransaction' | 'toSuiAddress'>;

const folder = mkdtempSync(join(tmpdir(), 'sui-'));
const usd = normalizeStructTag('0xabc::usd::USD');
const sui = normalizeStructTag('0x2::sui::SUI');
const [user, sponsor, minter] = [
  new Ed25519Keypair(),
  new Ed25519Keypair(),
  new Ed25519Keypair(),
] as const;
const friend = normalizeSuiAddress('0xbeef');
const coinOf = (type: string) => normalizeStructTag(`0x2::coin::Coin<${type}>`);
const epochS = 24 * 60 * 60;

let node: SuiChain;
let client: SuiGrpcClient;

beforeAll(async () => {
  await open();
  node.addCurrency({
    type: usd,
    decimals: 6,
    symbol: 'USD',
    name: 'Test dollar',
    minter: minter.toSuiAddress(),
  });
  for (const key of [user, sponsor, minter]) await give(key.toSuiAddress());
});

afterAll(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open() {
  node = await startSuiChain({ folder });
  client = new SuiGrpcClient({ network: 'localnet', baseUrl: node.url });
}

const give = (recipient: string) => requestSuiFromFaucetV2({ host: node.url, recipient });
const coins = async (owner: string, coinType?: string) =>
  (await client.listCoins({ owner, coinType })).objects;
const balance = async (owner: string, coinType?: string) =>
  BigInt((await client.getBalance({ owner, coinType })).balance.balance);

/** With references of its own, as the service builds: no node is asked. */
async function offline(
  sender: Signer,
  fill: (tx: Transaction) => void,
  payer: Signer = sender,
  gas = { budget: 10_000_000, price: 1_000 },
) {
  const tx = new Transaction();
  tx.setSender(sender.toSuiAddress());
  fill(tx);
  tx.setGasOwner(payer.toSuiAddress());
  if (!tx.getData().gasData.payment)
    tx.setGasPayment((await coins(payer.toSuiAddress())).slice(0, 1));
  tx.setGasBudget(gas.budget);
  tx.setGasPrice(gas.price);
  return tx.build();
}

async function send(bytes: Uint8Array, ...signers: Signer[]) {
  const signatures = await Promise.all(
    signers.map(async (one) => (await one.signTransaction(bytes)).signature),
  );
  const include = { effects: true, balanceChanges: true, objectTypes: true } as const;
  const done = await client.executeTransaction({ transaction: bytes, signatures, include });
  return done.$kind === 'Transaction' ? done.Transaction : done.FailedTransaction;
}

function pay(tx: Transaction, amount: bigint | number, to = friend) {
  tx.transferObjects([tx.splitCoins(tx.gas, [amount])], to);
}

describe('the unmodified client', () => {
  it('reads the network', async () => {
    const { chainIdentifier } = await client.core.getChainIdentifier();
    expect(chainIdentifier).toHaveLength(44);
    expect(await client.getReferenceGasPrice()).toEqual({ referenceGasPrice: '1000' });
    const { response } = await client.ledgerService.getServiceInfo({});
    expect(response).toMatchObject({ server: 'purser-local-emulator', epoch: 0n });
    expect((await client.getCoinMetadata({ coinType: usd })).coinMetadata).toMatchObject({
      decimals: 6,
      symbol: 'USD',
    });
    expect((await client.getCoinMetadata({ coinType: '0x1::no::NO' })).coinMetadata).toBeNull();
    await expect(client.getObject({ objectId: '0x77' })).rejects.toMatchObject({
      code: 'notExists',
    });
    await expect(client.getTransaction({ digest: chainIdentifier })).rejects.toMatchObject({
      reason: 'notFound',
    });
    await expect(client.nameService.lookupName({ name: 'a.sui' })).rejects.toThrow(
      'does not serve sui.rpc.v2.NameService/LookupName',
    );
  });

  it('builds with the node, sends, and finds what came of it: effects, checkpoint, balances, objects', async () => {
    const tx = new Transaction();
    tx.setSender(user.toSuiAddress());
    pay(tx, 1_234n);
    const before = await balance(user.toSuiAddress());
    const bytes = await tx.build({ client });
    const { digest, effects, balanceChanges } = await send(bytes, user);
    const { computationCost, storageCost, storageRebate, nonRefundableStorageFee } =
      effects.gasUsed;
    // Figures of a payment on the network: 1,000 units; two coins of 130 bytes; 99 % of one of them
    // back.
    expect([computationCost, storageCost, storageRebate, nonRefundableStorageFee]).toEqual([
      '1000000',
      '1976000',
      '978120',
      '9880',
    ]);
    const spent = 1_234n + 1_000_000n + 1_976_000n - 978_120n;
    expect(await balance(user.toSuiAddress())).toBe(before - spent);
    expect(balanceChanges).toEqual(
      expect.arrayContaining([{ coinType: sui, address: friend, amount: '1234' }]),
    );
    const found = await client.waitForTransaction({
      digest,
      include: { effects: true, bcs: true, transaction: true },
    });
    expect(found.Transaction?.bcs).toEqual(bytes);
    const checkpointId = {
      oneofKind: 'sequenceNumber',
      sequenceNumber: BigInt(found.Transaction!.checkpoint!),
    } as const;
    const readMask = {
      paths: [
        'sequence_number',
        'summary.timestamp',
        'transactions.digest',
        'transactions.balance_changes',
      ],
    };
    const { response } = await client.ledgerService.getCheckpoint({ checkpointId, readMask });
    expect(
      response.checkpoint?.transactions.map((one) => [one.digest, one.balanceChanges.length]),
    ).toEqual([[digest, 2]]);
    // What is in the effects is what the objects say, digests and BCS included.
    const written = effects.changedObjects.map(
      ({ objectId, outputVersion: version, outputDigest }) => ({
        objectId,
        version,
        digest: outputDigest,
      }),
    );
    const { objects } = await client.getObjects({
      objectIds: written.map(({ objectId }) => objectId),
      include: { objectBcs: true },
    });
    expect(objects).toMatchObject(written);
    expect(bcs.TransactionEffects.parse(effects.bcs!).V2?.changedObjects).toHaveLength(2);
    expect((await client.listBalances({ owner: friend })).balances).toMatchObject([
      { coinType: sui, balance: '1234' },
    ]);
  });

  it('lists coins page by page', async () => {
    const owner = normalizeSuiAddress('0x9a9e');
    for (const _ of [1, 2, 3]) await give(owner);
    const first = await client.listCoins({ owner, limit: 2 });
    expect([first.objects.length, first.hasNextPage]).toEqual([2, true]);
    const second = await client.listCoins({ owner, limit: 2, cursor: first.cursor });
    expect([second.objects.length, second.hasNextPage]).toEqual([1, false]);
    const wide = await client.listOwnedObjects({ owner, type: '0x2::coin::Coin' });
    expect(wide.objects.map(({ objectId }) => objectId)).toEqual(
      [...first.objects, ...second.objects].map(({ objectId }) => objectId),
    );
  });

  it('mints, merges, splits and moves coins of any type for a sponsor, who pays the gas and nothing else', async () => {
    const cap = (
      await client.listOwnedObjects({
        owner: minter.toSuiAddress(),
        type: `0x2::coin::TreasuryCap<${usd}>`,
      })
    ).objects[0]!;
    const mint = await offline(minter, (tx) => {
      for (const amount of [70, 30])
        tx.moveCall({
          target: '0x2::coin::mint_and_transfer',
          typeArguments: [usd],
          arguments: [
            tx.object(tx.objectRef(cap)),
            tx.pure.u64(amount),
            tx.pure.address(user.toSuiAddress()),
          ],
        });
    });
    await expect(send(mint, minter)).resolves.toMatchObject({ status: { success: true } });
    const [one, other] = await coins(user.toSuiAddress(), usd);
    const before = {
      user: await balance(user.toSuiAddress()),
      sponsor: await balance(sponsor.toSuiAddress()),
    };
    const move = await offline(
      user,
      (tx) => {
        tx.mergeCoins(tx.objectRef(one!), [tx.objectRef(other!)]);
        tx.transferObjects([tx.splitCoins(tx.objectRef(one!), [95])], friend);
        tx.moveCall({
          target: '0x1::string::utf8',
          arguments: [tx.pure.string('order 0123456789abcdef')],
        });
      },
      sponsor,
    );
    await expect(send(move, user)).rejects.toThrow('Expect 2 signer signatures but got 1');
    await expect(send(move, user, minter)).rejects.toThrow(
      `Required Signature from ${sponsor.toSuiAddress()} is absent`,
    );
    const { effects } = await send(move, user, sponsor);
    expect(effects.changedObjects.map(({ idOperation }) => idOperation).sort()).toEqual([
      'Created',
      'Deleted',
      'None',
      'None',
    ]);
    expect([await balance(user.toSuiAddress(), usd), await balance(friend, usd)]).toEqual([
      5n,
      95n,
    ]);
    expect(await balance(user.toSuiAddress())).toBe(before.user);
    expect(await balance(sponsor.toSuiAddress())).toBeLessThan(before.sponsor);
    const info = await client.stateService.getCoinInfo({ coinType: usd });
    expect(info.response.treasury?.totalSupply).toBe(100n);
  });

  it('verifies every scheme, and the members of a multisig', async () => {
    const pass = new Secp256r1Keypair();
    const members = [user, pass].map((key) => ({ publicKey: key.getPublicKey(), weight: 1 }));
    const both = MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys: members });
    const signWith =
      (...keys: (typeof pass | typeof user)[]) =>
      async (bytes: Uint8Array) => {
        const parts = await Promise.all(
          keys.map(async (key) => (await key.signTransaction(bytes)).signature),
        );
        return { bytes: '', signature: both.combinePartialSignatures(parts) };
      };
    const multisig = (...keys: (typeof pass | typeof user)[]) => ({
      toSuiAddress: () => both.toSuiAddress(),
      signTransaction: signWith(...keys),
    });
    for (const key of [new Secp256k1Keypair(), pass, multisig(user, pass)]) {
      await give(key.toSuiAddress());
      const bytes = await offline(key, (tx) => pay(tx, 1));
      await expect(send(bytes, user)).rejects.toThrow(
        `Required Signature from ${key.toSuiAddress()} is absent`,
      );
      await expect(send(bytes, key)).resolves.toMatchObject({ status: { success: true } });
    }
    const bytes = await offline(user, (tx) => pay(tx, 1));
    const flagged = async (bytes: Uint8Array, flag: number) =>
      Buffer.from((await user.signTransaction(bytes)).signature, 'base64')
        .fill(flag, 0, 1)
        .toString('base64');
    const zkLogin = {
      toSuiAddress: () => user.toSuiAddress(),
      signTransaction: async (one: Uint8Array) => ({ bytes: '', signature: await flagged(one, 5) }),
    };
    await expect(send(bytes, zkLogin)).rejects.toMatchObject({ code: 'UNIMPLEMENTED' });
    const few = await offline(multisig(user), (tx) => pay(tx, 1));
    await expect(send(few, multisig(user))).rejects.toThrow('Invalid user signature');
  });

  it('a coin is spent once: another transaction with its old version is refused, the same one is answered again', async () => {
    const payment = (await coins(user.toSuiAddress())).slice(0, 1);
    const twice = await Promise.all(
      [1, 2].map((amount) =>
        offline(user, (tx) => {
          tx.setGasPayment(payment);
          pay(tx, amount);
        }),
      ),
    );
    const first = await send(twice[0]!, user);
    await expect(send(twice[1]!, user)).rejects.toThrow('is unavailable for consumption');
    expect((await send(twice[0]!, user)).digest).toBe(first.digest);
  });

  it('validators that signed two transactions of one coin lock it until the epoch ends', async () => {
    const payment = (await coins(user.toSuiAddress())).slice(0, 1);
    const [held, other] = await Promise.all(
      [3, 4].map((amount) =>
        offline(user, (tx) => {
          tx.setGasPayment(payment);
          pay(tx, amount);
        }),
      ),
    );
    await lock(held!, user);
    const refused = send(other!, user);
    await expect(refused).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('reserved for another transaction'),
    });
    await restart();
    await expect(send(other!, user)).rejects.toThrow('reserved for another transaction');
    await node.advanceTime(epochS);
    await expect(send(other!, user)).resolves.toMatchObject({
      status: { success: true },
      epoch: '1',
    });
  });

  it('a transaction ends with the epoch it names', async () => {
    const { response } = await client.ledgerService.getEpoch({ readMask: { paths: ['epoch'] } });
    const expires = (epoch: bigint) =>
      offline(user, (tx) => {
        tx.setExpiration({ Epoch: String(epoch) });
        pay(tx, 1);
      });
    const [last, next] = [
      await expires(response.epoch!.epoch!),
      await expires(response.epoch!.epoch! + 1n),
    ];
    await node.advanceTime(epochS);
    await expect(send(last, user)).rejects.toThrow('Transaction Expired');
    await expect(send(next, user)).resolves.toMatchObject({ status: { success: true } });
  });

  it('what fails costs gas and gives its inputs new versions; what is not let in costs nothing', async () => {
    const owner = user.toSuiAddress();
    const [gas] = await coins(owner);
    const before = await balance(owner);
    const [usdCoin] = await coins(owner, usd);
    const failed = await send(
      await offline(user, (tx) => {
        tx.splitCoins(tx.objectRef(usdCoin!), [6]);
      }),
      user,
    );
    expect(failed.status).toMatchObject({
      success: false,
      error: { $kind: 'Unknown', message: expect.stringContaining('Insufficient coin balance') },
    });
    expect(
      [...(await coins(owner)), ...(await coins(owner, usd))].map(({ version }) => version),
    ).toEqual([failed.effects.lamportVersion, failed.effects.lamportVersion]);
    expect(await balance(owner)).toBeLessThan(before);
    expect(await balance(owner, usd)).toBe(5n);
    const abort = await send(
      await offline(user, (tx) => {
        tx.moveCall({ target: '0x1::string::utf8', arguments: [tx.pure.vector('u8', [0xff])] });
      }),
      user,
    );
    expect(abort.status.error).toMatchObject({ $kind: 'MoveAbort', MoveAbort: { abortCode: '1' } });
    const left = await send(
      await offline(user, (tx) => {
        tx.splitCoins(tx.gas, [1]);
      }),
      user,
    );
    expect(left.status.error?.message).toContain('Unused value without drop');
    const now = await balance(owner);
    const refusals: readonly [Promise<Uint8Array>, string][] = [
      [
        offline(user, (tx) => pay(tx, 1), user, { budget: 10_000_000, price: 999 }),
        'under reference gas price',
      ],
      [
        offline(user, (tx) => pay(tx, 1), user, { budget: 60_000_000_000, price: 1_000 }),
        'is higher than max',
      ],
      [
        offline(user, (tx) => pay(tx, 1), user, { budget: 1_000, price: 1_000 }),
        'is lower than min',
      ],
      [
        offline(user, (tx) => pay(tx, 1), user, { budget: 40_000_000_000, price: 1_000 }),
        'is lower than the needed amount',
      ],
    ];
    for (const [bytes, text] of refusals)
      await expect(send(await bytes, user)).rejects.toThrow(text);
    expect(await balance(owner)).toBe(now);
    expect(gas).toBeDefined();
  });

  it('no transaction touches the objects of others, but for the gas coin of whoever sponsors it', async () => {
    const [victim] = await coins(sponsor.toSuiAddress());
    const steal = await offline(user, (tx) => tx.transferObjects([tx.objectRef(victim!)], friend));
    await expect(send(steal, user)).rejects.toThrow(
      `is owned by account address ${sponsor.toSuiAddress()}`,
    );
    const asInput = await offline(
      user,
      (tx) => tx.transferObjects([tx.objectRef(victim!)], friend),
      sponsor,
    );
    await expect(send(asInput, user, sponsor)).rejects.toThrow(
      'cannot appear more than one in one transaction',
    );
    // As on the network: a sponsor that signs this has given its coin away. Sponsors have to read
    // what they sign.
    const drained = await send(
      await offline(user, (tx) => pay(tx, 1_000_000_000n), sponsor),
      user,
      sponsor,
    );
    expect(drained.balanceChanges).toEqual(
      expect.arrayContaining([{ coinType: sui, address: friend, amount: '1000000000' }]),
    );
  });

  it('several coins that pay are one coin afterwards', async () => {
    const payer = new Ed25519Keypair();
    for (const _ of [1, 2]) await give(payer.toSuiAddress());
    const payment = await coins(payer.toSuiAddress());
    const { effects } = await send(
      await offline(payer, (tx) => {
        tx.setGasPayment(payment);
        pay(tx, 1);
      }),
      payer,
    );
    expect(
      effects.changedObjects.filter(({ idOperation }) => idOperation === 'Deleted'),
    ).toHaveLength(1);
    const [left, ...rest] = await coins(payer.toSuiAddress());
    expect([left!.objectId, rest]).toEqual([payment[0]!.objectId, []]);
  });

  it('runs the functions of its list and refuses every other by name', async () => {
    const payer = new Ed25519Keypair();
    for (const _ of [1, 2, 3, 4]) await give(payer.toSuiAddress());
    let [gas, one, two, three] = await coins(payer.toSuiAddress());
    const calls = (moved: string) =>
      offline(payer, (tx) => {
        tx.setGasPayment([gas!]);
        const [a, b, c] = [one!, two!, three!].map((ref) => tx.object(tx.objectRef(ref)));
        const call = (target: string, given: TransactionArgument[], type = sui) =>
          tx.moveCall({ target, typeArguments: [type], arguments: given });
        call('0x2::pay::join_vec', [a!, tx.makeMoveVec({ elements: [b!, c!] })]);
        call('0x2::pay::split_and_transfer', [a!, tx.pure.u64(11), tx.pure.address(friend)]);
        call('0x2::pay::split_vec', [a!, tx.pure.vector('u64', [1, 2])]);
        const part = call('0x2::coin::split', [a!, call('0x2::coin::value', [a!])]);
        call('0x2::coin::destroy_zero', [a!]);
        call('0x2::transfer::public_transfer', [part, tx.pure.address(friend)], moved);
      });
    const before = await balance(friend);
    const failed = await send(await calls(usd), payer);
    expect(failed.status.error?.message).toContain('argument 0: TypeMismatch');
    expect(await balance(friend)).toBe(before);
    [gas, one, two, three] = [gas, one, two, three].map((old) => {
      const { outputVersion, outputDigest } = failed.effects.changedObjects.find(
        ({ objectId }) => objectId === old!.objectId,
      )!;
      return { ...old!, version: outputVersion!, digest: outputDigest! };
    });
    await expect(send(await calls(coinOf(sui)), payer)).resolves.toMatchObject({
      status: { success: true },
    });
    expect((await balance(friend)) - before).toBe(30_000_000_000n - 3n);
    const unknown = await offline(user, (tx) => {
      tx.moveCall({ target: '0x2::kiosk::default' });
    });
    await expect(send(unknown, user)).rejects.toMatchObject({
      code: 'UNIMPLEMENTED',
      message: expect.stringContaining('no Move VM: it does not run 0x2::kiosk::default'),
    });
    const publish = await offline(user, (tx) => {
      tx.publish({ modules: ['AA=='], dependencies: [] });
    });
    await expect(send(publish, user)).rejects.toThrow('publishes and upgrades no packages');
  });

  it('simulates without keeping anything', async () => {
    const tx = new Transaction();
    tx.setSender(user.toSuiAddress());
    tx.moveCall({ target: '0x1::string::utf8', arguments: [tx.pure.string('hello')] });
    const before = await coins(user.toSuiAddress());
    const simulated = await client.simulateTransaction({
      transaction: tx,
      include: { effects: true, commandResults: true },
    });
    expect(bcs.String.parse(simulated.commandResults![0]!.returnValues[0]!.bcs!)).toBe('hello');
    expect(await coins(user.toSuiAddress())).toEqual(before);
  });

  it('keeps what it answered, a kill in the middle of a line included', async () => {
    const { digest } = await send(await offline(user, (tx) => pay(tx, 5)), user);
    const before = await coins(user.toSuiAddress());
    await restart('{"sequence":"99","ti');
    expect(await coins(user.toSuiAddress())).toEqual(before);
    expect((await client.getTransaction({ digest })).Transaction?.digest).toBe(digest);
    await restart();
    expect(
      (await client.getTransaction({ digest, include: { effects: true } })).Transaction?.effects
        ?.status.success,
    ).toBe(true);
  });

  it('is a chain of the devnet: it goes on where it was, at the time of the service, until it is reset', async () => {
    const chainsDir = join(folder, 'chains');
    // In the middle of an epoch: the chain begins some milliseconds later than this.
    const ahead = new Date(Date.now() + 7.5 * epochS * 1_000);
    const local = suiLocalChain({ dataDir: chainsDir, chainsDir, now: () => ahead });
    const checkpointOf = async (url: string) => {
      const { response } = await new SuiGrpcClient({
        network: 'localnet',
        baseUrl: url,
      }).ledgerService.getServiceInfo({});
      return [response.checkpointHeight, response.epoch];
    };
    const first = await local.start();
    expect(await first.time()).toBeGreaterThanOrEqual(Math.floor(ahead.getTime() / 1_000));
    await first.stop();
    await first.ended;
    const second = await local.start();
    await second.advanceTime(epochS);
    expect(await checkpointOf(second.url)).toEqual([8n, 8n]);
    await second.stop();
    await local.reset();
    const third = await local.start();
    expect(await checkpointOf(third.url)).toEqual([7n, 7n]);
    expect([local.name, local.hasOrphan()]).toEqual(['sui', false]);
    await third.stop();
  });

  it('time is moved, with a checkpoint', async () => {
    const before = (await client.ledgerService.getServiceInfo({})).response;
    await node.advanceTime(3_600);
    const after = (await client.ledgerService.getServiceInfo({})).response;
    expect(after.checkpointHeight! - before.checkpointHeight!).toBe(1n);
    expect(after.timestamp!.seconds - before.timestamp!.seconds).toBeGreaterThanOrEqual(3_600n);
  });
});

/** What a kill leaves: whole lines, and perhaps a part of one. */
async function restart(torn = '') {
  const left = readFileSync(join(folder, 'journal.jsonl'));
  await node.stop();
  writeFileSync(join(folder, 'journal.jsonl'), Buffer.concat([left, Buffer.from(torn)]));
  await open();
}

/** Not of the network: some validators have signed it, and nobody has executed it. */
async function lock(bytes: Uint8Array, signer: Signer) {
  const signature = Buffer.from((await signer.signTransaction(bytes)).signature, 'base64');
  const message = GrpcTypes.ExecuteTransactionRequest.toBinary({
    transaction: { bcs: { value: bytes } },
    signatures: [
      { bcs: { value: new Uint8Array(signature) }, signature: { oneofKind: undefined } },
    ],
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const url = `${node.url}/purser.devnet.v1.SuiService/LockTransaction`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: Buffer.concat([head, message]),
  });
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toContain('grpc-status: 0');
}
