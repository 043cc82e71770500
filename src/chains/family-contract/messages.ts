import { beforeAll, describe, expect, it } from 'vitest';
import type { Delegate, FamilyWallet, PreparedSignature, Signer } from '../family.ts';
import { type FamilyWorld, refusalOf, type TestSigner, throughJson } from './world.ts';

const message = 'I agree — to €1 and ☕';

/** Messages that wallets sign. */
export function describeMessages(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  const prepare = (
    wallet: FamilyWallet,
    signer: Signer,
    delegate?: Delegate,
  ): Promise<PreparedSignature> =>
    world.family.signatures!.prepareSignature({
      wallet,
      type: 'message',
      params: { message, chain: world.chain },
      signer,
      delegate,
      now: new Date(),
    });
  const verifies = async (wallet: FamilyWallet, signature: string, text = message) =>
    (await world.family.messages!.verifyMessage({
      address: wallet.address,
      message: text,
      signature,
      chain: world.chain,
    })) !== undefined;

  async function sign(
    wallet: FamilyWallet,
    prepared: PreparedSignature,
    by: TestSigner,
  ): Promise<string> {
    const approval = throughJson(await by.approve(prepared));
    expect(await world.family.checkApproval(throughJson(prepared.request), approval)).toBe(true);
    return world.family.signatures!.completeSignature(wallet, throughJson(prepared.request), [
      approval,
    ]);
  }

  describe('messages', () => {
    it('signed by the admin verify as the wallet’s, before and after its first operation, and nobody else’s', async () => {
      const owned = await world.aFundedWallet(10n);
      const { wallet, owner } = owned;
      const prepared = await prepare(wallet, owner.signer);
      expect(prepared).toMatchObject({ chain: world.chain, params: { message } });
      expect(prepared.validUntil.getTime()).toBeGreaterThan(Date.now());
      const signed = world.family.readSigned(throughJson(prepared.request));
      expect(signed).toMatchObject({ chain: world.chain, message: prepared.message });
      expect(world.family.canonicalAddress(signed.walletAddress)).toBe(
        world.family.canonicalAddress(wallet.address),
      );
      const before = await sign(wallet, prepared, owner);
      expect(await verifies(wallet, before)).toBe(true);
      expect(await verifies(wallet, before, `${message}.`)).toBe(false);
      expect(await verifies(world.siblingOf(owned).wallet, before)).toBe(false);
      const transfer = await world.prepareTransfer(
        world.intentOf(wallet, 1n, world.freshAddress()),
      );
      await world.outcomeOf(await world.submit(wallet, transfer, await owner.approve(transfer)));
      expect(
        await verifies(wallet, await sign(wallet, await prepare(wallet, owner.signer), owner)),
      ).toBe(true);
    });

    it('are approved by whoever is asked, and by nobody else', async () => {
      const owned = world.aWallet();
      const { wallet, owner } = owned;
      const [prepared, other] = [await prepare(wallet, owner.signer), world.newSigner()];
      const approval = await other.approve(prepared);
      expect(
        await world.family.checkApproval(prepared.request, { ...approval, signer: owner.signer }),
      ).toBe(false);
      const sibling = world.siblingOf(owned);
      const elsewhere = await sibling.owner.approve(
        await prepare(sibling.wallet, sibling.owner.signer),
      );
      expect(
        await world.family.checkApproval(prepared.request, { ...elsewhere, signer: owner.signer }),
      ).toBe(false);
    });

    it('of wallets of custody keys are signed over the digest', async () => {
      const { wallet, owner } = world.walletOfKey(world.newCustodyKey());
      const prepared = await prepare(wallet, owner.signer);
      const { request } = prepared;
      const approval = await owner.approve(prepared);
      expect(await world.family.checkApproval(request, throughJson(approval))).toBe(true);
      expect(
        await verifies(
          wallet,
          await world.family.signatures!.completeSignature(wallet, request, [approval]),
        ),
      ).toBe(true);
    });

    it('are signed by delegated signers without scopes, and refused to others', async ({
      skip,
    }) => {
      const [owner, actor] = [world.newSigner(), world.newSigner()];
      if (!world.family.delegates!.delegatedSignerTypes.includes(actor.signer.type))
        skip('the family has no delegated signers of this type');
      const delegate: Delegate = { signer: actor.signer, scopes: [] };
      const wallet = world.planWallet(owner.signer, { delegates: [delegate] });
      expect(
        await verifies(
          wallet,
          await sign(wallet, await prepare(wallet, actor.signer, delegate), actor),
        ),
      ).toBe(true);
      const scoped: Delegate = { ...delegate, scopes: [{ type: 'transfer', token: world.token }] };
      expect(await refusalOf(prepare(wallet, actor.signer, scoped))).toBe('signer-scope-violation');
      const expired: Delegate = { ...delegate, expiresAt: new Date(Date.now() - 1_000) };
      expect(await refusalOf(prepare(wallet, actor.signer, expired))).toBe('signer-expired');
    });

    it('of another form are refused as validation-error', async () => {
      const { wallet } = world.aWallet();
      const ask = (params: Record<string, string>) =>
        refusalOf(
          world.family.signatures!.prepareSignature({
            wallet,
            type: 'message',
            params,
            signer: wallet.adminSigner,
            now: new Date(),
          }),
        );
      expect(await ask({ chain: world.chain })).toBe('validation-error');
      if (world.chainWithoutNode !== undefined)
        expect(await ask({ message, chain: world.chainWithoutNode })).toBe('chain-not-supported');
    });
  });
}
