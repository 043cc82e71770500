import type { Db } from '../../../../store/types.ts';
import { recordSpending as record } from '../../../family/spending/budgets.ts';

/** What gas usually costs, and what it did cost. */

/** Looks that count: the last six hours in which the relay worked. */
const looksMax = 360;

/**
 * Notes what the node names as the usual tip, once a minute, and answers the middle of the looks
 * before; undefined without any.
 */
export async function noteTip(db: Db, chain: string, tipWei: bigint): Promise<bigint | undefined> {
  const { rows } = await db.query<{ usual: string | null }>({
    name: 'evm-relay-note-tip',
    text: `
      with noted as (
        insert into evm_tips (chain, minute, tip_wei) values ($1, date_trunc('minute', now()), $2) on conflict do nothing
      )
      select percentile_disc(0.5) within group (order by tip_wei) as usual
      from (select tip_wei from evm_tips where chain = $1 order by minute desc limit ${looksMax}) as looks`,
    values: [chain, tipWei.toString()],
  });
  const usual = rows[0]?.usual ?? null;
  return usual === null ? undefined : BigInt(usual);
}

/** Adds what transactions cost. */
export const recordSpending = (db: Db, chain: string, wei: bigint): Promise<void> =>
  record(db, 'gas', chain, wei);

/** Deletes tips that no rule looks at any more, so many at a time. @returns how many */
export async function deleteOldTips(
  db: Db,
  { olderThanDays, countMax }: { readonly olderThanDays: number; readonly countMax: number },
): Promise<number> {
  const { rowCount } = await db.query({
    text: `
      delete from evm_tips where (chain, minute) in (
        select chain, minute from evm_tips where minute < now() - $1 * interval '1 day' limit $2)`,
    values: [olderThanDays, countMax],
  });
  return rowCount;
}
