import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  buyer,
  type CheckoutWorld,
  startCheckoutWorld,
} from '../../test/harness/checkout-world.ts';
import { startProcess } from '../../test/harness/processes.ts';
import { gatewaySeeds, workerPublicKey } from '../../test/harness/runner-gateway.ts';
import { ownFolderPrefix, sweepLeftovers } from './leftovers.ts';
import { runnerPeer } from './link/wire.ts';
import type { Runner } from './runner.ts';
import { startWorkerGate, type WorkerGate } from './testing/worker-gate.ts';

let world: CheckoutWorld;
let gate: WorkerGate;
let users = 0;
beforeAll(async () => {
  world = await startCheckoutWorld();
  gate = await startWorkerGate(world.gateway.origin);
});
afterAll(async () => {
  await world?.close();
  await gate?.close();
});
beforeEach(async () => {
  gate.isAway = false;
  gate.passed.length = 0;
  world.logLines.length = 0;
});

const startGatedRunner = (): Promise<Runner> =>
  world.startRunner({
    link: {
      origin: gate.origin,
      identity: { name: runnerPeer, seed: gatewaySeeds.runner },
      workerPublicKey,
    },
  });

/** A new user with a buyer profile who wants a map case of the plain shop, or what is said. */
async function wants(
  wish: { shop?: 'plain' | 'mean'; product?: string; request?: string; mean?: string } = {},
) {
  const user = `user-${++users}`;
  const buyerProfileId = (await world.as(user, 'POST', '/buyer-profiles', buyer)).body.id as string;
  const { shop = 'plain', product = 'map-case', request = 'one', mean } = wish;
  await world.shops.resetShop(shop);
  const id = await world.create(user, {
    shop,
    product,
    request,
    ...(mean && { mean }),
    profiles: { buyerProfileId },
  });
  const hasDone = (title: string) => (view: { progressItems: { title: string }[] }) =>
    view.progressItems.some((item) => item.title === title);
  return { user, id, hasDone, orders: () => world.shops.readOrders(shop) };
}

/** Ends every browser that belongs to a process. */
function killBrowsers(owner = process.pid): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const browsers = pids.filter((pid) => {
    const command = readFile(`/proc/${pid}/cmdline`);
    return (
      new RegExp(`--user-data-dir=\\S*/purser-run-\\d+-${owner}-`).test(command) &&
      !command.includes('--type=')
    );
  });
  for (const pid of browsers) process.kill(Number(pid), 'SIGKILL');
  return browsers.length;
}
const readFile = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const folders = (owner: number) =>
  readdirSync(tmpdir()).filter((name) => new RegExp(`^purser-run-\\d+-${owner}-`).test(name));

test('a browser that dies before the paying click is replaced and the run goes on; nothing of it stays', {
  tags: 'slow',
}, async () => {
  const runner = await startGatedRunner();
  const { user, id, hasDone, orders } = await wants();
  await world.follow(user, id, { until: hasDone('Added to the cart') });
  expect(killBrowsers()).toBe(1);
  // What is asked while an answer gets lost is asked once.
  for (const operation of ['ask', 'arm', 'record', 'end']) gate.loseAnswerOf(operation);
  const view = await world.follow(user, id);
  expect(view).toMatchObject({ status: 'succeeded' });
  expect(await orders()).toHaveLength(1);
  expect(
    view.progressItems.filter((item: { title: string }) => item.title === 'A browser is opened'),
  ).toHaveLength(1);
  // There is no profile that would keep what the browser has learned.
  expect(gate.passed).not.toContain('save-state');
  await runner.stop();
  expect(folders(process.pid)).toEqual([]);
});

test('a browser that dies after it is replaced by one that only looks', {
  tags: 'slow',
}, async () => {
  const runner = await startGatedRunner();
  const { user, id, orders } = await wants({
    shop: 'mean',
    product: 'toolbox',
    request: 'Medium, Red',
    mean: 'lose-answer',
  });
  const ended = world.follow(user, id, {
    answer: ({ responseSchema }) =>
      'outcome' in responseSchema.properties
        ? { outcome: 'placed', merchantOrderId: 'told' }
        : undefined,
  });
  await expect.poll(orders, { timeout: 60_000 }).toHaveLength(1);
  expect(killBrowsers()).toBe(1);
  expect(await ended).toMatchObject({ status: 'succeeded' });
  expect(await orders()).toHaveLength(1);
  expect(gate.passed.filter((operation) => operation === 'arm')).toHaveLength(1);
  await runner.stop();
});

test('a run that is cancelled stops at its next safe place, and its browser is gone', {
  tags: 'slow',
}, async () => {
  const runner = await startGatedRunner();
  const { user, id, orders } = await wants();
  await world.follow(user, id, {
    answer: () => 'wait',
    until: (view) => view.status === 'awaiting_user_action',
  });
  expect((await world.as(user, 'DELETE', `/${id}`)).status).toBe(202);
  expect(await world.follow(user, id)).toMatchObject({ status: 'cancelled' });
  expect(await orders()).toEqual([]);
  await expect.poll(() => folders(process.pid)).toEqual([]);
  await runner.stop();
});

test('a runner that stops gives back what is not paid yet, and a worker that is away for a while ends nothing', {
  tags: 'slow',
}, async () => {
  const first = await startGatedRunner();
  const { user, id, hasDone, orders } = await wants();
  await world.follow(user, id, { until: hasDone('Opened the shop') });
  await first.stop();
  const second = await startGatedRunner();
  await expect
    .poll(() => gate.passed.filter((operation) => operation === 'release'))
    .toHaveLength(1);
  await expect
    .poll(() => world.logLines.filter((line) => line.includes('"fence":"2"')).length, {
      timeout: 12_000,
    })
    .toBe(1);
  gate.isAway = true;
  await delay(1_500);
  gate.isAway = false;
  expect(await world.follow(user, id)).toMatchObject({ status: 'succeeded' });
  expect(await orders()).toHaveLength(1);
  expect(world.logLines.join('')).not.toContain('lost its browser');
  await second.stop();
});

test('a page that the runner may not visit fails with that reason, in the failure and in what the user reads on the way', async () => {
  const config = {
    chromiumPath: undefined,
    runsMax: 4,
    memoryBytesMax: 1_024 * 1_048_576,
    blockedOrigins: [],
    paymentFrameOrigins: [],
  };
  const runner = await world.startRunner({ config: { ...config, allowedPrivateOrigins: [] } });
  const { user, id, orders } = await wants();
  const message = `The page’s address (${new URL(world.shops.shop('plain').origin).host}) is not allowed: only the usual ports of the web are.`;
  expect(await world.follow(user, id)).toMatchObject({
    status: 'failed',
    failure: { reason: 'automation_failed', message },
    progressItems: expect.arrayContaining([
      expect.objectContaining({ title: 'The shop’s page was not opened', message }),
    ]),
  });
  expect(await orders()).toEqual([]);
  await runner.stop();
});

test('a runner that is killed leaves its run to another one, and its folders to the next', {
  tags: 'slow',
}, async () => {
  const { user, id, hasDone, orders } = await wants();
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const killed = startProcess({
    name: 'runner',
    program: 'bin/runner.ts',
    env: {
      PURSER_ENVIRONMENT: 'development',
      METRICS_PORT: 'off',
      RUNNER_DOOR_ORIGIN: world.gateway.origin,
      RUNNER_DOOR_PUBLIC_KEY: hex(workerPublicKey),
      RUNNER_SEED: hex(gatewaySeeds.runner.reveal()),
      RUNNER_ALLOWED_PRIVATE_ORIGINS: world.surroundings.allowedPrivateOrigins.join(','),
      RUNNER_PAYMENT_FRAMES: world.surroundings.paymentFrameOrigins.join(','),
    },
  });
  await world.follow(user, id, { until: hasDone('Opened the shop') }).catch((error: Error) => {
    throw new Error(`${error.message}\n${killed.output()}`);
  });
  await killed.stop('SIGKILL');
  expect(folders(killed.pid)).toHaveLength(1);
  await world.api.ctx.store.query({
    text: `update agent_checkouts set lease_until = now() - interval '1 second' where id = $1`,
    values: [id],
  });
  const runner = await world.startRunner();
  expect(folders(killed.pid)).toEqual([]);
  expect(await world.follow(user, id)).toMatchObject({ status: 'succeeded' });
  expect(await orders()).toHaveLength(1);
  await runner.stop();
});

test('what is swept belongs to nobody any more', async () => {
  const [space, pid] = (await ownFolderPrefix()).split('-').slice(2);
  const names = {
    mine: `${await ownFolderPrefix()}a`,
    dead: `purser-run-${space}-${pid}-1-a`,
    stranger: 'purser-run-1-1-1-a',
    old: 'purser-run-1-1-2-a',
  };
  for (const name of Object.values(names)) mkdirSync(join(tmpdir(), name));
  const weekAgo = new Date(Date.now() - 7 * 86_400_000);
  utimesSync(join(tmpdir(), names.old), weekAgo, weekAgo);
  const now = new Date();
  await sweepLeftovers({ ids: [process.getuid!() + 1], now });
  expect(Object.values(names).every((name) => existsSync(join(tmpdir(), name)))).toBe(true);
  await sweepLeftovers({ ids: [process.getuid!()], now });
  expect(
    Object.entries(names).flatMap(([key, name]) => (existsSync(join(tmpdir(), name)) ? [key] : [])),
  ).toEqual(['mine', 'stranger']);
  for (const name of [names.mine, names.stranger]) rmdirSync(join(tmpdir(), name));
});
