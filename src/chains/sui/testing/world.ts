import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { startSuiChain } from '../../../../devnet/sui/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type {
  FamilyWallet,
  LateSignInput,
  OperationOutcome,
  PreparedOperation,
  Running,
} from '../../family.ts';
import { addressOfPublicKey } from '../addresses.ts';
import { suiCoinType, suiNetwork } from '../config/networks.ts';
import { prepareSuiOperation } from '../operation/prepare.ts';
import { signedBytes } from '../operation/stored.ts';
import { submitSuiOperations } from '../operation/submit.ts';
import { suiTransferParams } from '../operation/transfer.ts';
import { createGasLeases } from '../relay/gas/leases.ts';
import { createSigningAccount } from '../relay/keys.ts';
import { type RelayDeps, runRelay } from '../relay/run.ts';
import { createConnections } from '../rpc/connections.ts';
import { readBalance } from '../rpc/objects.ts';
import { createSuiTokens } from '../tokens/tokens.ts';
import { newSuiAddress, usd } from './bed.ts';
import { startLyingNode } from './lying-node.ts';

export interface TestWallet extends FamilyWallet {
  readonly seed: Uint8Array;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export const projectId = '00000000-0000-4000-8000-000000000001';
/** Above what a busy machine takes: no test is of this time-out. */
export const rpcTimeoutMs = 30_000;
const fundedMist = 1_000_000_000_000n;
export const bounds = { projectDayMaxMinor: fundedMist, ownerDayMaxMinor: fundedMist };

/**
 * As custody signs: with the key of the wallet, what the operation and the built bytes give
 * together.
 */
export function signWith(seeds: ReadonlyMap<string, Uint8Array>) {
  return async ({ walletId, operation, built }: LateSignInput) =>
    ed25519.sign(signedBytes(operation, built), seeds.get(walletId)!);
}

/** A local chain, a database and wallets that are keys, with the relay as it is asked for. */
export async function openWorld({ sponsorCount = 2 } = {}) {
  const [chain, database] = await Promise.all([startSuiChain(), startTestDatabase()]);
  const node = await startLyingNode(chain.url);
  chain.addCurrency({ type: usd, decimals: 6, symbol: 'USDXM', name: 'Test USD' });
  const sponsorSeeds = Array.from({ length: sponsorCount }, () => new Uint8Array(randomBytes(32)));
  const sponsors = sponsorSeeds.map((seed) => createSigningAccount(new Secret(seed)));
  const give = (owner: string, type: string, amount: bigint): string => {
    const id = newSuiAddress();
    chain.fund(id, owner, { type, amount });
    return id;
  };
  for (const { address } of sponsors) give(address, suiCoinType, fundedMist);
  const network = suiNetwork('development', { testCoinType: usd });
  const log = createLogger({
    level: (process.env['TEST_LOG'] ?? 'silent') as 'silent',
    process: 'test',
  });
  const connections = createConnections({
    network,
    rpcUrl: node.url,
    rpcTimeoutMs,
    log,
    onFirstUse: async () => undefined,
  });
  const connect = () => connections.connect('sui');
  const tokens = createSuiTokens(connections);
  const settings = testConfig().sui.relay;
  const prepareDeps = {
    connections,
    coins: createGasLeases(database.store),
    tokens: { resolveToken: tokens.resolve },
    budgetMax: settings.budgetMaxMist,
    priceMax: settings.priceMaxMist,
  };
  const seeds = new Map<string, Uint8Array>();
  const outcomes: OperationOutcome[] = [];
  const running: Running[] = [];

  const world = {
    chain,
    database,
    node,
    network,
    connect,
    give,
    sponsors,
    sponsorSeeds,
    seeds: seeds as ReadonlyMap<string, Uint8Array>,
    outcomes,
    deps: (rest: Partial<RelayDeps> = {}): RelayDeps => ({
      store: database.store,
      clock: systemClock,
      log,
      network,
      connect,
      sponsors,
      treasury: undefined,
      settings,
      bounds,
      workerName: 'test',
      settleOperations: async (tx, told) => tx.afterCommit(() => void outcomes.push(...told)),
      signBuilt: signWith(seeds),
      ...rest,
    }),
    async start(rest: Partial<RelayDeps> = {}): Promise<Running> {
      const relay = await runRelay(world.deps(rest));
      running.push(relay);
      return relay;
    },
    /** With one coin for each amount. */
    aWallet(...amounts: readonly bigint[]): TestWallet {
      const seed = new Uint8Array(randomBytes(32));
      const publicKey = ed25519.getPublicKey(seed);
      const address = addressOfPublicKey(publicKey);
      for (const amount of amounts) give(address, usd, amount);
      const adminSigner = { type: 'api-key', locator: `api-key:${address}`, address } as const;
      const setup = { publicKey: Buffer.from(publicKey).toString('hex') };
      const wallet: TestWallet = {
        id: randomUUID(),
        type: 'mpc',
        address,
        setup,
        adminSigner,
        seed,
      };
      seeds.set(wallet.id, seed);
      return wallet;
    },
    async prepareTransfer(
      wallet: FamilyWallet,
      amountMinor: bigint,
      recipientAddress: string,
      of: { readonly symbol: string } | { readonly address: string } = { symbol: 'usdxm' },
    ): Promise<PreparedOperation> {
      const transfer = {
        wallet,
        chain: 'sui',
        token: await tokens.resolve('sui', of),
        amountMinor,
        recipientAddress,
      };
      const params = await suiTransferParams(connections.connect, transfer);
      return prepareSuiOperation(prepareDeps, {
        wallet,
        params,
        signer: wallet.adminSigner,
        now: new Date(),
        transfer,
      });
    },
    prepare: (wallet: FamilyWallet, params: JsonObject) =>
      prepareSuiOperation(prepareDeps, {
        wallet,
        params,
        signer: wallet.adminSigner,
        now: new Date(),
      }),
    async submit(
      wallet: TestWallet,
      { operation }: Pick<PreparedOperation, 'operation'>,
      owner?: string,
    ): Promise<string> {
      const operationId = randomUUID();
      const stored = JSON.parse(JSON.stringify(operation)) as JsonObject;
      const own = owner === undefined ? wallet : { ...wallet, owner };
      const input = {
        operationId,
        subject: 'transaction',
        projectId,
        wallet: own,
        chain: 'sui',
        operation: stored,
        approvals: [],
      };
      await database.store.transaction((tx) => submitSuiOperations(tx, [input]));
      return operationId;
    },
    amountOf: async (owner: string, coinType = usd) =>
      readBalance(await connect(), { owner, coinType }),
    async outcomeOf(operationId: string): Promise<OperationOutcome> {
      const find = () => outcomes.find((one) => one.operationId === operationId);
      await world.until(() => find() !== undefined, `an outcome of ${operationId}`);
      return find()!;
    },
    /** So many coins that nobody has. */
    async freeCoins(): Promise<number> {
      const { rows } = await database.store.query<{ count: string }>({
        text: `select count(*) from sui_gas_coins where status = 'free'`,
      });
      return Number(rows[0]!.count);
    },
    async until(
      check: () => boolean | Promise<boolean>,
      what: string,
      waitMaxMs = 30_000,
    ): Promise<void> {
      for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(25))
        if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
    },
    async close(): Promise<void> {
      await Promise.all(running.map((one) => one.stop()));
      connections.close();
      node.close();
      await Promise.all([chain.stop(), database.close()]);
    },
  };
  return world;
}
