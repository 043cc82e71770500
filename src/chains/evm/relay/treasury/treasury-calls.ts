import type { Db, Tx } from '../../../../store/types.ts';
import { bytesOf, type Hex } from '../../abi/words.ts';
import { relayChannel, wakeAfterCommit } from '../queue/queue.ts';
import type { Receipt } from '../rpc-schemas.ts';

/**
 * SQL of `evm_treasury_calls`: transactions that the service itself makes from its treasury
 * account.
 */

export interface TreasuryCall {
  /** Names the call for ever: a second one of this reference is the first one. */
  readonly reference: string;
  readonly chain: string;
  readonly to: Hex;
  readonly valueWei: bigint;
  readonly data: Hex;
  /** Estimated by the node before sending when absent. */
  readonly gasLimit?: bigint;
}

/**
 * Durably hands a call to the relay's treasury account, in the caller's transaction. It happens
 * once per reference.
 */
export async function enqueueTreasuryCall(tx: Tx, call: TreasuryCall): Promise<void> {
  await tx.query({
    name: 'evm-relay-enqueue-call',
    text: `
      with added as (
        insert into evm_treasury_calls (reference, chain, to_address, value_wei, data, gas_limit) values ($1, $2, $3, $4, $5, $6)
        on conflict (reference) do nothing returning chain)
      select pg_notify('${relayChannel}', 'call ' || chain) from added`,
    values: [
      call.reference,
      call.chain,
      call.to.toLowerCase(),
      call.valueWei.toString(),
      bytesOf(call.data),
      call.gasLimit?.toString() ?? null,
    ],
  });
  wakeAfterCommit(tx, 'call', [call.chain]);
}

export interface TreasuryCallState {
  readonly status: 'queued' | 'sent' | 'done' | 'failed';
  readonly txHash: Hex | null;
  readonly error: string | null;
}

/** How a treasury call stands; undefined when there is none of this reference. */
export async function readTreasuryCall(
  db: Db,
  reference: string,
): Promise<TreasuryCallState | undefined> {
  const { rows } = await db.query<{
    status: TreasuryCallState['status'];
    tx_hash: Hex | null;
    error: string | null;
  }>({
    name: 'evm-relay-read-call',
    text: 'select status, tx_hash, error from evm_treasury_calls where reference = $1',
    values: [reference],
  });
  const row = rows[0];
  return row && { status: row.status, txHash: row.tx_hash, error: row.error };
}

/** What executors of a chain were given in the last 24 hours, or are about to be. */
export async function readToppedUp(db: Db, chain: string): Promise<bigint> {
  const { rows } = await db.query<{ wei: string }>({
    name: 'evm-relay-topped-up',
    text: `
      select coalesce(sum(value_wei), 0) as wei from evm_treasury_calls
      where chain = $1 and top_up_of is not null and status <> 'failed' and created_at > now() - interval '24 hours'`,
    values: [chain],
  });
  return BigInt(rows[0]!.wei);
}

/**
 * Queues a top-up unless one is open or has just ended. Answers whether it did.
 * `quietMs`: how long a finished one holds the next back, until balances show it.
 */
export async function enqueueTopUp(
  db: Db,
  input: { chain: string; executor: Hex; valueWei: bigint; reference: string; quietMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'evm-relay-enqueue-top-up',
    text: `
      insert into evm_treasury_calls (reference, top_up_of, chain, to_address, value_wei, data)
      select $1, $2, $3, $2, $4, ''::bytea
      where not exists (
        select 1 from evm_treasury_calls
        where chain = $3 and top_up_of = $2 and (status in ('queued', 'sent') or run_at > now() - $5 * interval '1 millisecond'))
      on conflict do nothing`,
    values: [
      input.reference,
      input.executor,
      input.chain,
      input.valueWei.toString(),
      input.quietMs,
    ],
  });
  return rowCount > 0;
}

export interface QueuedCall {
  readonly reference: string;
  readonly topUpOf: Hex | null;
  readonly to: Hex;
  readonly valueWei: bigint;
  readonly data: Buffer;
  readonly gasLimit: bigint | null;
  readonly tries: number;
}

/**
 * Calls that are due, oldest first. Only the treasury's leased writer sends them, so they need no
 * claim.
 */
export async function readDueCalls(db: Db, chain: string, countMax: number): Promise<QueuedCall[]> {
  const { rows } = await db.query<{
    reference: string;
    top_up_of: Hex | null;
    to_address: Hex;
    value_wei: string;
    data: Buffer;
    gas_limit: string | null;
    tries: number;
  }>({
    name: 'evm-relay-due-calls',
    text: `select reference, top_up_of, to_address, value_wei, data, gas_limit, tries from evm_treasury_calls where chain = $1 and status = 'queued' and run_at <= now() order by run_at limit $2`,
    values: [chain, countMax],
  });
  return rows.map((row) => ({
    reference: row.reference,
    topUpOf: row.top_up_of,
    to: row.to_address,
    valueWei: BigInt(row.value_wei),
    data: row.data,
    gasLimit: row.gas_limit === null ? null : BigInt(row.gas_limit),
    tries: row.tries,
  }));
}

/** Puts a queued call off, or ends it as failed once it was tried `triesMax` times. */
export async function postponeCall(
  db: Db,
  input: { reference: string; error: string; pauseMs: number; triesMax: number | null },
): Promise<void> {
  await db.query({
    name: 'evm-relay-postpone-call',
    text: `
      update evm_treasury_calls set tries = tries + case when $4::int is null then 0 else 1 end, error = $2, run_at = now() + $3 * interval '1 millisecond',
        status = case when $4::int is not null and tries + 1 >= $4 then 'failed' else 'queued' end
      where reference = $1 and status = 'queued'`,
    values: [input.reference, input.error, input.pauseMs, input.triesMax],
  });
}

/** Records what a landed call came to. */
export async function recordCallEnd(db: Db, sendId: string, receipt: Receipt): Promise<void> {
  const reverted = receipt.status === 0n;
  await db.query({
    name: 'evm-relay-call-end',
    text: `update evm_treasury_calls set status = $2, tx_hash = $3, error = $4, run_at = now() where send_id = $1`,
    values: [
      sendId,
      reverted ? 'failed' : 'done',
      receipt.transactionHash,
      reverted ? 'The transaction reverted.' : null,
    ],
  });
}

/** Queues a call again whose nonce is finally used by something else: it cannot land any more. */
export async function requeueCall(db: Db, sendId: string): Promise<void> {
  await db.query({
    name: 'evm-relay-requeue-call',
    text: `update evm_treasury_calls set status = 'queued', send_id = null, tries = tries + 1, run_at = now() where send_id = $1 and status = 'sent'`,
    values: [sendId],
  });
}
