import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { putPageSettings } from '../../src/areas/approval-page/settings.ts';
import { addAuthenticator, makePasskey, startBrowser } from '../harness/browser.ts';
import { look } from '../harness/look.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { p256Signer } from '../interface/solana-kit.ts';

process.env['TEST_VIEWS'] = 'all';

const chain = 'base-sepolia';
const script = `<img src=x onerror="document.title='owned'"><script>document.title="owned"</script>`;
const link = `<a href="javascript:document.title='owned'">pay</a>`;
const evil = `${script}${link} \u202e00.1\u0007 ${'x'.repeat(300)}`;
/** As it has to be read: what would turn the line is spelled out. */
const read = `${script}${link} \\u{202e}00.1\\u{7} ${'x'.repeat(300)}`;
/** What names may hold. */
const name = `${script} \u202e00.1`;
const brand = '<img src=x onerror="title=1">';
const readName = `${script} \\u{202e}00.1`;

let stack: Stack;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build-console.mjs', '--if-stale'], {
    stdio: 'pipe',
    timeout: 60_000,
  });
  [stack, browser] = await Promise.all([startStack(), startBrowser()]);
  page = await browser.newPage({ viewport: { width: 1_000, height: 1_000 } });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    // The page that it opens to make its passkey is none.
    if (message.type() === 'error' && !url.endsWith('/approve/none'))
      complaints.push(`${message.text()} ${url}`);
  });
  await addAuthenticator(page);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function post(path: string, body: object) {
  const answer = await stack.call('POST', path, { body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

/** What a person reads of it, once it is read and checked; every fold open. */
async function readPage(address: string, id: string, of: string): Promise<string> {
  const { url } = await post(`/2025-06-09/wallets/${address}/${of}/${id}/approval-links`, {});
  const { hash, pathname } = new URL(url);
  const { origin } = new URL(stack.api.baseUrl.replace('127.0.0.1', 'localhost'));
  await page.goto('about:blank');
  await page.goto(`${origin}${pathname}${hash}`);
  await page.getByRole('button', { name: 'Approve with your passkey' }).waitFor();
  for (const summary of await page.locator('summary').all()) await summary.click();
  await look(page, `approval-hostile-${of}-${id.slice(-4)}`);
  const found = await page.evaluate(`({
    title: document.title,
    foreign: document.querySelectorAll('img[src="x"], [onerror], a, iframe, main script').length,
    text: document.body.innerText,
  })`);
  const { title, foreign, text } = found as { title: string; foreign: number; text: string };
  expect([title === 'owned', foreign, /[\u202e\u0007]/.test(text)]).toEqual([false, 0, false]);
  return text;
}

it('whatever a shop, a payer or a contract writes is text on it, in one direction and within its edge', async () => {
  const { origin } = new URL(stack.api.baseUrl.replace('127.0.0.1', 'localhost'));
  await page.goto(`${origin}/approve/none`);
  const adminSigner = await makePasskey(page, name);
  const { address } = await post('/2025-06-09/wallets', {
    chainType: 'evm',
    type: 'smart',
    config: { adminSigner },
  });
  const { projectId } = stack.api;
  await putPageSettings(stack.ctx, {
    projectId,
    settings: { name: `${brand} \u202e00.1`, frameOrigins: [] },
  });
  const sign = (type: string, params: object) =>
    post(`/2025-06-09/wallets/${address}/signatures`, { type, params: { chain, ...params } });

  const message = await sign('message', { message: evil });
  const asMessage = await readPage(address, message.id, 'signatures');
  expect(asMessage).toContain(read);
  expect(asMessage).toContain(`your passkey “${readName}”`);
  expect(asMessage).toContain(`${brand} \\u{202e}00.1`);

  const typed = await sign('typed-data', {
    typedData: {
      domain: { name: evil, version: '1', chainId: 84_532, verifyingContract: address },
      types: { Order: [{ name: 'note', type: 'string' }] },
      primaryType: 'Order',
      message: { note: evil },
    },
  });
  const asTyped = await readPage(address, typed.id, 'signatures');
  expect(asTyped.split('\\u{202e}00.1\\u0007').length).toBeGreaterThan(2);

  const signer = { ...p256Signer('passkey', 'hostile').input, name };
  const added = await post(`/2025-06-09/wallets/${address}/signers`, { signer, chain });
  await readPage(address, added.chains[chain].id, 'signatures');
  expect(complaints).toEqual([]);
}, 300_000);
