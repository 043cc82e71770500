import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { developmentSecrets, developmentSolana } from '../../src/config/development-config.ts';
import { type Devnet, startDevnet } from '../devnet.ts';
import { type LocalFamilyName, planLocalFamilies, readLocalFamilies } from '../families.ts';
import { aFolder, waitUntil } from '../testing/builders.ts';
import { solanaLocalChain } from './local.ts';
import { callMethod } from './testing/clients.ts';

const folder = aFolder();
const chainsDir = join(folder.path, 'chains');
let aheadMs = 0;
let devnet: Devnet;

async function start(): Promise<Devnet> {
  const input = { dataDir: folder.path, chainsDir, now: () => new Date(Date.now() + aheadMs) };
  const chains = [solanaLocalChain(input, { slotMs: 50 })];
  return startDevnet({ dataDir: chainsDir, chains, onProgress: () => undefined, now: input.now });
}

beforeAll(async () => {
  devnet = await start();
});
afterAll(async () => {
  await devnet.stop();
  folder.remove();
});

const call = async (method: string, ...params: unknown[]) =>
  (await callMethod(devnet.urlOf('solana'), method, ...params)).result;
const balanceOf = async (address: string) =>
  (await call('getBalance', address, { commitment: 'processed' })).value;

describe('Solana among the local chains', () => {
  it('is there beside EVM, and starts at its first use', async () => {
    const common = {
      dataDir: folder.path,
      chainsDir,
      onProgress: () => undefined,
      now: () => new Date(),
    };
    const names = async (families?: readonly LocalFamilyName[]) =>
      (await planLocalFamilies(common, families)).chains.map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(['base-sepolia', 'solana']));
    expect(await names(['evm'])).not.toContain('solana');
    expect(() => readLocalFamilies(['solano'])).toThrow(
      'no local chains of the family "solano": evm, solana',
    );
    expect(devnet.running()).toEqual([]);
    expect(await call('getHealth')).toBe('ok');
    expect(devnet.running()).toEqual(['solana']);
  });

  it('holds money for the accounts of the instance, USDC, the test stablecoin and the wallet program', async () => {
    const { solana } = developmentSecrets(folder.path);
    const { testTokenMint, walletProgramId } = developmentSolana(undefined, solana);
    const { value } = await call(
      'getMultipleAccounts',
      [testTokenMint, '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', walletProgramId],
      {
        encoding: 'jsonParsed',
      },
    );
    for (const mint of value.slice(0, 2))
      expect(mint.data.parsed.info).toMatchObject({
        decimals: 6,
        supply: '0',
        isInitialized: true,
      });
    expect(value[2]).toMatchObject({ executable: true });
    for (const key of [solana.treasuryKey, ...solana.feePayerKeys])
      expect(await balanceOf(bs58.encode(key.reveal().subarray(32)))).toBe(1_000_000 * 1e9);
  });

  it('is reached by web sockets through the gateway', async () => {
    const socket = new WebSocket(devnet.urlOf('solana').replace('http:', 'ws:'));
    const told = new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        const { method } = JSON.parse(data.toString());
        if (method === 'slotNotification') resolve(method);
      });
    });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe' }));
    expect(await told).toBe('slotNotification');
    socket.close();
  });

  it('is moved on with the time of the service, and keeps what happened when its process is killed and when all is started anew', async () => {
    const stranger = 'So11111111111111111111111111111111111111112';
    const before = await balanceOf(stranger);
    await call('requestAirdrop', stranger, 1_000_000_000);
    aheadMs += 3_600_000;
    await devnet.alignTime();
    const hour = Math.floor(Date.now() / 1000) + 3_590;
    expect(await call('devnet_time')).toBeGreaterThan(hour);
    const { pid } = JSON.parse(readFileSync(join(chainsDir, 'solana', 'node.json'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => devnet.running().length === 0);
    expect(await balanceOf(stranger)).toBe(before + 1_000_000_000);
    await devnet.stop();
    devnet = await start();
    expect(await balanceOf(stranger)).toBe(before + 1_000_000_000);
    expect(await call('devnet_time')).toBeGreaterThan(hour);
  });
});
