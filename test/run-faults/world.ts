import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type RunningShops, startShops } from '../../fixtures/shops/index.ts';
import { publicRoutes } from '../../src/areas/public-routes.ts';
import { routes } from '../../src/areas/routes.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Ctx } from '../../src/context.ts';
import { createMovableClock } from '../../src/lib/clock.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { composeCtx } from '../../src/processes/compose.ts';
import { createSandboxIssuer } from '../../src/providers/card-source/index.ts';
import { type FaultDatabase, startFaultDatabase } from '../faults/database.ts';
import { type Part, startPart } from '../faults/part.ts';
import { startTestDatabase } from '../harness/database.ts';
import { serveTestApi, type TestApi } from '../harness/http.ts';
import { findFreePort } from '../harness/processes.ts';
import { makeProductionSecrets } from '../harness/production.ts';
import { settingsFor } from '../harness/settings-for.ts';

export const victims = ['runner', 'worker', 'database'] as const;
export type Victim = (typeof victims)[number];

/**
 * Runner, worker and database as programs of their own, which are killed for real; the shops, which
 * are not ours, and their database stay. Cards are the sandbox issuer's: the shops ask it.
 */
export interface RunFaultWorld {
  readonly ctx: Ctx;
  readonly api: TestApi;
  readonly shops: RunningShops;
  readonly database: FaultDatabase;
  /** SIGKILL; back when what was killed has been started again. */
  kill(victim: Victim): Promise<void>;
  /** What the programs said last. */
  output(): string;
  close(): Promise<void>;
}

const outputMax = 6_000;

export async function startRunFaultWorld(): Promise<RunFaultWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-run-faults-'));
  const stops: (() => Promise<unknown> | void)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  const keep = <T>(thing: T, stop: (thing: T) => Promise<unknown> | void): T => {
    stops.push(() => stop(thing));
    return thing;
  };
  try {
    const database = keep(await startFaultDatabase(folder), (one) => one.close());
    const shopsDatabase = keep(await startTestDatabase(), (one) => one.close());
    const gatewayPort = await findFreePort();
    const environment = makeEnvironment({ database, gatewayPort });
    const log = pino({ level: 'silent' });
    const { keySigning } = loadConfig(settingsFor('purser', environment.all), {
      process: 'purser',
    });
    const config = { ...loadConfig(environment.worker, { process: 'worker' }), keySigning };
    const ctx = keep(
      await composeCtx(config, { log, process: 'run-faults', clock: createMovableClock() }),
      (one) => one.store.close(),
    );
    const issuer = createSandboxIssuer(ctx);
    const shops = keep(
      await startShops({
        store: shopsDatabase.store,
        lateMs: 100,
        slowMs: 200,
        issuer: (request) => issuer.authorise(request),
      }),
      (one) => one.stop(),
    );
    const api = keep(await serveTestApi(ctx, { routes, server: { publicRoutes } }), (one) =>
      one.close(),
    );
    const origins = [
      ...new Set(shops.shops.flatMap((shop) => [shop.origin, ...shop.paymentOrigins])),
    ];
    const [payOrigin] = shops.shop('frames').paymentOrigins;
    const parts: Readonly<Record<'runner' | 'worker', Part>> = {
      worker: keep(
        startPart({ name: 'worker', program: 'bin/worker.ts', env: environment.worker }),
        (one) => one.stop(),
      ),
      runner: keep(
        startPart({
          name: 'runner',
          program: 'test/run-faults/runner-child.ts',
          env: {
            ...environment.runner,
            RUNNER_ALLOWED_PRIVATE_ORIGINS: origins.join(','),
            RUNNER_PAYMENT_FRAMES: payOrigin ?? '',
          },
        }),
        (one) => one.stop(),
      ),
    };
    return {
      ctx,
      api,
      shops,
      database,
      kill: (victim) => (victim === 'database' ? database.kill('SIGKILL') : parts[victim].kill()),
      output: () =>
        Object.values(parts)
          .map((part) => `${part.name}:\n${part.output().slice(-outputMax)}`)
          .join('\n'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function makeEnvironment({
  database,
  gatewayPort,
}: {
  readonly database: FaultDatabase;
  readonly gatewayPort: number;
}) {
  const secrets = makeProductionSecrets(1);
  const [gateway, runner] = [randomBytes(32), randomBytes(32)];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const shared = { PURSER_ENVIRONMENT: 'development', LOG_LEVEL: 'info' };
  const all = {
    ...shared,
    BASE_URL: 'http://localhost:3000/api',
    SERVICE_DOMAIN: 'localhost',
    DATABASE_URL: database.urls.main,
    DATABASE_POOL_SIZE: '10',
    KEY_SIGNING_SEED: secrets.keySigningSeed,
    KEY_ENCRYPTION_KEYS: `one=${secrets.keyEncryptionKey}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `one=${hex(randomBytes(32))}`,
    CARD_SOURCE: 'sandbox',
    RUNNER_DOOR_HOST: '127.0.0.1',
    RUNNER_DOOR_PORT: String(gatewayPort),
    RUNNER_DOOR_SEED: hex(gateway),
    RUNNER_PUBLIC_KEY: hex(internalPublicKey(runner)),
  };
  return {
    all,
    worker: settingsFor('worker', all),
    runner: {
      ...shared,
      RUNNER_DOOR_ORIGIN: `http://127.0.0.1:${gatewayPort}`,
      RUNNER_DOOR_PUBLIC_KEY: hex(internalPublicKey(gateway)),
      RUNNER_SEED: hex(runner),
    },
  };
}
