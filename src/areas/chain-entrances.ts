import type { ChainEntrances, Networks } from '../chains/family.ts';
import type { Ctx } from '../context.ts';
import type { Tx } from '../store/types.ts';
import { recordTransfers, retractTransfers } from './activity/index.ts';
import { type DepositListener, finalizeDeposits, recordDeposits, retractDeposits } from './deposits/index.ts';
import { followDeposits, followTreasury } from './orders/chain-changes.ts';
import { settleSignatures } from './signatures/index.ts';
import { settleRegistrations } from './signers/index.ts';
import { settleOperations } from './transactions/index.ts';
import {
  bookWithdrawals,
  finalizeTreasuryTransfers,
  recordTreasuryOperations,
  retractTreasuryTransfers,
  settleTreasuryTransfers,
  type TreasuryListener,
} from './treasury/index.ts';
import { selectOwnAddresses, selectTreasuryAddresses } from './wallets/index.ts';

/** Where what a chain family learns comes in: each call runs in the family's own database transaction. */
export function chainEntrances(ctx: Ctx, family: Networks): ChainEntrances {
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
  return {
    settleOperations: async (tx, outcomes) => {
      await settleOperations(ctx, tx, outcomes);
      await settleSignatures(ctx, tx, outcomes);
      await settleRegistrations(ctx, tx, outcomes);
      await settleTreasuryTransfers(ctx, tx, outcomes, onTreasury(tx));
    },
    ownAddresses: (tx, addresses) => selectOwnAddresses(tx, family.chainType, addresses),
    depositAddresses: (tx, addresses) => selectTreasuryAddresses(tx, family.chainType, addresses),
    recordTransfers: async (tx, transfers) => {
      await recordTransfers(ctx, tx, transfers);
      await recordDeposits(ctx, tx, transfers, onDeposits(tx));
    },
    recordOperations: (tx, operations) => recordTreasuryOperations(ctx, tx, operations, onTreasury(tx)),
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
