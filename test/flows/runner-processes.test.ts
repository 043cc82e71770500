/** @module-tag slow */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningShops, startShops } from '../../fixtures/shops/index.ts';
import { agentCheckoutRoutes } from '../../src/areas/agent-checkouts/routes.ts';
import { buyerProfileRoutes } from '../../src/areas/buyer-profiles/routes.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/id.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { createSandboxIssuer } from '../../src/providers/card-source/index.ts';
import { testConfig } from '../harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startTestApi, type TestApi } from '../harness/http.ts';
import {
  findFreePort,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from '../harness/processes.ts';

const path = '/unstable/agent-checkouts';
const waitMaxMs = 150_000;
const seeds = { runner: randomBytes(32), gateway: randomBytes(32) };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const keyOf = (seed: Uint8Array) => text(internalPublicKey(seed));

let database: TestDatabase;
let api: TestApi;
let shops: RunningShops;
let worker: ServiceProcess;
let runners: ServiceProcess[];

/** A worker over the same database as the API of this process. */
async function startWorker(gatewayPort: number): Promise<ServiceProcess> {
  const metricsPort = await findFreePort();
  const { keyEncryptionKeys } = testConfig();
  const env = {
    PURSER_ENVIRONMENT: 'staging',
    DATABASE_URL: database.url,
    KEY_ENCRYPTION_KEYS: `${keyEncryptionKeys[0]!.id}=${text(keyEncryptionKeys[0]!.key.reveal())}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `treasury=${text(randomBytes(32))}`,
    METRICS_PORT: String(metricsPort),
    RUNNER_PUBLIC_KEY: keyOf(seeds.runner),
    RUNNER_DOOR_SEED: text(seeds.gateway),
    RUNNER_DOOR_HOST: '127.0.0.1',
    RUNNER_DOOR_PORT: String(gatewayPort),
  };
  const started = startProcess({ name: 'worker', program: 'bin/worker.ts', env });
  await waitUntilReady(`http://127.0.0.1:${metricsPort}/metrics`, started, 200_000);
  return started;
}

function startRunnerProcess(
  gatewayPort: number,
  more: Readonly<Record<string, string>> = {},
): ServiceProcess {
  const origins = new Set(
    shops.shops.flatMap(({ origin, paymentOrigins }) => [origin, ...paymentOrigins]),
  );
  const env = {
    PURSER_ENVIRONMENT: 'staging',
    METRICS_PORT: 'off',
    RUNNER_SEED: text(seeds.runner),
    RUNNER_DOOR_ORIGIN: `http://127.0.0.1:${gatewayPort}`,
    RUNNER_DOOR_PUBLIC_KEY: keyOf(seeds.gateway),
    RUNNER_ALLOWED_PRIVATE_ORIGINS: [...origins].join(','),
    ...(process.env.CHROMIUM_PATH !== undefined && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
    ...more,
  };
  return startProcess({ name: 'runner', program: 'bin/runner.ts', env });
}

beforeAll(async () => {
  database = await startTestDatabase();
  api = await startTestApi({
    routes: [...agentCheckoutRoutes, ...buyerProfileRoutes],
    database,
    config: { environment: 'staging' },
  });
  const issuer = createSandboxIssuer({
    config: testConfig(),
    store: database.store,
    clock: systemClock,
    ids: systemIds,
  });
  shops = await startShops({
    store: database.store,
    issuer: (request) => issuer.authorise(request),
  });
  const gatewayPort = await findFreePort();
  worker = await startWorker(gatewayPort);
  runners = [startRunnerProcess(gatewayPort), startRunnerProcess(gatewayPort)];
}, 300_000);

afterAll(async () => {
  await Promise.all((runners ?? []).map((runner) => runner.stop()));
  await worker?.stop();
  await shops?.stop();
  await api?.close();
  await database?.close();
}, 120_000);

const as = async (method: string, below: string, body?: object) =>
  (
    await api.call(method, `${path}${below}`, {
      key: api.clientKey,
      jwt: await api.userJwt('ann'),
      ...(body && { body }),
    })
  ).body;

/** Reads the checkout until it asks something, or has ended. */
async function untilAsked(
  id: string,
  isOver: (view: { status: string; progressItems: { title: string }[] }) => boolean = () => true,
) {
  for (const endAt = performance.now() + waitMaxMs; performance.now() < endAt; await delay(250)) {
    const view = await as('GET', `/${id}`);
    if (!['queued', 'running'].includes(view.status) && isOver(view)) return view;
  }
  throw new Error(
    `The checkout does not go on:\n${runners.map((runner) => runner.output().slice(-3_000)).join('\n')}`,
  );
}

async function holderOf(id: string): Promise<ServiceProcess> {
  const { rows } = await database.store.query<{ runner: string }>({
    text: 'select runner from agent_checkouts where id = $1',
    values: [id],
  });
  return runners.find(({ pid }) => rows[0]!.runner.endsWith(`-${pid}`))!;
}

describe('two runner processes', () => {
  it('kill -9 of the one that has the run: the other one takes over, asks again, and buys once', async () => {
    const { id: buyerProfileId } = await as('POST', '/buyer-profiles', {
      name: { first: 'Ann', last: 'Miller' },
      contact: { phone: '+14155550123' },
      shipping: {
        addressLines: ['12 Main Street'],
        locality: 'San Francisco',
        administrativeAreaCode: 'US-CA',
        countryCode: 'US',
      },
    });
    const { id } = await as('POST', '', {
      target: {
        kind: 'direct_url',
        url: shops.shop('plain').productUrl('trail-tee'),
        request: 'size M, blue',
      },
      constraints: { maxCost: { amount: '60', currency: 'USD' } },
      buyerProfileId,
    });
    const first = await untilAsked(id);
    expect(first.pendingUserAction.message).toContain('who buys and where to deliver');
    const lost = await holderOf(id);
    process.kill(lost.pid, 'SIGKILL');
    await lost.ended;

    const again = await untilAsked(id, ({ progressItems }) =>
      progressItems.some(({ title }) => title === 'Going on after an interruption'),
    );
    expect(again.pendingUserAction.id).not.toBe(first.pendingUserAction.id);
    const next = await holderOf(id);
    expect(next.pid).not.toBe(lost.pid);
    const respond = (view: { pendingUserAction: { id: string } }, values: object) =>
      as('POST', `/${id}/actions/${view.pendingUserAction.id}`, { action: 'submit', values });
    expect((await respond(again, { email: 'ann@example.com', postalCode: '94105' })).status).toBe(
      'accepted',
    );
    const approval = await untilAsked(id);
    expect(approval.pendingUserAction.message).toContain('Buy for 47.71 USD');
    expect((await respond(approval, { approved: true })).status).toBe('accepted');

    const done = await untilAsked(id);
    expect([done.status, done.receipt?.total]).toEqual([
      'succeeded',
      { amount: '47.71', currency: 'USD' },
    ]);
    expect((await shops.readOrders('plain')).map(({ number }) => number)).toEqual([
      done.receipt.merchantOrderId,
    ]);
    expect(await next.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(next.output()).not.toMatch(/ann@example|Main Street|94105/);
  }, 500_000);

  it('a runner without a browser takes no runs: it says why and ends', async () => {
    const runner = startRunnerProcess(1, { CHROMIUM_PATH: '/nowhere/chromium' });
    expect((await runner.ended).code).not.toBe(0);
    expect(runner.output()).toContain('CHROMIUM_PATH names /nowhere/chromium, which is not there.');
  });
});
