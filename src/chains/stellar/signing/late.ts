import type { LateSigning } from '../../family/late/signing.ts';
import { readSetUp, requireSetUp } from '../account/set-up.ts';
import { requireClassic } from '../classic/fee-bump.ts';
import { isClassic, readClassic } from '../classic/stored.ts';

/**
 * What the key of an mpc wallet signs when it is sent: transactions, which end within a minute. An
 * entry that allows a call holds nothing that does not wait, and is signed when it is asked for.
 */
export const stellarLateSigning = {
  isLate: isClassic,
  movesNothing: (operation) => readSetUp(operation) !== undefined,
  signedBytes(operation, built) {
    if (isClassic(operation)) return requireClassic(readClassic(operation), built).inner.hash();
    const setUp = readSetUp(operation);
    if (!setUp) throw new Error('It is approved, and not signed, by the key of its wallet.');
    return requireSetUp(setUp, built).transaction.hash();
  },
} satisfies LateSigning;
