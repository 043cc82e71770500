import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programArgs } from '../../../../test/harness/programs.ts';
import type { KillPoint } from '../../family/late/types.ts';
import { createOutcomes, readOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';
import type { WorkerSetup } from './testing/worker.ts';

const leaseMs = 1_000;
let world: World;
const children: ChildProcess[] = [];

beforeAll(async () => {
  world = await openWorld({ feePayers: 2 });
  await createOutcomes(world.database.store);
  // Nonces for what is prepared before any worker of a test runs.
  const first = await world.start();
  await nonces();
  await first.stop();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await world?.close();
});

/** As many as a test binds before its worker runs. */
async function nonces(): Promise<void> {
  await world.until(async () => (await freeNonces()) >= 6, 'nonces');
}

async function freeNonces(): Promise<number> {
  const { rows } = await world.database.store.query<{ count: string }>({
    text: `select count(*) from solana_nonces where status = 'free'`,
  });
  return Number(rows[0]!.count);
}

function spawnWorker(kill?: { readonly at: KillPoint; readonly count: number }): ChildProcess {
  const setup: WorkerSetup = {
    databaseUrl: world.database.url,
    rpcUrl: world.chain.url,
    feePayerSeeds: world.feePayerSeeds.map((seed) => Buffer.from(seed).toString('hex')),
    walletSeeds: Object.fromEntries(
      [...world.seeds].map(([id, seed]) => [id, Buffer.from(seed).toString('hex')]),
    ),
    leaseMs,
    ...(kill ? { killAt: kill.at, killAtCount: kill.count } : {}),
  };
  const script = programArgs('src/chains/solana/relay/testing/worker.ts');
  const child = spawn(process.execPath, [...script, JSON.stringify(setup)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

interface Batch {
  readonly wallet: TestWallet;
  readonly recipient: string;
  readonly ids: readonly string[];
}

/**
 * Five that go through and one that cannot by the time it is there: together they move more than
 * the wallet has.
 */
async function submitMixed(given?: TestWallet): Promise<Batch> {
  const [wallet, recipient] = [given ?? (await world.aWallet({ tokens: 60n })), newAddress()];
  const prepared = [];
  for (const amount of [1n, 1n, 1n, 1n, 1n, 58n])
    prepared.push(await world.prepareTransfer(wallet, amount, recipient));
  const ids = [];
  for (const one of prepared) ids.push(await world.submit(wallet, one));
  return { wallet, recipient, ids };
}

/**
 * Every operation once, or failed because the wallet has too little left, told once, and the chain
 * says the same.
 */
async function expectOnce({ wallet, recipient, ids }: Batch): Promise<void> {
  const told = async () =>
    (await readOutcomes(world.database.store)).filter(({ operationId }) =>
      ids.includes(operationId),
    );
  await world.until(async () => (await told()).length >= ids.length, 'outcomes of all');
  const outcomes = await told();
  expect(new Set(outcomes.map(({ operationId }) => operationId)).size).toBe(outcomes.length);
  const ends = ids.map((id, index) => {
    const outcome = outcomes.find(({ operationId }) => operationId === id)!;
    if (outcome.status === 'failed') expect(outcome.error.message.length).toBeGreaterThan(10);
    return { amount: index === 5 ? 58n : 1n, isDone: outcome.status === 'success' };
  });
  const sum = ends.reduce((total, { amount, isDone }) => total + (isDone ? amount : 0n), 0n);
  // What failed for want of a worker would have gone through.
  for (const { amount, isDone } of ends) if (!isDone) expect(amount).toBeGreaterThan(60n - sum);
  expect(await world.tokensOf(recipient)).toBe(sum);
  expect(await world.tokensOf(wallet.address)).toBe(60n - sum);
}

describe('a worker killed in the middle', () => {
  const points: readonly (readonly [KillPoint, number])[] = [
    ['before-signature', 1],
    ['before-store', 1],
    ['after-store', 1],
    ['after-broadcast', 2],
    ['after-inclusion', 1],
    ['before-confirmation', 1],
  ];
  it.each(points)(
    '%s: another worker takes over, and each operation happens once or fails with a reason',
    async (at, count) => {
      const batch = await submitMixed();
      const child = spawnWorker({ at, count });
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
      const next = await world.start({
        settle: recordOutcomes,
        settings: { ...world.relayDeps().settings, leaseMs },
      });
      await expectOnce(batch);
      await nonces();
      await next.stop();
    },
  );

  it('two workers at once: no nonce is of two operations, and each operation happens once', async () => {
    const wallets = await Promise.all([0, 1, 2].map(() => world.aWallet({ tokens: 60n })));
    const workers = [spawnWorker(), spawnWorker()];
    const batches = await Promise.all(wallets.map((wallet) => submitMixed(wallet)));
    for (const batch of batches) await expectOnce(batch);
    for (const worker of workers) worker.kill('SIGKILL');
    const { rows } = await world.database.store.query<{ signature: string; count: string }>({
      text: 'select signature, count(*) from solana_operations where signature is not null group by 1 having count(*) > 1',
    });
    expect(rows).toEqual([]);
  });
});
