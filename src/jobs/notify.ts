import type { Store } from '../store/types.ts';

/** Channels of NOTIFY. The payload is empty: a notification only says "look". */
export const flowsChannel = 'purser_flows';
export const eventsChannel = 'purser_events';

type Channel = typeof flowsChannel | typeof eventsChannel;

const quietMs = 20;
/** Between rings that only ask for help with what a worker here would reach later. */
export const helpQuietMs = 200;

interface Bell {
  lastAt: number;
  timer: NodeJS.Timeout | undefined;
}

const bells = new WeakMap<Store, Map<Channel, Bell>>();
const neighbours = new WeakMap<Store, Map<Channel, Set<() => void>>>();

/**
 * Tells other processes to look now, by NOTIFY, at most every 20 ms or as given; listeners of this process hear at once. It is sent outside of
 * the transaction that made the work, because a commit that notifies holds a lock that all such commits queue on.
 * Nothing depends on it: what is lost here, the poll finds.
 */
export function ring(store: Store, channel: Channel, apartMs = quietMs): void {
  for (const run of neighbours.get(store)?.get(channel) ?? []) run();
  const bell = bellOf(store, channel);
  if (bell.timer !== undefined) return;
  const waitMs = Math.max(0, bell.lastAt + apartMs - performance.now());
  bell.timer = setTimeout(() => {
    bell.timer = undefined;
    bell.lastAt = performance.now();
    store.query({ text: 'select pg_notify($1, $2)', values: [channel, ''] }).catch(() => undefined);
  }, waitMs);
  bell.timer.unref();
}

/** Hears rings of this process and of others. */
export function hear(store: Store, channel: Channel, run: () => void): { close(): Promise<void> } {
  const channels = neighbours.get(store) ?? new Map<Channel, Set<() => void>>();
  neighbours.set(store, channels);
  const runs = channels.get(channel) ?? new Set();
  channels.set(channel, runs.add(run));
  const listener = store.listen?.(channel, run);
  return {
    close: async () => {
      runs.delete(run);
      await listener?.close();
    },
  };
}

function bellOf(store: Store, channel: Channel): Bell {
  const channels = bells.get(store) ?? new Map<Channel, Bell>();
  bells.set(store, channels);
  const bell = channels.get(channel) ?? { lastAt: -Infinity, timer: undefined };
  channels.set(channel, bell);
  return bell;
}
