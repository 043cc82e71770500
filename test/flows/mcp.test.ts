import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/areas/api-keys/index.ts';
import { deriveServerSigner } from '../../src/chains/evm/signing/server-signer.ts';
import { connectMcp, type McpUser, userOf } from '../harness/mcp-client.ts';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';
const token = `${chain}:usdxm`;
const root = fileURLToPath(new URL('../..', import.meta.url));
const secret = randomBytes(32).toString('hex');

let stack: Stack;
/** Over HTTP, with a server key. */
let agent: McpUser;
/** `purser mcp`, which has the secret of the delegated signer. */
let local: McpUser;
/**
 * A wallet whose admin is the service's own key: whoever could act without a signer would act
 * without a limit.
 */
let wallet: string;
let signer: string;
/** A delegated signer without scopes. */
let boundless: string;
let supplier: string;

beforeAll(async () => {
  stack = await startStack();
  const { api } = stack;
  signer = deriveServerSigner({
    secret,
    projectId: api.projectId,
    environment: 'development',
    chain,
  }).locator;
  const made = async (alias: string) => {
    const config = { adminSigner: { type: 'api-key' } };
    return (
      await stack.call('POST', '/2025-06-09/wallets', {
        body: { chainType: 'evm', owner: 'COMPANY', alias, config },
      })
    ).body.address;
  };
  wallet = await made('company');
  supplier = await made('supplier');
  await stack.call('POST', `/v1-alpha2/wallets/${wallet}/balances`, {
    body: { amount: 100, token: 'usdxm', chain },
  });
  await addSigner(signer, [
    { type: 'transfer', tokenLocator: token, spendingLimit: { amount: '10', interval: 86_400 } },
  ]);
  boundless = deriveServerSigner({
    secret,
    projectId: api.projectId,
    environment: 'development',
    chain: 'evm',
  }).locator;
  await addSigner(boundless);
  agent = await connectMcp(api.baseUrl, { 'x-api-key': api.serverKey });
  local = await spawnMcp({ PURSER_API_KEY: api.serverKey, PURSER_SIGNER_SECRET: secret });
});
afterAll(async () => {
  await local?.close();
  await agent?.close();
  await stack?.close();
});

async function addSigner(locator: string, scopes?: readonly object[]) {
  const { status, body } = await stack.call('POST', `/2025-06-09/wallets/${wallet}/signers`, {
    body: { signer: locator, chain, ...(scopes && { scopes }) },
  });
  expect([status, body.locator]).toEqual([201, locator]);
}

async function spawnMcp(
  env: Record<string, string>,
  args: readonly string[] = ['--url', stack.api.baseUrl],
): Promise<McpUser> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const command = [`${root}/bin/purser.mjs`, 'mcp', ...args];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: command,
      env: { PATH: process.env.PATH ?? '', ...env },
      stderr: 'inherit',
    }),
  );
  return userOf(client);
}

const supplied = async () => {
  const { body } = await stack.call(
    'GET',
    `/2025-06-09/wallets/${supplier}/balances?tokens=usdxm&chains=${chain}`,
  );
  return Number(body.tokens[0].balance) / 1e6;
};

/** A transfer of the tool, once it has ended. */
async function pay(user: McpUser, args: Record<string, unknown>) {
  const created = await user.use('transfer_tokens', {
    wallet,
    token,
    recipient: supplier,
    ...args,
  });
  if (!created.isError) await stack.waitForTransaction(wallet, created.data.id);
  return created;
}

describe('the tools', () => {
  test('are the same over both transports, each with a schema that says what every argument is', async () => {
    const [overHttp, overStdio] = await Promise.all([
      agent.client.listTools(),
      local.client.listTools(),
    ]);
    expect(overStdio.tools).toEqual(overHttp.tools);
    const names = overHttp.tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'get_wallet',
        'get_balances',
        'transfer_tokens',
        'sign_message',
        'create_order',
        'create_checkout',
      ]),
    );
    expect(names.filter((name) => /approve|decline|card|password|login|signer/.test(name))).toEqual(
      [],
    );
    for (const { inputSchema, description } of overHttp.tools)
      expect([inputSchema.type, inputSchema.additionalProperties, description]).toEqual([
        'object',
        false,
        expect.stringContaining('Example: {'),
      ]);
    expect(agent.client.getInstructions()).toContain('you cannot approve');
  });

  test('say what is wrong with arguments in the words of the interface, over both transports', async () => {
    for (const [args, words] of [
      [{}, 'wallet: is missing: send text'],
      [{ wallet: 17 }, 'wallet: must be text, and is a number'],
      [{ wallet: 'me:evm', nothing: 1 }, 'leave out "nothing"'],
    ] as const)
      for (const { client } of [agent, local]) {
        const answer = await client.callTool({ name: 'get_wallet', arguments: args });
        expect([answer.isError, JSON.stringify(answer.content)]).toEqual([
          true,
          expect.stringContaining(JSON.stringify(words).slice(1, -1)),
        ]);
      }
  });

  test('pay through the delegated signer, within its limit of the day, and say what is above', async () => {
    const before = await supplied();
    expect(await pay(local, { amount: '4' })).toMatchObject({
      isError: false,
      data: { status: expect.stringMatching(/pending|success/) },
    });
    expect(await pay(local, { amount: '5' })).toMatchObject({ isError: false });
    expect(await pay(local, { amount: '2' })).toMatchObject({
      isError: true,
      says: expect.stringContaining('signer-scope-violation'),
    });
    expect((await supplied()) - before).toBe(9);
    const limits = await agent.use('get_limits', { wallet, signer });
    expect(limits.data.scopes).toEqual([
      expect.objectContaining({ spendingLimit: { amount: '10', interval: 86_400 } }),
    ]);
  });

  test('do nothing twice: the same call again answers what it did, and `attempt` does it once more', {
    tags: 'slow',
  }, async () => {
    const other = randomBytes(32).toString('hex');
    const own = deriveServerSigner({
      secret: other,
      projectId: stack.api.projectId,
      environment: 'development',
      chain,
    }).locator;
    await addSigner(own, [
      { type: 'transfer', tokenLocator: token, spendingLimit: { amount: '10', interval: 86_400 } },
    ]);
    const payer = await spawnMcp({
      PURSER_API_KEY: stack.api.serverKey,
      PURSER_SIGNER_SECRET: other,
    });
    const before = await supplied();
    const first = await pay(payer, { amount: '1.5' });
    const again = await pay(payer, { amount: '1.5' });
    expect([again.data.id, again.data.status]).toEqual([first.data.id, 'success']);
    expect(again.says).toContain('nothing was done again');
    expect((await supplied()) - before).toBe(1.5);
    const second = await pay(payer, { amount: '1.5', attempt: 2 });
    expect(second.data.id).not.toBe(first.data.id);
    await payer.close();
  });

  test('never use the power of an admin, of a signer without a limit, or of a stranger', async () => {
    const before = await supplied();
    expect(await pay(agent, { amount: '1' })).toMatchObject({
      isError: true,
      says: expect.stringContaining('never uses the power of an admin'),
    });
    for (const name of ['api-key', `server:${supplier}`])
      expect(await pay(agent, { amount: '1', signer: name })).toMatchObject({
        isError: true,
        says: expect.stringContaining('is no delegated signer'),
      });
    expect(await pay(agent, { amount: '1', signer: boundless })).toMatchObject({
      isError: true,
      says: expect.stringContaining('without a limit'),
    });
    expect(
      await agent.use('sign_message', { wallet, chain, message: 'hello', signer: 'api-key' }),
    ).toMatchObject({ isError: true });
    expect(await supplied()).toBe(before);
  });

  test('sign nothing without the secret: the transfer waits, and the tool says for whom', async () => {
    const waiting = await agent.use('transfer_tokens', {
      wallet,
      token,
      recipient: supplier,
      amount: '0.25',
      signer,
    });
    expect(waiting).toMatchObject({
      isError: false,
      data: { status: 'awaiting-approval', waitsFor: [{ type: 'server', locator: signer }] },
    });
    expect(waiting.says).toContain(`waits for the approval of ${signer}`);
    // What would have to be signed is not for the model.
    expect(waiting.text).not.toMatch(/0x[0-9a-f]{64}/i);
    expect(
      (await agent.use('get_transaction', { wallet, transactionId: waiting.data.id })).data.status,
    ).toBe('awaiting-approval');
  });

  test('hand the user the page on which they approve, and can approve nothing by having it', async () => {
    const person = 'email:payer@example.com';
    await addSigner(person, [
      { type: 'transfer', tokenLocator: token, spendingLimit: { amount: '10', interval: 86_400 } },
    ]);
    const registered = `/2025-06-09/wallets/${wallet}/signers/${encodeURIComponent(person)}`;
    await expect
      .poll(async () => (await stack.call('GET', registered)).body.chains[chain].status, {
        timeout: 20_000,
      })
      .toBe('success');
    const waiting = await agent.use('transfer_tokens', {
      wallet,
      token,
      recipient: supplier,
      amount: '0.25',
      signer: person,
    });
    expect(waiting.isError && waiting.says).toBe(false);
    expect(waiting).toMatchObject({
      isError: false,
      data: { status: 'awaiting-approval', link: expect.stringMatching(/\/approve\/.+#/) },
    });
    expect(waiting.says).toContain(waiting.data.link);
    const { pathname, hash } = new URL(waiting.data.link);
    const { origin } = new URL(stack.api.baseUrl);
    const open = (path: string, init: RequestInit = {}) =>
      fetch(`${origin}${pathname}/api${path}`, {
        ...init,
        headers: { authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json' },
      });
    expect((await open('/look')).status).toBe(200);
    const body = JSON.stringify({
      approvals: [{ signer: person, signature: `0x${'11'.repeat(65)}` }],
    });
    const path = `/2025-06-09/wallets/${wallet}/transactions/${waiting.data.id}/approvals`;
    expect((await open(path, { method: 'POST', body })).status).toBe(400);
  });

  test('sign a text with a delegated signer that may', { tags: 'slow' }, async () => {
    const signing = await spawnMcp({
      PURSER_API_KEY: stack.api.serverKey,
      PURSER_SIGNER_SECRET: secret,
      PURSER_SIGNER_CHAIN: 'evm',
    });
    const signed = await signing.use('sign_message', { wallet, chain, message: 'I am an agent.' });
    expect(signed).toMatchObject({ isError: false });
    expect(
      (await signing.use('get_signature', { wallet, signatureId: signed.data.id })).data,
    ).toMatchObject({
      status: 'success',
      outputSignature: expect.stringMatching(/^0x/),
    });
    await signing.close();
  });

  test('prepare and read orders without their secrets', async () => {
    const made = await agent.use('create_order', {
      payment: { method: chain, currency: 'usdxm', payerAddress: wallet },
      recipient: { walletAddress: supplier },
      lineItems: [{ tokenLocator: token, executionParameters: { mode: 'exact-in', amount: '3' } }],
    });
    expect(made.text).not.toMatch(/clientSecret|sessionToken|serializedTransaction/);
    const listed = await agent.use('list_orders', {});
    expect([made.isError, listed.isError]).toEqual([false, false]);
    expect(await agent.use('get_order', { orderId: made.data.orderId })).toMatchObject({
      isError: false,
      data: { orderId: made.data.orderId },
    });
  });
});

describe('the door of /mcp', () => {
  const post = (
    headers: Record<string, string>,
    body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  ) =>
    fetch(new URL('/mcp', stack.api.baseUrl), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('is closed without a key, for a wrong key, for another origin and for a wrong token', async () => {
    const key = { 'x-api-key': stack.api.clientKey };
    const { projectId } = stack.api;
    const bound = await issueKey(stack.ctx, {
      projectId,
      kind: 'client',
      allowedOrigins: ['https://app.example'],
    });
    const answers = [
      await post({}),
      await post({ 'x-api-key': 'sk_development_nothing' }),
      await post({ ...key, authorization: 'Bearer not.a.jwt' }),
      await post({ 'x-api-key': bound.key, origin: 'https://evil.example' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 403]);
    expect(await answers[0]!.json()).toMatchObject({
      error: true,
      message: expect.stringContaining('X-API-KEY'),
    });
  });

  test('takes one message of a bounded size, as JSON, by POST; it keeps no stream open', async () => {
    const key = { 'x-api-key': stack.api.serverKey };
    expect((await post(key, '{')).status).toBe(400);
    expect((await post(key, { text: 'x'.repeat(200_000) })).status).toBe(413);
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(new URL('/mcp', stack.api.baseUrl), { method, headers: key });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const listening = await post(key, {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {},
    });
    expect(await listening.text()).toContain('"error"');
  });

  test('says of a name that is no tool that it is none, also where every object has it', async () => {
    const key = { 'x-api-key': stack.api.serverKey };
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'nothing_of_the_kind',
    ]) {
      const call = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: {} },
      });
      expect(await (await post(key, call)).text()).toContain(`Tool ${name} not found`);
    }
  });

  test('lets nobody do what the key may not, or reach the wallet of another user', async () => {
    const { key } = await issueKey(stack.ctx, {
      projectId: stack.api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    const reader = await connectMcp(stack.api.baseUrl, { 'x-api-key': key });
    expect(await reader.use('get_wallet', { wallet })).toMatchObject({
      isError: false,
      data: { address: wallet },
    });
    expect(await reader.use('get_balances', { wallet, tokens: 'usdxm' })).toMatchObject({
      isError: true,
      says: expect.stringContaining('lacks the scope wallets:balance.read'),
    });
    expect(
      await reader.use('transfer_tokens', {
        wallet,
        token,
        recipient: supplier,
        amount: '1',
        signer,
      }),
    ).toMatchObject({
      isError: true,
      says: expect.stringContaining('wallets:transactions.create'),
    });
    const mallory = await connectMcp(stack.api.baseUrl, {
      'x-api-key': stack.api.clientKey,
      authorization: `Bearer ${await stack.api.userJwt('mallory')}`,
    });
    expect(await mallory.use('get_wallet', { wallet })).toMatchObject({
      isError: true,
      says: expect.stringContaining('404'),
    });
    expect(await mallory.use('get_wallet', { wallet: '..' })).toMatchObject({ isError: true });
    expect(await mallory.use('get_wallet', { wallet, secret: 'x' })).toMatchObject({
      isError: true,
    });
    await Promise.all([reader.close(), mallory.close()]);
  });
});
