import { setTimeout as delay } from 'node:timers/promises';
import { advanceTime, catchUp, readPendingTime } from '../../devnet/index.ts';
import { addAheadMs, announceClock, selectParts } from '../../src/clock/store.ts';
import { persist } from './database.ts';
import type { FaultWorld } from './world.ts';

const pollMs = 100;
const patienceMs = 300_000;

/** Every program answers again. @throws Error that names who does not */
export async function untilAllRun(world: FaultWorld): Promise<void> {
  const isReady = (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const ways = {
    API: `${world.plainApiUrl.slice(0, -4)}/ready`,
    vault: `${world.vaultUrl.slice(0, -4)}/ready`,
  };
  for (const [name, url] of Object.entries(ways))
    for (const endAt = Date.now() + patienceMs; !(await isReady(url)); await delay(pollMs)) {
      for (const part of Object.values(world.parts)) part.revive();
      if (Date.now() > endAt) throw new Error(`the ${name} does not come back`);
    }
}

/**
 * What is under way or due, a step that failed and is tried again within a minute too: each query
 * answers one number.
 */
const busyFlows = `select count(*)::int as n from flows where status = 'active'
  and (run_at <= $1 or lease_until is not null or last_error is not null and run_at <= $1 + interval '1 minute')`;
const busyQueries = {
  flows: busyFlows,
  'events without a place': `select count(*)::int as n from outbox where position is null and $1::timestamptz is not null`,
  'events to be copied': `select count(*)::int as n from outbox o where $1::timestamptz is not null
    and o.position > coalesce((select min(position) from outbox_readers), 0)`,
  webhooks:
    'select count(*)::int as n from webhook_lanes where run_at <= $1 or lease_until > now()',
  'calls of the treasury': `select count(*)::int as n from evm_treasury_calls where status in ('queued', 'sent') and $1::timestamptz is not null`,
  operations: `select count(*)::int as n from evm_operations where status <> 'settled' and $1::timestamptz is not null`,
  'orders past their limits': `select count(*)::int as n from orders where deadline_at <= $1`,
  'deposits that are not final': `select count(*)::int as n from deposits where status = 'seen' and $1::timestamptz is not null`,
  'transfers of the treasury': `select count(*)::int as n from treasury_transfers where status in ('pending', 'success') and $1::timestamptz is not null`,
} as const;
const vaultBusyQueries = { 'flows of the vault': busyFlows } as const;

/**
 * Waits until nothing is under way and nothing is due, twice in a row.
 * @throws Error that names what does not end
 */
export async function untilIdle(world: FaultWorld): Promise<void> {
  let busy: string[] = [];
  let quietTurns = 0;
  for (const endAt = Date.now() + patienceMs; quietTurns < 2; await delay(pollMs)) {
    busy = await persist(() => readBusy(world));
    quietTurns = busy.length === 0 ? quietTurns + 1 : 0;
    if (Date.now() > endAt)
      throw new Error(`it does not get quiet: ${busy.join(', ')}; ${await describeChain(world)}`);
  }
}

/**
 * How far the chain is, how far the service has read it, and what is final: one of them that stands
 * explains much.
 */
async function describeChain({ database, horizon, rpc }: FaultWorld): Promise<string> {
  const head = await rpc<string>('eth_blockNumber', []).then(Number, String);
  const { rows } = await database.stores.main.query<{ watched: string }>({
    text: `select string_agg(row_to_json(w)::text, ' ') as watched from evm_watched_chains w`,
    values: [],
  });
  const { rows: transfers } = await database.stores.main.query<{ open: string | null }>({
    text: `select string_agg(status || ' in block ' || coalesce(height::text, 'unknown'), ', ') as open
      from treasury_transfers where status in ('pending', 'success')`,
    values: [],
  });
  return `the chain is at ${head}, final is ${horizon.height()}, read is ${rows[0]?.watched}; transfers: ${transfers[0]?.open ?? 'none'}`;
}

async function readBusy({ database, clock }: FaultWorld): Promise<string[]> {
  const now = clock.now();
  const { main, vault } = database.stores;
  const ask = (store: typeof main, queries: Readonly<Record<string, string>>) =>
    Object.entries(queries).map(async ([name, text]) => ({
      name,
      n: await count(store, text, now),
    }));
  const counts = await Promise.all([
    ...ask(main, busyQueries),
    ...ask(vault, vaultBusyQueries),
    countUnheard(database),
  ]);
  return counts.filter(({ n }) => n > 0).map(({ name, n }) => `${n} ${name}`);
}

/** What banks said, and the main side has not taken from the vault. */
async function countUnheard({
  stores,
}: FaultWorld['database']): Promise<{ readonly name: string; readonly n: number }> {
  const { rows } = await stores.main.query<{ at: string }>({
    text: 'select coalesce(max(position), 0)::text as at from payout_event_cursors',
  });
  const text = `select count(*)::int as n from outbox where type like 'payouts.%' and (position is null or position > $1::bigint)`;
  const unheard = await stores.vault.query<{ n: number }>({ text, values: [rows[0]!.at] });
  return { name: 'events of payouts', n: unheard.rows[0]!.n };
}

async function count(
  store: FaultWorld['database']['stores']['main'],
  text: string,
  now: Date,
): Promise<number> {
  return (await store.query<{ n: number }>({ text, values: [now] })).rows[0]!.n;
}

/**
 * Lets time pass for the service, the vault, the chain and the test. Back when all of them are
 * there.
 */
export async function letPass(world: FaultWorld, ms: number): Promise<void> {
  const aheadMs = await addAheadMs(world.ctx.store, ms);
  world.clock.moveTo(aheadMs);
  // The bank first: whoever looks at the new time finds what has happened until then.
  world.bank.work();
  await announceClock(world.ctx.store);
  const { url } = world.node;
  await world.crowd.makeBlocks(() =>
    catchUp(
      { time: () => readPendingTime(url), advanceTime: (seconds) => advanceTime(url, seconds) },
      world.clock.now(),
    ),
  );
  for (const endAt = Date.now() + patienceMs; ; await delay(pollMs)) {
    const behind = (await selectParts(world.ctx.store))
      .filter((part) => part.aheadMs < aheadMs)
      .map(({ name }) => name);
    if (behind.length === 0) return;
    if (Date.now() > endAt)
      throw new Error(`the clock was moved, and these have not followed: ${behind.join(', ')}`);
  }
}
