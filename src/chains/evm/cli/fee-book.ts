import { createFeeRows, type FeeBook } from '../../family/spending/fee-book.ts';
import { findEvmNetwork, listEvmNetworks } from '../config/networks.ts';
import { dayBoundsOf } from '../config/spending-bounds.ts';

/** Fees are gas there, with a bound for each network. */
export const evmFeeBook: FeeBook = {
  unit: 'wei',
  boundsOf({ environment, evm }, chain) {
    const name = findEvmNetwork(chain)?.name;
    const networks = listEvmNetworks({
      local: environment === 'development',
      bounds: evm.bounds ?? new Map(),
    });
    const found = networks.find((network) => network.name === name);
    return found && dayBoundsOf(found.bounds);
  },
  ...createFeeRows('gas'),
};
