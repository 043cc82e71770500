import { checkLedger } from '../../src/ledger/index.ts';
import { sqlStateOf } from '../../src/store/pg-errors.ts';
import type { Store } from '../../src/store/types.ts';

const undefinedTable = '42P01';

/**
 * The sum of all postings is 0 per asset, every entry is balanced, and checkpoints agree with the
 * postings. One query where nothing was posted, and nothing where there is no ledger.
 * @throws Error that names what is wrong
 */
export async function expectLedgerBalanced(store: Store): Promise<void> {
  if (!(await hasEntries(store))) return;
  const { findings } = await checkLedger(store);
  const { rows } = await store.query<{ asset: string; posted: string; pending: string }>({
    text: `select asset, sum(posted_minor) as posted, sum(pending_minor) as pending from ledger_postings
           group by asset having sum(posted_minor) <> 0 or sum(pending_minor) <> 0`,
  });
  const sums = rows.map(
    ({ asset, posted, pending }) =>
      `all postings in ${asset} add up to ${posted}, ${pending} pending, instead of 0`,
  );
  const lines = [...findings.map(({ where, problem }) => `${where}: ${problem}`), ...sums];
  if (lines.length > 0) throw new Error(`The ledger is not in order:\n${lines.join('\n')}`);
}

async function hasEntries(store: Store): Promise<boolean> {
  try {
    return (await store.query({ text: 'select 1 from ledger_entries limit 1' })).rows.length > 0;
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return false;
    throw error;
  }
}
