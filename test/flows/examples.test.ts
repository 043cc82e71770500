import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { type DevPlace, type DevProcess, freePort, startDev } from '../harness/dev-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the examples, as a new user runs them', () => {
  let folder: string;
  let place: DevPlace;
  let dev: DevProcess;
  const ending: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purser-examples-'));
    place = { dataDir: join(folder, 'var'), port: await freePort(), chainsPort: await freePort() };
    dev = await startDev(place);
  });
  afterAll(async () => {
    for (const end of ending.toReversed()) await end();
    dev?.child.kill('SIGTERM');
    await dev?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  function spawnExample(path: string, args: readonly string[] = []): { child: ChildProcess; output(): string } {
    const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'examples', path), '--data', place.dataDir, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return { child, output: () => text };
  }

  async function runExample(path: string): Promise<string> {
    const { child, output } = spawnExample(path);
    const [code] = (await once(child, 'close')) as [number];
    expect(`${output()}\nexit code ${code}`).toMatch(/exit code 0$/);
    return output();
  }

  it('an agent spends what it may and nothing more', async () => {
    const output = await runExample('agent-spending-limit.ts');
    expect(output).toContain('2 more: over the limit of the day: signer-scope-violation');
    expect(output).toContain('1 to somebody else: signer-scope-violation');
    expect(output).toContain('The supplier has 9 dollars.');
  });

  it('a treasury pays when two of three have approved', async () => {
    const output = await runExample('treasury.ts');
    expect(output).toMatch(/Ann approves: one is missing\.\n {3}awaiting-approval/);
    expect(output).toContain('The treasury has 30 dollars left.');
  });

  it('a visitor makes a wallet with a passkey and sends from it, in a real browser', async () => {
    const { child, output } = spawnExample('passkey-wallet/serve.ts', ['--port', String(await freePort())]);
    ending.push(async () => child.kill('SIGTERM'));
    await expect.poll(output, { timeout: 30_000 }).toContain('Open http://localhost:');
    const browser: Browser = await startBrowser();
    ending.push(() => browser.close());
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(/http:\/\/localhost:\d+/.exec(output())![0]);
    await page.getByText('Create my wallet').click();
    const log = page.getByRole('log');
    await expect.poll(() => log.textContent(), { timeout: 20_000 }).toContain('Your wallet is 0x');
    await page.getByText('Get 20 test dollars').click();
    await expect.poll(() => log.textContent(), { timeout: 20_000 }).toContain('have arrived');
    await page.getByText('Send 5 to a friend').click();
    await expect.poll(() => log.textContent(), { timeout: 40_000 }).toMatch(/confirmed in 0x[0-9a-f]{64}/);
  });
});
