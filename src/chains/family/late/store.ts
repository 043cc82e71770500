import type { JsonObject } from '../../../lib/json/json.ts';
import { isFitting, rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { Charge } from '../spending/budgets.ts';
import type { QueueStatus } from '../spending/relay-status.ts';

/** SQL of `operation_intents`: what waits, what is under way, how it ended. */

export interface NewIntent {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly chain: string;
  readonly walletId: string;
  readonly operation: JsonObject;
  /** In the smallest unit of the native token. */
  readonly costMax: bigint;
  readonly validUntil: Date;
}

export interface Intent extends NewIntent {
  readonly status: 'queued' | 'sent';
  readonly withheld: boolean;
  /** Answers in a row that it cannot be built, or is gone. */
  readonly refusals: number;
  /** Tries in a row that had no answer. */
  readonly misses: number;
  readonly txId: string | null;
  readonly raw: Uint8Array | null;
  /** Since the bytes were sent last; 0 before. */
  readonly sentAgoMs: number;
}

interface SealedIntentRow {
  operation_id: string;
  subject: string;
  project_id: string;
  owner: string;
  chain: string;
  wallet_id: string;
  operation: JsonObject;
  cost_max: string;
  valid_until: Date;
  mac: string | null;
}

interface IntentRow extends SealedIntentRow {
  status: 'queued' | 'sent';
  withheld: boolean;
  refusals: number;
  misses: number;
  tx_id: string | null;
  raw: Buffer | null;
  sent_ago_ms: string | null;
}

export const intentChannel = 'operation_intents';

/** What is signed, for whom, and whose budget it takes. How far it is may change without a seal. */
function toSealed({ operationId: id, costMax, ...fields }: NewIntent): SealedRow {
  return { table: 'operation_intents', id, fields: { ...fields, costMax: costMax.toString() } };
}

function intentOf(row: SealedIntentRow): NewIntent {
  return {
    operationId: row.operation_id,
    subject: row.subject,
    projectId: row.project_id,
    owner: row.owner,
    chain: row.chain,
    walletId: row.wallet_id,
    operation: row.operation,
    costMax: BigInt(row.cost_max),
    validUntil: row.valid_until,
  };
}

export const sealedIntents: SealedTable = {
  table: 'operation_intents',
  idColumn: 'operation_id',
  columns:
    'operation_id, subject, project_id, owner, chain, wallet_id, operation, cost_max, valid_until, mac',
  toSealed: (row: SealedIntentRow) => toSealed(intentOf(row)),
  resume: 'run_at = now()',
};

const localWakes = new Set<() => void>();

/** Relays of this process are woken directly when an intent's transaction is committed. */
export function onLocalIntent(wake: () => void): () => void {
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
 * Durably, in the caller's transaction and with one statement. An intent that is there already
 * stays as it is.
 */
export async function addIntents(tx: Tx, intents: readonly NewIntent[]): Promise<void> {
  if (intents.length === 0) return;
  const macs = rowMacsOf(tx);
  await tx.query({
    name: 'intents-add',
    text: `
      with added as (
        insert into operation_intents (operation_id, subject, project_id, owner, chain, wallet_id, operation, cost_max, valid_until, mac)
        select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::jsonb[], $8::numeric[], $9::timestamptz[], $10::text[])
        on conflict (operation_id) do nothing
        returning chain)
      select pg_notify('${intentChannel}', chain) from (select distinct chain from added) as chains`,
    values: [
      intents.map((one) => one.operationId),
      intents.map((one) => one.subject),
      intents.map((one) => one.projectId),
      intents.map((one) => one.owner),
      intents.map((one) => one.chain),
      intents.map((one) => one.walletId),
      intents.map((one) => JSON.stringify(one.operation)),
      intents.map((one) => one.costMax.toString()),
      intents.map((one) => one.validUntil),
      intents.map((one) => macs.seal(toSealed(one))),
    ],
  });
  wakeAfterCommit(tx);
}

/**
 * Takes what is due; who dies loses it when its time is over. One that somebody changed raises an
 * alarm and waits for the operator. A withheld one that was never sent waits for its release.
 */
export async function claimIntents(
  db: Db,
  input: {
    readonly chain: string;
    readonly token: string;
    readonly forMs: number;
    readonly limit: number;
  },
): Promise<Intent[]> {
  const { rows } = await db.query<IntentRow>({
    name: 'intents-claim',
    text: `
      update operation_intents o set claim_token = $2, claim_until = now() + $3 * interval '1 millisecond'
      from (select operation_id from operation_intents
        where chain = $1 and status <> 'settled' and run_at <= now() and claim_until < now() and not (withheld and status = 'queued')
        order by run_at limit $4 for update skip locked) as due
      where o.operation_id = due.operation_id
      returning o.operation_id, subject, project_id, owner, chain, wallet_id, operation, cost_max, valid_until, mac, status, withheld, refusals, misses,
        tx_id, raw, extract(epoch from now() - sent_at) * 1000 as sent_ago_ms`,
    values: [input.chain, input.token, input.forMs, input.limit],
  });
  const macs = rowMacsOf(db);
  const changed = rows.filter((row) => !isFitting(macs, toSealed(intentOf(row)), row.mac));
  await setAside(
    db,
    input.token,
    changed.map((row) => row.operation_id),
  );
  return rows
    .filter((row) => !changed.includes(row))
    .map((row) => ({
      ...intentOf(row),
      status: row.status,
      withheld: row.withheld,
      refusals: row.refusals,
      misses: row.misses,
      txId: row.tx_id,
      raw: row.raw && new Uint8Array(row.raw),
      sentAgoMs: Number(row.sent_ago_ms ?? 0),
    }));
}

/** Rows that do not fit are due no more, until an operator accepts them: the alarm comes once. */
async function setAside(db: Db, token: string, operationIds: readonly string[]): Promise<void> {
  if (operationIds.length === 0) return;
  await db.query({
    name: 'intents-set-aside',
    text: `update operation_intents set claim_token = null, claim_until = '1970-01-01Z', run_at = 'infinity'
      where operation_id = any($2::uuid[]) and claim_token = $1`,
    values: [token, operationIds],
  });
}

interface StoreSignedInput {
  readonly token: string;
  readonly operationId: string;
  readonly txId: string;
  readonly raw: Uint8Array;
  readonly lookAfterMs: number;
}

/**
 * Stores what was signed, before anybody else sees it. False: the claim was lost, or the operation
 * is withheld.
 */
export async function storeSigned(
  db: Db,
  { token, operationId, txId, raw, lookAfterMs }: StoreSignedInput,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'intents-store-signed',
    text: `
      update operation_intents set status = 'sent', tx_id = $3, raw = $4, sent_at = now(), refusals = 0, misses = 0,
        run_at = now() + $5 * interval '1 millisecond'
      where operation_id = $1 and claim_token = $2 and status = 'queued' and not withheld`,
    values: [operationId, token, txId, Buffer.from(raw), lookAfterMs],
  });
  return rowCount > 0;
}

export interface GivenBack {
  readonly operationId: string;
  readonly pauseMs: number;
  readonly refusals?: number;
  readonly misses?: number;
  /** Its bytes were sent again just now. */
  readonly resent?: boolean;
  /** Its bytes are worth nothing any more: others are built. */
  readonly rebuild?: boolean;
}

/** Gives operations back, for another look after a pause. */
export async function giveBack(
  db: Db,
  token: string,
  operations: readonly GivenBack[],
): Promise<void> {
  if (operations.length === 0) return;
  await db.query({
    name: 'intents-give-back',
    text: `
      update operation_intents o set claim_token = null, claim_until = '1970-01-01Z', run_at = now() + p.pause_ms * interval '1 millisecond',
        refusals = coalesce(p.refusals, o.refusals), misses = coalesce(p.misses, o.misses), sent_at = case when p.resent then now() else o.sent_at end,
        status = case when p.rebuild then 'queued' else o.status end
      from unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::boolean[], $7::boolean[]) as p (operation_id, pause_ms, refusals, misses, resent, rebuild)
      where o.operation_id = p.operation_id and o.claim_token = $1 and o.status <> 'settled'`,
    values: [
      token,
      operations.map(({ operationId }) => operationId),
      operations.map(({ pauseMs }) => pauseMs),
      operations.map(({ refusals }) => refusals ?? null),
      operations.map(({ misses }) => misses ?? null),
      operations.map(({ resent }) => resent ?? false),
      operations.map(({ rebuild }) => rebuild ?? false),
    ],
  });
}

/** Ends operations of a claim. Answers those that this call ended. */
export async function settleIntents(
  tx: Tx,
  token: string,
  ended: readonly { readonly operationId: string; readonly status: 'success' | 'failed' }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ operation_id: string }>({
    name: 'intents-settle',
    text: `
      update operation_intents o set status = 'settled', told_status = e.status, settled_at = now(), claim_token = null
      from unnest($2::uuid[], $3::text[]) as e (operation_id, status)
      where o.operation_id = e.operation_id and o.claim_token = $1 and o.status <> 'settled'
      returning o.operation_id`,
    values: [token, ended.map(({ operationId }) => operationId), ended.map(({ status }) => status)],
  });
  return new Set(rows.map((row) => row.operation_id));
}

/**
 * As `Operations.withholdOperations`: whoever has claimed one finds that out before it stores what
 * it signed.
 */
export async function withholdIntents(tx: Tx, operationIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'intents-withhold',
    text: `update operation_intents set withheld = true where operation_id = any($1::uuid[]) and status <> 'settled'`,
    values: [operationIds],
  });
}

/** As `Operations.releaseOperations`: the same mark, so that nothing they move can move twice. */
export async function releaseIntents(tx: Tx, operationIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'intents-release',
    text: `
      with released as (
        update operation_intents set withheld = false, run_at = now() where operation_id = any($1::uuid[]) and withheld returning chain)
      select pg_notify('${intentChannel}', chain) from (select distinct chain from released) as chains`,
    values: [operationIds],
  });
  wakeAfterCommit(tx);
}

/** Withheld operations whose time is over end like any other. */
export async function reviveExpired(db: Db, chain: string, now: Date): Promise<void> {
  await db.query({
    name: 'intents-revive-expired',
    text: `
      update operation_intents set withheld = false, run_at = now()
      where chain = $1 and withheld and status = 'queued' and valid_until < $2`,
    values: [chain, now],
  });
}

export async function deleteSettled(
  db: Db,
  input: { readonly olderThanDays: number; readonly countMax: number },
): Promise<void> {
  await db.query({
    text: `
      delete from operation_intents where operation_id in (
        select operation_id from operation_intents where status = 'settled' and settled_at < now() - $1 * interval '1 day' limit $2)`,
    values: [input.olderThanDays, input.countMax],
  });
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
    name: 'intents-open-costs',
    text: `
      select project_id, owner, sum(cost_max) as minor from operation_intents
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

const siblingsMax = 200;

/**
 * Operations of the same wallet that have not ended, the oldest, as they were stored; of a row that
 * somebody changed what is in it.
 */
export async function selectSiblings(db: Db, operationId: string): Promise<readonly JsonObject[]> {
  const { rows } = await db.query<{ operation: JsonObject }>({
    name: 'intents-siblings',
    text: `
      select o.operation from operation_intents mine join operation_intents o on o.chain = mine.chain and o.wallet_id = mine.wallet_id
      where mine.operation_id = $1 and o.operation_id <> mine.operation_id and o.status <> 'settled'
      order by o.created_at limit $2`,
    values: [operationId, siblingsMax],
  });
  return rows.map(({ operation }) => operation);
}

/** Operations of the service by the ids of their transactions; others are absent. */
export async function selectOperationIds(
  db: Db,
  chain: string,
  txIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (txIds.length === 0) return new Map();
  const { rows } = await db.query<{ tx_id: string; operation_id: string }>({
    name: 'intents-by-tx-id',
    text: 'select tx_id, operation_id from operation_intents where chain = $1 and tx_id = any($2::text[])',
    values: [chain, txIds],
  });
  return new Map(rows.map(({ tx_id: txId, operation_id: operationId }) => [txId, operationId]));
}

/** What waits in the queue of a chain, and what is under way. */
export async function readIntentQueue(db: Db, chain: string): Promise<QueueStatus> {
  const { rows } = await db.query<{ queued: string; in_flight: string; oldest_ms: string }>({
    name: 'intents-queue',
    text: `
      select count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'sent') as in_flight,
        coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')) * 1000, 0) as oldest_ms
      from operation_intents where chain = $1 and status <> 'settled'`,
    values: [chain],
  });
  const [row] = rows;
  return {
    queued: Number(row!.queued),
    inFlight: Number(row!.in_flight),
    oldestQueuedMs: Math.round(Number(row!.oldest_ms)),
  };
}
