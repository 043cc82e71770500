import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { DevelopmentKey } from '../../areas/projects/index.ts';
import type { Config } from '../../config/config.ts';
import { developmentConfig, developmentSecrets } from '../../config/development-config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { CommandError } from '../../lib/command.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Target {
  readonly config: Config;
  readonly local?: LocalInstance;
  readonly userJwtKey?: DevelopmentKey;
}

/**
 * The data folder that was named, else the environment when it names a database, else the local
 * instance.
 * @throws CommandError
 */
export function findTarget(
  env: Env,
  named: string | undefined,
  process: 'purser' | 'migrate' = 'purser',
): Target {
  if (named === undefined && (env.DATABASE_URL || env.DATABASE_URL_FILE))
    return { config: loadConfig(env, { process }) };
  const dataDir = dataDirOf(env, named);
  const local = readInstance(dataDir, 'set DATABASE_URL');
  const rpcUrls = new Map(Object.entries(local.chains).map(([name, { rpcUrl }]) => [name, rpcUrl]));
  const vaultOrigin = local.vaultUrl === undefined ? undefined : new URL(local.vaultUrl).origin;
  const config = developmentConfig({
    dataDir,
    databaseUrl: local.databaseUrl,
    rpcUrls,
    vaultOrigin,
    ...placeOf(local.baseUrl),
  });
  return { config, local, userJwtKey: developmentSecrets(dataDir).userJwtKey };
}

/** The vault of the local instance, unless the environment names one and no folder is given. */
export function findLocalVault(env: Env, named: string | undefined) {
  if (named === undefined && (env.VAULT_DATABASE_URL || env.VAULT_DATABASE_URL_FILE))
    return undefined;
  const dataDir = dataDirOf(env, named);
  return () => {
    const databaseUrl = readInstance(dataDir, 'set VAULT_DATABASE_URL').vaultDatabaseUrl;
    if (databaseUrl === undefined)
      throw new CommandError(
        `The local instance of ${dataDir} has no vault yet: start it once with npm start.`,
      );
    return { dataDir, databaseUrl };
  };
}

export const dataDirOf = (env: Env, named: string | undefined): string =>
  named ?? (env.PURSER_DATA_DIR || fileURLToPath(new URL('../../../var', import.meta.url)));

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
/** What `npm start` wrote about itself. */
export type LocalInstance = z.output<typeof localInstanceSchema>;

/**
 * What the local instance says of itself. `instead` is how another one is named.
 * @throws CommandError
 */
export function readInstance(dataDir: string, instead: string): LocalInstance {
  const path = join(dataDir, 'dev.json');
  if (!existsSync(path))
    throw new CommandError(
      `There is no local instance (no file ${path}): start one with npm start, name its folder with --data, or ${instead}.`,
    );
  try {
    return localInstanceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CommandError(`The file ${path} is damaged: npm start writes it anew.`);
  }
}
