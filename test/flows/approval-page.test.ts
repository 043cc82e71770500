import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Route } from 'playwright-core';
import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashSigner, sealLink } from '../../src/areas/approval-page/link.ts';
import { putPageSettings } from '../../src/areas/approval-page/settings.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { listSandboxMessages } from '../../src/providers/messaging/sandbox.ts';
import { addAuthenticator, makePasskey, startBrowser } from '../harness/browser.ts';
import { injectWallet } from '../harness/injected-wallet.ts';
import { look as lookAt } from '../harness/look.ts';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';
const friend = '0x00000000000000000000000000000000000F00D5';
const thief = '0x00000000000000000000000000000000000dEaD1';
const script = '<img src=x onerror="document.title=\'owned\'">';

/** What scripts of tests find in a page. */
interface InPage {
  getComputedStyle(of: unknown): { readonly backgroundColor: string };
  readonly news: [origin: string, data: unknown][];
}

let stack: Stack;
let browser: Browser;
let shop: { server: Server; origin: string };
let page: Page;
let complaints: string[] = [];

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build-console.mjs', '--if-stale'], {
    stdio: 'pipe',
    timeout: 60_000,
  });
  [stack, browser] = await Promise.all([startStack(), startBrowser()]);
  const server = createServer((request, response) => {
    const src = new URL(request.url!, 'http://shop').searchParams.get('src')!;
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>shop</title><iframe src="${src}" width="500" height="900" allow="publickey-credentials-get"></iframe>
<script>window.news=[];addEventListener('message',(event)=>news.push([event.origin,event.data]))</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop = { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
});
afterAll(async () => {
  await browser?.close();
  shop?.server.close();
  await stack?.close();
});

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: { width: 1_000, height: 1_000 } });
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

const anAccount = () => privateKeyToAccount(generatePrivateKey());
const externalWallet = ({ address }: PrivateKeyAccount) => ({ type: 'external-wallet', address });
const pathOf = (address: string, rest: string) => `/2025-06-09/wallets/${address}${rest}`;

async function post(path: string, body: object) {
  const answer = await stack.call('POST', path, { body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

async function aWallet(config: object): Promise<Hex> {
  const { address } = await post('/2025-06-09/wallets', {
    chainType: 'evm',
    type: 'smart',
    config,
  });
  await post(`/v1-alpha2/wallets/${address}/balances`, { amount: 10, token: 'usdxm', chain });
  return address;
}

const transfer = (address: string, over: object = {}) =>
  post(pathOf(address, `/tokens/${chain}:usdxm/transfers`), {
    recipient: friend,
    amount: '2.5',
    ...over,
  });

/** Where the service says the page is, at the name under which a browser has passkeys for it. */
async function linkTo(
  address: string,
  id: string,
  body: object = {},
  of = 'transactions',
): Promise<string> {
  const { url } = await post(pathOf(address, `/${of}/${id}/approval-links`), body);
  const { hash, pathname } = new URL(url);
  return `${stack.api.baseUrl.replace('127.0.0.1', 'localhost').replace(/\/api$/, '')}${pathname}${hash}`;
}

const statusOf = async (address: string, id: string, of = 'transactions') =>
  (await stack.call('GET', pathOf(address, `/${of}/${id}`))).body;
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name });

const look = (name: string) => lookAt(page, name);

describe('the approval page', () => {
  it('shows an owner what his wallet signs, in its words, and sends it when he approves with it', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const asked = await injectWallet(page, ann);
    await page.goto(await linkTo(address, id));
    await heading('Send 2.5 USDXM').waitFor();
    await page.getByRole('definition').filter({ hasText: friend }).waitFor();
    const balances = page.getByRole('table', { name: 'What the wallet holds' });
    await expect.poll(() => balances.innerText()).toMatch(/USDXM\s+10\s+7\.5/);
    await page.getByText('none: an owner of the wallet acts').waitFor();
    await look('transfer');
    expect(asked).toEqual([]);
    await button('Approve with your wallet').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    expect(asked).toContain('eth_signTypedData_v4');
    expect(await statusOf(address, id)).toMatchObject({ status: 'success' });
    await look('done');
    // The same link afterwards says so, and offers nothing.
    await page.reload();
    await heading('Done').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('takes a passkey of its own host', { tags: 'slow' }, async () => {
    await addAuthenticator(page);
    await page.goto(`${stack.api.baseUrl.replace('127.0.0.1', 'localhost')}/approve/none`);
    const adminSigner = await makePasskey(page, script);
    const address = await aWallet({ adminSigner });
    const { id } = await transfer(address);
    await page.goto(await linkTo(address, id));
    await page.getByText(`your passkey “${script}”`).waitFor();
    await button('Approve with your passkey').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    expect(await statusOf(address, id)).toMatchObject({ status: 'success' });
    expect(await page.title()).not.toBe('owned');
  });

  it('takes the code that was sent to an e-mail signer, and says how many tries are left', {
    tags: 'slow',
  }, async () => {
    const email = 'nina@example.com';
    const address = await aWallet({ adminSigner: { type: 'email', email } });
    const { id } = await transfer(address);
    await page.goto(await linkTo(address, id));
    await button('Send me a code').click();
    const field = page.getByLabel(/^Code that was sent to n\*+@example\.com$/);
    const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
    await field.waitFor();
    const [message] = await listSandboxMessages(
      { store: stack.ctx.store, sealer },
      { to: email, limit: 1 },
    );
    const code = /\b\d{6}\b/.exec(message!.text!)![0];
    await field.fill(code === '000000' ? '111111' : '000000');
    await button('Approve').click();
    await page.getByText('That was not the code. 4 tries are left.').waitFor();
    await look('code');
    await field.fill(code);
    await button('Approve').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    expect(await statusOf(address, id)).toMatchObject({ status: 'success' });
  });

  it('asks one member of a quorum, and tells nothing of the others', { tags: 'slow' }, async () => {
    const [ann, ben, cid] = [anAccount(), anAccount(), anAccount()];
    const members = [
      externalWallet(ann),
      externalWallet(ben),
      { type: 'email', email: 'cid@example.com' },
    ];
    const address = await aWallet({ recoveryMethods: [{ type: 'quorum', threshold: 2, members }] });
    const { id } = await transfer(address);
    const unnamed = await stack.call(
      'POST',
      pathOf(address, `/transactions/${id}/approval-links`),
      { body: {} },
    );
    expect([unnamed.status, unnamed.body.message]).toEqual([
      400,
      expect.stringContaining('several are asked'),
    ]);
    const stranger = { signer: `external-wallet:${cid.address}` };
    const refused = await stack.call(
      'POST',
      pathOf(address, `/transactions/${id}/approval-links`),
      { body: stranger },
    );
    expect([refused.status, refused.body.code]).toEqual([400, 'signer-not-approver']);
    await injectWallet(page, ann, ben);
    const answers: string[] = [];
    page.on(
      'response',
      async (response) =>
        void (
          response.url().endsWith('/look') && answers.push(await response.text().catch(() => ''))
        ),
    );
    await page.goto(await linkTo(address, id, { signer: `external-wallet:${ann.address}` }));
    await button('Approve with your wallet').click();
    await heading('You have approved').waitFor();
    await look('one-of-two');
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.join('')).not.toMatch(new RegExp(`cid@example|${ben.address}`, 'i'));
    await page.goto(await linkTo(address, id, { signer: `external-wallet:${ben.address}` }));
    await button('Approve with your wallet').click();
    await heading('Done').waitFor({ timeout: 30_000 });
  });

  it('adds a signer under the limits that it shows', { tags: 'slow' }, async () => {
    const [ann, agent] = [anAccount(), anAccount()];
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const token = await stack.tokenAddress(chain, 'usdxm');
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: `${chain}:${token}`,
        spendingLimit: { amount: '5', interval: 86_400 },
      },
    ];
    const signer = { type: 'external-wallet', address: agent.address };
    const { chains } = await post(pathOf(address, '/signers'), { signer, chain, scopes });
    await injectWallet(page, ann, agent);
    await page.goto(await linkTo(address, chains[chain].id, {}, 'signatures'));
    await heading('Add a signer').waitFor();
    await page.getByText(`the wallet ${agent.address}`).waitFor();
    await page
      .getByText(`send 5000000 of the smallest unit of ${token} in one day to anybody`)
      .waitFor();
    await page.getByText(`5 of ${token} in one day`).waitFor();
    await look('add-signer');
    await button('Approve with your wallet').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    // What the new signer then asks for shows the limit that holds.
    const { id } = await transfer(address, { signer: `external-wallet:${agent.address}` });
    await page.goto(await linkTo(address, id));
    await page.getByText(`5 of ${token} in one day`).waitFor();
    await look('limited');
  });

  it('shows a message as the text that it is, and signs it', { tags: 'slow' }, async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await post(pathOf(address, '/signatures'), {
      type: 'message',
      params: { chain, message: `I agree ${script}` },
    });
    await injectWallet(page, ann);
    await page.goto(await linkTo(address, id, {}, 'signatures'));
    await heading('Sign a message').waitFor();
    await page.getByText(`I agree ${script}`).waitFor();
    await look('message');
    await button('Approve with your wallet').click();
    await heading('Done').waitFor();
    expect(await statusOf(address, id, 'signatures')).toMatchObject({
      status: 'success',
      outputSignature: expect.stringMatching(/^0x/),
    });
    expect(await page.title()).not.toBe('owned');
  });

  it('ends what its owner declines, once he is sure', { tags: 'slow' }, async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const url = await linkTo(address, id);
    await page.goto(url);
    await button('Decline').click();
    await look('decline');
    await button('Back').click();
    expect((await statusOf(address, id)).status).toBe('awaiting-approval');
    await button('Decline').click();
    await button('Yes, decline').click();
    await heading('This did not happen').waitFor();
    await look('declined');
    const { status, error } = await statusOf(address, id);
    expect([status, error]).toEqual([
      'failed',
      { reason: 'unknown', message: expect.stringContaining('declined') },
    ]);
    const activity = `/unstable/wallets/${address}/transfers?chain=${chain}&status=failed`;
    await expect.poll(async () => (await stack.call('GET', activity)).body.data.length).toBe(1);
    const again = await stack.call('POST', pathOf(address, `/transactions/${id}/approval-links`), {
      body: {},
    });
    expect([again.status, again.body.code]).toEqual([409, 'approval-window-closed']);
  });

  it('asks a member who declines no more, and ends it only where the others are too few', {
    tags: 'slow',
  }, async () => {
    const [ann, ben, cid] = [anAccount(), anAccount(), anAccount()];
    const members = [ann, ben, cid].map(externalWallet);
    const address = await aWallet({ recoveryMethods: [{ type: 'quorum', threshold: 2, members }] });
    const { id } = await transfer(address);
    const decline = async (who: PrivateKeyAccount, title: string) => {
      await page.goto(await linkTo(address, id, { signer: `external-wallet:${who.address}` }));
      await button('Decline').click();
      await button('Yes, decline').click();
      await heading(title).waitFor();
      if (who === ann) await look('declined-as-one');
    };
    await decline(ann, 'You have declined');
    const { status, approvals } = await statusOf(address, id);
    const asked = approvals.pending[0].quorumApprovals.pending.map(
      ({ signer }: { signer: { address: string } }) => signer.address,
    );
    expect([status, asked]).toEqual(['awaiting-approval', [ben.address, cid.address]]);
    const late = {
      approvals: [{ signer: `external-wallet:${ann.address}`, signature: `0x${'11'.repeat(65)}` }],
    };
    expect(
      (await stack.call('POST', pathOf(address, `/transactions/${id}/approvals`), { body: late }))
        .body.code,
    ).toBe('signer-not-approver');
    await decline(ben, 'This did not happen');
    expect((await statusOf(address, id)).status).toBe('failed');
  });
});

describe('the approval page of somebody who lies', () => {
  /** Changes what the service answers to the page. */
  async function lie(change: (text: string) => string) {
    await page.route('**/look', async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: change(await response.text()) });
    });
  }
  const digits = (address: string) => address.slice(2).toLowerCase();

  it.each([
    [
      'hash',
      'another message is to be signed than that of what is shown',
      (text: string) =>
        text.replaceAll(/"message":"0x[0-9a-f]{64}"/g, `"message":"0x${'ab'.repeat(32)}"`),
    ],
    [
      'recipient',
      'another recipient stands in what is signed than in what was asked',
      (text: string) => {
        const { object, ...rest } = JSON.parse(text);
        const onChain = JSON.parse(
          JSON.stringify(object.onChain).replaceAll(digits(friend), digits(thief)),
        );
        return JSON.stringify({ ...rest, object: { ...object, onChain } });
      },
    ],
    [
      'chain',
      'it is for another chain',
      (text: string) =>
        text
          .replaceAll('"chainId":84532', '"chainId":11155111')
          .replaceAll('"chainId":"84532"', '"chainId":"11155111"'),
    ],
  ])('refuses a wrong %s when %s: no wallet is asked', async (complaint, _, change) => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const asked = await injectWallet(page, ann);
    await lie(change);
    await page.goto(await linkTo(address, id));
    await heading('Do not approve this').waitFor();
    expect(await button('Approve with your wallet').count()).toBe(0);
    expect(asked).toEqual([]);
    await look(`refused-${complaint}`);
  });

  it('refuses a lie that stands in everything but the hash', { tags: 'slow' }, async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    await lie((text) => text.replaceAll(new RegExp(digits(friend), 'gi'), digits(thief)));
    await page.goto(await linkTo(address, id));
    await heading('Do not approve this').waitFor();
  });

  it('refuses another signer than the one whose id is signed', { tags: 'slow' }, async () => {
    const [ann, agent, other] = [anAccount(), anAccount(), anAccount()];
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { chains } = await post(pathOf(address, '/signers'), {
      signer: externalWallet(agent),
      chain,
    });
    await lie((text) => text.replaceAll(agent.address, other.address));
    await page.goto(await linkTo(address, chains[chain].id, {}, 'signatures'));
    await heading('Do not approve this').waitFor();
    await page.getByText('another one').waitFor();
  });

  it('opens nothing of a row that was changed behind the service', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const url = await linkTo(address, id);
    const text = `update transactions set operation = replace(operation::text, $2, $3)::jsonb where id = $1`;
    await stack.ctx.store.query({ text, values: [id, digits(friend), digits(thief)] });
    await page.goto(url);
    await heading('This link does not open').waitFor();
    await look('closed');
  });
});

describe('a service that fails', { tags: 'slow' }, () => {
  it('is a sentence that says what to do, and nobody is asked before it answers', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const asked = await injectWallet(page, ann);
    await page.route('**/look', (route) => route.abort());
    await page.goto(await linkTo(address, id));
    await page.getByText('The service does not answer. Are you connected?').waitFor();
    await look('unreachable');
    await page.unroute('**/look');
    await page.route('**/look', (route) => route.fulfill({ status: 502, body: '<h1>Bad</h1>' }));
    await button('Try again').click();
    await page.getByText('The service answered 502.').waitFor();
    await page.unroute('**/look');
    await button('Try again').click();
    await button('Approve with your wallet').waitFor();
    await page.route('**/approvals', (route) => route.abort());
    await button('Approve with your wallet').click();
    await page.getByText('Whether it has your approval is not known: try again.').waitFor();
    await look('approve-fails');
    expect((await statusOf(address, id)).status).toBe('awaiting-approval');
    await page.unroute('**/approvals');
    await button('Approve with your wallet').click();
    await heading('Done').waitFor({ timeout: 30_000 });
    expect(asked.length).toBeGreaterThan(0);
  });

  it('is told of a wallet that is not there, of a time that is over, and of what is under way', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const url = await linkTo(address, id);
    await page.goto(url);
    await button('Approve with your wallet').click();
    await page.getByText('There is no wallet in this browser').waitFor();
    await look('no-wallet');
    // A page that was opened in time, and looks again after it.
    const { validUntil } = (await (
      await fetch(`${new URL(url).origin}${new URL(url).pathname}/api/look`, {
        headers: { authorization: `Bearer ${new URL(url).hash.slice(1)}` },
      })
    ).json()) as { validUntil: string };
    await page.route('**/look', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), now: validUntil },
      });
    });
    await page.reload();
    await heading('Too late').waitFor();
    await look('too-late');
    await page.unroute('**/look');
    await stack.withoutWorker(async () => {
      const fresh = await browser.newPage();
      await injectWallet(fresh, ann);
      await fresh.goto(url);
      await fresh.getByRole('button', { name: 'Approve with your wallet' }).click();
      await fresh.getByRole('heading', { level: 1, name: 'Approved' }).waitFor();
      await lookAt(fresh, 'under-way');
      await fresh.context().close();
    });
  });
});

describe('a link', () => {
  it('opens until it ends, on its own page and for its own signer alone', {
    tags: 'slow',
  }, async () => {
    const [ann, ben] = [anAccount(), anAccount()];
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const [{ id }, other] = [await transfer(address), await transfer(address)];
    const url = new URL(await linkTo(address, id));
    const token = url.hash.slice(1);
    const call = (path: string, init: RequestInit = {}, given = token, at = url.pathname) =>
      fetch(`${url.origin}${at}/api${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${given}`,
          'content-type': 'application/json',
          ...init.headers,
        },
      }).then(
        async (response) =>
          [response.status, ((await response.json()) as { message?: string }).message] as const,
      );
    expect((await call('/look'))[0]).toBe(200);
    // Of somebody else's making, of another project's page, cut short.
    const forged = `${token.split('.')[0]}.${Buffer.alloc(32).toString('base64url')}`;
    expect((await call('/look', {}, forged))[0]).toBe(401);
    expect((await call('/look', {}, token.slice(0, -3)))[0]).toBe(401);
    expect(
      (await call('/look', {}, token, url.pathname.replace(/[^/]+$/, crypto.randomUUID())))[0],
    ).toBe(401);
    // Another transaction of the same wallet, another signer.
    const by = (who: PrivateKeyAccount) =>
      JSON.stringify({
        approvals: [{ signer: `external-wallet:${who.address}`, signature: '0x11' }],
      });
    const approvals = (of: string) => `/2025-06-09/wallets/${address}/transactions/${of}/approvals`;
    expect(await call(approvals(other.id), { method: 'POST', body: by(ann) })).toEqual([
      403,
      expect.stringContaining('nothing else'),
    ]);
    expect(await call(approvals(id), { method: 'POST', body: by(ben) })).toEqual([
      403,
      expect.stringContaining('no other'),
    ]);
    // Other pages, and forms.
    expect(
      (
        await call('/decline', {
          method: 'POST',
          body: '{}',
          headers: { 'sec-fetch-site': 'cross-site' },
        })
      )[0],
    ).toBe(403);
    expect(
      (
        await call('/decline', {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'text/plain' },
        })
      )[0],
    ).toBe(415);
    expect((await call('/decline', { method: 'POST', body: '{}' }, ''))[0]).toBe(401);
    expect((await statusOf(address, id)).status).toBe('awaiting-approval');
    // The end.
    const { projectId } = stack.api;
    const link = { kind: 'transaction', projectId, walletAddress: address, objectId: id } as const;
    const signerHash = hashSigner(`external-wallet:${ann.address}`);
    const ended = sealLink(stack.ctx.config, {
      ...link,
      signerHash,
      expiresAt: new Date(stack.ctx.clock.now().getTime() - 1_000),
    });
    await page.goto(`${url.origin}${url.pathname}#${ended}`);
    await page.getByText('This link has run out').waitFor();
    await look('ended');
    await page.goto(`${url.origin}${url.pathname}`);
    await page.getByText('This page opens with a link').waitFor();
  });

  it('is for nobody with a client key but the owner of the wallet, and needs the scope to approve', {
    tags: 'slow',
  }, async () => {
    const { address } = await post('/2025-06-09/wallets', {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:olga',
      config: { adminSigner: externalWallet(anAccount()) },
    });
    await post(`/v1-alpha2/wallets/${address}/balances`, { amount: 10, token: 'usdxm', chain });
    const { id } = await transfer(address);
    const path = pathOf(address, `/transactions/${id}/approval-links`);
    const as = async (user: string) =>
      stack.call('POST', path, {
        key: stack.api.clientKey,
        headers: { authorization: `Bearer ${await stack.api.userJwt(user)}` },
        body: {},
      });
    expect((await as('mallory')).status).toBe(404);
    expect((await as('olga')).status).toBe(201);
  });

  it('is framed by the pages that the project names, which hear how it ends, and by no other', {
    tags: 'slow',
  }, async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id } = await transfer(address);
    const url = await linkTo(address, id);
    const { projectId } = stack.api;
    const framed = `${shop.origin}/?src=${encodeURIComponent(url)}`;
    await page.goto(framed);
    await expect.poll(() => complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/i);
    expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0);
    complaints = [];

    const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>parent.document.title="owned"</script><circle cx="4" cy="4" r="4"/></svg>').toString('base64')}`;
    const settings = {
      name: `Shop ${script}`,
      logo,
      accent: '#7a1fa2',
      accentDark: '#e0b0ff',
      frameOrigins: [shop.origin],
    };
    await putPageSettings(stack.ctx, { projectId, settings });
    try {
      await page.goto(framed);
      const inside = page.frameLocator('iframe');
      await inside.getByText(settings.name).waitFor();
      const colour = await inside
        .getByRole('button', { name: 'Approve with your wallet' })
        .evaluate((one) => (globalThis as unknown as InPage).getComputedStyle(one).backgroundColor);
      expect(colour).toBe('rgb(122, 31, 162)');
      await inside.getByRole('button', { name: 'Decline' }).click();
      await inside.getByRole('button', { name: 'Yes, decline' }).click();
      await inside.getByRole('heading', { name: 'This did not happen' }).waitFor();
      const news = await page.evaluate(() => (globalThis as unknown as InPage).news);
      expect(news.at(-1)).toEqual([
        new URL(url).origin,
        { type: 'purser-approval', id, status: 'failed' },
      ]);
      await page.goto(url);
      await page.getByText(settings.name).waitFor();
      await look('branded');
      // A page of the same host under another port is not the shop.
      await page.goto(framed.replace('localhost', '127.0.0.1'));
      await expect.poll(() => complaints.join()).toMatch(/frame-ancestors/i);
      expect(await page.title()).toBe('shop');
    } finally {
      complaints = [];
      await putPageSettings(stack.ctx, { projectId, settings: {} });
    }
  });

  it('frames nothing by a setting that was written into the database', async () => {
    const values = [
      stack.api.projectId,
      JSON.stringify({ frameOrigins: ['https://evil.example'] }),
    ];
    await stack.ctx.store.query({
      text: `insert into approval_pages (project_id, settings, updated_at, mac) values ($1, $2, now(), null)
        on conflict (project_id) do update set settings = excluded.settings, mac = null`,
      values,
    });
    const response = await fetch(`${stack.api.baseUrl}/approve/${stack.api.projectId}`);
    expect(response.status).toBe(500);
    await putPageSettings(stack.ctx, { projectId: stack.api.projectId, settings: {} });
  });
});
