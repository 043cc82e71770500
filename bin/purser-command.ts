import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { checkoutsUsage } from '../src/areas/agent-checkouts/decisions/usage.ts';
import { keysCommand, keysUsage } from '../src/areas/api-keys/index.ts';
import { depositsUsage, orderOperatorUsage, ordersCommand, ordersUsage, refundRequestsUsage } from '../src/areas/orders/index.ts';
import { identityCommand, identityUsage, usersCommand, usersUsage } from '../src/areas/people-commands.ts';
import {
  type DevelopmentKey,
  issuersCommand,
  issuersUsage,
  listProjects,
  type ProjectsCtx,
  projectsCommand,
  projectsUsage,
  requireProject,
  tokenCommand,
  tokenUsage,
} from '../src/areas/projects/index.ts';
import { reconcileUsage } from '../src/areas/reconciliation/usage.ts';
import { treasuryUsage } from '../src/areas/treasury/usage.ts';
import { webhooksCommand, webhooksUsage } from '../src/areas/webhooks/index.ts';
import { chainsUsage } from '../src/chains/evm/usage.ts';
import { applyClock, clockCommand, clockUsage } from '../src/clock/index.ts';
import type { Config } from '../src/config/config.ts';
import { developmentConfig, developmentSecrets } from '../src/config/development-config.ts';
import { migrationsFolder } from '../src/config/folders.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { jobsCommand } from '../src/jobs/index.ts';
import { ledgerCommand, ledgerUsage } from '../src/ledger/index.ts';
import { createMovableClock } from '../src/lib/clock.ts';
import { CommandError, type Print } from '../src/lib/command.ts';
import { systemIds } from '../src/lib/id.ts';
import { createLogger } from '../src/lib/log.ts';
import { custodyCommand, custodyUsage } from '../src/providers/custody/command.ts';
import { outboxCommand, outboxUsage } from '../src/providers/messaging/command.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import { payoutsUsage, runPayoutsCommand, runVaultCommand, vaultUsage } from './vault-command.ts';

const usage = `purser: the operator's command line

It works on the database that the environment names (DATABASE_URL and the other variables of docs/guides/configuration.md),
or else on the local instance that npm start runs. Its data folder is var beside the program, or what the variable
PURSER_DATA_DIR or the option --data <folder> says; with the option, the environment's database is left aside.

${projectsUsage}

${keysUsage}

${issuersUsage}

${tokenUsage}

${chainsUsage}

${treasuryUsage}

${custodyUsage}

${vaultUsage}

${payoutsUsage}

${usersUsage}

${identityUsage}

${orderOperatorUsage}
${refundRequestsUsage}

${ordersUsage}

${depositsUsage}

${checkoutsUsage}

${ledgerUsage}

${reconcileUsage}

${webhooksUsage}

${outboxUsage}

${clockUsage}

purser jobs …                       durable work: purser jobs --help
purser migrate                      bring the database up to this version`;

/** Commands, and what each says about itself; `jobs` has more to say than fits here. */
const usages: Readonly<Record<string, string | undefined>> = {
  projects: projectsUsage,
  keys: keysUsage,
  issuers: issuersUsage,
  token: tokenUsage,
  chains: chainsUsage,
  treasury: treasuryUsage,
  custody: custodyUsage,
  users: usersUsage,
  identity: identityUsage,
  orders: `${orderOperatorUsage}
${refundRequestsUsage}\n\n${ordersUsage}`,
  deposits: depositsUsage,
  checkouts: checkoutsUsage,
  ledger: ledgerUsage,
  reconcile: reconcileUsage,
  webhooks: webhooksUsage,
  outbox: outboxUsage,
  clock: clockUsage,
  vault: vaultUsage,
  payouts: payoutsUsage,
  jobs: undefined,
  migrate: 'purser migrate: bring the database up to this version',
};

/** A command says what it did in its own words. */
const quietLog = createLogger({ level: 'silent', process: 'purser' });

interface Target {
  readonly config: Config;
  /** Project of the local instance. */
  readonly projectId?: string;
  readonly userJwtKey?: DevelopmentKey;
}

export interface PurserInput {
  /** The words behind `purser`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: Print;
}

/**
 * Runs one command line.
 * @returns the exit code
 * @throws CommandError, ServiceError, ConfigError with a sentence for whoever typed it
 */
export async function runPurser({ args, env, print }: PurserInput): Promise<number> {
  const {
    dataDir,
    words: [command, ...argv],
  } = takeDataOption(args);
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    print(usage);
    return 0;
  }
  if (!Object.hasOwn(usages, command))
    throw new CommandError(`Unknown command "${command}": it is one of ${Object.keys(usages).join(', ')}. See purser help.`);
  const help = usages[command];
  if (help !== undefined && argv.some((word) => word === '--help' || word === '-h')) {
    print(help);
    return 0;
  }
  if (command === 'vault' || command === 'payouts') {
    const run = command === 'vault' ? runVaultCommand : runPayoutsCommand;
    return run({ argv, print, env, local: findLocalVault(env, dataDir) }).catch(explainAway);
  }
  const target = findTarget(env, dataDir);
  const store = createStore({ url: target.config.database.url.reveal(), poolSize: 2, applicationName: 'purser-command' });
  const clock = createMovableClock();
  const ctx: ProjectsCtx = { config: target.config, store, clock, ids: systemIds };
  const input = { argv, print, projectOf: (named: string | undefined) => chooseProject(ctx, named ?? target.projectId) };
  try {
    if (target.config.environment === 'development') await applyClock(store, clock);
    switch (command) {
      case 'clock':
        await clockCommand({ argv, print, environment: target.config.environment, store });
        return 0;
      case 'projects':
        await projectsCommand(ctx, input);
        return 0;
      case 'keys':
        await keysCommand(ctx, input);
        return 0;
      case 'issuers':
        await issuersCommand(ctx, input);
        return 0;
      case 'token':
        await tokenCommand(ctx, { ...input, key: target.userJwtKey });
        return 0;
      case 'chains': {
        const { chainsCommand } = await import('../src/chains/evm/command.ts');
        await chainsCommand(ctx, input);
        return 0;
      }
      case 'treasury':
        await (await import('./treasury-command.ts')).runTreasuryCommand(target.config, clock, input);
        return 0;
      case 'custody':
        await custodyCommand(ctx, input);
        return 0;
      case 'outbox':
        await outboxCommand(ctx, input);
        return 0;
      case 'users':
        await usersCommand({ ...ctx, log: quietLog }, input);
        return 0;
      case 'identity':
        await identityCommand({ ...ctx, log: quietLog }, input);
        return 0;
      case 'webhooks':
        await webhooksCommand({ ...ctx, log: quietLog }, input);
        return 0;
      case 'orders':
        if (argv[0] === undefined || argv[0] === 'settings' || argv[0] === 'help') await ordersCommand(ctx, input);
        else await (await import('./orders-command.ts')).runOperatorCommand('orders', { config: target.config, clock, input });
        return 0;
      case 'deposits':
        await (await import('./orders-command.ts')).runOperatorCommand('deposits', { config: target.config, clock, input });
        return 0;
      case 'checkouts':
        await (await import('./checkouts-command.ts')).runCheckoutsCommand(target.config, clock, input);
        return 0;
      case 'ledger':
        return await ledgerCommand(store, input);
      case 'reconcile':
        return await (await import('./reconcile-command.ts')).runReconcileCommand(target.config, clock, input);
      case 'migrate':
        await runMigrations(ctx, print);
        return 0;
      default:
        return await jobsCommand(store, argv, print);
    }
  } catch (error) {
    return explainAway(error);
  } finally {
    await store.close();
  }
}

async function runMigrations(ctx: ProjectsCtx, print: Print): Promise<void> {
  const { applied, unknown } = await migrate(ctx.store, migrationsFolder(), {
    onProgress: ({ name, index, count }) => print(`${index}/${count} ${name}`),
  });
  print(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`);
  if (unknown.length > 0) print(`The database is newer than this version: it has ${unknown.join(', ')}.`);
}

/** `--data` may stand anywhere: it says where to work, not what to do. @throws CommandError without a value */
function takeDataOption(args: readonly string[]): { readonly dataDir?: string; readonly words: readonly string[] } {
  const at = args.findIndex((word) => word === '--data' || word.startsWith('--data='));
  if (at === -1) return { words: args };
  const word = args[at]!;
  const value = word === '--data' ? args[at + 1] : word.slice('--data='.length);
  if (value === undefined || value === '' || value.startsWith('-'))
    throw new CommandError('--data needs the name of a folder: the one that npm start was given.');
  return { dataDir: resolve(value), words: args.toSpliced(at, word === '--data' ? 2 : 1) };
}

/** The data folder that was named, else the environment when it names a database, else the local instance. */
function findTarget(env: PurserInput['env'], named: string | undefined): Target {
  if (named === undefined && (env.DATABASE_URL || env.DATABASE_URL_FILE)) return { config: loadConfig(env, { process: 'purser' }) };
  const dataDir = named ?? (env.PURSER_DATA_DIR || fileURLToPath(new URL('../var', import.meta.url)));
  const local = readLocalInstance(dataDir);
  const rpcUrls = new Map(Object.entries(local.chains).map(([name, { rpcUrl }]) => [name, rpcUrl]));
  const vaultOrigin = local.vaultUrl === undefined ? undefined : new URL(local.vaultUrl).origin;
  const config = developmentConfig({ dataDir, databaseUrl: local.databaseUrl, rpcUrls, vaultOrigin, ...placeOf(local.baseUrl) });
  return { config, projectId: local.projectId, userJwtKey: developmentSecrets(dataDir).userJwtKey };
}

/** Where the local API listens: addresses that the commands print lead there. */
function placeOf(baseUrl: string | undefined): { readonly host?: string; readonly port?: number } {
  if (baseUrl === undefined) return {};
  const { hostname, port } = new URL(baseUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), ...(port !== '' && { port: Number(port) }) };
}

const localInstanceSchema = z.looseObject({
  baseUrl: z.url().optional(),
  databaseUrl: z.string(),
  vaultUrl: z.string().optional(),
  vaultDatabaseUrl: z.string().optional(),
  projectId: z.string().optional(),
  chains: z.record(z.string(), z.looseObject({ rpcUrl: z.string() })).default({}),
});

function readLocalInstance(dataDir: string) {
  const path = join(dataDir, 'dev.json');
  if (!existsSync(path))
    throw new CommandError(
      `There is no local instance (no file ${path}): start one with npm start, name its folder with --data, or set DATABASE_URL.`,
    );
  try {
    return localInstanceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CommandError(`The file ${path} is damaged: npm start writes it anew.`);
  }
}

/** The vault of the local instance, unless the environment names one and no folder is given. */
function findLocalVault(env: PurserInput['env'], named: string | undefined) {
  if (named === undefined && (env.VAULT_DATABASE_URL || env.VAULT_DATABASE_URL_FILE)) return undefined;
  const dataDir = named ?? (env.PURSER_DATA_DIR || fileURLToPath(new URL('../var', import.meta.url)));
  return () => {
    const databaseUrl = readLocalInstance(dataDir).vaultDatabaseUrl;
    if (databaseUrl === undefined)
      throw new CommandError(`The local instance of ${dataDir} has no vault yet: start it once with npm start.`);
    return { dataDir, databaseUrl };
  };
}

function explainAway(error: unknown): never {
  throw isConnectionFailure(error)
    ? new CommandError('The database does not answer: is it running? A local instance is started with npm start.')
    : error;
}

async function chooseProject(ctx: ProjectsCtx, named: string | undefined): Promise<string> {
  if (named !== undefined) return (await requireProject(ctx, named)).id;
  const projects = await listProjects(ctx);
  if (projects.length === 1) return projects[0]!.id;
  throw new CommandError(
    projects.length === 0
      ? 'There is no project yet: purser projects create --name "My shop".'
      : 'There are several projects: name one with --project <id>. The ids are in purser projects list.',
  );
}

function isConnectionFailure(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return /^(?:ECONN|ENOENT|ETIMEDOUT|ENOTFOUND|57P0)/.test(code ?? '') || /timeout|terminated/i.test(message ?? '');
}
