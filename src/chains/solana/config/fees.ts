import type { FeeBookInput } from '../../family/spending/fee-book.ts';

const sol = 1_000_000_000n;
/** What projects and owners of wallets may spend for fees in a day: on mainnet ten token accounts for an owner: their
 * rent is cash for who closes them. */
export const solanaFees: FeeBookInput = {
  chain: 'solana',
  unit: 'lamports',
  bounds: {
    production: { projectDayMaxMinor: 2n * sol, ownerDayMaxMinor: sol / 50n },
    staging: { projectDayMaxMinor: 20n * sol, ownerDayMaxMinor: 2n * sol },
    development: { projectDayMaxMinor: 1_000n * sol, ownerDayMaxMinor: 1_000n * sol },
  },
};
