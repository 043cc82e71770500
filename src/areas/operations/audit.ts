import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import {
  type AuditCopies,
  type AuditHead,
  type AuditVerdict,
  type ChainHash,
  chainEntries,
  checkAuditLog,
} from '../../store/audit-log.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import type { Db, Tx } from '../../store/types.ts';

/** Who did something: an operator who signed it with a passkey, or whoever typed a command. */
export type Actor =
  | { readonly kind: 'operator'; readonly id: string; readonly name: string; readonly role: string }
  | { readonly kind: 'command-line'; readonly osUser: string; readonly host: string };

/** What an operator did. Ids, amounts and reasons; no names or addresses of persons. */
export interface AuditEvent {
  readonly actor: Actor;
  /** Name of the rule, e.g. `orders.hold.release`. */
  readonly action: string;
  /** `proposed`: it waits for a second person. */
  readonly outcome: 'done' | 'refused' | 'proposed';
  /** Absent: of the instance as a whole. */
  readonly projectId?: string | undefined;
  /** What it was done to, e.g. `order:<id>`. */
  readonly subject?: string | undefined;
  readonly reason: string;
  /** What it changed, or why it was refused. */
  readonly changed: JsonObject;
  /** What it moved, where one person alone has decided it and a limit holds. */
  readonly decidedAlone?:
    | { readonly currency: string; readonly decimals: number; readonly amountMinor: string }
    | undefined;
  /** Of what was signed. */
  readonly actionId?: string | undefined;
}

/**
 * One person, whatever is done by him. A command line proves nobody: each container has a host name
 * of its own, so all of them are one.
 */
export const actorKeyOf = (actor: Actor): string =>
  actor.kind === 'operator' ? `operator:${actor.id}` : commandLineKey;
export const commandLineKey = 'command-line';

const headId = '00000000-0000-4000-8000-000000000001';

/**
 * A plain hash: the chain can be walked by whoever has a copy of it. That its end is the end is
 * what the seal of the head says.
 */
export const auditHashOf: ChainHash = ({ seq, before, text }) => {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(seq);
  return createHash('sha256')
    .update('purser-operators-1')
    .update(number)
    .update(before)
    .update(text)
    .digest();
};

interface HeadRow {
  readonly id: string;
  readonly seq: string;
  readonly hash: Buffer;
  readonly mac: string | null;
}

const sealedHead = ({ id, seq, hash }: Omit<HeadRow, 'mac'>): SealedRow => ({
  table: 'audit_head',
  id,
  fields: { seq, hash },
});

export const sealedAuditHead: SealedTable = {
  table: 'audit_head',
  columns: 'id, seq, hash, mac',
  where: 'seq > 0',
  toSealed: sealedHead,
};

/**
 * Appends an entry in the transaction of the change: without its entry nothing is changed. Whoever
 * appends waits for those before until they commit, so this is the last statement of a transaction.
 * @throws internal-error when the log was tampered with
 */
export async function appendAudit(
  ctx: Pick<Ctx, 'clock'> & Partial<Pick<Ctx, 'log'>>,
  tx: Tx,
  event: AuditEvent,
): Promise<void> {
  const row = await selectHead(tx, 'for update');
  const macs = rowMacsOf(tx);
  if (!row) throw macs.refuse({ table: 'audit_head', id: headId }, 'it is gone');
  if (row.seq !== '0') macs.check(sealedHead(row), row.mac);
  const textOf = (seq: bigint) =>
    JSON.stringify({ seq: seq.toString(), at: ctx.clock.now().toISOString(), ...event });
  const [entry] = chainEntries({ seq: BigInt(row.seq), hash: row.hash }, [textOf], auditHashOf);
  const { seq, text, hash } = entry!;
  const next = { id: headId, seq: seq.toString(), hash };
  await tx.query({
    text: 'insert into audit_entries (seq, entry, hash, action_id, project_id) values ($1, $2, $3, $4, $5)',
    values: [next.seq, text, hash, event.actionId ?? null, event.projectId ?? null],
  });
  await tx.query({
    text: 'update audit_head set seq = $2, hash = $3, mac = $4 where id = $1',
    values: [headId, next.seq, hash, macs.seal(sealedHead(next))],
  });
  // Logs are kept elsewhere: the last such line is what `purser audit check --anchor` takes.
  tx.afterCommit(() =>
    ctx.log?.info(
      { auditHead: `${next.seq}:${hash.toString('hex')}` },
      'an entry was added to the audit log',
    ),
  );
}

/** Columns that entries are found by. Their text says the same, and the hash is over the text. */
export const auditCopies: AuditCopies = { project_id: 'projectId', action_id: 'actionId' };

/**
 * The head of the log as it was sealed.
 * @throws internal-error when it is gone, or is not as it was sealed
 */
export async function readSealedHead(db: Db): Promise<AuditHead> {
  const row = await selectHead(db);
  const macs = rowMacsOf(db);
  if (!row) throw macs.refuse({ table: 'audit_head', id: headId }, 'it is gone');
  if (row.seq !== '0') macs.check(sealedHead(row), row.mac);
  return { seq: BigInt(row.seq), hash: row.hash };
}

/**
 * Whoever appends comes after this transaction, so that what it reads of the log stays the whole of
 * it.
 */
export async function lockAudit(tx: Tx): Promise<void> {
  await selectHead(tx, 'for update');
}

async function selectHead(db: Db, lock: '' | 'for update' = ''): Promise<HeadRow | undefined> {
  const { rows } = await db.query<HeadRow>({
    text: `select id, seq, hash, mac from audit_head where id = $1 ${lock}`,
    values: [headId],
  });
  return rows[0];
}

/**
 * Walks the whole log, and looks at the seal of its head.
 * @param input.hadEntries whether something else of the database says that there were entries: then
 * an empty log was emptied
 */
export async function checkAudit(
  ctx: Pick<Ctx, 'store'>,
  { anchor, hadEntries }: { readonly anchor?: AuditHead | undefined; readonly hadEntries: boolean },
): Promise<AuditVerdict> {
  const head = await selectHead(ctx.store);
  const verdict = await checkAuditLog(ctx.store, {
    hashOf: auditHashOf,
    anchor,
    copies: auditCopies,
  });
  if (!verdict.ok || !head) return verdict;
  if (head.seq === '0' && verdict.count === 0n && hadEntries)
    return {
      ok: false,
      seq: 1n,
      problem:
        'The log is empty although there are operators, each of whom has an entry: it was emptied.',
    };
  if (head.seq === '0' || rowMacsOf(ctx.store).fits(sealedHead(head), head.mac)) return verdict;
  return {
    ok: false,
    seq: BigInt(head.seq),
    problem: 'The head of the log is not as it was sealed: the log was made anew.',
  };
}

/** An entry as it is shown. */
export interface AuditLine extends AuditEvent {
  readonly seq: string;
  readonly at: string;
}

/** The newest first. `projectIds` absent: of all projects, and of none. */
export async function selectAudit(
  db: Db,
  input: {
    readonly projectIds?: readonly string[] | undefined;
    readonly beforeSeq?: string | undefined;
    readonly limit: number;
  },
): Promise<AuditLine[]> {
  const { rows } = await db.query<{ entry: string }>({
    text: `select entry from audit_entries where ($1::uuid[] is null or project_id = any($1)) and ($2::bigint is null or seq < $2)
      order by seq desc limit $3`,
    values: [input.projectIds ?? null, input.beforeSeq ?? null, input.limit],
  });
  return rows.map(({ entry }) => JSON.parse(entry) as AuditLine);
}
