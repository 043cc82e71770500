/** @module-tag slow */

import {
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTransaction } from '../../src/chains/solana/operation/message.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';
import { ed25519Signer, p256Signer, solanaCalls, somebody } from './solana-kit.ts';

// Rows of the supplement that hold for every family, on Solana: sections 1, 4 to 7, 9 and 10.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { expectCall, create, fund, transfer, finish, balanceOf } = solanaCalls(() => stack);

const minute = 60_000;
const evmAddress = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const types = ['smart', 'mpc'] as const;

async function aWallet(admin = ed25519Signer('server')) {
  const { address } = await create({ adminSigner: admin.input, delegatedSigners: [] });
  return { admin, address, path: `/${address}` };
}

/** Which needs nobody’s approval: of type smart by the service’s own signer. */
const anOwnWallet = (type: (typeof types)[number], more: object = {}) =>
  create(type === 'smart' ? { adminSigner: { type: 'api-key' } } : {}, { type, ...more });

/** Of type smart one whose transactions wait for an approval, which costs no time. */
const aQuietWallet = (type: (typeof types)[number], more: object = {}) =>
  create(type === 'smart' ? { adminSigner: ed25519Signer('server').input } : {}, { type, ...more });

describe('a locator', () => {
  it.each([
    ['of a user', { owner: 'userId:rows-amy' }, 'userId:rows-amy:solana', ''],
    [
      'of a user with an alias',
      { owner: 'userId:rows-amy', alias: 'savings' },
      'userId:rows-amy:solana',
      ':alias:savings',
    ],
    ['of the project with an alias', { alias: 's-rows' }, 'solana', ':alias:s-rows'],
  ])(
    '%s names a smart wallet by its type or by none, and one of type mpc by that alone',
    async (_, more, start, end) => {
      const [smart, mpc] = [await anOwnWallet('smart', more), await anOwnWallet('mpc', more)];
      expect(smart.address).not.toBe(mpc.address);
      for (const [type, wallet] of [
        ['', smart],
        [':smart', smart],
        [':mpc', mpc],
      ] as const) {
        const locator = `${start}${type}${end}`;
        expect(await expectCall(200, 'GET', `/${locator}`)).toEqual(wallet);
        expect(await expectCall(200, 'GET', `/${encodeURIComponent(locator)}`)).toEqual(wallet);
      }
      await expectCall(400, 'GET', `/${start}:eoa${end}`);
    },
  );

  it('of the service’s own signer is api-key, alone or with its address, and with no other', async () => {
    const wallet = await anOwnWallet('smart');
    const path = `/${wallet.address}`;
    const { address } = wallet.config.adminSigner;
    const { transaction } = await nativeTransfer(wallet.address, somebody());
    await stack.chainCall('solana', 'requestAirdrop', [wallet.address, 100_000_000]);
    for (const signer of ['api-key', `api-key:${address}`]) {
      const params = { transaction, signer };
      const sent = await expectCall(201, 'POST', `${path}/transactions`, { params });
      expect(sent).toMatchObject({ params: { signer: { type: 'api-key', address } } });
      expect(await stack.waitForTransaction(wallet.address, sent.id)).toMatchObject({
        status: 'success',
      });
      await expectCall(404, 'GET', `${path}/signers/${encodeURIComponent(signer)}`);
    }
    for (const signer of [`api-key:${somebody()}`, `api-key:${evmAddress}`, 'api-key:'])
      await expectCall(400, 'POST', `${path}/transactions`, { params: { transaction, signer } });
  });

  it('of a token has its symbol in any case', async () => {
    const { address, path } = await aWallet();
    await fund(address);
    for (const token of ['solana:USDXM', 'solana:uSdXm']) {
      const body = { recipient: somebody(), amount: '1' };
      const made = await expectCall(201, 'POST', `${path}/tokens/${token}/transfers`, body);
      expect(made.sendParams.params).toMatchObject({ amount: '1' });
      for (const same of [token, 'solana:usdxm'])
        expect(await expectCall(200, 'GET', `${path}/tokens/${same}/transfers/${made.id}`)).toEqual(
          made,
        );
    }
    const query = 'balances?tokens=USDXM,Sol,solana:UsdXM&chains=solana';
    const { nativeToken, tokens } = await expectCall(200, 'GET', `${path}/${query}`);
    expect(nativeToken.symbol).toBe('sol');
    expect(tokens).toMatchObject([{ symbol: 'usdxm', balance: '50000000' }]);
  });
});

describe('a passkey', () => {
  it('is answered with the version of what verifies it, as admin, as delegate and in a quorum', async () => {
    const [admin, delegate, member] = ['admin', 'delegate', 'member'].map((name) =>
      p256Signer('passkey', `rows-${name}`),
    );
    const wallet = await create({
      adminSigner: admin!.input,
      delegatedSigners: [{ signer: delegate!.input }],
    });
    const told = (of: typeof admin) => ({
      ...of!.input,
      locator: of!.locator,
      validatorContractVersion: expect.stringMatching(/./),
    });
    expect(wallet.config.adminSigner).toEqual(told(admin));
    expect(wallet.config.delegatedSigners).toEqual([told(delegate)]);
    const path = `/${wallet.address}`;
    expect(await expectCall(200, 'GET', path)).toEqual(wallet);
    expect(await expectCall(200, 'GET', `${path}/signers/${delegate!.locator}`)).toEqual(
      told(delegate),
    );
    const members = [member!.input, ed25519Signer('server').input];
    const { config } = await create({
      recoveryMethods: [{ type: 'quorum', threshold: 1, members }],
    });
    expect(config.adminSigner.members[0]).toEqual(told(member));
  });
});

describe('a signer that is added', () => {
  it.each(['passkey', 'device'] as const)(
    'may be a %s: once the admin has approved it, it approves transfers',
    async (kind) => {
      const { admin, address, path } = await aWallet();
      await fund(address);
      const key = p256Signer(kind, `rows-added-${kind}`);
      const added = await expectCall(201, 'POST', `${path}/signers`, { signer: key.input });
      const { transaction, locator, ...signer } = added;
      expect(signer).toMatchObject(key.input);
      expect(locator).toMatch(kind === 'passkey' ? /^passkey:rows-added-/ : /^device:[\w+/]+=*$/);
      expect(transaction).toMatchObject({
        chainType: 'solana',
        walletType: 'smart',
        status: 'awaiting-approval',
        approvals: { pending: [{ signer: { locator: admin.locator } }] },
      });
      const ask = () =>
        expectCall(400, 'POST', `${path}/tokens/solana:usdxm/transfers`, {
          recipient: somebody(),
          amount: '1',
          signer: locator,
        });
      await ask();
      expect((await finish(address, transaction, [admin])).status).toBe('success');
      const signers = `${path}/signers/${encodeURIComponent(locator)}`;
      expect(await expectCall(200, 'GET', signers)).toMatchObject({ ...signer, locator });
      const made = await transfer(address, { recipient: somebody(), amount: '3', signer: locator });
      expect(made.approvals.pending[0].signer.locator).toBe(locator);
      expect((await finish(address, made, [key])).status).toBe('success');
      expect(await balanceOf(address)).toBe('47');
      expect(await expectCall(400, 'POST', `${path}/signers`, { signer: key.input })).toMatchObject(
        { code: 'signer-already-exists', message: expect.stringMatching(/already approved/) },
      );
    },
  );
});

/** The `params` of a payment as old clients write it: without a version. */
async function nativeTransfer(wallet: string, recipient: string) {
  const { value } = await stack.chainCall<{ value: { blockhash: Blockhash } }>(
    'solana',
    'getLatestBlockhash',
    [],
  );
  const source = createNoopSigner(wallet as never);
  const paid = { source, destination: recipient as never, amount: 2_000_000n };
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayer(source.address, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { ...value, lastValidBlockHeight: 0n },
          message,
        ),
      (message) => appendTransactionMessageInstruction(getTransferSolInstruction(paid), message),
    ),
  );
  return { transaction: bs58.encode(new Uint8Array(getTransactionEncoder().encode(compiled))) };
}

describe.each(types)('a transaction of a wallet of type %s', (type) => {
  it('may be written without a version', async () => {
    const { address } = await anOwnWallet(type);
    await stack.chainCall('solana', 'requestAirdrop', [address, 100_000_000]);
    const recipient = somebody();
    const params = await nativeTransfer(address, recipient);
    expect(readTransaction(params.transaction).version).toBe('legacy');
    const made = await expectCall(201, 'POST', `/${address}/transactions`, { params });
    expect(made.params).toMatchObject(params);
    // Which clients sign: of a version.
    expect(readTransaction(made.onChain.transaction).version).toBe(0);
    expect((await stack.waitForTransaction(address, made.id)).status).toBe('success');
    const query = [recipient, { commitment: 'confirmed' }];
    expect(await stack.chainCall<Body>('solana', 'getBalance', query)).toMatchObject({
      value: 2_000_000,
    });
  });

  it('is listed by when it was made, both ends included', async () => {
    const { address } = await aQuietWallet(type);
    await fund(address);
    const made: Body[] = [];
    for (const amount of ['1', '2', '3']) {
      made.unshift(await transfer(address, { recipient: somebody(), amount }));
      stack.advanceClock(minute);
    }
    const [third, second, first] = made.map(({ createdAt }) => createdAt as string);
    const ids = made.map(({ id }) => id);
    const path = `/${address}/transactions`;
    const listed = async (query: Record<string, string>) => {
      const { transactions } = await expectCall(
        200,
        'GET',
        `${path}?${new URLSearchParams(query)}`,
      );
      return transactions.map(({ id }: Body) => id);
    };
    expect(await listed({})).toEqual(ids);
    expect(await listed({ dateFrom: second! })).toEqual(ids.slice(0, 2));
    expect(await listed({ dateTo: second! })).toEqual(ids.slice(1));
    expect(await listed({ dateFrom: second!, dateTo: second! })).toEqual([ids[1]]);
    expect(await listed({ dateFrom: first!, dateTo: third! })).toEqual(ids);
    const page = { dateFrom: second!, perPage: '1', page: '2' };
    expect(await listed(page)).toEqual([ids[1]]);
    const later = new Date(Date.parse(third!) + 1).toISOString();
    expect(await listed({ dateFrom: later })).toEqual([]);
    for (const name of ['dateFrom', 'dateTo'])
      expect((await expectCall(400, 'GET', `${path}?${name}=yesterday`)).message).toContain(name);
  });

  it('that is a transfer is direct unless another type is named, which has to be allowed', async () => {
    const { address } = await aQuietWallet(type, { owner: 'userId:rows-typed' });
    await fund(address);
    const path = `/${address}/tokens/solana:usdxm/transfers`;
    const body = { recipient: somebody(), amount: '1' };
    const direct = await expectCall(201, 'POST', path, { ...body, transactionType: 'direct' });
    expect(direct).toMatchObject({ walletType: type, sendParams: { params: { amount: '1' } } });
    for (const [transactionType, status, code] of [
      ['regulated-transfer', 403, 'kyc-required'],
      ['onramp', 403, 'project:addon.required'],
      ['gift', 400, 'validation-error'],
    ] as const)
      expect(await expectCall(status, 'POST', path, { ...body, transactionType })).toMatchObject({
        code,
        message: expect.stringContaining('ransfer'),
      });
    const { transactions } = await expectCall(200, 'GET', `/${address}/transactions`);
    expect(transactions.map(({ id }: Body) => id)).toEqual([direct.id]);
  });
});

describe('balances', () => {
  it.each(types)(
    'of a wallet of type %s are refused for a wrong locator, and the address or name of another chain',
    async (type) => {
      const { address } = await anOwnWallet(type);
      for (const [tokens, code] of [
        ['solana:', 'invalid-locator'],
        ['solana:usdxm:1:2', 'invalid-locator'],
        ['solana:0x036C', 'invalid-locator'],
        [`solana:${evmAddress}`, 'token-not-supported'],
        [evmAddress, 'invalid-locator'],
        ['base-sepolia:usdxm', 'chain-not-supported'],
        [`base-sepolia:${evmAddress}`, 'chain-not-supported'],
      ] as const)
        for (const path of [`balances?tokens=${tokens}`, `balances?tokens=sol,${tokens}`])
          expect([path, (await expectCall(400, 'GET', `/${address}/${path}`)).code]).toEqual([
            path,
            code,
          ]);
      const chains = `/${address}/balances?tokens=sol&chains=base-sepolia`;
      expect((await expectCall(400, 'GET', chains)).code).toBe('chain-not-supported');
      await expectCall(400, 'GET', `/solana:${address}/balances?tokens=sol`);
    },
  );
});

describe('approvals', () => {
  it('of one call are taken all or none', async () => {
    const members = [ed25519Signer('server'), ed25519Signer('external-wallet')];
    const [first, second] = members as [(typeof members)[0], (typeof members)[0]];
    const method = { type: 'quorum', threshold: 2, members: members.map(({ input }) => input) };
    const { address } = await create({ recoveryMethods: [method] });
    await fund(address);
    const made = await transfer(address, { recipient: somebody(), amount: '1' });
    const path = `/${address}/transactions/${made.id}`;
    const own = first.approve(made) as { signature: string };
    for (const [wrong, code] of [
      [{ signer: second.locator, signature: own.signature }, 'invalid-signature'],
      [ed25519Signer('server').approve(made), 'signer-not-approver'],
      [own, 'validation-error'],
    ] as const)
      for (const approvals of [
        [own, wrong],
        [wrong, own],
      ]) {
        const refused = await expectCall(400, 'POST', `${path}/approvals`, { approvals });
        expect(refused.code).toBe(code);
        expect(await expectCall(200, 'GET', path)).toEqual(made);
      }
    expect(await finish(address, made, [first, second])).toMatchObject({ status: 'success' });
  });

  it('are told with what they say of their device, and are complete: more are 422, the same again 409', async () => {
    const { admin, address, path } = await aWallet();
    await fund(address);
    const made = await transfer(address, { recipient: somebody(), amount: '1' });
    const approvals = `${path}/transactions/${made.id}/approvals`;
    const metadata = { deviceInfo: 'phone', ipAddress: '192.0.2.1', userAgent: 'test' };
    const approval = { ...admin.approve(made), metadata };
    const posted = await expectCall(201, 'POST', approvals, { approvals: [approval] });
    const { signer, message } = made.approvals.pending[0];
    expect(posted.approvals).toEqual({
      required: 1,
      pending: [],
      submitted: [{ ...approval, signer, message, submittedAt: expect.any(Number) }],
    });
    const codeOf = async (status: number, entry: object) =>
      (await expectCall(status, 'POST', approvals, { approvals: [entry] })).code;
    const other = ed25519Signer('server').approve(made);
    expect(await codeOf(422, other)).toBe('approvals-complete');
    const done = await stack.waitForTransaction(address, made.id);
    expect(done).toMatchObject({ status: 'success', approvals: posted.approvals });
    expect(await codeOf(422, other)).toBe('approvals-complete');
    expect(await codeOf(409, approval)).toBe('approval-already-submitted');
  });
});
