import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';
import { ed25519Signer, p256Signer, solanaCalls, somebody } from './solana-kit.ts';

// Who may act for a smart wallet on Solana, and for how long: supplement, sections 1, 4 to 8, 19,
// 21 and 22.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { expectCall, create, fund, transfer, finish, balanceOf, signByCode } = solanaCalls(
  () => stack,
);

const wallets = '/2025-06-09/wallets';
const hour = 3_600_000;

async function aWallet(admin = ed25519Signer('server')) {
  const wallet = await create({ adminSigner: admin.input, delegatedSigners: [] });
  await fund(wallet.address);
  return { admin, wallet, path: `/${wallet.address}` };
}

async function leasedNonces(): Promise<number> {
  const { rows } = await stack.ctx.store.query<{ n: number }>({
    text: `select count(*)::int as n from solana_nonces where status in ('leased', 'used')`,
  });
  return rows[0]!.n;
}

describe('time', () => {
  it('does not end what people have not approved yet: two hours and many blocks later it lands', {
    tags: 'slow',
  }, async () => {
    const { admin, wallet } = await aWallet();
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '3' });
    await stack.advance(2 * hour);
    const done = await finish(wallet.address, created, [admin]);
    expect([done.status, await balanceOf(wallet.address)]).toEqual(['success', '47']);
  });

  it('of a day without approval ends it; an approval after that is refused, and its nonce is free', async () => {
    const { admin, wallet, path } = await aWallet();
    const before = await leasedNonces();
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '3' });
    expect(await leasedNonces()).toBe(before + 1);
    await stack.advance(25 * hour);
    const read = () => expectCall(200, 'GET', `${path}/transactions/${created.id}`);
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('failed');
    expect((await read()).error).toMatchObject({ reason: 'unknown', message: expect.any(String) });
    const approvals = [admin.approve(created)];
    const late = `${path}/transactions/${created.id}/approvals`;
    expect(await expectCall(409, 'POST', late, { approvals })).toMatchObject({
      code: 'approval-window-closed',
    });
    await expect.poll(leasedNonces, { timeout: 20_000 }).toBe(before);
    expect(await balanceOf(wallet.address)).toBe('50');
    const activity = `/unstable/wallets/${wallet.address}/transfers?chain=solana&status=failed`;
    const told = async () => (await stack.call('GET', activity)).body.data;
    await expect.poll(told).toMatchObject([{ transferId: created.id }]);
  });

  it('ends what nobody approved, though somebody changed the row of another', {
    tags: 'slow',
  }, async () => {
    const { wallet, path } = await aWallet();
    const before = await leasedNonces();
    const ask = () => transfer(wallet.address, { recipient: somebody(), amount: '3' });
    const [changed, other] = [await ask(), await ask()];
    await stack.ctx.store.query({
      text: `update transactions set operation = '{}', send_params = send_params || '{"token": "none"}' where id = $1`,
      values: [changed.id],
    });
    await stack.advance(25 * hour);
    for (const { id } of [other, changed]) {
      const read = () => expectCall(200, 'GET', `${path}/transactions/${id}`);
      await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('failed');
    }
    // That of the changed one is free when its time is over.
    await expect.poll(leasedNonces, { timeout: 20_000 }).toBe(before + 1);
  });
});

describe('a wallet of a user', () => {
  it('is made and read as me, with and without an alias, by that user alone', async () => {
    const user = { key: stack.api.clientKey, jwt: await stack.api.userJwt('sol-ned') };
    const config = { adminSigner: ed25519Signer('external-wallet').input, delegatedSigners: [] };
    for (const alias of [undefined, 'savings']) {
      const body = { chainType: 'solana', type: 'smart', config, ...(alias && { alias }) };
      const made = await stack.call('POST', `${wallets}/me`, { ...user, body });
      expect([made.status, made.body.chainType, made.body.type]).toEqual([201, 'solana', 'smart']);
      const me = `${wallets}/me:solana:smart${alias ? `:alias:${alias}` : ''}`;
      const read = await stack.call('GET', me, user);
      expect([read.status, read.body]).toEqual([200, made.body]);
      const again = await stack.call('POST', `${wallets}/me`, { ...user, body });
      expect([again.status, again.body.address]).toEqual([200, made.body.address]);
      const other = { ...user, jwt: await stack.api.userJwt('sol-oda') };
      expect((await stack.call('GET', me, other)).status).toBe(404);
    }
    const owner = { chainType: 'solana', type: 'smart', config, owner: 'userId:sol-oda' };
    expect((await stack.call('POST', `${wallets}/me`, { ...user, body: owner })).status).toBe(400);
  });
});

describe('what a wallet is made of', () => {
  it.each([
    ['a word that is none', { colour: 'blue' }],
    ['the seed of EVM', { creationSeed: 'one' }],
    ['the plugins of Stellar', { plugins: [] }],
  ])('is refused with %s', async (_, more) => {
    const config = { adminSigner: ed25519Signer('server').input, delegatedSigners: [], ...more };
    const refused = await create(config, {}, 400);
    expect(refused.message).toContain(Object.keys(more)[0]);
  });

  it('is refused with a device as its admin, by a code that clients know', async () => {
    const refused = await create(
      { adminSigner: p256Signer('device', 'admin').input, delegatedSigners: [] },
      {},
      400,
    );
    expect(refused.code).toBe('DEVICE_SIGNER_NOT_SUPPORTED');
  });
});

describe('a signer', () => {
  it('is told with its registration, before and after it is approved; a chain is ignored', {
    tags: 'slow',
  }, async () => {
    const { admin, wallet, path } = await aWallet();
    const delegate = ed25519Signer('server');
    const { transaction, ...added } = await expectCall(201, 'POST', `${path}/signers`, {
      signer: delegate.locator,
      chain: 'base-sepolia',
    });
    expect(added).not.toHaveProperty('chains');
    expect(transaction).toMatchObject({
      status: 'awaiting-approval',
      createdAt: expect.any(String),
      approvals: { pending: [{ signer: { locator: admin.locator } }], submitted: [] },
    });
    const told = async () => {
      const { config } = await expectCall(200, 'GET', path);
      expect(config.delegatedSigners).toMatchObject([{ locator: delegate.locator }]);
      return (await expectCall(200, 'GET', `${path}/signers/${delegate.locator}`)).transaction;
    };
    expect(await told()).toEqual(transaction);
    const done = await finish(wallet.address, transaction, [admin]);
    // What is in force has nothing left to approve.
    expect(await told()).toBeUndefined();
    expect(done.approvals.submitted).toMatchObject([
      {
        signer: { locator: admin.locator },
        signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/),
        submittedAt: expect.any(Number),
      },
    ]);
    const remove = `${path}/signers/${delegate.locator}?chain=base-sepolia`;
    const removal = await expectCall(200, 'DELETE', remove);
    // It stays until that is approved.
    await expectCall(200, 'GET', `${path}/signers/${delegate.locator}`);
    await finish(wallet.address, removal, [admin]);
    await expectCall(404, 'GET', `${path}/signers/${delegate.locator}`);
  });

  it('whose registration has failed may be added again', async () => {
    const { admin, wallet, path } = await aWallet();
    const { locator } = ed25519Signer('server');
    const add = () => expectCall(201, 'POST', `${path}/signers`, { signer: locator });
    const first = (await add()).transaction;
    await stack.advance(25 * hour);
    const read = () => expectCall(200, 'GET', `${path}/transactions/${first.id}`);
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('failed');
    const again = (await add()).transaction;
    expect(again.id).not.toBe(first.id);
    expect(await finish(wallet.address, again, [admin])).toMatchObject({ status: 'success' });
  });

  it('that is the admin is no delegated one: it is not read as one, nor removed', async () => {
    const { admin, path } = await aWallet();
    await expectCall(404, 'GET', `${path}/signers/${admin.locator}`);
    expect(await expectCall(400, 'DELETE', `${path}/signers/${admin.locator}`)).toMatchObject({
      code: 'signer-not-removable',
    });
  });

  it.each(['passkey', 'device'] as const)(
    'that is a %s is pending under the locator that its request names, and its approval is told whole',
    async (kind) => {
      const key = p256Signer(kind, `row-${kind}`);
      const wallet = await create({
        adminSigner: ed25519Signer('server').input,
        delegatedSigners: [{ signer: key.input }],
      });
      await fund(wallet.address);
      const [{ locator, publicKey }] = wallet.config.delegatedSigners;
      expect(publicKey).toEqual((key.input as Body).publicKey);
      const signer = locator;
      const made = await transfer(wallet.address, { recipient: somebody(), amount: '1', signer });
      // The transaction of one answer is sent again, with the signer as it was told.
      const { transaction } = made.params;
      const sent = await expectCall(201, 'POST', `/${wallet.address}/transactions`, {
        params: { transaction, signer },
      });
      for (const one of [made, sent]) {
        expect(one.params.signer.locator).toBe(signer);
        expect(one.approvals.pending[0].signer.locator).toBe(signer);
      }
      const done = await finish(wallet.address, sent, [key]);
      const [submitted] = done.approvals.submitted;
      expect(submitted).toMatchObject({
        signer: { type: kind, locator },
        signature: { r: expect.stringMatching(/^0x/), s: expect.stringMatching(/^0x/) },
        message: expect.stringMatching(/^0x/),
        submittedAt: expect.any(Number),
      });
    },
  );
});

describe('several recovery methods', { tags: 'slow' }, () => {
  it('want to be told apart where a signer is added or removed: the one that is named is asked', async () => {
    const [first, second] = [ed25519Signer('server'), ed25519Signer('external-wallet')];
    const wallet = await create({ recoveryMethods: [first.input, second.input] });
    await fund(wallet.address);
    const path = `/${wallet.address}/signers`;
    const delegate = ed25519Signer('server');
    const signer = delegate.locator;
    expect(await expectCall(400, 'POST', path, { signer })).toMatchObject({
      code: 'approver-required',
    });
    const stranger = `server:${somebody()}`;
    expect(await expectCall(400, 'POST', path, { signer, approver: stranger })).toMatchObject({
      code: 'approver-invalid',
    });
    const { transaction } = await expectCall(201, 'POST', path, {
      signer,
      approver: second.locator,
    });
    expect(transaction.approvals.pending).toMatchObject([{ signer: { locator: second.locator } }]);
    const done = await finish(wallet.address, transaction, [second]);
    expect(done.status).toBe('success');
    expect(await expectCall(400, 'DELETE', `${path}/${signer}`)).toMatchObject({
      code: 'approver-required',
    });
    const remove = (approver: string) =>
      `${path}/${signer}?approver=${encodeURIComponent(approver)}`;
    expect(await expectCall(400, 'DELETE', remove(stranger))).toMatchObject({
      code: 'approver-invalid',
    });
    const removal = await expectCall(200, 'DELETE', remove(first.locator));
    expect(removal.approvals.pending).toMatchObject([{ signer: { locator: first.locator } }]);
    expect(await finish(wallet.address, removal, [first])).toMatchObject({ status: 'success' });
    await expectCall(404, 'GET', `${path}/${signer}`);
  });
});

describe('a quorum', () => {
  it.each([
    [
      'an e-mail address',
      { type: 'email', email: 'quorum.member@example.com' },
      'quorum.member@example.com',
    ],
    ['a phone', { type: 'phone', phone: '+14155550188' }, '+14155550188'],
  ])('whose member has %s moves when that member has typed its code', async (_, member, to) => {
    const server = ed25519Signer('server');
    const quorum = { type: 'quorum', threshold: 2, members: [server.input, member] };
    const { address } = await create({ recoveryMethods: [quorum] });
    await fund(address);
    const created = await transfer(address, { recipient: somebody(), amount: '4' });
    const { pending } = created.approvals.pending[0].quorumApprovals;
    const asked = pending.find(({ signer }: Body) => signer.type === member.type);
    const { locator } = asked.signer;
    const { message } = asked;
    const { signature, text } = await signByCode({ address, locator, to, message });
    expect(text).toContain('4 USDXM');
    const byCode = { approve: () => ({ signer: locator, signature }), input: {}, locator };
    expect(await finish(address, created, [server, byCode])).toMatchObject({ status: 'success' });
    expect(await balanceOf(address)).toBe('46');
  });
});

describe('what Solana does not have', () => {
  it('is refused with a code: signatures of a smart wallet, and a memo of a transfer', async () => {
    const { path } = await aWallet();
    const params = { message: 'hello' };
    expect(
      await expectCall(400, 'POST', `${path}/signatures`, { type: 'message', params }),
    ).toMatchObject({ code: 'signature-type-not-supported' });
    const memo = { type: 'text', value: 'rent' };
    const body = { recipient: somebody(), amount: '1', memo };
    const refused = await expectCall(400, 'POST', `${path}/tokens/solana:usdxm/transfers`, body);
    expect(refused.message).toContain('memo');
  });
});
