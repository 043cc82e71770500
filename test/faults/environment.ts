import { randomBytes } from 'node:crypto';
import { publicKeyOfSeed } from '../../src/areas/api-keys/index.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { apiRole, asRole, workerRole } from '../../src/store/grants.ts';
import { vaultServiceRole } from '../../src/vault/grants.ts';
import type { makeProductionSecrets } from '../harness/production.ts';
import { settingsFor } from '../harness/settings-for.ts';
import { columnSecrets } from './bank.ts';
import type { FaultDatabase } from './database.ts';
import type { FaultWorld } from './world.ts';

export const chain = 'base-sepolia';
export const webhookSecret = 'whsec_stand_in_of_stripe';
export const stripeKey = 'sk_test_stand_in';

/** What the programs are told: every provider is behind its gate. */
export function makeEnvironment(input: {
  readonly port: number;
  readonly vaultPort: number;
  readonly database: FaultDatabase;
  readonly gates: Pick<FaultWorld['gates'], 'chain' | 'vault' | 'acquirer' | 'bank'>;
  readonly secrets: ReturnType<typeof makeProductionSecrets>;
  readonly testToken: string;
  readonly sanctionsFile: string;
}) {
  const { port, vaultPort, database, gates, secrets } = input;
  const [vault, api, worker] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const shared = {
    PURSER_ENVIRONMENT: 'development',
    SERVICE_DOMAIN: 'localhost',
    LOG_LEVEL: 'warn',
  };
  const main = {
    ...shared,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}/api`,
    DATABASE_URL: database.urls.main,
    DATABASE_POOL_SIZE: '10',
    KEY_SIGNING_SEED: secrets.keySigningSeed,
    KEY_ENCRYPTION_KEYS: `one=${secrets.keyEncryptionKey}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `one=${secrets.treasuryKeyEncryptionKey}`,
    EVM_RPC_URL_BASE_SEPOLIA: gates.chain.url,
    EVM_EXECUTOR_KEYS: secrets.executorKeys.join(','),
    EVM_TREASURY_KEY: secrets.treasuryKey,
    EVM_TEST_TOKEN_ADDRESS: input.testToken,
    EVM_RELAY_LEASE_MS: '2000',
    EVM_WATCHER_POLL_MS: '200',
    VAULT_ORIGIN: gates.vault.url,
    VAULT_PUBLIC_KEY: hex(internalPublicKey(vault)),
    CARD_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: stripeKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_stand_in',
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    STRIPE_URL: gates.acquirer.url,
  };
  const vaultMain = {
    ...shared,
    VAULT_URL: `http://127.0.0.1:${vaultPort}/api`,
    VAULT_HOST: '127.0.0.1',
    VAULT_PORT: String(vaultPort),
    VAULT_DATABASE_URL: database.urls.vault,
    VAULT_DATABASE_POOL_SIZE: '10',
    PAYOUT_PROVIDERS: 'column',
    COLUMN_API_KEY: columnSecrets.apiKey,
    COLUMN_BANK_ACCOUNT_ID: 'bacc_house',
    COLUMN_WEBHOOK_SECRETS: columnSecrets.webhook,
    VAULT_KEY_ENCRYPTION_KEYS: `one=${hex(randomBytes(32))}`,
    VAULT_SIGNING_SEED: hex(vault),
    VAULT_PEERS: `api=${hex(internalPublicKey(api))},worker=${hex(internalPublicKey(worker))}`,
    KEY_SIGNING_PUBLIC_KEY: hex(publicKeyOfSeed(Buffer.from(secrets.keySigningSeed, 'base64'))),
  };
  return {
    api: settingsFor('api', {
      ...main,
      DATABASE_URL: asRole(database.urls.main, apiRole),
      VAULT_API_SEED: hex(api),
    }),
    worker: {
      ...settingsFor('worker', {
        ...main,
        DATABASE_URL: asRole(database.urls.main, workerRole),
        VAULT_WORKER_SEED: hex(worker),
      }),
      FAULTS_SANCTIONS: input.sanctionsFile,
      FAULTS_CHAIN: chain,
    },
    operator: settingsFor('purser', main),
    vault: {
      ...vaultMain,
      VAULT_DATABASE_URL: asRole(database.urls.vault, vaultServiceRole),
      FAULTS_BANK_URL: gates.bank.url,
    },
    vaultOperator: vaultMain,
  };
}
