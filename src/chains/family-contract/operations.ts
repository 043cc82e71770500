import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import type { Tx } from '../../store/types.ts';
import type { FamilyWallet, PreparedOperation } from '../family.ts';
import {
  type FamilyWorld,
  projectId,
  refusal,
  refusalOf,
  type TestSigner,
  throughJson,
} from './world.ts';

/** Operations from params to outcome, approvals, and transfers seen on the chain. */
export function describeOperations(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  describe('operations', () => {
    it('of a transfer go from params to a settled outcome and moved balances', async () => {
      const { wallet, owner } = await world.aFundedWallet(1_000n);
      const recipient = world.freshAddress();
      const prepared = await world.prepareTransfer(world.intentOf(wallet, 400n, recipient));
      expect(prepared).toMatchObject({ chain: world.chain, message: expect.stringMatching(/.+/) });
      expect(prepared.validUntil.getTime()).toBeGreaterThan(Date.now());
      expect(throughJson(prepared.operation)).toEqual(prepared.operation);
      expect(throughJson(prepared.onChain)).toEqual(prepared.onChain);
      const signed = world.family.readSigned(throughJson(prepared.operation));
      expect(signed).toMatchObject({ chain: world.chain, message: prepared.message });
      expect(world.family.canonicalAddress(signed.walletAddress)).toBe(
        world.family.canonicalAddress(wallet.address),
      );
      const approval = await owner.approve(prepared);
      expect(
        await world.family.checkApproval(throughJson(prepared.operation), throughJson(approval)),
      ).toBe(!world.isLate(prepared.operation));
      const subject = 'a word of whoever submitted it';
      const outcome = await world.outcomeOf(
        await world.submit(wallet, prepared, approval, randomUUID(), subject),
      );
      expect(outcome).toMatchObject({
        status: 'success',
        subject,
        onChain: { txId: expect.stringMatching(/.+/) },
        at: expect.any(Date),
      });
      expect(outcome.onChain).not.toHaveProperty('error');
      expect(await world.amountOf(recipient)).toBe(400n);
      expect(await world.amountOf(wallet.address)).toBe(600n);
    });

    it('move native money too, and several of one wallet do not wait for each other', async () => {
      const { wallet, owner } = world.aWallet();
      await world.giveNative(wallet.address, 10n ** 9n);
      const recipients = [world.freshAddress(), world.freshAddress(), world.freshAddress()];
      const prepared = await Promise.all(
        recipients.map((recipient) =>
          world.prepareTransfer(world.intentOf(wallet, 1_000_000n, recipient, world.native)),
        ),
      );
      const ids = await Promise.all(
        prepared.map(async (one) => world.submit(wallet, one, await owner.approve(one))),
      );
      for (const id of ids) expect((await world.outcomeOf(id)).status).toBe('success');
      for (const recipient of recipients)
        expect(await world.amountOf(recipient, world.native)).toBe(1_000_000n);
    });

    it('answer params that are documented and can be sent again', async () => {
      const { wallet } = await world.aFundedWallet(5n);
      const prepared = await world.prepareTransfer(
        world.intentOf(wallet, 5n, world.freshAddress()),
      );
      const schema = world.family.transactionParams[world.walletType]!;
      expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
      expect(schema.safeParse(prepared.params).success).toBe(true);
      const again = await world.family.prepareOperation({
        wallet,
        params: throughJson(prepared.params),
        signer: wallet.adminSigner,
        now: new Date(),
      });
      expect(again.params).toEqual(prepared.params);
      expect(again.message).not.toBe(prepared.message);
    });

    it('tell who gets money, and what would move where the family can', async () => {
      const { wallet } = await world.aFundedWallet(1_000n);
      const recipient = world.freshAddress();
      const prepared = await world.prepareTransfer(world.intentOf(wallet, 400n, recipient));
      const canonical = world.family.canonicalAddress;
      expect(prepared.counterparties.map(canonical)).toContain(canonical(recipient));
      expect(throughJson(prepared.preview ?? {})).toEqual(prepared.preview ?? {});
      expect(throughJson(prepared.typedData ?? {})).toEqual(prepared.typedData ?? {});
      if (!prepared.preview) return;
      const { token, native } = world;
      const [change] = prepared.preview['balanceChanges'] as JsonObject[];
      const amount = formatAmount(-400n, token.decimals);
      expect(change).toMatchObject({
        token: token.locator,
        symbol: token.symbol,
        decimals: token.decimals,
        amount,
        rawAmount: '-400',
      });
      expect(prepared.preview).toMatchObject({
        gas: expect.stringMatching(/^\d+$/),
        sponsored: true,
      });
      const least = world.leastNativeMinor ?? 3n;
      await world.giveNative(wallet.address, 1_000_000_000n);
      const sent = await world.prepareTransfer(world.intentOf(wallet, least, recipient, native));
      expect(sent.preview!['balanceChanges']).toEqual([
        expect.objectContaining({ token: native.locator, rawAmount: `-${least}` }),
      ]);
      expect(sent.counterparties.map(canonical)).toContain(canonical(recipient));
    });

    it('are refused as validation-error when params are of another form', async () => {
      const { wallet } = world.aWallet();
      for (const params of [
        {},
        { chain: world.chain },
        { chain: 5 },
        { nonsense: true },
      ] as JsonObject[]) {
        expect(
          await refusalOf(
            world.family.prepareOperation({
              wallet,
              params,
              signer: wallet.adminSigner,
              now: new Date(),
            }),
          ),
          JSON.stringify(params),
        ).toBe('validation-error');
      }
    });

    it('without the means are insufficient-balance, for native money and tokens', async () => {
      const { wallet } = await world.aFundedWallet(99n);
      expect(
        await refusalOf(world.prepareTransfer(world.intentOf(wallet, 100n, world.freshAddress()))),
      ).toBe('insufficient-balance');
      expect(
        await refusalOf(
          world.prepareTransfer(
            world.intentOf(wallet, 10n ** 15n, world.freshAddress(), world.native),
          ),
        ),
      ).toBe('insufficient-balance');
    });

    it('that would fail are refused with the reason, as section 6 of the supplement has it', async () => {
      const { wallet } = await world.aFundedWallet(99n);
      const params = await world.family.transferParams(
        world.intentOf(wallet, 100n, world.freshAddress()),
      );
      const error = await refusal(
        world.family.prepareOperation({
          wallet,
          params,
          signer: wallet.adminSigner,
          now: new Date(),
        }),
      );
      expect(error.code).toBe('transaction-simulation-failed');
      expect(error.details).toMatchObject({
        error: {
          reason: expect.stringMatching(/^(execution_reverted|program_error)$/),
          message: expect.stringMatching(/.+/),
        },
        message: error.message,
      });
    });

    it('to an address that cannot receive are invalid-recipient', async () => {
      const { wallet } = world.aWallet();
      expect(
        await refusalOf(
          world.family.transferParams(world.intentOf(wallet, 1n, world.foreignAddress)),
        ),
      ).toBe('invalid-recipient');
    });

    it('submitted twice happen once', async () => {
      const { wallet, owner } = await world.aFundedWallet(1_000n);
      const recipient = world.freshAddress();
      const prepared = await world.prepareTransfer(world.intentOf(wallet, 10n, recipient));
      const approval = await owner.approve(prepared);
      const operationId = randomUUID();
      await Promise.all([
        world.submit(wallet, prepared, approval, operationId),
        world.submit(wallet, prepared, approval, operationId),
      ]);
      await world.outcomeOf(operationId);
      await world.submit(wallet, prepared, approval, operationId);
      // A later operation of the same wallet settles behind it.
      const later = await world.prepareTransfer(world.intentOf(wallet, 1n, world.freshAddress()));
      await world.outcomeOf(await world.submit(wallet, later, await owner.approve(later)));
      expect(await world.amountOf(recipient)).toBe(10n);
      expect(
        world.outcomes.filter(
          (outcome) => outcome.operationId === operationId && outcome.status === 'success',
        ),
      ).toHaveLength(1);
    });

    it('rolled back with their transaction never happen', async () => {
      const { wallet, owner } = await world.aFundedWallet(1_000n);
      const recipient = world.freshAddress();
      const prepared = await world.prepareTransfer(world.intentOf(wallet, 10n, recipient));
      const input = {
        operationId: randomUUID(),
        subject: 'transaction',
        projectId,
        wallet,
        chain: prepared.chain,
        operation: prepared.operation,
        approvals: [await owner.approve(prepared)],
      };
      const failed = world.store.transaction(async (tx: Tx) => {
        await world.family.submitOperations(tx, [input]);
        throw new Error('rolled back');
      });
      await expect(failed).rejects.toThrow('rolled back');
      const later = await world.prepareTransfer(world.intentOf(wallet, 1n, world.freshAddress()));
      await world.outcomeOf(await world.submit(wallet, later, await owner.approve(later)));
      expect(await world.amountOf(recipient)).toBe(0n);
      expect(
        world.outcomes.filter((outcome) => outcome.operationId === input.operationId),
      ).toHaveLength(0);
    });

    it('that can no longer succeed when they reach the chain fail with a reason, and the others go through', async () => {
      const { wallet, owner } = await world.aFundedWallet(100n);
      const [first, second] = [
        await world.prepareTransfer(world.intentOf(wallet, 80n, world.freshAddress())),
        await world.prepareTransfer(world.intentOf(wallet, 80n, world.freshAddress())),
      ];
      const ids = [
        await world.submit(wallet, first, await owner.approve(first)),
        await world.submit(wallet, second, await owner.approve(second)),
      ];
      await world.until(
        () => world.outcomes.some(({ operationId }) => ids.includes(operationId)),
        'the first of two outcomes',
      );
      await world.letPass?.();
      const outcomes = [await world.outcomeOf(ids[0]!), await world.outcomeOf(ids[1]!)];
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['failed', 'success']);
      const failed = outcomes.find((outcome) => outcome.status === 'failed')!;
      expect(failed).toMatchObject({
        error: { reason: expect.stringMatching(/.+/), message: expect.stringMatching(/.+/) },
      });
      expect(await world.amountOf(wallet.address)).toBe(20n);
    });
  });

  describe('approvals', () => {
    async function anOperation(): Promise<{
      wallet: FamilyWallet;
      owner: TestSigner;
      prepared: PreparedOperation;
    }> {
      const made = await world.aFundedWallet(10n);
      return {
        ...made,
        prepared: await world.prepareTransfer(
          world.intentOf(made.wallet, 1n, world.freshAddress()),
        ),
      };
    }

    it('by another key, of another operation or of no valid form do not verify', async ({
      skip,
    }) => {
      const { wallet, owner, prepared } = await anOperation();
      if (world.isLate(prepared.operation))
        skip('nobody approves what the keys of wallets sign late');
      const stranger = world.newSigner();
      const foreign = await stranger.approve(prepared);
      expect(
        await world.family.checkApproval(prepared.operation, { ...foreign, signer: owner.signer }),
      ).toBe(false);
      const other = await world.prepareTransfer(world.intentOf(wallet, 1n, world.freshAddress()));
      const approval = await owner.approve(prepared);
      expect(await world.family.checkApproval(other.operation, approval)).toBe(false);
      expect(
        await world.family.checkApproval(prepared.operation, {
          ...approval,
          signer: stranger.signer,
        }),
      ).toBe(false);
      for (const signature of [
        '',
        '0x',
        'AAAA',
        null,
        0,
        [],
        {},
        { r: '0x01', s: '0x01' },
        `${String(approval.signature)}00`,
      ]) {
        expect(
          await world.family.checkApproval(prepared.operation, { ...approval, signature }),
          JSON.stringify(signature),
        ).toBe(false);
      }
    });

    it('of keys in custody are made from the digest and carry the operation to its end', async () => {
      const key = world.newCustodyKey();
      const address = world.family.addressOfPublicKey(key.publicKey);
      expect(world.family.isAddress(address)).toBe(true);
      const { wallet, owner } = world.walletOfKey(key);
      await world.fund(wallet.address, 3n);
      const recipient = world.freshAddress();
      const prepared = await world.prepareTransfer(world.intentOf(wallet, 3n, recipient));
      const operation = throughJson(prepared.operation);
      const approval = await owner.approve(prepared);
      expect(await world.family.checkApproval(operation, throughJson(approval))).toBe(
        !world.isLate(operation),
      );
      expect((await world.outcomeOf(await world.submit(wallet, prepared, approval))).status).toBe(
        'success',
      );
      expect(await world.amountOf(recipient)).toBe(3n);
    });
  });

  describe('transfers seen on the chain', () => {
    it('are recorded for the wallets of this service, once, with what made them', async () => {
      const [from, to] = [await world.aFundedWallet(50n), world.aWallet()];
      const prepared = await world.prepareTransfer(
        world.intentOf(from.wallet, 20n, to.wallet.address),
      );
      const operationId = await world.submit(
        from.wallet,
        prepared,
        await from.owner.approve(prepared),
      );
      const outcome = await world.outcomeOf(operationId);
      const canonical = world.family.canonicalAddress;
      const seen = () =>
        world.transfers.filter(
          (transfer) => canonical(transfer.recipient) === canonical(to.wallet.address),
        );
      await world.until(() => seen().length > 0, 'the transfer to be seen');
      expect(seen()[0]).toMatchObject({
        chain: world.chain,
        amountMinor: 20n,
        succeeded: true,
        operationId,
        txId: outcome.onChain['txId'],
        token: { symbol: world.testToken },
      });
      expect(canonical(seen()[0]!.sender)).toBe(canonical(from.wallet.address));
      expect(new Set(seen().map((transfer) => transfer.id)).size).toBe(1);
    });
  });
}
