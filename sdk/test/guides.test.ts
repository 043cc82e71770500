/** @module-tag slow */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBuyer, payByCard, startOnrampStack } from '../../src/areas/orders/testing/onramp-kit.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import { listSandboxMessages } from '../../src/providers/messaging/sandbox.ts';
import type { Stack } from '../../test/harness/stack.ts';
import { createPurser, type Purser, type QuestionField } from '../src/index.ts';
import { driveCheckout } from './checkout-driver.ts';
import {
  type CodeBlock,
  findBlock,
  readCodeBlocks,
  runBlock,
  writeProject,
} from './code-blocks.ts';
import { root } from './packed.ts';

const run = promisify(execFile);
const blocks = readCodeBlocks();
const ofLanguages = (...languages: readonly string[]) =>
  blocks.filter(({ language }) => languages.includes(language));

describe('the examples in guides and READMEs', () => {
  it.each([
    ['TypeScript', ofLanguages('ts', 'tsx'), { strict: true, noUncheckedIndexedAccess: true }],
    ['JavaScript', ofLanguages('js'), { strict: false }],
  ])('compile: %s', async (_name, some: readonly CodeBlock[], options) => {
    expect(some.length).toBeGreaterThan(1);
    const { folder, nameOf } = await writeProject(some, options);
    const failure = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    await rm(folder, { recursive: true, force: true });
    expect(nameOf(failure)).toBe('');
  });

  it('are JSON where they say so', () => {
    expect(ofLanguages('json').length).toBeGreaterThan(1);
    for (const { code } of ofLanguages('json'))
      expect(() => JSON.parse(code) as unknown).not.toThrow();
  });

  it('are each run below, but for those that only show a shape', () => {
    const runnable = ofLanguages('ts', 'js').map(({ page, language }) => `${page} ${language}`);
    expect(runnable.toSorted()).toEqual([
      'docs/guides/agent-checkouts.md ts',
      'docs/guides/email-and-phone-signers.md js',
      'docs/guides/orders.md ts',
      'docs/guides/webhooks.md js',
      'docs/guides/webhooks.md ts',
      'docs/guides/what-you-sign.md js',
      'docs/guides/what-you-sign.md ts',
      'sdk/README.md ts',
      'sdk/README.md ts',
    ]);
  });
});

describe('run against the service', () => {
  let stack: Stack;
  let purser: Purser;
  beforeAll(async () => {
    stack = await startOnrampStack();
    purser = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
  });
  afterAll(() => stack?.close());
  const asApp = (user: string) => ({
    baseUrl: stack.api.baseUrl,
    clientKey: stack.api.clientKey,
    userJwt: () => stack.api.userJwt(user),
  });

  it("the client's first lines", async () => {
    const { sent } = await runBlock(
      findBlock('sdk/README.md', 'ts', 'serverSigner'),
      {
        baseUrl: stack.api.baseUrl,
        apiKey: stack.api.serverKey,
        projectId: stack.api.projectId,
        secret: '7a'.repeat(32),
        recipient: '0x000000000000000000000000000000000000bEEF',
      },
      ['sent'],
    );
    expect(sent).toMatchObject({
      status: 'success',
      onChain: { txId: expect.stringMatching(/^0x/) },
    });
  });

  it('an app of a user', async () => {
    const wallet = await purser.createWallet({
      chainType: 'evm',
      owner: 'userId:reader',
      config: { adminSigner: { type: 'api-key' } },
    });
    const given = {
      ...asApp('reader'),
      vaultUrl: stack.api.baseUrl,
      session: { jwt: () => stack.api.userJwt('reader') },
    };
    const found = await runBlock(findBlock('sdk/README.md', 'ts', 'me:evm'), given, ['wallet']);
    expect(found.wallet).toMatchObject({ address: wallet.address });
  });

  it('an order with the client', async () => {
    const buyer = await aBuyer(stack);
    const shown: string[] = [];
    const given = {
      ...asApp(buyer.locator.replace('userId:', '')),
      walletAddress: buyer.address,
      async show(url: string) {
        shown.push(url);
        await payByCard(
          stack,
          (await purser.listOrders({ limit: 1 })).data[0]!.orderId,
          sandboxCards.approved.number,
        );
      },
    };
    const { order } = await runBlock(
      findBlock('docs/guides/orders.md', 'ts', 'createOrder'),
      given,
      ['order'],
    );
    expect(shown).toEqual([expect.stringMatching(/^http/)]);
    expect((await purser.getOrder((order as { orderId: string }).orderId)).phase).toBe('completed');
  });

  it('an agent checkout with the client', async () => {
    const asked: string[] = [];
    let id = '';
    let ended: Promise<unknown> | undefined;
    const given = {
      ...asApp('shopper'),
      async show(title: string | undefined) {
        if (title !== 'Waiting for a browser') return;
        const app = createPurser({
          baseUrl: stack.api.baseUrl,
          apiKey: stack.api.clientKey,
          userJwt: () => stack.api.userJwt('shopper'),
        });
        id = (await app.listAgentCheckouts()).data[0]!.id;
        await driveCheckout(stack.ctx, id).start();
        const total = { amountMinor: 4_990n, currency: 'USD' };
        await driveCheckout(stack.ctx, id).ask({
          kind: 'approve-purchase',
          origin: 'https://shop.example',
          total,
          lines: [],
        });
      },
      async ask(message: string, fields: readonly QuestionField[]) {
        asked.push(message);
        const driver = driveCheckout(stack.ctx, id);
        ended = driver.answered().then(() => driver.succeed({ merchantOrderId: 'A1' }));
        return Object.fromEntries(fields.map(({ name }) => [name, true]));
      },
    };
    const { bought } = await runBlock(
      findBlock('docs/guides/agent-checkouts.md', 'ts', 'app.buy'),
      given,
      ['bought'],
    );
    await ended;
    expect(asked).toEqual(['Buy for 49.90 USD at https://shop.example?']);
    expect(bought).toMatchObject({ status: 'succeeded', receipt: { merchantOrderId: 'A1' } });
  });

  it('the bodies of an agent checkout, as JSON', async () => {
    const wish = JSON.parse(
      findBlock('docs/guides/agent-checkouts.md', 'json', 'target').code,
    ) as Parameters<Purser['createAgentCheckout']>[0];
    const app = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.clientKey,
      userJwt: () => stack.api.userJwt('json'),
    });
    const shipping = { addressLines: ['1 Main St'], locality: 'Berlin', countryCode: 'DE' };
    const profiles = {
      buyerProfileId: (await app.createBuyerProfile({ shipping })).id,
      browserProfileId: (await app.createBrowserProfile({})).id,
    };
    const { id } = await app.createAgentCheckout({ ...wish, ...profiles });
    await driveCheckout(stack.ctx, id).start();
    const total = { amountMinor: 4_990n, currency: 'USD' };
    const action = await driveCheckout(stack.ctx, id).ask({
      kind: 'approve-purchase',
      origin: 'https://shop.example',
      total,
      lines: [],
    });
    const answer = JSON.parse(
      findBlock('docs/guides/agent-checkouts.md', 'json', 'submit').code,
    ) as Parameters<Purser['respondToUserAction']>[2];
    expect((await app.respondToUserAction(id, action.id, answer)).status).toBe('accepted');
  });

  it('a request that a device signs for an e-mail signer', async () => {
    const block = findBlock('docs/guides/email-and-phone-signers.md', 'js', 'signRequest');
    const { signRequest, devicePublicKey } = (await runBlock(block, {}, [
      'signRequest',
      'devicePublicKey',
    ])) as {
      signRequest(input: object): Promise<{ r: string; s: string }>;
      devicePublicKey: { x: string; y: string };
    };
    const email = 'reader@example.com';
    const signer = `email:${email}`;
    const { address } = await purser.createWallet({
      chainType: 'evm',
      config: { adminSigner: { type: 'email', email } },
    });
    const asked = await purser.createSignature(address, {
      type: 'message',
      params: { chain: 'base-sepolia', message: 'hi' },
    });
    const { message } = asked.approvals.pending![0] as { message: string };
    const { codeId } = await purser.requestSignerCode(address, signer, {
      devicePublicKey,
      message,
    });
    const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
    const [sent] = await listSandboxMessages(
      { store: stack.ctx.store, sealer },
      { to: email, limit: 1 },
    );
    const code = /\b\d{6}\b/.exec(sent!.text!)![0];
    const nonce = 'abcdefghijklmnopqrst';
    const deviceSignature = await signRequest({
      walletAddress: address,
      signer,
      codeId,
      code,
      nonce,
      message,
    });
    const { signature } = await purser.signWithSignerCode(address, signer, {
      codeId,
      code,
      message,
      nonce,
      deviceSignature,
    });
    await purser.submitSignatureApprovals(address, asked.id, {
      approvals: [{ signer, signature }],
    });
    expect((await purser.waitForSignature(address, asked.id)).outputSignature).toMatch(/^0x/);
  });

  it('a transfer that is reviewed before it is signed', async () => {
    const privateKey = generatePrivateKey();
    const config = {
      adminSigner: {
        type: 'external-wallet' as const,
        address: privateKeyToAccount(privateKey).address,
      },
    };
    const { address } = await purser.createWallet({ chainType: 'evm', config });
    await stack.setNativeBalance('base-sepolia', address, 10n ** 16n);
    const recipient = '0x000000000000000000000000000000000000bEEF';
    const { sent, reviewed } = await runBlock(
      findBlock('docs/guides/what-you-sign.md', 'ts', 'review: show'),
      {
        baseUrl: stack.api.baseUrl,
        apiKey: stack.api.serverKey,
        privateKey,
        walletAddress: address,
        recipient,
      },
      ['sent', 'reviewed'],
    );
    expect([sent, reviewed]).toMatchObject([
      { status: 'success' },
      [`0.001 eth to ${recipient} on base-sepolia`],
    ]);
  });

  it('the recipe of hashes and addresses, which gives what the vectors say', async () => {
    const { operations, messages, walletAddresses } = JSON.parse(
      readFileSync(join(root, 'sdk/vectors/what-you-sign.json'), 'utf8'),
    );
    const names = ['operationHash', 'textHash', 'walletOf'] as const;
    const recipe = (await runBlock(
      findBlock('docs/guides/what-you-sign.md', 'js', 'operationHash'),
      {},
      names,
    )) as Record<(typeof names)[number], (input: object) => string>;
    for (const { typedData, hash } of operations) {
      const { message, domain } = typedData;
      expect(
        recipe.operationHash({ message, chainId: domain.chainId, wallet: message.wallet }),
      ).toBe(hash);
    }
    const [{ wallet, params, hash }] = messages;
    expect(recipe.textHash({ text: params.message, chainId: 84532, wallet })).toBe(hash);
    for (const { config, address } of walletAddresses.slice(0, 2))
      expect(
        recipe.walletOf({ owner: config.adminSigner.address, seed: config.creationSeed }),
      ).toBe(address);
  });

  it('a webhook, with the client and with the library of the scheme', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = JSON.stringify({
      actionId: 'o-1',
      type: 'orders.delivery.completed',
      data: { orderId: 'o-1' },
    });
    const at = new Date();
    const headers = {
      'webhook-id': 'event-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('event-1', at, body),
    };
    const request = new Request('http://shop.test/hooks', { method: 'POST', headers, body });
    const byClient = await runBlock(
      findBlock('docs/guides/webhooks.md', 'ts', 'verifyWebhook'),
      { secret, request },
      ['event'],
    );
    const byLibrary = await runBlock(
      findBlock('docs/guides/webhooks.md', 'js', 'standardwebhooks'),
      { secret, headers, rawBody: body },
      ['event'],
    );
    expect([byClient.event, byLibrary.event]).toEqual([JSON.parse(body), JSON.parse(body)]);
  });

  it("README's calls by curl", async () => {
    const { code } = findBlock('README.md', 'sh', 'curl');
    // Where the service is and its key: those of this one.
    const script = code
      .replaceAll(/^(KEY|API)=.*$/gm, '')
      .replaceAll('curl -s', "curl -s --max-time 60 --write-out ' %{http_code}\\n'");
    const { stdout } = await run('bash', ['-euc', script], {
      env: { ...process.env, KEY: stack.api.serverKey, API: stack.api.baseUrl },
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(-3));
    expect(answers.join(' ')).toMatch(/^20[01] 201 201 200$/);
  });
});
