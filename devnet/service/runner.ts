import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasOpenCheckouts } from '../../src/areas/agent-checkouts/runs/runs-store.ts';
import { developmentRunnerEnvironment } from '../../src/config/development-config.ts';
import type { Ctx } from '../../src/context.ts';
import type { Running } from '../../src/processes/lifecycle.ts';
import { type KeptChild, keepChild } from './child.ts';

const pollMs = 400;

export interface KeptRunner extends Running {
  isRunning(): boolean;
}

/**
 * Runs the runner as a process of its own from the first agent checkout on, and starts it again
 * when it ends by itself: whoever tries wallets pays nothing for browsers.
 */
export function keepRunner(
  ctx: Pick<Ctx, 'store' | 'log'>,
  input: {
    readonly dataDir: string;
    readonly gatewayPort: number;
    readonly allowedPrivateOrigins: readonly string[];
    readonly paymentFrameOrigins: readonly string[];
    /** Of the API, where our own profile for shops is. */
    readonly baseUrl: string;
    readonly tokenizers?: string | undefined;
    readonly print: (text: string) => void;
  },
): KeptRunner {
  let child: KeptChild | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const isWanted = await hasOpenCheckouts(ctx.store).catch(() => false);
    if (stopped) return;
    if (!isWanted) return plan();
    child = keepChild({
      program: fileURLToPath(new URL('../../bin/runner.ts', import.meta.url)),
      env: developmentRunnerEnvironment(input),
      logFile: join(input.dataDir, 'runner.log'),
      title: 'The runner',
      withoutIt: 'agent checkouts wait',
      print: input.print,
    });
    ctx.log.info('the runner starts: there is an agent checkout');
  }
  function plan(): void {
    timer = setTimeout(() => {
      looking = look();
    }, pollMs);
  }

  plan();
  return {
    name: 'runner',
    isRunning: () => child !== undefined,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await child?.stop();
    },
  };
}
