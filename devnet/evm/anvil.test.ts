/** @module-tag slow */

import { spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeze } from '../../test/harness/processes.ts';
import { DevnetError } from '../errors.ts';
import { stampOf } from '../process.ts';
import { aFolder, call, sendValue, startHolder, waitUntil } from '../testing/builders.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { findAnvil } from './anvil-node.ts';
import { saveState } from './anvil-state.ts';
import {
  advanceTime,
  mineBlocks,
  readHeight,
  reorganise,
  restoreSnapshot,
  takeSnapshot,
} from './reorg.ts';

const alice = '0x00000000000000000000000000000000000a11ce';
const bob = '0x0000000000000000000000000000000000000b0b';
const messages: string[] = [];
const log = (message: string) => void messages.push(message);
let folder: ReturnType<typeof aFolder>;
let stateFile: string;
const opened: Anvil[] = [];

async function start(options: Partial<Parameters<typeof startAnvil>[0]> = {}): Promise<Anvil> {
  const node = await startAnvil({ chainId: 84532, stateFile, log, ...options });
  opened.push(node);
  return node;
}

const balanceOf = async (node: Anvil) =>
  BigInt(String(await call(node.url, 'eth_getBalance', [alice, 'latest'])));
const headOf = async (url: string) =>
  (await call(url, 'eth_getBlockByNumber', ['latest', false])) as {
    hash: string;
    timestamp: string;
  };
const aheadOf = async (url: string) => Number((await headOf(url)).timestamp) - Date.now() / 1000;

beforeEach(() => {
  folder = aFolder();
  stateFile = join(folder.path, 'chain.state');
  messages.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((node) => node.stop()));
  folder.remove();
});

describe('a local chain', () => {
  it('has its chain id, no account with money, a large block and the P-256 precompile', async () => {
    const node = await start({ stateFile: undefined, chainId: 421614 });
    expect(await call(node.url, 'eth_chainId')).toBe('0x66eee');
    expect(await call(node.url, 'eth_accounts')).toEqual([]);
    expect(
      await call(node.url, 'eth_getBalance', [
        '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        'latest',
      ]),
    ).toBe('0x0');
    expect(
      Number(
        ((await call(node.url, 'eth_getBlockByNumber', ['latest', false])) as { gasLimit: string })
          .gasLimit,
      ),
    ).toBe(300_000_000);
    // RIP-7212's first test vector.
    const vector =
      '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e';
    expect(
      await call(node.url, 'eth_call', [
        { to: '0x0000000000000000000000000000000000000100', data: vector },
        'latest',
      ]),
    ).toBe(`0x${'1'.padStart(64, '0')}`);
  });

  it('goes on where it was after an orderly stop: balances, receipts, blocks', async () => {
    const first = await start();
    expect(first.origin).toBe('fresh');
    const hash = await sendValue(first.url, alice, 5n);
    const head = await headOf(first.url);
    const receipt = await call(first.url, 'eth_getTransactionReceipt', [hash]);
    await first.stop();
    expect(stampOf(first.pid)).toBeUndefined();
    const second = await start();
    expect(second.origin).toBe('restored');
    expect(await balanceOf(second)).toBe(5n);
    expect(await headOf(second.url)).toEqual(head);
    expect(await call(second.url, 'eth_getTransactionReceipt', [hash])).toEqual(receipt);
    await sendValue(second.url, alice, 6n);
    expect(await balanceOf(second)).toBe(11n);
  });

  it('saves by itself what happened, so that a killed node goes on from there', async () => {
    const first = await start();
    await sendValue(first.url, alice, 5n);
    await waitUntil(() => existsSync(stateFile));
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const second = await start();
    expect(await balanceOf(second)).toBe(5n);
  });

  it('keeps what was there when `save` was called, whatever happens afterwards', async () => {
    const first = await start();
    await sendValue(first.url, alice, 5n);
    await Promise.all([first.save(), first.save()]);
    await sendValue(first.url, alice, 6n);
    await first.save();
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    expect(await balanceOf(await start())).toBe(11n);
  });

  it('keeps its moved clock over a restart', async () => {
    const first = await start();
    await advanceTime(first.url, 3 * 86_400);
    await first.stop();
    const second = await start();
    await mineBlocks(second.url, 1);
    expect(Math.abs((await aheadOf(second.url)) - 3 * 86_400)).toBeLessThan(60);
  });

  it('mines at intervals where that is wanted', async () => {
    const node = await start({ stateFile: undefined, blockTimeS: 1 });
    await waitUntil(async () => (await readHeight(node.url)) >= 2);
  });

  it('is reorganised: what was in the replaced blocks is gone, and what is named comes back', async () => {
    const node = await start({ stateFile: undefined });
    await mineBlocks(node.url, 3);
    const hash = await sendValue(node.url, alice, 5n);
    const before = await headOf(node.url);
    const height = await readHeight(node.url);
    await reorganise(node.url, 2);
    expect(await readHeight(node.url)).toBe(height);
    expect((await headOf(node.url)).hash).not.toBe(before.hash);
    expect(await call(node.url, 'eth_getTransactionReceipt', [hash])).toBeNull();
    expect(await balanceOf(node)).toBe(0n);
    const snapshot = await takeSnapshot(node.url);
    await sendValue(node.url, alice, 7n);
    await restoreSnapshot(node.url, snapshot);
    expect(await balanceOf(node)).toBe(0n);
    await expect(restoreSnapshot(node.url, snapshot)).rejects.toThrow();
  });
});

describe('a reorganisation', () => {
  it('waits until what was sent before is in a block', async () => {
    const node = await start({ stateFile: undefined });
    await mineBlocks(node.url, 3);
    await call(node.url, 'evm_setAutomine', [false]);
    await call(node.url, 'anvil_setBalance', [bob, '0xde0b6b3a7640000']);
    await call(node.url, 'anvil_impersonateAccount', [bob]);
    await call(node.url, 'eth_sendTransaction', [{ from: bob, to: alice, value: '0x5' }]);
    let isOver = false;
    const reorganising = reorganise(node.url, 1).then(() => (isOver = true));
    await delay(300);
    expect([isOver, await readHeight(node.url)]).toEqual([false, 3]);
    await mineBlocks(node.url, 1);
    await reorganising;
    expect([await readHeight(node.url), await balanceOf(node)]).toEqual([4, 0n]);
  });
});

describe('after a kill of the parent', () => {
  it('the node is taken over with everything that it knows, and stop ends it', async () => {
    const holder = await startHolder('anvil', folder.path);
    await sendValue(String(holder.told.url), alice, 5n);
    await holder.kill();
    const node = await start();
    expect(node).toMatchObject({ origin: 'adopted', pid: holder.told.pid, url: holder.told.url });
    expect(await balanceOf(node)).toBe(5n);
    await node.stop();
    expect(stampOf(node.pid)).toBeUndefined();
    expect(await balanceOf(await start())).toBe(5n);
  });

  it('a node that mines otherwise than wanted is saved, ended and started anew', async () => {
    const holder = await startHolder('anvil', folder.path);
    await sendValue(String(holder.told.url), alice, 5n);
    await holder.kill();
    const node = await start({ blockTimeS: 60 });
    expect(node.origin).toBe('restored');
    expect(stampOf(Number(holder.told.pid))).toBeUndefined();
    expect(await balanceOf(node)).toBe(5n);
  });

  it('a node that hangs is ended, and the chain goes on from its last save', async () => {
    const holder = await startHolder('anvil', folder.path);
    await sendValue(String(holder.told.url), alice, 5n);
    await waitUntil(() => existsSync(stateFile));
    await holder.kill();
    await freeze(Number(holder.told.pid));
    const node = await start();
    expect(node.origin).toBe('restored');
    expect(stampOf(Number(holder.told.pid))).toBeUndefined();
    expect(await balanceOf(node)).toBe(5n);
  }, 120_000);

  it('a throw-away chain ends by itself', async () => {
    const holder = await startHolder('throw-away-anvil', folder.path);
    await holder.kill();
    await waitUntil(() => stampOf(Number(holder.told.pid)) === undefined);
  });

  it('the pid of a stranger is not taken for the node', async () => {
    const first = await start();
    await sendValue(first.url, alice, 5n);
    await first.save();
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const stranger = spawn('sleep', ['60']);
    const record = JSON.parse(readFileSync(`${stateFile}.pid`, 'utf8')) as Record<string, unknown>;
    writeFileSync(
      `${stateFile}.pid`,
      JSON.stringify({
        ...record,
        pid: stranger.pid,
        owner: { pid: stranger.pid, stamp: 'long ago' },
      }),
    );
    const node = await start();
    expect(node.origin).toBe('restored');
    expect(stampOf(stranger.pid!)).toBeDefined();
    stranger.kill('SIGKILL');
  });
});

describe('a state file that cannot be read', () => {
  async function makeTwoSaves(): Promise<void> {
    const node = await start();
    await sendValue(node.url, alice, 5n);
    await node.save();
    await sendValue(node.url, alice, 6n);
    await node.stop();
  }

  it('is passed over for the one before it', async () => {
    await makeTwoSaves();
    truncateSync(stateFile, 1_000);
    const node = await start();
    expect(await balanceOf(node)).toBe(5n);
    expect(messages.join()).toContain('cannot be read: going on from the one before it');
  });

  it('missing after a kill between two renames, is taken from the one before it', async () => {
    await makeTwoSaves();
    rmSync(stateFile);
    expect(await balanceOf(await start())).toBe(5n);
  });

  it('and none before it gives one sentence, rather than an empty chain', async () => {
    await makeTwoSaves();
    truncateSync(stateFile, 1_000);
    truncateSync(`${stateFile}.bak`, 0);
    await expect(start()).rejects.toThrow(
      /^The saved state of the local chain in .* cannot be read: delete it/,
    );
  });

  it("that is no state at all gives one sentence with the node's words", async () => {
    const { gzipSync } = await import('node:zlib');
    writeFileSync(stateFile, gzipSync('{"block":'));
    const error = await start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DevnetError);
    expect(String(error)).toMatch(
      /The local chain 84532 could not start: it ended with 2\.\n.*failed to parse json/s,
    );
    expect(readdirSync(folder.path).filter((name) => /\.(pid|load|new)$/.test(name))).toEqual([]);
  });

  it('is never left half-written: a node that dies during a dump leaves the old one', async () => {
    const node = await start();
    await sendValue(node.url, alice, 5n);
    await node.save();
    const before = readFileSync(stateFile);
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"0x1f8b08',
        );
        setImmediate(() => socket.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await expect(saveState(`http://127.0.0.1:${port}`, stateFile)).rejects.toThrow();
    server.close();
    expect(readFileSync(stateFile).equals(before)).toBe(true);
  });
});

describe('a start that is refused', () => {
  it('because the port is taken says so', async () => {
    const node = await start({ stateFile: undefined });
    await expect(start({ port: node.port })).rejects.toThrow(
      `Port ${node.port} for the local chain 84532 is in use`,
    );
  });

  it('because another live process keeps the chain says so', async () => {
    const holder = await startHolder('anvil', folder.path);
    await expect(start()).rejects.toThrow(
      `is in use by another Purser (process ${holder.child.pid})`,
    );
    await holder.kill();
    await start();
  });

  it('because the package is missing names it', () => {
    expect(() => findAnvil('plan9', 'mips')).toThrow(
      'The npm package @foundry-rs/anvil-plan9-mips with the local chain for this machine is not installed',
    );
  });
});
