import { randomUUID } from 'node:crypto';
import type { Store } from '../store/types.ts';

/** Channels of NOTIFY. A notification only says "look" and who rang. */
export const flowsChannel = 'purser_flows';
export const eventsChannel = 'purser_events';
/** Events that projects may see are there. */
export const publicEventsChannel = 'purser_public_events';
/** Webhooks are queued. */
export const deliveriesChannel = 'purser_deliveries';

type Channel =
  | typeof flowsChannel
  | typeof eventsChannel
  | typeof publicEventsChannel
  | typeof deliveriesChannel;

const quietMs = 20;
/** Between rings that only ask for help with what a worker here would reach later. */
export const helpQuietMs = 200;

interface Bell {
  lastAtMs: number;
  dueAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

const tokens = new WeakMap<object, string>();
const bells = new WeakMap<object, Map<Channel, Bell>>();
const neighbours = new WeakMap<object, Map<Channel, Set<() => void>>>();

/** Tells everybody to look now: listeners of this process at once, others by a notification. */
export function ring(store: Store, channel: Channel): void {
  for (const run of neighbours.get(store.home ?? store)?.get(channel) ?? []) run();
  notifyOthers(store, channel);
}

/**
 * Tells other processes to look, by NOTIFY, at most every `apartMs`. It is sent outside of the
 * transaction that made the work, because a commit that notifies holds a lock that all such commits
 * queue on. Nothing depends on it: what is lost here, the poll finds.
 */
export function notifyOthers(store: Store, channel: Channel, apartMs = quietMs): void {
  const bell = bellOf(store, channel);
  const nowMs = performance.now();
  const dueAtMs = Math.max(nowMs, bell.lastAtMs + apartMs);
  if (bell.timer !== undefined && bell.dueAtMs <= dueAtMs) return;
  clearTimeout(bell.timer);
  bell.dueAtMs = dueAtMs;
  bell.timer = setTimeout(() => {
    bell.timer = undefined;
    bell.lastAtMs = performance.now();
    store
      .query({ text: 'select pg_notify($1, $2)', values: [channel, tokenOf(store)], urgent: true })
      .catch(() => undefined);
  }, dueAtMs - nowMs);
  bell.timer.unref();
}

/** Hears rings of this process and of others. */
export function subscribe(
  store: Store,
  channel: Channel,
  run: () => void,
): { close(): Promise<void> } {
  const channels = neighbours.get(store.home ?? store) ?? new Map<Channel, Set<() => void>>();
  neighbours.set(store.home ?? store, channels);
  const runs = channels.get(channel) ?? new Set();
  channels.set(channel, runs.add(run));
  // Those of the same store were told directly.
  const token = tokenOf(store);
  const listener = store.listen?.(channel, (payload) => payload !== token && run());
  return {
    close: async () => {
      runs.delete(run);
      await listener?.close();
    },
  };
}

function bellOf(store: Store, channel: Channel): Bell {
  const channels = bells.get(store.home ?? store) ?? new Map<Channel, Bell>();
  bells.set(store.home ?? store, channels);
  const bell = channels.get(channel) ?? { lastAtMs: -Infinity, dueAtMs: 0, timer: undefined };
  channels.set(channel, bell);
  return bell;
}

function tokenOf(store: Store): string {
  const token = tokens.get(store.home ?? store) ?? randomUUID();
  tokens.set(store.home ?? store, token);
  return token;
}
