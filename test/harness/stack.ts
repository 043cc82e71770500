import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import { aptosLocalChain } from '../../devnet/aptos/family.ts';
import {
  type Devnet,
  evmChains,
  planGenesis,
  startDevnet,
  testStablecoinAddress,
} from '../../devnet/index.ts';
import { solanaLocalChain } from '../../devnet/solana/local.ts';
import { stellarLocalChain } from '../../devnet/stellar/family.ts';
import { suiLocalChain } from '../../devnet/sui/family.ts';
import { consoleRoutes } from '../../src/areas/operator/index.ts';
import { publicRoutes, socketRoutes } from '../../src/areas/public-routes.ts';
import { routes } from '../../src/areas/routes.ts';
import { createDirectoryPusher } from '../../src/areas/vault-directory/index.ts';
import { evmNetworks } from '../../src/chains/evm/config/networks.ts';
import type { EvmConfig } from '../../src/config/config.ts';
import { developmentConfig, developmentSecrets } from '../../src/config/development-config.ts';
import type { Ctx } from '../../src/context.ts';
import { pokeWorkers } from '../../src/jobs/index.ts';
import { createMovableClock } from '../../src/lib/clock.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import { mcpRoute } from '../../src/mcp/http.ts';
import { composeCtx } from '../../src/processes/compose.ts';
import { type Running, stopAll } from '../../src/processes/lifecycle.ts';
import { runWorker } from '../../src/processes/worker/run.ts';
import { apiRole, asRole, workerRole } from '../../src/store/grants.ts';
import { startTestDatabase } from './database.ts';
import { type CallAnswer, type CallOptions, serveTestApi, type TestApi } from './http.ts';
import { type StackVault, startStackVault } from './stack-vault.ts';

/**
 * The whole service as `npm start` composes it: real database, real local chains, API and worker in
 * this process.
 */
export interface Stack {
  readonly api: TestApi;
  readonly ctx: Ctx;
  readonly devnet: Devnet;
  /** Where its secrets are, for a process beside it. */
  readonly dataDir: string;
  /** With `{ vault: true }` only. */
  readonly vault?: StackVault;
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>;
  /** The transaction once it has ended. @throws after 30 s */
  waitForTransaction(walletLocator: string, id: string): Promise<CallAnswer['body']>;
  /** Asks the chain's node, past the service. */
  /** Of the node of a local chain. */
  urlOf(chain: string): string;
  chainCall<T>(chain: string, method: string, params: readonly unknown[]): Promise<T>;
  setNativeBalance(chain: string, address: string, wei: bigint): Promise<void>;
  tokenAddress(chain: string, symbol: string): Promise<string>;
  /** Stops the worker, does this, and starts so many workers. */
  withoutWorker<T>(work: () => Promise<T>, workers?: number): Promise<T>;
  /** Moves the service's clock alone; the chains stay. */
  advanceClock(ms: number): void;
  /**
   * Lets time pass as `purser clock advance` does: for service, vault and chains. Work that is due
   * starts at once.
   */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface StackOptions {
  /** Without a worker nothing is relayed or watched. */
  readonly worker?: boolean;
  /** A vault with the sandbox bank, which the API and the worker know. */
  readonly vault?: boolean;
  readonly logLevel?: string;
  /**
   * The rules of production, with the sandboxes of development: `base` is a local chain, and there
   * are no test networks.
   */
  readonly production?: boolean;
  /** Local chains beside those of EVM; Solana's with fast slots. */
  readonly families?: readonly (keyof typeof localChains)[];
  /** Of the console; none when absent. The API then listens on its port. */
  readonly console?: { readonly url: string };
  /** What stands between the service and its node of a chain; the node itself by default. */
  readonly nodeOf?: (chain: string, url: string) => string;
  /** EVM chains whose nodes have the rules of an older EVM, e.g. `cancun`. */
  readonly hardforks?: Readonly<Record<string, string>>;
  /** Settings of EVM other than those of development. */
  readonly evm?: (urlOf: (chain: string) => string) => Partial<EvmConfig>;
}

/** Each connection reads and plans anew what it is asked for the first time. */
const poolSize = 4;
const fundedWei = 10n ** 24n;
const waitMaxMs = 30_000;
const solanaSlotMs = 50;
const stellarLedgerMs = 500;

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'purser-stack-'));
  const parts: Running[] = [
    { name: 'folder', stop: async () => rmSync(dataDir, { recursive: true, force: true }) },
  ];
  const log = pino({ level: options.logLevel ?? 'silent' });
  const close = () => stopAll(parts, log);
  try {
    const database = await startTestDatabase({ poolSize: 2 });
    parts.push({ name: 'database', stop: () => database.close() });
    const clock = createMovableClock();
    const networks = evmNetworks.filter(({ name, testnet }) =>
      options.production ? name === 'base' : testnet,
    );
    const { devnet, testTokenAddress } = await startTestChains({
      dataDir,
      now: () => clock.now(),
      wanted: networks,
      families: options.families ?? [],
      hardforks: options.hardforks ?? {},
    });
    parts.push({ name: 'chains', stop: () => devnet.stop() });
    const vault = options.vault ? await startStackVault({ dataDir, clock, log, parts }) : undefined;
    const { nodeOf = (_chain: string, url: string) => url } = options;
    const used = networks.filter(({ chainId }) => chainId !== undefined);
    const names = [...used.map(({ name }) => name), ...(options.families ?? [])];
    const rpcUrls = new Map(names.map((name) => [name, nodeOf(name, devnet.urlOf(name))]));
    const development = developmentConfig({
      dataDir,
      databaseUrl: database.url,
      rpcUrls,
      testTokenAddress,
      vaultOrigin: vault?.origin,
    });
    const evm = { ...development.evm, ...options.evm?.((name) => devnet.urlOf(name)) };
    // Pages are made and passkeys signed for one address: tests of the console name theirs.
    const config = {
      ...development,
      database: { ...development.database, poolSize },
      console: options.console,
      evm,
      ...(options.production && { environment: 'production' as const }),
    };
    const ctx = await composeCtx(config, { log, process: 'test', clock });
    parts.push({ name: 'store', stop: () => ctx.store.close() });
    // Requests and durable work are done with the rights of the API and the worker; what a test
    // does itself, as the owner.
    const asProcess = async (role: string, closedWith: Running[]): Promise<Ctx> => {
      const own = {
        ...config,
        database: { ...config.database, url: new Secret(asRole(database.url, role)) },
      };
      const composed = await composeCtx(own, {
        log,
        process: `test-${role}`,
        clock,
        beside: ctx.store,
      });
      closedWith.push({ name: `store of ${role}`, stop: () => composed.store.close() });
      return { ...composed, providers: replaceable(composed.providers, ctx.providers) };
    };
    const api = await serveTestApi(ctx, {
      served: await asProcess(apiRole, parts),
      routes,
      server: { publicRoutes, socketRoutes, consoleRoutes, keyedRoutes: [mcpRoute] },
      ...(options.console && { port: Number(new URL(options.console.url).port) }),
    });
    parts.push({ name: 'api', stop: () => api.close() });
    if (vault) await createDirectoryPusher(ctx).run();
    const workers: Running[] = [];
    parts.push({ name: 'workers', stop: () => stopAll(workers, log) });
    const startWorkers = async (count: number) => {
      for (let started = 0; started < count; started++)
        workers.push(await runWorker(await asProcess(workerRole, workers)));
    };
    if (options.worker !== false) await startWorkers(1);
    const withoutWorker = async <T>(work: () => Promise<T>, count = 1): Promise<T> => {
      await stopAll(workers.splice(0), log);
      const done = await work();
      await startWorkers(count);
      return done;
    };
    return createStack({ api, ctx, dataDir, devnet, vault, clock, withoutWorker, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A process's own providers, save those that a test has put another one in place of, in the context
 * that it holds.
 */
function replaceable(own: Ctx['providers'], held: Ctx['providers']): Ctx['providers'] {
  const before = { ...held };
  return new Proxy(own, {
    get: (_, name: keyof Ctx['providers']) =>
      held[name] === before[name] ? own[name] : held[name],
  });
}

const localChains = {
  solana: (local: Parameters<typeof solanaLocalChain>[0]) =>
    solanaLocalChain(local, { slotMs: solanaSlotMs }),
  aptos: aptosLocalChain,
  sui: suiLocalChain,
  stellar: (local: Parameters<typeof stellarLocalChain>[0]) =>
    stellarLocalChain(local, { ledgerMs: stellarLedgerMs }),
} as const;

interface TestChainsInput {
  readonly dataDir: string;
  readonly now: () => Date;
  readonly wanted: typeof evmNetworks;
  readonly families: NonNullable<StackOptions['families']>;
  readonly hardforks: NonNullable<StackOptions['hardforks']>;
}

async function startTestChains(input: TestChainsInput) {
  const { dataDir, now, wanted, families, hardforks } = input;
  const { treasuryKey, executorKeys } = developmentSecrets(dataDir);
  const treasury = privateKeyToAddress(treasuryKey.reveal());
  const funded = [treasury, ...executorKeys.map((key) => privateKeyToAddress(key.reveal()))].map(
    (address) => ({
      address,
      wei: fundedWei,
    }),
  );
  const networks = wanted.flatMap((network) =>
    network.chainId === undefined
      ? []
      : [{ ...network, chainId: network.chainId, hardfork: hardforks[network.name] }],
  );
  const common = { dataDir: join(dataDir, 'chains'), onProgress: () => undefined, now };
  const genesis = (network: (typeof networks)[number]) =>
    planGenesis({ tokens: network.tokens, minter: treasury, funded });
  const local = { dataDir, chainsDir: common.dataDir, now };
  const others = families.map((name) => localChains[name](local));
  const devnet = await startDevnet({
    ...common,
    chains: [...evmChains({ ...common, chains: networks, genesis }), ...others],
  });
  return { devnet, testTokenAddress: testStablecoinAddress(treasury) };
}

function createStack(input: {
  api: TestApi;
  ctx: Ctx;
  dataDir: string;
  devnet: Devnet;
  vault: StackVault | undefined;
  clock: { advance(ms: number): void };
  withoutWorker: Stack['withoutWorker'];
  close: () => Promise<void>;
}): Stack {
  const { api, ctx, devnet } = input;
  async function chainCall<T>(
    chain: string,
    method: string,
    params: readonly unknown[],
  ): Promise<T> {
    const response = await fetch(devnet.urlOf(chain), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { result: T; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }
  return {
    ...input,
    call: api.call,
    urlOf: (chain) => devnet.urlOf(chain),
    chainCall,
    async waitForTransaction(walletLocator, id) {
      for (const endAt = Date.now() + waitMaxMs; ; await delay(100)) {
        const { body } = await api.call(
          'GET',
          `/2025-06-09/wallets/${walletLocator}/transactions/${id}`,
        );
        if (body.status === 'success' || body.status === 'failed') return body;
        if (Date.now() > endAt)
          throw new Error(
            `transaction ${id} is still ${String(body.status)} after ${waitMaxMs} ms: ${JSON.stringify(body)}`,
          );
      }
    },
    setNativeBalance: (chain, address, wei) =>
      chainCall(chain, 'anvil_setBalance', [address, `0x${wei.toString(16)}`]),
    async tokenAddress(chain, symbol) {
      const { address } = await ctx.chains.familyOfChain(chain).resolveToken(chain, { symbol });
      if (address === undefined) throw new Error(`${symbol} on ${chain} has no address`);
      return address;
    },
    advanceClock: input.clock.advance,
    async advance(ms) {
      input.clock.advance(ms);
      await devnet.alignTime();
      for (const one of [ctx, input.vault?.ctx]) if (one) pokeWorkers(one);
    },
  };
}
