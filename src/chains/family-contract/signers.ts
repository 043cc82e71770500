import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Delegate,
  FamilyWallet,
  PreparedOperation,
  QuorumSigner,
  SignerChange,
  TransferScope,
} from '../family.ts';
import { signerTypes } from '../family.ts';
import { type FamilyWorld, refusal, refusalOf, type TestSigner, throughJson } from './world.ts';

/** Delegated signers, quorums and several recovery methods, as far as the family has them. */
export function describeSigners(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  const hasQuorums = () => world.family.adminSignerTypes.includes('quorum');

  async function fund(wallet: FamilyWallet, amountMinor: bigint): Promise<void> {
    const { chain, token } = world;
    await world.family.funding!.fund({
      chain,
      token,
      amountMinor,
      recipientAddress: wallet.address,
      reference: randomUUID(),
    });
  }

  async function prepareTransfer(
    wallet: FamilyWallet,
    input: {
      by: TestSigner['signer'];
      delegate?: Delegate;
      amountMinor?: bigint;
      to?: string;
      members?: readonly TestSigner[];
    },
  ) {
    const transfer = world.intentOf(
      wallet,
      input.amountMinor ?? 1n,
      input.to ?? world.freshAddress(),
    );
    const plain = throughJson(await world.family.transferParams(transfer));
    const named = input.members?.map(({ signer }) => signer.locator);
    const params = named && world.namingMembers ? world.namingMembers(plain, named) : plain;
    return world.family.prepareOperation({
      wallet,
      params,
      signer: input.by,
      delegate: input.delegate,
      now: new Date(),
      transfer,
    });
  }

  async function settle(
    wallet: FamilyWallet,
    prepared: PreparedOperation,
    approvers: readonly TestSigner[],
  ): Promise<void> {
    const approvals = await Promise.all(approvers.map((approver) => approver.approve(prepared)));
    for (const approval of approvals)
      expect(
        await world.family.checkApproval(throughJson(prepared.operation), throughJson(approval)),
      ).toBe(true);
    expect(await world.outcomeOf(await world.submit(wallet, prepared, approvals))).toMatchObject({
      status: 'success',
    });
  }

  function aQuorum(threshold: number, members: readonly TestSigner[]): QuorumSigner {
    return {
      type: 'quorum',
      locator: `quorum:${randomUUID()}`,
      threshold,
      members: members.map(({ signer }) => signer),
    };
  }

  describe('signers', () => {
    it('are completed once and for all, and keep what they came with', () => {
      const { signer } = world.newSigner();
      const completed = world.family.completeSigner(signer);
      expect(completed).toMatchObject(signer);
      expect(world.family.completeSigner(throughJson(completed))).toEqual(completed);
      for (const type of world.family.delegates!.delegatedSignerTypes)
        expect(signerTypes).toContain(type);
    });
  });

  describe('delegated signers', () => {
    const change = (wallet: FamilyWallet, change: SignerChange) =>
      world.family.delegates!.prepareSignerChange({
        wallet,
        chain: world.chain,
        change,
        approver: wallet.adminSigner,
        now: new Date(),
      });
    const truthOf = (wallet: FamilyWallet, ...delegates: Delegate[]) =>
      world.family.delegates!.readDelegates(wallet, world.chain, delegates);

    it('are added, act, and are removed, each by an operation of the admin, and the network says so', async ({
      skip,
    }) => {
      const [{ wallet, owner }, actor] = [await world.aFundedWallet(10n), world.newSigner()];
      if (!world.family.delegates!.delegatedSignerTypes.includes(actor.signer.type))
        skip('the family has no delegated signers of this type');
      const delegate: Delegate = {
        signer: actor.signer,
        scopes: [],
        expiresAt: new Date(Date.now() + 3_600_000),
      };
      expect(await truthOf(wallet, delegate)).toEqual(['absent']);
      const added = await change(wallet, { kind: 'add', delegate });
      expect(throughJson(added.operation)).toEqual(added.operation);
      await settle(wallet, added, [owner]);
      expect(await truthOf(wallet, delegate, { ...delegate, expiresAt: undefined })).toEqual([
        'same',
        'different',
      ]);
      const prepared = await prepareTransfer(wallet, { by: actor.signer, delegate });
      expect(prepared.validUntil.getTime()).toBeLessThanOrEqual(delegate.expiresAt!.getTime());
      await settle(wallet, prepared, [actor]);
      await settle(wallet, await change(wallet, { kind: 'remove', signer: actor.signer }), [owner]);
      expect(await truthOf(wallet, delegate)).toEqual(['absent']);
      const error = await refusal(prepareTransfer(wallet, { by: actor.signer, delegate }));
      expect(['transaction-invalid', 'transaction-simulation-failed']).toContain(error.code);
    });

    it('with scopes make transfers within them and no others', async ({ skip }) => {
      const [{ wallet, owner }, actor, friend] = [
        await world.aFundedWallet(100n),
        world.newSigner(),
        world.freshAddress(),
      ];
      if (!world.family.delegates!.delegatedSignerTypes.includes(actor.signer.type))
        skip('the family has no delegated signers of this type');
      const scope: TransferScope = {
        type: 'transfer',
        token: world.token,
        recipients: [friend],
        spendingLimit: { amountMinor: 10n, intervalSeconds: 3_600 },
      };
      const delegate: Delegate = { signer: actor.signer, scopes: [scope] };
      await settle(wallet, await change(wallet, { kind: 'add', delegate }), [owner]);
      expect(await truthOf(wallet, delegate, { ...delegate, scopes: [] })).toEqual([
        'same',
        'different',
      ]);
      const attempt = (amountMinor: bigint, to = friend) =>
        prepareTransfer(wallet, { by: actor.signer, delegate, amountMinor, to });
      expect(await refusalOf(attempt(11n))).toBe('signer-scope-violation');
      expect(await refusalOf(attempt(1n, world.freshAddress()))).toBe('signer-scope-violation');
      const limitsAt = async (now = new Date()) => {
        const { signer: unknown } = world.newSigner();
        const [own, other] = await world.family.delegates!.readLimits({
          wallet,
          chain: world.chain,
          signers: [actor.signer, unknown],
          now,
        });
        expect(other).toBeUndefined();
        return own!;
      };
      expect(await limitsAt()).toEqual([{ limitMinor: 10n, usedMinor: 0n }]);
      await settle(wallet, await attempt(7n), [actor]);
      const [used] = await limitsAt();
      expect(used).toMatchObject({ limitMinor: 10n, usedMinor: 7n });
      // By the clock of the network, of which nobody knows how far it is from this one.
      const renewsAt = used!.renewsAt!;
      const justBefore = new Date(renewsAt.getTime() - 1);
      expect(await limitsAt(justBefore)).toMatchObject([{ usedMinor: 7n }]);
      expect(await limitsAt(renewsAt)).toEqual([{ limitMinor: 10n, usedMinor: 0n }]);
      expect(await refusalOf(attempt(4n))).toBe('signer-scope-violation');
      await settle(wallet, await attempt(3n), [actor]);
      expect(await world.amountOf(friend)).toBe(10n);
      expect(await limitsAt()).toMatchObject([{ limitMinor: 10n, usedMinor: 10n }]);
      // What another registration spent is not this one's, and a scope may have no limit.
      const { spendingLimit: _, ...unlimited } = scope;
      const again = { ...delegate, scopes: [scope, unlimited] };
      await settle(wallet, await change(wallet, { kind: 'add', delegate: again }), [owner]);
      expect(await limitsAt()).toEqual([{ limitMinor: 10n, usedMinor: 0n }, undefined]);
    });

    it('of a wallet that is made with them act without a registration', async ({ skip }) => {
      const [owner, actor] = [world.newSigner(), world.newSigner()];
      if (!world.family.delegates!.delegatedSignerTypes.includes(actor.signer.type))
        skip('the family has no delegated signers of this type');
      const delegate: Delegate = { signer: actor.signer, scopes: [] };
      const wallet = world.planWallet(owner.signer, { delegates: [delegate] });
      expect(wallet.address).not.toBe(world.planWallet(owner.signer).address);
      expect(await truthOf(wallet, delegate)).toEqual(['same']);
      await fund(wallet, 5n);
      await settle(wallet, await prepareTransfer(wallet, { by: actor.signer, delegate }), [actor]);
      expect(await truthOf(wallet, delegate)).toEqual(['same']);
    });

    it('that have expired are refused with signer-expired', async () => {
      const [{ wallet }, { signer }] = [await world.aFundedWallet(1n), world.newSigner()];
      const delegate: Delegate = { signer, scopes: [], expiresAt: new Date(Date.now() - 1_000) };
      expect(await refusalOf(prepareTransfer(wallet, { by: signer, delegate }))).toBe(
        'signer-expired',
      );
    });
  });

  describe('quorums', () => {
    it('act when as many members as they ask for approve, in any order', async ({ skip }) => {
      if (!hasQuorums()) skip('the family has no quorums');
      const members = [world.newSigner(), world.newSigner(), world.newSigner()] as const;
      const quorum = aQuorum(2, members);
      const wallet = world.planWallet(quorum);
      await fund(wallet, 10n);
      const act = async (approvers: readonly TestSigner[]) =>
        settle(
          wallet,
          await prepareTransfer(wallet, { by: quorum, members: approvers }),
          approvers,
        );
      await act([members[2], members[0]]);
      await act([members[0], members[1]]);
      // Where they are fixed beforehand there are never more.
      if (!world.namingMembers) await act(members);
    });

    it('and other recovery methods stand side by side, each enough alone', async ({ skip }) => {
      if (!hasQuorums()) skip('the family has no quorums');
      const [alone, ...members] = [
        world.newSigner(),
        world.newSigner(),
        world.newSigner(),
      ] as const;
      const quorum = aQuorum(2, members);
      const wallet = world.planWallet(alone.signer, { recoveryMethods: [alone.signer, quorum] });
      await fund(wallet, 10n);
      await settle(wallet, await prepareTransfer(wallet, { by: quorum }), members);
      await settle(wallet, await prepareTransfer(wallet, { by: alone.signer }), [alone]);
    });
  });
}
