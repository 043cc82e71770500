import { type CheckoutsCommandInput, checkoutsCommand } from '../src/areas/agent-checkouts/index.ts';
import type { Config } from '../src/config/config.ts';
import type { Clock } from '../src/lib/clock.ts';
import { openService } from './treasury-command.ts';

/** Runs `purser checkouts …` on the whole service without its processes. @throws CommandError, ServiceError */
export async function runCheckoutsCommand(config: Config, clock: Clock, input: CheckoutsCommandInput): Promise<void> {
  const ctx = openService(config, clock);
  try {
    await checkoutsCommand(ctx, input);
  } finally {
    await ctx.store.close();
  }
}
