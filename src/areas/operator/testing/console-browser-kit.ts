import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { addAuthenticator, startBrowser } from '../../../../test/harness/browser.ts';
import { runScheduledJobs } from '../../../jobs/every.ts';
import { commandLineActor } from '../../operations/index.ts';
import { performActions } from '../actions/perform.ts';
import { inviteOperator } from '../operators/operators.ts';
import { type ConsoleWorld, freePort, startConsoleWorld } from './console-kit.ts';

/** The console as it is built, in a browser with a passkey's device, and a worker that decides. */
export interface OpenConsole {
  readonly world: ConsoleWorld;
  readonly browser: Browser;
  readonly page: Page;
  /** Opens the link of an invitation of an admin of every project, up to the inbox. */
  join(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Builds the console where it is older than its sources. */
export function buildConsole(): void {
  execFileSync(process.execPath, ['scripts/build-console.mjs', '--if-stale'], {
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
    stdio: 'pipe',
    timeout: 60_000,
  });
}

export async function openConsole(
  options: Pick<NonNullable<Parameters<typeof startConsoleWorld>[0]>, 'config'> = {},
): Promise<OpenConsole> {
  buildConsole();
  const world = await startConsoleWorld({ port: await freePort(), ...options });
  const worker = runScheduledJobs(
    [{ name: 'actions', everyMs: 100, run: () => performActions(world.workerCtx) }],
    world.ctx.log,
  );
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await addAuthenticator(page);
  return {
    world,
    browser,
    page,
    async join(name) {
      const { token } = await inviteOperator(world.ctx, {
        name,
        role: 'admin',
        actor: commandLineActor(),
      });
      await page.goto(`${world.origin}/console/join#${token}`);
      await page.getByRole('button', { name: 'Register a passkey' }).click();
      await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    },
    async close() {
      await browser.close();
      await worker.stop();
      await world.close();
    },
  };
}
