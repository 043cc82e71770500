import { createHmac } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import {
  type AuditHead,
  type AuditVerdict,
  chainEntries,
  checkAuditLog,
} from '../../store/audit-log.ts';
import type { Tx } from '../../store/types.ts';

/**
 * One use of what the vault keeps. Names and ids only: never a number, a name or an address of a
 * person.
 */
export interface AuditEvent {
  /** Who: `key:<id of the API key>`, `peer:worker`, `operator`, `vault`. */
  readonly actor: string;
  /** What, e.g. `payment-method.created`. */
  readonly action: string;
  readonly projectId?: string;
  /** Id of the object. */
  readonly subject?: string;
  readonly detail?: JsonObject;
}

export interface AuditLog {
  /**
   * Appends entries in the transaction in which the use happens: without its entry nothing happens.
   * Entries of all processes queue here until the commit, so this is the last statement of a
   * transaction.
   */
  append(tx: Tx, events: readonly AuditEvent[]): Promise<void>;
}

/**
 * HMAC-SHA256 over number, hash before and text: who has the database but not the key cannot make a
 * chain that fits.
 */
export function chainHash(
  key: Uint8Array,
  entry: { readonly seq: bigint; readonly before: Uint8Array; readonly text: string },
): Buffer {
  const seq = Buffer.alloc(8);
  seq.writeBigUInt64BE(entry.seq);
  return createHmac('sha256', key)
    .update('purser-audit-1')
    .update(seq)
    .update(entry.before)
    .update(entry.text)
    .digest();
}

export function createAuditLog(ctx: Pick<Ctx, 'clock'>, key: Secret<Buffer>): AuditLog {
  return {
    async append(tx, events) {
      if (events.length === 0) return;
      const head = await lockHead(tx);
      const at = ctx.clock.now().toISOString();
      const rows = chainEntries(
        head,
        events.map((event) => (seq) => JSON.stringify({ seq: seq.toString(), at, ...event })),
        (entry) => chainHash(key.reveal(), entry),
      );
      const { seq, hash } = rows.at(-1)!;
      await tx.query({
        name: 'audit-append',
        text: `with appended as (
                 insert into audit_entries (seq, entry, hash) select * from unnest($1::bigint[], $2::text[], $3::bytea[]))
               update audit_head set seq = $4, hash = $5 where id = 1`,
        values: [
          rows.map((row) => row.seq.toString()),
          rows.map((row) => row.text),
          rows.map((row) => row.hash),
          seq.toString(),
          hash,
        ],
      });
    },
  };
}

/** Walks the whole log: see {@link checkAuditLog}. */
export function checkAudit(
  ctx: Pick<Ctx, 'store'>,
  { key, anchor }: { readonly key: Secret<Buffer>; readonly anchor?: AuditHead | undefined },
): Promise<AuditVerdict> {
  return checkAuditLog(ctx.store, { hashOf: (entry) => chainHash(key.reveal(), entry), anchor });
}

async function lockHead(tx: Tx): Promise<AuditHead> {
  const { rows } = await tx.query<{ seq: string; hash: Buffer }>({
    name: 'audit-head-lock',
    text: 'select seq, hash from audit_head where id = 1 for update',
  });
  const [row] = rows;
  if (!row)
    throw new Error(
      'The row of audit_head is missing: the audit log was tampered with. See docs/guides/vault.md.',
    );
  return { seq: BigInt(row.seq), hash: row.hash };
}
