import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { CallAnswer } from '../harness/http.ts';
import { makeProductionSecrets, productionEnv } from '../harness/production.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// What existing clients rely on: supplement, section 19, point by point.

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;
const somebody = '0x000000000000000000000000000000000000bEEF';
const anAccount = () => privateKeyToAccount(generatePrivateKey());
type Body = CallAnswer['body'];

let stack: Stack;
/** Every answer that a test has seen: the rules about keys hold for all of them. */
const answers: { readonly call: string; readonly status: number; readonly body: Body }[] = [];
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

async function call(method: string, path: string, body?: unknown): Promise<CallAnswer> {
  const answer = await stack.call(method, `/2025-06-09/wallets${path}`, body === undefined ? {} : { body });
  answers.push({ call: `${method} ${path}`, status: answer.status, body: answer.body });
  return answer;
}

async function expectCall(status: number, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await call(method, path, body);
  expect([`${method} ${path}`, answer.status, answer.text]).toEqual([`${method} ${path}`, status, expect.any(String)]);
  return answer.body;
}

const createWallet = (config: object, more: object = {}) =>
  expectCall(201, 'POST', '', { chainType: 'evm', type: 'smart', config: { delegatedSigners: [], ...config }, ...more });

async function fund(address: string): Promise<void> {
  const { status } = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { body: { amount: 50, token: 'usdxm', chain } });
  expect(status).toBe(201);
}

const approvalsOf = (object: Body) => object.approvals.pending as { signer: { locator: string }; message: Hex }[];

async function signApproval(account: ReturnType<typeof anAccount>, object: Body, locator = `external-wallet:${account.address}`) {
  const { message } = approvalsOf(object)[0]!;
  return { approvals: [{ signer: locator, signature: await account.signMessage({ message: { raw: message } }) }] };
}

/** 500 ms growing by a tenth to 2 s after a second's pause, a minute in all, as those clients do. */
async function poll(path: string): Promise<Body> {
  for (let waited = 0, pauseMs = 1_000; waited < 60_000; waited += pauseMs, pauseMs = waited === 0 ? 500 : Math.min(pauseMs * 1.1, 2_000)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const body = await expectCall(200, 'GET', path);
    if (body.status === 'success' || body.status === 'failed') return body;
  }
  throw new Error(`${path} has not ended within a minute`);
}

describe('1, 2: bodies', () => {
  it('of success have no key `error`, transfers no `message`', async () => {
    const owner = anAccount();
    const { address } = await createWallet({ adminSigner: { type: 'external-wallet', address: owner.address } });
    await fund(address);
    const transfer = await expectCall(201, 'POST', `/${address}/tokens/${usdxm}/transfers`, { recipient: somebody, amount: '1' });
    const signature = await expectCall(201, 'POST', `/${address}/signatures`, { type: 'message', params: { chain, message: 'hi' } });
    const signer = await expectCall(201, 'POST', `/${address}/signers`, { signer: `external-wallet:${anAccount().address}`, chain });
    const bodies = [
      await expectCall(200, 'GET', `/${address}`),
      await expectCall(200, 'GET', `/${address}/balances?tokens=usdxm&chains=${chain}`),
      await expectCall(200, 'GET', `/${address}/transactions/${transfer.id}`),
      await expectCall(200, 'GET', `/${address}/signatures/${signature.id}`),
      await expectCall(200, 'GET', `/${address}/signers/${encodeURIComponent(signer.locator)}`),
      transfer,
      signature,
      signer,
    ];
    for (const body of bodies) expect(Object.keys(body)).not.toContain('error');
    expect(transfer).not.toHaveProperty('message');
  });

  it('of every refusal are JSON, and none is a 5xx', async () => {
    const { address } = await createWallet({ adminSigner: { type: 'api-key' } });
    const refused = [
      await stack.call('GET', '/2025-06-09/nothing-here'),
      await stack.call('PATCH', `/2025-06-09/wallets/${address}`),
      await stack.call('POST', '/2025-06-09/wallets', { body: '{"chainType":' }),
      await stack.call('POST', '/2025-06-09/wallets', { body: 'x', headers: { 'content-type': 'text/plain' } }),
      await stack.call('GET', '/2025-06-09/wallets/%E0%A4%A'),
      await stack.call('GET', '/2025-06-09/wallets/nonsense'),
      await stack.call('GET', `/2025-06-09/wallets/${address}`, { key: 'sk_live_old' }),
      await stack.call('POST', `/2025-06-09/wallets/${address}/transactions`, { body: { params: { calls: [{}], chain } } }),
      await stack.call('POST', `/2025-06-09/wallets/${address}/signatures`, {
        body: { type: 'typed-data', params: { chain, typedData: 1 } },
      }),
    ];
    for (const { status, headers, body } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect([headers.get('content-type'), body.error, typeof body.message]).toEqual([
        expect.stringContaining('application/json'),
        true,
        'string',
      ]);
    }
  });
});

describe('3, 7: a wallet', () => {
  it('echoes the admin signer exactly as it was sent, in its own address case', async () => {
    const { address } = anAccount();
    for (const spelled of [address, address.toLowerCase() as Hex]) {
      const { type, chainType, config } = await createWallet({
        adminSigner: { type: 'external-wallet', address: spelled },
        creationSeed: spelled,
      });
      expect({ type, chainType, adminSigner: config.adminSigner }).toEqual({
        type: 'smart',
        chainType: 'evm',
        adminSigner: { type: 'external-wallet', address: spelled, locator: `external-wallet:${spelled}` },
      });
    }
  });

  it('echoes the public key of a passkey, and an e-mail after normalisation', async () => {
    // Any point of the curve: the base point.
    const publicKey = {
      x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
      y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
    };
    const passkey = { type: 'passkey', id: 'credential-1', name: 'My key', publicKey };
    expect((await createWallet({ adminSigner: passkey })).config.adminSigner).toMatchObject({
      ...passkey,
      locator: 'passkey:credential-1',
    });
    const { config } = await createWallet({ adminSigner: { type: 'email', email: 'Ada.L@GoogleMail.com' } });
    expect(config.adminSigner).toMatchObject({ type: 'email', email: 'adal@gmail.com', locator: 'email:adal@gmail.com' });
  });

  it('shows the delegated signers that were asked for, with the same locator, `server:` with the checksum', async () => {
    const [owner, server, external] = [anAccount(), anAccount(), anAccount()];
    const { config } = await createWallet({
      adminSigner: { type: 'external-wallet', address: owner.address },
      delegatedSigners: [{ signer: `server:${server.address.toLowerCase()}` }, { signer: `external-wallet:${external.address}` }],
    });
    expect(config.delegatedSigners.map(({ locator }: { locator: string }) => locator)).toEqual([
      `server:${server.address}`,
      `external-wallet:${external.address}`,
    ]);
  });

  it('has the owner and family that were asked for, also when it was there already', async () => {
    const adminSigner = { type: 'api-key' };
    const create = () => call('POST', '', { chainType: 'evm', type: 'smart', owner: 'userId:seventh', config: { adminSigner } });
    for (const status of [201, 200]) {
      const answer = await create();
      expect([answer.status, answer.body.owner, answer.body.chainType, answer.body.type]).toEqual([
        status,
        'userId:seventh',
        'evm',
        'smart',
      ]);
    }
  });
});

describe('4: a pending approval', () => {
  it('names the signer as it was sent, character by character', async () => {
    const owner = anAccount();
    const { address } = await createWallet({ adminSigner: { type: 'external-wallet', address: owner.address } });
    await fund(address);
    for (const signer of [`external-wallet:${owner.address}`, `external-wallet:${owner.address.toLowerCase()}`]) {
      const made = [
        await expectCall(201, 'POST', `/${address}/tokens/${usdxm}/transfers`, { recipient: somebody, amount: '1', signer }),
        await expectCall(201, 'POST', `/${address}/transactions`, {
          params: { chain, calls: [{ to: address, value: '0', data: '0x' }], signer },
        }),
        await expectCall(201, 'POST', `/${address}/signatures`, { type: 'message', params: { chain, message: 'hi', signer } }),
      ];
      for (const object of made) expect([approvalsOf(object)[0]!.signer.locator, object.params.signer.locator]).toEqual([signer, signer]);
    }
  });
});

describe('5, 8, 10, 11: transactions', () => {
  it('are posted, read, approved and polled; a finished one has onChain.txId', async () => {
    const owner = anAccount();
    const { address } = await createWallet({ adminSigner: { type: 'external-wallet', address: owner.address } });
    await fund(address);
    const created = await expectCall(201, 'POST', `/${address}/tokens/${usdxm}/transfers`, { recipient: somebody, amount: '1' });
    const path = `/${address}/transactions/${created.id}`;
    expect(await expectCall(200, 'GET', path)).toEqual(created);
    await expectCall(201, 'POST', `${path}/approvals`, await signApproval(owner, created));
    const done = await poll(path);
    expect([done.status, done.onChain.txId]).toEqual(['success', expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    expect(await expectCall(201, 'POST', `${path}/approvals`, { approvals: [] })).toEqual(done);
  });

  it('of an api-key signer go on without any approval', async () => {
    const { address } = await createWallet({ adminSigner: { type: 'api-key' } });
    await fund(address);
    const created = await expectCall(201, 'POST', `/${address}/tokens/${usdxm}/transfers`, {
      recipient: somebody,
      amount: '1',
      signer: 'api-key',
    });
    expect(created.approvals.pending).toEqual([]);
    expect((await poll(`/${address}/transactions/${created.id}`)).status).toBe('success');
  });

  it('may be polled each half second by one caller within the limit that a project has unless its operator says otherwise', () => {
    const env = productionEnv({
      process: 'api',
      databaseUrl: 'postgres://a:b@localhost/c',
      secrets: makeProductionSecrets(1),
      rpcUrls: {},
    });
    expect(loadConfig(env, { process: 'api' }).rateLimits?.readsPerMinute).toBeGreaterThan(120);
  });
});

describe('6, 11: signatures', () => {
  it('are posted, read and approved: the answer is success with its signature, or pending', async () => {
    const owner = anAccount();
    const { address } = await createWallet({ adminSigner: { type: 'external-wallet', address: owner.address } });
    const created = await expectCall(201, 'POST', `/${address}/signatures`, { type: 'message', params: { chain, message: 'hi' } });
    const path = `/${address}/signatures/${created.id}`;
    expect(await expectCall(200, 'GET', path)).toEqual(created);
    const approved = await expectCall(201, 'POST', `${path}/approvals`, await signApproval(owner, created));
    expect([approved.status, approved.outputSignature]).toEqual(['success', expect.stringMatching(/^0x/)]);
    expect(approved.error).toBeFalsy();
  });

  it('of a registration are pending until the chain has the signer; then the signer may act, and be removed', async () => {
    const [owner, helper] = [anAccount(), anAccount()];
    const { address } = await createWallet({ adminSigner: { type: 'external-wallet', address: owner.address } });
    await fund(address);
    const signer = `external-wallet:${helper.address}`;
    const signerPath = `/${address}/signers/${encodeURIComponent(signer)}`;
    expect((await call('GET', signerPath)).status).toBe(404);
    const added = await expectCall(201, 'POST', `/${address}/signers`, { signer, chain });
    expect([added.locator, added.chains[chain].status]).toEqual([signer, 'awaiting-approval']);
    const path = `/${address}/signatures/${added.chains[chain].id}`;
    const approved = await expectCall(201, 'POST', `${path}/approvals`, await signApproval(owner, await expectCall(200, 'GET', path)));
    expect(['success', 'pending']).toContain(approved.status);
    expect(approved.error).toBeFalsy();
    const done = await poll(path);
    expect([done.status, done.outputSignature]).toEqual(['success', expect.stringMatching(/^0x[0-9a-f]+$/)]);
    expect((await expectCall(200, 'GET', signerPath)).chains[chain]).toEqual({ status: 'success' });

    const sent = await expectCall(201, 'POST', `/${address}/tokens/${usdxm}/transfers`, { recipient: somebody, amount: '1', signer });
    await expectCall(201, 'POST', `/${address}/transactions/${sent.id}/approvals`, await signApproval(helper, sent));
    expect((await poll(`/${address}/transactions/${sent.id}`)).status).toBe('success');

    const removal = await expectCall(200, 'DELETE', `${signerPath}?chain=${chain}`);
    await expectCall(201, 'POST', `/${address}/transactions/${removal.id}/approvals`, await signApproval(owner, removal));
    expect((await poll(`/${address}/transactions/${removal.id}`)).status).toBe('success');
    expect((await call('GET', signerPath)).status).toBe(404);
  });
});

describe('9: chain names', () => {
  it('of main networks stand for their test network outside production', async () => {
    const { address } = await createWallet({ adminSigner: { type: 'api-key' } });
    const { params } = await expectCall(201, 'POST', `/${address}/transactions`, {
      params: { chain: 'base', calls: [{ to: address, value: '0', data: '0x' }] },
    });
    expect(params.chain).toBe(chain);
    const signed = await expectCall(201, 'POST', `/${address}/signatures`, { type: 'message', params: { chain: 'base', message: 'hi' } });
    expect(signed.params.chain).toBe(chain);
  });
});

describe('all answers of this file', () => {
  it('with success have no key `error`, and no answer was a 5xx', () => {
    expect(answers.length).toBeGreaterThan(40);
    const wrong = answers.filter(({ status, body }) => status >= 500 || (status < 300 && body.status !== 'failed' && 'error' in body));
    expect(wrong).toEqual([]);
  });
});
