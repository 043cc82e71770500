import type { FeeBook } from '../../family/spending/fee-book.ts';
import { findEvmNetwork, listEvmNetworks } from '../config/networks.ts';
import { readOwnBudgets, readSpentToday, writeBudget } from '../relay/index.ts';

/** Fees are gas there, with tables of their own and a bound for each network. */
export const evmFeeBook: FeeBook = {
  unit: 'wei',
  boundsOf({ environment, evm }, chain) {
    const name = findEvmNetwork(chain)?.name;
    const networks = listEvmNetworks({
      local: environment === 'development',
      bounds: evm.bounds ?? new Map(),
    });
    const found = networks.find((network) => network.name === name);
    return (
      found && {
        projectDayMaxMinor: found.bounds.projectDayMaxWei,
        ownerDayMaxMinor: found.bounds.ownerDayMaxWei,
      }
    );
  },
  readSpent: async (db, input) =>
    (await readSpentToday(db, input)).map(({ spentWei, ...rest }) => ({
      ...rest,
      minor: spentWei,
    })),
  readOwn: async (db, projectId) =>
    (await readOwnBudgets(db, projectId)).map(({ chain, projectDayWei, ownerDayWei }) => ({
      chain,
      projectDayMinor: projectDayWei,
      ownerDayMinor: ownerDayWei,
    })),
  write: (db, projectId, { chain, projectDayMinor, ownerDayMinor }) =>
    writeBudget(db, {
      projectId,
      chain,
      projectDayWei: projectDayMinor,
      ownerDayWei: ownerDayMinor,
    }),
};
