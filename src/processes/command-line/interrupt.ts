/** Runs what lasts until Ctrl-C, SIGTERM or the end of whoever reads the output. */
export async function untilInterrupted(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = new AbortController();
  const end = () => interrupted.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  process.stdout.once('error', end);
  try {
    await run(interrupted.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    process.stdout.off('error', end);
  }
}
