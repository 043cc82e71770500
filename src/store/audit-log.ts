import type { Db, Store } from './types.ts';

/** Where the chain of an audit log stands. */
export interface AuditHead {
  readonly seq: bigint;
  readonly hash: Buffer;
}

/** Hash of an entry: over its number, the hash of the entry before and its text. */
export type ChainHash = (entry: {
  readonly seq: bigint;
  readonly before: Uint8Array;
  readonly text: string;
}) => Buffer;

export interface AuditEntry {
  readonly seq: bigint;
  /** The exact text that the hash covers: a JSON object. */
  readonly text: string;
  readonly hash: Buffer;
}

export type AuditVerdict =
  | { readonly ok: true; readonly count: bigint; readonly head: AuditHead }
  | { readonly ok: false; readonly seq: bigint; readonly problem: string };

const pageSize = 1_000;

/** Where the chain begins. */
export const emptyHead: AuditHead = { seq: 0n, hash: Buffer.alloc(32) };

/**
 * Columns that copy a field of the entry's text, to be found by: each has to say what the text
 * says.
 */
export type AuditCopies = Readonly<Record<string, string>>;

/** Chains texts behind a head. `textOf` says each with its number. */
export function chainEntries(
  head: AuditHead,
  textsOf: readonly ((seq: bigint) => string)[],
  hashOf: ChainHash,
): AuditEntry[] {
  const entries: AuditEntry[] = [];
  let { seq, hash } = head;
  for (const textOf of textsOf) {
    seq += 1n;
    const text = textOf(seq);
    hash = hashOf({ seq, before: hash, text });
    entries.push({ seq, text, hash });
  }
  return entries;
}

/**
 * Walks the whole log and names the first entry that was altered, removed or added from outside.
 * @param input.anchor a head that was noted earlier: the chain must pass through it, which also
 * shows a cut-off end
 */
export async function checkAuditLog(
  store: Store,
  input: {
    readonly hashOf: ChainHash;
    readonly anchor?: AuditHead | undefined;
    readonly copies?: AuditCopies;
  },
): Promise<AuditVerdict> {
  const head = await readHead(store);
  if (!head) return { ok: false, seq: 0n, problem: 'The head of the log is gone.' };
  let at = emptyHead;
  for (;;) {
    const rows = await readEntries(store, { after: at.seq, copies: input.copies });
    for (const row of rows) {
      const next = checkEntry(input.hashOf, at, row);
      if ('problem' in next) return { ok: false, ...next };
      at = next;
      if (input.anchor?.seq === at.seq && !input.anchor.hash.equals(at.hash))
        return {
          ok: false,
          seq: at.seq,
          problem:
            'The entry does not have the hash that was noted for it: the log up to here was replaced.',
        };
      // Entries may be appended while we read: the head was read first, so the chain passes through
      // it.
      if (head.seq === at.seq && !head.hash.equals(at.hash))
        return {
          ok: false,
          seq: at.seq,
          problem: 'The entry is another one than the head of the log knows: the log was replaced.',
        };
    }
    if (rows.length < pageSize) break;
  }
  if (at.seq < head.seq)
    return {
      ok: false,
      seq: at.seq + 1n,
      problem: 'The entry is missing: the head of the log knows it.',
    };
  // An entry and the head that knows it are committed together: whatever was read here stands
  // behind no head that is read now.
  const now = await readHead(store);
  if (!now || at.seq > now.seq)
    return {
      ok: false,
      seq: (now?.seq ?? 0n) + 1n,
      problem: 'The entry was added from outside: the head of the log does not know it.',
    };
  if (input.anchor && input.anchor.seq > at.seq)
    return {
      ok: false,
      seq: at.seq + 1n,
      problem: `The entry is missing: the log had ${input.anchor.seq} entries when its head was noted.`,
    };
  return { ok: true, count: at.seq, head: at };
}

/**
 * Whether an entry follows the one before as it was appended.
 * @returns where the chain stands behind it, or what is wrong
 */
export function checkEntry(
  hashOf: ChainHash,
  before: AuditHead,
  row: AuditRow,
): AuditHead | { seq: bigint; problem: string } {
  const seq = BigInt(row.seq);
  const expected = before.seq + 1n;
  if (seq !== expected) return { seq: expected, problem: 'The entry is missing.' };
  const hash = hashOf({ seq, before: before.hash, text: row.entry });
  if (!hash.equals(row.hash)) return { seq, problem: 'The entry or its hash was altered.' };
  return row.copies === null || isCopied(row)
    ? { seq, hash }
    : { seq, problem: 'What the entry is found by was altered.' };
}

function isCopied({ entry, copies }: AuditRow): boolean {
  const text = JSON.parse(entry) as Record<string, unknown>;
  return Object.entries(copies!).every(([key, value]) => (text[key] ?? null) === value);
}

/** An entry as it is stored. */
export interface AuditRow {
  readonly seq: string;
  readonly entry: string;
  readonly hash: Buffer;
  /**
   * What its columns say, by the field of the text that they copy; null of a log without such
   * columns.
   */
  readonly copies: Readonly<Record<string, string | null>> | null;
}

/** Where the chain stands now; undefined when the row is gone. */
export async function readHead(db: Db): Promise<AuditHead | undefined> {
  const { rows } = await db.query<{ seq: string; hash: Buffer }>({
    text: 'select seq, hash from audit_head limit 1',
  });
  return rows[0] && { seq: BigInt(rows[0].seq), hash: rows[0].hash };
}

/** The next entries, {@link pageSize} at most. */
export async function readEntries(
  db: Db,
  { after, copies }: { readonly after: bigint; readonly copies?: AuditCopies | undefined },
): Promise<AuditRow[]> {
  const pairs = Object.entries(copies ?? {}).map(([column, key]) => `'${key}', ${column}`);
  const copied = pairs.length === 0 ? 'null' : `json_build_object(${pairs.join(', ')})`;
  const { rows } = await db.query<AuditRow>({
    text: `select seq, entry, hash, ${copied} as copies
      from audit_entries where seq > $1 order by seq limit ${pageSize}`,
    values: [after.toString()],
  });
  return rows;
}
