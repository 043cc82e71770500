import type { FeeBookInput } from '../../family/spending/fee-book.ts';

const sui = 1_000_000_000n;
/** What projects and owners of wallets may spend for fees in a day: on mainnet about fifty transfers to new coins for an owner: their storage is
 * cash for who deletes them. */
export const suiFees: FeeBookInput = {
  chain: 'sui',
  unit: 'MIST',
  bounds: {
    production: { projectDayMaxMinor: 20n * sui, ownerDayMaxMinor: sui / 5n },
    staging: { projectDayMaxMinor: 200n * sui, ownerDayMaxMinor: 20n * sui },
    development: { projectDayMaxMinor: 10_000n * sui, ownerDayMaxMinor: 10_000n * sui },
  },
};
