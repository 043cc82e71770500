import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevPlace, type DevProcess, freePort, isRunning, runProgram, spawnDev, startDev } from '../harness/dev-process.ts';
import { sendCall } from '../harness/http.ts';

// /proc tells what runs; everything else here works on any system.
describe.runIf(process.platform === 'linux')('npm start', () => {
  let folder: string;
  let place: DevPlace;
  let dev: DevProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purser-start-'));
    place = { dataDir: join(folder, 'var'), port: await freePort(), chainsPort: await freePort() };
    dev = await startDev(place);
  });
  afterAll(async () => {
    dev?.child.kill('SIGTERM');
    await dev?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const devFile = () => JSON.parse(readFileSync(join(place.dataDir, 'dev.json'), 'utf8')) as { baseUrl: string; serverKey: string; clientKey: string; chains: Record<string, { rpcUrl: string; chainId: number }> };
  const call = (method: string, path: string, body?: object) => sendCall(`${devFile().baseUrl}${path}`, method, { key: devFile().serverKey, body });
  const transferOut = (amount: string) => call('POST', '/2025-06-09/wallets/userId:kim:evm/tokens/base-sepolia:usdxm/transfers', { recipient: 'userId:lou', amount });
  const balanceOf = async (user: string) => (await call('GET', `/2025-06-09/wallets/userId:${user}:evm/balances?tokens=usdxm&chains=base-sepolia`)).body.tokens[0].balance;

  async function waitForEnd(id: string) {
    for (let tries = 0; tries < 300; tries++) {
      const { body } = await call('GET', `/2025-06-09/wallets/userId:kim:evm/transactions/${id}`);
      if (body.status === 'success' || body.status === 'failed') return body.status;
      await delay(100);
    }
    return 'still pending';
  }

  async function stop(signal: NodeJS.Signals) {
    const pids = dev.pids();
    dev.child.kill(signal);
    const end = await dev.ended;
    return { end, left: pids.filter(isRunning) };
  }

  it('prints a summary and writes var/dev.json for its owner only', () => {
    expect(dev.output()).toContain(`http://127.0.0.1:${place.port}/api`);
    expect(dev.output()).toContain(devFile().serverKey);
    expect(devFile()).toMatchObject({
      baseUrl: `http://127.0.0.1:${place.port}/api`,
      serverKey: expect.stringMatching(/^sk_development_/),
      clientKey: expect.stringMatching(/^ck_development_/),
      chains: { 'base-sepolia': { rpcUrl: expect.stringContaining(String(place.chainsPort)), chainId: 84532 } },
    });
    expect(statSync(join(place.dataDir, 'dev.json')).mode & 0o777).toBe(0o600);
  });

  it('serves a small page, the documentation and its health, and no metrics on the public port', async () => {
    const origin = new URL(devFile().baseUrl).origin;
    for (const path of ['/', '/docs', '/openapi.json', '/health', '/ready']) expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
    const home = await (await fetch(`${origin}/`)).text();
    expect(home).toContain('/docs');
    expect(home).not.toContain(devFile().serverKey);
    expect((await fetch(`${origin}/metrics`)).status).toBe(404);
  });

  it('runs the quickstart to a confirmed transfer', async () => {
    const { code, output } = await runProgram('examples/quickstart.mjs', ['--data', place.dataDir]);
    expect(output).toContain('Done.');
    expect(output).toContain('POST /2025-06-09/wallets');
    expect(code).toBe(0);
  });

  it('refuses a second start on the same folder, and on a port in use, with one sentence and exit code 1', async () => {
    const second = spawnDev({ ...place, port: await freePort(), chainsPort: await freePort() });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('in use by another Purser');
    const other = { dataDir: join(folder, 'other'), port: place.port, chainsPort: await freePort() };
    const busy = spawnDev(other);
    expect(await busy.ended).toBe(1);
    expect(busy.output()).toContain(`Port ${place.port} on 127.0.0.1 is in use`);
    expect(busy.output()).not.toContain('    at ');
  });

  it('stops with Ctrl-C and leaves no process behind; the next start finds wallets, keys and chains as they were', async () => {
    await call('POST', '/2025-06-09/wallets', { chainType: 'evm', owner: 'userId:kim', config: { adminSigner: { type: 'api-key' } } });
    expect((await call('POST', '/v1-alpha2/wallets/userId:kim:smart/balances', { amount: 50, token: 'usdxm', chain: 'base-sepolia' })).status).toBe(201);
    const before = devFile();
    expect(await stop('SIGINT')).toEqual({ end: 0, left: [] });
    dev = await startDev(place);
    expect(devFile()).toEqual(before);
    expect(await balanceOf('kim')).toBe('50000000');
  });

  it('loses nothing that was answered when it is killed with -9', async () => {
    const { status, body } = await transferOut('8');
    expect(status).toBe(201);
    dev.child.kill('SIGKILL');
    await dev.ended;
    dev = await startDev(place);
    expect(await waitForEnd(body.id)).toBe('success');
    const next = await transferOut('1');
    expect(await waitForEnd(next.body.id)).toBe('success');
    expect([await balanceOf('kim'), await balanceOf('lou')]).toEqual(['41000000', '9000000']);
  });

  it('starts empty with --reset, also after a kill -9', async () => {
    const before = devFile();
    dev.child.kill('SIGKILL');
    await dev.ended;
    dev = await startDev(place, ['--reset']);
    expect(devFile().serverKey).not.toBe(before.serverKey);
    expect((await call('GET', '/2025-06-09/wallets/userId:kim:evm')).status).toBe(404);
  });

  it('says in one sentence that a data folder cannot be used, or an argument', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const broken = spawnDev({ ...place, dataDir: file, port: await freePort(), chainsPort: await freePort() });
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toContain(file);
    expect(broken.output()).not.toContain('    at ');
    const wrong = spawnDev(place, ['--colour', 'red']);
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toContain('--colour');
  });

  it('says so when the port of the chains is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const busy = spawnDev({ dataDir: join(folder, 'third'), port: await freePort(), chainsPort: port });
    expect(await busy.ended).toBe(1);
    expect(busy.output()).toContain(`Port ${port} for the local chains is in use`);
    server.close();
  });
});
