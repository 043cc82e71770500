import { AccountRole, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMessage, writeTransaction } from '../../src/chains/solana/operation/message.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';
import { ed25519Signer, p256Signer, solanaCalls, somebody } from './solana-kit.ts';

// Smart wallets on Solana: supplement, sections 4 to 7, 9, 19 and 21.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { answers, expectCall, create, fund, transfer, finish, balanceOf, signByCode } = solanaCalls(
  () => stack,
);

describe('wallets', () => {
  it.each([
    ['external-wallet', ed25519Signer('external-wallet')],
    ['server', ed25519Signer('server')],
    ['passkey', p256Signer('passkey', 'interface-passkey')],
  ])(
    'of the admin %s echo it, are made by their first transaction, and move at its approval',
    async (_, admin) => {
      const wallet = await create({ adminSigner: admin.input, delegatedSigners: [] });
      expect(wallet).toMatchObject({
        chainType: 'solana',
        type: 'smart',
        config: { adminSigner: { ...admin.input, locator: admin.locator } },
      });
      await fund(wallet.address);
      const recipient = somebody();
      const created = await transfer(wallet.address, { recipient, amount: '12.5' });
      expect(created).toMatchObject({
        walletType: 'smart',
        status: 'awaiting-approval',
        approvals: {
          pending: [{ signer: { locator: admin.locator }, message: expect.any(String) }],
        },
      });
      const done = await finish(wallet.address, created, [admin]);
      expect(done).toMatchObject({
        status: 'success',
        onChain: { txId: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/) },
      });
      expect(await balanceOf(wallet.address)).toBe('37.5');
    },
  );

  it.each(['api-key', 'email', 'phone'])('of the admin %s exist', async (type) => {
    const more =
      { email: { email: 'solana@example.com' }, phone: { phone: '+15005550006' } }[type] ?? {};
    const wallet = await create({ adminSigner: { type, ...more }, delegatedSigners: [] });
    expect(wallet.config.adminSigner).toMatchObject({
      type,
      ...more,
      address: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
    });
  });

  it('of an api key need no approval: the object advances by itself', async () => {
    const wallet = await create({ adminSigner: { type: 'api-key' }, delegatedSigners: [] });
    await fund(wallet.address);
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '1' });
    expect(await stack.waitForTransaction(wallet.address, created.id)).toMatchObject({
      status: 'success',
    });
  });

  it('of a quorum move when as many members as it wants have approved', async () => {
    const members = [
      ed25519Signer('server'),
      ed25519Signer('external-wallet'),
      ed25519Signer('server'),
    ];
    const method = { type: 'quorum', threshold: 2, members: members.map(({ input }) => input) };
    const wallet = await create({ recoveryMethods: [method] });
    await fund(wallet.address);
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '2' });
    const path = `/${wallet.address}/transactions/${created.id}/approvals`;
    const [first, second, third] = members.map((member) => member.approve(created));
    // Who signs is fixed when the transaction is made: the others are not asked.
    const [entry] = created.approvals.pending;
    expect(entry).toMatchObject({
      signer: { type: 'quorum', locator: wallet.config.adminSigner.locator },
    });
    expect(entry.quorumApprovals).toMatchObject({ threshold: 2, remaining: 2, submitted: [] });
    expect(entry.quorumApprovals.pending.map(({ signer }: Body) => signer)).toMatchObject(
      members.slice(0, 2).map(({ input, locator }) => ({ ...input, locator })),
    );
    await expectCall(400, 'POST', path, { approvals: [third] });
    expect(await expectCall(201, 'POST', path, { approvals: [first] })).toMatchObject({
      status: 'awaiting-approval',
    });
    await expectCall(201, 'POST', path, { approvals: [second] });
    expect(await stack.waitForTransaction(wallet.address, created.id)).toMatchObject({
      status: 'success',
    });
  });

  it('of a quorum of which the service signs for one member ask the others alone', async () => {
    const [first, second] = [ed25519Signer('server'), ed25519Signer('external-wallet')];
    const method = {
      type: 'quorum',
      threshold: 2,
      members: [first.input, second.input, { type: 'api-key' }],
    };
    const wallet = await create({ recoveryMethods: [method] });
    await fund(wallet.address);
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '2' });
    const { quorumApprovals } = created.approvals.pending[0];
    expect(quorumApprovals).toMatchObject({
      remaining: 1,
      pending: [{ signer: { locator: first.locator } }],
    });
    expect(quorumApprovals.submitted).toMatchObject([{ signer: { type: 'api-key' } }]);
    expect(await finish(wallet.address, created, [first])).toMatchObject({ status: 'success' });
  });

  it('of a quorum with a passkey need one approval: of its first member, or of the one that requiredSigners names', async () => {
    const [passkey, server, other] = [
      p256Signer('passkey', 'interface-member'),
      ed25519Signer('server'),
      p256Signer('passkey', 'second'),
    ];
    const quorum = (threshold: number) => ({
      type: 'quorum',
      threshold,
      members: [passkey, server, other].map(({ input }) => input),
    });
    const refused = await create({ recoveryMethods: [quorum(2)] }, {}, 400);
    expect(refused.message).toMatch(
      /^config\.recoveryMethods\[0\]\.threshold: must be 1 on solana when a passkey is a member/,
    );
    const wallet = await create({ recoveryMethods: [quorum(1)] });
    await fund(wallet.address);
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '2' });
    expect(created.approvals.pending[0].quorumApprovals.pending).toMatchObject([
      { signer: { locator: passkey.locator } },
    ]);
    expect(await finish(wallet.address, created, [passkey])).toMatchObject({ status: 'success' });
    const { transaction } = created.params;
    for (const [index, member] of [server, other].entries()) {
      const params = { transaction, requiredSigners: [member.locator] };
      const named = await expectCall(201, 'POST', `/${wallet.address}/transactions`, { params });
      const path = `/${wallet.address}/transactions/${named.id}/approvals`;
      if (index === 0)
        await expectCall(400, 'POST', path, {
          approvals: [{ ...passkey.approve(created), signer: passkey.locator }],
        });
      expect(await finish(wallet.address, named, [member])).toMatchObject({ status: 'success' });
    }
    expect(await balanceOf(wallet.address)).toBe('44');
  });

  it('with signers that Solana does not have are refused', async () => {
    await create({ adminSigner: p256Signer('device', 'interface-admin').input }, {}, 400);
    const device = {
      type: 'quorum',
      threshold: 1,
      members: [ed25519Signer('server').input, p256Signer('device', 'member').input],
    };
    expect(await create({ recoveryMethods: [device] }, {}, 400)).toMatchObject({
      message: expect.stringContaining('device'),
    });
    await create(
      { adminSigner: { type: 'server', address: '0x000000000000000000000000000000000000bEEF' } },
      {},
      400,
    );
  });
});

describe('an e-mail address or a phone number', () => {
  it.each([
    ['email', { email: 'Sol.Ana@gmail.com' }, 'solana@gmail.com'],
    ['phone', { phone: '+14155550177' }, '+14155550177'],
  ])(
    'that is the %s admin gets a code that says what is signed; with it the transfer lands',
    async (type, named, to) => {
      const { address } = await create({ adminSigner: { type, ...named }, delegatedSigners: [] });
      const locator = `${type}:${to}`;
      await fund(address);
      const recipient = somebody();
      const created = await transfer(address, { recipient, amount: '7.5' });
      const [{ signer, message }] = created.approvals.pending;
      expect(signer).toMatchObject({ type, locator });
      const { signature, text } = await signByCode({ address, locator, to, message });
      expect(text).toContain(`7.5 USDXM to ${recipient}`);
      expect(bs58.decode(signature)).toHaveLength(64);
      const approval = { approve: () => ({ signer: locator, signature }), input: {}, locator };
      expect(await finish(address, created, [approval])).toMatchObject({ status: 'success' });
      expect(await balanceOf(address)).toBe('42.5');
    },
  );
});

describe('transactions', () => {
  it('of the caller are wrapped for the wallet; the wallet program itself, and those of others, are refused', async () => {
    const admin = ed25519Signer('server');
    const wallet = await create({ adminSigner: admin.input, delegatedSigners: [] });
    await stack.chainCall('solana', 'requestAirdrop', [wallet.address, 100_000_000]);
    const recipient = somebody();
    const source = createNoopSigner(wallet.address);
    const write = (of: typeof source, more: readonly Instruction[] = []) => {
      const amount = 1_000_000n;
      const paid = getTransferSolInstruction({
        source: of,
        destination: recipient as never,
        amount,
      });
      const instructions = [paid, ...more];
      return bs58.encode(
        writeTransaction(writeMessage({ feePayer: of.address, instructions, tables: {} })),
      );
    };
    const transaction = write(source);
    const created = await expectCall(201, 'POST', `/${wallet.address}/transactions`, {
      params: { transaction },
    });
    expect(created.params).toMatchObject({
      transaction,
      signer: { locator: admin.locator },
      feeConfig: { feePayer: 'svc', amount: expect.stringMatching(/^0\.\d+$/) },
    });
    expect(await finish(wallet.address, created, [admin])).toMatchObject({ status: 'success' });
    const { value } = await stack.chainCall<{ value: number }>('solana', 'getBalance', [
      recipient,
      { commitment: 'confirmed' },
    ]);
    expect(value).toBe(1_000_000);
    const ofTheProgram: Instruction = {
      programAddress: stack.ctx.config.solana.walletProgramId as never,
      accounts: [{ address: wallet.address, role: AccountRole.WRITABLE_SIGNER }],
      data: new Uint8Array([1]),
    };
    for (const [params, why] of [
      [{ transaction: write(source, [ofTheProgram]) }, 'calls the wallet program itself'],
      [{ transaction: write(createNoopSigner(somebody() as never)) }, ''],
      [{ transaction, signer: `server:${somebody()}` }, ''],
    ] as const)
      expect(
        (await expectCall(400, 'POST', `/${wallet.address}/transactions`, { params })).message,
      ).toContain(why);
  });

  it('take no wrong approval, and record nothing of it', async () => {
    const [admin, other] = [ed25519Signer('server'), ed25519Signer('server')];
    const wallet = await create({ adminSigner: admin.input, delegatedSigners: [] });
    await fund(wallet.address);
    const created = await transfer(wallet.address, { recipient: somebody(), amount: '1' });
    const path = `/${wallet.address}/transactions/${created.id}/approvals`;
    const stolen = other.approve(created) as { signature: string };
    await expectCall(400, 'POST', path, {
      approvals: [{ signer: admin.locator, signature: stolen.signature }],
    });
    await expectCall(400, 'POST', path, { approvals: [stolen] });
    expect(
      await expectCall(200, 'GET', `/${wallet.address}/transactions/${created.id}`),
    ).toMatchObject({ status: 'awaiting-approval' });
  });
});

describe('delegated signers', () => {
  it('are registered by a transaction, act within their scopes, and are removed by another', {
    tags: 'slow',
  }, async () => {
    const [admin, delegate] = [ed25519Signer('external-wallet'), ed25519Signer('server')];
    const wallet = await create({ adminSigner: admin.input, delegatedSigners: [] });
    await fund(wallet.address);
    const recipient = somebody();
    const path = `/${wallet.address}/signers`;
    await expectCall(404, 'GET', `${path}/${delegate.locator}`);
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: 'solana:usdxm',
        recipients: [recipient],
        spendingLimit: { amount: '10', interval: 3_600 },
      },
    ];
    const registered = await expectCall(201, 'POST', path, { signer: delegate.locator, scopes });
    expect(registered).toMatchObject({
      locator: delegate.locator,
      scopes,
      transaction: {
        chainType: 'solana',
        walletType: 'smart',
        status: 'awaiting-approval',
        onChain: { transaction: expect.any(String) },
      },
    });
    expect(await finish(wallet.address, registered.transaction, [admin])).toMatchObject({
      status: 'success',
    });
    expect(await expectCall(200, 'GET', `${path}/${delegate.locator}`)).toMatchObject({
      locator: delegate.locator,
    });
    await expectCall(400, 'POST', path, { signer: delegate.locator, scopes });
    const signer = delegate.locator;
    const created = await transfer(wallet.address, { recipient, amount: '4', signer });
    expect(await finish(wallet.address, created, [delegate])).toMatchObject({ status: 'success' });
    const refused = (body: object) =>
      expectCall(400, 'POST', `/${wallet.address}/tokens/solana:usdxm/transfers`, {
        signer,
        ...body,
      });
    expect(await refused({ recipient, amount: '7' })).toMatchObject({
      code: 'signer-scope-violation',
    });
    expect(await refused({ recipient: somebody(), amount: '1' })).toMatchObject({
      code: 'signer-scope-violation',
    });
    const removal = await expectCall(200, 'DELETE', `${path}/${delegate.locator}`);
    expect(await finish(wallet.address, removal, [admin])).toMatchObject({ status: 'success' });
    await expectCall(404, 'GET', `${path}/${delegate.locator}`);
    await refused({ recipient, amount: '1' });
  });

  it('are named in transactions of the caller as they were sent, and asked to approve them', async () => {
    const [admin, server, passkey] = [
      ed25519Signer('external-wallet'),
      ed25519Signer('server'),
      p256Signer('passkey', 'interface-sender'),
    ];
    const { address } = await create({
      adminSigner: admin.input,
      delegatedSigners: [{ signer: server.locator }, { signer: passkey.input }],
    });
    await stack.chainCall('solana', 'requestAirdrop', [address, 100_000_000]);
    const source = createNoopSigner(address as never);
    const instructions = [
      getTransferSolInstruction({ source, destination: somebody() as never, amount: 1_000_000n }),
    ];
    const message = writeMessage({ feePayer: source.address, instructions, tables: {} });
    const transaction = bs58.encode(writeTransaction(message));
    for (const { locator } of [admin, server, passkey]) {
      const body = { params: { transaction, signer: locator } };
      const { params, approvals } = await expectCall(201, 'POST', `/${address}/transactions`, body);
      expect([params.transaction, params.signer.locator]).toEqual([transaction, locator]);
      expect(approvals.pending[0].signer.locator).toBe(locator);
    }
  });

  it('of the create body act at once: a server, a passkey, a device', async () => {
    const admin = ed25519Signer('server');
    const [server, passkey, device] = [
      ed25519Signer('server'),
      p256Signer('passkey', 'interface-delegate'),
      p256Signer('device', 'phone'),
    ];
    const delegatedSigners = [
      { signer: server.locator },
      { signer: passkey.input },
      { signer: device.input },
    ];
    const wallet = await create({ adminSigner: admin.input, delegatedSigners });
    expect(wallet.config.delegatedSigners).toHaveLength(3);
    // A device is its key: the 65 bytes 04, x and y.
    const { x, y } = device.input.publicKey;
    const coordinates = [x, y].map((one) => BigInt(one).toString(16).padStart(64, '0'));
    device.locator = `device:${Buffer.from(`04${coordinates.join('')}`, 'hex').toString('base64')}`;
    expect(wallet.config.delegatedSigners.map(({ locator }: Body) => locator)).toEqual([
      server.locator,
      passkey.locator,
      device.locator,
    ]);
    await fund(wallet.address);
    const recipient = somebody();
    for (const delegate of [server, passkey, device]) {
      const created = await transfer(wallet.address, {
        recipient,
        amount: '1',
        signer: delegate.locator,
      });
      expect(created.approvals.pending[0].signer.locator).toBe(delegate.locator);
      expect(await finish(wallet.address, created, [delegate])).toMatchObject({
        status: 'success',
      });
    }
    expect(await balanceOf(wallet.address)).toBe('47');
  });
});

describe('feeConfig', () => {
  it('says that the service pays, and how much; it may be sent again, and nobody else can be named', async () => {
    const { address } = await create({
      adminSigner: ed25519Signer('server').input,
      delegatedSigners: [],
    });
    await fund(address);
    const made = await transfer(address, { recipient: somebody(), amount: '1' });
    expect(made.params.feeConfig).toEqual({
      feePayer: 'svc',
      amount: expect.stringMatching(/^0\.00\d+$/),
    });
    const { signer, ...params } = made.params;
    const again = await expectCall(201, 'POST', `/${address}/transactions`, {
      params: { ...params, signer: signer.locator },
    });
    expect(again.params.feeConfig.feePayer).toBe('svc');
    const other = { ...params, feeConfig: { feePayer: somebody(), token: 'usdc', amount: '1' } };
    expect(
      (await expectCall(400, 'POST', `/${address}/transactions`, { params: other })).message,
    ).toContain('params.feeConfig');
  });

  it.each(['sol', 'usdc', 'usdt'])(
    'in %s, which the wallet would pay, is refused and says who pays; nothing is taken of it',
    async (token) => {
      for (const type of ['smart', 'mpc']) {
        const config =
          type === 'smart' ? { adminSigner: { type: 'api-key' }, delegatedSigners: [] } : {};
        const { address } = await create(config, { type });
        await fund(address);
        const body = { recipient: somebody(), amount: '1' };
        const made = await transfer(address, body);
        const { transaction } = made.params;
        const payers = [
          { feePayer: address, token, amount: '0.01' },
          { feePayer: token, amount: '0.01' },
          { feePayer: 'svc', token, amount: '0.01' },
        ];
        for (const [at, feeConfig] of payers.entries()) {
          const params = { transaction, feeConfig };
          const refused = await expectCall(400, 'POST', `/${address}/transactions`, { params });
          expect(refused.message).toMatch(
            at === 2 ? /^params\.feeConfig: .*"token"/ : /must be "svc": the service pays the fees/,
          );
        }
        await stack.waitForTransaction(address, made.id);
        expect([type, await balanceOf(address)]).toEqual([type, '49']);
      }
    },
  );
});

describe('delegated signers of the create body with scopes', () => {
  const admin = ed25519Signer('server');
  const delegate = ed25519Signer('server');
  const friend = somebody();
  const scope = (more: object = {}) => ({
    type: 'transfer',
    tokenLocator: 'solana:usdxm',
    ...more,
  });
  let wallet: Body;

  it('are answered as they were sent, with the wallet and by themselves', async () => {
    const scopes = [
      scope({ recipients: [friend], spendingLimit: { amount: '5', interval: 3600 } }),
    ];
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    wallet = await create({
      adminSigner: admin.input,
      delegatedSigners: [{ signer: delegate.locator, scopes, expiresAt }],
    });
    expect(wallet.config.delegatedSigners).toMatchObject([
      { locator: delegate.locator, scopes, expiresAt },
    ]);
    const one = await expectCall(200, 'GET', `/${wallet.address}/signers/${delegate.locator}`);
    expect(one).toMatchObject({ locator: delegate.locator, scopes, expiresAt });
    // The terms of an answer may be sent again; they are the same signer, so there is nothing to
    // add.
    const again = { signer: delegate.locator, scopes, expiresAt };
    expect(await expectCall(400, 'POST', `/${wallet.address}/signers`, again)).toMatchObject({
      code: 'signer-already-exists',
    });
  });

  it('may do what they name from the first operation on, and nothing else', async () => {
    await fund(wallet.address);
    const signer = delegate.locator;
    const refused = (body: object) =>
      expectCall(400, 'POST', `/${wallet.address}/tokens/solana:usdxm/transfers`, {
        signer,
        ...body,
      });
    expect(await refused({ recipient: somebody(), amount: '1' })).toMatchObject({
      code: 'signer-scope-violation',
    });
    expect(await refused({ recipient: friend, amount: '5.01' })).toMatchObject({
      code: 'signer-scope-violation',
    });
    const first = await transfer(wallet.address, { recipient: friend, amount: '3', signer });
    expect(await finish(wallet.address, first, [delegate])).toMatchObject({ status: 'success' });
    expect(await refused({ recipient: friend, amount: '2.01' })).toMatchObject({
      code: 'signer-scope-violation',
    });
    const second = await transfer(wallet.address, { recipient: friend, amount: '2', signer });
    expect(await finish(wallet.address, second, [delegate])).toMatchObject({ status: 'success' });
  });

  it.each([
    [{ type: 'transfer' }, 'config.delegatedSigners[0].scopes'],
    [{ ...scope(), tokenLocator: 'base-sepolia:usdxm' }, 'not a Solana chain'],
    [scope({ recipients: ['somebody'] }), 'config.delegatedSigners[0].scopes[0].recipients[0]'],
    [
      scope({ spendingLimit: { amount: '0' } }),
      'config.delegatedSigners[0].scopes[0].spendingLimit.amount',
    ],
  ])('are refused with the place of the mistake: %j', async (bad, place) => {
    const delegatedSigners = [{ signer: delegate.locator, scopes: [bad] }];
    expect(
      (await create({ adminSigner: admin.input, delegatedSigners }, {}, 400)).message,
    ).toContain(place);
  });
});

describe('answers that succeed', () => {
  it('have no key `error`, not even null', () => {
    expect(answers.length).toBeGreaterThan(30);
    for (const answer of answers.flat()) expect(answer).not.toHaveProperty('error');
  });
});
