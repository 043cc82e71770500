import { WaitTimeoutError } from './errors.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Default 60,000. */
  readonly timeoutMs?: number;
}

const firstPauseMs = 250;
const pauseGrowth = 1.2;
const pauseMaxMs = 2_000;
const timeoutDefaultMs = 60_000;

/** Resolves after `ms`, rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** How a wait rests between two looks: a pause, or until something is heard. */
export type Rest = (ms: number, leftMs: number, signal?: AbortSignal) => Promise<void>;

/**
 * Reads until `isDone`, with growing pauses (250 ms to 2 s).
 * @throws WaitTimeoutError with the object as last read; the signal's reason
 */
export async function waitUntil<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  { signal, timeoutMs = timeoutDefaultMs }: WaitOptions = {},
  rest: Rest = (ms, leftMs, stop) => pause(Math.min(ms, leftMs), stop),
): Promise<T> {
  const endsAt = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * pauseGrowth, pauseMaxMs)) {
    signal?.throwIfAborted();
    const value = await read();
    if (isDone(value)) return value;
    const leftMs = endsAt - Date.now();
    if (leftMs <= 0)
      throw new WaitTimeoutError(
        `It did not end within ${timeoutMs} ms. It may still: read it again later.`,
        { status: 0, body: value },
      );
    await rest(pauseMs, leftMs, signal);
  }
}

/**
 * A signal that is aborted after `ms`, or with the other. Node.js 20 collects an
 * `AbortSignal.timeout` below `AbortSignal.any`.
 */
export function deadlineSignal(ms: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const timer: unknown = setTimeout(
    () => late.abort(new DOMException(`No answer within ${ms} ms.`, 'TimeoutError')),
    ms,
  );
  // It keeps no process of Node.js alive; a browser's timer is a number.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer)
    (timer as { unref: () => void }).unref();
  return AbortSignal.any([late.signal, signal]);
}
