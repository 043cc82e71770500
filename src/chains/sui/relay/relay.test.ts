import { randomUUID } from 'node:crypto';
import { GrpcTypes, SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag } from '@mysten/sui/utils';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/json/json.ts';
import { readFeeAccounts } from '../../family/spending/accounts.ts';
import { lateSent } from '../../testing/late-sent.ts';
import { suiCoinType } from '../config/networks.ts';
import { createSuiNetwork } from '../operation/network.ts';
import { readOperation } from '../operation/stored.ts';
import { decodeSigned, encodeSigned } from '../operation/transaction.ts';
import { readCoins } from '../rpc/objects.ts';
import { newSuiAddress, usd } from '../testing/bed.ts';
import { lockTransaction } from '../testing/lock.ts';
import { openWorld, projectId, type TestWallet, type World } from '../testing/world.ts';

const G = GrpcTypes;
let world: World;
let client: SuiGrpcClient;
beforeAll(async () => {
  world = await openWorld();
  client = new SuiGrpcClient({ network: 'localnet', baseUrl: world.chain.url });
  await world.start();
});
beforeEach(() => world.node.tellTruth());
afterAll(() => world?.close());

const query = async <Row>(text: string, values: readonly unknown[] = []) =>
  (await world.database.store.query<Row & object>({ text, values })).rows;
const rowOf = async (id: string) =>
  (
    await query<{ status: string; raw: Buffer | null; tx_id: string | null }>(
      'select status, raw, tx_id from operation_intents where operation_id = $1',
      [id],
    )
  )[0]!;
const untilSent = (id: string) =>
  world.until(async () => (await rowOf(id)).status === 'sent', 'signed bytes');

async function aTransfer(amount = 10n, wallet = world.aWallet(amount)) {
  const recipient = newSuiAddress();
  const prepared = await world.prepareTransfer(wallet, amount, recipient);
  return { wallet, recipient, prepared, id: await world.submit(wallet, prepared) };
}

/** No transaction gets to the network. */
const holdBack = () =>
  world.node.lie(
    'TransactionExecutionService/ExecuteTransaction',
    G.ExecuteTransactionResponse,
    undefined,
  );

/** By the wallet's key, past the service. */
async function sendBySelf(
  wallet: Pick<TestWallet, 'seed' | 'address'>,
  fill: (tx: Transaction) => void,
) {
  const keypair = Ed25519Keypair.fromSecretKey(wallet.seed);
  world.give(wallet.address, suiCoinType, 1_000_000_000n);
  const tx = new Transaction();
  fill(tx);
  tx.setSender(wallet.address);
  const bytes = await tx.build({ client });
  return { bytes, signature: (await keypair.signTransaction(bytes)).signature };
}

async function runBySelf(
  wallet: Pick<TestWallet, 'seed' | 'address'>,
  fill: (tx: Transaction) => void,
): Promise<void> {
  const { bytes, signature } = await sendBySelf(wallet, fill);
  await client.executeTransaction({ transaction: bytes, signatures: [signature] });
}

/** The network as the relay asks it. */
const network = () =>
  createSuiNetwork({
    store: world.database.store,
    chain: 'sui',
    connect: world.connect,
    sponsors: world.sponsors,
  });

const coinsOf = async (owner: string, coinType = usd) =>
  readCoins(await world.connect(), { owner, coinType });

describe('an operation on Sui', () => {
  it('costs its project and owner what it cost, and frees what it had', {
    tags: 'slow',
  }, async () => {
    const { wallet, id } = await aTransfer();
    const outcome = await world.outcomeOf(id);
    expect(outcome).toMatchObject({
      status: 'success',
      executed: true,
      fees: { actual: { token: 'sui' } },
    });
    const spent = await query<{ owner: string; minor: string }>(
      `select owner, minor from fee_spent where project_id = $1 and owner = $2`,
      [projectId, wallet.address],
    );
    expect(spent.map(({ minor }) => BigInt(minor))).toEqual([outcome.costMinor]);
    expect(outcome.costMinor).toBeGreaterThan(0n);
    expect(await query('select 1 from sui_object_leases where operation_id = $1', [id])).toEqual(
      [],
    );
    expect(await query('select 1 from sui_gas_coins where operation_id = $1', [id])).toEqual([]);
  });

  it('is made of several coins, and the rest is one', async () => {
    const { wallet, recipient, id } = await aTransfer(25n, world.aWallet(10n, 10n, 10n));
    expect((await world.outcomeOf(id)).status).toBe('success');
    expect(await world.amountOf(recipient)).toBe(25n);
    expect((await coinsOf(wallet.address)).map(({ amount }) => amount)).toEqual([5n]);
  });

  it('moves coins whose type has types in it, however that is spelled', {
    tags: 'slow',
  }, async () => {
    const pool = `0x7::lp::LP<0x2::sui::SUI, vector<${usd}>>`;
    const type = normalizeStructTag(pool);
    world.chain.addCurrency({ type, decimals: 3, symbol: 'LP', name: 'A share of a pool' });
    const [wallet, recipient] = [world.aWallet(), newSuiAddress()];
    for (const amount of [40n, 30n]) world.give(wallet.address, type, amount);
    const prepared = await world.prepareTransfer(wallet, 60n, recipient, { address: pool });
    expect(await world.outcomeOf(await world.submit(wallet, prepared))).toMatchObject({
      status: 'success',
    });
    expect([await coinsOf(recipient, type), await coinsOf(wallet.address, type)]).toMatchObject([
      [{ amount: 60n }],
      [{ amount: 10n }],
    ]);
  });

  it('whose coin changed before the network had it is built anew, and happens once', async () => {
    const wallet = world.aWallet(50n);
    holdBack();
    const { recipient, id } = await aTransfer(10n, wallet);
    await untilSent(id);
    const before = await rowOf(id);
    const [coin] = await coinsOf(wallet.address);
    world.node.tellTruth();
    holdBack();
    await runBySelf(wallet, (tx) =>
      tx.transferObjects([tx.splitCoins(tx.object(coin!.objectId), [5])], newSuiAddress()),
    );
    world.node.tellTruth();
    const outcome = await world.outcomeOf(id);
    expect(outcome).toMatchObject({ status: 'success' });
    expect(outcome.onChain['txId']).not.toBe(before.tx_id);
    expect([await world.amountOf(recipient), await world.amountOf(wallet.address)]).toEqual([
      10n,
      35n,
    ]);
  });

  it('that was built anew ends as its first transaction did, when that was the one that was executed', {
    tags: 'slow',
  }, async () => {
    const wallet = world.aWallet(50n);
    const [first] = await coinsOf(wallet.address);
    holdBack();
    const { recipient, id } = await aTransfer(10n, wallet);
    await untilSent(id);
    const { tx_id: firstId, raw } = await rowOf(id);
    // A node that says what is not so, until another transaction was built of another coin.
    world.give(wallet.address, usd, 100n);
    world.node.lie('LedgerService/BatchGetObjects', G.BatchGetObjectsResponse, ({ objects }) => {
      for (const { result } of objects)
        if (result.oneofKind === 'object' && result.object.objectId === first!.objectId)
          result.object.version! += 1n;
    });
    await world.until(async () => (await rowOf(id)).tx_id !== firstId, 'another transaction');
    const { bytes, signatures } = decodeSigned(new Uint8Array(raw!));
    await client.executeTransaction({ transaction: bytes, signatures: [...signatures] });
    world.node.tellTruth();
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'success',
      onChain: { txId: firstId },
    });
    expect([await world.amountOf(recipient), await world.amountOf(wallet.address)]).toEqual([
      10n,
      140n,
    ]);
  });

  it('whose paying coin somebody else used up ends with a reason, and moved nothing', {
    tags: 'slow',
  }, async () => {
    holdBack();
    const { recipient, id, prepared } = await aTransfer();
    await untilSent(id);
    const { gas } = readOperation(prepared.operation);
    const place = world.sponsors.findIndex(({ address }) => address === gas.sponsor);
    const sponsor = Ed25519Keypair.fromSecretKey(world.sponsorSeeds[place]!);
    const tx = new Transaction();
    tx.setSender(gas.sponsor);
    tx.setGasPayment([gas.coin]);
    tx.setGasBudget(10_000_000);
    tx.setGasPrice(1_000);
    tx.setExpiration({ None: true });
    tx.transferObjects([tx.splitCoins(tx.gas, [1])], newSuiAddress());
    const bytes = await tx.build({ client });
    await client.executeTransaction({
      transaction: bytes,
      signatures: [(await sponsor.signTransaction(bytes)).signature],
    });
    world.node.tellTruth();
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain' },
      costMinor: 0n,
    });
    expect(await world.amountOf(recipient)).toBe(0n);
  });

  it('whose coin is locked by a transaction that was only signed by some goes through in the next epoch', {
    tags: 'slow',
  }, async () => {
    const wallet = world.aWallet(50n);
    const [coin] = await coinsOf(wallet.address);
    const { bytes, signature } = await sendBySelf(wallet, (tx) =>
      tx.transferObjects([tx.object(coin!.objectId)], newSuiAddress()),
    );
    const recipient = newSuiAddress();
    const prepared = await world.prepareTransfer(wallet, 10n, recipient);
    await lockTransaction(world.chain.url, bytes, signature);
    const id = await world.submit(wallet, prepared);
    await untilSent(id);
    expect(world.outcomes.some(({ operationId }) => operationId === id)).toBe(false);
    await world.chain.advanceTime(24 * 3_600);
    expect((await world.outcomeOf(id)).status).toBe('success');
    expect(await world.amountOf(recipient)).toBe(10n);
  });

  it('that names an object which changed meanwhile is not built, and costs nothing', {
    tags: 'slow',
  }, async () => {
    const wallet = world.aWallet(50n);
    const [coin] = await coinsOf(wallet.address);
    const recipient = newSuiAddress();
    const params = await paramsBy((tx) => tx.transferObjects([tx.objectRef(coin!)], recipient));
    const twice = [await world.prepare(wallet, params), await world.prepare(wallet, params)];
    const ids = [await world.submit(wallet, twice[0]!), await world.submit(wallet, twice[1]!)];
    const outcomes = [await world.outcomeOf(ids[0]!), await world.outcomeOf(ids[1]!)];
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['failed', 'success']);
    const error = {
      reason: 'build_failed',
      message: expect.stringContaining(`It names ${coin!.objectId} at version ${coin!.version}`),
    };
    expect(outcomes.find(({ status }) => status === 'failed')).toMatchObject({
      error,
      costMinor: 0n,
    });
    expect(await world.amountOf(recipient)).toBe(50n);
  });

  it('whose lease is another’s by now is not signed', { tags: 'slow' }, async () => {
    const wallet = world.aWallet(10n);
    const prepared = await world.prepareTransfer(wallet, 10n, newSuiAddress());
    await query('update sui_gas_coins set lease = gen_random_uuid() where lease = $1', [
      prepared.operation['lease'],
    ]);
    const outcome = await world.outcomeOf(await world.submit(wallet, prepared));
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { reason: 'build_failed', message: expect.stringContaining('waited too long') },
    });
  });

  it('whose stored bytes were replaced by those of another success is not told as done', async () => {
    const first = await aTransfer();
    await world.outcomeOf(first.id);
    const { raw, tx_id: txId } = await rowOf(first.id);
    holdBack();
    const second = await aTransfer();
    await untilSent(second.id);
    await query('update operation_intents set raw = $2, tx_id = $3 where operation_id = $1', [
      second.id,
      raw,
      txId,
    ]);
    // A round that had read the row before ends before a later transfer is sent; and a last one
    // passes its turn when the node tells the truth.
    await untilSent((await aTransfer()).id);
    world.node.tellTruth();
    const last = await aTransfer();
    await world.outcomeOf(last.id);
    expect(world.outcomes.some(({ operationId }) => operationId === second.id)).toBe(false);
    expect(await world.amountOf(second.recipient)).toBe(0n);
  });

  it('whose stored signatures were changed is refused, although its bytes are its own', {
    tags: 'slow',
  }, async () => {
    holdBack();
    const [one, other] = [await aTransfer(), await aTransfer()];
    for (const { id } of [one, other]) await untilSent(id);
    const rawOf = async (id: string) => decodeSigned(new Uint8Array((await rowOf(id)).raw!));
    const [own, foreign] = [await rawOf(one.id), await rawOf(other.id)];
    const identify = (signatures: readonly string[]) =>
      network().identify(one.prepared.operation, encodeSigned({ bytes: own.bytes, signatures }));
    const [wallets, sponsors] = own.signatures as readonly [string, string];
    expect(identify(own.signatures)).toBe(own.digest);
    for (const changed of [
      foreign.signatures,
      [sponsors, wallets],
      [wallets],
      [wallets, wallets],
      [],
      [wallets, 'AA=='],
      [wallets, '?'],
    ])
      expect(() => identify(changed)).toThrow('its signatures are not those that were given');
  });

  it('that names what nobody can change waits for no other that does', async () => {
    const wallet = world.aWallet(10n);
    const [coin] = await coinsOf(wallet.address);
    const recipient = newSuiAddress();
    const { operation } = await world.prepare(
      wallet,
      await paramsBy((tx) => tx.transferObjects([tx.objectRef(coin!)], recipient)),
    );
    await query(
      `insert into sui_object_leases (chain, object_id, operation_id) values ('sui', $1, gen_random_uuid())`,
      [coin!.objectId],
    );
    const build = (operationId: string) => network().build(operation, { ...lateSent, operationId });
    const operationId = randomUUID();
    expect(await build(operationId)).toBe('later');
    world.node.lie('LedgerService/BatchGetObjects', G.BatchGetObjectsResponse, ({ objects }) => {
      for (const { result } of objects)
        if (result.oneofKind === 'object') result.object.owner!.kind = G.Owner_OwnerKind.IMMUTABLE;
    });
    expect(await build(operationId)).toMatchObject({ bytes: expect.any(Uint8Array) });
  });
});

describe('a node of Sui', () => {
  it('that lags behind the objects of a transaction does not make it lost', async () => {
    holdBack();
    const { id } = await aTransfer();
    await untilSent(id);
    const { tx_id: txId, raw } = await rowOf(id);
    world.node.lie('LedgerService/BatchGetObjects', G.BatchGetObjectsResponse, ({ objects }) => {
      for (const { result } of objects)
        if (result.oneofKind === 'object') result.object.version! -= 1n;
    });
    expect(await network().look({ txId: txId!, raw: new Uint8Array(raw!) }, lateSent)).toBe(
      'pending',
    );
    world.node.tellTruth();
    expect((await world.outcomeOf(id)).status).toBe('success');
  });

  it('that asks for more than the operator pays gets nothing, and the operation waits', {
    tags: 'slow',
  }, async () => {
    const wallet = world.aWallet(10n);
    const prepared = await world.prepareTransfer(wallet, 10n, newSuiAddress());
    world.node.lie('LedgerService/GetEpoch', G.GetEpochResponse, ({ epoch }) => {
      epoch!.referenceGasPrice = 1_000_000n;
    });
    const id = await world.submit(wallet, prepared);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await rowOf(id)).status).toBe('queued');
    world.node.tellTruth();
    expect((await world.outcomeOf(id)).status).toBe('success');
  });

  it('that tells of another transaction, or of a cost above what was signed, is not believed', {
    tags: 'slow',
  }, async () => {
    let lies = 0;
    world.node.lie('LedgerService/GetTransaction', G.GetTransactionResponse, ({ transaction }) => {
      lies += 1;
      transaction!.effects!.gasUsed!.computationCost = 10n ** 12n;
    });
    const { id } = await aTransfer();
    await world.until(() => lies > 1, 'two lies');
    expect(world.outcomes.some(({ operationId }) => operationId === id)).toBe(false);
    lies = 0;
    world.node.lie('LedgerService/GetTransaction', G.GetTransactionResponse, ({ transaction }) => {
      lies += 1;
      transaction!.digest = '11111111111111111111111111111111';
    });
    await world.until(() => lies > 1, 'two lies');
    expect(world.outcomes.some(({ operationId }) => operationId === id)).toBe(false);
    world.node.tellTruth();
    const outcome = await world.outcomeOf(id);
    expect(outcome.status).toBe('success');
    expect(outcome.costMinor).toBeLessThan(10n ** 9n);
  });
});

it('what the relay holds shows, and what a sponsor lacks', async () => {
  await world.until(
    async () => (await readFeeAccounts(world.database.store, 'sui')).length === 2,
    'accounts',
  );
  const accounts = await readFeeAccounts(world.database.store, 'sui');
  expect(accounts.map(({ address }) => address).toSorted()).toEqual(
    world.sponsors.map(({ address }) => address).toSorted(),
  );
  for (const { balanceMinor, alarm } of accounts) {
    expect(balanceMinor).toBeGreaterThan(900_000_000_000n);
    expect(alarm).toBeUndefined();
  }
});

async function paramsBy(fill: (tx: Transaction) => void): Promise<JsonObject> {
  const tx = new Transaction();
  fill(tx);
  return {
    transaction: Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64'),
  };
}
