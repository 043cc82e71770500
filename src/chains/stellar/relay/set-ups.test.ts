/** @module-tag slow */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Keypair } from '@stellar/stellar-sdk/base';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJsonRpc, type RpcParams } from '../../../lib/net/json-rpc.ts';
import type { KillPoint } from '../../family/late/types.ts';
import type { FamilyWallet, Running } from '../../family.ts';
import { hexOf, openWorkers } from '../../testing/kills/relay-kills.ts';
import { createOutcomes, readOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
import { accountKey, readAccountEntry } from '../account/entry.ts';
import { readMissing, setUpFeeMax } from '../account/make-ready.ts';
import { readSetUpBytes } from '../account/set-up.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import type { WorkerSetup } from '../testing/worker.ts';
import { openWorld, projectId, type World } from '../testing/world.ts';
import { inclusionFeeMax } from './kinds/kind.ts';

// The set-ups of mpc wallets: an account and a trust line, with reserves of the service.

const settings = { inFlightMax: 20, resendAfterMs: 500, leaseMs: 1_000 };
const reserves = 15_000_000n;
let world: World;
let node: LyingNode;
let lying: StellarConnection;
let relay: Running | undefined;
const workers = openWorkers<WorkerSetup>('src/chains/stellar/testing/worker.ts', () => ({
  databaseUrl: world.database.url,
  rpcUrl: world.chain.node.url,
  channelSeeds: world.seeds.map(hexOf),
  leaseMs: settings.leaseMs,
}));

beforeAll(async () => {
  world = await openWorld({ channels: 2 });
  await createOutcomes(world.database.store);
  node = await startLyingNode(world.chain.node.url);
  lying = {
    network: world.network,
    rpc: createJsonRpc<RpcParams>({ url: node.url, timeoutMs: 10_000, readMethods: /^get/ }),
  };
});
beforeEach(() => node.tellTruth());
afterEach(async () => {
  await relay?.stop();
  relay = undefined;
});
afterAll(async () => {
  workers.kill();
  lying?.rpc.close();
  node?.close();
  await world?.close();
});

const asked = (wallet: FamilyWallet) => {
  const recipient = { wallet, projectId, owner: wallet.address };
  return world.deps.makeReady(world.connection, { recipient, token: world.token, now: new Date() });
};
const missing = (wallet: FamilyWallet) =>
  readMissing(world.connection, wallet.address, world.chain.asset.toString());
const spentBy = async (wallet: FamilyWallet) => {
  const { rows } = await world.database.store.query<{ minor: string }>({
    text: 'select coalesce(sum(minor), 0) as minor from fee_spent where project_id = $1 and owner = $2',
    values: [projectId, wallet.address],
  });
  return BigInt(rows[0]!.minor);
};
interface Row {
  readonly operation_id: string;
  readonly status: string;
  readonly raw: Buffer | null;
  readonly tx_id: string | null;
  readonly is_later: boolean;
}
const rowOf = async ({ id }: FamilyWallet): Promise<Row | undefined> => {
  const { rows } = await world.database.store.query<Row>({
    text: `select operation_id, status, raw, tx_id, run_at > now() + interval '1 minute' as is_later from operation_intents where wallet_id = $1`,
    values: [id],
  });
  return rows[0];
};
const setRow = ({ id }: FamilyWallet, set: string, ...values: readonly unknown[]) =>
  world.database.store.query({
    text: `update operation_intents set ${set} where wallet_id = $1`,
    values: [id, ...values],
  });
const start = (rest: Parameters<World['start']>[0] = {}) =>
  world
    .start({ settleOperations: recordOutcomes, settings, ...rest })
    .then((running) => void (relay = running));

/** An account and its line, once: two reserves and one, all of them the service's. */
async function expectMade(wallet: FamilyWallet): Promise<void> {
  const { entries } = await readEntries(world.connection, [accountKey(wallet.address)]);
  const account = readAccountEntry(entries[0]?.data)!;
  const sponsored =
    account.ext.type === 'v1' && account.ext.v1.ext.type === 'v2'
      ? account.ext.v1.ext.v2.numSponsored
      : 0;
  expect([account.balance, account.numSubEntries, sponsored]).toEqual([0n, 1, 3]);
  expect(await missing(wallet)).toMatchObject({ makesAccount: false, makesLine: false });
}

async function spawnWorker(killAt: KillPoint): Promise<ChildProcess> {
  const child = workers.spawn({ at: killAt, count: 1 });
  await once(child.stdout!, 'data');
  return child;
}

describe('a worker killed while it makes the account of a wallet', () => {
  const points: readonly KillPoint[] = [
    'before-store',
    'after-store',
    'after-broadcast',
    'after-inclusion',
    'before-confirmation',
  ];
  it.each(points)('%s: another one makes it, once, and its reserves count once', async (at) => {
    const child = await spawnWorker(at);
    const wallet = world.aKeyWallet();
    const made = asked(wallet);
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    await start();
    expect(await made).toBe(true);
    await expectMade(wallet);
    const spent = await spentBy(wallet);
    expect(spent).toBeGreaterThan(reserves);
    expect(spent).toBeLessThanOrEqual(reserves + setUpFeeMax);
    expect(await asked(wallet)).toBe(false);
    const { rows } = await world.database.store.query({
      text: 'select 1 from stellar_channels where operation_id is not null',
    });
    expect(rows).toEqual([]);
    // No area hears of what the family does for itself.
    expect(await readOutcomes(world.database.store)).toEqual([]);
  });
});

describe('a node that lies while the account of a wallet is made', () => {
  it('and forgets it has nothing made a second time', async () => {
    const wallet = world.aKeyWallet();
    node.lie('getTransaction', (result) => ({
      ...result,
      status: 'NOT_FOUND',
      latestLedger: 4_000_000,
    }));
    await start({ connect: async () => lying });
    expect(await asked(wallet)).toBe(true);
    await expectMade(wallet);
  });

  it('and tells another transaction’s success for it is believed in nothing that is not there', async () => {
    const [before, wallet] = [world.aKeyWallet(), world.aKeyWallet()];
    let truth: Record<string, unknown> | undefined;
    node.lie('getTransaction', (result) => {
      if (result['status'] === 'SUCCESS') truth ??= result;
      return result;
    });
    await start({ connect: async () => lying });
    await asked(before);
    node.lie('getTransaction', () => truth!);
    node.lie('sendTransaction', {
      answer: {
        status: 'PENDING',
        hash: '00'.repeat(32),
        latestLedger: 5,
        latestLedgerCloseTime: '1',
      },
    });
    const made = asked(wallet);
    await world.until(async () => (await rowOf(wallet))?.raw != null, 'bytes');
    const { tx_id, raw } = (await rowOf(wallet))!;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // Its bytes are those that were signed for it, and nobody waits for them in vain.
    expect(readSetUpBytes(new Uint8Array(raw!), world.network.passphrase)).toMatchObject({
      txId: tx_id,
      wallet: wallet.address,
    });
    expect(await missing(wallet)).toMatchObject({ makesAccount: true });
    node.tellTruth();
    expect(await made).toBe(true);
    await expectMade(wallet);
  });

  it('and says that nothing is there costs a fee, and reserves of nobody', async () => {
    const wallet = world.aKeyWallet();
    await start();
    await asked(wallet);
    await relay!.stop();
    const spent = await spentBy(wallet);
    const blind: StellarConnection = {
      ...world.connection,
      rpc: {
        ...world.connection.rpc,
        request: async (method, params) => {
          const answer = (await world.connection.rpc.request(method, params)) as {
            entries?: readonly { key: string }[];
          };
          const own = accountKey(wallet.address).toXdr('base64');
          return answer.entries
            ? { ...answer, entries: answer.entries.filter(({ key }) => key !== own) }
            : answer;
        },
      },
    };
    await start({ connect: async () => blind });
    const recipient = { wallet, projectId, owner: wallet.address };
    const again = world.deps.makeReady(blind, { recipient, token: world.token, now: new Date() });
    await expect(again).rejects.toThrow('somebody else has made the account');
    await expectMade(wallet);
    expect((await spentBy(wallet)) - spent).toBeLessThanOrEqual(setUpFeeMax);
  });

  it('and names fees has the service bid no more than its own most', async () => {
    const wallet = world.aKeyWallet();
    node.lie('getFeeStats', (result) => ({
      ...result,
      inclusionFee: { p50: '900000000000', p90: '900000000000' },
    }));
    await start({ connect: async () => lying });
    await asked(wallet);
    const { raw } = (await rowOf(wallet))!;
    expect(
      readSetUpBytes(new Uint8Array(raw!), world.network.passphrase)!.maxFee,
    ).toBeLessThanOrEqual(inclusionFeeMax * 4n);
    await expectMade(wallet);
  });
});

describe('whoever writes the database', () => {
  it.each([
    [
      'the account that is made',
      `operation = jsonb_set(operation, '{wallet}', to_jsonb($2::text))`,
      () => Keypair.random().publicKey(),
    ],
    [
      'the token of the line',
      `operation = jsonb_set(operation, '{asset}', to_jsonb($2::text))`,
      () => `EVIL:${Keypair.random().publicKey()}`,
    ],
    ['whose budget it takes', 'owner = $2', () => 'userId:somebody-else'],
    [
      'whose key signs',
      'wallet_id = $2::text::uuid, operation_id = operation_id',
      (other: FamilyWallet) => other.id,
    ],
  ] as const)('and changes %s has nothing made until it is put back', async (_, set, value) => {
    const [wallet, other] = [world.aKeyWallet(), world.aKeyWallet()];
    const made = asked(wallet);
    await world.until(async () => (await rowOf(wallet)) !== undefined, 'the intent');
    const { rows } = await world.database.store.query<{
      operation: object;
      owner: string;
      operation_id: string;
    }>({
      text: 'select operation, owner, operation_id from operation_intents where wallet_id = $1',
      values: [wallet.id],
    });
    const { operation, owner, operation_id } = rows[0]!;
    await setRow(wallet, set, value(other));
    await start();
    const later = async () => {
      const found = await world.database.store.query<Row>({
        text: `select run_at > now() + interval '1 minute' as is_later from operation_intents where operation_id = $1`,
        values: [operation_id],
      });
      return found.rows[0]!.is_later;
    };
    await world.until(later, 'the alarm');
    expect(await missing(wallet)).toMatchObject({ makesAccount: true });
    await world.database.store.query({
      text: 'update operation_intents set operation = $2, owner = $3, wallet_id = $4, run_at = now() where operation_id = $1',
      values: [operation_id, operation, owner, wallet.id],
    });
    expect(await made).toBe(true);
    await expectMade(wallet);
  });

  it('and exchanges the bytes of two set-ups has neither told as made', async () => {
    const wallets = [world.aKeyWallet(), world.aKeyWallet()] as const;
    node.lie('sendTransaction', {
      answer: {
        status: 'PENDING',
        hash: '00'.repeat(32),
        latestLedger: 5,
        latestLedgerCloseTime: '1',
      },
    });
    await start({ connect: async () => lying });
    const made = wallets.map(asked);
    await world.until(
      async () => (await Promise.all(wallets.map(rowOf))).every((row) => row?.raw != null),
      'bytes of both',
    );
    await relay!.stop();
    const [one, other] = (await Promise.all(wallets.map(rowOf))) as [Row, Row];
    const put = async (wallet: FamilyWallet, { raw, tx_id }: Row) =>
      setRow(wallet, 'raw = $2, tx_id = $3, run_at = now()', raw, tx_id);
    await put(wallets[0], other);
    await put(wallets[1], one);
    node.tellTruth();
    await start();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await Promise.all(wallets.map(rowOf))).map((row) => row!.status)).toEqual([
      'sent',
      'sent',
    ]);
    for (const wallet of wallets)
      expect(await missing(wallet)).toMatchObject({ makesAccount: true });
    await put(wallets[0], one);
    await put(wallets[1], other);
    expect(await Promise.all(made)).toEqual([true, true]);
    for (const wallet of wallets) await expectMade(wallet);
  });
});
