import { randomUUID } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode, ServiceError } from '../../../lib/errors.ts';
import type { Delegate, FamilyWallet, TransferScope } from '../../family.ts';
import { checkStellarApproval, custodyApproval, custodyDigest } from '../signing/approvals.ts';
import { ed25519Signer, p256Signer, quorumOf } from '../testing/smart.ts';
import { openWorld, type World } from '../testing/world.ts';
import {
  prepareStellarEnd,
  prepareStellarSignerChange,
  readStellarDelegates,
} from '../wallet/delegates.ts';
import { planAccount } from '../wallet/plan.ts';

let world: World;
const owner = ed25519Signer();

beforeAll(async () => {
  world = await openWorld();
  await world.start();
});
afterAll(() => world?.close());

async function refusal(run: Promise<unknown>): Promise<ServiceError> {
  return run.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: ServiceError) => error,
  );
}
const refusalOf = async (run: Promise<unknown>): Promise<ErrorCode> => (await refusal(run)).code;

describe('operations of a smart wallet on Stellar', () => {
  it('make the wallet on their way, and move what signers approved', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 1_000n });
    const to = world.freshAddress();
    const prepared = await world.prepareTransfer(wallet, owner, { amount: 400n, to });
    expect(prepared.message).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(prepared.preview).toMatchObject({
      balanceChanges: [
        {
          token: 'stellar:usdxm',
          symbol: 'usdxm',
          decimals: 7,
          amount: '-0.00004',
          rawAmount: '-400',
        },
      ],
      gas: expect.stringMatching(/^\d+$/),
      sponsored: true,
    });
    expect(prepared.counterparties).toEqual([to]);
    expect(prepared.onChain).toMatchObject({
      transaction: { method: 'transfer' },
      expiration: expect.any(Number),
    });
    const outcome = await world.run(wallet, prepared, [owner]);
    expect(outcome).toMatchObject({
      status: 'success',
      executed: true,
      onChain: { txId: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect([await world.balance(to), await world.balance(wallet.address)]).toEqual([400n, 600n]);
    expect(outcome.costMinor).toBeLessThanOrEqual(
      BigInt((prepared.operation['costMax'] as string) ?? 0),
    );
    const again = await world.prepareTransfer(wallet, owner, { amount: 1n, to });
    expect(await world.run(wallet, again, [owner])).toMatchObject({ status: 'success' });
  });

  it('do not wait for each other, the first ones of a wallet neither', {
    tags: 'slow',
  }, async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer });
    await world.chain.giveNative(wallet.address, 10n ** 9n);
    const recipients = [world.freshAddress(), world.freshAddress(), world.freshAddress()];
    const prepared = await Promise.all(
      recipients.map((to) =>
        world.prepareTransfer(wallet, owner, { amount: 1_000_000n, to, of: world.native }),
      ),
    );
    const ids = await Promise.all(prepared.map((one) => world.submit(wallet, one, [owner])));
    for (const id of ids) expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
    for (const to of recipients) expect(await world.balance(to, world.native)).toBe(1_000_000n);
  });

  it('are approved by quorums of keys and passkeys, in any order', { tags: 'slow' }, async () => {
    const members = [
      ed25519Signer('server'),
      p256Signer('passkey'),
      ed25519Signer('email'),
    ] as const;
    const quorum = quorumOf(2, members);
    const wallet = await world.aWallet(
      { adminSigner: quorum, recoveryMethods: [owner.signer, quorum] },
      { tokens: 10n },
    );
    for (const by of [[members[2], members[1]], [members[0], members[2]], [...members]]) {
      const prepared = await world.prepareTransfer(
        wallet,
        { signer: quorum },
        { amount: 1n, to: world.freshAddress() },
      );
      expect(await world.run(wallet, prepared, by)).toMatchObject({ status: 'success' });
    }
    const alone = await world.prepareTransfer(wallet, owner, {
      amount: 1n,
      to: world.freshAddress(),
    });
    expect(await world.run(wallet, alone, [owner])).toMatchObject({ status: 'success' });
    await expect(
      world.submit(
        wallet,
        await world.prepareTransfer(
          wallet,
          { signer: quorum },
          { amount: 1n, to: world.freshAddress() },
        ),
        [members[0]],
      ),
    ).rejects.toThrow('1 approvals of 2');
    expect(
      await refusalOf(
        world.prepareTransfer(wallet, members[0], { amount: 1n, to: world.freshAddress() }),
      ),
    ).toBe('transaction-invalid');
  });

  it('without the means, or to a recipient that cannot have it, say so', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 9n });
    const account = ed25519Signer().signer.address!;
    const transfer = (input: Partial<Parameters<World['prepareTransfer']>[2]>) =>
      refusal(
        world.prepareTransfer(wallet, owner, { amount: 1n, to: world.freshAddress(), ...input }),
      );
    expect(await transfer({ amount: 10n })).toMatchObject({
      code: 'insufficient-balance',
      message: expect.stringContaining('0.0000009 usdxm'),
    });
    expect(await transfer({ of: world.native })).toMatchObject({ code: 'insufficient-balance' });
    expect(await transfer({ to: account })).toMatchObject({ code: 'invalid-recipient' });
    await world.chain.friendbot(account);
    expect(await transfer({ to: account })).toMatchObject({
      code: 'invalid-recipient',
      message: expect.stringContaining('no trust line'),
    });
    const { params } = await world.prepareTransfer(wallet, owner, {
      amount: 9n,
      to: world.freshAddress(),
    });
    const more = {
      transaction: {
        ...(params['transaction'] as object),
        args: { from: wallet.address, to: account, amount: '10' },
      },
    };
    expect(await refusal(world.prepare(wallet, more, owner))).toMatchObject({
      code: 'transaction-simulation-failed',
      details: { error: { reason: 'program_error', message: expect.stringContaining('error 1') } },
    });
  });

  it('refuse a call that nothing asks of the wallet, or that asks somebody else', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 9n });
    const call = (method: string, args: object) =>
      ({
        transaction: { type: 'contract-call', contractId: world.chain.token, method, args },
      }) as never;
    expect(
      await refusal(world.prepare(wallet, call('balance', { id: wallet.address }), owner)),
    ).toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('Nothing of params.transaction needs the wallet'),
    });
    const foreign = call('transfer', {
      from: world.chain.bank.publicKey(),
      to: wallet.address,
      amount: '1',
    });
    expect(await refusal(world.prepare(wallet, foreign, owner))).toMatchObject({
      message: expect.stringContaining(world.chain.bank.publicKey()),
    });
    const own = {
      transaction: {
        type: 'contract-call',
        contractId: wallet.address,
        method: 'bump_epoch',
        args: {},
      },
    };
    expect(await refusalOf(world.prepare(wallet, own, owner))).toBe('transaction-invalid');
    for (const params of [
      {},
      { transaction: { type: 'contract-call' } },
      call('mint', {}),
      call('transfer', { from: 'x' }),
    ] as never[])
      expect(await refusalOf(world.prepare(wallet, params, owner)), JSON.stringify(params)).toBe(
        'validation-error',
      );
  });

  it('carry the number of a memo in the recipient, and no other memo', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer });
    await world.chain.giveNative(wallet.address, 10n ** 8n);
    const friend = ed25519Signer().signer.address!;
    await world.chain.friendbot(friend);
    const send = (memo: { type: string; value: string }, to = friend) =>
      world.prepareTransfer(wallet, owner, { amount: 5n, to, of: world.native, memo });
    const prepared = await send({ type: 'id', value: '42' });
    expect(prepared.counterparties).toEqual([friend]);
    expect(await world.run(wallet, prepared, [owner])).toMatchObject({ status: 'success' });
    expect(await refusal(send({ type: 'text', value: 'order 1' }))).toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('no memo'),
    });
    expect(await refusalOf(send({ type: 'id', value: '42' }, world.freshAddress()))).toBe(
      'transaction-invalid',
    );
    expect(await refusalOf(send({ type: 'text', value: 'x'.repeat(29) }))).toBe('validation-error');
  });
});

describe('wallets on Stellar that are keys', () => {
  it('are accounts, which pay by an entry of theirs: the service sends it, and pays', async () => {
    const key = ed25519Signer('api-key');
    const address = key.signer.address!;
    const { setup } = planAccount(StrKey.decodeEd25519PublicKey(address));
    const wallet: FamilyWallet = {
      id: randomUUID(),
      type: 'mpc',
      address,
      setup,
      adminSigner: key.signer,
    };
    const send = (amount: bigint) =>
      world.prepareTransfer(wallet, key, { amount, to: world.freshAddress(), of: world.native });
    expect(await refusalOf(send(1n))).toBe('insufficient-balance');
    await world.chain.friendbot(address);
    const prepared = await send(99_000_000_000n);
    expect(prepared.validUntil.getTime()).toBeLessThan(Date.now() + 16 * 60_000);
    const digest = custodyDigest(prepared.operation);
    const approval = custodyApproval(key.signer, key.key.sign(digest).signature);
    expect(checkStellarApproval(prepared.operation, approval)).toBe(true);
    expect(await world.run(wallet, prepared, [key])).toMatchObject({ status: 'success' });
    expect(await world.balance(address, world.native)).toBe(1_000_000_000n);
    for (const type of ['upgrade-wallet', 'migrate-wallet'])
      expect(await refusalOf(world.prepare(wallet, { transaction: { type } }, key))).toBe(
        'validation-error',
      );
  });
});

describe('delegated signers on Stellar', () => {
  const change = (
    wallet: Parameters<World['prepare']>[0],
    what: Parameters<typeof prepareStellarSignerChange>[1]['change'],
  ) =>
    prepareStellarSignerChange(world.deps, {
      wallet,
      chain: 'stellar',
      change: what,
      approver: owner.signer,
      now: new Date(),
    });
  const truth = (wallet: Parameters<World['prepare']>[0], ...delegates: Delegate[]) =>
    readStellarDelegates(world.connection, wallet, delegates);

  it.each(['external-wallet', 'device', 'passkey'] as const)(
    'of type %s are added, act within their scopes, and are removed',
    { tags: 'slow' },
    async (type) => {
      const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 100n });
      const actor = type === 'external-wallet' ? ed25519Signer() : p256Signer(type);
      const friend = world.freshAddress();
      const scope: TransferScope = {
        type: 'transfer',
        token: world.token,
        recipients: [friend],
        spendingLimit: { amountMinor: 10n, intervalSeconds: 3_600 },
      };
      const delegate: Delegate = {
        signer: actor.signer,
        scopes: [scope],
        expiresAt: new Date(Date.now() + 3_600_000),
      };
      expect(await truth(wallet, delegate)).toEqual(['absent']);
      expect(
        await world.run(wallet, await change(wallet, { kind: 'add', delegate }), [owner]),
      ).toMatchObject({ status: 'success' });
      expect(await truth(wallet, delegate, { ...delegate, scopes: [] })).toEqual([
        'same',
        'different',
      ]);
      const attempt = (amount: bigint, to = friend) =>
        world.prepareTransfer(wallet, { signer: actor.signer, delegate }, { amount, to });
      expect(await refusalOf(attempt(11n))).toBe('signer-scope-violation');
      expect(await refusalOf(attempt(1n, world.freshAddress()))).toBe('signer-scope-violation');
      const prepared = await attempt(7n);
      expect(prepared.validUntil).toEqual(delegate.expiresAt);
      expect(await world.run(wallet, prepared, [actor])).toMatchObject({ status: 'success' });
      expect(await refusalOf(attempt(4n))).toBe('signer-scope-violation');
      const removal = await change(wallet, { kind: 'remove', signer: actor.signer });
      expect(await world.run(wallet, removal, [owner])).toMatchObject({ status: 'success' });
      expect(await truth(wallet, delegate)).toEqual(['absent']);
      expect(await refusalOf(attempt(1n))).toBe('transaction-invalid');
    },
  );

  it('of the set-up act at once, and end with an epoch, as what was signed before', {
    tags: 'slow',
  }, async () => {
    const actor = ed25519Signer();
    const delegate: Delegate = { signer: actor.signer, scopes: [] };
    const wallet = await world.aWallet(
      { adminSigner: owner.signer, delegates: [delegate] },
      { tokens: 5n },
    );
    expect(await truth(wallet, delegate)).toEqual(['same']);
    const transfer = () =>
      world.prepareTransfer(
        wallet,
        { signer: actor.signer, delegate },
        { amount: 1n, to: world.freshAddress() },
      );
    const [first, second] = [await transfer(), await transfer()];
    expect(await world.run(wallet, first, [actor])).toMatchObject({ status: 'success' });
    const end = await prepareStellarEnd(world.deps, {
      wallet,
      chain: 'stellar',
      approver: owner.signer,
      now: new Date(),
    });
    expect(await world.run(wallet, end, [owner])).toMatchObject({ status: 'success' });
    expect(await world.run(wallet, second, [actor])).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('unknown delegate') },
    });
    expect(await truth(wallet, delegate)).toEqual(['absent']);
    expect(await world.balance(wallet.address)).toBe(4n);
  });

  it('that have expired are refused', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 5n });
    const delegate: Delegate = {
      signer: ed25519Signer().signer,
      scopes: [],
      expiresAt: new Date(Date.now() - 1_000),
    };
    const input = { amount: 1n, to: world.freshAddress() };
    expect(
      await refusalOf(world.prepareTransfer(wallet, { signer: delegate.signer, delegate }, input)),
    ).toBe('signer-expired');
  });
});
