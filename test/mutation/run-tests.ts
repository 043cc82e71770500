/**
 * Asks test files of a scratch copy, in the order given, up to the first test that fails: each run
 * is a process of its own.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/** Of one test or hook. */
export const testMaxMs = 60_000;
/**
 * Nothing has ended for as long: a loop that never yields, which the time-outs of the tests do not
 * stop.
 */
const silenceMaxMs = 2 * testMaxMs;
/** What a run that is told to end has for its own browsers, chains and processes. */
const endMaxMs = 5_000;

const setting = 'PURSER_ASKED_TESTS';

interface Asked {
  readonly files: readonly string[];
  /** They need neither the database nor compiled programs. */
  readonly isAlone: boolean;
  /** All of them, whichever fails. */
  readonly isWhole: boolean;
}

/** What a run says of a test, of a whole file, or only that it goes on. */
export interface News {
  readonly kind: 'test' | 'file' | 'step';
  readonly file: string;
  readonly name: string;
  readonly state: string;
}

export interface TestRun {
  /** The test that failed first, or the file that could not even be read. */
  readonly failed?: Omit<News, 'state'>;
  /** Files that passed whole. */
  readonly passed: readonly string[];
  readonly testsPassed: number;
  /**
   * Why it ended before all were asked: nothing moved any more, the time was over, or whoever asked
   * wants no more.
   */
  readonly cut?: 'silent' | 'late' | 'stopped';
}

export const askedFiles = (): Asked => JSON.parse(process.env[setting] ?? '{"files":[]}') as Asked;

export interface RunOptions extends Partial<Asked> {
  readonly files: readonly string[];
  /** Only tests whose full name fits. */
  readonly pattern?: string;
  readonly maxMs: number;
  readonly signal?: AbortSignal;
}

/** @param folder a scratch copy */
export async function runTests(
  folder: string,
  { files, isAlone = false, isWhole = false, pattern, maxMs, signal }: RunOptions,
): Promise<TestRun> {
  if (files.length === 0) return { passed: [], testsPassed: 0 };
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--config',
    'test/mutation/vitest.config.ts',
    ...(pattern === undefined ? [] : ['-t', pattern]),
  ];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    // A group of its own: what it started ends with it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, [setting]: JSON.stringify({ files, isAlone, isWhole } satisfies Asked) },
  });
  if (child.pid !== undefined) setPriority(child.pid, 10);
  const endNow = () => endGroup(child.pid, 'SIGKILL');
  process.on('exit', endNow);
  const run: {
    failed?: TestRun['failed'];
    passed: string[];
    testsPassed: number;
    cut?: TestRun['cut'];
  } = { passed: [], testsPassed: 0 };
  const end = (cut: NonNullable<TestRun['cut']>) => {
    run.cut ??= cut;
    endGroup(child.pid, 'SIGTERM');
    setTimeout(() => endGroup(child.pid, 'SIGKILL'), endMaxMs).unref();
  };
  const stop = () => end('stopped');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const late = setTimeout(() => end('late'), maxMs);
  let silent = setTimeout(() => end('silent'), silenceMaxMs);
  child.on('message', ({ kind, file, name, state }: News) => {
    clearTimeout(silent);
    silent = setTimeout(() => end('silent'), silenceMaxMs);
    if (state === 'failed') run.failed ??= { kind, file, name };
    else if (state === 'passed' && kind === 'file') run.passed.push(file);
    else if (state === 'passed') run.testsPassed += 1;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearTimeout(late);
  clearTimeout(silent);
  signal?.removeEventListener('abort', stop);
  process.off('exit', endNow);
  endNow();
  // It failed before any test did: a setup or the reading of a module.
  if (code !== 0 && run.failed === undefined && run.cut === undefined)
    run.failed = { kind: 'file', file: files[0]!, name: 'the run itself failed' };
  return run;
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It is gone.
  }
}
