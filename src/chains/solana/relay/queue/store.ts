import { createHash } from 'node:crypto';
import {
  isFitting,
  rowMacsOf,
  type SealedRow,
  type SealedTable,
} from '../../../../store/row-mac.ts';
import type { Db, Tx } from '../../../../store/types.ts';
import type { Charge } from '../../../family/spending/budgets.ts';
import { relayChannel } from '../nonces/store.ts';

/** SQL of `solana_operations`: what waits, what is under way, how it ended. */

export interface NewItem {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly chain: string;
  readonly wallet: string;
  readonly lease: string;
  readonly message: Uint8Array;
  /** By address, in base58. */
  readonly signatures: Readonly<Record<string, string>>;
  readonly costMax: bigint;
  readonly validUntil: Date;
  /** Whose key in custody signs it when it is sent; undefined: everybody has signed. */
  readonly walletId: string | undefined;
}

/** What is sent, for whom, and whose budget it takes. How far it is may change without a seal. */
function toSealed(item: Omit<NewItem, 'costMax'> & { readonly costMax: string }): SealedRow {
  const { operationId: id, message, ...fields } = item;
  return {
    table: 'solana_operations',
    id,
    fields: { ...fields, message: createHash('sha256').update(message).digest() },
  };
}

function sealedRowOf(row: OpenRow): SealedRow {
  const {
    operation_id: operationId,
    subject,
    project_id: projectId,
    owner,
    chain,
    wallet,
    lease,
    message,
    signatures,
  } = row;
  const { cost_max: costMax, valid_until: validUntil, wallet_id } = row;
  return toSealed({
    operationId,
    subject,
    projectId,
    owner,
    chain,
    wallet,
    lease,
    message,
    signatures,
    costMax,
    validUntil,
    walletId: wallet_id ?? undefined,
  });
}

export const sealedOperations: SealedTable = {
  table: 'solana_operations',
  idColumn: 'operation_id',
  columns:
    'operation_id, subject, project_id, owner, chain, wallet, lease, message, signatures, cost_max, valid_until, wallet_id, mac',
  toSealed: sealedRowOf,
  resume: 'run_at = now()',
};

const localWakes = new Set<() => void>();

/** Relays of this process are woken directly when an operation's transaction is committed. */
export function onLocalEnqueue(wake: () => void): () => void {
  localWakes.add(wake);
  return () => localWakes.delete(wake);
}

function wakeAfterCommit(tx: Tx): void {
  if (localWakes.size === 0) return;
  tx.afterCommit(() => {
    for (const wake of localWakes) wake();
  });
}

/**
 * Durably, in the caller's transaction and with one statement. An operation that is there already
 * stays as it is.
 */
export async function enqueue(tx: Tx, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return;
  const macs = rowMacsOf(tx);
  await tx.query({
    name: 'solana-relay-enqueue',
    text: `
      with added as (
        insert into solana_operations (operation_id, project_id, owner, chain, wallet, lease, message, signatures, cost_max, valid_until, subject, mac, wallet_id)
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::bytea[], $8::jsonb[], $9::numeric[], $10::timestamptz[], $11::text[], $12::text[], $13::uuid[])
        on conflict (operation_id) do nothing
        returning chain)
      select pg_notify('${relayChannel}', 'operation ' || chain) from (select distinct chain from added) as chains`,
    values: [
      items.map((item) => item.operationId),
      items.map((item) => item.projectId),
      items.map((item) => item.owner),
      items.map((item) => item.chain),
      items.map((item) => item.wallet),
      items.map((item) => item.lease),
      items.map((item) => Buffer.from(item.message)),
      items.map((item) => JSON.stringify(item.signatures)),
      items.map((item) => item.costMax.toString()),
      items.map((item) => item.validUntil),
      items.map((item) => item.subject),
      items.map((item) => macs.seal(toSealed({ ...item, costMax: item.costMax.toString() }))),
      items.map((item) => item.walletId ?? null),
    ],
  });
  wakeAfterCommit(tx);
}

export interface OpenOperation {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly wallet: string;
  readonly lease: string;
  readonly message: Uint8Array;
  readonly signatures: Readonly<Record<string, string>>;
  readonly costMax: bigint;
  readonly validUntil: Date;
  readonly walletId: string | undefined;
  readonly status: 'queued' | 'sent';
  readonly withheld: boolean;
  readonly refusals: number;
  readonly signature: string | null;
  readonly raw: Uint8Array | null;
  /** Tries in a row that nobody answered; once sent, looks at which nobody knew it. */
  readonly misses: number;
  /** Since the bytes were sent last; 0 before. */
  readonly sentAgoMs: number;
}

interface OpenRow {
  operation_id: string;
  subject: string;
  project_id: string;
  owner: string;
  chain: string;
  wallet: string;
  lease: string;
  message: Buffer;
  signatures: Record<string, string>;
  cost_max: string;
  valid_until: Date;
  wallet_id: string | null;
  mac: string | null;
  status: 'queued' | 'sent';
  withheld: boolean;
  refusals: number;
  signature: string | null;
  raw: Buffer | null;
  misses: number;
  sent_ago_ms: string | null;
}

/**
 * Takes what is due; who dies loses it when its time is over. One that somebody changed raises an
 * alarm and waits for the operator. A withheld operation that was never sent waits for its release.
 */
export async function claim(
  db: Db,
  input: {
    readonly chain: string;
    readonly token: string;
    readonly forMs: number;
    readonly limit: number;
  },
): Promise<OpenOperation[]> {
  const { rows } = await db.query<OpenRow>({
    name: 'solana-relay-claim',
    text: `
      update solana_operations o set claim_token = $2, claim_until = now() + $3 * interval '1 millisecond'
      from (select operation_id from solana_operations
        where chain = $1 and status <> 'settled' and run_at <= now() and claim_until < now() and not (withheld and status = 'queued')
        order by run_at limit $4 for update skip locked) as due
      where o.operation_id = due.operation_id
      returning o.operation_id, subject, project_id, owner, chain, wallet, lease, mac, message, signatures, cost_max, valid_until, wallet_id, status, withheld, refusals,
        signature, raw, misses, extract(epoch from now() - sent_at) * 1000 as sent_ago_ms`,
    values: [input.chain, input.token, input.forMs, input.limit],
  });
  const macs = rowMacsOf(db);
  const changed = rows
    .filter((row) => !isFitting(macs, sealedRowOf(row), row.mac))
    .map((row) => row.operation_id);
  await setAside(db, input.token, changed);
  const fitting = rows.filter((row) => !changed.includes(row.operation_id));
  return fitting.map((row) => ({
    operationId: row.operation_id,
    subject: row.subject,
    projectId: row.project_id,
    owner: row.owner,
    wallet: row.wallet,
    lease: row.lease,
    message: new Uint8Array(row.message),
    signatures: row.signatures,
    costMax: BigInt(row.cost_max),
    validUntil: row.valid_until,
    walletId: row.wallet_id ?? undefined,
    status: row.status,
    withheld: row.withheld,
    refusals: row.refusals,
    signature: row.signature,
    raw: row.raw && new Uint8Array(row.raw),
    misses: row.misses,
    sentAgoMs: Number(row.sent_ago_ms ?? 0),
  }));
}

/** Rows that do not fit are due no more, until an operator accepts them: the alarm comes once. */
async function setAside(db: Db, token: string, operationIds: readonly string[]): Promise<void> {
  if (operationIds.length === 0) return;
  await db.query({
    name: 'solana-relay-set-aside',
    text: `update solana_operations set claim_token = null, claim_until = '1970-01-01Z', run_at = 'infinity'
      where operation_id = any($2::uuid[]) and claim_token = $1`,
    values: [token, operationIds],
  });
}

/**
 * Stores what the fee payer has signed, before anybody else sees it. False: the claim was lost, or
 * the operation is withheld.
 */
export async function storeSigned(
  db: Db,
  input: {
    readonly token: string;
    readonly operationId: string;
    readonly signature: string;
    readonly raw: Uint8Array;
    readonly lookAfterMs: number;
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'solana-relay-store-signed',
    text: `
      update solana_operations set status = 'sent', misses = 0, signature = $3, raw = $4, sent_at = now(), run_at = now() + $5 * interval '1 millisecond'
      where operation_id = $1 and claim_token = $2 and status = 'queued' and not withheld`,
    values: [
      input.operationId,
      input.token,
      input.signature,
      Buffer.from(input.raw),
      input.lookAfterMs,
    ],
  });
  return rowCount > 0;
}

/**
 * What is under way for these projects, with the most that it may cost; with it what other workers
 * have claimed and may be about to send. Of two that claim at once at least one sees the other's.
 */
export async function selectOpenCosts(
  db: Db,
  {
    chain,
    token,
    projectIds,
  }: { readonly chain: string; readonly token: string; readonly projectIds: readonly string[] },
): Promise<Charge[]> {
  const { rows } = await db.query<{ project_id: string; owner: string; minor: string }>({
    name: 'solana-relay-open-costs',
    text: `
      select project_id, owner, sum(cost_max) as minor from solana_operations
      where chain = $1 and project_id = any($2::uuid[])
        and (status = 'sent' or (status = 'queued' and claim_until > now() and claim_token is distinct from $3))
      group by project_id, owner`,
    values: [chain, projectIds, token],
  });
  return rows.map(({ project_id: projectId, owner, minor }) => ({
    projectId,
    owner,
    minor: BigInt(minor),
  }));
}

export interface Postponed {
  readonly operationId: string;
  readonly pauseMs: number;
  readonly refusals?: number;
  readonly misses?: number;
  /** Its bytes were sent again just now. */
  readonly resent?: boolean;
}

/** Gives operations back, for another look after a pause. */
export async function postpone(
  db: Db,
  token: string,
  operations: readonly Postponed[],
): Promise<void> {
  if (operations.length === 0) return;
  await db.query({
    name: 'solana-relay-postpone',
    text: `
      update solana_operations o set claim_token = null, claim_until = '1970-01-01Z', run_at = now() + p.pause_ms * interval '1 millisecond',
        refusals = coalesce(p.refusals, o.refusals), misses = coalesce(p.misses, o.misses),
        sent_at = case when p.resent then now() else o.sent_at end
      from unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::boolean[]) as p (operation_id, pause_ms, refusals, misses, resent)
      where o.operation_id = p.operation_id and o.claim_token = $1`,
    values: [
      token,
      operations.map(({ operationId }) => operationId),
      operations.map(({ pauseMs }) => pauseMs),
      operations.map(({ refusals }) => refusals ?? null),
      operations.map(({ misses }) => misses ?? null),
      operations.map(({ resent }) => resent ?? false),
    ],
  });
}

/** Ends operations of a claim. Answers those that this call ended. */
export async function settle(
  tx: Tx,
  token: string,
  ended: readonly { readonly operationId: string; readonly status: 'success' | 'failed' }[],
): Promise<Set<string>> {
  const { rows } = await tx.query<{ operation_id: string }>({
    name: 'solana-relay-settle',
    text: `
      update solana_operations o set status = 'settled', told_status = e.status, settled_at = now(), claim_token = null
      from unnest($2::uuid[], $3::text[]) as e (operation_id, status)
      where o.operation_id = e.operation_id and o.claim_token = $1 and o.status <> 'settled'
      returning o.operation_id`,
    values: [token, ended.map(({ operationId }) => operationId), ended.map(({ status }) => status)],
  });
  return new Set(rows.map((row) => row.operation_id));
}

/**
 * Keeps operations from being sent (again), in the caller's transaction; whoever has claimed one
 * finds that out before it signs.
 */
export async function withholdOperations(tx: Tx, operationIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'solana-relay-withhold',
    text: `update solana_operations set withheld = true where operation_id = any($1::uuid[]) and status <> 'settled'`,
    values: [operationIds],
  });
}

/** Lets withheld operations go on: the same bytes, so that nothing they move can move twice. */
export async function releaseWithheld(tx: Tx, operationIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'solana-relay-release-withheld',
    text: `
      with released as (
        update solana_operations set withheld = false, run_at = now() where operation_id = any($1::uuid[]) and withheld returning chain)
      select pg_notify('${relayChannel}', 'operation ' || chain) from (select distinct chain from released) as chains`,
    values: [operationIds],
  });
  wakeAfterCommit(tx);
}

/** Withheld operations whose validity is over: they end like any other. */
export async function reviveExpired(db: Db, chain: string, now: Date): Promise<void> {
  await db.query({
    name: 'solana-relay-revive-expired',
    text: `update solana_operations set withheld = false, run_at = now() where chain = $1 and withheld and status = 'queued' and valid_until < $2`,
    values: [chain, now],
  });
}

export async function deleteClosed(
  db: Db,
  input: { readonly olderThanDays: number; readonly countMax: number },
): Promise<void> {
  await db.query({
    text: `
      delete from solana_operations where operation_id in (
        select operation_id from solana_operations where status = 'settled' and settled_at < now() - $1 * interval '1 day' limit $2)`,
    values: [input.olderThanDays, input.countMax],
  });
}
