import type { Db, Tx } from '../../../../store/types.ts';
import { relayChannel, wakeAfterCommit } from './queue.ts';

/**
 * Operations that are not sent (again) until they are released, and those that are sent again though
 * they had ended. A withheld one that is queued or claimed stays
 * `held` for good; of one that is in a transaction the nonce goes to a no-op, unless the chain has
 * it already.
 */

/**
 * Withholds operations, in the caller's transaction; whoever has claimed one finds its claim gone.
 */
export async function withholdOperations(tx: Tx, operationIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'evm-relay-withhold',
    text: `
      with withheld as (
        update evm_operations set withheld = true,
          status = case status when 'queued' then 'held' else status end,
          claim_token = case when status in ('queued', 'held') then null else claim_token end,
          run_at = case when status in ('queued', 'held') then 'infinity' else run_at end
        where operation_id = any($1::uuid[]) and not withheld returning chain)
      select pg_notify('${relayChannel}', 'operation ' || chain) from (select distinct chain from withheld) as chains`,
    values: [operationIds],
  });
}

/** Lets withheld operations go on: the same ones, so that nothing they move can move twice. */
export async function releaseWithheld(tx: Tx, operationIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ chain: string }>({
    name: 'evm-relay-release-withheld',
    text: `
      with released as (
        update evm_operations set withheld = false,
          status = case status when 'held' then 'queued' else status end,
          run_at = case status when 'held' then now() else run_at end
        where operation_id = any($1::uuid[]) and withheld returning chain)
      select chain, pg_notify('${relayChannel}', 'operation ' || chain) from (select distinct chain from released) as chains`,
    values: [operationIds],
  });
  wakeAfterCommit(
    tx,
    'operation',
    rows.map(({ chain }) => chain),
  );
}

/**
 * Puts operations back into the queue that ended more than an hour ago by the receipt of a
 * transaction of ours that is final, and that no block has, as the caller knows: whoever reads the
 * chain is past the block that the receipt named. Their nonce lets none run twice; one that others
 * sent ended by its nonce, and stays. Answers which were put back.
 */
export async function resumeOperations(
  tx: Tx,
  operationIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await tx.query<{ operation_id: string; chain: string }>({
    name: 'evm-relay-resume',
    text: `
      with resumed as (
        update evm_operations o set status = 'queued', send_id = null, claim_token = null, run_at = now(), tries = least(tries, 1000000) + 1
        where operation_id = any($1::uuid[]) and status = 'settled' and not withheld and settled_at < now() - interval '1 hour'
          and exists (
            select from evm_attempts a join evm_sends s on s.id = a.send_id join evm_watched_chains w on w.chain = o.chain
            where s.id = o.send_id and a.hash = o.told_tx and s.status = 'final' and s.mined_block < w.next_height and w.failure is null)
        returning operation_id, chain)
      select operation_id, chain, pg_notify('${relayChannel}', 'operation ' || chain) from resumed`,
    values: [operationIds],
  });
  wakeAfterCommit(
    tx,
    'operation',
    rows.map(({ chain }) => chain),
  );
  return rows.map((row) => row.operation_id);
}

/** Which of these sends carry a withheld operation. */
export async function selectWithheldSends(
  db: Db,
  chain: string,
  sendIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ send_id: string }>({
    name: 'evm-relay-withheld-sends',
    text: 'select distinct send_id from evm_operations where chain = $1 and withheld and send_id = any($2::bigint[])',
    values: [chain, sendIds],
  });
  return new Set(rows.map((row) => row.send_id));
}
