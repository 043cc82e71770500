import type { Ctx } from '../../../context.ts';
import { checkLedger, trialBalance } from '../../../ledger/index.ts';
import { compareBankBooks } from '../../payment-methods/index.ts';
import { type Finding, isAway, type Look, unitsOf } from '../types.ts';

/** What belongs to no single project: the ledger as a whole, and the books of the banks. */

/**
 * The trial balance adds up to 0 and each checkpoint is the sum of its postings. Walks all of the
 * books.
 */
export async function lookAtBooks(ctx: Pick<Ctx, 'store'>): Promise<Look> {
  const { findings } = await checkLedger(ctx.store);
  const faults = findings.map(
    ({ where, problem }): Finding => ({
      comparison: 'books',
      object: where,
      aspect: 'entry',
      asset: '',
      expectedMinor: 0n,
      foundMinor: 0n,
      problem: `${where}: ${problem}`,
    }),
  );
  const unbalanced = (await trialBalance(ctx.store))
    .filter(({ debitMinor, creditMinor }) => debitMinor !== creditMinor)
    .map(
      ({ asset, debitMinor, creditMinor }): Finding => ({
        comparison: 'books',
        object: 'trial balance',
        aspect: 'sum',
        asset,
        expectedMinor: debitMinor,
        foundMinor: creditMinor,
        problem: `the debits of the ledger are ${unitsOf(debitMinor, asset)} and its credits ${unitsOf(creditMinor, asset)}`,
      }),
    );
  return { findings: [...faults, ...unbalanced] };
}

/** The vault's payouts of a period against the lists of the banks. */
export async function lookAtBanks(
  ctx: Ctx,
  period: { readonly from: Date; readonly until: Date },
): Promise<Look> {
  if (!ctx.config.vault) return { findings: [], unlooked: ['bank'] };
  try {
    const { differences } = await compareBankBooks(ctx, period);
    const findings = differences.map(
      ({ kind, provider, payoutId, bankReference, here, there }): Finding => {
        const object = payoutId === undefined ? `${provider}/${bankReference ?? '?'}` : payoutId;
        const named =
          payoutId === undefined
            ? `the bank's payout ${bankReference ?? ''}`
            : `payout ${payoutId}`;
        const problem = `${named} at ${provider}: ${words[kind]}; the vault says ${here ?? 'nothing'}, the bank ${there ?? 'nothing'}`;
        return {
          comparison: 'bank',
          object,
          aspect: kind,
          asset: '',
          expectedMinor: 0n,
          foundMinor: 0n,
          problem,
        };
      },
    );
    return { findings };
  } catch (error) {
    if (!isAway(error)) throw error;
    return { findings: [], unlooked: ['bank'], skipped: [`the banks' books: ${error.message}`] };
  }
}

const words: Readonly<
  Record<'unknown-here' | 'missing-there' | 'amount' | 'status' | 'twice', string>
> = {
  'unknown-here': 'the vault does not know it',
  'missing-there': 'the bank does not have it',
  amount: 'the amounts differ',
  status: 'the statuses cannot both be true',
  twice: 'the bank has it twice under one key',
};
