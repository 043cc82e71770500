import { existsSync, rmSync } from 'node:fs';
import { DevnetError, type Log } from './errors.ts';
import { endStrayAnvils } from './evm/chains.ts';
import { lockFolder } from './folder-lock.ts';
import { type Gateway, type GatewayChains, startGateway } from './gateway.ts';
import { catchUp, type LocalChain, type LocalNode } from './local-chain.ts';

export interface DevnetOptions {
  /** Where the chains are kept between starts. */
  readonly dataDir: string;
  /** Of any family. */
  readonly chains: readonly LocalChain[];
  /** Port of the gateway on 127.0.0.1; absent: any free one. */
  readonly port?: number;
  readonly onProgress: Log;
  /**
   * The service's time, which may be moved: chains that run are moved along. Absent: the machine's.
   */
  readonly now?: () => Date;
}

/** A chain that runs. */
export interface DevnetNode {
  readonly name: string;
  readonly chainId?: number;
  /** Through the gateway: the same after every restart. */
  readonly url: string;
  /** The node itself: one hop less, another port after each restart. */
  readonly nodeUrl: string;
  /** Writes the chain's state to disk now. */
  save(): Promise<void>;
}

export interface Devnet {
  /** The gateway, e.g. `http://127.0.0.1:8545`; it lists the chains. */
  readonly rpcUrl: string;
  /**
   * Address of a chain at the gateway. Its first call starts the chain.
   * @throws DevnetError for an unknown name
   */
  urlOf(name: string): string;
  /** Names of the chains that run now. */
  running(): string[];
  /** Starts a chain if it does not run; many at once start it once. @throws DevnetError */
  ensure(name: string): Promise<DevnetNode>;
  /** Moves the clocks of the chains that run, each with a block at the new time. */
  advanceTime(seconds: number): Promise<void>;
  /**
   * Moves chains that are behind the service's time on to it, each with a block; those that are
   * being started too.
   */
  alignTime(): Promise<void>;
  /**
   * Saves and ends every chain, those that outlived an earlier process as well. May be called
   * twice.
   */
  stop(): Promise<void>;
}

/**
 * Opens the local chains: nothing is started before its first use, except that nodes which outlived
 * a killed process are taken over at once.
 * @throws DevnetError one sentence: data folder or port in use
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const lock = await lockFolder(options.dataDir);
  const chains = createChains(options);
  let gateway: Gateway | undefined;
  try {
    gateway = await startGateway(chains, options.port);
    await takeOverOrphans(options, chains);
  } catch (error) {
    await gateway?.close();
    await chains.stopAll();
    lock.release();
    throw error;
  }
  return createDevnet({ gateway, chains, now: options.now, onStopped: () => lock.release() });
}

/**
 * Deletes all chains of a data folder, with the nodes that may have outlived their parent in it.
 * @throws DevnetError when another Purser uses it
 */
export async function removeDevnet(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const lock = await lockFolder(dataDir);
  try {
    await endStrayAnvils(dataDir, { goesOn: () => false, log: () => undefined });
    rmSync(dataDir, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

interface DevnetParts {
  readonly gateway: Gateway;
  readonly chains: Chains;
  readonly now: (() => Date) | undefined;
  readonly onStopped: () => void;
}

function createDevnet({ gateway, chains, now = () => new Date(), onStopped }: DevnetParts): Devnet {
  const urlOf = (name: string) => {
    if (!chains.has(name)) throw unknownChain(name);
    return `${gateway.url}/${name}`;
  };
  const ensure = async (name: string) => {
    const node = await chains.ensure(name);
    return {
      name,
      chainId: chains.chainIdOf(name),
      url: urlOf(name),
      nodeUrl: node.url,
      save: node.save,
    };
  };
  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await gateway.close();
    await chains.stopAll();
    onStopped();
  }
  const advance = async (seconds: number) => {
    await Promise.all(
      chains.running().map(async (name) => (await chains.ensure(name)).advanceTime(seconds)),
    );
  };
  const align = async () => {
    await Promise.all(
      chains.active().map(async (name) => catchUp(await chains.ensure(name), now())),
    );
  };
  return {
    rpcUrl: gateway.url,
    urlOf,
    running: chains.running,
    ensure,
    advanceTime: advance,
    alignTime: align,
    stop: () => (stopping ??= stop()),
  };
}

interface Chains extends GatewayChains {
  chainIdOf(name: string): number | undefined;
  ensure(name: string): Promise<LocalNode>;
  running(): string[];
  /** Those that run and those that are being started. */
  active(): string[];
  stopAll(): Promise<void>;
}

function createChains({ chains, onProgress }: DevnetOptions): Chains {
  const byName = new Map(chains.map((chain) => [chain.name, chain]));
  const running = new Map<string, LocalNode>();
  const starting = new Map<string, Promise<LocalNode>>();
  let isStopped = false;

  async function start(chain: LocalChain): Promise<LocalNode> {
    onProgress(
      `Starting the local chain ${chain.name}${chain.chainId === undefined ? '' : ` (${chain.chainId})`}.`,
    );
    const node = await chain.start();
    running.set(chain.name, node);
    void node.ended.then(() => {
      running.delete(chain.name);
      if (!isStopped)
        onProgress(`The local chain ${chain.name} ended by itself; its next use starts it again.`);
    });
    return node;
  }

  async function ensure(name: string): Promise<LocalNode> {
    const chain = byName.get(name);
    if (!chain) throw unknownChain(name);
    if (isStopped) throw new DevnetError('The local chains are being stopped.');
    const present = running.get(name) ?? starting.get(name);
    if (present) return present;
    const started = start(chain).finally(() => starting.delete(name));
    starting.set(name, started);
    return started;
  }

  async function stopAll(): Promise<void> {
    isStopped = true;
    await Promise.allSettled(starting.values());
    const results = await Promise.allSettled([...running.values()].map((node) => node.stop()));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return {
    has: (name) => byName.has(name),
    chainIdOf: (name) => byName.get(name)?.chainId,
    urlOf: (name) => running.get(name)?.url ?? ensure(name).then((node) => node.url),
    list: () =>
      chains.map(({ name, chainId }) => ({
        name,
        chainId,
        status: running.has(name) ? 'running' : starting.has(name) ? 'starting' : 'idle',
      })),
    ensure,
    running: () => [...running.keys()],
    active: () => [...new Set([...running.keys(), ...starting.keys()])],
    stopAll,
  };
}

/** Nodes of an earlier process that was killed: those of our chains go on, others are ended. */
async function takeOverOrphans(
  { dataDir, chains: ours, onProgress }: DevnetOptions,
  chains: Chains,
): Promise<void> {
  await Promise.all([
    ...ours.filter((chain) => chain.hasOrphan()).map(({ name }) => chains.ensure(name)),
    endStrayAnvils(dataDir, { goesOn: chains.has, log: onProgress }),
  ]);
}

function unknownChain(name: string): DevnetError {
  return new DevnetError(`There is no local chain "${name}".`);
}
