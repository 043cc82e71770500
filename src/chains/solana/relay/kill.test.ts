import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programArgs } from '../../../../test/harness/programs.ts';
import { createMovableClock } from '../../../lib/clock.ts';
import type { KillPoint } from '../../family/late/types.ts';
import type { FamilyWallet, OperationOutcome } from '../../family.ts';
import { type KillingNode, startKillingNode } from '../../testing/kills/killing-node.ts';
import { createOutcomes, readOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
import { readOperation } from '../operation/stored.ts';
import { ed25519Signer, openSmartWallets, p256Signer, type TestSigner } from '../testing/smart.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';
import type { WorkerSetup } from './testing/worker.ts';
import type { RelayDeps } from './types.ts';

const leaseMs = 1_000;
const dayMs = 24 * 60 * 60 * 1_000;
let world: World;
let smart: ReturnType<typeof openSmartWallets>;
let node: KillingNode;
const children: ChildProcess[] = [];

beforeAll(async () => {
  world = await openWorld({ feePayers: 2 });
  smart = openSmartWallets(world);
  await smart.install();
  node = await startKillingNode(world.chain.url);
  await createOutcomes(world.database.store);
  // Nonces for what is prepared before any worker of a test runs.
  const first = await world.start();
  await nonces();
  await first.stop();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  node?.close();
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

function spawnWorker(
  kill?: { readonly at: KillPoint; readonly count: number },
  settings: Partial<WorkerSetup> = {},
): ChildProcess {
  const setup: WorkerSetup = {
    databaseUrl: world.database.url,
    rpcUrl: world.chain.url,
    feePayerSeeds: world.feePayerSeeds.map((seed) => Buffer.from(seed).toString('hex')),
    walletSeeds: Object.fromEntries(
      [...world.seeds].map(([id, seed]) => [id, Buffer.from(seed).toString('hex')]),
    ),
    leaseMs,
    walletProgram: smart.program,
    ...settings,
    ...(kill ? { killAt: kill.at, killAtCount: kill.count } : {}),
  };
  const script = programArgs('src/chains/solana/relay/testing/worker.ts');
  const child = spawn(process.execPath, [...script, JSON.stringify(setup)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function signalOf(child: ChildProcess): Promise<string | null> {
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

/** The one that takes over, in this process. */
const startNext = (rest: Partial<RelayDeps> = {}) =>
  world.start({
    settle: recordOutcomes,
    settings: { ...world.relayDeps().settings, leaseMs },
    walletProgram: smart.program,
    ...rest,
  });

interface Batch {
  readonly wallet: FamilyWallet;
  readonly recipient: string;
  readonly amounts: readonly bigint[];
  readonly ids: readonly string[];
}

/**
 * Five that go through and one that cannot by the time it is there: together they move more than
 * the wallet has.
 */
async function submitMixed(given?: TestWallet): Promise<Batch> {
  const [wallet, recipient] = [given ?? (await world.aWallet({ tokens: 60n })), newAddress()];
  const prepared = [];
  const amounts = [1n, 1n, 1n, 1n, 1n, 58n];
  for (const amount of amounts)
    prepared.push(await world.prepareTransfer(wallet, amount, recipient));
  const ids = [];
  for (const one of prepared) ids.push(await world.submit(wallet, one));
  return { wallet, recipient, amounts, ids };
}

/** Of a new wallet, which the first of them makes, approved by the signer that is its admin. */
async function submitApproved(admin: TestSigner): Promise<Batch> {
  const recipient = newAddress();
  const wallet = await smart.aWallet({ adminSigner: admin.signer }, { tokens: 60n });
  const amounts = [1n, 2n, 3n];
  const ids = [];
  for (const amount of amounts) {
    const prepared = await smart.prepareTransfer(wallet, admin, { amount, to: recipient });
    ids.push(await smart.submit(wallet, prepared, [admin]));
  }
  return { wallet, recipient, amounts, ids };
}

/** How they ended, each told once. */
async function toldOf(ids: readonly string[]): Promise<OperationOutcome[]> {
  const told = async () =>
    (await readOutcomes(world.database.store)).filter(({ operationId }) =>
      ids.includes(operationId),
    );
  await world.until(async () => (await told()).length >= ids.length, 'outcomes of all');
  const outcomes = await told();
  expect(new Set(outcomes.map(({ operationId }) => operationId)).size).toBe(outcomes.length);
  return outcomes;
}

/**
 * Every operation once, or failed because the wallet has too little left, told once, and the chain
 * says the same.
 */
async function expectOnce({ wallet, recipient, amounts, ids }: Batch): Promise<void> {
  const outcomes = await toldOf(ids);
  const ends = ids.map((id, index) => {
    const outcome = outcomes.find(({ operationId }) => operationId === id)!;
    if (outcome.status === 'failed') expect(outcome.error.message.length).toBeGreaterThan(10);
    return { amount: amounts[index]!, isDone: outcome.status === 'success' };
  });
  const sum = ends.reduce((total, { amount, isDone }) => total + (isDone ? amount : 0n), 0n);
  // What failed for want of a worker would have gone through.
  for (const { amount, isDone } of ends) if (!isDone) expect(amount).toBeGreaterThan(60n - sum);
  expect(await world.tokensOf(recipient)).toBe(sum);
  expect(await world.tokensOf(wallet.address)).toBe(60n - sum);
}

const points: readonly (readonly [KillPoint, number])[] = [
  ['before-signature', 1],
  ['before-store', 1],
  ['after-store', 1],
  ['after-broadcast', 2],
  ['after-inclusion', 1],
  ['before-confirmation', 1],
];

describe('a worker killed in the middle', () => {
  for (const [at, count] of points)
    it(`${at}: another worker takes over, and each operation happens once or fails with a reason`, {
      tags: at === 'after-broadcast' ? [] : 'slow',
    }, async () => {
      const batch = await submitMixed();
      const child = spawnWorker({ at, count });
      expect(await signalOf(child)).toBe('SIGKILL');
      const next = await startNext();
      await expectOnce(batch);
      await nonces();
      await next.stop();
    });

  it('two at once, killed again and again at every point: what people approved happens once each', {
    tags: 'slow',
  }, async () => {
    const admins = [ed25519Signer(), p256Signer('passkey'), ed25519Signer('server')];
    const batches: Batch[] = [];
    for (let index = 0; index < points.length; index += 2) {
      batches.push(await submitApproved(admins[index / 2]!));
      const pair = points.slice(index, index + 2).map(([at]) => spawnWorker({ at, count: 1 }));
      expect(await Promise.all(pair.map(signalOf))).toEqual(['SIGKILL', 'SIGKILL']);
    }
    // What comes then is for two that live.
    const wallets = await Promise.all([0, 1, 2].map(() => world.aWallet({ tokens: 60n })));
    const workers = [spawnWorker(), spawnWorker()];
    const mixed = await Promise.all(wallets.map((wallet) => submitMixed(wallet)));
    for (const batch of [...batches, ...mixed]) await expectOnce(batch);
    for (const worker of workers) worker.kill('SIGKILL');
    for (const { ids } of batches)
      expect((await toldOf(ids)).map(({ status }) => status)).toEqual(ids.map(() => 'success'));
    const { rows } = await world.database.store.query<{ signature: string; count: string }>({
      text: 'select signature, count(*) from solana_operations where signature is not null group by 1 having count(*) > 1',
    });
    expect(rows).toEqual([]);
  });

  it('while it advances a nonce whose operation is too late: it is advanced once, and told once', {
    tags: 'slow',
  }, async () => {
    const [wallet, recipient] = [await world.aWallet({ tokens: 10n }), newAddress()];
    const prepared = await world.prepareTransfer(wallet, 1n, recipient);
    const { lease } = readOperation(prepared.operation);
    const { rows } = await world.database.store.query<{ address: string }>({
      text: 'select address from solana_nonces where lease = $1',
      values: [lease],
    });
    const nonce = rows[0]!.address;
    const historyOf = async () =>
      (await world.rpc.request('getSignaturesForAddress', [nonce])) as readonly unknown[];
    const before = (await historyOf()).length;
    const id = await world.submit(wallet, prepared);
    expect(await signalOf(spawnWorker({ at: 'after-store', count: 1 }))).toBe('SIGKILL');
    for (const when of ['before', 'after'] as const) {
      const late = spawnWorker(undefined, { rpcUrl: node.url, clockAheadMs: 2 * dayMs });
      node.arm(late, { call: /sendTransaction$/, count: 1, when });
      expect(await signalOf(late)).toBe('SIGKILL');
    }
    const clock = createMovableClock();
    clock.moveTo(2 * dayMs);
    const next = await startNext({ clock });
    const [outcome] = await toldOf([id]);
    expect(outcome).toMatchObject({ status: 'failed', costMinor: '5000' });
    await next.stop();
    expect((await historyOf()).length).toBe(before + 1);
    expect(await world.tokensOf(recipient)).toBe(0n);
  });
});
