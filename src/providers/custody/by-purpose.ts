import type { Clock } from '../../lib/clock.ts';
import { createSealer, type KeyEncryptionKey } from '../../lib/sealing/seal.ts';
import type { CustodyProvider } from './custody.ts';
import { createLocalCustody } from './local.ts';

/**
 * The purpose of keys that move what belongs to a project's orders. They are sealed by keys of
 * their own, which only the worker has.
 */
export const treasuryPurpose = 'treasury';

/** Custody as a process has it: without the keys of treasuries it can neither make nor use one. */
export function composeCustody(
  {
    keyEncryptionKeys,
    treasuryKeyEncryptionKeys,
  }: Readonly<
    Record<'keyEncryptionKeys' | 'treasuryKeyEncryptionKeys', readonly KeyEncryptionKey[]>
  >,
  { clock }: { readonly clock: Clock },
): CustodyProvider {
  const custodyOf = (keys: readonly KeyEncryptionKey[]) =>
    createLocalCustody({ sealer: createSealer(keys), clock });
  const everyday = withoutTreasuries(custodyOf(keyEncryptionKeys));
  if (treasuryKeyEncryptionKeys.length === 0) return everyday;
  const treasuries = custodyOf(treasuryKeyEncryptionKeys);
  const of = (purpose: string) => (purpose === treasuryPurpose ? treasuries : everyday);
  return {
    opens: (purpose) => of(purpose).opens(purpose),
    ensureKey: (db, input) => of(input.purpose).ensureKey(db, input),
    sign: (db, input) => of(input.purpose).sign(db, input),
  };
}

/**
 * The same custody with no treasury in it: what serves callers has this one, also where it shares a
 * process with the worker.
 */
export function withoutTreasuries(custody: CustodyProvider): CustodyProvider {
  const refuse = async (): Promise<never> => {
    throw new Error(
      'Keys of treasuries are opened by the worker only, with TREASURY_KEY_ENCRYPTION_KEYS.',
    );
  };
  return {
    opens: (purpose) => purpose !== treasuryPurpose && custody.opens(purpose),
    ensureKey: (db, input) =>
      input.purpose === treasuryPurpose ? refuse() : custody.ensureKey(db, input),
    sign: (db, input) => (input.purpose === treasuryPurpose ? refuse() : custody.sign(db, input)),
  };
}
