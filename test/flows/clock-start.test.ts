/** @module-tag slow */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import {
  type DevPlace,
  type DevProcess,
  freePort,
  runProgram,
  startDev,
} from '../harness/dev-process.ts';
import { sendCall } from '../harness/http.ts';

const dayMs = 86_400_000;
const closeMs = 60_000;

describe.runIf(process.platform === 'linux')('the clock of npm start', () => {
  let folder: string;
  let place: DevPlace;
  let dev: DevProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purser-clock-'));
    place = { dataDir: join(folder, 'var'), port: await freePort(), chainsPort: await freePort() };
    dev = await startDev(place);
  });
  afterAll(async () => {
    dev?.child.kill('SIGTERM');
    await dev?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const devFile = () =>
    JSON.parse(readFileSync(join(place.dataDir, 'dev.json'), 'utf8')) as {
      baseUrl: string;
      vaultUrl: string;
      serverKey: string;
      clientKey: string;
      chains: Record<string, { rpcUrl: string }>;
    };
  const purser = (...words: string[]) =>
    runProgram('bin/purser.mjs', [...words, '--data', place.dataDir]);
  const call = (method: string, path: string, body?: object) =>
    sendCall(`${devFile().baseUrl}${path}`, method, { key: devFile().serverKey, body });

  /** How far service, vault and chains are ahead of this machine. */
  async function aheadMs(chains: readonly string[]) {
    const wallet = await call('POST', '/2025-06-09/wallets', {
      chainType: 'evm',
      type: 'smart',
      owner: `userId:at-${Math.random()}`,
      config: { adminSigner: { type: 'api-key' } },
    });
    expect(wallet.status).toBe(201);
    const saved = await sendCall(`${devFile().vaultUrl}/unstable/payment-methods`, 'POST', {
      key: devFile().serverKey,
      body: aUsBody({ userLocator: `userId:owner-${Math.random()}` }),
    });
    expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
    const blocks = await Promise.all(
      chains.map(async (name) => {
        const body = [
          { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['pending', false] },
        ];
        const answer = await sendCall(devFile().chains[name]!.rpcUrl, 'POST', { key: null, body });
        return Number(answer.body[0].result.timestamp) * 1000 - Date.now();
      }),
    );
    const [service, vault] = [wallet.body.createdAt, saved.body.createdAt].map(
      (at: string) => new Date(at).getTime() - Date.now(),
    );
    return {
      service: service!,
      vault: vault!,
      ...Object.fromEntries(chains.map((name, index) => [name, blocks[index]!])),
    };
  }

  /** How far Solana's blocks are ahead of this machine, and the clock that its programs read. */
  async function solanaAheadMs() {
    const ask = async (method: string, params: readonly unknown[]) => {
      const body = { jsonrpc: '2.0', id: 1, method, params };
      const { rpcUrl } = devFile().chains['solana']!;
      return (await sendCall(rpcUrl, 'POST', { key: null, body })).body.result;
    };
    const commitment = 'confirmed';
    const slot = await ask('getSlot', [{ commitment }]);
    const sysvar = 'SysvarC1ock11111111111111111111111111111111';
    const { value } = await ask('getAccountInfo', [sysvar, { commitment, encoding: 'base64' }]);
    const clock = Buffer.from(value.data[0], 'base64').readBigInt64LE(32);
    const [block, program] = [await ask('getBlockTime', [slot]), Number(clock)].map(
      (seconds) => seconds * 1_000 - Date.now(),
    );
    return { block: block!, program: program! };
  }

  const transfer = async () => {
    const funded = await call('POST', '/v1-alpha2/wallets/userId:kim:evm:smart/balances', {
      amount: 5,
      token: 'usdxm',
      chain: 'base-sepolia',
    });
    expect([funded.status, funded.text]).toEqual([201, expect.any(String)]);
    const path = '/2025-06-09/wallets/userId:kim:evm';
    const { status, body } = await call('POST', `${path}/tokens/base-sepolia:usdxm/transfers`, {
      recipient: 'userId:lou',
      amount: '1',
    });
    expect(status).toBe(201);
    for (let tries = 0; tries < 300; tries++) {
      const found = await call('GET', `${path}/transactions/${body.id}`);
      if (['success', 'failed'].includes(found.body.status)) return found.body.status;
      await delay(100);
    }
    return 'pending';
  };

  function expectNear(found: Readonly<Record<string, number>>, wantedMs: number): void {
    for (const [name, ms] of Object.entries(found))
      expect([name, Math.abs(ms - wantedMs) < closeMs]).toEqual([name, true]);
  }

  it('goes on for service, vault and chains with one command, and is still there after a restart', async () => {
    await call('POST', '/2025-06-09/wallets', {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:kim',
      config: { adminSigner: { type: 'api-key' } },
    });
    expect(await transfer()).toBe('success');
    expectNear(await aheadMs(['base-sepolia']), 0);
    expectNear(await solanaAheadMs(), 0);
    const moved = await purser('clock', 'advance', '3d');
    expect([moved.code, moved.output]).toEqual([
      0,
      expect.stringContaining('3d ahead of this machine'),
    ]);
    expectNear(await aheadMs(['base-sepolia', 'polygon-amoy']), 3 * dayMs);
    await expect
      .poll(async () => (await solanaAheadMs()).block, { timeout: 10_000 })
      .toBeGreaterThan(2 * dayMs);
    expectNear(await solanaAheadMs(), 3 * dayMs);
    expect(await transfer()).toBe('success');
    const { output: jwt } = await purser('token', '--user', 'kim');
    // The issuer is new: the vault is told of it within a second, and looks again after five.
    let asUser = 0;
    for (let tries = 0; tries < 100 && asUser !== 200; tries++) {
      asUser = (
        await sendCall(`${devFile().vaultUrl}/unstable/payment-methods`, 'GET', {
          key: devFile().clientKey,
          jwt: jwt.trim(),
        })
      ).status;
      if (asUser !== 200) await delay(100);
    }
    expect(asUser).toBe(200);

    dev.child.kill('SIGTERM');
    await dev.ended;
    expect((await purser('clock', 'advance', '60d')).output).toMatch(/does not answer/);
    dev = await startDev(place);
    expectNear(await aheadMs(['base-sepolia', 'polygon-amoy', 'optimism-sepolia']), 3 * dayMs);
    expectNear(await solanaAheadMs(), 3 * dayMs);
    for (const _ of [1, 2]) expect((await purser('clock', 'advance', '60d')).code).toBe(0);
    expect(await transfer()).toBe('success');
    expectNear(await aheadMs(['base-sepolia', 'polygon-amoy']), 123 * dayMs);
    expect((await purser('clock')).output).toContain('123d ahead');
  });
});
