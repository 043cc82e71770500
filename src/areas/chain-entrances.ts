import type { ChainEntrances, ChainFamily, OperationOutcome } from '../chains/family.ts';
import type { Ctx } from '../context.ts';
import type { Tx } from '../store/types.ts';
import { recordTransfers, retractTransfers } from './activity/index.ts';
import { signBuilt } from './approvals/index.ts';
import {
  type DepositListener,
  finalizeDeposits,
  recordDeposits,
  retractDeposits,
} from './deposits/index.ts';
import { followDeposits, followTreasury } from './orders/legs/chain-changes.ts';
import { settleSignatures, signatureSubject } from './signatures/index.ts';
import { settleRegistrations } from './signers/index.ts';
import { settleOperations, type TransactionSubject } from './transactions/index.ts';
import {
  bookWithdrawals,
  finalizeTreasuryTransfers,
  isTransferOf,
  pickOwnOutcomes,
  recordTreasuryOperations,
  retractTreasuryTransfers,
  settleTreasuryTransfers,
  type TreasuryListener,
} from './treasury/index.ts';
import { selectOwnAddresses, selectTreasuryAddresses } from './wallets/index.ts';

/** What an operation may be for: whose object it ends. */
type OperationSubject = TransactionSubject | typeof signatureSubject;

/**
 * Where what a chain family learns comes in: each call runs in the family's own database
 * transaction.
 */
export function chainEntrances(ctx: Ctx, family: ChainFamily): ChainEntrances {
  const onDeposits =
    (tx: Tx): DepositListener =>
    (changes) =>
      followDeposits(ctx, tx, changes);
  const onTreasury =
    (tx: Tx): TreasuryListener =>
    async (changes) => {
      await bookWithdrawals(ctx, tx, changes);
      await followTreasury(ctx, tx, changes);
    };
  const settle: Readonly<
    Record<OperationSubject, (tx: Tx, outcomes: readonly OperationOutcome[]) => Promise<void>>
  > = {
    transaction: (tx, outcomes) => settleOperations(ctx, tx, outcomes),
    async 'treasury-transfer'(tx, outcomes) {
      const own = await pickOwnOutcomes(tx, family, outcomes);
      await settleOperations(ctx, tx, own);
      await settleTreasuryTransfers(ctx, tx, own, onTreasury(tx));
    },
    async 'signer-change'(tx, outcomes) {
      await settleOperations(ctx, tx, outcomes);
      await settleRegistrations(ctx, tx, outcomes);
    },
    async [signatureSubject](tx, outcomes) {
      await settleSignatures(ctx, tx, outcomes);
      await settleRegistrations(ctx, tx, outcomes);
    },
  };
  return {
    settleOperations: async (tx, outcomes) => {
      for (const subject of new Set(outcomes.map((outcome) => outcome.subject))) {
        const own = outcomes.filter((outcome) => outcome.subject === subject);
        if (!Object.hasOwn(settle, subject))
          throw new Error(`operation ${own[0]!.operationId} is for "${subject}", which is nothing`);
        await settle[subject as OperationSubject](tx, own);
      }
    },
    signBuilt: (input) =>
      signBuilt(ctx, family, input, { isTransferOf: (asked) => isTransferOf(ctx.store, asked) }),
    ownAddresses: (tx, addresses) => selectOwnAddresses(tx, family.chainType, addresses),
    depositAddresses: (tx, addresses) => selectTreasuryAddresses(tx, family.chainType, addresses),
    recordTransfers: async (tx, transfers) => {
      await recordTransfers(ctx, tx, transfers);
      await recordDeposits(ctx, tx, transfers, onDeposits(tx));
    },
    recordOperations: (tx, operations) =>
      recordTreasuryOperations(ctx, tx, operations, onTreasury(tx)),
    finalizeTransfers: async (tx, chain, height) => {
      await finalizeDeposits(ctx, tx, chain, height, onDeposits(tx));
      await finalizeTreasuryTransfers(ctx, tx, chain, height, onTreasury(tx));
    },
    retractTransfers: async (tx, chain, fromHeight) => {
      await retractTransfers(ctx, tx, chain, fromHeight);
      await retractDeposits(ctx, tx, chain, fromHeight, onDeposits(tx));
      await retractTreasuryTransfers(ctx, tx, chain, fromHeight, onTreasury(tx));
    },
  };
}
