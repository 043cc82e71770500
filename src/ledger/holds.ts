import type { Db, Tx } from '../store/types.ts';
import { LedgerConflict, LedgerInvalid, LedgerUnknownHold } from './errors.ts';
import { entriesPerCallMax, type LedgerCtx } from './post.ts';
import type { HoldEnd } from './types.ts';

/**
 * Posts what the holds reserved. A hold ends once: a unique index decides between two that end it
 * at the same time.
 * @throws LedgerUnknownHold, LedgerConflict when it has ended already (roll the transaction back:
 * others of the call are ended in it)
 */
export function settleHolds(ctx: LedgerCtx, tx: Tx, holds: readonly HoldEnd[]): Promise<void> {
  return endHolds(ctx, tx, holds, 'settle');
}

/**
 * Drops what the holds reserved: it counts nowhere any more.
 * @throws LedgerUnknownHold, LedgerConflict, as {@link settleHolds}
 */
export function voidHolds(ctx: LedgerCtx, tx: Tx, holds: readonly HoldEnd[]): Promise<void> {
  return endHolds(ctx, tx, holds, 'void');
}

/** How a hold stands; undefined when there is none with this reference. */
export async function readHold(
  db: Db,
  { projectId, reference }: Omit<HoldEnd, 'effectiveAt'>,
): Promise<'open' | 'ended' | undefined> {
  const { rows } = await db.query<{ ended: boolean }>({
    name: 'ledger-read-hold',
    text: `select exists (select 1 from ledger_entries e where e.hold_id = h.id) as ended from ledger_entries h
           where h.project_id = $1 and h.reference = $2 and h.hold_id is null and h.phase = 'hold'`,
    values: [projectId, reference],
  });
  return rows[0] && (rows[0].ended ? 'ended' : 'open');
}

async function endHolds(
  ctx: LedgerCtx,
  tx: Tx,
  holds: readonly HoldEnd[],
  phase: 'settle' | 'void',
): Promise<void> {
  if (holds.length === 0) return;
  if (holds.length > entriesPerCallMax)
    throw new LedgerInvalid(`At most ${entriesPerCallMax} holds are ended at once.`);
  const { rows } = await tx.query<{ reference: string; known: boolean; ended: boolean }>({
    name: 'ledger-end-holds',
    text: endText,
    values: [
      holds.map(() => ctx.ids.uuid()),
      holds.map(({ projectId }) => projectId),
      holds.map(({ reference }) => reference),
      holds.map(({ effectiveAt }) => effectiveAt),
      phase,
      ctx.clock.now(),
    ],
  });
  for (const { reference, known, ended } of rows) {
    const name = reference.slice(0, 100);
    if (!known) throw new LedgerUnknownHold(`The ledger has no hold ${name}.`);
    if (!ended)
      throw new LedgerConflict(
        `The hold ${name} has ended already: it can be settled or voided once.`,
      );
  }
}

// `offset 0` keeps the plan look-ups by key, also when it was made while the tables were empty.
const endText = `
  with input as (
    select i.id, i.project_id, i.reference, i.effective_at, i.nr, h.id as hold_id, h.kind, h.order_id, h.leg_count, h.data
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) with ordinality as i(id, project_id, reference, effective_at, nr)
    left join lateral (
      select * from ledger_entries
      where project_id = i.project_id and reference = i.reference and hold_id is null and phase = 'hold' offset 0) h on true),
  fresh as (
    insert into ledger_entries (id, project_id, reference, kind, phase, hold_id, order_id, effective_at, recorded_at, leg_count, data)
    select id, project_id, reference, kind, $5, hold_id, order_id, effective_at, $6, leg_count, data
    from input where hold_id is not null order by nr
    on conflict (hold_id) where hold_id is not null do nothing
    returning id, project_id, hold_id),
  legs as (
    insert into ledger_postings (entry_id, leg, project_id, account, asset, posted_minor, pending_minor, recorded_at)
    select f.id, p.leg, p.project_id, p.account, p.asset, case when $5 = 'settle' then p.pending_minor else 0 end, -p.pending_minor, $6
    from fresh f cross join lateral (select * from ledger_postings where entry_id = f.hold_id offset 0) p),
  tail as (
    insert into ledger_tail (id, project_id, entry_ids)
    select (array_agg(id))[1], project_id, array_agg(id) from fresh group by project_id)
  select i.reference, i.hold_id is not null as known, f.id is not null as ended from input i left join fresh f on f.id = i.id order by i.nr`;
