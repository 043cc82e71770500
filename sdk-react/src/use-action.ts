import { useCallback, useEffect, useRef, useState } from 'react';

type State<T> =
  | { readonly status: 'idle' | 'running'; readonly value?: undefined; readonly error?: undefined }
  | { readonly status: 'done'; readonly value: T; readonly error?: undefined }
  | { readonly status: 'failed'; readonly value?: undefined; readonly error: Error };

export type Action<Args extends readonly unknown[], T> = State<T> & {
  /** Starts it; one that still runs is let go of. Never throws: what went wrong is `error`. */
  readonly run: (...args: Args) => Promise<T | undefined>;
  /** Back to `idle`; what runs is let go of. */
  readonly reset: () => void;
};

/**
 * Something that is done on demand and takes a while. The signal is aborted when it is reset or its
 * component goes.
 */
export function useAction<Args extends readonly unknown[], T>(
  act: (signal: AbortSignal, ...args: Args) => Promise<T>,
): Action<Args, T> {
  const [state, setState] = useState<State<T>>({ status: 'idle' });
  const running = useRef<AbortController | undefined>(undefined);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(async (...args: Args) => {
    running.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState({ status: 'running' });
    try {
      const value = await latest.current(signal, ...args);
      if (!signal.aborted) setState({ status: 'done', value });
      return value;
    } catch (error) {
      if (!signal.aborted)
        setState({
          status: 'failed',
          error: error instanceof Error ? error : new Error(String(error)),
        });
      return undefined;
    }
  }, []);
  const reset = useCallback(() => {
    running.current?.abort();
    setState({ status: 'idle' });
  }, []);
  return { ...state, run, reset };
}

export interface Loaded<T> {
  /** What was read last; of another key never. */
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly refresh: () => void;
}

/**
 * Something that is read when `key` is there and each time it changes, and every `pollMs` while the
 * page is looked at.
 */
export function useLoaded<T>(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<T>,
  pollMs?: number,
): Loaded<T> {
  const [state, setState] = useState<{
    key?: string | undefined;
    value?: T;
    error?: Error | undefined;
  }>({});
  const [round, setRound] = useState(0);
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        if (!document.hidden || round === 0) {
          const value = await latest.current(signal);
          if (!signal.aborted) setState({ key, value });
        }
      } catch (error) {
        if (!signal.aborted)
          setState((known) => ({
            ...(known.key === key ? known : { key }),
            error: error as Error,
          }));
      }
      if (!signal.aborted && pollMs !== undefined) timer = setTimeout(look, pollMs);
    };
    void look();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [key, pollMs, round]);
  const refresh = useCallback(() => setRound((known) => known + 1), []);
  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    refresh,
  };
}
