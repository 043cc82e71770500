import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface KeptChild {
  stop(): Promise<void>;
}

export interface ChildInput {
  /** Path of a program below `bin/` that understands `--with-parent`. */
  readonly program: string;
  /** Its variables; it gets nothing else of ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Begins a sentence: `The vault`. */
  readonly title: string;
  /** Ends one: `payment methods are refused`. */
  readonly withoutIt: string;
  readonly print: (text: string) => void;
}

const runSource = fileURLToPath(new URL('../../scripts/run-source.mjs', import.meta.url));
const stopMaxMs = 15_000;
/** More ends than this within the window are no accident. */
const endsMax = 5;
const endsWindowMs = 10 * 60_000;
const pauseMs = 500;

/**
 * Runs a process of its own and starts it again when it ends by itself. It gets its own variables
 * and nothing else of ours, writes its own log, and ends when we do, however that happens.
 */
export function keepChild(input: ChildInput): KeptChild {
  const { title, print } = input;
  const stopping = new AbortController();
  let run = start(input);

  async function keep(): Promise<void> {
    for (const endedAtMs: number[] = []; ; ) {
      const refusal = await run.ended;
      if (stopping.signal.aborted) return;
      endedAtMs.push(performance.now());
      if (endedAtMs.filter((ms) => ms > performance.now() - endsWindowMs).length > endsMax) {
        print(
          `${title} ended by itself too often and stays down; ${input.withoutIt}. See ${input.logFile}.`,
        );
        return;
      }
      print(
        refusal
          ? `${title} cannot be started (${refusal.message}); trying again.`
          : `${title} ended by itself; starting it again.`,
      );
      await delay(pauseMs);
      if (stopping.signal.aborted) return;
      run = start(input);
    }
  }

  const kept = keep();
  return {
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => run.child?.kill('SIGKILL'), stopMaxMs);
      run.child?.kill('SIGTERM');
      await run.ended;
      clearTimeout(timer);
      await kept;
    },
  };
}

interface Run {
  readonly child?: ChildProcess;
  /**
   * Never rejects; with the reason when it could not be started at all, as on a machine without
   * memory or places for files.
   */
  readonly ended: Promise<Error | undefined>;
}

function start(input: ChildInput): Run {
  try {
    const child = spawnChild(input);
    const ended = new Promise<Error | undefined>((resolve) => {
      child.on('exit', () => resolve(undefined));
      child.on('error', (error) => child.pid === undefined && resolve(error));
    });
    return { child, ended };
  } catch (error) {
    return { ended: Promise.resolve(error instanceof Error ? error : new Error(String(error))) };
  }
}

function spawnChild({ program, env, logFile }: ChildInput): ChildProcess {
  const output = openSync(logFile, 'a', 0o600);
  try {
    // A session of its own, so that Ctrl-C reaches us alone; standard input ends when we do.
    return spawn(process.execPath, [runSource, program, '--with-parent'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      detached: true,
      stdio: ['pipe', output, output],
      env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' },
    });
  } finally {
    closeSync(output);
  }
}
