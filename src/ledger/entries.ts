import type { JsonObject } from '../lib/json/json.ts';
import type { Db } from '../store/types.ts';
import { LedgerInvalid } from './errors.ts';
import type { EntryPhase, EntryPosition, LedgerEntry } from './types.ts';

export interface EntriesQuery {
  readonly projectId: string;
  readonly orderId?: string;
  /** Entries with a leg on this account; not together with `orderId`. */
  readonly account?: string;
  /** `position` of the last entry of the page before. */
  readonly after?: EntryPosition;
  /** Default: oldest first, in the order of recording. */
  readonly newestFirst?: boolean;
  readonly limit: number;
}

export const entriesPerReadMax = 1_000;

interface EntryRow {
  id: string;
  projectId: string;
  reference: string;
  kind: string;
  phase: EntryPhase;
  orderId: string | null;
  effectiveAt: Date;
  recordedAt: Date;
  written: string;
  data: JsonObject;
  legs: [account: string, asset: string, postedMinor: string, pendingMinor: string][];
}

/** Entries of a project, of one of its orders or accounts, with all their legs. */
export async function readEntries(db: Db, query: EntriesQuery): Promise<LedgerEntry[]> {
  const { projectId, orderId, account, after, newestFirst = false, limit } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > entriesPerReadMax)
    throw new LedgerInvalid(`A page of entries has 1 to ${entriesPerReadMax} rows.`);
  if (orderId !== undefined && account !== undefined)
    throw new LedgerInvalid('Entries are listed by order or by account, not by both.');
  const from = account === undefined ? (orderId === undefined ? 'project' : 'order') : 'account';
  const start = newestFirst
    ? { at: 'infinity', written: '9223372036854775807' }
    : { at: '-infinity', written: '0' };
  const { rows } = await db.query<EntryRow>({
    name: `ledger-entries-${from}-${newestFirst ? 'down' : 'up'}`,
    text: entriesText(from, newestFirst),
    values: [
      projectId,
      after?.recordedAt ?? start.at,
      after?.written.toString() ?? start.written,
      limit,
      ...(account === undefined ? (orderId === undefined ? [] : [orderId]) : [account]),
    ],
  });
  return rows.map(entryOf);
}

const columns = `e.id, e.project_id as "projectId", e.reference, e.kind, e.phase, e.order_id as "orderId", e.effective_at as "effectiveAt",
  e.recorded_at as "recordedAt", e.written, e.data,
  (select json_agg(json_build_array(l.account, l.asset, l.posted_minor::text, l.pending_minor::text) order by l.leg)
   from ledger_postings l where l.entry_id = e.id) as legs`;

function entriesText(from: 'project' | 'order' | 'account', newestFirst: boolean): string {
  const [beyond, direction] = newestFirst ? ['<', 'desc'] : ['>', 'asc'];
  const order = `order by e.recorded_at ${direction}, e.written ${direction} limit $4`;
  if (from !== 'account')
    return `select ${columns} from ledger_entries e
      where e.project_id = $1 ${from === 'order' ? 'and e.order_id = $5::uuid' : ''}
        and (e.recorded_at, e.written) ${beyond} ($2::timestamptz, $3::bigint) ${order}`;
  // An entry may have several legs on the account. The first comparison is what the index can use.
  return `select ${columns} from (
      select distinct e.* from (
        select p.recorded_at, x.written, p.entry_id from ledger_postings p join ledger_entries x on x.id = p.entry_id
        where p.project_id = $1 and p.account = $5 and p.recorded_at ${beyond}= $2::timestamptz
          and (p.recorded_at, x.written) ${beyond} ($2::timestamptz, $3::bigint)) e ${order}) page
    join ledger_entries e on e.id = page.entry_id order by e.recorded_at ${direction}, e.written ${direction}`;
}

function entryOf(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    projectId: row.projectId,
    reference: row.reference,
    kind: row.kind,
    phase: row.phase,
    ...(row.orderId === null ? {} : { orderId: row.orderId }),
    effectiveAt: row.effectiveAt,
    recordedAt: row.recordedAt,
    position: { recordedAt: row.recordedAt, written: BigInt(row.written) },
    postings: row.legs.map(([account, asset, posted, pending]) => {
      const [postedMinor, pendingMinor] = [BigInt(posted), BigInt(pending)];
      return {
        account,
        asset,
        amountMinor: row.phase === 'void' ? -pendingMinor : postedMinor || pendingMinor,
        postedMinor,
        pendingMinor,
      };
    }),
    data: row.data,
  };
}
