import type { Db } from '../../../../store/types.ts';
import { relayLimits } from '../spending/limits.ts';
import { type ChainState, nowMs, raiseAlarm } from '../state.ts';

/** SQL of `evm_chain_alarms`: what is wrong with a chain as a whole, for status and metrics. */

export type ChainAlarm =
  | 'chain-id'
  | 'fee'
  | 'spending'
  | 'top-ups'
  | 'account-balance'
  | 'account-queue'
  | 'account-top-ups'
  | 'receipt'
  | 'treasury'
  | 'treasury-end';

/**
 * Says what is wrong with the chain, for as long as it is said again and again; without a sentence,
 * that it is over.
 */
export async function publishChainAlarm(
  state: ChainState,
  kind: ChainAlarm,
  sentence: string | undefined,
): Promise<void> {
  const told = state.chainAlarms.get(kind);
  if (sentence === undefined) {
    if (told === undefined) return;
    state.chainAlarms.delete(kind);
    await state.deps.store.query({
      name: 'evm-relay-end-alarm',
      text: 'delete from evm_chain_alarms where chain = $1 and kind = $2',
      values: [state.chain, kind],
    });
    return;
  }
  raiseAlarm(
    state,
    `chain:${kind}`,
    { reason: sentence },
    'the relay of a chain needs a look',
    relayLimits.alarmRepeatMs,
  );
  if (told?.sentence === sentence && nowMs() - told.toldAtMs < relayLimits.alarmRepeatMs) return;
  state.chainAlarms.set(kind, { sentence, toldAtMs: nowMs() });
  await writeChainAlarm(state.deps.store, { chain: state.chain, kind, sentence });
}

/** Says what is wrong with a chain; it lasts for a while beyond the last time that it is said. */
export async function writeChainAlarm(
  db: Db,
  alarm: { readonly chain: string; readonly kind: ChainAlarm; readonly sentence: string },
): Promise<void> {
  await db.query({
    name: 'evm-relay-tell-alarm',
    text: `
      insert into evm_chain_alarms (chain, kind, alarm, until) values ($1, $2, $3, now() + $4 * interval '1 millisecond')
      on conflict (chain, kind) do update set alarm = excluded.alarm, until = excluded.until`,
    values: [alarm.chain, alarm.kind, alarm.sentence, relayLimits.alarmRepeatMs * 3],
  });
}

/** What an alarm said of something is over; another one's stays. */
export async function endChainAlarm(
  db: Db,
  alarm: { readonly chain: string; readonly kind: ChainAlarm; readonly sentence: string },
): Promise<void> {
  await db.query({
    name: 'evm-relay-end-own-alarm',
    text: 'delete from evm_chain_alarms where chain = $1 and kind = $2 and alarm = $3',
    values: [alarm.chain, alarm.kind, alarm.sentence],
  });
}

/** By chain, the alarms that last. */
export async function readChainAlarms(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ chain: string; alarm: string }>({
    name: 'evm-relay-read-alarms',
    text: `select chain, string_agg(alarm, ' ' order by kind) as alarm from evm_chain_alarms where until > now() group by chain`,
  });
  return new Map(rows.map(({ chain, alarm }) => [chain, alarm]));
}
