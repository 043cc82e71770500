import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Devnet, type DevnetOptions, removeDevnet, startDevnet } from './devnet.ts';
import { type EvmChainName, evmChains } from './evm/chains.ts';
import { stampOf } from './process.ts';
import {
  aChain,
  aFolder,
  aGenesis,
  call,
  sendValue,
  startHolder,
  usdcOnBaseSepolia,
  waitUntil,
} from './testing/builders.ts';

const alice = '0x00000000000000000000000000000000000a11ce';
const chains = [
  aChain(),
  aChain({ name: 'ethereum-sepolia', chainId: 11_155_111 }),
  aChain({ name: 'broken', chainId: 99 }),
];
const messages: string[] = [];
let folder: ReturnType<typeof aFolder>;
let dataDir: string;
const opened: Devnet[] = [];

function genesis(chain: EvmChainName) {
  const plan = aGenesis(chain);
  return chain.name === 'broken'
    ? { ...plan, deployments: [{ ...plan.deployments[0]!, initCode: '0xfe' as const }] }
    : plan;
}

async function start({
  chains: wanted = chains,
  ...options
}: Partial<Omit<DevnetOptions, 'chains'>> & {
  readonly chains?: readonly EvmChainName[];
} = {}): Promise<Devnet> {
  const common = {
    dataDir,
    onProgress: (message: string) => void messages.push(message),
    ...options,
  };
  const devnet = await startDevnet({
    ...common,
    chains: evmChains({ ...common, chains: wanted, genesis }),
  });
  opened.push(devnet);
  return devnet;
}

async function post(url: string, body: string): Promise<{ status: number; json: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, json: await response.json() };
}

const ask = (method: string, params: readonly unknown[] = [], id = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const startsOf = (name: string) =>
  messages.filter((message) => message.startsWith(`Starting the local chain ${name}`)).length;
const balanceOf = async (url: string) =>
  BigInt(String(await call(url, 'eth_getBalance', [alice, 'latest'])));

beforeEach(() => {
  folder = aFolder();
  dataDir = join(folder.path, 'chains');
  messages.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((devnet) => devnet.stop()));
  await removeDevnet(dataDir);
  folder.remove();
});

describe('the local chains', () => {
  it('start at their first use, once however many ask at the same time, with their contracts', {
    tags: 'slow',
  }, async () => {
    const devnet = await start();
    expect(devnet.running()).toEqual([]);
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () =>
        post(devnet.urlOf('base-sepolia'), ask('eth_getCode', [usdcOnBaseSepolia, 'latest'])).then(
          ({ json }) => (json as { result: string }).result,
        ),
      ),
      ...Array.from({ length: 5 }, () => devnet.ensure('base-sepolia').then((node) => node.url)),
    ]);
    expect(new Set(answers.slice(0, 20)).size).toBe(1);
    expect(answers[0]!.length).toBeGreaterThan(1_000);
    expect(new Set(answers.slice(20))).toEqual(new Set([`${devnet.rpcUrl}/base-sepolia`]));
    expect(startsOf('base-sepolia')).toBe(1);
    expect(devnet.running()).toEqual(['base-sepolia']);
  });

  it('pass batches and whatever else a node answers through as they are', {
    tags: 'slow',
  }, async () => {
    const devnet = await start();
    const batch = await post(
      devnet.urlOf('base-sepolia'),
      `[${ask('eth_chainId', [], 7)},${ask('no_such_method', [], 8)}]`,
    );
    expect(batch).toEqual({
      status: 200,
      json: [
        { jsonrpc: '2.0', id: 7, result: '0x14a34' },
        { jsonrpc: '2.0', id: 8, error: expect.objectContaining({ code: expect.any(Number) }) },
      ],
    });
    const { nodeUrl } = await devnet.ensure('base-sepolia');
    expect(await post(devnet.urlOf('base-sepolia'), '{"broken')).toEqual(
      await post(nodeUrl, '{"broken'),
    );
    const large = ask('eth_call', [
      { to: alice, data: `0x${'00'.repeat(3_000_000)}`, gas: '0x11e1a300' },
      'latest',
    ]);
    expect(await post(devnet.urlOf('base-sepolia'), large)).toMatchObject({
      status: 200,
      json: { result: '0x' },
    });
  });

  it('are listed with their state', async () => {
    const devnet = await start();
    await devnet.ensure('ethereum-sepolia');
    expect(await (await fetch(devnet.rpcUrl)).json()).toEqual({
      chains: [
        {
          name: 'base-sepolia',
          chainId: 84532,
          status: 'idle',
          rpcUrl: `${devnet.rpcUrl}/base-sepolia`,
        },
        {
          name: 'ethereum-sepolia',
          chainId: 11155111,
          status: 'running',
          rpcUrl: `${devnet.rpcUrl}/ethereum-sepolia`,
        },
        { name: 'broken', chainId: 99, status: 'idle', rpcUrl: `${devnet.rpcUrl}/broken` },
      ],
    });
  });

  it('refuse in JSON-RPC words what they cannot serve', async () => {
    const devnet = await start();
    expect(await post(`${devnet.rpcUrl}/toString`, ask('eth_chainId'))).toEqual({
      status: 404,
      json: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'There is no local chain "toString": GET / lists those there are.',
        },
      },
    });
    expect((await post(`${devnet.rpcUrl}/%E0%A4%A`, ask('eth_chainId'))).status).toBe(404);
    expect(() => devnet.urlOf('mars')).toThrow('There is no local chain "mars"');
    await expect(devnet.ensure('mars')).rejects.toThrow('There is no local chain "mars"');
    expect(devnet.running()).toEqual([]);
  });

  it('say why one could not start, try again at the next use, and leave no node behind', {
    tags: 'slow',
  }, async () => {
    const devnet = await start();
    const answer = await post(devnet.urlOf('broken'), ask('eth_chainId'));
    expect(answer).toEqual({
      status: 502,
      json: {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: expect.stringContaining('Safe would come out at') },
      },
    });
    expect((await post(devnet.urlOf('broken'), ask('eth_chainId'))).status).toBe(502);
    expect(startsOf('broken')).toBe(2);
    expect(devnet.running()).toEqual([]);
    expect(existsSync(join(dataDir, 'broken.state.pid'))).toBe(false);
  });

  it('are found as they were after a stop, and the stop leaves no process', {
    tags: 'slow',
  }, async () => {
    const first = await start();
    const node = await first.ensure('base-sepolia');
    const pid = pidAt(node.nodeUrl);
    await sendValue(node.url, alice, 5n);
    const hash = (
      (await call(node.url, 'eth_getBlockByNumber', ['latest', false])) as { hash: string }
    ).hash;
    await Promise.all([first.stop(), first.stop()]);
    expect(stampOf(pid)).toBeUndefined();
    await expect(fetch(first.rpcUrl)).rejects.toThrow();
    const second = await start();
    expect(second.running()).toEqual([]);
    expect(await balanceOf(second.urlOf('base-sepolia'))).toBe(5n);
    expect(
      (
        (await call(second.urlOf('base-sepolia'), 'eth_getBlockByNumber', ['latest', false])) as {
          hash: string;
        }
      ).hash,
    ).toBe(hash);
  });

  it('start again by themselves when a node dies', { tags: 'slow' }, async () => {
    const devnet = await start();
    const node = await devnet.ensure('base-sepolia');
    await sendValue(node.url, alice, 5n);
    await node.save();
    process.kill(pidAt(node.nodeUrl), 'SIGKILL');
    await waitUntil(() => devnet.running().length === 0);
    expect(await balanceOf(node.url)).toBe(5n);
    expect(startsOf('base-sepolia')).toBe(2);
  });

  it('that outlived a killed parent are taken over at once, and stop ends them though nobody used them', {
    tags: 'slow',
  }, async () => {
    const holder = await startHolder('devnet', dataDir);
    const nodeUrl = String(holder.told.url);
    await sendValue(nodeUrl, alice, 5n);
    const pid = pidAt(nodeUrl);
    await expect(start()).rejects.toThrow(`in use by another Purser (process ${holder.child.pid})`);
    await holder.kill();
    const devnet = await start();
    expect(devnet.running()).toEqual(['base-sepolia']);
    expect((await devnet.ensure('base-sepolia')).nodeUrl).toBe(nodeUrl);
    expect(await balanceOf(devnet.urlOf('base-sepolia'))).toBe(5n);
    await devnet.stop();
    expect(stampOf(pid)).toBeUndefined();
  });

  it('that outlived a killed parent and are wanted no more are ended', {
    tags: 'slow',
  }, async () => {
    const holder = await startHolder('devnet', dataDir);
    const pid = pidAt(String(holder.told.url));
    await holder.kill();
    const devnet = await start({ chains: [chains[1]!] });
    expect(devnet.running()).toEqual([]);
    expect(stampOf(pid)).toBeUndefined();
  });

  it('are removed with their nodes when somebody starts anew', { tags: 'slow' }, async () => {
    const holder = await startHolder('devnet', dataDir);
    const pid = pidAt(String(holder.told.url));
    await holder.kill();
    await removeDevnet(dataDir);
    expect(existsSync(dataDir)).toBe(false);
    expect(stampOf(pid)).toBeUndefined();
  });

  it("go with the service's clock: those that run are moved, those started later follow", {
    tags: 'slow',
  }, async () => {
    const threeDaysS = 3 * 86_400;
    let offsetS = 0;
    const devnet = await start({ now: () => new Date(Date.now() + offsetS * 1000) });
    await devnet.ensure('base-sepolia');
    offsetS = threeDaysS;
    await devnet.advanceTime(threeDaysS);
    for (const name of ['base-sepolia', 'ethereum-sepolia']) {
      const head = (await call((await devnet.ensure(name)).url, 'eth_getBlockByNumber', [
        'latest',
        false,
      ])) as { timestamp: string };
      expect(Math.abs(Number(head.timestamp) - Date.now() / 1000 - threeDaysS)).toBeLessThan(60);
    }
  });

  it('say that their port is in use', async () => {
    const server = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(
      `Port ${port} for the local chains is in use: free it, or choose another.`,
    );
    server.close();
    await start();
  });

  it('stopped while one is starting leave no process', async () => {
    const devnet = await start();
    const asked = devnet.ensure('base-sepolia');
    await devnet.stop();
    const pid = await asked.then((node) => pidAt(node.nodeUrl)).catch(() => 0);
    await expect.poll(() => stampOf(pid), { timeout: 30_000 }).toBeUndefined();
    await expect(devnet.ensure('base-sepolia')).rejects.toThrow('being stopped');
    await expect
      .poll(() => existsSync(join(dataDir, 'base-sepolia.state.pid')), { timeout: 30_000 })
      .toBe(false);
  });
});

/** The process that listens at this address, as its record says. */
function pidAt(nodeUrl: string): number {
  const record = JSON.parse(readFileSync(join(dataDir, 'base-sepolia.state.pid'), 'utf8')) as {
    pid: number;
    port: number;
  };
  expect(nodeUrl).toBe(`http://127.0.0.1:${record.port}`);
  return record.pid;
}
