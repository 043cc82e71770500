import type { Db } from '../../../../store/types.ts';

/** SQL of `evm_tips` and `evm_spending`: what gas usually costs, and what it did cost. */

/** Looks that count: the last six hours in which the relay worked. */
const looksMax = 360;
const stepMs = 600_000;
const hourMs = 3_600_000;

/**
 * Notes what the node names as the usual tip, once a minute, and answers the middle of the looks
 * before; undefined without any.
 */
export async function noteTip(db: Db, chain: string, tipWei: bigint): Promise<bigint | undefined> {
  const { rows } = await db.query<{ usual: string | null }>({
    name: 'evm-relay-note-tip',
    text: `
      with noted as (
        insert into evm_tips (chain, minute, tip_wei) values ($1, date_trunc('minute', now()), $2) on conflict do nothing
      )
      select percentile_disc(0.5) within group (order by tip_wei) as usual
      from (select tip_wei from evm_tips where chain = $1 order by minute desc limit ${looksMax}) as looks`,
    values: [chain, tipWei.toString()],
  });
  const usual = rows[0]?.usual ?? null;
  return usual === null ? undefined : BigInt(usual);
}

/** Adds what transactions cost. */
export async function recordSpending(db: Db, chain: string, wei: bigint): Promise<void> {
  if (wei === 0n) return;
  await db.query({
    name: 'evm-relay-record-spending',
    text: `
      insert into evm_spending as s (chain, since, spent_wei) values ($1, to_timestamp(floor(extract(epoch from now()) * 1000 / ${stepMs}) * ${stepMs / 1_000}), $2)
      on conflict (chain, since) do update set spent_wei = s.spent_wei + excluded.spent_wei`,
    values: [chain, wei.toString()],
  });
}

/** What transactions of the last hour cost, by chain; a chain without any is absent. */
export async function readHourlySpending(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await db.query<{ chain: string; wei: string }>({
    name: 'evm-relay-hourly-spending',
    text: `select chain, sum(spent_wei) as wei from evm_spending where since > now() - interval '${hourMs} milliseconds' group by chain`,
  });
  return new Map(rows.map(({ chain, wei }) => [chain, BigInt(wei)]));
}

/** Deletes what no rule looks at any more. */
export async function deleteOldSpending(db: Db, olderThanDays: number): Promise<void> {
  await db.query({
    text: `delete from evm_tips where minute < now() - $1 * interval '1 day'`,
    values: [olderThanDays],
  });
  await db.query({
    text: `delete from evm_spending where since < now() - $1 * interval '1 day'`,
    values: [olderThanDays],
  });
}
