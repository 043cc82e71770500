import type { FeeBookInput } from '../../family/spending/fee-book.ts';

const apt = 100_000_000n;
/**
 * What projects and owners of wallets may spend for fees in a day: on mainnet a transfer to a new
 * account costs about 0.001 APT.
 */
export const aptosFees: FeeBookInput = {
  chain: 'aptos',
  unit: 'octas',
  bounds: {
    production: { projectDayMaxMinor: 20n * apt, ownerDayMaxMinor: apt / 5n },
    staging: { projectDayMaxMinor: 200n * apt, ownerDayMaxMinor: 20n * apt },
    development: { projectDayMaxMinor: 10_000n * apt, ownerDayMaxMinor: 10_000n * apt },
  },
};
