/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { listSandboxMessages } from '../../src/providers/messaging/sandbox.ts';
import { addAuthenticator, makePasskey, startBrowser } from '../harness/browser.ts';
import { look as lookAt } from '../harness/look.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { injectStandardWallet } from '../harness/standard-wallet.ts';
import { aSignIn, writeEntries } from '../interface/stellar-entries.ts';

/**
 * The approval page for wallets on other families than EVM: as approval-page.test.ts, in a real
 * browser.
 */

let stack: Stack;
let browser: Browser;
let page: Page;
let complaints: string[] = [];
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build-console.mjs', '--if-stale'], {
    stdio: 'pipe',
    timeout: 60_000,
  });
  [stack, browser] = await Promise.all([
    startStack({ families: ['solana', 'stellar', 'sui', 'aptos'] }),
    startBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});
beforeEach(async () => {
  complaints = [];
  page = await browser.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
});
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

type Chain = 'solana' | 'stellar';
const look = (name: string) => lookAt(page, name);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name });
const pathOf = (address: string, rest: string) => `/2025-06-09/wallets/${address}${rest}`;

async function post(path: string, body: object) {
  const answer = await stack.call('POST', path, { body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

async function aWallet(chain: Chain, adminSigner: object): Promise<string> {
  const { address } = await post('/2025-06-09/wallets', {
    chainType: chain,
    type: 'smart',
    config: { adminSigner, delegatedSigners: [] },
  });
  await post(`/v1-alpha2/wallets/${address}/balances`, { amount: 10, token: 'usdxm', chain });
  return address;
}

const somebody = () => bs58.encode(ed25519.getPublicKey(randomBytes(32)));
/** Who can be sent the test token: on Stellar wallets of the service are ready for it. */
async function aFriend(chain: Chain): Promise<string> {
  return chain === 'solana' ? somebody() : aWallet('stellar', { type: 'api-key' });
}
const transfer = (chain: Chain, address: string, recipient: string) =>
  post(pathOf(address, `/tokens/${chain}:usdxm/transfers`), { recipient, amount: '2.5' });
const host = () => stack.api.baseUrl.replace('127.0.0.1', 'localhost').replace(/\/api$/, '');

async function linkTo(address: string, id: string, of = 'transactions'): Promise<string> {
  const { url } = await post(pathOf(address, `/${of}/${id}/approval-links`), {});
  const { hash, pathname } = new URL(url);
  return `${host()}${pathname}${hash}`;
}

const statusOf = async (address: string, id: string) =>
  (await stack.call('GET', pathOf(address, `/transactions/${id}`))).body.status;

async function aPasskey(): Promise<object> {
  await addAuthenticator(page);
  await page.goto(`${host()}/approve/none`);
  return makePasskey(page, 'phone');
}

describe.each(['solana', 'stellar'] as const)('the approval page of a wallet on %s', (chain) => {
  it('shows what its passkey signs, with balances, and sends it', async () => {
    const address = await aWallet(chain, await aPasskey());
    const friend = await aFriend(chain);
    const { id } = await transfer(chain, address, friend);
    await page.goto(await linkTo(address, id));
    await heading('Send 2.5 USDXM').waitFor();
    await page.getByRole('definition').filter({ hasText: friend }).waitFor();
    await expect
      .poll(() => page.getByRole('table', { name: 'What the wallet holds' }).innerText())
      .toMatch(/USDXM\s+10\s+7\.5/);
    await look(`${chain}-transfer`);
    await button('Approve with your passkey').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    await look(`${chain}-done`);
    expect(await statusOf(address, id)).toBe('success');
  });

  it('takes the code of an e-mail signer', async () => {
    const email = `nina-${chain}@example.com`;
    const address = await aWallet(chain, { type: 'email', email });
    const { id } = await transfer(chain, address, await aFriend(chain));
    await page.goto(await linkTo(address, id));
    await button('Send me a code').click();
    const field = page.getByLabel(/^Code that was sent to/);
    await field.waitFor();
    const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
    const [message] = await listSandboxMessages(
      { store: stack.ctx.store, sealer },
      { to: email, limit: 1 },
    );
    await field.fill(/\b\d{6}\b/.exec(message!.text!)![0]);
    await button('Approve').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    expect(await statusOf(address, id)).toBe('success');
  });

  it('adds a signer under the limits that it shows, and refuses to name another one than is signed', async () => {
    const address = await aWallet(chain, await aPasskey());
    const [own, other] = await Promise.all([aFriendlyKey(chain), aFriendlyKey(chain)]);
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: `${chain}:usdxm`,
        spendingLimit: { amount: '5', interval: 86_400 },
      },
    ];
    const { transaction } = await post(pathOf(address, '/signers'), {
      signer: `external-wallet:${own}`,
      scopes,
    });
    const url = await linkTo(address, transaction.id);
    await page.route('**/look', async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(own, other) });
    });
    await page.goto(url);
    await heading('Do not approve this').waitFor();
    expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
    await page.unroute('**/look');
    await page.reload();
    await heading('Add a signer').waitFor();
    await page.getByText(/smallest unit of \w+ in one day to anybody/).waitFor();
    await look(`${chain}-add-signer`);
    await button('Approve with your passkey').click();
    await heading('Done').waitFor({ timeout: 30_000 });
  });

  it('refuses another transfer under the words of the one that is shown', async () => {
    const address = await aWallet(chain, { type: 'email', email: `lied-${chain}@example.com` });
    const [friend, thief] = [await aFriend(chain), await aFriend(chain)];
    const [{ id }, theft] = [
      await transfer(chain, address, friend),
      await transfer(chain, address, thief),
    ];
    const url = await linkTo(address, id);
    await page.route('**/look', async (route: Route) => {
      const response = await route.fetch();
      const look = (await response.json()) as { object: Record<string, unknown> };
      await route.fulfill({
        response,
        json: {
          ...look,
          object: { ...look.object, onChain: theft.onChain, approvals: theft.approvals },
        },
      });
    });
    await page.goto(url);
    await heading('Do not approve this').waitFor();
    await page
      .getByText(`a transfer to ${thief}`)
      .or(page.getByText('transfer of something else'))
      .or(page.getByText('other instructions'))
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Send me a code' }).count()).toBe(0);
    await look(`${chain}-refused`);
    await page.unroute('**/look');
    await page.reload();
    await heading('Send 2.5 USDXM').waitFor();
    await button('Decline').click();
    await button('Yes, decline').click();
    await heading('This did not happen').waitFor();
    await look(`${chain}-declined`);
  });
});

/** An address that a key could have. */
async function aFriendlyKey(chain: Chain): Promise<string> {
  if (chain === 'solana') return somebody();
  const { Keypair } = await import('@stellar/stellar-sdk/base');
  return Keypair.random().publicKey();
}

describe('a wallet in the browser, on Solana', () => {
  it('signs the transaction that is shown (emulated, by the official package of the Wallet Standard)', async () => {
    const seed = randomBytes(32);
    const adminSigner = {
      type: 'external-wallet',
      address: bs58.encode(ed25519.getPublicKey(seed)),
    };
    const address = await aWallet('solana', adminSigner);
    const { id } = await transfer('solana', address, somebody());
    const asked = await injectStandardWallet(page, seed);
    await page.goto(await linkTo(address, id));
    await heading('Send 2.5 USDXM').waitFor();
    expect(asked).toEqual([]);
    await button('Approve with your wallet').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    expect([asked, await statusOf(address, id)]).toEqual([
      ['connect', 'solana:localnet'],
      'success',
    ]);
  });

  it('that signs another transaction than is shown is refused', async () => {
    const seed = randomBytes(32);
    const address = await aWallet('solana', {
      type: 'external-wallet',
      address: bs58.encode(ed25519.getPublicKey(seed)),
    });
    const { id } = await transfer('solana', address, somebody());
    await injectStandardWallet(page, seed, (wire) => {
      const other = Buffer.from(wire);
      other[other.length - 2]! ^= 1;
      return other;
    });
    await page.goto(await linkTo(address, id));
    await button('Approve with your wallet').click();
    await page.getByText('has changed the transaction').waitFor();
    expect(await statusOf(address, id)).toBe('awaiting-approval');
  });

  it('is asked for where there is none', async () => {
    const address = await aWallet('solana', { type: 'external-wallet', address: somebody() });
    const { id } = await transfer('solana', address, somebody());
    await page.goto(await linkTo(address, id));
    await button('Approve with your wallet').click();
    await page.getByText('There is no wallet for Solana in this browser').waitFor();
    await look('solana-no-wallet');
  });
});

it('a wallet in the browser on Stellar has no standard: the page says so, and offers to decline', async () => {
  const address = await aWallet('stellar', {
    type: 'external-wallet',
    address: await aFriendlyKey('stellar'),
  });
  const { id } = await transfer('stellar', address, await aFriend('stellar'));
  await page.goto(await linkTo(address, id));
  await heading('Send 2.5 USDXM').waitFor();
  await page.getByText('This page cannot ask for this signer’s key').waitFor();
  expect(await page.getByRole('button').allInnerTexts()).toEqual(['Decline']);
  await look('stellar-decline-only');
});

it('authorization entries of others on Stellar are the service’s word here, and can be declined only', async () => {
  const address = await aWallet('stellar', await aPasskey());
  const first = await transfer('stellar', address, await aFriend('stellar'));
  await page.goto(await linkTo(address, first.id));
  await button('Approve with your passkey').click();
  await heading('Done').waitFor({ timeout: 30_000 });
  const { id } = await post(pathOf(address, '/signatures'), {
    type: 'auth-entries',
    params: { authorizationEntries: writeEntries(aSignIn(address)) },
  });
  await page.goto(await linkTo(address, id, 'signatures'));
  await heading('A signature waits for you').waitFor();
  await look('stellar-entries');
  expect(await page.getByRole('button').allInnerTexts()).toEqual(['Decline']);
});

it.each(['sui', 'aptos'])(
  'nobody is asked on %s, where wallets are the service’s: there is no link',
  async (chain) => {
    const { address } = await post('/2025-06-09/wallets', { chainType: chain, type: 'mpc' });
    const { address: friend } = await post('/2025-06-09/wallets', {
      chainType: chain,
      type: 'mpc',
    });
    await post(`/v1-alpha2/wallets/${address}/balances`, { amount: 10, token: 'usdxm', chain });
    const { id } = await post(pathOf(address, `/tokens/${chain}:usdxm/transfers`), {
      recipient: friend,
      amount: '2.5',
    });
    const { status, body } = await stack.call(
      'POST',
      pathOf(address, `/transactions/${id}/approval-links`),
      { body: {} },
    );
    expect([status, body.code]).toEqual([422, 'approvals-complete']);
  },
);
