import { beforeAll, describe, expect, it } from 'vitest';
import type { DepositIntent } from '../family.ts';
import { type FamilyWorld, refusalOf } from './world.ts';

/** What orders ask of a family: deposits with memos, and when they can no longer be taken back. */
export function describeDeposits(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  /** What a deposit has as its memo when it is seen. */
  const memoSeen = ({ memo }: DepositIntent) =>
    world.depositsCarryMemos === false ? undefined : memo;
  const aDeposit = (
    payerAddress: string,
    recipientAddress: string,
    overrides: Partial<DepositIntent> = {},
  ): DepositIntent => ({
    chain: world.chain,
    token: world.token,
    amountMinor: 300n,
    payerAddress,
    recipientAddress,
    memo: world.family.deposits!.newMemo(),
    ...overrides,
  });

  describe('deposits', () => {
    it('are told apart by memos of which no two are the same', () => {
      expect(
        new Set(Array.from({ length: 100 }, () => world.family.deposits!.newMemo())).size,
      ).toBe(100);
    });

    it('are made by an ordinary account as instructed, and seen with their memo; a look finds the same', async () => {
      const [payer, { wallet }] = [await world.newPayer(), await world.aFundedWallet(1n)];
      await world.giveNative(payer.address, world.plentyNativeMinor ?? 10n ** 18n);
      await world.fund(payer.address, 1_000n);
      const deposit = aDeposit(payer.address, wallet.address);
      const { serializedTransaction, carriesMemo } =
        await world.family.deposits!.depositInstructions(deposit);
      expect(carriesMemo).toBe(world.depositsCarryMemos ?? true);
      const txId = await payer.send(serializedTransaction);
      await world.until(() => world.transfers.some((seen) => seen.txId === txId), 'the deposit');
      const seen = world.transfers.find((transfer) => transfer.txId === txId)!;
      expect(seen).toMatchObject({ amountMinor: 300n, chain: world.chain, succeeded: true });
      expect(seen.memo).toBe(memoSeen(deposit));
      const keyOf = (address: string) => world.family.canonicalAddress(address);
      expect([keyOf(seen.sender), keyOf(seen.recipient)]).toEqual([
        keyOf(payer.address),
        keyOf(wallet.address),
      ]);
      const look = await world.family.deposits!.readDeposits({
        chain: world.chain,
        txId,
        recipientAddress: wallet.address,
      });
      expect(look).toEqual({ status: 'included', transfers: [seen] });
      const elsewhere = await world.family.deposits!.readDeposits({
        chain: world.chain,
        txId,
        recipientAddress: world.freshAddress(),
      });
      expect(elsewhere).toEqual({ status: 'included', transfers: [] });
    });

    it('are made by a wallet of this service from the same instructions, and seen as its operation', async () => {
      const [{ wallet, owner }, { wallet: treasury }] = [
        await world.aFundedWallet(1_000n),
        await world.aFundedWallet(1n),
      ];
      const deposit = aDeposit(wallet.address, treasury.address);
      const { serializedTransaction } = await world.family.deposits!.depositInstructions(deposit);
      const prepared = await world.family.prepareOperation({
        wallet,
        params: world.paramsOf(serializedTransaction),
        signer: wallet.adminSigner,
        now: new Date(),
      });
      const operationId = await world.submit(wallet, prepared, await owner.approve(prepared));
      const outcome = await world.outcomeOf(operationId);
      await world.until(
        () => world.transfers.some((seen) => seen.operationId === operationId),
        'the deposit',
      );
      const seen = world.transfers.find((transfer) => transfer.operationId === operationId)!;
      expect(seen).toMatchObject({ amountMinor: 300n, txId: outcome.onChain.txId });
      expect(seen.memo).toBe(memoSeen(deposit));
      await world.until(
        () => world.operations.some((operation) => operation.operationId === operationId),
        'the operation',
      );
      expect(world.operations.filter((operation) => operation.operationId === operationId)).toEqual(
        [
          {
            operationId,
            chain: world.chain,
            txId: outcome.onChain.txId,
            succeeded: true,
            height: seen.height,
            at: seen.at,
          },
        ],
      );
      const look = await world.family.deposits!.readDeposits({
        chain: world.chain,
        txId: outcome.onChain.txId as string,
        recipientAddress: treasury.address,
      });
      expect(look.transfers).toEqual([seen]);
    });

    it('are final by the network’s own rule, and what is final is told to be', async () => {
      const { wallet } = await world.aFundedWallet(5n);
      const height = () =>
        world.transfers.find(
          (seen) =>
            world.family.canonicalAddress(seen.recipient) ===
            world.family.canonicalAddress(wallet.address),
        )?.height;
      await world.until(() => height() !== undefined, 'the transfer');
      await world.until(() => (world.finalHeights.at(-1) ?? -1n) >= height()!, 'finality');
      expect([...world.finalHeights]).toEqual(
        [...new Set(world.finalHeights)].toSorted((a, b) => Number(a - b)),
      );
    });

    it('that nobody knows, and text that is no transaction, are unknown', async () => {
      const recipientAddress = world.freshAddress();
      for (const txId of [world.freshTxId(), '', 'nonsense', `${world.freshTxId()}0`])
        expect(
          await world.family.deposits!.readDeposits({ chain: world.chain, txId, recipientAddress }),
        ).toEqual({
          status: 'unknown',
          transfers: [],
        });
      if (world.chainWithoutNode === undefined) return;
      const nowhere = { chain: world.chainWithoutNode, txId: world.freshTxId(), recipientAddress };
      expect(await refusalOf(world.family.deposits!.readDeposits(nowhere))).toBe(
        'chain-not-supported',
      );
    });

    it('need a payer who has enough, and enough for the fees where nobody sponsors them', async () => {
      const address = world.freshAddress();
      const state = (amountMinor: bigint, sponsored = false, token = world.token) =>
        world.family.deposits!.payerState({
          chain: world.chain,
          token,
          amountMinor,
          payerAddress: address,
          sponsored,
        });
      expect(await state(1n)).toBe('insufficient-funds');
      await world.fund(address, 10n);
      expect(await state(11n)).toBe('insufficient-funds');
      expect(await state(10n)).toBe('insufficient-funds-for-gas');
      expect(await state(10n, true)).toBe('ok');
      const plenty = world.plentyNativeMinor ?? 10n ** 18n;
      await world.giveNative(address, plenty);
      expect(await state(10n)).toBe('ok');
      expect(await state(plenty, false, world.native)).toBe('insufficient-funds-for-gas');
      expect(await state(plenty, true, world.native)).toBe('ok');
      expect(await state(plenty + 1n, true, world.native)).toBe('insufficient-funds');
    });
  });
}
