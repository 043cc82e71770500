import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeyOfSeed } from '../areas/api-keys/index.ts';
import { Secret } from '../lib/secret.ts';
import type { Config } from './config.ts';
import { ConfigError } from './load-config.ts';

export interface DevelopmentConfigInput {
  /** Where everything of the local instance lies; secrets are made here at the first start. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly host?: string;
  readonly port?: number;
  /** Local nodes by chain name. */
  readonly rpcUrls: ReadonlyMap<string, string>;
  readonly testTokenAddress?: `0x${string}`;
  readonly logLevel?: Config['logLevel'];
}

const executorCount = 4;
const poolSize = 20;

/** The configuration of `npm start`: the same at every start, since its secrets stay in the data folder. */
export function developmentConfig(input: DevelopmentConfigInput): Config {
  const secrets = developmentSecrets(input.dataDir);
  const { host = '127.0.0.1', port = 3_000 } = input;
  return {
    environment: 'development',
    api: { host, port, baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}/api`, trustProxy: false },
    database: { url: new Secret(input.databaseUrl), poolSize },
    serviceDomain: 'localhost',
    keySigning: { privateKeySeed: secrets.keySigningSeed, publicKey: publicKeyOfSeed(secrets.keySigningSeed.reveal()) },
    keyEncryptionKeys: [{ id: 'development', key: secrets.keyEncryptionKey }],
    evm: {
      rpcUrls: input.rpcUrls,
      executorKeys: secrets.executorKeys,
      treasuryKey: secrets.treasuryKey,
      testTokenAddress: input.testTokenAddress,
      relay: { batchSizeMax: 50, flushAfterMs: 25, inFlightMax: 16, bumpAfterMs: 5_000, executorBalanceMinWei: 10n ** 18n, leaseMs: 5_000 },
      watcher: { pollMs: 200, blockRangeMax: 1_000 },
      rpcTimeoutMs: 10_000,
    },
    pricing: { kind: 'sandbox' },
    logLevel: input.logLevel ?? 'info',
  };
}

export interface DevelopmentSecrets {
  readonly keySigningSeed: Secret<Uint8Array>;
  readonly keyEncryptionKey: Secret<Uint8Array>;
  readonly executorKeys: readonly Secret<`0x${string}`>[];
  readonly treasuryKey: Secret<`0x${string}`>;
  /** Ed25519: signs the end-user JWTs of `purser token`. */
  readonly userJwtKey: { readonly seed: Secret<Uint8Array>; readonly publicKey: Uint8Array };
}

/** The secrets of a data folder, made when they are not there. Readable by their owner only. */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  const folder = join(dataDir, 'secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bytesOf = (name: string) => new Uint8Array(Buffer.from(readOrMake(join(folder, name)), 'hex'));
  const keyOf = (name: string) => new Secret<`0x${string}`>(`0x${readOrMake(join(folder, name))}`);
  const userJwtSeed = bytesOf('user-jwt-seed');
  return {
    keySigningSeed: new Secret(bytesOf('key-signing-seed')),
    keyEncryptionKey: new Secret(bytesOf('key-encryption-key')),
    executorKeys: Array.from({ length: executorCount }, (_, index) => keyOf(`executor-key-${index + 1}`)),
    treasuryKey: keyOf('treasury-key'),
    userJwtKey: { seed: new Secret(userJwtSeed), publicKey: publicKeyOfSeed(userJwtSeed) },
  };
}

/**
 * 32 random bytes as hex. A new file gets its name only once it is whole, by a link that fails when another process was
 * first: two simultaneous starts agree, and a crash leaves no half secret.
 */
function readOrMake(path: string): string {
  const known = readIfThere(path);
  if (known !== undefined) return known;
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems know no links: there the last of two simultaneous first starts wins.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return readIfThere(path)!;
}

function readIfThere(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new ConfigError([`The file ${path} is damaged: it holds 64 hexadecimal digits. Put it back, or start empty with npm start -- --reset.`]);
  chmodSync(path, 0o600);
  return text;
}
