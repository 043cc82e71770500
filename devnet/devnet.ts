import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Anvil, endOrphan, hasOrphan, startAnvil } from './anvil.ts';
import { alignClock, catchUp } from './anvil-clock.ts';
import { DevnetError, type Log } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { type Gateway, type GatewayChains, startGateway } from './gateway.ts';
import { type GenesisPlan, prepareGenesis } from './genesis.ts';
import { advanceTime } from './reorg.ts';

export interface DevnetChain {
  /** Chain name of the interface, e.g. `base-sepolia`. */
  readonly name: string;
  readonly chainId: number;
}

export interface DevnetOptions<Chain extends DevnetChain = DevnetChain> {
  /** Where the chains are kept between starts. */
  readonly dataDir: string;
  readonly chains: readonly Chain[];
  /** Port of the gateway on 127.0.0.1; absent: any free one. */
  readonly port?: number;
  /** What a chain holds before its first use; called when a chain is started. */
  readonly genesis: (chain: Chain) => GenesisPlan;
  readonly onProgress: Log;
  /** The service's time, which may be moved: a chain that is started is moved along. Absent: the machine's. */
  readonly now?: () => Date;
}

/** A chain that runs. */
export interface DevnetNode {
  readonly name: string;
  readonly chainId: number;
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
  /** Address of a chain at the gateway. Its first call starts the chain. @throws DevnetError for an unknown name */
  urlOf(name: string): string;
  /** Names of the chains that run now. */
  running(): string[];
  /** Starts a chain if it does not run; many at once start it once. @throws DevnetError */
  ensure(name: string): Promise<DevnetNode>;
  /** Moves the clocks of the chains that run, each with a block at the new time. */
  advanceTime(seconds: number): Promise<void>;
  /** Moves chains that are behind the service's time on to it, each with a block; those that are being started too. */
  alignTime(): Promise<void>;
  /** Saves and ends every chain, those that outlived an earlier process as well. May be called twice. */
  stop(): Promise<void>;
}

const stateSuffix = '.state';

/**
 * Opens the local chains: nothing is started before its first use, except that nodes which outlived a killed process are
 * taken over at once.
 * @throws DevnetError one sentence: data folder or port in use
 */
export async function startDevnet<Chain extends DevnetChain>(options: DevnetOptions<Chain>): Promise<Devnet> {
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
    await Promise.all(listOrphans(dataDir).map(({ stateFile }) => endOrphan(stateFile, () => undefined)));
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
    const anvil = await chains.ensure(name);
    return { name, chainId: anvil.chainId, url: urlOf(name), nodeUrl: anvil.url, save: anvil.save };
  };
  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await gateway.close();
    await chains.stopAll();
    onStopped();
  }
  const advance = async (seconds: number) => {
    await Promise.all(chains.running().map(async (name) => advanceTime((await chains.ensure(name)).url, seconds)));
  };
  const align = async () => {
    await Promise.all(chains.active().map(async (name) => catchUp((await chains.ensure(name)).url, now())));
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
  ensure(name: string): Promise<Anvil>;
  running(): string[];
  /** Those that run and those that are being started. */
  active(): string[];
  stopAll(): Promise<void>;
}

function createChains<Chain extends DevnetChain>({ chains, dataDir, genesis, onProgress, now }: DevnetOptions<Chain>): Chains {
  const byName = new Map(chains.map((chain) => [chain.name, chain]));
  const running = new Map<string, Anvil>();
  const starting = new Map<string, Promise<Anvil>>();
  let isStopped = false;

  async function start(chain: Chain): Promise<Anvil> {
    onProgress(`Starting the local chain ${chain.name} (${chain.chainId}).`);
    const anvil = await startAnvil({ chainId: chain.chainId, stateFile: join(dataDir, `${chain.name}${stateSuffix}`), log: onProgress });
    try {
      if (now) await alignClock(anvil.url, now());
      if (await prepareGenesis(anvil.url, genesis(chain))) await anvil.save();
    } catch (error) {
      await anvil.stop();
      throw error;
    }
    running.set(chain.name, anvil);
    void anvil.ended.then(() => {
      running.delete(chain.name);
      if (!isStopped) onProgress(`The local chain ${chain.name} ended by itself; its next use starts it again.`);
    });
    return anvil;
  }

  async function ensure(name: string): Promise<Anvil> {
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
    const results = await Promise.allSettled([...running.values()].map((anvil) => anvil.stop()));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return {
    has: (name) => byName.has(name),
    portOf: (name) => running.get(name)?.port ?? ensure(name).then((anvil) => anvil.port),
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
async function takeOverOrphans(options: { readonly dataDir: string; readonly onProgress: Log }, chains: Chains): Promise<void> {
  const orphans = listOrphans(options.dataDir);
  await Promise.all(
    orphans.map(({ name, stateFile }) => (chains.has(name) ? chains.ensure(name) : endOrphan(stateFile, options.onProgress))),
  );
}

function listOrphans(dataDir: string): { name: string; stateFile: string }[] {
  const names = readdirSync(dataDir).flatMap((file) =>
    file.endsWith(`${stateSuffix}.pid`) ? [file.slice(0, -`${stateSuffix}.pid`.length)] : [],
  );
  return names.map((name) => ({ name, stateFile: join(dataDir, `${name}${stateSuffix}`) })).filter(({ stateFile }) => hasOrphan(stateFile));
}

function unknownChain(name: string): DevnetError {
  return new DevnetError(`There is no local chain "${name}".`);
}
