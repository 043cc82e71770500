import { randomUUID } from 'node:crypto';
import { leftOut, requireSame, rowMacsOf } from '../../../../store/row-mac.ts';
import type { Db, Tx } from '../../../../store/types.ts';
import { bytesOf, type Hex, hexOf } from '../../abi/words.ts';
import { delegationGas, type SignedDelegation } from '../../wallet/delegation.ts';
import type { RelayItem } from '../types.ts';
import { encodeItem, itemGas } from './batch.ts';
import {
  type SealedOperationRow,
  sealedOperationColumns,
  sealedOperations,
  splitBySeal,
  toSealedOperation,
} from './seals.ts';

/** SQL of `evm_operations`: what waits, what is under way, how it ended. */

/** NOTIFY channel that wakes idle relays; the payload is kind and chain. */
export const relayChannel = 'purser_evm_relay';

/** `operation` or `call`: what was enqueued. */
export type WorkKind = 'operation' | 'call';
type Wake = (chain: string, kind: WorkKind) => void;
const localWakes = new Set<Wake>();

/** Relays of this process are woken directly when an operation's transaction is committed. */
export function onLocalEnqueue(wake: Wake): () => void {
  localWakes.add(wake);
  return () => localWakes.delete(wake);
}

/**
 * Wakes the relays once `tx` is durable: this process's directly, other processes' by NOTIFY of the
 * caller's statement.
 */
export function wakeAfterCommit(tx: Tx, kind: WorkKind, chains: readonly string[]): void {
  if (localWakes.size === 0) return;
  tx.afterCommit(() => {
    for (const wake of localWakes) for (const chain of chains) wake(chain, kind);
  });
}

/**
 * Durably hands fully signed operations to the relay, in the caller's transaction and with one
 * statement. An operation that is there already stays as it is.
 * @throws ServiceError internal-error, after an alarm, where somebody put another one there
 */
export async function enqueueOperations(tx: Tx, items: readonly RelayItem[]): Promise<void> {
  if (items.length === 0) return;
  const macs = rowMacsOf(tx);
  const rows = items.map(toRow);
  const answer = await tx.query<{ added: string[] | null }>({
    name: 'evm-relay-enqueue',
    text: `
      with added as (
        insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, owner, delegation_nonce, delegation_signature, subject, mac)
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bigint[], $8::bigint[], $9::bytea[], $10::text[], $11::bigint[], $12::bytea[], $13::text[], $14::text[])
        on conflict (operation_id) do nothing
        returning operation_id::text, chain)
      select (select array_agg(operation_id) from added) as added, count(pg_notify('${relayChannel}', 'operation ' || chain))
      from (select distinct chain from added) as chains`,
    values: [
      rows.map((row) => row.operation_id),
      rows.map((row) => row.project_id),
      rows.map((row) => row.chain),
      rows.map((row) => row.operation_hash),
      rows.map((row) => row.wallet),
      rows.map((row) => row.valid_until),
      rows.map((row) => row.gas_limit),
      rows.map((row) => row.batch_gas),
      rows.map((row) => row.item),
      rows.map((row) => row.owner),
      rows.map((row) => row.delegation_nonce),
      rows.map((row) => row.delegation_signature),
      rows.map((row) => row.subject),
      rows.map((row) => macs.seal(toSealedOperation(row))),
    ],
  });
  await requireSame(tx, sealedOperations, leftOut(rows.map(toSealedOperation), answer.rows));
  wakeAfterCommit(tx, 'operation', [...new Set(items.map((item) => item.chain))]);
}

function toRow(item: RelayItem): Omit<SealedOperationRow, 'mac'> {
  const { gasLimit, op, delegation } = item;
  const encoded = encodeItem(item);
  const batchGas =
    itemGas(encoded, { gasLimit, callCount: op.calls.length }) + (delegation ? delegationGas : 0n);
  return {
    operation_id: item.operationId,
    project_id: item.projectId,
    chain: item.chain,
    owner: item.owner ?? op.wallet.toLowerCase(),
    subject: item.subject,
    operation_hash: item.operationHash.toLowerCase(),
    wallet: op.wallet.toLowerCase(),
    valid_until: item.validUntil,
    gas_limit: gasLimit.toString(),
    batch_gas: batchGas.toString(),
    item: encoded,
    delegation_nonce: delegation?.nonce.toString() ?? null,
    delegation_signature: delegation ? bytesOf(delegation.signature) : null,
  };
}

/** As {@link enqueueOperations}, for one. */
export async function enqueueOperation(tx: Tx, item: RelayItem): Promise<void> {
  await enqueueOperations(tx, [item]);
}

/** A claimed operation. */
export interface QueuedOperation {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly operationHash: Hex;
  readonly wallet: Hex;
  readonly validUntil: Date;
  readonly createdAt: Date;
  readonly gasLimit: bigint;
  readonly batchGas: bigint;
  readonly item: Buffer;
  readonly refusals: number;
  readonly unknowns: number;
  readonly tries: number;
  /** Transactions in which it was refused although it had run in simulation, and what they cost. */
  readonly itemRefusals: number;
  readonly burnedWei: bigint;
  readonly lastTx: Hex | null;
  /** It is in an open transaction. */
  readonly isSent: boolean;
  /** What its account needs, should our code not run there yet. */
  readonly delegation?: Omit<SignedDelegation, 'chainId'>;
}

interface QueuedRow extends SealedOperationRow {
  operation_hash: Hex;
  wallet: Hex;
  item_refusals: number;
  burned_wei: string;
  created_at: Date;
  refusals: number;
  unknowns: number;
  tries: number;
  last_tx: Hex | null;
  status: 'queued' | 'held' | 'sent' | 'settled';
}

const queuedColumns = `${sealedOperationColumns}, item_refusals, burned_wei, created_at, refusals, unknowns, tries, last_tx, status`;

function readQueued(row: QueuedRow): QueuedOperation {
  return {
    operationId: row.operation_id,
    subject: row.subject,
    projectId: row.project_id,
    owner: row.owner,
    itemRefusals: row.item_refusals,
    burnedWei: BigInt(row.burned_wei),
    operationHash: row.operation_hash,
    wallet: row.wallet,
    validUntil: row.valid_until,
    createdAt: row.created_at,
    gasLimit: BigInt(row.gas_limit),
    batchGas: BigInt(row.batch_gas),
    item: row.item,
    refusals: row.refusals,
    unknowns: row.unknowns,
    tries: row.tries,
    lastTx: row.last_tx,
    isSent: row.status === 'sent',
    ...(row.delegation_nonce !== null &&
      row.delegation_signature !== null && {
        delegation: {
          nonce: BigInt(row.delegation_nonce),
          signature: hexOf(row.delegation_signature),
        },
      }),
  };
}

/**
 * Projects that one claim looks at on either side of a random point, so that its cost has a bound
 * and everybody's turn comes.
 */
const projectsPerClaimMax = 32;

const revivedMax = 1_000;

/**
 * Claims up to `countMax` queued operations of a chain whose gas together stays within `gasMax`
 * (always at least one), oldest first, in turns between projects: the k-th of every project comes
 * before the (k+1)-th of any. Operations claimed by others are skipped; a claim ends after
 * `claimMs`.
 */
export async function claimOperations(
  db: Db,
  input: { chain: string; countMax: number; gasMax: bigint; claimMs: number },
): Promise<{ token: string; operations: QueuedOperation[] }> {
  const token = randomUUID();
  const { rows } = await db.query<QueuedRow & { turn: string; seq: string }>({
    name: 'evm-relay-claim',
    text: `
      with recursive behind as (
        (select project_id, 1 as place from evm_operations where chain = $1 and status = 'queued' and project_id > $6 order by project_id limit 1)
        union all
        select (select o.project_id from evm_operations o where o.chain = $1 and o.status = 'queued' and o.project_id > b.project_id order by o.project_id limit 1), b.place + 1
        from behind b where b.project_id is not null and b.place < ${projectsPerClaimMax}
      ), ahead as (
        (select project_id, 1 as place from evm_operations where chain = $1 and status = 'queued' and project_id <= $6 order by project_id limit 1)
        union all
        select (select o.project_id from evm_operations o where o.chain = $1 and o.status = 'queued' and o.project_id > a.project_id and o.project_id <= $6 order by o.project_id limit 1), a.place + 1
        from ahead a where a.project_id is not null and a.place < ${projectsPerClaimMax}
      ), projects as (
        select project_id, count(*) over () as number from (select project_id from behind union all select project_id from ahead) as busy where project_id is not null
      ), due as (
        select waiting.operation_id, waiting.seq, waiting.batch_gas, row_number() over (partition by projects.project_id order by waiting.seq) as turn
        from projects
        cross join lateral (
          select o.operation_id, o.seq, o.batch_gas from evm_operations o
          where o.chain = $1 and o.project_id = projects.project_id and o.status = 'queued'
          order by o.seq limit least($2::bigint, 4 * $2::bigint / projects.number + 1)
          for update skip locked) as waiting
      ), filled as (
        select operation_id, turn, seq, sum(batch_gas) over (order by turn, seq) as gas, row_number() over (order by turn, seq) as place from due
      )
      update evm_operations o set status = 'held', claim_token = $3, run_at = now() + $4 * interval '1 millisecond'
      from filled where o.operation_id = filled.operation_id and filled.place <= $2::bigint and (filled.place = 1 or filled.gas <= $5)
      returning ${queuedColumns
        .split(', ')
        .map((column) => `o.${column}`)
        .join(', ')}, filled.turn, filled.seq`,
    values: [
      input.chain,
      input.countMax,
      token,
      input.claimMs,
      input.gasMax.toString(),
      randomUUID(),
    ],
  });
  rows.sort(
    (a, b) => Number(BigInt(a.turn) - BigInt(b.turn)) || Number(BigInt(a.seq) - BigInt(b.seq)),
  );
  const { fit, changed } = splitBySeal(db, rows);
  await setAside(
    db,
    token,
    changed.map((row) => row.operation_id),
  );
  return { token, operations: fit.map(readQueued) };
}

/** Rows that do not fit are due no more, until an operator accepts them: the alarm comes once. */
async function setAside(db: Db, token: string, operationIds: readonly string[]): Promise<void> {
  if (operationIds.length === 0) return;
  await db.query({
    name: 'evm-relay-set-aside',
    text: `update evm_operations set claim_token = null, run_at = 'infinity' where operation_id = any($1::uuid[]) and claim_token = $2`,
    values: [operationIds, token],
  });
}

/**
 * Puts back into the queue what was held until now: postponed operations, and those of claims that
 * nobody prolonged. Answers how many.
 */
export async function reviveHeld(db: Db, chain: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'evm-relay-revive',
    text: `
      update evm_operations set status = 'queued', claim_token = null
      where operation_id in (
        select operation_id from evm_operations where chain = $1 and status = 'held' and run_at <= now() order by run_at limit ${revivedMax} for update skip locked)`,
    values: [chain],
  });
  return rowCount;
}

/** Prolongs claims whose preparation is slow. */
export async function renewClaims(
  db: Db,
  claims: readonly { readonly token: string; readonly operationIds: readonly string[] }[],
  claimMs: number,
): Promise<void> {
  await db.query({
    name: 'evm-relay-renew-claims',
    text: `
      update evm_operations set run_at = now() + $3 * interval '1 millisecond'
      where operation_id = any($1::uuid[]) and claim_token = any($2::uuid[]) and status = 'held'`,
    values: [
      claims.flatMap((claim) => claim.operationIds),
      claims.map((claim) => claim.token),
      claimMs,
    ],
  });
}

/**
 * Gives claimed operations back to the queue, due after `pauseMs`; `unknown` counts a simulation
 * without an answer. Here as below nothing counts beyond a million: a row in which somebody wrote
 * more than a column takes would keep all that go back with it.
 */
export async function releaseOperations(
  db: Db,
  input: { token: string; operationIds: readonly string[]; pauseMs: number; unknown: boolean },
): Promise<void> {
  if (input.operationIds.length === 0) return;
  await db.query({
    name: 'evm-relay-release',
    text: `
      update evm_operations set claim_token = null, run_at = now() + $3 * interval '1 millisecond', status = case when $3 > 0 then 'held' else 'queued' end,
        unknowns = least(unknowns, 1000000) + case when $4 then 1 else 0 end
      where operation_id = any($1::uuid[]) and claim_token = $2 and status = 'held'`,
    values: [input.operationIds, input.token, input.pauseMs, input.unknown],
  });
}

/**
 * Gives refused operations back for another look after the pause; `counted` when the refusal counts
 * against them.
 */
export async function postponeRefused(
  db: Db,
  input: { token: string; operationIds: readonly string[]; pauseMs: number; counted: boolean },
): Promise<void> {
  if (input.operationIds.length === 0) return;
  await db.query({
    name: 'evm-relay-postpone',
    text: `
      update evm_operations set claim_token = null, run_at = now() + $3 * interval '1 millisecond',
        refusals = least(refusals, 1000000) + case when $4 then 1 else 0 end, unknowns = 0
      where operation_id = any($1::uuid[]) and claim_token = $2 and status = 'held'`,
    values: [input.operationIds, input.token, input.pauseMs, input.counted],
  });
}

/**
 * Gives refused operations back that are not told as failed yet: the pause doubles with each
 * refusal. Answers those that are valid at `now`.
 */
export async function holdRefused(
  db: Db,
  input: {
    token: string;
    operationIds: readonly string[];
    pauseMs: number;
    pauseMaxMs: number;
    now: Date;
  },
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ operation_id: string; is_valid: boolean }>({
    name: 'evm-relay-hold-refused',
    text: `
      update evm_operations set claim_token = null, refusals = least(refusals, 1000000) + 1, unknowns = 0,
        run_at = now() + least($4, $3 * power(2, greatest(0, least(refusals, 20) - 1))) * interval '1 millisecond'
      where operation_id = any($1::uuid[]) and claim_token = $2 and status = 'held'
      returning operation_id, valid_until > $5 as is_valid`,
    values: [input.operationIds, input.token, input.pauseMs, input.pauseMaxMs, input.now],
  });
  return new Set(rows.filter((row) => row.is_valid).map((row) => row.operation_id));
}

/**
 * Ends operations that no receipt speaks for: refused ones of a claim (`token`), or expired ones
 * that nobody has claimed (no `token`). Answers those that this call ended.
 */
export async function endOperations(
  tx: Tx,
  ended: readonly EndedOperation[],
  token?: string,
): Promise<Set<string>> {
  const { rows } = await tx.query<{ operation_id: string }>({
    name: 'evm-relay-end',
    text: `
      update evm_operations o set status = 'settled', settled_at = now(), claim_token = null, told_status = e.status, told_tx = e.tx
      from unnest($1::uuid[], $2::text[], $3::text[]) as e (operation_id, status, tx)
      where o.operation_id = e.operation_id and o.status <> 'settled'
        and case when $4::uuid is null then o.claim_token is null else o.status = 'held' and o.claim_token = $4 end
      returning o.operation_id`,
    values: [...endedColumns(ended), token ?? null],
  });
  return new Set(rows.map((row) => row.operation_id));
}

/**
 * Ends operations as receipts say, whatever was thought of them before. Answers those for which
 * that is news.
 */
export async function endExecuted(tx: Tx, ended: readonly EndedOperation[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ operation_id: string }>({
    name: 'evm-relay-end-executed',
    text: `
      update evm_operations o set status = 'settled', settled_at = now(), claim_token = null, told_status = e.status, told_tx = e.tx
      from unnest($1::uuid[], $2::text[], $3::text[]) as e (operation_id, status, tx)
      where o.operation_id = e.operation_id
        and (o.status <> 'settled' or o.told_status is distinct from e.status or o.told_tx is distinct from e.tx)
      returning o.operation_id`,
    values: endedColumns(ended),
  });
  return new Set(rows.map((row) => row.operation_id));
}

function endedColumns(ended: readonly EndedOperation[]): unknown[] {
  return [
    ended.map((end) => end.operationId),
    ended.map((end) => end.status),
    ended.map((end) => end.txHash),
  ];
}

/**
 * Puts operations of sends back into the queue whose nonce was used without executing them
 * (`executed` lists the hashes that it did execute). One that was told to have ended with such a
 * send, before a reorganisation, runs again too; a withheld one waits for its release.
 */
export async function requeueOperations(
  db: Db,
  input: { sendId: string; txHash: Hex | null; executed: readonly Hex[] },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'evm-relay-requeue',
    text: `
      update evm_operations o set status = case when withheld then 'held' else 'queued' end, send_id = null,
        run_at = case when withheld then 'infinity' else now() end, claim_token = null, tries = least(tries, 1000000) + 1, last_tx = coalesce($2, last_tx)
      where o.send_id = $1 and o.operation_hash <> all($3::text[])
        and (o.status = 'sent' or (o.status = 'settled' and o.told_tx in (select hash from evm_attempts where send_id = $1)))`,
    values: [input.sendId, input.txHash, input.executed],
  });
  return rowCount;
}

/** What leaves a treasury is for this, and is sent or paid back anew when it is told as failed. */
export const treasurySubject = 'treasury-transfer';

export interface EndedOperation {
  readonly operationId: string;
  readonly status: 'success' | 'failed';
  readonly txHash: Hex | null;
}

/**
 * Open operations of users past their validity, for the sweep; those that may have been sent by the
 * chain's time.
 */
export async function readExpired(
  db: Db,
  input: { chain: string; serviceTime: Date; chainTime: Date; countMax: number },
): Promise<QueuedOperation[]> {
  const { rows } = await db.query<QueuedRow>({
    name: 'evm-relay-read-expired',
    text: `
      select ${queuedColumns} from evm_operations
      where chain = $1 and status <> 'settled' and claim_token is null and subject <> $5
        and ((status <> 'sent' and tries = 0 and valid_until < $2) or valid_until < $3)
      order by valid_until limit $4`,
    values: [input.chain, input.serviceTime, input.chainTime, input.countMax, treasurySubject],
  });
  return endChanged(db, rows);
}

/**
 * Open transfers of treasuries that are past their validity or were refused: some of them, each
 * time others.
 */
export async function readDoubtfulTransfers(
  db: Db,
  input: { chain: string; serviceTime: Date; refusals: number; countMax: number },
): Promise<QueuedOperation[]> {
  const { chain, serviceTime, refusals, countMax } = input;
  const { rows } = await db.query<QueuedRow>({
    name: 'evm-relay-read-doubtful-transfers',
    text: `
      select ${queuedColumns} from evm_operations
      where chain = $1 and status <> 'settled' and claim_token is null and subject = $4
        and (valid_until < $2 or refusals >= $5)
      order by random() limit $3`,
    values: [chain, serviceTime, countMax, treasurySubject, refusals],
  });
  return endChanged(db, rows);
}

/** Those that somebody changed end here, untold. */
async function endChanged(db: Db, rows: readonly QueuedRow[]): Promise<QueuedOperation[]> {
  const { fit, changed } = splitBySeal(db, rows);
  if (changed.length > 0)
    await db.query({
      name: 'evm-relay-end-changed',
      text: `update evm_operations set status = 'settled', settled_at = now() where operation_id = any($1::uuid[]) and claim_token is null`,
      values: [changed.map((row) => row.operation_id)],
    });
  return fit.map(readQueued);
}

/** Chains of `chains` on which something is open. */
export async function findBusyChains(db: Db, chains: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ chain: string }>({
    name: 'evm-relay-busy-chains',
    text: `
      select chain from unnest($1::text[]) as c (chain)
      where exists (select 1 from evm_operations o where o.chain = c.chain and o.status <> 'settled')
        or exists (select 1 from evm_sends s where s.chain = c.chain and s.status in ('pending', 'included'))
        or exists (select 1 from evm_treasury_calls t where t.chain = c.chain and t.status = 'queued')
        or exists (select 1 from evm_account_top_ups t where t.chain = c.chain and t.status = 'queued')`,
    values: [chains],
  });
  return rows.map((row) => row.chain);
}
