import { spawn } from 'node:child_process';

export interface Watchdog {
  /** Sends it home: the server was stopped in an orderly way. */
  dismiss(): void;
}

// `read` returns when the parent writes a line (dismissed) or when its end of the pipe closes,
// which is when it dies.
const script = `
read -r word && exit 0
kill -"$1" "$2" 2>/dev/null
tries=0
while kill -0 "$2" 2>/dev/null && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$2" 2>/dev/null
rm -rf -- "$3"
`;

/**
 * A shell that waits for the death of this process, then ends `pid` with `signal` and removes
 * `folder`. For throw-away servers.
 */
export function startWatchdog(input: {
  readonly pid: number;
  readonly signal: 'TERM' | 'QUIT';
  readonly folder: string;
}): Watchdog {
  const shell = spawn(
    '/bin/sh',
    ['-c', script, 'purser-watchdog', input.signal, String(input.pid), input.folder],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  // Without a shell nothing watches; the server is stopped by `stop` all the same.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return { dismiss: () => shell.stdin.end('done\n') };
}
