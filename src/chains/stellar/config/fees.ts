import type { FeeBookInput } from '../../family/spending/fee-book.ts';

const xlm = 10_000_000n;
/**
 * What projects and owners of wallets may spend for fees in a day: a first operation costs about
 * half a lumen, a later one a tenth.
 */
export const stellarFees: FeeBookInput = {
  chain: 'stellar',
  unit: 'stroops',
  bounds: {
    production: { projectDayMaxMinor: 500n * xlm, ownerDayMaxMinor: 10n * xlm },
    staging: { projectDayMaxMinor: 5_000n * xlm, ownerDayMaxMinor: 500n * xlm },
    development: { projectDayMaxMinor: 100_000n * xlm, ownerDayMaxMinor: 100_000n * xlm },
  },
};
