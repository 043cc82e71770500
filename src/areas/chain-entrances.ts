import type { ChainEntrances, ChainFamily } from '../chains/family.ts';
import type { Ctx } from '../context.ts';
import { recordTransfers, retractTransfers } from './activity/index.ts';
import { settleSignatures } from './signatures/index.ts';
import { settleRegistrations } from './signers/index.ts';
import { settleOperations } from './transactions/index.ts';
import { selectOwnAddresses } from './wallets/index.ts';

/** Where what a chain family learns comes in: each call runs in the family's own database transaction. */
export function chainEntrances(ctx: Ctx, family: ChainFamily): ChainEntrances {
  return {
    settleOperations: async (tx, outcomes) => {
      await settleOperations(ctx, tx, outcomes);
      await settleSignatures(ctx, tx, outcomes);
      await settleRegistrations(ctx, tx, outcomes);
    },
    ownAddresses: (tx, addresses) => selectOwnAddresses(tx, family.chainType, addresses),
    recordTransfers: (tx, transfers) => recordTransfers(ctx, tx, transfers),
    retractTransfers: (tx, chain, fromHeight) => retractTransfers(ctx, tx, chain, fromHeight),
  };
}
