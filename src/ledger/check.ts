import type { JsonObject } from '../lib/json/json.ts';
import type { Store, Tx } from '../store/types.ts';
import { balancesPerReadMax, readBalances } from './balances.ts';
import { hashContent, sumByAsset } from './content.ts';
import type { AccountBalance, EntryPhase } from './types.ts';

export interface LedgerFinding {
  /** The entry, or the project, account and asset. */
  readonly where: string;
  readonly problem: string;
}

export interface LedgerCheck {
  readonly entries: number;
  readonly postings: number;
  /** Pairs of account and asset. */
  readonly balances: number;
  /** Empty when the books are in order; at most {@link findingsMax}. */
  readonly findings: readonly LedgerFinding[];
}

export const findingsMax = 100;
const entriesPerPage = 1_000;

interface CheckedRow {
  id: string;
  projectId: string;
  reference: string;
  kind: string;
  phase: EntryPhase;
  orderId: string | null;
  effectiveAt: Date;
  legCount: number;
  data: JsonObject;
  contentHash: Buffer | null;
  holdPhase: EntryPhase | null;
  legs: Leg[] | null;
  holdLegs: Leg[] | null;
}

type Leg = [
  leg: number,
  account: string,
  asset: string,
  postedMinor: string,
  pendingMinor: string,
  isOfEntry: boolean,
];

interface Books {
  readonly sums: Map<string, { postedMinor: bigint; pendingMinor: bigint }>;
  readonly projects: Set<string>;
  readonly findings: LedgerFinding[];
  entries: number;
  postings: number;
}

/**
 * Walks all of the books as they are at one moment: each entry is balanced and says what its
 * content hash says, each hold's end mirrors the hold, no leg is without its entry, and every
 * balance that is read is the plain sum of its legs. What the database refuses to write is looked
 * for again here, since whoever owns the database can switch its triggers off.
 */
export function checkLedger(store: Store): Promise<LedgerCheck> {
  return store.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' });
    const books: Books = {
      sums: new Map(),
      projects: new Set(),
      findings: [],
      entries: 0,
      postings: 0,
    };
    await walkEntries(tx, books);
    await findStrayLegs(tx, books);
    await compareBalances(tx, books);
    return {
      entries: books.entries,
      postings: books.postings,
      balances: books.sums.size,
      findings: books.findings.slice(0, findingsMax),
    };
  });
}

async function walkEntries(tx: Tx, books: Books): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await tx.query<CheckedRow>({
      name: 'ledger-check',
      text: checkText,
      values: [after, entriesPerPage],
    });
    for (const row of rows) {
      const problem = problemOf(row);
      if (problem !== undefined && books.findings.length < findingsMax)
        books.findings.push({
          where: `entry ${row.id} (${row.phase} of ${row.reference}, project ${row.projectId})`,
          problem,
        });
      addUp(books, row);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < entriesPerPage) return;
    after = last.id;
  }
}

const legsOf = (entry: string) =>
  `(select json_agg(json_build_array(l.leg, l.account, l.asset, l.posted_minor::text, l.pending_minor::text,
      l.project_id = e.project_id and l.recorded_at = e.recorded_at) order by l.leg) from ledger_postings l where l.entry_id = ${entry})`;
const checkText = `
  select e.id, e.project_id as "projectId", e.reference, e.kind, e.phase, e.order_id as "orderId", e.effective_at as "effectiveAt",
    e.leg_count as "legCount", e.data, e.content_hash as "contentHash", h.phase as "holdPhase", ${legsOf('e.id')} as legs,
    case when e.hold_id is null then null else ${legsOf('e.hold_id')} end as "holdLegs"
  from ledger_entries e left join ledger_entries h on h.id = e.hold_id and h.project_id = e.project_id
  where e.id > $1 order by e.id limit $2`;

function problemOf(row: CheckedRow): string | undefined {
  const legs = row.legs ?? [];
  if (legs.length !== row.legCount || legs.some(([leg], index) => leg !== index + 1))
    return `it has ${legs.length} legs and counts ${row.legCount}`;
  if (legs.some((leg) => !leg[5])) return 'a leg is of another project or time';
  for (const [name, column] of [
    ['posted', 3],
    ['pending', 4],
  ] as const)
    for (const [asset, sum] of sumByAsset(
      legs.map((leg) => ({ account: leg[1], asset: leg[2], amountMinor: BigInt(leg[column]) })),
    ))
      if (sum !== 0n) return `its ${name} legs in ${asset} add up to ${sum} instead of 0`;
  return row.contentHash === null
    ? problemOfEnd(row, legs)
    : problemOfContent(row, legs, row.contentHash);
}

function problemOfEnd(row: CheckedRow, legs: readonly Leg[]): string | undefined {
  const held = row.holdLegs ?? [];
  if (row.holdPhase !== 'hold') return 'it ends a hold that does not exist';
  const mirrors = legs.every(([, account, asset, posted, pending], index) => {
    const hold = held[index];
    return (
      hold !== undefined &&
      account === hold[1] &&
      asset === hold[2] &&
      BigInt(pending) === -BigInt(hold[4]) &&
      BigInt(posted) === (row.phase === 'settle' ? BigInt(hold[4]) : 0n)
    );
  });
  return mirrors && legs.length === held.length
    ? undefined
    : 'its legs do not mirror the hold that it ends';
}

function problemOfContent(
  row: CheckedRow,
  legs: readonly Leg[],
  contentHash: Buffer,
): string | undefined {
  const [counted, other] = row.phase === 'hold' ? ([4, 3] as const) : ([3, 4] as const);
  if (legs.some((leg) => BigInt(leg[other]) !== 0n)) return 'its legs do not fit its phase';
  const postings = legs.map((leg) => ({
    account: leg[1],
    asset: leg[2],
    amountMinor: BigInt(leg[counted]),
  }));
  const content = {
    kind: row.kind,
    effectiveAt: row.effectiveAt,
    postings,
    data: row.data,
    ...(row.orderId && { orderId: row.orderId }),
  };
  return hashContent(content, row.phase).equals(contentHash)
    ? undefined
    : 'its content is not what was written: the hash differs';
}

const keyOf = (projectId: string, { account, asset }: Pick<AccountBalance, 'account' | 'asset'>) =>
  `${projectId} ${account} ${asset}`;

function addUp(books: Books, row: CheckedRow): void {
  books.entries += 1;
  books.projects.add(row.projectId);
  for (const [, account, asset, posted, pending] of row.legs ?? []) {
    books.postings += 1;
    const key = keyOf(row.projectId, { account, asset });
    const sum = books.sums.get(key) ?? { postedMinor: 0n, pendingMinor: 0n };
    books.sums.set(key, {
      postedMinor: sum.postedMinor + BigInt(posted),
      pendingMinor: sum.pendingMinor + BigInt(pending),
    });
  }
}

async function findStrayLegs(tx: Tx, books: Books): Promise<void> {
  const { rows } = await tx.query<{ id: string }>({
    text: `select distinct p.entry_id as id from ledger_postings p where not exists (select from ledger_entries e where e.id = p.entry_id) limit $1`,
    values: [findingsMax],
  });
  for (const { id } of rows)
    books.findings.push({ where: `entry ${id}`, problem: 'it does not exist and has legs' });
}

/**
 * Reads the balances as everybody does, checkpoint and tail, and compares them with the sums of the
 * walk.
 */
async function compareBalances(tx: Tx, books: Books): Promise<void> {
  const { rows } = await tx.query<{ projectId: string }>({
    text: 'select distinct project_id as "projectId" from ledger_checkpoints union select project_id from ledger_tail',
  });
  const unseen = new Set(books.sums.keys());
  for (const projectId of new Set([...books.projects, ...rows.map((row) => row.projectId)])) {
    for (let after: AccountBalance | undefined; ; ) {
      const page = await readBalances(tx, {
        projectId,
        limit: balancesPerReadMax,
        ...(after && { after }),
      });
      for (const balance of page) {
        unseen.delete(keyOf(projectId, balance));
        compareOne(books, projectId, balance);
      }
      after = page.at(-1);
      if (page.length < balancesPerReadMax) break;
    }
  }
  for (const key of unseen)
    books.findings.push({
      where: `project, account and asset ${key}`,
      problem: 'its postings are in no checkpoint and not in the tail',
    });
}

function compareOne(books: Books, projectId: string, read: AccountBalance): void {
  const key = keyOf(projectId, read);
  const sum = books.sums.get(key) ?? { postedMinor: 0n, pendingMinor: 0n };
  for (const [name, expected, found] of [
    ['posted', sum.postedMinor, read.postedMinor],
    ['pending', sum.pendingMinor, read.pendingMinor],
  ] as const)
    if (expected !== found)
      books.findings.push({
        where: `project, account and asset ${key}`,
        problem: `checkpoint and tail say ${found} ${name}, its postings add up to ${expected}`,
      });
}
