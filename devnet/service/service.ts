import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDirectoryPusher } from '../../src/areas/vault-directory/index.ts';
import { keepClock, moveVaultClock, partName } from '../../src/clock/index.ts';
import { developmentConfig } from '../../src/config/development-config.ts';
import type { Ctx } from '../../src/context.ts';
import { type Clock, createMovableClock } from '../../src/lib/clock.ts';
import { createLogger, type Logger, logTo } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import { runApi } from '../../src/processes/api/run.ts';
import { callersCtx, composeCtx } from '../../src/processes/compose.ts';
import type { Running } from '../../src/processes/lifecycle.ts';
import { runWorker } from '../../src/processes/worker/run.ts';
import { grantRights } from '../../src/store/grants.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createStore } from '../../src/store/pool.ts';
import { planLocalFamilies, startDevnet } from '../index.ts';
import { buildConsole, consoleLink } from './console.ts';
import type { DevOptions } from './options.ts';
import { ensureDevProject, writeDevFile } from './project.ts';
import { type KeptRunner, keepRunner } from './runner.ts';
import type { DevShops } from './shops.ts';
import { summarize } from './summary.ts';
import { keepVault } from './vault.ts';

const migrationsFolder = fileURLToPath(new URL('../../migrations/main', import.meta.url));

type Print = (text: string) => void;

export interface DevServiceInput {
  readonly options: DevOptions;
  /** The main database as its owner, as the API and as the worker. */
  readonly databaseUrl: string;
  readonly apiDatabaseUrl: string;
  readonly workerDatabaseUrl: string;
  readonly vaultDatabaseUrl: string;
  readonly vaultServiceUrl: string;
  readonly shopsDatabaseUrl: string;
  readonly print: Print;
  /** Gets every part as soon as it runs. */
  readonly parts: Running[];
}

/** Local chains of every family that has them; each is started when it is first used. */
async function startChains(
  options: DevOptions,
  { print, clock }: { readonly print: Print; readonly clock: Clock },
) {
  const common = { onProgress: print, now: () => clock.now() };
  const chainsDir = join(options.dataDir, 'chains');
  const { chains, settings } = await planLocalFamilies(
    { ...common, dataDir: options.dataDir, chainsDir },
    options.families,
  );
  const devnet = await startDevnet({
    ...common,
    dataDir: chainsDir,
    chains,
    port: options.chainsPort,
  });
  return { devnet, chains, settings };
}

/**
 * Runs local chains, API and worker on a database that is there.
 * @returns the log they write, and what to tell whoever started them
 */
export async function runDevService(
  input: DevServiceInput,
): Promise<{ log: Logger; greeting: string }> {
  const { options, databaseUrl, vaultDatabaseUrl, vaultServiceUrl, print, parts } = input;
  const log = createLogger(
    { level: 'info', process: 'dev' },
    logTo(openSync(join(options.dataDir, 'purser.log'), 'a', 0o600)),
  );
  const clock = createMovableClock();
  parts.push(buildConsole(print));
  // It starts beside everything else, and is waited for at the end.
  const vault = await keepVault({
    dataDir: options.dataDir,
    databaseUrl: vaultServiceUrl,
    ownerUrl: vaultDatabaseUrl,
    port: options.vaultPort,
    print,
  });
  parts.push(vault);
  const { devnet, chains, settings } = await startChains(options, { print, clock });
  parts.push({ name: 'chains', stop: () => devnet.stop() });

  await prepareDatabase(databaseUrl, print);
  const config = developmentConfig({
    dataDir: options.dataDir,
    databaseUrl: input.workerDatabaseUrl,
    port: options.port,
    rpcUrls: new Map(chains.map(({ name }) => [name, devnet.urlOf(name)])),
    ...settings,
    vaultOrigin: vault.origin,
    hasRunner: options.hasRunner,
    cardSource: options.cardSource,
  });
  const ctx = await composeCtx(config, { log, process: 'dev', clock });
  parts.push({ name: 'store', stop: () => ctx.store.close() });
  // Requests are answered with the rights of the API, as in a process of its own.
  const apiConfig = {
    ...config,
    database: { ...config.database, url: new Secret(input.apiDatabaseUrl) },
  };
  const apiCtx = await composeCtx(apiConfig, { log, process: 'dev-api', clock, beside: ctx.store });
  parts.push({ name: 'store of the API', stop: () => apiCtx.store.close() });

  parts.push(
    await keepClock({
      ...ctx,
      clock,
      environment: config.environment,
      part: partName('dev'),
      onMoved: async (aheadMs) =>
        void (await Promise.all([devnet.alignTime(), moveVaultClock(ctx, aheadMs)])),
    }),
  );

  const shops = options.hasRunner ? await openShops(ctx, input) : undefined;
  const devFile = join(options.dataDir, 'dev.json');
  const project = await ensureDevProject(ctx, devFile);
  const content = {
    baseUrl: config.api.baseUrl,
    vaultUrl: `${vault.origin}/api`,
    ...project,
    environment: config.environment,
    databaseUrl,
    vaultDatabaseUrl,
    chains: Object.fromEntries(
      chains.map(({ name, chainId }) => [name, { rpcUrl: devnet.urlOf(name), chainId }]),
    ),
    ...(shops && { shops: shops.list, shopsDatabaseUrl: input.shopsDatabaseUrl }),
  };
  const summary = summarize({
    config,
    project,
    dataDir: options.dataDir,
    consoleUrl: await consoleLink(ctx),
    vaultUrl: content.vaultUrl,
    chainsUrl: devnet.rpcUrl,
    chainNames: chains.map(({ name }) => name),
    shops: shops?.list,
    ownShops: options.ownShops,
    running: () => [
      ['API and worker', 'this process'],
      ['Vault', vault.origin],
      ['Chains', devnet.running().join(', ') || 'none yet: each starts at its first use'],
      [
        'Runner',
        runner === undefined
          ? 'switched off'
          : runner.isRunning()
            ? 'runs'
            : 'starts at the first agent checkout',
      ],
    ],
  });
  let runner: KeptRunner | undefined;
  parts.push(await runApi(callersCtx(apiCtx), { checkAnswers: true, home: summary.home }));
  const worker = await runWorker(ctx);
  parts.push(worker);
  if (shops && worker.runnerGatewayPort !== undefined) {
    runner = keepRunner(ctx, {
      dataDir: options.dataDir,
      gatewayPort: worker.runnerGatewayPort,
      allowedPrivateOrigins: [...shops.origins, ...options.ownShops],
      paymentFrameOrigins: shops.paymentFrameOrigins,
      baseUrl: ctx.config.api.baseUrl,
      tokenizers: options.tokenizers,
      print,
    });
    parts.push(runner);
  }
  await vault.ready;
  // Its copy of the keys is complete before anybody is told of it.
  await createDirectoryPusher(ctx).run();
  writeDevFile(devFile, content);
  return { log, greeting: summary.terminal };
}

/** As the owner, who alone can change tables. */
async function prepareDatabase(databaseUrl: string, print: Print): Promise<void> {
  const store = createStore({ url: databaseUrl, poolSize: 1, applicationName: 'purser-migrate' });
  try {
    await migrate(store, migrationsFolder, {
      onProgress: ({ index }) => {
        if (index === 1) print('Preparing the database.');
      },
    });
    await grantRights(store);
  } finally {
    await store.close();
  }
}

/** Their code is read only where they are wanted. */
async function openShops(
  ctx: Ctx,
  { options, shopsDatabaseUrl, parts }: DevServiceInput,
): Promise<DevShops> {
  const { startDevShops } = await import('./shops.ts');
  const shops = await startDevShops(ctx, {
    databaseUrl: shopsDatabaseUrl,
    port: options.shopsPort,
  });
  parts.push(shops);
  return shops;
}
