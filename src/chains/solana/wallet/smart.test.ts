import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Delegate, FamilyWallet } from '../../family.ts';
import { checkSolanaApproval } from '../signing/approvals.ts';
import { describeSolanaSigned } from '../signing/describe-signed.ts';
import {
  ed25519Signer,
  openSmartWallets,
  p256Signer,
  quorumOf,
  type TestSigner,
} from '../testing/smart.ts';
import { newAddress, openWorld, type World } from '../testing/world.ts';
import {
  prepareSolanaEnd,
  prepareSolanaSignerChange,
  readSolanaControl,
  readSolanaDelegates,
} from './index.ts';
import { planSmartWallet } from './smart-plan.ts';

let world: World;
let smart: ReturnType<typeof openSmartWallets>;
beforeAll(async () => {
  world = await openWorld({ feePayers: 1 });
  smart = openSmartWallets(world);
  await smart.install();
  await world.start({ walletProgram: smart.program });
});
afterAll(() => world?.close());

const money = { tokens: 1_000n };
const asDelegate = ({ signer }: TestSigner, rest: Partial<Delegate> = {}): Delegate => ({
  signer,
  scopes: [],
  ...rest,
});
const change = (
  wallet: FamilyWallet,
  approver: TestSigner,
  of: Parameters<typeof prepareSolanaSignerChange>[1]['change'],
) =>
  prepareSolanaSignerChange(world.deps, {
    wallet,
    chain: 'solana',
    change: of,
    approver: approver.signer,
    now: new Date(),
  });
const truth = async (wallet: FamilyWallet, ...delegates: Delegate[]) =>
  readSolanaDelegates(world.connection, wallet, delegates);

describe('a smart wallet on Solana', () => {
  it.each([
    ['an external wallet', ed25519Signer('external-wallet')],
    ['a server', ed25519Signer('server')],
    ['an api key', ed25519Signer('api-key')],
    ['an e-mail address', ed25519Signer('email')],
    ['a phone', ed25519Signer('phone')],
    ['a passkey', p256Signer('passkey')],
    // As Chromium answers now and then, at random.
    [
      'a passkey whose browser adds to what it signs',
      p256Signer(
        'passkey',
        undefined,
        ',"crossOrigin":false,"other_keys_can_be_added_here":"do not compare clientDataJSON against a template. See https://goo.gl/yabPex"',
      ),
    ],
  ])('of %s is created by its first transaction, which acts as well', async (_, admin) => {
    const wallet = await smart.aWallet({ adminSigner: admin.signer }, money);
    const to = newAddress();
    const first = await smart.prepareTransfer(wallet, admin, { amount: 300n, to });
    const outcome = await smart.run(wallet, first, [admin]);
    expect(outcome).toMatchObject({ status: 'success', onChain: { txId: expect.any(String) } });
    const again = await smart.prepareTransfer(wallet, admin, { amount: 200n, to });
    expect((await smart.run(wallet, again, [admin])).status).toBe('success');
    expect(await world.tokensOf(to)).toBe(500n);
    expect(await world.lamportsOf(wallet.address)).toBe(0n);
  });

  it('takes approvals of its signer alone, of this operation', async () => {
    const [admin, stranger, passkey] = [ed25519Signer(), ed25519Signer(), p256Signer('passkey')];
    const wallet = await smart.aWallet(
      { adminSigner: admin.signer, recoveryMethods: [admin.signer, passkey.signer] },
      money,
    );
    const transfer = (by: TestSigner, amount: bigint) =>
      smart.prepareTransfer(wallet, by, { amount, to: newAddress() });
    const [one, other] = [await transfer(admin, 1n), await transfer(admin, 2n)];
    expect(checkSolanaApproval(one.operation, admin.approve(one))).toBe(true);
    expect(checkSolanaApproval(one.operation, admin.approve(other))).toBe(false);
    expect(checkSolanaApproval(one.operation, stranger.approve(one))).toBe(false);
    expect(
      checkSolanaApproval(
        one.operation,
        passkey.approve({ ...one, message: `0x${'11'.repeat(32)}` }),
      ),
    ).toBe(false);
    const [third, fourth] = [await transfer(passkey, 3n), await transfer(passkey, 3n)];
    expect(third.message).toMatch(/^0x[0-9a-f]{64}$/);
    expect(checkSolanaApproval(third.operation, passkey.approve(third))).toBe(true);
    expect(checkSolanaApproval(third.operation, passkey.approve(fourth))).toBe(false);
    expect(checkSolanaApproval(third.operation, admin.approve(third))).toBe(false);
    expect((await smart.run(wallet, third, [passkey])).status).toBe('success');
    expect((await smart.run(wallet, fourth, [passkey])).status).toBe('success');
  });

  it('of a quorum is moved by as many members as it wants: the first ones, or those that requiredSigners names', async () => {
    const members = [ed25519Signer(), ed25519Signer('server'), ed25519Signer('email')];
    const quorum = quorumOf(2, members);
    const wallet = await smart.aWallet({ adminSigner: quorum, recoveryMethods: [quorum] }, money);
    const to = newAddress();
    const first = await smart.prepareTransfer(wallet, { signer: quorum }, { amount: 10n, to });
    expect(checkSolanaApproval(first.operation, members[2]!.approve(first))).toBe(false);
    expect((await smart.run(wallet, first, members.slice(0, 2))).status).toBe('success');
    const named = [members[0]!, members[2]!];
    const requiredSigners = named.map(({ signer }) => signer.locator);
    const second = await smart.prepareTransfer(
      wallet,
      { signer: quorum, requiredSigners },
      { amount: 10n, to },
    );
    expect((await smart.run(wallet, second, named)).status).toBe('success');
    await expect(
      smart.prepareTransfer(
        wallet,
        { signer: quorum, requiredSigners: requiredSigners.slice(1) },
        { amount: 1n, to },
      ),
    ).rejects.toMatchObject({ code: 'validation-error' });
    expect(await world.tokensOf(to)).toBe(20n);
  });

  it.each([
    ['three of seven keys', 3, 7, ed25519Signer, 0],
    ['four of four keys', 4, 4, ed25519Signer, 0],
    ['one of four with a passkey', 1, 4, () => p256Signer('passkey'), 0],
    ['a passkey, with four delegated signers', 1, 1, () => p256Signer('passkey'), 4],
  ] as const)(
    'of %s is made by its first transfer of a token: no more fits, and is refused before',
    async (_, threshold, count, first, delegated) => {
      const members = [first(), ...Array.from({ length: count - 1 }, () => ed25519Signer())];
      const delegates = Array.from({ length: delegated }, () => asDelegate(ed25519Signer()));
      const of = (signers: readonly TestSigner[]) => {
        const adminSigner =
          signers.length === 1 ? signers[0]!.signer : quorumOf(threshold, signers);
        return { adminSigner, recoveryMethods: [adminSigner], delegates };
      };
      const wallet = await smart.aWallet(of(members), money);
      const by = { signer: wallet.adminSigner! };
      const made = await smart.prepareTransfer(wallet, by, { amount: 1n, to: newAddress() });
      expect((await smart.run(wallet, made, members.slice(0, threshold))).status).toBe('success');
      const larger =
        delegated === 0
          ? of([...members, ed25519Signer()])
          : { ...of(members), delegates: [...delegates, asDelegate(ed25519Signer())] };
      await expect(smart.aWallet(larger)).rejects.toMatchObject({
        code: 'validation-error',
        message: expect.stringContaining('1232'),
      });
    },
  );

  it('of a quorum of which more sign than ever fit is refused with the number that does', async () => {
    const quorum = quorumOf(
      9,
      Array.from({ length: 9 }, () => ed25519Signer()),
    );
    const message = expect.stringMatching(
      /^config\.recoveryMethods\[0\]\.threshold: 9 signatures .* at most 6 fit\.$/,
    );
    await expect(
      smart.aWallet({ adminSigner: quorum, recoveryMethods: [quorum] }),
    ).rejects.toMatchObject({ message });
  });

  it('of one cluster takes nothing that was signed for another: the same signers have another wallet there', async () => {
    const [admin, passkey] = [ed25519Signer(), p256Signer('passkey')];
    const input = {
      adminSigner: admin.signer,
      recoveryMethods: [admin.signer, passkey.signer],
      creationSeed: 'the same',
    };
    const wallet = await smart.aWallet(input, money);
    const plan = planSmartWallet(
      { program: smart.program, cluster: 'mainnet' },
      { type: 'smart', ...input },
    );
    expect(plan.address).not.toBe(wallet.address);
    await world.giveTokens(plan.address, 1_000n);
    const there = { ...wallet, ...(JSON.parse(JSON.stringify(plan)) as typeof plan) };
    const to = newAddress();
    for (const by of [admin, passkey]) {
      const here = await smart.prepareTransfer(wallet, by, { amount: 1n, to });
      const other = await smart.prepareTransfer(there, by, { amount: 1n, to });
      expect(checkSolanaApproval(here.operation, by.approve(here))).toBe(true);
      expect(checkSolanaApproval(here.operation, by.approve(other))).toBe(false);
    }
  });

  it('refuses who is not its signer, and instructions that it cannot sign', async () => {
    const [admin, stranger] = [ed25519Signer(), ed25519Signer()];
    const wallet = await smart.aWallet({ adminSigner: admin.signer }, money);
    const [to, refused] = [newAddress(), { code: 'transaction-invalid' }];
    await expect(smart.prepareTransfer(wallet, stranger, { amount: 1n, to })).rejects.toMatchObject(
      refused,
    );
    await expect(
      smart.prepareTransfer(
        wallet,
        { signer: stranger.signer, delegate: asDelegate(stranger) },
        { amount: 1n, to },
      ),
    ).rejects.toMatchObject(refused);
    const change = await world.transferParams(
      { ...wallet, address: newAddress() },
      1n,
      to,
      world.native,
    );
    await expect(smart.prepare(wallet, change, admin.signer)).rejects.toMatchObject(refused);
    await expect(
      smart.prepareTransfer(wallet, admin, { amount: 5_000n, to }),
    ).rejects.toMatchObject({
      code: 'transaction-simulation-failed',
    });
  });
});

describe('what people are told of an operation of a smart wallet', () => {
  it('is what the wallet does, and not that it does it by a program', async () => {
    const [admin, delegate] = [p256Signer('passkey'), ed25519Signer('server')];
    const registered = asDelegate(delegate, { scopes: [{ type: 'transfer', token: world.token }] });
    const wallet = await smart.aWallet(
      { adminSigner: admin.signer, delegates: [registered] },
      { ...money, lamports: 1_000_000_000n },
    );
    const tell = (operation: JsonObject) =>
      describeSolanaSigned(world.network, operation, smart.program);
    const to = newAddress();
    const transfer = await smart.prepareTransfer(wallet, admin, {
      amount: 500_000_000n,
      to,
      of: world.native,
    });
    expect(tell(transfer.operation)).toBe(`send 0.5 SOL to ${to} on solana`);
    const by = { signer: delegate.signer, delegate: registered };
    const delegated = await smart.prepareTransfer(wallet, by, { amount: 300n, to });
    expect(tell(delegated.operation)).toBe(`send 0.0003 USDXM to ${to} on solana`);
    const adding = await change(wallet, admin, {
      kind: 'add',
      delegate: { ...registered, scopes: [] },
    });
    expect(tell(adding.operation)).toBe(
      `register the delegated signer ${delegate.signer.address} without limits on solana`,
    );
    const removing = await change(wallet, admin, { kind: 'remove', signer: delegate.signer });
    expect(tell(removing.operation)).toBe(
      `remove the delegated signer ${delegate.signer.address} on solana`,
    );
    const end = await prepareSolanaEnd(world.deps, {
      wallet,
      chain: 'solana',
      approver: admin.signer,
      now: new Date(),
    });
    expect(tell(end.operation)).toBe(
      'end all delegated signers and whatever was signed before on solana',
    );
  });
});

describe('delegated signers on Solana', () => {
  it('are registered, act within their scopes, and are removed', { tags: 'slow' }, async () => {
    const [admin, delegate] = [ed25519Signer(), ed25519Signer('server')];
    const wallet = await smart.aWallet({ adminSigner: admin.signer }, money);
    const to = newAddress();
    const registered = asDelegate(delegate, {
      scopes: [
        {
          type: 'transfer',
          token: world.token,
          recipients: [to],
          spendingLimit: { amountMinor: 100n, intervalSeconds: 86_400 },
        },
      ],
    });
    const by = { signer: delegate.signer, delegate: registered };
    expect(await truth(wallet, registered)).toEqual(['absent']);
    expect(
      (
        await smart.run(
          wallet,
          await change(wallet, admin, { kind: 'add', delegate: registered }),
          [admin],
        )
      ).status,
    ).toBe('success');
    expect(await truth(wallet, registered, asDelegate(delegate))).toEqual(['same', 'different']);
    expect(
      (
        await smart.run(wallet, await smart.prepareTransfer(wallet, by, { amount: 60n, to }), [
          delegate,
        ])
      ).status,
    ).toBe('success');
    const outside = { code: 'signer-scope-violation' };
    await expect(smart.prepareTransfer(wallet, by, { amount: 41n, to })).rejects.toMatchObject(
      outside,
    );
    await expect(
      smart.prepareTransfer(wallet, by, { amount: 1n, to: newAddress() }),
    ).rejects.toMatchObject(outside);
    await expect(
      smart.prepareTransfer(wallet, by, { amount: 1n, to, of: world.native }),
    ).rejects.toMatchObject(outside);
    const removed = await change(wallet, admin, { kind: 'remove', signer: delegate.signer });
    expect((await smart.run(wallet, removed, [admin])).status).toBe('success');
    expect(await truth(wallet, registered)).toEqual(['absent']);
    await expect(smart.prepareTransfer(wallet, by, { amount: 1n, to })).rejects.toMatchObject({
      code: 'transaction-invalid',
    });
  });

  it.each([
    ['a device', p256Signer('device')],
    ['a passkey', p256Signer('passkey')],
    ['a server', ed25519Signer('server')],
  ])('that the set-up names, %s, act without an approval of the admin', async (_, delegate) => {
    const admin = ed25519Signer();
    const planned = asDelegate(delegate, { expiresAt: new Date(Date.now() + 3_600_000) });
    const wallet = await smart.aWallet({ adminSigner: admin.signer, delegates: [planned] }, money);
    expect(await truth(wallet, planned)).toEqual(['same']);
    const to = newAddress();
    const by = { signer: delegate.signer, delegate: planned };
    for (const amount of [20n, 30n])
      expect(
        (
          await smart.run(wallet, await smart.prepareTransfer(wallet, by, { amount, to }), [
            delegate,
          ])
        ).status,
      ).toBe('success');
    expect(await world.tokensOf(to)).toBe(50n);
    expect(await truth(wallet, planned)).toEqual(['same']);
    await expect(
      smart.prepareTransfer(
        wallet,
        { ...by, delegate: { ...planned, expiresAt: new Date(0) } },
        { amount: 1n, to },
      ),
    ).rejects.toMatchObject({ code: 'signer-expired' });
  });

  it('a passkey that is the admin registers a device, which acts in its scopes', async () => {
    const [admin, device] = [p256Signer('passkey'), p256Signer('device')];
    const wallet = await smart.aWallet({ adminSigner: admin.signer }, money);
    const registered = asDelegate(device, { scopes: [{ type: 'transfer', token: world.token }] });
    expect(
      (
        await smart.run(
          wallet,
          await change(wallet, admin, { kind: 'add', delegate: registered }),
          [admin],
        )
      ).status,
    ).toBe('success');
    const by = { signer: device.signer, delegate: registered };
    const outcome = await smart.run(
      wallet,
      await smart.prepareTransfer(wallet, by, { amount: 1n, to: newAddress() }),
      [device],
    );
    expect(outcome.status).toBe('success');
  });

  it('end together with whatever was signed when everything is ended', {
    tags: 'slow',
  }, async () => {
    const [admin, delegate] = [ed25519Signer(), ed25519Signer('server')];
    const planned = asDelegate(delegate);
    const wallet = await smart.aWallet({ adminSigner: admin.signer, delegates: [planned] }, money);
    const by = { signer: delegate.signer, delegate: planned };
    const to = newAddress();
    expect(
      (
        await smart.run(wallet, await smart.prepareTransfer(wallet, by, { amount: 1n, to }), [
          delegate,
        ])
      ).status,
    ).toBe('success');
    const known = [{ signer: delegate.signer, inForce: true }];
    const read = () => readSolanaControl(world.connection, { wallet, chain: 'solana', known });
    expect(await read()).toMatchObject({
      deployed: true,
      owners: [admin.signer.address],
      threshold: 1,
      epoch: 0,
      signers: [{ id: delegate.signer.address, locator: delegate.signer.locator, scopeCount: 0 }],
      missing: [],
      differences: [],
    });
    const earlier = await smart.prepareTransfer(wallet, admin, { amount: 1n, to });
    const end = await prepareSolanaEnd(world.deps, {
      wallet,
      chain: 'solana',
      approver: admin.signer,
      now: new Date(),
    });
    expect((await smart.run(wallet, end, [admin])).status).toBe('success');
    expect((await smart.run(wallet, earlier, [admin])).status).toBe('failed');
    expect(await truth(wallet, planned)).toEqual(['absent']);
    expect(await read()).toMatchObject({
      epoch: 1,
      signers: [],
      missing: [delegate.signer.locator],
    });
    await expect(smart.prepareTransfer(wallet, by, { amount: 1n, to })).rejects.toMatchObject({
      code: 'transaction-invalid',
    });
    expect(await world.tokensOf(to)).toBe(1n);
  });
});
