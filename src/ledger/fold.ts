import type { Ctx } from '../context.ts';
import type { Tx } from '../store/types.ts';

const tailMinDefault = 1_000;
const writingsPerFoldMax = 5_000;
/**
 * A fold ends with the writing that reaches this many entries: a few hundred milliseconds of work.
 */
const entriesPerFoldMax = 10_000;
const foldsPerRunMax = 20;

export interface FoldOptions {
  /**
   * A tail of fewer entries stays: reading it costs less than a checkpoint row per account; default
   * 1,000.
   */
  readonly tailMin?: number;
}

/**
 * Folds what was posted since the last time into checkpoints: per account and asset one new row
 * with the sum of everything folded so far. Reading a balance is then the newest checkpoint and a
 * short tail.
 *
 * What is folded is named, not guessed by an age or a horizon. Each posting call leaves a row in
 * `ledger_tail` with the ids of its entries, in its own transaction; a fold takes the rows that it
 * sees, which are committed, adds their legs and deletes the rows, all in one transaction and one
 * after the other (the row of `ledger_folds`), as placeEvents places the outbox. A transaction that
 * commits an hour late brings its row an hour late: it was in no checkpoint and is in the tail from
 * then on. An xid horizon would need no queue, but stands still behind any long transaction of the
 * server, does not survive a dump and restore, and exists on PostgreSQL alone.
 * @returns the number of writings (calls that posted) that were folded.
 */
export async function foldLedger(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  options: FoldOptions = {},
): Promise<number> {
  const tailMin = Math.max(1, options.tailMin ?? tailMinDefault);
  let folded = 0;
  for (let run = 0; run < foldsPerRunMax; run++) {
    const tail = {
      name: 'ledger-tail',
      text: 'select 1 from ledger_tail t cross join lateral unnest(t.entry_ids) limit $1',
      values: [tailMin],
    };
    if ((await ctx.store.query(tail)).rows.length < tailMin) return folded;
    const taken = await ctx.store.transaction((tx) => foldOnce(tx, ctx.clock.now()));
    if (taken === 0) return folded;
    folded += taken;
  }
  return folded;
}

async function foldOnce(tx: Tx, now: Date): Promise<number> {
  const { rows: held } = await tx.query<{ fold: string }>({
    name: 'ledger-fold-lock',
    text: 'select fold from ledger_folds where id = 1 for update skip locked',
  });
  const row = held[0];
  // Another process is folding.
  if (row === undefined) return 0;
  const fold = (BigInt(row.fold) + 1n).toString();
  const { rows: taken } = await tx.query<{ id: string }>({
    name: 'ledger-fold-take',
    text: `select id from (
             select id, sum(cardinality(entry_ids)) over (order by id) - cardinality(entry_ids) as before
             from (select id, entry_ids from ledger_tail order by id limit $1) oldest) counted
           where before < $2`,
    values: [writingsPerFoldMax, entriesPerFoldMax],
  });
  if (taken.length === 0) return 0;
  const ids = taken.map(({ id }) => id);
  await tx.query({ name: 'ledger-fold', text: foldText, values: [ids, fold, now] });
  await tx.query({
    name: 'ledger-fold-done',
    text: 'delete from ledger_tail where id = any($1::uuid[])',
    values: [ids],
  });
  await tx.query({
    name: 'ledger-fold-count',
    text: 'update ledger_folds set fold = $1 where id = 1',
    values: [fold],
  });
  return taken.length;
}

const foldText = `
  insert into ledger_checkpoints (project_id, account, asset, fold, posted_minor, pending_minor, folded_at)
  select n.project_id, n.account, n.asset, $2::bigint, n.posted + coalesce(c.posted_minor, 0), n.pending + coalesce(c.pending_minor, 0), $3
  from (select p.project_id, p.account, p.asset, sum(p.posted_minor) as posted, sum(p.pending_minor) as pending
        from ledger_tail t cross join lateral unnest(t.entry_ids) as e(id)
        cross join lateral (select * from ledger_postings where entry_id = e.id offset 0) p
        where t.id = any($1::uuid[]) group by p.project_id, p.account, p.asset) n
  left join lateral (
    select posted_minor, pending_minor from ledger_checkpoints
    where project_id = n.project_id and account = n.account and asset = n.asset order by fold desc limit 1) c on true`;
