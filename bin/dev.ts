import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import { createDatabaseIfMissing, planGenesis, removeDevnet, removePostgres, startDevnet, startPostgres, testStablecoinAddress } from '../devnet/index.ts';
import { evmNetworks } from '../src/chains/evm/networks.ts';
import { developmentConfig, developmentSecrets } from '../src/config/development-config.ts';
import { createLogger } from '../src/lib/log.ts';
import { migrate } from '../src/store/migrate.ts';
import { composeCtx } from './compose.ts';
import { type DevOptions, readDevOptions } from './dev-options.ts';
import { ensureDevProject, writeDevFile } from './dev-project.ts';
import { summarize } from './dev-summary.ts';
import { exitWith, type Running, runUntilSignal, stopAll } from './lifecycle.ts';
import { runApi } from './run-api.ts';
import { runWorker } from './run-worker.ts';

// `npm start`: everything in one process tree, with an embedded PostgreSQL and local chains.

const migrationsFolder = fileURLToPath(new URL('../migrations/main', import.meta.url));
const fundedWei = 10n ** 24n;
const shout = (text: string) => process.stdout.write(`  ${text}\n`);

async function removeData(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  await removePostgres(join(dataDir, 'postgres'));
  await removeDevnet(join(dataDir, 'chains'));
  rmSync(dataDir, { recursive: true, force: true });
}

/** Local chains of every test network that has a chain id; each is started when it is first used. */
async function startChains(options: DevOptions) {
  const { treasuryKey, executorKeys } = developmentSecrets(options.dataDir);
  const treasury = privateKeyToAddress(treasuryKey.reveal());
  const funded = [treasury, ...executorKeys.map((key) => privateKeyToAddress(key.reveal()))].map((address) => ({ address, wei: fundedWei }));
  const networks = evmNetworks.flatMap((network) => (network.testnet && network.chainId !== undefined ? [{ ...network, chainId: network.chainId }] : []));
  const devnet = await startDevnet({
    dataDir: join(options.dataDir, 'chains'),
    chains: networks,
    port: options.chainsPort,
    genesis: (network) => planGenesis({ tokens: network.tokens, minter: treasury, funded }),
    onProgress: shout,
  });
  return { devnet, networks, treasury };
}

async function start(options: DevOptions, parts: Running[]): Promise<void> {
  if (options.reset) await removeData(options.dataDir);
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const log = createLogger({ level: 'info', process: 'dev' }, pino.destination({ dest: join(options.dataDir, 'purser.log'), mode: 0o600, sync: false }));

  shout(existsSync(join(options.dataDir, 'postgres')) ? 'Starting the database.' : 'Making the database (first start).');
  const postgres = await startPostgres({ dataDir: join(options.dataDir, 'postgres'), log: shout });
  parts.push({ name: 'database', stop: () => postgres.stop() });
  await createDatabaseIfMissing(postgres.url('postgres'), 'purser');

  const { devnet, networks, treasury } = await startChains(options);
  parts.push({ name: 'chains', stop: () => devnet.stop() });

  const config = developmentConfig({
    dataDir: options.dataDir,
    databaseUrl: postgres.url('purser'),
    port: options.port,
    rpcUrls: new Map(networks.map(({ name }) => [name, devnet.urlOf(name)])),
    testTokenAddress: testStablecoinAddress(treasury),
  });
  const ctx = composeCtx(config, { log, process: 'dev' });
  parts.push({ name: 'store', stop: () => ctx.store.close() });
  await migrate(ctx.store, migrationsFolder, { onProgress: ({ name, index, count }) => shout(`Preparing the database, ${index} of ${count}: ${name}`) });

  const devFile = join(options.dataDir, 'dev.json');
  const project = await ensureDevProject(ctx, devFile);
  const content = {
    baseUrl: config.api.baseUrl,
    ...project,
    environment: config.environment,
    databaseUrl: postgres.url('purser'),
    chains: Object.fromEntries(networks.map(({ name, chainId }) => [name, { rpcUrl: devnet.urlOf(name), chainId }])),
  };
  const summary = summarize({ config, project, devFile, chainsUrl: devnet.rpcUrl, chainNames: networks.map(({ name }) => name) });
  parts.push(await runApi(ctx, { checkAnswers: true, homePage: summary.page }));
  parts.push(await runWorker(ctx));
  writeDevFile(devFile, content);
  process.stdout.write(`\n${summary.terminal}\n`);
  runUntilSignal(log, parts);
}

const parts: Running[] = [];
try {
  const options = readDevOptions(process.argv.slice(2));
  if ('help' in options) {
    process.stdout.write(`${options.help}\n`);
  } else {
    await start(options, parts);
  }
} catch (error) {
  await stopAll(parts, createLogger({ level: 'silent', process: 'dev' }));
  exitWith(error);
}
