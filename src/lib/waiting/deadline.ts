/**
 * A signal that is aborted after `timeoutMs` with a `TimeoutError`, or with any of `signals`. Not
 * `AbortSignal.timeout` below `AbortSignal.any`: Node.js 20 collects a timeout that only a joined
 * signal refers to, and it then never comes (`deadline.test.ts` shows it).
 */
export function deadlineSignal(
  timeoutMs: number,
  ...signals: readonly (AbortSignal | null | undefined)[]
): AbortSignal {
  const late = new AbortController();
  // The timer is what holds the controller.
  setTimeout(
    () => late.abort(new DOMException(`It took longer than ${timeoutMs} ms.`, 'TimeoutError')),
    timeoutMs,
  ).unref();
  return AbortSignal.any([
    late.signal,
    ...signals.filter((signal) => signal instanceof AbortSignal),
  ]);
}

/** Whether a deadline passed, and not another signal came. */
export function isLate(signal: AbortSignal): boolean {
  return (
    signal.aborted && signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
  );
}
