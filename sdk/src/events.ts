import type { Query, Schema } from './call-types.ts';
import { ConnectionError, errorOfAnswer } from './errors.ts';
import type { PurserOptions } from './send.ts';
import { pause } from './wait.ts';

export type PurserEvent = Schema<'Event'>;

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Hears that the stream stands, each time it is opened. */
  readonly onOpen?: () => void;
}

/** A stream without a heartbeat for so long is dead; the service sends one every 15 seconds. */
const silenceMaxMs = 45_000;
const reopenFirstMs = 1_000;
const reopenMaxMs = 15_000;
/** In a row, without an event or heartbeat between them. */
const failuresMax = 20;

/**
 * Events as they happen, from `after` on (a position, an id or `latest`; else from the oldest). A
 * stream that breaks is opened again where it was, so none is missed and none comes twice. Ends
 * when the signal is aborted. For server keys.
 * @throws PurserError when the service refuses, ConnectionError when it stays away
 */
export async function* streamEvents(
  options: PurserOptions,
  query: Pick<Query<'listEvents'>, 'after' | 'types'> = {},
  { signal, onOpen }: StreamOptions = {},
): AsyncGenerator<PurserEvent, void, undefined> {
  const url = `${options.baseUrl}/unstable/events?${new URLSearchParams(query as Record<string, string>)}`;
  let lastEventId: string | undefined;
  for (let failures = 0; !signal?.aborted; failures++) {
    const connection = new AbortController();
    const close = () => connection.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hearSomething = () => {
      clearTimeout(timer);
      timer = setTimeout(close, silenceMaxMs);
    };
    signal?.addEventListener('abort', close, { once: true });
    try {
      hearSomething();
      const response = await (options.fetch ?? globalThis.fetch)(url, {
        headers: {
          'X-API-KEY': options.apiKey,
          accept: 'text/event-stream',
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
        redirect: 'error',
        signal: connection.signal,
      });
      if (!response.ok) {
        const error = errorOfAnswer(response, await response.json().catch(() => undefined));
        if (response.status < 500 && response.status !== 429) throw error;
        if (failures >= failuresMax) throw error;
      } else {
        onOpen?.();
        for await (const { id, data } of readMessages(response.body!, {
          signal: connection.signal,
          onBytes: hearSomething,
        })) {
          failures = 0;
          lastEventId = id ?? lastEventId;
          if (data !== undefined) yield JSON.parse(data) as PurserEvent;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Error && 'status' in error) throw error;
      if (failures >= failuresMax)
        throw new ConnectionError('The stream of events cannot be opened.', {
          status: 0,
          cause: error,
        });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', close);
      close();
    }
    await pause(
      Math.min(reopenFirstMs * 2 ** failures, reopenMaxMs) * (0.5 + Math.random() / 2),
      signal,
    ).catch(() => undefined);
  }
}

/**
 * Messages of a server-sent stream (HTML, section 9.2.6); comments are heard and left out. Ends
 * with the stream or the signal, which it hears itself: the `fetch` of Node.js 20 and 22 forgets
 * its signal when memory is collected while a body is read.
 */
async function* readMessages(
  body: ReadableStream<Uint8Array>,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: () => void },
): AsyncGenerator<{ id?: string; data?: string }, void, undefined> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      onBytes();
      text += decoder.decode(value, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop()!;
      for (const message of messages) {
        const field = (name: string) =>
          message
            .split('\n')
            .filter((line) => line.startsWith(`${name}: `))
            .map((line) => line.slice(name.length + 2));
        const [id] = field('id');
        const data = field('data');
        yield {
          ...(id === undefined ? {} : { id }),
          ...(data.length === 0 ? {} : { data: data.join('\n') }),
        };
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    await reader.cancel().catch(() => undefined);
  }
}

export interface Bell {
  /**
   * Waits for something to happen to the object, `ms` at most; while no stream stands, simply so
   * long.
   */
  rest(ms: number, leftMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * While the stream stands, reading without an event is for what is no event, as a quote that ends.
 */
const quietMaxMs = 5_000;

/** Rings when something happens to one object. Where events cannot be had it never rings. */
export function createBell(
  options: PurserOptions,
  types: string,
  object: string,
  quietMs = quietMaxMs,
): Bell {
  const ending = new AbortController();
  let isOpen = false;
  let hasRung = false;
  let wake: (() => void) | undefined;
  const ring = () => {
    hasRung = true;
    wake?.();
  };
  void (async () => {
    // What happened before the stream stood is seen by the look that it causes.
    const onOpen = () => {
      isOpen = true;
      ring();
    };
    for await (const event of streamEvents(
      options,
      { after: 'latest', types },
      { signal: ending.signal, onOpen },
    ))
      if (event.object === object) ring();
  })()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
      wake?.();
    });
  return {
    async rest(ms, leftMs, signal) {
      if (!hasRung) {
        const stop = new AbortController();
        wake = () => stop.abort();
        const signals = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
        await pause(Math.min(isOpen ? quietMs : ms, leftMs), signals).catch(() =>
          signal?.throwIfAborted(),
        );
        wake = undefined;
      }
      hasRung = false;
    },
    close: () => ending.abort(),
  };
}
