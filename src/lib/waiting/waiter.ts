/** Between two looks, however much happens. */
const lookApartMs = 100;

/**
 * Sleeps until somebody wakes it, a time has passed, or the signal comes; at least a moment apart.
 */
export function createWaiter(signal: AbortSignal) {
  let rung = false;
  let resolveWait: (() => void) | undefined;
  const wake = () => {
    rung = true;
    resolveWait?.();
  };
  signal.addEventListener('abort', () => resolveWait?.(), { once: true });
  const sleep = (ms: number, isEnough: () => boolean) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      resolveWait = () => {
        if (!isEnough()) return;
        clearTimeout(timer);
        resolve();
      };
      resolveWait();
    });
  return {
    wake,
    async wait(ms: number): Promise<void> {
      await sleep(lookApartMs, () => signal.aborted);
      if (!rung && !signal.aborted) await sleep(ms, () => rung || signal.aborted);
      rung = false;
    },
  };
}
