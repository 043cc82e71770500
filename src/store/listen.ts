import pg from 'pg';
import type { Logger } from 'pino';
import type { Listener } from './types.ts';

const reconnectDelayMs = 1_000;

type OnMessage = (payload: string | undefined) => void;

/**
 * One connection outside the pool that carries every LISTEN of this process. It is opened with the
 * first listener, reconnects by itself, and tells each listener after a reconnection that messages
 * may have been missed.
 */
export function createListener(config: pg.ClientConfig, log: Logger | undefined) {
  const channels = new Map<string, Set<OnMessage>>();
  let client: pg.Client | undefined;
  let connecting = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let lastSaid: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<void> {
    if (closed || connecting || client !== undefined) return;
    connecting = true;
    const next = new pg.Client(config);
    const lose = (error?: Error) => {
      if (client !== next && !connecting) return;
      if (client === next) client = undefined;
      if (!closed) {
        if (error) log?.warn({ err: error }, 'database notifications lost, reconnecting');
        clearTimeout(retry);
        retry = setTimeout(() => void connect(), reconnectDelayMs);
        retry.unref();
      }
    };
    next.on('error', lose);
    next.on('end', () => lose());
    next.on('notification', (message) => {
      for (const run of channels.get(message.channel) ?? []) run(message.payload ?? '');
    });
    try {
      await next.connect();
      for (const channel of channels.keys())
        await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      client = next;
      lastSaid = Promise.resolve();
      connecting = false;
      if (closed) await next.end();
      else for (const runs of channels.values()) for (const run of runs) run(undefined);
    } catch (error) {
      lose(error as Error);
      connecting = false;
      next.end().catch(() => undefined);
    }
  }

  /** One statement after the other: a connection takes no second one meanwhile. */
  function say(to: pg.Client, text: string): Promise<unknown> {
    const said = lastSaid.then(() => to.query(text));
    lastSaid = said.catch(() => undefined);
    return said;
  }

  async function subscribe(channel: string, onMessage: OnMessage): Promise<void> {
    const asked = client;
    if (asked === undefined) return connect();
    try {
      await say(asked, `LISTEN ${pg.escapeIdentifier(channel)}`);
      onMessage(undefined);
    } catch (error) {
      log?.warn({ err: error }, 'LISTEN failed, reconnecting');
      // Nothing refuses it but a connection that is dead, which may not know it yet.
      await asked.end().catch(() => undefined);
    }
  }

  return {
    listen(channel: string, onMessage: OnMessage): Listener {
      const runs = channels.get(channel) ?? new Set<OnMessage>();
      channels.set(channel, runs.add(onMessage));
      void subscribe(channel, onMessage);
      return {
        close: async () => {
          runs.delete(onMessage);
          if (runs.size > 0 || channels.get(channel) !== runs) return;
          channels.delete(channel);
          if (client)
            await say(client, `UNLISTEN ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
        },
      };
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(retry);
      channels.clear();
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
