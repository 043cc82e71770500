import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { advanceTime, mineBlocks } from '../../../../devnet/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { programArgs } from '../../../../test/harness/programs.ts';
import {
  localNetwork,
  planTestWallet,
  startWatchedChain,
  type TestWallet,
  type WatchedChain,
} from '../../../../test/harness/watched-chain.ts';
import {
  caughtUp,
  eventually,
  insertTestWallet,
  readActivity,
  readEventTypes,
  realEntrances,
  runTestWatcher,
} from '../../../../test/harness/watcher-world.ts';
import type { Running } from '../../family.ts';
import { type RpcCall, type RpcClient, RpcError, RpcTransportError } from '../rpc/rpc.ts';
import { watchChain, watcherStatus } from './index.ts';

const chainName = 'base-sepolia';
const networks = [localNetwork()];

let chain: WatchedChain;
let database: TestDatabase;
let wallet: TestWallet & { id: string; projectId: string };
let running: Running[];
let children: ChildProcess[];

beforeEach(async () => {
  [chain, database] = await Promise.all([startWatchedChain(), startTestDatabase({ poolSize: 16 })]);
  const plan = planTestWallet();
  wallet = { ...plan, ...(await insertTestWallet(database.store, { address: plan.address })) };
  running = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(running.map((watcher) => watcher.stop()));
  await database.close();
  await chain.stop();
});

async function start(
  options: Partial<Parameters<typeof runTestWatcher>[0]> = {},
): Promise<Running> {
  const watcher = await runTestWatcher({
    store: database.store,
    networks,
    rpc: () => chain.rpc,
    ...options,
  });
  running.push(watcher);
  return watcher;
}

const settled = async () => caughtUp(database.store, chainName, await chain.height());
const amounts = async () =>
  (await readActivity(database.store, wallet.id)).map((row) => row.amount_minor);
const events = () => readEventTypes(database.store, wallet.projectId);
const status = async () => (await watcherStatus(database.store))[0];

/** Runs a worker process; resolves when it has written `word`. */
async function spawnWorker(mode: 'hang' | 'run', word: string): Promise<ChildProcess> {
  const script = programArgs('test/harness/watcher-process.ts');
  const child = spawn(process.execPath, [...script, database.url, chain.url, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually(
    async () => output,
    (text) => text.includes(word),
  );
  return child;
}

function onCall(rpc: RpcClient, before: (call: RpcCall) => void): RpcClient {
  return {
    request: (method, params = []) => {
      before({ method, params });
      return rpc.request(method, params);
    },
    batch: (calls) => {
      for (const call of calls) before(call);
      return rpc.batch(calls);
    },
    close: () => undefined,
  };
}

describe('a worker', () => {
  it('that is killed in the middle of a range loses nothing and doubles nothing', {
    tags: 'slow',
  }, async () => {
    await watchChain(database.store, chainName);
    await chain.mint(wallet.address, 1n);
    const child = await spawnWorker('hang', 'recorded');
    expect(await amounts()).toEqual([]);
    child.kill('SIGKILL');
    await chain.mint(wallet.address, 2n);
    await start();
    await settled();
    expect(await amounts()).toEqual(['1', '2']);
    expect(await events()).toEqual(['wallets.transfer.in 1', 'wallets.transfer.in 2']);
  });

  it('that is killed leaves its chain to another one after the lease', {
    tags: 'slow',
  }, async () => {
    await watchChain(database.store, chainName);
    const child = await spawnWorker('run', 'running');
    await settled();
    await start();
    child.kill('SIGKILL');
    await chain.mint(wallet.address, 3n);
    await settled();
    expect(await amounts()).toEqual(['3']);
  });

  it('is one of two, and only one of them follows a chain', async () => {
    await watchChain(database.store, chainName);
    const readers = new Set<number>();
    const [one, two] = [0, 1].map((nr) =>
      start({ leaseMs: 1_000, rpc: () => onCall(chain.rpc, () => readers.add(nr)) }),
    );
    await Promise.all([one, two]);
    for (let amount = 1n; amount <= 5n; amount++) await chain.mint(wallet.address, amount);
    await settled();
    expect(readers.size).toBe(1);
    const [first] = readers;
    await (await [one, two][first!]!).stop();
    await chain.mint(wallet.address, 6n);
    await settled();
    expect([...readers]).toEqual([first, 1 - first!]);
    expect(await amounts()).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(await events()).toHaveLength(6);
  });

  it('that was away longer than its lease cannot record any more', { tags: 'slow' }, async () => {
    await watchChain(database.store, chainName);
    let wake = () => undefined as void;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let isAsleep = false;
    await chain.mint(wallet.address, 4n);
    const slow = await start({
      entrances: {
        ownAddresses: async (_tx, addresses) => {
          isAsleep = true;
          await asleep;
          return new Set(addresses);
        },
      },
    });
    await eventually(
      async () => isAsleep,
      (value) => value,
    );
    // What a process that stands still looks like: its lease ends, and another worker takes the
    // chain.
    await database.store.query({
      text: `update evm_watched_chains set lease_until = now() - interval '1 second'`,
    });
    await start();
    await settled();
    wake();
    await slow.stop();
    expect(await amounts()).toEqual(['4']);
    expect(await events()).toHaveLength(1);
  });
});

describe('a chain', () => {
  it('is not touched before its first use, and followed from then on', {
    tags: 'slow',
  }, async () => {
    let calls = 0;
    await start({ rpc: () => onCall(chain.rpc, () => calls++) });
    await chain.mint(wallet.address, 5n);
    expect(await watcherStatus(database.store)).toEqual([]);
    expect(calls).toBe(0);
    await watchChain(database.store, chainName);
    await settled();
    expect(await amounts()).toEqual(['5']);
  });

  it('is followed without any use where every chain is', { tags: 'slow' }, async () => {
    await start({ followAll: true });
    await settled();
    expect(await status()).toMatchObject({ chain: chainName, followed: true, stalled: false });
  });

  it('that is old is followed from the moment of its first use, not from its beginning', {
    tags: 'slow',
  }, async () => {
    await chain.mint(wallet.address, 6n);
    await mineBlocks(chain.url, 3);
    await advanceTime(chain.url, 3_600);
    await database.store.query({
      text: `insert into evm_watched_chains (chain, first_used_at) values ($1, now() + interval '1 hour')`,
      values: [chainName],
    });
    await chain.mint(wallet.address, 7n);
    await start();
    await settled();
    expect(await amounts()).toEqual(['7']);
  });

  it('is followed from a configured block', async () => {
    await chain.mint(wallet.address, 8n);
    const height = await chain.height();
    await chain.mint(wallet.address, 9n);
    await watchChain(database.store, chainName);
    await start({ startHeights: new Map([[chainName, height + 1n]]) });
    await settled();
    expect(await amounts()).toEqual(['9']);
  });

  it('is caught up with in bounded ranges after a long pause', { tags: 'slow' }, async () => {
    await watchChain(database.store, chainName);
    const first = await start();
    await settled();
    await first.stop();
    for (let amount = 1n; amount <= 3n; amount++) {
      await chain.mint(wallet.address, amount);
      await mineBlocks(chain.url, 100);
    }
    const ranges: number[] = [];
    await start({ blockRangeMax: 50, rpc: () => onCall(chain.rpc, noteRanges(ranges)) });
    await settled();
    expect(await amounts()).toEqual(['1', '2', '3']);
    expect(Math.max(...ranges)).toBe(50);
  });

  it("counts a transfer only when the network's confirmations are there", {
    tags: 'slow',
  }, async () => {
    await watchChain(database.store, chainName);
    await start({ networks: [localNetwork({ confirmations: 3 })] });
    await chain.mint(wallet.address, 10n);
    const height = await chain.height();
    await caughtUp(database.store, chainName, height - 2n);
    expect(await amounts()).toEqual([]);
    await mineBlocks(chain.url, 2);
    await caughtUp(database.store, chainName, height);
    expect(await amounts()).toEqual(['10']);
  });
});

describe('a node', { tags: 'slow' }, () => {
  it('that takes only small ranges gets them', async () => {
    await watchChain(database.store, chainName);
    await chain.mint(wallet.address, 1n);
    await mineBlocks(chain.url, 120);
    await chain.mint(wallet.address, 2n);
    const limit = 20;
    const refuseLong = (call: RpcCall) => {
      const range = rangeOf(call);
      if (range !== undefined && range > limit)
        throw new RpcError('eth_getLogs', -32005, 'query returned more than 10000 results');
    };
    const ranges: number[] = [];
    await start({ rpc: () => onCall(onCall(chain.rpc, refuseLong), noteRanges(ranges)) });
    await settled();
    expect(await amounts()).toEqual(['1', '2']);
    expect(ranges.some((range) => range > limit)).toBe(true);
  });

  it('that is down is tried again, shows as failing, and disturbs no other chain', async () => {
    const other = localNetwork({ name: 'optimism-sepolia', chainId: undefined });
    await watchChain(database.store, chainName);
    await watchChain(database.store, other.name);
    let isDown = true;
    const broken = onCall(chain.rpc, () => {
      if (isDown)
        throw new RpcTransportError(
          'connection',
          'The connection to the node at example.test failed.',
        );
    });
    await start({
      networks: [networks[0]!, other],
      rpc: (name) => (name === chainName ? broken : chain.rpc),
      leaseMs: 300,
    });
    await chain.mint(wallet.address, 11n);
    await caughtUp(database.store, other.name, await chain.height());
    const failing = await eventually(
      async () => (await watcherStatus(database.store)).find((row) => row.chain === chainName),
      (row) => row?.failure !== undefined,
    );
    expect(failing).toMatchObject({
      failure: 'The connection to the node at example.test failed.',
      followed: true,
    });
    expect(failing!.failingSince).toBeInstanceOf(Date);
    isDown = false;
    await settled();
    expect(
      (await watcherStatus(database.store)).find((row) => row.chain === chainName),
    ).not.toHaveProperty('failure');
    expect((await readActivity(database.store, wallet.id)).length).toBe(2);
  });

  it('of another chain is refused before anything is read from it', async () => {
    await watchChain(database.store, chainName);
    await start({ networks: [localNetwork({ chainId: 8453 })], leaseMs: 300 });
    const failing = await eventually(status, (row) => row?.failure !== undefined);
    expect(failing!.failure).toMatch(/answers for chain id 84532, not 8453/);
    const { rows } = await database.store.query({
      text: 'select next_height, head_height from evm_watched_chains',
    });
    expect(rows).toEqual([{ next_height: null, head_height: null }]);
  });

  it('that answers nonsense is a failure and no crash', async () => {
    await watchChain(database.store, chainName);
    let isMad = true;
    const mad: RpcClient = {
      ...chain.rpc,
      request: async (method, params) =>
        isMad && method === 'eth_blockNumber'
          ? { height: 'many' }
          : chain.rpc.request(method, params),
    };
    await start({ rpc: () => mad, leaseMs: 300 });
    const failing = await eventually(status, (row) => row?.failure !== undefined);
    expect(failing!.failure).toMatch(/eth_blockNumber/);
    isMad = false;
    await settled();
  });

  it('that lags for one answer is no reorganisation', async () => {
    await watchChain(database.store, chainName);
    let retractions = 0;
    let lag = 0;
    const real = realEntrances(networks);
    const lagging: RpcClient = {
      ...chain.rpc,
      request: async (method, params) => {
        const answer = await chain.rpc.request(method, params);
        if (method !== 'eth_blockNumber' || lag === 0) return answer;
        lag -= 1;
        return `0x${(BigInt(String(answer)) - 2n).toString(16)}`;
      },
    };
    await start({
      rpc: () => lagging,
      entrances: {
        retractTransfers: async (tx, name, height) => {
          retractions += 1;
          await real.retractTransfers(tx, name, height);
        },
      },
    });
    await mineBlocks(chain.url, 5);
    await settled();
    lag = 2;
    await eventually(
      async () => lag,
      (left) => left === 0,
    );
    await chain.mint(wallet.address, 12n);
    await settled();
    expect(retractions).toBe(0);
    expect(await amounts()).toEqual(['12']);
  });
});

describe('the status of the watcher', { tags: 'slow' }, () => {
  it('tells of a chain that nobody follows', async () => {
    await watchChain(database.store, chainName);
    await database.store.query({
      text: `update evm_watched_chains set first_used_at = now() - interval '2 minutes'`,
    });
    expect(await status()).toMatchObject({
      chain: chainName,
      followed: false,
      stalled: true,
      lagBlocks: 0n,
    });
  });

  it('tells how far behind a follower is', async () => {
    await watchChain(database.store, chainName);
    await chain.mint(wallet.address, 13n);
    await mineBlocks(chain.url, 9);
    await start({
      entrances: {
        ownAddresses: () => {
          throw new Error('the database says no');
        },
      },
      leaseMs: 300,
    });
    const failing = await eventually(status, (row) => row?.failure === 'the database says no');
    expect(failing!.lagBlocks).toBeGreaterThan(9n);
  });
});

function rangeOf({ method, params }: RpcCall): number | undefined {
  const [query] = params as [{ fromBlock?: string; toBlock?: string } | undefined];
  if (method !== 'eth_getLogs' || query?.fromBlock === undefined) return undefined;
  return Number(BigInt(query.toBlock!) - BigInt(query.fromBlock)) + 1;
}

function noteRanges(ranges: number[]): (call: RpcCall) => void {
  return (call) => {
    const range = rangeOf(call);
    if (range !== undefined) ranges.push(range);
  };
}
