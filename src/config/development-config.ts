import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { publicKeyOfSeed } from '../areas/api-keys/index.ts';
import { aptosChain } from '../chains/aptos/config/networks.ts';
import { solanaChain } from '../chains/solana/config/networks.ts';
import { stellarChain } from '../chains/stellar/config/networks.ts';
import { suiChain } from '../chains/sui/config/networks.ts';
import { Secret } from '../lib/sealing/secret.ts';
import type { Config, VaultLinkConfig } from './config.ts';
import { developmentStellar, type StellarSecrets } from './families/development-stellar.ts';
import { readSecrets } from './secret-folder.ts';

export interface DevelopmentConfigInput {
  /** Where everything of the local instance lies; secrets are made here at the first start. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly host?: string;
  readonly port?: number;
  /** Local nodes by chain name. */
  readonly rpcUrls: ReadonlyMap<string, string>;
  readonly testTokenAddress?: `0x${string}`;
  /** Scheme, host and port of the local vault; absent: payment methods are refused. */
  readonly vaultOrigin?: string;
  /** Opens a gateway for the local runner, on any port; without one agent checkouts wait. */
  readonly hasRunner?: boolean;
  /** What agent checkouts pay with. Default `sandbox`. */
  readonly cardSource?: 'sandbox' | 'user' | 'off';
  readonly logLevel?: Config['logLevel'];
}

const executorCount = 4;
const feePayerCount = 2;
const poolSize = 20;

const otherChains = new Set<string>([solanaChain, aptosChain, suiChain, stellarChain]);

/**
 * The configuration of `npm start`: the same at every start, since its secrets stay in the data
 * folder.
 */
export function developmentConfig(input: DevelopmentConfigInput): Config {
  const secrets = developmentSecrets(input.dataDir);
  const { host = '127.0.0.1', port = 3_000 } = input;
  return {
    environment: 'development',
    api: {
      host,
      port,
      baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}/api`,
      trustedProxies: 0,
    },
    // Browsers make passkeys for the name, and not for 127.0.0.1.
    console: { url: `http://localhost:${port}/console` },
    database: { url: new Secret(input.databaseUrl), poolSize },
    serviceDomain: 'localhost',
    keySigning: {
      privateKeySeed: secrets.keySigningSeed,
      publicKey: publicKeyOfSeed(secrets.keySigningSeed.reveal()),
    },
    keyEncryptionKeys: [{ id: 'development', key: secrets.keyEncryptionKey }],
    treasuryKeyEncryptionKeys: [{ id: 'development', key: secrets.treasuryKeyEncryptionKey }],
    evm: {
      rpcUrls: new Map([...input.rpcUrls].filter(([name]) => !otherChains.has(name))),
      executorKeys: secrets.executorKeys,
      treasuryKey: secrets.treasuryKey,
      testTokenAddress: input.testTokenAddress,
      relay: {
        batchSizeMax: 50,
        flushAfterMs: 25,
        inFlightMax: 16,
        bumpAfterMs: 5_000,
        executorBalanceMinWei: 10n ** 18n,
        leaseMs: 5_000,
      },
      watcher: { pollMs: 200, blockRangeMax: 1_000 },
      rpcTimeoutMs: 10_000,
    },
    solana: developmentSolana(input.rpcUrls.get(solanaChain), secrets.solana),
    sui: developmentSui(input.rpcUrls.get(suiChain), secrets.sui),
    aptos: developmentAptos(input.rpcUrls.get(aptosChain), secrets.aptos),
    stellar: developmentStellar(input.rpcUrls.get(stellarChain), secrets.stellar),
    pricing: { kind: 'sandbox' },
    identity: {
      kyc: { kind: 'sandbox' },
      limits: {
        documentUploadsPerDayMax: 10_000,
        walletLinksPerDayMax: 100_000,
        identityStartsPerDayMax: 10_000,
      },
    },
    messaging: { email: { kind: 'sandbox' }, sms: { kind: 'sandbox' } },
    card: { kind: 'sandbox' },
    cardSource: { kind: input.cardSource ?? 'sandbox' },
    signerCodesPerHourMax: 1_000,
    screening: { kind: 'sandbox' },
    vault:
      input.vaultOrigin === undefined
        ? undefined
        : developmentVaultLink(input.vaultOrigin, secrets),
    runnerGateway: input.hasRunner
      ? {
          host: '127.0.0.1',
          port: 0,
          signingSeed: secrets.runner.gatewaySeed,
          runnerPublicKey: publicKeyOfSeed(secrets.runner.seed.reveal()),
        }
      : undefined,
    runnerLive: input.hasRunner ? { seed: secrets.runner.liveSeed } : undefined,
    logLevel: input.logLevel ?? 'info',
  };
}

/**
 * The test stablecoin and the wallet program stand where the local chain puts them: at addresses
 * that follow from their names.
 */
export function developmentSolana(
  rpcUrl: string | undefined,
  { feePayerKeys, treasuryKey }: DevelopmentSecrets['solana'],
): Config['solana'] {
  const treasury = bs58.encode(treasuryKey.reveal().subarray(32));
  const addressOf = (name: string) => bs58.encode(createHash('sha256').update(name).digest());
  return {
    rpcUrl,
    feePayerKeys,
    treasuryKey,
    testTokenMint: addressOf(`test stablecoin of ${treasury}`),
    walletProgramId: addressOf('wallet program of local chains'),
    relay: {
      priorityFeeMaxMicroLamports: 200_000n,
      noncesMax: 500,
      feePayerBalanceMinLamports: 1_000_000_000n,
      topUpDayMaxLamports: 1_000_000_000_000_000n,
      inFlightMax: 64,
      resendAfterMs: 1_000,
      leaseMs: 5_000,
    },
    watcher: { pollMs: 200, blocksMax: 50 },
    rpcTimeoutMs: 10_000,
  };
}

/** The test stablecoin has the type that the local chain gives it. */
export function developmentSui(
  rpcUrl: string | undefined,
  { feePayerKeys, treasuryKey }: DevelopmentSecrets['sui'],
): Config['sui'] {
  return {
    rpcUrl,
    feePayerKeys,
    treasuryKey,
    testCoinType: `0x${'0'.repeat(58)}757364::usdxm::USDXM`,
    relay: {
      priceMaxMist: 5_000n,
      budgetMaxMist: 50_000_000n,
      gasCoinsMax: 200,
      feePayerBalanceMinMist: 100_000_000_000n,
      topUpDayMaxMist: 1_000_000_000_000_000n,
      inFlightMax: 64,
      resendAfterMs: 1_000,
      leaseMs: 5_000,
    },
    watcher: { pollMs: 200, checkpointsMax: 50 },
    rpcTimeoutMs: 10_000,
  };
}

/**
 * The test stablecoin stands where the local chain puts it: at an address that follows from its
 * name.
 */
export function developmentAptos(
  rpcUrl: string | undefined,
  { feePayerKeys, treasuryKey }: DevelopmentSecrets['aptos'],
): Config['aptos'] {
  const treasury = Buffer.from(publicKeyOfSeed(treasuryKey.reveal())).toString('hex');
  return {
    rpcUrl,
    feePayerKeys,
    treasuryKey,
    testTokenAddress: `0x${createHash('sha256').update(`test stablecoin of ${treasury}`).digest('hex')}`,
    relay: {
      gasAmountMax: 20_000n,
      gasUnitPriceMax: 1_000n,
      feePayerBalanceMinOctas: 1_000_000_000n,
      topUpDayMaxOctas: 1_000_000_000_000_000n,
      inFlightMax: 64,
      resendAfterMs: 1_000,
      leaseMs: 5_000,
    },
    watcher: { pollMs: 200, versionsMax: 99 },
    rpcTimeoutMs: 10_000,
  };
}

/** API and worker are one process here, so they ask as one: with the worker's rights. */
function developmentVaultLink(origin: string, { vault }: DevelopmentSecrets): VaultLinkConfig {
  return {
    origin,
    publicUrl: `${origin}/api`,
    peer: 'worker',
    seed: vault.workerSeed,
    vaultPublicKey: publicKeyOfSeed(vault.signingSeed.reveal()),
  };
}

/** What the local vault is given: as the variables that its program reads in production. */
export function developmentVaultEnvironment(input: {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly port: number;
}): Readonly<Record<string, string>> {
  const { vault, runner, keySigningSeed } = developmentSecrets(input.dataDir);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return {
    PURSER_ENVIRONMENT: 'development',
    VAULT_URL: `http://127.0.0.1:${input.port}/api`,
    VAULT_HOST: '127.0.0.1',
    VAULT_PORT: String(input.port),
    VAULT_DATABASE_URL: input.databaseUrl,
    VAULT_KEY_ENCRYPTION_KEYS: `development=${hex(vault.keyEncryptionKey.reveal())}`,
    VAULT_SIGNING_SEED: hex(vault.signingSeed.reveal()),
    VAULT_PEERS: `worker=${hex(publicKeyOfSeed(vault.workerSeed.reveal()))}`,
    RUNNER_PUBLIC_KEY: hex(publicKeyOfSeed(runner.seed.reveal())),
    KEY_SIGNING_PUBLIC_KEY: hex(publicKeyOfSeed(keySigningSeed.reveal())),
    SERVICE_DOMAIN: 'localhost',
  };
}

/** What the local runner is given: as the variables that its program reads in production. */
export function developmentRunnerEnvironment(input: {
  readonly dataDir: string;
  readonly gatewayPort: number;
  /** The fixture shops, which are on this machine, and those of the developer's own. */
  readonly allowedPrivateOrigins: readonly string[];
  readonly paymentFrameOrigins: readonly string[];
  readonly baseUrl: string;
  readonly tokenizers?: string | undefined;
}): Readonly<Record<string, string>> {
  const { runner } = developmentSecrets(input.dataDir);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return {
    PURSER_ENVIRONMENT: 'development',
    RUNNER_DOOR_ORIGIN: `http://127.0.0.1:${input.gatewayPort}`,
    RUNNER_DOOR_PUBLIC_KEY: hex(publicKeyOfSeed(runner.gatewaySeed.reveal())),
    RUNNER_SEED: hex(runner.seed.reveal()),
    RUNNER_LIVE_HOST: '127.0.0.1',
    RUNNER_LIVE_PORT: '0',
    RUNNER_LIVE_ORIGIN: 'http://127.0.0.1',
    RUNNER_LIVE_PUBLIC_KEY: hex(publicKeyOfSeed(runner.liveSeed.reveal())),
    RUNNER_ALLOWED_PRIVATE_ORIGINS: input.allowedPrivateOrigins.join(','),
    RUNNER_PAYMENT_FRAMES: input.paymentFrameOrigins.join(','),
    RUNNER_COMMERCE_PROFILE_URL: `${input.baseUrl}/.well-known/ucp`,
    ...(input.tokenizers !== undefined && { RUNNER_COMMERCE_TOKENIZERS: input.tokenizers }),
  };
}

export interface DevelopmentSecrets {
  readonly keySigningSeed: Secret<Uint8Array>;
  readonly keyEncryptionKey: Secret<Uint8Array>;
  /** Of the keys of treasuries. */
  readonly treasuryKeyEncryptionKey: Secret<Uint8Array>;
  readonly executorKeys: readonly Secret<`0x${string}`>[];
  readonly treasuryKey: Secret<`0x${string}`>;
  /** Keypairs: seed and public key. */
  readonly solana: {
    readonly feePayerKeys: readonly Secret<Uint8Array>[];
    readonly treasuryKey: Secret<Uint8Array>;
  };
  /** Seeds of Ed25519 keys. */
  readonly sui: {
    readonly feePayerKeys: readonly Secret<Uint8Array>[];
    readonly treasuryKey: Secret<Uint8Array>;
  };
  readonly aptos: {
    readonly feePayerKeys: readonly Secret<Uint8Array>[];
    readonly treasuryKey: Secret<Uint8Array>;
  };
  readonly stellar: StellarSecrets;
  /** Ed25519: signs the end-user JWTs of `purser token`. */
  readonly userJwtKey: { readonly seed: Secret<Uint8Array>; readonly publicKey: Uint8Array };
  readonly vault: {
    readonly keyEncryptionKey: Secret<Uint8Array>;
    readonly signingSeed: Secret<Uint8Array>;
    /** Of the process of the main side that asks the vault. */
    readonly workerSeed: Secret<Uint8Array>;
  };
  /** Ed25519: of the worker's gateway, of the API towards runners, and of the runner. */
  readonly runner: {
    readonly gatewaySeed: Secret<Uint8Array>;
    readonly liveSeed: Secret<Uint8Array>;
    readonly seed: Secret<Uint8Array>;
  };
}

const executorNames = Array.from(
  { length: executorCount },
  (_, index) => `executor-key-${index + 1}`,
);
const feePayersOf = (family: string) =>
  Array.from({ length: feePayerCount }, (_, index) => `${family}-fee-payer-seed-${index + 1}`);
const vaultNames = ['vault-key-encryption-key', 'vault-signing-seed', 'vault-worker-seed'];
const runnerNames = ['runner-door-seed', 'runner-live-seed', 'runner-seed'];
const secretNames = [
  'key-signing-seed',
  'key-encryption-key',
  'treasury-key-encryption-key',
  'treasury-key',
  'user-jwt-seed',
  ...executorNames,
  ...['solana', 'sui', 'aptos', 'stellar'].flatMap((family) => [
    `${family}-treasury-seed`,
    ...feePayersOf(family),
  ]),
  ...vaultNames,
  ...runnerNames,
];

/**
 * The secrets of a data folder, made at its first start.
 * @throws ConfigError naming a file that is missing or damaged
 */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  const secrets = readSecrets(dataDir, secretNames);
  const bytesOf = (name: string) => new Uint8Array(Buffer.from(secrets.get(name)!, 'hex'));
  const keyOf = (name: string) => new Secret<`0x${string}`>(`0x${secrets.get(name)!}`);
  const keypairOf = (name: string) => {
    const seed = bytesOf(name);
    return new Secret<Uint8Array>(Buffer.concat([seed, publicKeyOfSeed(seed)]));
  };
  const seedsOf = (family: string) => ({
    feePayerKeys: feePayersOf(family).map((name) => new Secret(bytesOf(name))),
    treasuryKey: new Secret(bytesOf(`${family}-treasury-seed`)),
  });
  const userJwtSeed = bytesOf('user-jwt-seed');
  return {
    keySigningSeed: new Secret(bytesOf('key-signing-seed')),
    keyEncryptionKey: new Secret(bytesOf('key-encryption-key')),
    treasuryKeyEncryptionKey: new Secret(bytesOf('treasury-key-encryption-key')),
    executorKeys: executorNames.map(keyOf),
    treasuryKey: keyOf('treasury-key'),
    solana: {
      feePayerKeys: feePayersOf('solana').map(keypairOf),
      treasuryKey: keypairOf('solana-treasury-seed'),
    },
    sui: seedsOf('sui'),
    aptos: seedsOf('aptos'),
    stellar: seedsOf('stellar'),
    userJwtKey: { seed: new Secret(userJwtSeed), publicKey: publicKeyOfSeed(userJwtSeed) },
    vault: {
      keyEncryptionKey: new Secret(bytesOf('vault-key-encryption-key')),
      signingSeed: new Secret(bytesOf('vault-signing-seed')),
      workerSeed: new Secret(bytesOf('vault-worker-seed')),
    },
    runner: {
      gatewaySeed: new Secret(bytesOf('runner-door-seed')),
      liveSeed: new Secret(bytesOf('runner-live-seed')),
      seed: new Secret(bytesOf('runner-seed')),
    },
  };
}
