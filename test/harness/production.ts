import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { planGenesis } from '../../devnet/index.ts';
import { listEvmNetworks } from '../../src/chains/evm/config/networks.ts';
import type { SecretHolder } from '../../src/config/process-secrets.ts';
import { settingsFor } from './settings-for.ts';

/** Secrets of a production instance, made for one run. */
export interface ProductionSecrets {
  readonly keySigningSeed: string;
  readonly keyEncryptionKey: string;
  readonly treasuryKeyEncryptionKey: string;
  readonly executorKeys: readonly `0x${string}`[];
  readonly treasuryKey: `0x${string}`;
}

export function makeProductionSecrets(executorCount = 2): ProductionSecrets {
  return {
    keySigningSeed: randomBytes(32).toString('base64'),
    keyEncryptionKey: randomBytes(32).toString('base64'),
    treasuryKeyEncryptionKey: randomBytes(32).toString('base64'),
    executorKeys: Array.from({ length: executorCount }, generatePrivateKey),
    treasuryKey: generatePrivateKey(),
  };
}

export interface ProductionEnvInput {
  /** Whose environment it is: it has the secrets of this process alone. */
  readonly process: SecretHolder;
  readonly databaseUrl: string;
  readonly secrets: ProductionSecrets;
  /** Node address by main chain name. */
  readonly rpcUrls: Readonly<Record<string, string>>;
  readonly port?: number;
  readonly metricsPort?: number;
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The environment of a production process, as deploy/sample.env describes it. Prices come from an
 * address nobody listens on.
 */
export function productionEnv(input: ProductionEnvInput): Record<string, string> {
  const { secrets } = input;
  return settingsFor(input.process, {
    NODE_ENV: 'production',
    PURSER_ENVIRONMENT: 'production',
    HOST: '127.0.0.1',
    PORT: String(input.port ?? 3_000),
    BASE_URL: 'https://purser.example/api',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: input.metricsPort === undefined ? 'off' : String(input.metricsPort),
    DATABASE_URL: input.databaseUrl,
    KEY_SIGNING_SEED: secrets.keySigningSeed,
    KEY_ENCRYPTION_KEYS: `first=${secrets.keyEncryptionKey}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `first=${secrets.treasuryKeyEncryptionKey}`,
    EVM_EXECUTOR_KEYS: secrets.executorKeys.join(','),
    EVM_TREASURY_KEY: secrets.treasuryKey,
    PRICING: 'coingecko',
    COINGECKO_URL: 'https://127.0.0.1:9/',
    SCREENING: 'off',
    ...Object.fromEntries(
      Object.entries(input.rpcUrls).map(([chain, url]) => [
        `EVM_RPC_URL_${chain.toUpperCase().replaceAll('-', '_')}`,
        url,
      ]),
    ),
    ...input.extra,
  });
}

const fundedWei = 10n ** 24n;

/**
 * What a local node needs to stand in for a main network: contracts, tokens that the first of
 * `others` mints, money for everybody.
 */
export function planMainNetwork(
  chain: string,
  secrets: ProductionSecrets,
  others: readonly [`0x${string}`, ...`0x${string}`[]],
) {
  const network = listEvmNetworks().find(({ name }) => name === chain);
  if (network?.chainId === undefined) throw new Error(`${chain} is no network with a chain id`);
  const accounts = [
    ...[secrets.treasuryKey, ...secrets.executorKeys].map((key) => privateKeyToAddress(key)),
    ...others,
  ];
  return {
    network,
    chainId: network.chainId,
    genesis: planGenesis({
      tokens: network.tokens,
      minter: others[0],
      funded: accounts.map((address) => ({ address, wei: fundedWei })),
    }),
  };
}
