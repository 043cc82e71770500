import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HttpLoad, HttpLoadResult } from './load-http.ts';
import type { SqlLoad, SqlLoadResult } from './load-sql.ts';

/** A process that makes load, kept for all rounds so that it stays warm. */
export interface LoadProcess<Job, Result> {
  run(job: Job): Promise<Result>;
  close(): void;
}

export const startHttpLoad = () => startLoad<HttpLoad, HttpLoadResult>('load-http.ts');
export const startSqlLoad = () => startLoad<SqlLoad, SqlLoadResult>('load-sql.ts');

function startLoad<Job extends object, Result>(file: string): LoadProcess<Job, Result> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
        child.once('exit', onExit);
        child.once('message', (message: { result: Result } | { error: string }) => {
          child.off('exit', onExit);
          if ('error' in message) reject(new Error(`${file}: ${message.error}`));
          else resolve(message.result);
        });
        child.send(job);
      }),
    close: () => child.kill('SIGKILL'),
  };
}

/** The other side: answers each job that arrives. */
export function serveLoad<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send?.({ result }),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
