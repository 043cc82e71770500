import type { Ctx } from '../context.ts';
import { isCheckViolation, sqlStateOf } from '../store/pg-errors.ts';
import type { Tx } from '../store/types.ts';
import { checkEntry, hashContent } from './content.ts';
import { LedgerConflict, LedgerInvalid, LedgerOverdrawn } from './errors.ts';
import type { NewEntry } from './types.ts';

export type LedgerCtx = Pick<Ctx, 'clock' | 'ids'>;

/**
 * The statement compares each leg with each entry of its call: ten times as many cost a hundred
 * times as much.
 */
export const entriesPerCallMax = 1_000;

/**
 * Posts entries, all of them in one statement of the caller's transaction. A reference that is
 * there already with the same content is passed over, so a repetition is nothing.
 * @returns how many were new.
 * @throws LedgerInvalid, LedgerOverdrawn, LedgerConflict (roll the transaction back: other entries
 * of the call may be written in it)
 */
export function postEntries(
  ctx: LedgerCtx,
  tx: Tx,
  entries: readonly NewEntry[],
): Promise<{ posted: number }> {
  return writeEntries(ctx, tx, entries, 'post');
}

/**
 * As {@link postEntries}, but the entries count as pending until {@link settleHolds} posts or
 * {@link voidHolds} drops them.
 * @throws LedgerInvalid, LedgerOverdrawn, LedgerConflict
 */
export function holdEntries(
  ctx: LedgerCtx,
  tx: Tx,
  entries: readonly NewEntry[],
): Promise<{ posted: number }> {
  return writeEntries(ctx, tx, entries, 'hold');
}

interface Prepared {
  readonly id: string;
  readonly entry: NewEntry;
  readonly contentHash: Buffer;
}

async function writeEntries(
  ctx: LedgerCtx,
  tx: Tx,
  entries: readonly NewEntry[],
  phase: 'post' | 'hold',
): Promise<{ posted: number }> {
  if (entries.length === 0) return { posted: 0 };
  if (entries.length > entriesPerCallMax)
    throw new LedgerInvalid(`At most ${entriesPerCallMax} entries are posted at once.`);
  for (const entry of entries) checkEntry(entry);
  const prepared = dropRepetitions(
    entries.map((entry) => ({ id: ctx.ids.uuid(), entry, contentHash: hashContent(entry, phase) })),
  );
  const written = await insertEntries(tx, { prepared, phase, recordedAt: ctx.clock.now() });
  const passedOver = prepared.filter(({ id }) => !written.has(id));
  if (passedOver.length > 0) await checkSameContent(tx, passedOver);
  return { posted: written.size };
}

/** @throws LedgerConflict when one call says two things under one reference */
function dropRepetitions(all: readonly Prepared[]): Prepared[] {
  const byReference = new Map<string, Prepared>();
  for (const one of all) {
    const key = `${one.entry.projectId} ${one.entry.reference}`;
    const first = byReference.get(key);
    if (first === undefined) byReference.set(key, one);
    else if (!first.contentHash.equals(one.contentHash)) throw conflictOf(one.entry.reference);
  }
  return [...byReference.values()];
}

interface Batch {
  readonly prepared: readonly Prepared[];
  readonly phase: 'post' | 'hold';
  readonly recordedAt: Date;
}

/** @returns the ids of the entries that are new */
async function insertEntries(
  tx: Tx,
  { prepared, phase, recordedAt }: Batch,
): Promise<ReadonlySet<string>> {
  const legs = prepared.flatMap(({ id, entry }) =>
    entry.postings.map((posting, index) => ({ id, leg: index + 1, ...posting })),
  );
  const amounts = legs.map(({ amountMinor }) => amountMinor.toString());
  const none = legs.map(() => '0');
  const statement = {
    name: 'ledger-post',
    text: insertText,
    values: [
      prepared.map(({ id }) => id),
      prepared.map(({ entry }) => entry.projectId),
      prepared.map(({ entry }) => entry.reference),
      prepared.map(({ entry }) => entry.kind),
      prepared.map(({ entry }) => entry.orderId ?? null),
      prepared.map(({ entry }) => entry.effectiveAt),
      prepared.map(({ entry }) => entry.postings.length),
      prepared.map(({ entry }) => JSON.stringify(entry.data ?? {})),
      prepared.map(({ contentHash }) => contentHash),
      phase,
      recordedAt,
      legs.map(({ id }) => id),
      legs.map(({ leg }) => leg),
      legs.map(({ account }) => account),
      legs.map(({ asset }) => asset),
      phase === 'post' ? amounts : none,
      phase === 'hold' ? amounts : none,
    ],
  };
  try {
    const { rows } = await tx.query<{ id: string }>(statement);
    return new Set(rows.map(({ id }) => id));
  } catch (error) {
    if (isCheckViolation(error, 'ledger_order_covered'))
      throw new LedgerOverdrawn((error as Error).message);
    throw isUnknownAsset(error)
      ? new LedgerInvalid(`${(error as Error).message} Register it first: registerAsset.`)
      : error;
  }
}

const insertText = `
  with fresh as (
    insert into ledger_entries
      (id, project_id, reference, kind, phase, order_id, effective_at, recorded_at, leg_count, data, content_hash)
    select i.id, i.project_id, i.reference, i.kind, $10, i.order_id, i.effective_at, $11, i.leg_count, i.data, i.content_hash
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[], $7::smallint[], $8::jsonb[], $9::bytea[])
      with ordinality as i(id, project_id, reference, kind, order_id, effective_at, leg_count, data, content_hash, nr)
    order by i.nr
    on conflict (project_id, reference) where hold_id is null do nothing
    returning id, project_id),
  legs as (
    insert into ledger_postings (entry_id, leg, project_id, account, asset, posted_minor, pending_minor, recorded_at)
    select l.entry_id, l.leg, w.project_id, l.account, l.asset, l.posted, l.pending, $11
    from unnest($12::uuid[], $13::smallint[], $14::text[], $15::text[], $16::numeric[], $17::numeric[])
      as l(entry_id, leg, account, asset, posted, pending)
    join fresh w on w.id = l.entry_id),
  tail as (
    insert into ledger_tail (id, project_id, entry_ids)
    select (array_agg(id))[1], project_id, array_agg(id) from fresh group by project_id)
  select id from fresh`;

/**
 * The statement's trigger refuses it: assets are asked for there, and not by a foreign key, which
 * would lock the row of a hot asset.
 */
function isUnknownAsset(error: unknown): boolean {
  return sqlStateOf(error) === '23503';
}

/**
 * An entry that was passed over is there already: committed by somebody else, or written earlier in
 * this transaction.
 */
async function checkSameContent(tx: Tx, passedOver: readonly Prepared[]): Promise<void> {
  const { rows } = await tx.query<{ projectId: string; reference: string; contentHash: Buffer }>({
    name: 'ledger-content',
    text: `select e.project_id as "projectId", e.reference, e.content_hash as "contentHash"
           from unnest($1::uuid[], $2::text[]) as i(project_id, reference)
           cross join lateral (
             select * from ledger_entries
             where project_id = i.project_id and reference = i.reference and hold_id is null offset 0) e`,
    values: [
      passedOver.map(({ entry }) => entry.projectId),
      passedOver.map(({ entry }) => entry.reference),
    ],
  });
  const kept = new Map(rows.map((row) => [`${row.projectId} ${row.reference}`, row.contentHash]));
  for (const { entry, contentHash } of passedOver)
    if (!kept.get(`${entry.projectId} ${entry.reference}`)?.equals(contentHash))
      throw conflictOf(entry.reference);
}

function conflictOf(reference: string): LedgerConflict {
  return new LedgerConflict(
    `The ledger has an entry ${reference.slice(0, 100)} with other content.`,
  );
}
