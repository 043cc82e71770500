import type { Ctx } from '../../context.ts';
import type { Secret } from '../../lib/secret.ts';
import { type AuditHead, chainHash } from './audit.ts';

export type AuditVerdict =
  | { readonly ok: true; readonly count: bigint; readonly head: AuditHead }
  | { readonly ok: false; readonly seq: bigint; readonly problem: string };

interface Row {
  seq: string;
  entry: string;
  hash: Buffer;
}

const pageSize = 1_000;
const noHash = Buffer.alloc(32);

/**
 * Walks the whole log and names the first entry that was altered, removed or added from outside.
 * @param input.anchor a head that was noted earlier: the chain must pass through it, which also shows a cut-off end
 */
export async function checkAudit(
  ctx: Pick<Ctx, 'store'>,
  input: { readonly key: Secret<Buffer>; readonly anchor?: AuditHead },
): Promise<AuditVerdict> {
  const head = await readHead(ctx);
  if (!head) return { ok: false, seq: 0n, problem: 'The head of the log is gone.' };
  let at: AuditHead = { seq: 0n, hash: noHash };
  for (;;) {
    const rows = await readPage(ctx, at.seq);
    for (const row of rows) {
      const next = checkEntry(input.key, at, row);
      if ('problem' in next) return { ok: false, ...next };
      at = next;
      if (input.anchor?.seq === at.seq && !input.anchor.hash.equals(at.hash))
        return {
          ok: false,
          seq: at.seq,
          problem: 'The entry does not have the hash that was noted for it: the log up to here was replaced.',
        };
    }
    if (rows.length < pageSize) break;
  }
  // Entries may be appended while we read: the head was read first, so the chain reaches it or goes beyond.
  if (at.seq < head.seq) return { ok: false, seq: at.seq + 1n, problem: 'The entry is missing: the head of the log knows it.' };
  if (input.anchor && input.anchor.seq > at.seq)
    return {
      ok: false,
      seq: at.seq + 1n,
      problem: `The entry is missing: the log had ${input.anchor.seq} entries when its head was noted.`,
    };
  return { ok: true, count: at.seq, head: at };
}

function checkEntry(key: Secret<Buffer>, before: AuditHead, row: Row): AuditHead | { seq: bigint; problem: string } {
  const seq = BigInt(row.seq);
  const expected = before.seq + 1n;
  if (seq !== expected) return { seq: expected, problem: 'The entry is missing.' };
  const hash = chainHash(key.reveal(), { seq, before: before.hash, text: row.entry });
  return hash.equals(row.hash) ? { seq, hash } : { seq, problem: 'The entry or its hash was altered.' };
}

/** Where the chain stands now; undefined when the row is gone. */
export async function readHead(ctx: Pick<Ctx, 'store'>): Promise<AuditHead | undefined> {
  const { rows } = await ctx.store.query<{ seq: string; hash: Buffer }>({ text: 'select seq, hash from audit_head where id = 1' });
  return rows[0] && { seq: BigInt(rows[0].seq), hash: rows[0].hash };
}

async function readPage(ctx: Pick<Ctx, 'store'>, afterSeq: bigint): Promise<Row[]> {
  const { rows } = await ctx.store.query<Row>({
    text: `select seq, entry, hash from audit_entries where seq > $1 order by seq limit ${pageSize}`,
    values: [afterSeq.toString()],
  });
  return rows;
}
