import {
  Account,
  Asset,
  Keypair,
  Operation,
  rpc,
  scValToNative,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressValue, amountValue } from '../../contracts/stellar/index.ts';
import { compileContract } from '../../devnet/stellar/testing/compile.ts';
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';
import { connectClient, type StellarClient } from '../../src/chains/stellar/testing/client.ts';
import {
  ed25519Signer,
  p256Signer,
  type TestSigner,
} from '../../src/chains/stellar/testing/smart.ts';
import { developmentSecrets } from '../../src/config/development-config.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { type Body, expectedCalls } from './expected-calls.ts';
import { aSignIn, writeEntries } from './stellar-entries.ts';

// Smart wallets on Stellar: supplement, sections 1, 4 to 7, 9, 10 and 12.

let stack: Stack;
let client: StellarClient;
let issuer: Keypair;
let usdxm: Asset;

beforeAll(async () => {
  stack = await startStack({ families: ['stellar'] });
  client = connectClient(stack.urlOf('stellar'));
  const { treasuryKey } = developmentSecrets(stack.dataDir).stellar;
  issuer = Keypair.fromRawEd25519Seed(Buffer.from(treasuryKey.reveal()));
  usdxm = new Asset('USDXM', issuer.publicKey());
});
afterAll(() => stack?.close());

const contractId = () => usdxm.contractId(stellarNetwork('development').passphrase);

const { expectCall, expectWallets: wallets } = expectedCalls((...call) => stack.call(...call));

const create = (config: object, more: object = {}, status = 201) =>
  wallets(status, 'POST', '', {
    chainType: 'stellar',
    type: 'smart',
    config: { delegatedSigners: [], ...config },
    ...more,
  });

const fund = (address: string, status = 201) =>
  expectCall(status, 'POST', `/v1-alpha2/wallets/${address}/balances`, {
    body: { amount: 50, token: 'usdxm', chain: 'stellar' },
  });

const balancesOf = (address: string, tokens: string): Promise<Body> =>
  expectCall(
    200,
    'GET',
    `/2025-06-09/wallets/${address}/balances?tokens=${tokens}&chains=stellar`,
    { headers: { 'x-client-name': 'some-sdk' } },
  );

async function finish(wallet: string, { id }: Body, signers: readonly TestSigner[]): Promise<Body> {
  const read = await wallets(200, 'GET', `/${wallet}/transactions/${id}`);
  const [entry] = read.approvals.pending;
  const approvals = signers.map((one) => {
    const pending =
      entry.quorumApprovals?.pending.find(
        ({ signer }: Body) => signer.locator === one.signer.locator,
      ) ?? entry;
    const { signature, metadata } = one.approve({ message: pending.message });
    return { signer: pending.signer.locator, signature, ...(metadata && { metadata }) };
  });
  await wallets(201, 'POST', `/${wallet}/transactions/${id}/approvals`, { approvals });
  return stack.waitForTransaction(wallet, id);
}
const inputOf = ({ signer: { locator: _, ...input } }: TestSigner) => input;
const transfer = (wallet: string, body: object, token = 'usdxm', status = 201) =>
  wallets(status, 'POST', `/${wallet}/tokens/stellar:${token}/transfers`, body);

/** An account of somebody that holds the test token. */
async function aHolder(amount = '0'): Promise<Keypair> {
  const holder = await client.newAccount();
  await client.send(holder, [Operation.changeTrust({ asset: usdxm })]);
  if (amount !== '0')
    await client.send(issuer, [
      Operation.payment({ destination: holder.publicKey(), asset: usdxm, amount }),
    ]);
  return holder;
}

describe('wallets', () => {
  it.each([
    ['external-wallet', ed25519Signer('external-wallet')],
    ['server', ed25519Signer('server')],
    ['passkey', p256Signer('passkey')],
  ])(
    'of the admin %s are a contract, made by their first transaction, and move at its approval',
    async (_, admin) => {
      const wallet = await create({ adminSigner: inputOf(admin) });
      expect(wallet).toMatchObject({
        chainType: 'stellar',
        type: 'smart',
        address: expect.stringMatching(/^C[A-Z2-7]{55}$/),
      });
      expect(wallet.config).toMatchObject({
        adminSigner: { locator: admin.signer.locator },
        delegatedSigners: [],
        plugins: [],
      });
      await fund(wallet.address);
      const friend = (await aHolder()).publicKey();
      const created = await transfer(wallet.address, { recipient: friend, amount: '12.5' });
      expect(created).toMatchObject({ walletType: 'smart', status: 'awaiting-approval' });
      expect(created.approvals.pending[0].message).toMatch(/^[A-Za-z0-9+/]*={0,2}$/);
      expect(created.onChain).toMatchObject({
        transaction: { method: 'transfer', tx: expect.any(String) },
        expiration: expect.any(Number),
      });
      const done = await finish(wallet.address, created, [admin]);
      expect(done).toMatchObject({
        status: 'success',
        onChain: { txId: expect.stringMatching(/^[0-9a-f]{64}$/), ledger: expect.any(Number) },
      });
      expect((await balancesOf(wallet.address, 'usdxm'))[0].amount).toBe('37.5');
    },
  );

  it('of a quorum move when as many members as it wants have approved', async () => {
    const members = [
      ed25519Signer('server'),
      ed25519Signer('external-wallet'),
      p256Signer('passkey'),
    ];
    const wallet = await create({
      recoveryMethods: [{ type: 'quorum', threshold: 2, members: members.map(inputOf) }],
    });
    await fund(wallet.address);
    const created = await transfer(wallet.address, { recipient: wallet.address, amount: '1' });
    expect(await finish(wallet.address, created, [members[2]!, members[0]!])).toMatchObject({
      status: 'success',
    });
  });

  it('have a config that is strict, and admins that the supplement lists', async () => {
    const { signer } = ed25519Signer();
    const adminSigner = { type: 'external-wallet', address: signer.address };
    for (const more of [{ nonsense: 1 }, { plugins: ['one'] }])
      await create({ adminSigner, ...more }, {}, 400);
    await create({ adminSigner, plugins: [] });
    await create(
      { adminSigner: { type: 'device', publicKey: inputOf(p256Signer('device')).publicKey } },
      {},
      400,
    );
    await create(
      { adminSigner: { type: 'external-wallet', address: `${signer.address!.slice(0, -1)}!` } },
      {},
      400,
    );
  });
});

describe('tokens, balances and test funding', () => {
  it('answer zeros and the contract of the token, lumens without one; an asset is named by code and issuer too', async () => {
    const { address } = await create({ adminSigner: { type: 'api-key' } });
    const [native, token] = (await balancesOf(address, 'usdxm,xlm')).toSorted((one: Body) =>
      one.symbol === 'xlm' ? -1 : 1,
    );
    expect(token).toMatchObject({
      symbol: 'usdxm',
      decimals: 7,
      amount: '0',
      rawAmount: '0',
      chains: { stellar: { contractId: contractId() } },
    });
    expect(native).toMatchObject({ symbol: 'xlm', amount: '0', rawAmount: '0' });
    expect(native.chains.stellar).not.toHaveProperty('contractId');
    await fund(address);
    const [named] = await balancesOf(address, `stellar:USDXM:${issuer.publicKey()}`);
    expect(named).toMatchObject({
      symbol: 'usdxm',
      amount: '50',
      rawAmount: '500000000',
      chains: { stellar: { contractId: contractId() } },
    });
    expect(await balancesOf(address, `stellar:${contractId()}`)).toMatchObject([{ amount: '50' }]);
    const other = `stellar:USDXM:${Keypair.random().publicKey()}`;
    const { message } = await expectCall(
      400,
      'GET',
      `/2025-06-09/wallets/${address}/balances?tokens=${other}&chains=stellar`,
    );
    expect(message).toContain('has no contract on "stellar" yet');
  });
});

describe('transfers', () => {
  it('take a contract or an account that can hold the token; one that cannot is told why', async () => {
    const { address } = await create({ adminSigner: { type: 'api-key' } });
    await fund(address);
    const stranger = await client.newAccount();
    const refused = await stack.call(
      'POST',
      `/2025-06-09/wallets/${address}/tokens/stellar:usdxm/transfers`,
      {
        body: { recipient: stranger.publicKey(), amount: '1' },
      },
    );
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(refused.body.message).toMatch(/trust ?line/i);
    await transfer(address, { recipient: 'GABC', amount: '1' }, 'usdxm', 400);
    await transfer(address, { recipient: stranger.publicKey(), amount: '51' }, 'usdxm', 400);
    const { address: other } = await create({ adminSigner: { type: 'api-key' } });
    const created = await transfer(address, { recipient: other, amount: '2' });
    expect(await stack.waitForTransaction(address, created.id)).toMatchObject({
      status: 'success',
    });
    expect((await balancesOf(other, 'usdxm'))[0].amount).toBe('2');
  });

  it('carry a number as their memo, which the recipient finds in the event of the transfer', async () => {
    const { address } = await create({ adminSigner: { type: 'api-key' } });
    await fund(address);
    const exchange = (await aHolder()).publicKey();
    const created = await transfer(address, {
      recipient: exchange,
      amount: '3',
      memo: { type: 'id', value: '4711' },
    });
    const { onChain } = await stack.waitForTransaction(address, created.id);
    const server = new rpc.Server(stack.urlOf('stellar'), { allowHttp: true });
    const { events } = await server.getEvents({
      startLedger: onChain.ledger,
      filters: [{ type: 'contract', contractIds: [contractId()] }],
    });
    const told = events
      .filter(({ txHash }) => txHash === onChain.txId)
      .map(({ value }) => scValToNative(value));
    expect(told).toEqual([{ amount: 30_000_000n, to_muxed_id: 4711n }]);
    await transfer(
      address,
      { recipient: exchange, amount: '3', memo: { type: 'text', value: 'x'.repeat(29) } },
      'usdxm',
      400,
    );
  });
});

describe('transactions', () => {
  const send = (wallet: string, transaction: object, status = 201, more: object = {}) =>
    wallets(status, 'POST', `/${wallet}/transactions`, { params: { transaction, ...more } });
  async function aFundedWallet(admin: TestSigner): Promise<string> {
    const { address } = await create({ adminSigner: inputOf(admin) });
    await fund(address);
    return address;
  }

  /**
   * As a client writes it that sends transactions by itself: its source, number and fee are not the
   * service's.
   */
  function serializedCall(contract: string, method: string, args: xdr.ScVal[]) {
    const options = { fee: '100', networkPassphrase: stellarNetwork('development').passphrase };
    const written = new TransactionBuilder(new Account(Keypair.random().publicKey(), '1'), options)
      .addOperation(Operation.invokeContractFunction({ contract, function: method, args }))
      .setTimeout(60)
      .build();
    return {
      type: 'serialized-transaction',
      serializedTransaction: written.toXdr(),
      contractId: contract,
    };
  }

  it('are calls of contracts, by name or serialised, whose params are echoed with their signer', async () => {
    const admin = ed25519Signer();
    const address = await aFundedWallet(admin);
    const to = (await aHolder()).publicKey();
    const call = {
      type: 'contract-call',
      contractId: contractId(),
      method: 'transfer',
      args: { from: address, to, amount: '10000000' },
    };
    const named = await send(address, call, 201, { signer: admin.signer.locator });
    expect(named.params).toMatchObject({
      transaction: call,
      signer: { locator: admin.signer.locator, type: 'external-wallet' },
    });
    const done = await finish(address, named, [admin]);
    expect(done.status).toBe('success');
    expect(done.onChain).not.toHaveProperty('result');
    const args = [addressValue(address), addressValue(to), amountValue(20_000_000n)];
    const serialized = serializedCall(contractId(), 'transfer', args);
    const sent = await send(address, serialized);
    expect(sent.params.transaction).toEqual(serialized);
    expect(await finish(address, sent, [admin])).toMatchObject({ status: 'success' });
    expect((await balancesOf(address, 'usdxm'))[0].amount).toBe('47');
    for (const wrong of [
      { ...call, nonsense: 1 },
      { ...serialized, contractId: address },
      { type: 'wish' },
    ])
      await send(address, wrong, 400);
    await send(address, { ...call, memo: { type: 'text', value: 'x'.repeat(29) } }, 400);
    const poor = await send(
      address,
      { ...call, args: { ...call.args, amount: '900000000000' } },
      422,
    );
    expect([poor.error.reason, poor.message]).toEqual(['program_error', poor.error.message]);
  });

  it('show what the call answered, where it answered something', async () => {
    const admin = ed25519Signer();
    const address = await aFundedWallet(admin);
    const wasm =
      await compileContract(`export function verify(who: u64): u64 { requireAuth(who); return U32(7); }
      export function _(): void {}`);
    const called = await client.deploy(await client.newAccount(), wasm);
    const made = await send(address, serializedCall(called, 'verify', [addressValue(address)]));
    const { status, onChain } = await finish(address, made, [admin]);
    expect([status, scValToNative(xdr.ScVal.fromXdr(onChain.result, 'base64'))]).toEqual([
      'success',
      7,
    ]);
  });

  it('lock the wallet for its upgrade, during which all else is 409, and unlock it by its migration', {
    tags: 'slow',
  }, async () => {
    const admin = ed25519Signer();
    const address = await aFundedWallet(admin);
    await finish(address, await transfer(address, { recipient: address, amount: '1' }), [admin]);
    expect(
      await finish(address, await send(address, { type: 'upgrade-wallet' }), [admin]),
    ).toMatchObject({ status: 'success' });
    for (const locked of [
      await send(address, { type: 'upgrade-wallet' }, 409),
      await transfer(address, { recipient: address, amount: '1' }, 'usdxm', 409),
    ])
      expect(locked).toMatchObject({
        error: true,
        statusCode: 409,
        code: 'wallet-locked',
        message: expect.any(String),
      });
    expect(
      await finish(address, await send(address, { type: 'migrate-wallet' }), [admin]),
    ).toMatchObject({ status: 'success' });
    await send(address, { type: 'migrate-wallet' }, 400);
    const after = await finish(
      address,
      await transfer(address, { recipient: address, amount: '1' }),
      [admin],
    );
    expect(after).toMatchObject({ status: 'success' });
  });
});

describe('signatures', () => {
  it('of authorization entries are asked for, approved and handed out; of texts and typed data there are none', async () => {
    const admin = ed25519Signer('server');
    const { address } = await create({ adminSigner: inputOf(admin) });
    const path = `/${address}/signatures`;
    await fund(address);
    await finish(address, await transfer(address, { recipient: address, amount: '1' }), [admin]);
    const asked = {
      type: 'auth-entries',
      params: {
        authorizationEntries: writeEntries(aSignIn(address)),
        signer: admin.signer.locator,
      },
    };
    const made = await wallets(201, 'POST', path, asked);
    expect(made).toMatchObject({
      type: 'auth-entries',
      status: 'awaiting-approval',
      params: { signer: { locator: admin.signer.locator } },
    });
    const [{ message, signer }] = (await wallets(200, 'GET', `${path}/${made.id}`)).approvals
      .pending;
    const approve = (signature: unknown, status: number) =>
      wallets(status, 'POST', `${path}/${made.id}/approvals`, {
        approvals: [{ signer: signer.locator, signature }],
      });
    await approve(ed25519Signer('server').approve({ message }).signature, 400);
    const done = await approve(admin.approve({ message }).signature, 201);
    expect([done.status, Buffer.from(done.outputSignature, 'base64').readUInt32BE(0)]).toEqual([
      'success',
      1,
    ]);
    await approve(admin.approve({ message }).signature, 422);
    expect((await wallets(200, 'GET', `${path}?page=1&perPage=10`)).signatures).toMatchObject([
      { id: made.id, status: 'success' },
    ]);
    for (const [type, params] of [
      ['message', { message: 'hello' }],
      ['typed-data', { typedData: {} }],
    ] as const)
      expect((await wallets(400, 'POST', path, { type, params })).code).toBe(
        'signature-type-not-supported',
      );
    await wallets(400, 'POST', path, {
      type: 'auth-entries',
      params: { authorizationEntries: 'AAAAAQ==' },
    });
  });
});

describe('delegated signers', { tags: 'slow' }, () => {
  const withoutId = ({ signer: { type, name, publicKey } }: TestSigner) => ({
    type,
    name,
    publicKey,
  });

  it('act within their scopes from the first operation on, a device too, and until they are removed', async () => {
    const [admin, server, device] = [
      ed25519Signer(),
      ed25519Signer('server'),
      p256Signer('device'),
    ];
    const friend = (await aHolder()).publicKey();
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: 'stellar:usdxm',
        recipients: [friend],
        spendingLimit: { amount: '10', interval: 3_600 },
      },
    ];
    const config = {
      adminSigner: inputOf(admin),
      delegatedSigners: [{ signer: server.signer.locator, scopes }],
    };
    const { address, config: answered } = await create(config);
    expect(answered.delegatedSigners).toMatchObject([{ locator: server.signer.locator, scopes }]);
    await fund(address);
    const pay = (signer: string, amount: string, recipient = friend, status = 201) =>
      transfer(address, { recipient, amount, signer }, 'usdxm', status);
    const { locator } = server.signer;
    expect(await finish(address, await pay(locator, '4'), [server])).toMatchObject({
      status: 'success',
    });
    for (const refused of [
      await pay(locator, '7', friend, 400),
      await pay(locator, '1', (await aHolder()).publicKey(), 400),
    ])
      expect(refused.code).toBe('signer-scope-violation');
    const added = await wallets(201, 'POST', `/${address}/signers`, { signer: withoutId(device) });
    expect(added.transaction).toMatchObject({
      chainType: 'stellar',
      walletType: 'smart',
      status: 'awaiting-approval',
    });
    expect(await finish(address, added.transaction, [admin])).toMatchObject({ status: 'success' });
    expect(await finish(address, await pay(added.locator, '5'), [device])).toMatchObject({
      status: 'success',
    });
    const path = `/${address}/signers/${encodeURIComponent(locator)}`;
    expect(await finish(address, await wallets(200, 'DELETE', path), [admin])).toMatchObject({
      status: 'success',
    });
    await wallets(404, 'GET', path);
    await pay(locator, '1', friend, 400);
  });
});

describe('activity', () => {
  it('shows what came in and went out, by contract and by account, with the token’s contract', async () => {
    const { address } = await create({ adminSigner: { type: 'api-key' } });
    const payer = await aHolder('10');
    const args = [addressValue(payer.publicKey()), addressValue(address), amountValue(25_000_000n)];
    const call = Operation.invokeContractFunction({
      contract: contractId(),
      function: 'transfer',
      args,
    });
    // What stands at an address before the service follows the chain is no news of it.
    await fund(address);
    const paid = await client.invoke(payer, call);
    const friend = (await aHolder()).publicKey();
    const { id } = await transfer(address, { recipient: friend, amount: '4' });
    const { onChain } = await stack.waitForTransaction(address, id);
    const path = `/unstable/wallets/${address}/transfers?chain=stellar&status=successful&sort=asc`;
    const events = async (): Promise<Body[]> => (await expectCall(200, 'GET', path)).data;
    await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(3);
    const [funded, came, went] = await events();
    const token = {
      locator: 'stellar:usdxm',
      decimals: 7,
      symbol: 'usdxm',
      type: 'fungible',
      chain: 'stellar',
      contractId: contractId(),
    };
    expect(funded).toMatchObject({
      type: 'wallets.transfer.in',
      sender: { address: issuer.publicKey() },
      token: { ...token, amount: '50' },
    });
    expect(came).toMatchObject({
      type: 'wallets.transfer.in',
      status: 'succeeded',
      sender: { address: payer.publicKey(), locator: `stellar:${payer.publicKey()}` },
      token: { ...token, amount: '2.5', rawAmount: '25000000' },
      onChain: { txId: paid.hash },
    });
    expect(went).toMatchObject({
      type: 'wallets.transfer.out',
      recipient: { address: friend },
      token: { ...token, amount: '4' },
      onChain: { txId: onChain.txId },
    });
  });
});

describe('linked wallets', () => {
  it('of people on Stellar are proven by their key, over the text or its hash; a contract has none', async () => {
    const owner = Keypair.random();
    const path = (address: string) =>
      `/2025-06-09/users/userId:stellar-owner/linked-wallets/${address}`;
    const { ownership } = await expectCall(200, 'PUT', path(owner.publicKey()), {
      body: { chain: 'stellar' },
    });
    expect(ownership).toMatchObject({
      verified: false,
      verificationChallenge: expect.stringContaining(owner.publicKey()),
    });
    const proofOf = (key: Keypair) =>
      Buffer.from(key.sign(Buffer.from(ownership.verificationChallenge))).toString('base64');
    await expectCall(400, 'PUT', path(owner.publicKey()), {
      body: { chain: 'stellar', proof: proofOf(Keypair.random()) },
    });
    const linked = await expectCall(200, 'PUT', path(owner.publicKey()), {
      body: { chain: 'stellar', proof: proofOf(owner) },
    });
    expect(linked.ownership).toMatchObject({ verified: true });
    await expectCall(400, 'PUT', path('GABC'), { body: { chain: 'stellar' } });
  });
});
