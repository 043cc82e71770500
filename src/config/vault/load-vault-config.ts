import { z } from 'zod';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Config } from '../config.ts';
import {
  ConfigError,
  logLevels,
  readEnvironment,
  readMetrics,
  readRateLimits,
} from '../load-config.ts';
import { readTransport } from '../providers/read-transport.ts';
import {
  createSettingReader,
  read32Bytes,
  type SettingReader,
  type Environment as Variables,
} from '../read-setting.ts';
import { readPayoutConfig } from './read-payout.ts';
import type { AwsCredentials, GcpServiceAccount, KekConfig, VaultConfig } from './vault-config.ts';

/**
 * Makes the configuration of the vault from its environment. `docs/guides/configuration.md` lists
 * every variable.
 * @throws ConfigError with all problems at once
 */
export function loadVaultConfig(variables: Variables): VaultConfig {
  const reader = createSettingReader(variables, 'vault');
  const environment = readEnvironment(reader);
  const api = readAddress(reader, environment);
  const config: VaultConfig = {
    service: withoutMainSide({
      environment,
      api,
      metrics: readMetrics(reader, { environment, api }),
      plaintextHosts: readTransport(reader, environment),
      rateLimits: readRateLimits(reader, environment),
      logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
      keyEncryptionKeys: [],
      database: readDatabase(reader),
      keySigning: { publicKey: readPublicKey(reader) },
      serviceDomain: reader.text('SERVICE_DOMAIN') ?? new URL(api.baseUrl).hostname,
    }),
    keks: readKeks(reader),
    signingSeed: new Secret(readSeed(reader)),
    peers: readPeers(reader),
    runnerPublicKey: readRunnerKey(reader),
    payouts: readPayoutConfig(reader, environment),
    newDestinationWaitHours: reader.integer(
      'PAYOUT_NEW_DESTINATION_WAIT_HOURS',
      environment === 'production' ? 24 : 0,
    ),
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

type VaultService = Pick<
  Config,
  | 'environment'
  | 'api'
  | 'metrics'
  | 'database'
  | 'keySigning'
  | 'serviceDomain'
  | 'plaintextHosts'
  | 'rateLimits'
  | 'logLevel'
  | 'keyEncryptionKeys'
>;

/**
 * The configuration as the server's code sees it. Whoever reads a setting of the main side here has
 * made a mistake.
 */
export function withoutMainSide(known: VaultService): Config {
  return new Proxy(known as Config, {
    get(target, name, receiver) {
      if (
        typeof name === 'string' &&
        !(name in target) &&
        name !== 'then' &&
        name !== 'toJSON' &&
        name !== 'vault'
      )
        throw new Error(`The vault has no setting "${name}": it belongs to the main side.`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

function readAddress(reader: SettingReader, environment: Config['environment']): Config['api'] {
  const port = reader.integer('VAULT_PORT');
  const standIn = `http://localhost:${port}/api`;
  const text = reader.text('VAULT_URL');
  if (text === undefined)
    reader.problems.push(
      'VAULT_URL is not set: it is the address of the vault as callers see it, as in https://vault.purser.example/api.',
    );
  const url = URL.canParse(text ?? standIn) ? new URL(text ?? standIn) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.search !== '' || url.hash !== '' || !url.pathname.endsWith('/api'))
    reader.problems.push('VAULT_URL is an http or https address that ends in /api.');
  else if (text !== undefined && environment === 'production' && url.protocol !== 'https:')
    reader.problems.push('VAULT_URL is an https address in production.');
  return {
    host: reader.textOrFallback('VAULT_HOST'),
    port,
    baseUrl: url && isWeb ? url.href : standIn,
    trustedProxies: reader.integer('TRUST_PROXY'),
  };
}

function readDatabase(reader: SettingReader): Config['database'] {
  const url = reader.secret('VAULT_DATABASE_URL');
  if (url === undefined)
    reader.problems.push(
      'VAULT_DATABASE_URL is not set: it is the address of the vault’s own database, as in postgres://vault:password@vault-database:5432/vault.',
    );
  else if (!/^postgres(?:ql)?:\/\//.test(url))
    reader.problems.push('VAULT_DATABASE_URL starts with postgres:// or postgresql://.');
  return {
    url: new Secret(url ?? ''),
    poolSize: reader.integer('VAULT_DATABASE_POOL_SIZE'),
  };
}

function readPublicKey(reader: SettingReader): Uint8Array {
  const text = reader.text('KEY_SIGNING_PUBLIC_KEY');
  const key = text === undefined ? undefined : read32Bytes(text);
  if (text === undefined)
    reader.problems.push('KEY_SIGNING_PUBLIC_KEY is not set: the vault checks API keys with it.');
  else if (!key) reader.problems.push('KEY_SIGNING_PUBLIC_KEY is 32 bytes as hex or base64.');
  return key ?? new Uint8Array(32);
}

function readSeed(reader: SettingReader): Uint8Array {
  const text = reader.secret('VAULT_SIGNING_SEED');
  const seed = text === undefined ? undefined : read32Bytes(text);
  if (text === undefined)
    reader.problems.push(
      'VAULT_SIGNING_SEED is not set: the vault signs its answers with it. purser vault identity makes one.',
    );
  else if (!seed) reader.problems.push('VAULT_SIGNING_SEED is 32 random bytes as hex or base64.');
  return seed ?? new Uint8Array(32);
}

function readPeers(reader: SettingReader): VaultConfig['peers'] {
  const text = reader.text('VAULT_PEERS');
  const form =
    'VAULT_PEERS names who may ask and their public keys, as in api=<32 bytes as base64>,worker=<32 bytes as base64>.';
  if (text === undefined) {
    reader.problems.push(`VAULT_PEERS is not set. ${form}`);
    return new Map();
  }
  const peers = new Map<'api' | 'worker', Uint8Array>();
  for (const entry of text.split(',')) {
    const [, name, value] = /^\s*(api|worker)=(\S+)\s*$/.exec(entry) ?? [];
    const key = value === undefined ? undefined : read32Bytes(value);
    if (name === undefined || !key || peers.has(name as 'api')) {
      reader.problems.push(form);
      return peers;
    }
    peers.set(name as 'api' | 'worker', key);
  }
  const [first, second] = [...peers.values()];
  if (first && second && Buffer.from(first).equals(second))
    reader.problems.push(
      'VAULT_PEERS gives api and worker the same key: they have different rights.',
    );
  return peers;
}

function readRunnerKey(reader: SettingReader): Uint8Array | undefined {
  const text = reader.text('RUNNER_PUBLIC_KEY');
  if (text === undefined) return undefined;
  const key = read32Bytes(text);
  if (!key)
    reader.problems.push('RUNNER_PUBLIC_KEY is an Ed25519 public key: 32 bytes as hex or base64.');
  return key;
}

const kekForm =
  'VAULT_KEY_ENCRYPTION_KEYS is a list of id=key with commas between; a key is 32 random bytes as hex or base64, aws-kms:<key ARN>, gcp-kms:<key name>, or openbao:<transit key>.';

function readKeks(reader: SettingReader): KekConfig[] {
  const text = reader.secret('VAULT_KEY_ENCRYPTION_KEYS');
  if (text === undefined) {
    reader.problems.push(`VAULT_KEY_ENCRYPTION_KEYS is not set. ${kekForm}`);
    return [];
  }
  const keks = text.split(',').map((entry) => {
    const [, id, value] = /^\s*([A-Za-z0-9._-]{1,64})=(\S+)\s*$/.exec(entry) ?? [];
    return id === undefined || value === undefined ? undefined : readKek(reader, id, value);
  });
  if (keks.some((kek) => kek === undefined)) reader.problems.push(kekForm);
  const read = keks.filter((kek) => kek !== undefined);
  if (new Set(read.map(({ id }) => id)).size < read.length)
    reader.problems.push('VAULT_KEY_ENCRYPTION_KEYS names an id twice.');
  return read;
}

function readKek(reader: SettingReader, id: string, value: string): KekConfig | undefined {
  const [, kind, name] = /^(aws-kms|gcp-kms|openbao):(\S+)$/.exec(value) ?? [];
  if (kind === undefined || name === undefined) {
    const key = read32Bytes(value);
    return key && { id, kind: 'file', key: new Secret(key) };
  }
  if (kind === 'aws-kms') return readAwsKek(reader, id, name);
  return kind === 'gcp-kms' ? readGcpKek(reader, id, name) : readOpenBaoKek(reader, id, name);
}

function readAwsKek(reader: SettingReader, id: string, keyId: string): KekConfig | undefined {
  const [, region] =
    /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/[\w/-]+$/.exec(keyId) ?? [];
  if (region === undefined) {
    reader.problems.push(
      'VAULT_KEY_ENCRYPTION_KEYS: an AWS key is named by its ARN, as in aws-kms:arn:aws:kms:eu-central-1:111122223333:key/….',
    );
    return undefined;
  }
  const accessKeyId = reader.text('VAULT_AWS_ACCESS_KEY_ID');
  const secretAccessKey = reader.secret('VAULT_AWS_SECRET_ACCESS_KEY');
  const sessionToken = reader.secret('VAULT_AWS_SESSION_TOKEN');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    reader.problems.push(
      'VAULT_AWS_ACCESS_KEY_ID and VAULT_AWS_SECRET_ACCESS_KEY are not both set: an AWS key needs them.',
    );
  const credentials: AwsCredentials = {
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: new Secret(secretAccessKey ?? ''),
    ...(sessionToken === undefined ? {} : { sessionToken: new Secret(sessionToken) }),
  };
  return {
    id,
    kind: 'aws-kms',
    keyId,
    region,
    url: readUrl(reader, 'VAULT_AWS_KMS_URL', `https://kms.${region}.amazonaws.com/`),
    credentials,
  };
}

const serviceAccountSchema = z.looseObject({
  client_email: z.string().min(1),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  private_key_id: z.string().optional(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

function readGcpKek(reader: SettingReader, id: string, keyName: string): KekConfig | undefined {
  if (!/^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+$/.test(keyName)) {
    reader.problems.push(
      'VAULT_KEY_ENCRYPTION_KEYS: a Google key is named in full, as in gcp-kms:projects/p/locations/l/keyRings/r/cryptoKeys/k.',
    );
    return undefined;
  }
  const serviceAccount = readServiceAccount(reader);
  return (
    serviceAccount && {
      id,
      kind: 'gcp-kms',
      keyName,
      url: readUrl(reader, 'VAULT_GCP_KMS_URL', 'https://cloudkms.googleapis.com/'),
      serviceAccount,
    }
  );
}

function readServiceAccount(reader: SettingReader): GcpServiceAccount | undefined {
  const text = reader.secret('VAULT_GCP_SERVICE_ACCOUNT');
  try {
    const read = serviceAccountSchema.parse(JSON.parse(text ?? ''));
    return {
      email: read.client_email,
      privateKey: new Secret(read.private_key),
      keyId: read.private_key_id,
      tokenUrl: read.token_uri,
    };
  } catch {
    reader.problems.push(
      'VAULT_GCP_SERVICE_ACCOUNT is the JSON of a service account’s key: a Google key needs it.',
    );
    return undefined;
  }
}

function readOpenBaoKek(reader: SettingReader, id: string, keyName: string): KekConfig | undefined {
  const token = reader.secret('VAULT_OPENBAO_TOKEN');
  if (token === undefined || reader.text('VAULT_OPENBAO_URL') === undefined)
    reader.problems.push(
      'VAULT_OPENBAO_URL and VAULT_OPENBAO_TOKEN are not both set: an OpenBao key needs them.',
    );
  if (!/^[\w.-]{1,100}$/.test(keyName)) {
    reader.problems.push(kekForm);
    return undefined;
  }
  return {
    id,
    kind: 'openbao',
    keyName,
    url: readUrl(reader, 'VAULT_OPENBAO_URL', 'https://openbao.invalid/'),
    mount: reader.textOrFallback('VAULT_OPENBAO_MOUNT'),
    token: new Secret(token ?? ''),
  };
}

function readUrl(
  reader: SettingReader,
  name: 'VAULT_AWS_KMS_URL' | 'VAULT_GCP_KMS_URL' | 'VAULT_OPENBAO_URL',
  fallback: string,
): string {
  const text = reader.text(name) ?? fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url.href;
  reader.problems.push(`${name} is an https address; http only on this machine.`);
  return fallback;
}
