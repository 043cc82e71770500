import { publicKeyOfSeed } from '../areas/api-keys/index.ts';
import type { Environment } from '../context.ts';
import { Secret } from '../lib/sealing/secret.ts';
import type { Config } from './config.ts';
import { readAptosConfig } from './families/read-aptos.ts';
import { readEvmConfig } from './families/read-evm.ts';
import { readSolanaConfig } from './families/read-solana.ts';
import { readStellarConfig } from './families/read-stellar.ts';
import { readSuiConfig } from './families/read-sui.ts';
import { readCard } from './providers/read-card.ts';
import { readCardSource } from './providers/read-card-source.ts';
import { readIdentityConfig } from './providers/read-identity.ts';
import { readMessaging, readScreening } from './providers/read-messaging.ts';
import { readTransport } from './providers/read-transport.ts';
import {
  createSettingReader,
  read32Bytes,
  type SettingReader,
  type Environment as Variables,
} from './read-setting.ts';
import { readCheckoutPageUrl } from './runner/read-checkout-page.ts';
import { readRunnerGateway, readRunnerLive } from './runner/read-runner-links.ts';
import { readVaultLink } from './vault/read-vault.ts';

export type ProcessKind = 'api' | 'worker' | 'migrate' | 'purser';

/**
 * Settings that are missing, wrong or contradict each other: one sentence each, naming the
 * variable.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      ['The configuration is not valid:', ...problems.map((problem) => `- ${problem}`)].join('\n'),
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const environments = ['development', 'staging', 'production'] as const;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/**
 * Makes the configuration of a process from its environment. `docs/guides/configuration.md` lists
 * every variable.
 * @throws ConfigError with all problems at once
 */
export function loadConfig(
  variables: Variables,
  options: { readonly process: ProcessKind },
): Config {
  const reader = createSettingReader(variables, options.process);
  const environment = readEnvironment(reader);
  // With a word that is none, half of the other sentences would be wrong.
  if (
    reader.text('PURSER_ENVIRONMENT') !== undefined &&
    reader.text('PURSER_ENVIRONMENT') !== environment
  )
    throw new ConfigError(reader.problems);
  const api = readApi(reader, { environment, process: options.process });
  const metrics = readMetrics(reader, { environment, api });
  const config: Config = {
    environment,
    api,
    metrics,
    console: readConsole(reader, { environment, api }),
    secondPersonAbove: readSecondPerson(reader),
    database: readDatabase(reader),
    serviceDomain: reader.text('SERVICE_DOMAIN') ?? new URL(api.baseUrl).hostname,
    keySigning: readKeySigning(reader, options.process),
    ...readKeyRings(reader, options.process),
    plaintextHosts: readTransport(reader, environment),
    rateLimits: readRateLimits(reader, environment),
    evm: readEvmConfig(reader, { environment, process: options.process }),
    solana: readSolanaConfig(reader, { environment, process: options.process }),
    aptos: readAptosConfig(reader, { environment, process: options.process }),
    stellar: readStellarConfig(reader, { environment, process: options.process }),
    sui: readSuiConfig(reader, { environment, process: options.process }),
    pricing: readPricing(reader, environment),
    identity: readIdentityConfig(reader, environment),
    messaging: readMessaging(reader, environment),
    card: readCard(reader, environment),
    cardSource: readCardSource(reader, environment),
    signerCodesPerHourMax: reader.integer('SIGNER_CODES_PER_HOUR'),
    screening: readScreening(reader, environment),
    vault: readVaultLink(reader, options.process),
    runnerGateway: readRunnerGateway(reader, { process: options.process, metrics }),
    runnerLive: readRunnerLive(reader, options.process),
    openCheckouts: {
      perUserMax: reader.integer('CHECKOUTS_OPEN_PER_USER'),
      perProjectMax: reader.integer('CHECKOUTS_OPEN_PER_PROJECT'),
    },
    checkoutPageUrl: readCheckoutPageUrl(reader, environment),
    checkoutPictureDays: reader.integer('CHECKOUT_PICTURE_DAYS'),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

export function readEnvironment(reader: SettingReader): Environment {
  if (reader.text('PURSER_ENVIRONMENT') === undefined)
    reader.problems.push(`PURSER_ENVIRONMENT is not set: it is one of ${environments.join(', ')}.`);
  // Absent, the strictest one is taken, so that its needs are listed too.
  return reader.oneOf('PURSER_ENVIRONMENT', environments, 'production');
}

function readApi(
  reader: SettingReader,
  input: { environment: Environment; process: ProcessKind },
): Config['api'] {
  const port = reader.integer('PORT');
  const standIn = `http://localhost:${port}/api`;
  const text = reader.text('BASE_URL');
  if (text === undefined && input.process === 'api')
    reader.problems.push(
      'BASE_URL is not set: it is the address of the interface as callers see it, as in https://purser.example/api.',
    );
  const url = URL.canParse(text ?? standIn) ? new URL(text ?? standIn) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.search !== '' || url.hash !== '' || !url.pathname.endsWith('/api'))
    reader.problems.push('BASE_URL is an http or https address that ends in /api.');
  else if (text !== undefined && input.environment === 'production' && url.protocol !== 'https:')
    reader.problems.push('BASE_URL is an https address in production.');
  return {
    host: reader.textOrFallback('HOST'),
    port,
    baseUrl: url && isWeb ? url.href : standIn,
    trustedProxies: reader.integer('TRUST_PROXY'),
  };
}

function readConsole(
  reader: SettingReader,
  input: { environment: Environment; api: Config['api'] },
): Config['console'] {
  const text = reader.text('CONSOLE_URL');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.pathname !== '/console'
  ) {
    reader.problems.push(
      'CONSOLE_URL is an https address that ends in /console, as in https://purser.example/console.',
    );
    return undefined;
  }
  if (
    url.protocol === 'http:' &&
    (input.environment === 'production' || url.hostname !== 'localhost')
  )
    reader.problems.push(
      'CONSOLE_URL is an https address: browsers make passkeys for nothing else, but for http://localhost in development.',
    );
  if (/^[\d.]+$|^\[/.test(url.hostname))
    reader.problems.push('CONSOLE_URL has a name: browsers make no passkeys for bare addresses.');
  return { url: url.href };
}

function readSecondPerson(reader: SettingReader): Config['secondPersonAbove'] {
  const text = reader.text('OPERATOR_SECOND_PERSON_ABOVE');
  if (text === undefined) return undefined;
  const pairs = text.split(',').map((pair) => pair.trim().split(':'));
  if (
    pairs.some(
      ([currency = '', amount = '', ...rest]) =>
        rest.length > 0 ||
        !/^[a-z0-9]{2,12}$/.test(currency) ||
        !/^\d{1,20}(?:\.\d{1,18})?$/.test(amount),
    )
  )
    reader.problems.push(
      'OPERATOR_SECOND_PERSON_ABOVE names currencies in lower case and amounts, as in usd:1000,eur:900.',
    );
  else if (new Set(pairs.map(([currency]) => currency)).size < pairs.length)
    reader.problems.push(
      'OPERATOR_SECOND_PERSON_ABOVE names a currency twice: leave one amount of it.',
    );
  return new Map(pairs.map(([currency, amount]) => [currency!, amount!]));
}

export function readMetrics(
  reader: SettingReader,
  input: { environment: Environment; api: { readonly port: number } },
): Config['metrics'] {
  const text = reader.text('METRICS_PORT');
  if (text === 'off' || (text === undefined && input.environment === 'development'))
    return undefined;
  const port = reader.integer('METRICS_PORT');
  if (port === input.api.port)
    reader.problems.push(
      'METRICS_PORT is the port of the API: choose another one, since metrics ask for no key.',
    );
  return { host: reader.textOrFallback('METRICS_HOST'), port };
}

function readDatabase(reader: SettingReader): Config['database'] {
  const url = reader.secret('DATABASE_URL');
  if (url === undefined)
    reader.problems.push(
      'DATABASE_URL is not set: it is the address of the main database, as in postgres://user:password@host:5432/purser.',
    );
  else if (!/^postgres(?:ql)?:\/\//.test(url))
    reader.problems.push('DATABASE_URL starts with postgres:// or postgresql://.');
  return {
    url: new Secret(url ?? ''),
    poolSize: reader.integer('DATABASE_POOL_SIZE'),
  };
}

function readKeySigning(reader: SettingReader, process: ProcessKind): Config['keySigning'] {
  const seedText = reader.secret('KEY_SIGNING_SEED');
  const publicText = reader.text('KEY_SIGNING_PUBLIC_KEY');
  const seed = seedText === undefined ? undefined : read32Bytes(seedText);
  const given = publicText === undefined ? undefined : read32Bytes(publicText);
  if (seedText !== undefined && !seed)
    reader.problems.push('KEY_SIGNING_SEED is 32 random bytes as hex or base64.');
  if (publicText !== undefined && !given)
    reader.problems.push('KEY_SIGNING_PUBLIC_KEY is 32 bytes as hex or base64.');
  if (
    seedText === undefined &&
    publicText === undefined &&
    (process === 'api' || process === 'purser')
  )
    reader.problems.push(
      process === 'api'
        ? 'KEY_SIGNING_PUBLIC_KEY is not set: API keys are checked with it. purser keys public-key prints it where KEY_SIGNING_SEED is.'
        : 'KEY_SIGNING_SEED and KEY_SIGNING_PUBLIC_KEY are both missing: set the seed where keys are issued, the public key elsewhere.',
    );
  const derived = seed && publicKeyOfSeed(seed);
  if (derived && given && !Buffer.from(derived).equals(given))
    reader.problems.push(
      'KEY_SIGNING_PUBLIC_KEY is not the public key of KEY_SIGNING_SEED: keep one of them.',
    );
  return {
    privateKeySeed: seed && new Secret(seed),
    publicKey: derived ?? given ?? new Uint8Array(32),
  };
}

/**
 * The public half of KEY_SIGNING_SEED; undefined when the environment has no seed.
 * @throws ConfigError
 */
export function loadKeySigningPublicKey(variables: Variables): Uint8Array | undefined {
  const reader = createSettingReader(variables);
  const isGiven = reader.secret('KEY_SIGNING_SEED') !== undefined;
  const { publicKey } = readKeySigning(reader, 'purser');
  if (isGiven && reader.problems.length > 0) throw new ConfigError(reader.problems);
  return isGiven ? publicKey : undefined;
}

function readKeyRings(
  reader: SettingReader,
  process: ProcessKind,
): Pick<Config, 'keyEncryptionKeys' | 'treasuryKeyEncryptionKeys'> {
  const keyEncryptionKeys = readKeyRing(reader, 'KEY_ENCRYPTION_KEYS', {
    isRequired: process === 'api' || process === 'worker',
  });
  const treasuryKeyEncryptionKeys = readKeyRing(reader, 'TREASURY_KEY_ENCRYPTION_KEYS', {
    isRequired: process === 'worker',
  });
  const known = new Set(
    keyEncryptionKeys.map(({ key }) => Buffer.from(key.reveal()).toString('hex')),
  );
  if (
    treasuryKeyEncryptionKeys.some(({ key }) =>
      known.has(Buffer.from(key.reveal()).toString('hex')),
    )
  )
    reader.problems.push(
      'TREASURY_KEY_ENCRYPTION_KEYS repeats a key of KEY_ENCRYPTION_KEYS, which the API has: make another one.',
    );
  return { keyEncryptionKeys, treasuryKeyEncryptionKeys };
}

function readKeyRing(
  reader: SettingReader,
  name: 'KEY_ENCRYPTION_KEYS' | 'TREASURY_KEY_ENCRYPTION_KEYS',
  { isRequired }: { readonly isRequired: boolean },
): Config['keyEncryptionKeys'] {
  const text = reader.secret(name);
  if (text === undefined) {
    if (isRequired)
      reader.problems.push(`${name} is not set: it is a list such as "2026=<32 bytes as base64>".`);
    return [];
  }
  const keys = text.split(',').map((entry) => {
    const [, id, value] = /^\s*([A-Za-z0-9._-]{1,64})=(\S+)\s*$/.exec(entry) ?? [];
    const key = value === undefined ? undefined : read32Bytes(value);
    return id !== undefined && key ? { id, key: new Secret(key) } : undefined;
  });
  if (keys.some((key) => key === undefined))
    reader.problems.push(
      `${name} is a list of id=key with commas between, each key 32 random bytes as hex or base64.`,
    );
  const read = keys.filter((key) => key !== undefined);
  if (new Set(read.map((key) => key.id)).size < read.length)
    reader.problems.push(`${name} names an id twice.`);
  return read;
}

export function readRateLimits(
  reader: SettingReader,
  environment: Environment,
): Config['rateLimits'] {
  const names = ['RATE_LIMIT_WRITES_PER_MINUTE', 'RATE_LIMIT_READS_PER_MINUTE'] as const;
  const texts = names.map((name) => reader.text(name));
  const isOff = (text: string | undefined) =>
    text === 'off' ||
    (text === undefined &&
      environment === 'development' &&
      texts.every((one) => one === undefined));
  if (texts.every(isOff)) return undefined;
  if (texts.some(isOff)) {
    reader.problems.push(`${names.join(' and ')}: both are numbers or both are off.`);
    return undefined;
  }
  return {
    writesPerMinute: reader.integer(names[0]),
    readsPerMinute: reader.integer(names[1]),
  };
}

function readPricing(reader: SettingReader, environment: Environment): Config['pricing'] {
  const kind = reader.oneOf(
    'PRICING',
    ['sandbox', 'coingecko'],
    environment === 'production' ? 'coingecko' : 'sandbox',
  );
  if (environment === 'production' && reader.text('PRICING') === undefined)
    reader.problems.push('PRICING is not set: production needs a real price service, coingecko.');
  if (environment === 'production' && kind === 'sandbox')
    reader.problems.push(
      'PRICING=sandbox is for development and staging: production needs coingecko.',
    );
  const apiKey = reader.secret('COINGECKO_API_KEY');
  const url = reader.textOrFallback('COINGECKO_URL');
  if (kind === 'sandbox') {
    if (apiKey !== undefined || reader.text('COINGECKO_URL') !== undefined)
      reader.problems.push(
        'COINGECKO_URL and COINGECKO_API_KEY are set, and PRICING is sandbox: set PRICING=coingecko, or remove them.',
      );
    return { kind };
  }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    reader.problems.push('COINGECKO_URL is an https address.');
  return { kind, url, apiKey: apiKey === undefined ? undefined : new Secret(apiKey) };
}
