import { createHash } from 'node:crypto';
import { publicKeyOfSeed } from '../../src/areas/api-keys/index.ts';
import type { Config } from '../../src/config/config.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';

const keySigningSeed = createHash('sha256').update('key-signing seed of the tests').digest();

/**
 * A configuration for tests: development, no rate limits, no chains, nothing from the environment.
 */
export function testConfig(overrides: Partial<Config> = {}): Config {
  return {
    environment: 'development',
    api: { host: '127.0.0.1', port: 0, baseUrl: 'http://127.0.0.1/api', trustedProxies: 0 },
    database: { url: new Secret(''), poolSize: 10 },
    serviceDomain: 'purser.test',
    keySigning: {
      privateKeySeed: new Secret<Uint8Array>(keySigningSeed),
      publicKey: publicKeyOfSeed(keySigningSeed),
    },
    keyEncryptionKeys: [
      {
        id: 'test',
        key: new Secret<Uint8Array>(
          createHash('sha256').update('key-encryption key of the tests').digest(),
        ),
      },
    ],
    treasuryKeyEncryptionKeys: [
      {
        id: 'test-treasury',
        key: new Secret<Uint8Array>(
          createHash('sha256').update('treasury key-encryption key of the tests').digest(),
        ),
      },
    ],
    evm: {
      rpcUrls: new Map(),
      executorKeys: [],
      relay: {
        batchSizeMax: 20,
        flushAfterMs: 20,
        inFlightMax: 8,
        bumpAfterMs: 15_000,
        executorBalanceMinWei: 10n ** 17n,
        leaseMs: 10_000,
      },
      watcher: { pollMs: 100, blockRangeMax: 1_000 },
      rpcTimeoutMs: 10_000,
    },
    solana: {
      feePayerKeys: [],
      relay: {
        priorityFeeMaxMicroLamports: 200_000n,
        noncesMax: 100,
        feePayerBalanceMinLamports: 100_000_000n,
        topUpDayMaxLamports: 1_000_000_000_000_000n,
        inFlightMax: 64,
        resendAfterMs: 1_000,
        leaseMs: 10_000,
      },
      watcher: { pollMs: 100, blocksMax: 50 },
      rpcTimeoutMs: 10_000,
    },
    sui: {
      feePayerKeys: [],
      relay: {
        priceMaxMist: 5_000n,
        budgetMaxMist: 50_000_000n,
        gasCoinsMax: 100,
        feePayerBalanceMinMist: 5_000_000_000n,
        topUpDayMaxMist: 1_000_000_000_000_000n,
        inFlightMax: 64,
        resendAfterMs: 1_000,
        leaseMs: 10_000,
      },
      watcher: { pollMs: 100, checkpointsMax: 50 },
      rpcTimeoutMs: 10_000,
    },
    aptos: {
      feePayerKeys: [],
      relay: {
        gasAmountMax: 20_000n,
        gasUnitPriceMax: 1_000n,
        feePayerBalanceMinOctas: 100_000_000n,
        topUpDayMaxOctas: 1_000_000_000_000_000n,
        inFlightMax: 64,
        resendAfterMs: 1_000,
        leaseMs: 10_000,
      },
      watcher: { pollMs: 100, versionsMax: 99 },
      rpcTimeoutMs: 10_000,
    },
    stellar: {
      feePayerKeys: [],
      relay: {
        feeMaxStroops: 20_000_000n,
        feePayerBalanceMinStroops: 100_000_000n,
        topUpDayMaxStroops: 1_000_000_000_000n,
        resendAfterMs: 1_000,
        leaseMs: 10_000,
      },
      watcher: { pollMs: 100, ledgersMax: 20 },
      rpcTimeoutMs: 10_000,
    },
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
    cardSource: { kind: 'user' },
    signerCodesPerHourMax: 1_000,
    screening: { kind: 'sandbox' },
    logLevel: 'silent',
    ...overrides,
  };
}
