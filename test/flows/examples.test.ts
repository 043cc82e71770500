/** @module-tag slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator, startBrowser } from '../harness/browser.ts';
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
    await browser?.close();
    dev?.child.kill('SIGTERM');
    await dev?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  function spawnExample(
    path: string,
    args: readonly string[] = [],
  ): { child: ChildProcess; output(): string } {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(root, 'examples', path), '--data', place.dataDir, ...args],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        // No window on the screen of whoever runs the tests.
        env: { ...process.env, CI: '1' },
      },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return { child, output: () => text };
  }

  async function untilDone({ child, output }: ReturnType<typeof spawnExample>): Promise<string> {
    const [code] = (await once(child, 'close')) as [number];
    expect(`${output()}\nexit code ${code}`).toMatch(/exit code 0$/);
    return output();
  }
  const runExample = (path: string) => untilDone(spawnExample(path));

  let browser: Browser | undefined;
  async function openPage() {
    browser ??= await startBrowser();
    return browser.newPage();
  }

  it('an agent spends what it may and nothing more', async () => {
    const output = await runExample('agent-spending-limit.ts');
    expect(output).toContain('2 more: over the limit of the day: signer-scope-violation');
    expect(output).toContain('1 to somebody else: signer-scope-violation');
    expect(output).toContain('The supplier has 9 dollars.');
  });

  it('an agent with ten dollars a day buys a T-shirt with the tools of its MCP server, and its user approves', async () => {
    const output = await runExample('agent-mcp/buy.mjs');
    const said = output.split('\n').filter((line) => /^(agent|told|refused|Ann) /.test(line));
    expect(
      said.map((line) => line.split(/ +/, 2)[1]).filter((word) => /_/.test(word ?? '')),
    ).toEqual(
      expect.arrayContaining([
        'list_buyer_profiles',
        'create_checkout',
        'get_checkout',
        'answer_choice',
      ]),
    );
    expect(said.filter((line) => /^agent +answer_choice/.test(line))).toHaveLength(1);
    expect(said.filter((line) => /^Ann +approves/.test(line))).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('told    It is bought.'))).toHaveLength(2);
    expect(output).toContain('Bought for 9.10 USD.');
    expect(said.at(-1)).toBe(
      'refused The service refused (429, rate-limited): No more than 10.00 USD may be spent in 24 hours; 0.90 USD are left. Nothing was bought. Ask for a lower maxCost, or wait.',
    );
    // What the agent said and was told has neither who Ann is nor what opens anything.
    const ofAgent = said.filter((line) => !line.startsWith('Ann ')).join('\n');
    expect(ofAgent).not.toMatch(/Miller|Main Street|ck_development|sk_development|eyJ|#/);
  }, 180_000);

  it('a treasury pays when two of three have approved', async () => {
    const output = await runExample('treasury.ts');
    expect(output).toMatch(
      /Ann approves: one is missing\.\n {3}20 usdxm to 0x\w{40}\n {3}awaiting-approval/,
    );
    expect(output).toContain('The treasury has 30 dollars left.');
  });

  it('stablecoins leave a wallet and dollars reach a bank account, call by call', async () => {
    const output = await runExample('demo-offramp.mjs');
    expect(output).toContain('POST /2022-06-09/orders');
    expect(output).toMatch(
      /completed: payment completed, delivery completed[\s\S]*bank:[\s\S]*Done\./,
    );
  }, 180_000);

  it('a card pays, by the demo itself or by hand on the page that it opens, and tokens arrive', async () => {
    const unattended = spawnExample('demo-onramp.mjs');
    ending.push(async () => unattended.child.kill('SIGTERM'));
    const paid = untilDone(unattended);
    const demo = spawnExample('demo-onramp.mjs', ['--by-hand']);
    ending.push(async () => demo.child.kill('SIGTERM'));
    const ended = untilDone(demo);
    const pageUrl = () => /Pay with a test card[^\n]*\n(http\S+)/.exec(demo.output())?.[1];
    await Promise.race([ended, expect.poll(pageUrl, { timeout: 90_000 }).toBeDefined()]);
    const page = await openPage();
    await page.goto(pageUrl()!);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry').fill('12/34');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Pay' }).click();
    for (const output of await Promise.all([ended, paid]))
      expect(output).toMatch(/completed: payment completed, delivery completed[\s\S]*Done\./);
    expect(demo.output()).toMatch(/Waiting for you to pay on that page, until \d/);
  }, 180_000);

  it('a visitor makes a wallet with a passkey and sends from it, in a real browser', async () => {
    const { child, output } = spawnExample('passkey-wallet/serve.ts', [
      '--port',
      String(await freePort()),
    ]);
    ending.push(async () => child.kill('SIGTERM'));
    await expect.poll(output, { timeout: 30_000 }).toContain('Open http://localhost:');
    const page = await openPage();
    await addAuthenticator(page);
    await page.goto(/http:\/\/localhost:\d+/.exec(output())![0]);
    await page.getByText('Create my wallet').click();
    const log = page.getByRole('log');
    await expect.poll(() => log.textContent(), { timeout: 20_000 }).toContain('Your wallet is 0x');
    await page.getByText('Get 20 test dollars').click();
    await expect.poll(() => log.textContent(), { timeout: 20_000 }).toContain('have arrived');
    await page.getByText('Send 5 to a friend').click();
    await expect
      .poll(() => log.textContent(), { timeout: 40_000 })
      .toMatch(
        /Confirm with your passkey: 5 usdxm to 0x\w{40} on base-sepolia[\s\S]*confirmed in 0x[0-9a-f]{64}/,
      );
  });

  it('a visitor makes a wallet in the React app as its developers run it', async () => {
    const { child, output } = spawnExample('react-app/serve.ts', [
      '--port',
      String(await freePort()),
    ]);
    ending.push(async () => child.kill('SIGTERM'));
    await expect.poll(output, { timeout: 60_000 }).toContain('Open http://localhost:');
    const page = await openPage();
    await addAuthenticator(page);
    await page.goto(/http:\/\/localhost:\d+/.exec(output())![0]);
    await page.getByRole('button', { name: 'Create my wallet with a passkey' }).click();
    await page.getByRole('button', { name: 'Get 20 test dollars' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Balance' }).textContent(), { timeout: 30_000 })
      .toContain('20 USDXM');
  });
});
