import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMovableClock } from '../../../lib/clock.ts';
import { type KillingNode, startKillingNode } from '../../testing/kills/killing-node.ts';
import {
  type Batch,
  expectMovedOnce,
  hexOf,
  hexSeeds,
  itOutlivesKills,
  killPoints,
  openWorkers,
  signalOf,
  toldOnce,
} from '../../testing/kills/relay-kills.ts';
import { createOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
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
const workers = openWorkers<WorkerSetup>('src/chains/solana/relay/testing/worker.ts', () => ({
  databaseUrl: world.database.url,
  rpcUrl: world.chain.url,
  feePayerSeeds: world.feePayerSeeds.map(hexOf),
  walletSeeds: hexSeeds(world.seeds),
  leaseMs,
  walletProgram: smart.program,
}));

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
  workers.kill();
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

/** The one that takes over, in this process. */
const startNext = (rest: Partial<RelayDeps> = {}) =>
  world.start({
    settle: recordOutcomes,
    settings: { ...world.relayDeps().settings, leaseMs },
    walletProgram: smart.program,
    ...rest,
  });

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

const toldOf = (ids: readonly string[]) => toldOnce(world, ids);

/** Every operation once, or failed because the wallet has too little left. */
async function expectOnce(batch: Batch): Promise<void> {
  const moved = await expectMovedOnce(world, batch, { given: 60n, balanceOf: world.tokensOf });
  const left = moved.reduce((rest, amount) => rest - amount, 60n);
  // What failed for want of a worker would have gone through.
  for (const [index, amount] of moved.entries())
    if (amount === 0n) expect(batch.amounts[index]).toBeGreaterThan(left);
}

describe('a worker killed in the middle', () => {
  itOutlivesKills(killPoints, {
    submit: () => submitMixed(),
    spawn: workers.spawn,
    startNext,
    async expectOnce(batch) {
      await expectOnce(batch);
      await nonces();
    },
  });

  it('two at once, killed again and again at every point: what people approved happens once each', {
    tags: 'slow',
  }, async () => {
    const admins = [ed25519Signer(), p256Signer('passkey'), ed25519Signer('server')];
    const batches: Batch[] = [];
    for (let index = 0; index < killPoints.length; index += 2) {
      batches.push(await submitApproved(admins[index / 2]!));
      const pair = killPoints
        .slice(index, index + 2)
        .map(([at]) => workers.spawn({ at, count: 1 }));
      expect(await Promise.all(pair.map(signalOf))).toEqual(['SIGKILL', 'SIGKILL']);
    }
    // What comes then is for two that live.
    const wallets = await Promise.all([0, 1, 2].map(() => world.aWallet({ tokens: 60n })));
    const both = [workers.spawn(), workers.spawn()];
    const mixed = await Promise.all(wallets.map((wallet) => submitMixed(wallet)));
    for (const batch of [...batches, ...mixed]) await expectOnce(batch);
    for (const worker of both) worker.kill('SIGKILL');
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
    expect(await signalOf(workers.spawn({ at: 'after-store', count: 1 }))).toBe('SIGKILL');
    for (const when of ['before', 'after'] as const) {
      const late = workers.spawn(undefined, { rpcUrl: node.url, clockAheadMs: 2 * dayMs });
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
