import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { CallAnswer, CallOptions } from '../harness/http.ts';
import { makeProductionSecrets, productionEnv } from '../harness/production.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import {
  type ClientAccount,
  type ClientChain,
  evmClient,
  pendingOf,
  solanaClient,
  stellarClient,
} from './client-chains.ts';
import { type Body, expectedCalls, wallets } from './expected-calls.ts';

// What existing clients rely on: supplement, section 19, point by point, on every family with smart
// wallets.

let stack: Stack;
/** Every answer that a test has seen: the rules about keys hold for all of them. */
const answers: { readonly call: string; readonly status: number; readonly body: Body }[] = [];
beforeAll(async () => {
  stack = await startStack({ families: ['solana', 'stellar'] });
});
afterAll(() => stack?.close());

async function call(method: string, path: string, options?: CallOptions): Promise<CallAnswer> {
  const answer = await stack.call(method, path, options);
  answers.push({ call: `${method} ${path}`, status: answer.status, body: answer.body });
  return answer;
}
const { expectWallets: expectCall } = expectedCalls(call);

async function sign(
  account: ClientAccount,
  object: Body,
  locator = `external-wallet:${account.address}`,
) {
  return { approvals: [{ signer: locator, signature: await account.sign(object) }] };
}

/**
 * 500 ms growing by a tenth to 2 s after a second's pause, a minute in all, as those clients do.
 */
async function poll(path: string): Promise<Body> {
  for (
    let waited = 0, pauseMs = 1_000;
    waited < 60_000;
    waited += pauseMs, pauseMs = waited === 0 ? 500 : Math.min(pauseMs * 1.1, 2_000)
  ) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const body = await expectCall(200, 'GET', path);
    if (body.status === 'success' || body.status === 'failed') return body;
  }
  throw new Error(`${path} has not ended within a minute`);
}

/** What a client of the family does, in its words. */
function clientOf({ chainType, chain, token, somebody }: ClientChain) {
  return {
    create: (config: object, more: object = {}) =>
      expectCall(201, 'POST', '', {
        chainType,
        type: 'smart',
        config: { delegatedSigners: [], ...config },
        ...more,
      }),
    async fund(address: string): Promise<void> {
      const body = { amount: 50, token: 'usdxm', chain };
      expect(
        (await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { body })).status,
      ).toBe(201);
    },
    send: (address: string, more: object = {}) =>
      expectCall(201, 'POST', `/${address}/tokens/${token}/transfers`, {
        recipient: somebody,
        amount: '1',
        ...more,
      }),
  };
}
const externalWallet = ({ address }: { readonly address: string }) => ({
  adminSigner: { type: 'external-wallet', address },
});

describe.each([evmClient, solanaClient, stellarClient])('on $chainType', (family) => {
  // Stellar's slow ones show what Solana's show.
  const tags = family.chainType === 'stellar' ? ['slow'] : [];
  const { chainType, chain, named, somebody } = family;
  const { create, fund, send } = clientOf(family);

  describe('1, 2: bodies', () => {
    it('of success have no key `error`, transfers no `message`', { tags }, async () => {
      const { address } = await create(externalWallet(family.account()));
      await fund(address);
      const transfer = await send(address);
      const locator = `external-wallet:${family.account().address}`;
      const signer = await expectCall(201, 'POST', `/${address}/signers`, {
        signer: locator,
        ...named,
      });
      const bodies = [
        await expectCall(200, 'GET', `/${address}`),
        await expectCall(200, 'GET', `/${address}/balances?tokens=usdxm&chains=${chain}`),
        await expectCall(200, 'GET', `/${address}/transactions/${transfer.id}`),
        await expectCall(200, 'GET', `/${address}/signers/${encodeURIComponent(signer.locator)}`),
        transfer,
        signer,
      ];
      for (const body of bodies) expect(Object.keys(body)).not.toContain('error');
      expect(transfer).not.toHaveProperty('message');
    });

    it('of every refusal are JSON, and none is a 5xx', async () => {
      const { address } = await create({ adminSigner: { type: 'api-key' } });
      const wallet = `/2025-06-09/wallets/${address}`;
      const refused = [
        await stack.call('PATCH', wallet),
        await stack.call('POST', '/2025-06-09/wallets', { body: `{"chainType":"${chainType}` }),
        await stack.call('POST', '/2025-06-09/wallets', { body: { chainType, type: 'smart' } }),
        await stack.call('GET', wallet, { key: 'sk_live_old' }),
        await stack.call('POST', `${wallet}/transactions`, {
          body: { params: { calls: [{}], transaction: '!', chain } },
        }),
        await stack.call('POST', `${wallet}/tokens/${family.token}/transfers`, {
          body: { recipient: somebody, amount: 'all' },
        }),
        await stack.call('POST', `${wallet}/tokens/${family.token}/transfers`, {
          body: { recipient: 'nobody', amount: '1' },
        }),
        await stack.call('POST', `${wallet}/signatures`, {
          body: { type: 'typed-data', params: { chain, typedData: 1 } },
        }),
      ];
      for (const { status, headers, body } of refused)
        expect(sayRefusal(status, headers, body)).toEqual(plainRefusal);
    });
  });

  describe('3, 7: a wallet', () => {
    it('echoes the admin signer exactly as it was sent, in its own spelling', async () => {
      for (const spelled of family.account().spellings) {
        const more = chainType === 'evm' ? { creationSeed: spelled } : {};
        const made = await create({
          adminSigner: { type: 'external-wallet', address: spelled },
          ...more,
        });
        expect({
          type: made.type,
          chainType: made.chainType,
          adminSigner: made.config.adminSigner,
        }).toEqual({
          type: 'smart',
          chainType,
          adminSigner: {
            type: 'external-wallet',
            address: spelled,
            locator: `external-wallet:${spelled}`,
          },
        });
      }
    });

    it('echoes an e-mail after normalisation', async () => {
      const { config } = await create({
        adminSigner: { type: 'email', email: 'Ada.L@GoogleMail.com' },
      });
      expect(config.adminSigner).toMatchObject({
        type: 'email',
        email: 'adal@gmail.com',
        locator: 'email:adal@gmail.com',
      });
    });

    it('shows the delegated signers that were asked for, with the same locator, `server:` in its one spelling', async () => {
      const [owner, server, external] = [family.account(), family.account(), family.account()];
      const { config } = await create({
        ...externalWallet(owner),
        delegatedSigners: [
          { signer: `server:${server.spellings.at(-1)}` },
          { signer: `external-wallet:${external.address}` },
        ],
      });
      expect(config.delegatedSigners.map(({ locator }: { locator: string }) => locator)).toEqual([
        `server:${server.address}`,
        `external-wallet:${external.address}`,
      ]);
    });

    it('has the owner and family that were asked for, also when it was there already', async () => {
      const body = {
        chainType,
        type: 'smart',
        owner: `userId:seventh-${chainType}`,
        config: { adminSigner: { type: 'api-key' } },
      };
      for (const status of [201, 200]) {
        const answer = await call('POST', wallets, { body });
        const { owner, chainType: answered, type } = answer.body;
        expect([answer.status, owner, answered, type]).toEqual([
          status,
          body.owner,
          chainType,
          'smart',
        ]);
      }
    });
  });

  it('4: a pending approval names the signer as it was sent, character by character', async () => {
    const owner = family.account();
    const { address } = await create(externalWallet(owner));
    await fund(address);
    for (const spelled of owner.spellings) {
      const signer = `external-wallet:${spelled}`;
      const transfer = await send(address, { signer });
      expect([pendingOf(transfer)[0]!.signer.locator, transfer.params.signer.locator]).toEqual([
        signer,
        signer,
      ]);
    }
  });

  describe('5, 8, 10, 11: transactions', () => {
    it('are posted, read, approved and polled; a finished one has onChain.txId', {
      tags,
    }, async () => {
      const owner = family.account();
      const { address } = await create(externalWallet(owner));
      await fund(address);
      const created = await send(address);
      const path = `/${address}/transactions/${created.id}`;
      expect(await expectCall(200, 'GET', path)).toEqual(created);
      expect(
        (await expectCall(201, 'POST', `${path}/approvals`, await sign(owner, created))).error,
      ).toBeFalsy();
      const done = await poll(path);
      expect([done.status, done.onChain.txId]).toEqual([
        'success',
        expect.stringMatching(family.txId),
      ]);
      expect(await expectCall(201, 'POST', `${path}/approvals`, { approvals: [] })).toEqual(done);
    });

    it('of an api-key signer go on without any approval', { tags }, async () => {
      const { address } = await create({ adminSigner: { type: 'api-key' } });
      await fund(address);
      const created = await send(address, { signer: 'api-key' });
      expect(created.approvals.pending).toEqual([]);
      expect((await poll(`/${address}/transactions/${created.id}`)).status).toBe('success');
    });
  });

  it('6, 11: a signer is looked for, added, approved, may act, and is removed by a transaction', {
    tags,
  }, async () => {
    const [owner, helper] = [family.account(), family.account()];
    const { address } = await create(externalWallet(owner));
    await fund(address);
    const signer = `external-wallet:${helper.address}`;
    const signerPath = `/${address}/signers/${encodeURIComponent(signer)}`;
    expect((await call('GET', `${wallets}${signerPath}`)).status).toBe(404);
    const added = await expectCall(201, 'POST', `/${address}/signers`, { signer, ...named });
    expect(added.locator).toBe(signer);
    // On EVM a signature, elsewhere a transaction.
    const entry = named.chain === undefined ? added.transaction : added.chains[named.chain];
    expect(entry.status).toBe('awaiting-approval');
    const path = `/${address}/${named.chain === undefined ? 'transactions' : 'signatures'}/${entry.id}`;
    const approved = await expectCall(
      201,
      'POST',
      `${path}/approvals`,
      await sign(owner, await expectCall(200, 'GET', path)),
    );
    expect(['success', 'pending']).toContain(approved.status);
    expect(approved.error).toBeFalsy();
    const done = await poll(path);
    expect(done.status).toBe('success');
    if (named.chain !== undefined) expect(done.outputSignature).toMatch(/^0x[0-9a-f]+$/);
    const there = await expectCall(200, 'GET', signerPath);
    if (named.chain !== undefined) expect(there.chains[named.chain]).toEqual({ status: 'success' });

    const sent = await send(address, { signer });
    await expectCall(
      201,
      'POST',
      `/${address}/transactions/${sent.id}/approvals`,
      await sign(helper, sent),
    );
    expect((await poll(`/${address}/transactions/${sent.id}`)).status).toBe('success');

    const removal = await expectCall(
      200,
      'DELETE',
      `${signerPath}${named.chain === undefined ? '' : `?chain=${named.chain}`}`,
    );
    await expectCall(
      201,
      'POST',
      `/${address}/transactions/${removal.id}/approvals`,
      await sign(owner, removal),
    );
    expect((await poll(`/${address}/transactions/${removal.id}`)).status).toBe('success');
    expect((await call('GET', `${wallets}${signerPath}`)).status).toBe(404);
  });

  it('9: the name of the chain that is answered is the one of this environment', async () => {
    const { address } = await create({ adminSigner: { type: 'api-key' } });
    const sent = chainType === 'evm' ? 'base' : chain;
    await fund(address);
    const path = `/2025-06-09/wallets/${address}/balances?tokens=usdxm&chains=${sent}`;
    const { body } = await stack.call('GET', path, { headers: { 'x-client-name': 'some-sdk' } });
    expect(body.map((token: Body) => [token.symbol, Object.keys(token.chains)])).toEqual([
      ['usdxm', [chain]],
    ]);
  });
});

describe('2: what no wallet is asked for', () => {
  it('is refused in JSON, too', async () => {
    const refused = [
      await stack.call('GET', '/2025-06-09/nothing-here'),
      await stack.call('POST', '/2025-06-09/wallets', {
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      await stack.call('GET', '/2025-06-09/wallets/%E0%A4%A'),
      await stack.call('GET', '/2025-06-09/wallets/nonsense'),
    ];
    for (const { status, headers, body } of refused)
      expect(sayRefusal(status, headers, body)).toEqual(plainRefusal);
  });
});

const plainRefusal = [true, expect.stringContaining('application/json'), true, 'string'];
const sayRefusal = (status: number, headers: Headers, body: Body) => [
  status >= 400 && status < 500,
  headers.get('content-type'),
  body.error,
  typeof body.message,
];

describe('on evm alone', () => {
  const { chain, somebody } = evmClient;
  const { create } = clientOf(evmClient);

  it('3: a wallet echoes the public key of a passkey', async () => {
    // Any point of the curve: the base point.
    const publicKey = {
      x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
      y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
    };
    const passkey = { type: 'passkey', id: 'credential-1', name: 'My key', publicKey };
    expect((await create({ adminSigner: passkey })).config.adminSigner).toMatchObject({
      ...passkey,
      locator: 'passkey:credential-1',
    });
  });

  it('4: calls and signatures name the signer as it was sent, too', async () => {
    const owner = evmClient.account();
    const { address } = await create(externalWallet(owner));
    for (const spelled of owner.spellings) {
      const signer = `external-wallet:${spelled}`;
      const calls = [{ to: somebody, value: '0', data: '0x' }];
      const made = [
        await expectCall(201, 'POST', `/${address}/transactions`, {
          params: { chain, calls, signer },
        }),
        await expectCall(201, 'POST', `/${address}/signatures`, {
          type: 'message',
          params: { chain, message: 'hi', signer },
        }),
      ];
      for (const object of made)
        expect([pendingOf(object)[0]!.signer.locator, object.params.signer.locator]).toEqual([
          signer,
          signer,
        ]);
    }
  });

  it('6, 11: signatures are posted, read and approved: the answer is success with its signature, or pending', async () => {
    const owner = evmClient.account();
    const { address } = await create(externalWallet(owner));
    const created = await expectCall(201, 'POST', `/${address}/signatures`, {
      type: 'message',
      params: { chain, message: 'hi' },
    });
    expect(created).not.toHaveProperty('error');
    const path = `/${address}/signatures/${created.id}`;
    expect(await expectCall(200, 'GET', path)).toEqual(created);
    const approved = await expectCall(201, 'POST', `${path}/approvals`, await sign(owner, created));
    expect([approved.status, approved.outputSignature]).toEqual([
      'success',
      expect.stringMatching(/^0x/),
    ]);
    expect(approved.error).toBeFalsy();
  });

  it('9: names of main networks stand for their test network outside production', async () => {
    const { address } = await create({ adminSigner: { type: 'api-key' } });
    const calls = [{ to: address, value: '0', data: '0x' }];
    const { params } = await expectCall(201, 'POST', `/${address}/transactions`, {
      params: { chain: 'base', calls },
    });
    expect(params.chain).toBe(chain);
    const signed = await expectCall(201, 'POST', `/${address}/signatures`, {
      type: 'message',
      params: { chain: 'base', message: 'hi' },
    });
    expect(signed.params.chain).toBe(chain);
  });
});

describe('8: polling', () => {
  it('each half second by one caller is within the limit that a project has unless its operator says otherwise', () => {
    const env = productionEnv({
      process: 'api',
      databaseUrl: 'postgres://a:b@localhost/c',
      secrets: makeProductionSecrets(1),
      rpcUrls: {},
    });
    expect(loadConfig(env, { process: 'api' }).rateLimits?.readsPerMinute).toBeGreaterThan(120);
  });
});

describe('all answers of this file', () => {
  it('with success have no key `error`, and no answer was a 5xx', () => {
    expect(answers.length).toBeGreaterThan(80);
    const wrong = answers.filter(
      ({ status, body }) =>
        status >= 500 || (status < 300 && body.status !== 'failed' && 'error' in body),
    );
    expect(wrong).toEqual([]);
  });
});
