import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reporter, TestModule } from 'vitest/node';

/** No hook and no test of `npm test` may take as long (their own time-outs are shorter). */
const silenceMaxMs = Number(process.env.PURSER_TEST_SILENCE_MS ?? 720_000);

const reports = mkdtempSync(join(tmpdir(), 'purser-test-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

/**
 * Lets a worker say what it waits for: `SIGUSR2` makes it write a diagnostic report, unless a loop
 * never yields.
 */
export const reportingExecArgv: readonly string[] =
  process.platform === 'win32'
    ? []
    : ['--report-on-signal', '--report-signal=SIGUSR2', `--report-directory=${reports}`];

interface DiagnosticReport {
  readonly javascriptStack?: { readonly message?: string; readonly stack?: readonly string[] };
  readonly libuv?: readonly {
    readonly type: string;
    readonly is_active?: boolean;
    readonly is_referenced?: boolean;
  }[];
}

/**
 * Ends a run in which nothing has ended for twelve minutes, and says which files were open and
 * where each worker stood. Vitest's time-outs cannot: they do not hold for imports, for a loop that
 * never yields, or for a worker that is gone.
 */
export class SilentRunReporter implements Reporter {
  readonly #open = new Set<string>();
  #newsAtMs = Date.now();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#news();
    this.#timer = setInterval(
      () => {
        if (Date.now() - this.#newsAtMs > silenceMaxMs) void this.#end();
      },
      Math.min(10_000, silenceMaxMs),
    ).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#open.add(nameOf(module));
  }

  onTestModuleEnd(module: TestModule): void {
    this.#news();
    this.#open.delete(nameOf(module));
  }

  onTestCaseResult(): void {
    this.#news();
  }

  onHookEnd(): void {
    this.#news();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #news(): void {
    this.#newsAtMs = Date.now();
  }

  async #end(): Promise<void> {
    clearInterval(this.#timer);
    const lines = [
      `Nothing has ended for ${silenceMaxMs / 1_000} s. Open: ${[...this.#open].join(', ') || 'no file'}`,
    ];
    const workers = workersOf(process.pid);
    for (const pid of workers) process.kill(pid, 'SIGUSR2');
    for (let tries = 0; tries < 5 && readdirSync(reports).length < workers.length; tries += 1)
      await sleep(1_000);
    await sleep(1_000);
    for (const name of readdirSync(reports)) {
      const { javascriptStack, libuv = [] } = JSON.parse(
        readFileSync(join(reports, name), 'utf8'),
      ) as DiagnosticReport;
      lines.push(
        `${name}: ${javascriptStack?.message ?? ''}`,
        ...(javascriptStack?.stack ?? []).map((line) => `  ${line}`),
      );
      const held = libuv
        .filter((handle) => handle.is_active && handle.is_referenced)
        .map((handle) => handle.type);
      lines.push(`  held open by: ${held.join(', ') || 'nothing'}`);
    }
    if (readdirSync(reports).length < workers.length)
      lines.push('A worker without a report is in a loop.');
    console.error(lines.join('\n'));
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    process.exit(1);
  }
}

function nameOf(module: TestModule): string {
  return relative(module.project.config.root, module.moduleId).replaceAll('\\', '/');
}

/** Vitest's forks, where the system lists processes under `/proc`; nothing elsewhere. */
function workersOf(parent: number): number[] {
  if (!existsSync('/proc/self/status')) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!(pid > 0)) return false;
      try {
        const isChild = readFileSync(`/proc/${pid}/status`, 'utf8').includes(
          `\nPPid:\t${parent}\n`,
        );
        return (
          isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--report-on-signal')
        );
      } catch {
        return false; // It ended meanwhile.
      }
    });
}
