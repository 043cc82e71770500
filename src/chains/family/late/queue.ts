import { isFitting, leftOut, requireSame, rowMacsOf } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { Charge } from '../spending/budgets.ts';
import type { QueueStatus } from '../spending/relay-status.ts';
import {
  type ColumnType,
  columnOf,
  type HowFar,
  parameterOf,
  type Queue,
  type Queued,
  readRow,
  type StoredRow,
  toSealed,
} from './queue-table.ts';

/** SQL of a queue: what waits, what is under way, how it ended. */

/** Relays of this process are woken directly when an operation's transaction is committed. */
export function onLocalWork({ wakes }: Queue<Queued>, wake: () => void): () => void {
  wakes.add(wake);
  return () => wakes.delete(wake);
}

function wakeAfterCommit(tx: Tx, { wakes }: Queue<Queued>): void {
  if (wakes.size === 0) return;
  tx.afterCommit(() => {
    for (const wake of wakes) wake();
  });
}

/**
 * Durably, in the caller's transaction and with one statement. An operation that is there already
 * stays as it is.
 * @throws ServiceError internal-error, after an alarm, where somebody put another one there
 */
export async function enqueue<Item extends Queued>(
  tx: Tx,
  queue: Queue<Item>,
  items: readonly Item[],
): Promise<void> {
  if (items.length === 0) return;
  const { table, types, channel, payload } = queue;
  const macs = rowMacsOf(tx);
  const typed = Object.entries(types) as [keyof Item & string, ColumnType][];
  const columns = typed.map(([field]) => columnOf(field)).join(', ');
  const lists = typed.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ');
  const wanted = items.map((item) => toSealed(queue, item));
  const { rows } = await tx.query<{ added: string[] | null }>({
    name: `${table}-enqueue`,
    text: `
      with added as (
        insert into ${table} (mac, ${columns}) select * from unnest($1::text[], ${lists})
        on conflict (operation_id) do nothing
        returning operation_id::text, chain)
      select (select array_agg(operation_id) from added) as added, count(pg_notify('${channel}', '${payload}' || chain))
      from (select distinct chain from added) as chains`,
    values: [
      wanted.map((row) => macs.seal(row)),
      ...typed.map(([field, type]) => items.map((item) => parameterOf(type, item[field]))),
    ],
  });
  await requireSame(tx, queue.sealed, leftOut(wanted, rows));
  wakeAfterCommit(tx, queue);
}

export interface Claim<Item> {
  readonly chain: string;
  readonly token: string;
  readonly forMs: number;
  readonly limit: number;
  /**
   * Id of the bytes that were stored as an operation's.
   * @throws Error where they are not the operation's
   */
  identify(item: Item, raw: Uint8Array): string;
}

/**
 * Takes what is due; who dies loses it when its time is over. One that somebody changed, its seal or
 * the bytes that were sent, raises an alarm and waits for the operator. A withheld one that was never
 * sent waits for its release.
 */
export async function claimDue<Item extends Queued>(
  db: Db,
  queue: Queue<Item>,
  { chain, token, forMs, limit, identify }: Claim<Item>,
): Promise<(Item & HowFar)[]> {
  const { table, sealed, txIdColumn } = queue;
  const { rows } = await db.query<StoredRow & HowFar & { operationId: string }>({
    name: `${table}-claim`,
    text: `
      update ${table} set claim_token = $2, claim_until = now() + $3 * interval '1 millisecond'
      from (select operation_id as due_id from ${table}
        where chain = $1 and status <> 'settled' and run_at <= now() and claim_until < now() and not (withheld and status = 'queued')
        order by run_at limit $4 for update skip locked) as due
      where operation_id = due_id
      returning ${sealed.columns}, status, withheld, refusals, misses, ${txIdColumn} as "txId", raw,
        extract(epoch from now() - sent_at) * 1000 as "sentAgoMs"`,
    values: [chain, token, forMs, limit],
  });
  const macs = rowMacsOf(db);
  const fitting = rows.filter((row) => isFitting(macs, toSealed(queue, row), row.mac));
  const items = fitting
    .map((row) => readRow(queue, row))
    .filter((item) => {
      const problem = problemOfBytes(item, identify);
      if (problem !== undefined) macs.refuse({ table, id: item.operationId }, problem);
      return problem === undefined;
    });
  const kept = new Set(items.map(({ operationId }) => operationId));
  await setAside(
    db,
    queue,
    token,
    rows.map(({ operationId }) => operationId).filter((id) => !kept.has(id)),
  );
  return items;
}

/**
 * Whoever has other bytes stored than those that were sent would have another transaction's success
 * told.
 */
function problemOfBytes<Item extends Queued>(
  item: Item & HowFar,
  identify: Claim<Item>['identify'],
): string | undefined {
  const { status, txId, raw } = item;
  if (status !== 'sent') return undefined;
  if (txId === null || raw === null) return 'it was sent, and its bytes are missing';
  try {
    const own = identify(item, raw);
    return own === txId ? undefined : `its bytes are the transaction ${own}, not ${txId}`;
  } catch (error) {
    return `its bytes are not its own: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Rows that do not fit are due no more, until an operator accepts them: the alarm comes once. */
async function setAside(
  db: Db,
  { table }: Queue<Queued>,
  token: string,
  operationIds: readonly string[],
): Promise<void> {
  if (operationIds.length === 0) return;
  await db.query({
    name: `${table}-set-aside`,
    text: `update ${table} set claim_token = null, claim_until = '1970-01-01Z', run_at = 'infinity'
      where operation_id = any($2::uuid[]) and claim_token = $1`,
    values: [token, operationIds],
  });
}

interface SignedInput {
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
  { table, txIdColumn }: Queue<Queued>,
  { token, operationId, txId, raw, lookAfterMs }: SignedInput,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: `${table}-store-signed`,
    text: `
      update ${table} set status = 'sent', ${txIdColumn} = $3, raw = $4, sent_at = now(), refusals = 0, misses = 0,
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
  { table }: Queue<Queued>,
  token: string,
  operations: readonly GivenBack[],
): Promise<void> {
  if (operations.length === 0) return;
  await db.query({
    name: `${table}-give-back`,
    text: `
      update ${table} o set claim_token = null, claim_until = '1970-01-01Z', run_at = now() + p.pause_ms * interval '1 millisecond',
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
export async function settle(
  tx: Tx,
  { table }: Queue<Queued>,
  token: string,
  ended: readonly { readonly operationId: string; readonly status: 'success' | 'failed' }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ operation_id: string }>({
    name: `${table}-settle`,
    text: `
      update ${table} o set status = 'settled', told_status = e.status, settled_at = now(), claim_token = null
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
export async function withhold(
  tx: Tx,
  { table }: Queue<Queued>,
  operationIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: `${table}-withhold`,
    text: `update ${table} set withheld = true where operation_id = any($1::uuid[]) and status <> 'settled'`,
    values: [operationIds],
  });
}

/** As `Operations.releaseOperations`: the same mark, so that nothing they move can move twice. */
export async function release(
  tx: Tx,
  queue: Queue<Queued>,
  operationIds: readonly string[],
): Promise<void> {
  const { table, channel, payload } = queue;
  await tx.query({
    name: `${table}-release`,
    text: `
      with released as (
        update ${table} set withheld = false, run_at = now() where operation_id = any($1::uuid[]) and withheld returning chain)
      select pg_notify('${channel}', '${payload}' || chain) from (select distinct chain from released) as chains`,
    values: [operationIds],
  });
  wakeAfterCommit(tx, queue);
}

/** Withheld operations whose time is over end like any other. */
export async function reviveExpired(
  db: Db,
  { table }: Queue<Queued>,
  chain: string,
  now: Date,
): Promise<void> {
  await db.query({
    name: `${table}-revive-expired`,
    text: `
      update ${table} set withheld = false, run_at = now()
      where chain = $1 and withheld and status = 'queued' and valid_until < $2`,
    values: [chain, now],
  });
}

export async function deleteSettled(
  db: Db,
  { table }: Queue<Queued>,
  input: { readonly olderThanDays: number; readonly countMax: number },
): Promise<void> {
  await db.query({
    text: `
      delete from ${table} where operation_id in (
        select operation_id from ${table} where status = 'settled' and settled_at < now() - $1 * interval '1 day' limit $2)`,
    values: [input.olderThanDays, input.countMax],
  });
}

/**
 * What is under way for these projects, with the most that it may cost; with it what other workers
 * have claimed and may be about to send. Of two that claim at once at least one sees the other's.
 * Seals are not looked at: a written row may take from a budget, and gives nothing back to it.
 */
export async function selectOpenCosts(
  db: Db,
  { table }: Queue<Queued>,
  {
    chain,
    token,
    projectIds,
  }: { readonly chain: string; readonly token: string; readonly projectIds: readonly string[] },
): Promise<Charge[]> {
  const { rows } = await db.query<{ project_id: string; owner: string; minor: string }>({
    name: `${table}-open-costs`,
    text: `
      select project_id, owner, sum(greatest(cost_max, 0)) as minor from ${table}
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

/**
 * Operations of the service by the ids of their transactions; others are absent, and what somebody
 * wrote there, after an alarm.
 */
export async function selectOperationIds<Item extends Queued>(
  db: Db,
  queue: Queue<Item>,
  chain: string,
  txIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (txIds.length === 0) return new Map();
  const { table, txIdColumn, sealed } = queue;
  const { rows } = await db.query<StoredRow & { txId: string; operationId: string }>({
    name: `${table}-by-tx-id`,
    text: `select ${sealed.columns}, ${txIdColumn} as "txId" from ${table} where chain = $1 and ${txIdColumn} = any($2::text[])`,
    values: [chain, txIds],
  });
  const macs = rowMacsOf(db);
  const fitting = rows.filter((row) => isFitting(macs, toSealed(queue, row), row.mac));
  return new Map(fitting.map(({ txId, operationId }) => [txId, operationId]));
}

/** What waits in the queue of a chain, and what is under way. */
export async function readQueue(
  db: Db,
  { table }: Queue<Queued>,
  chain: string,
): Promise<QueueStatus> {
  const { rows } = await db.query<{ queued: string; in_flight: string; oldest_ms: string }>({
    name: `${table}-status`,
    text: `
      select count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'sent') as in_flight,
        coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')) * 1000, 0) as oldest_ms
      from ${table} where chain = $1 and status <> 'settled'`,
    values: [chain],
  });
  const [row] = rows;
  return {
    queued: Number(row!.queued),
    inFlight: Number(row!.in_flight),
    oldestQueuedMs: Math.round(Number(row!.oldest_ms)),
  };
}
