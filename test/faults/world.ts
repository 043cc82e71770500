import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import { composeCtx } from '../../bin/compose.ts';
import { type Anvil, planGenesis, prepareGenesis, startAnvil, testStablecoinAddress } from '../../devnet/index.ts';
import { issueKey, publicKeyOfSeed, scopesOf } from '../../src/areas/api-keys/index.ts';
import { writeOwnSettings } from '../../src/areas/orders/pricing/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { fundTreasury, requireTreasury } from '../../src/areas/treasury/index.ts';
import { findEvmNetwork } from '../../src/chains/evm/networks.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Ctx } from '../../src/context.ts';
import { createMovableClock, type MovableClock } from '../../src/lib/clock.ts';
import { internalPublicKey } from '../../src/lib/signed-requests.ts';
import { type StripeServer, startStripeServer } from '../../src/providers/card/testing/stripe-server.ts';
import { findFreePort } from '../harness/processes.ts';
import { makeProductionSecrets } from '../harness/production.ts';
import { columnSecrets, type FaultBank, startFaultBank } from './bank.ts';
import { actAs, giver } from './chain.ts';
import { type FaultDatabase, startFaultDatabase } from './database.ts';
import { type Gate, startGate } from './gate.ts';
import { type Part, startPart } from './part.ts';
import { type FaultReceiver, startReceiver } from './receiver.ts';

export const chain = 'base-sepolia';
const webhookSecret = 'whsec_stand_in_of_stripe';
const stripeKey = 'sk_test_stand_in';
const fundedWei = 10n ** 24n;

/** API, worker and vault as processes, and a world around them that can be disturbed. */
export interface FaultWorld {
  readonly database: FaultDatabase;
  /** The main side as the test looks at it, past every gate. */
  readonly ctx: Ctx;
  readonly clock: MovableClock;
  readonly projectId: string;
  readonly serverKey: string;
  /** Through the gate of the clients; each ends in `/api`. */
  readonly apiUrl: string;
  readonly vaultUrl: string;
  /** The API itself, for callbacks and for looking. */
  readonly plainApiUrl: string;
  readonly plainVaultUrl: string;
  readonly node: Anvil;
  readonly treasury: `0x${string}`;
  readonly tokens: Readonly<Record<'usdc' | 'usdxm', `0x${string}`>>;
  readonly stripe: StripeServer;
  readonly bank: FaultBank;
  readonly stripeSecret: string;
  readonly receiver: FaultReceiver;
  readonly parts: Readonly<Record<'api' | 'worker' | 'vault', Part>>;
  readonly gates: Readonly<Record<'clients' | 'vaultClients' | 'chain' | 'vault' | 'acquirer' | 'bank', Gate>>;
  /** Orders that payers have made so far. */
  orderCount: number;
  /** Asks the chain's node, past every gate. */
  rpc<T>(method: string, params: readonly unknown[]): Promise<T>;
  close(): Promise<void>;
}

export async function startFaultWorld(): Promise<FaultWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-faults-'));
  const stops: (() => Promise<unknown> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  const keep = <T>(thing: T, stop: (thing: T) => Promise<unknown> | void): T => {
    stops.push(() => stop(thing));
    return thing;
  };
  try {
    const database = keep(await startFaultDatabase(folder), (one) => one.close());
    const node = keep(await startAnvil({ chainId: findEvmNetwork(chain)!.chainId!, log: () => undefined }), (one) => one.stop());
    const stripe = keep(await startStripeServer(stripeKey), (one) => one.close());
    const clock = createMovableClock();
    const bank = keep(await startFaultBank(() => clock.now()), (one) => one.close());
    const secrets = makeProductionSecrets(2);
    const treasuryKey = privateKeyToAddress(secrets.treasuryKey);
    const network = findEvmNetwork(chain)!;
    await prepareGenesis(
      node.url,
      planGenesis({
        tokens: network.tokens,
        minter: treasuryKey,
        funded: [treasuryKey, ...secrets.executorKeys.map((key) => privateKeyToAddress(key))].map((address) => ({
          address,
          wei: fundedWei,
        })),
      }),
    );
    const [port, vaultPort] = [await findFreePort(), await findFreePort()];
    const gates = {
      clients: keep(await startGate(`http://127.0.0.1:${port}`), (one) => one.close()),
      vaultClients: keep(await startGate(`http://127.0.0.1:${vaultPort}`), (one) => one.close()),
      chain: keep(await startGate(node.url), (one) => one.close()),
      vault: keep(await startGate(`http://127.0.0.1:${vaultPort}`), (one) => one.close()),
      bank: keep(await startGate(bank.url), (one) => one.close()),
      acquirer: keep(await startGate(stripe.url), (one) => one.close()),
    };
    const environment = makeEnvironment({ port, vaultPort, database, gates, secrets, testToken: testStablecoinAddress(treasuryKey) });
    const log = pino({ level: 'silent' });
    const config = loadConfig({ ...environment.worker, EVM_RPC_URL_BASE_SEPOLIA: node.url }, { process: 'worker' });
    const ctx = keep(composeCtx(config, { log, process: 'faults', clock }), (one) => one.store.close());
    const project = await createProject(ctx, { name: 'Faults' });
    const { key: serverKey } = await issueKey(ctx, { projectId: project.id, kind: 'server', scopes: scopesOf('server') });
    await writeOwnSettings(ctx, { projectId: project.id, settings: { kycRequired: false, limits: [] } });
    const parts = {
      vault: keep(startPart({ name: 'vault', program: 'test/faults/vault-child.ts', env: environment.vault }), (one) => one.stop()),
      api: keep(startPart({ name: 'api', program: 'bin/api.ts', env: environment.api }), (one) => one.stop()),
      worker: keep(startPart({ name: 'worker', program: 'bin/worker.ts', env: environment.worker }), (one) => one.stop()),
    };
    const family = ctx.chains.familyOfChain(chain);
    const { address } = await requireTreasury(ctx, { projectId: project.id, chainType: 'evm' });
    for (const token of ['usdc', 'usdxm']) await fundTreasury(ctx, { projectId: project.id, chain, token, amount: '10000000' });
    const usdxm = await family.resolveToken(chain, { symbol: 'usdxm' });
    await family.fund({ chain, token: usdxm, amountMinor: 10n ** 13n, recipientAddress: giver, reference: 'giver' });
    const addressOf = async (symbol: string) => (await family.resolveToken(chain, { symbol })).address as `0x${string}`;
    const plainApiUrl = `http://127.0.0.1:${port}/api`;
    const receiver = keep(
      await startReceiver({ folder, program: 'test/faults/receiver-child.ts', apiUrl: plainApiUrl, serverKey }),
      (one) => one.stop(),
    );
    const world: FaultWorld = {
      database,
      ctx,
      clock,
      projectId: project.id,
      serverKey,
      apiUrl: `${gates.clients.url}/api`,
      vaultUrl: `${gates.vaultClients.url}/api`,
      plainApiUrl,
      plainVaultUrl: `http://127.0.0.1:${vaultPort}/api`,
      node,
      treasury: address as `0x${string}`,
      tokens: { usdc: await addressOf('usdc'), usdxm: await addressOf('usdxm') },
      stripe,
      bank,
      stripeSecret: webhookSecret,
      receiver,
      parts,
      gates,
      orderCount: 0,
      async rpc<T>(method: string, params: readonly unknown[]) {
        const answer = await fetch(node.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
        if (error) throw new Error(`${method}: ${error.message}`);
        return result;
      },
      close,
    };
    await actAs(world, giver);
    return world;
  } catch (error) {
    await close();
    throw error;
  }
}

function makeEnvironment(input: {
  readonly port: number;
  readonly vaultPort: number;
  readonly database: FaultDatabase;
  readonly gates: Pick<FaultWorld['gates'], 'chain' | 'vault' | 'acquirer' | 'bank'>;
  readonly secrets: ReturnType<typeof makeProductionSecrets>;
  readonly testToken: string;
}) {
  const { port, vaultPort, database, gates, secrets } = input;
  const [vault, api, worker] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const shared = { PURSER_ENVIRONMENT: 'development', SERVICE_DOMAIN: 'localhost', LOG_LEVEL: 'warn' };
  const main = {
    ...shared,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}/api`,
    DATABASE_URL: database.urls.main,
    DATABASE_POOL_SIZE: '10',
    KEY_SIGNING_SEED: secrets.keySigningSeed,
    KEY_ENCRYPTION_KEYS: `one=${secrets.keyEncryptionKey}`,
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
  return {
    api: { ...main, VAULT_API_SEED: hex(api) },
    worker: { ...main, VAULT_WORKER_SEED: hex(worker) },
    vault: {
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
      FAULTS_BANK_URL: gates.bank.url,
      VAULT_KEY_ENCRYPTION_KEYS: `one=${hex(randomBytes(32))}`,
      VAULT_SIGNING_SEED: hex(vault),
      VAULT_PEERS: `api=${hex(internalPublicKey(api))},worker=${hex(internalPublicKey(worker))}`,
      KEY_SIGNING_PUBLIC_KEY: hex(publicKeyOfSeed(Buffer.from(secrets.keySigningSeed, 'base64'))),
    },
  };
}
