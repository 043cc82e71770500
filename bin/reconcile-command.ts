import { type ReconcileCommandInput, reconcileCommand } from '../src/areas/reconciliation/index.ts';
import type { Config } from '../src/config/config.ts';
import type { Ctx } from '../src/context.ts';
import type { Clock } from '../src/lib/clock.ts';
import { openService } from './treasury-command.ts';

/** Runs `purser reconcile` on the whole service without its processes. @returns the exit code @throws CommandError, ServiceError */
export async function runReconcileCommand(config: Config, clock: Clock, input: ReconcileCommandInput): Promise<number> {
  let ctx: Ctx | undefined;
  try {
    return await reconcileCommand(async () => {
      ctx = openService(config, clock);
      return ctx;
    }, input);
  } finally {
    await ctx?.store.close();
  }
}
