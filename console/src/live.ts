import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from './api.ts';

/** Between two looks, however much happens. */
const apartMs = 1_000;

/**
 * Asks anew for what is on the screen when something has happened, by the event stream. Without one
 * each screen looks by itself, every ten seconds.
 * @returns whether the stream is open
 */
export function useLive(project: string | undefined): boolean {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const source = new EventSource(addressOf('/stream', { project }));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
      }, apartMs);
    };
    source.addEventListener('news', look);
    source.addEventListener('open', () => setOpen(true));
    source.addEventListener('error', () => setOpen(false));
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [project, queries]);
  return isOpen;
}
