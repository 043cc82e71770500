import { depositsCommand, type OperatorCommandInput, orderOperatorCommand, refundRequestsCommand } from '../src/areas/orders/index.ts';
import type { Config } from '../src/config/config.ts';
import type { Ctx } from '../src/context.ts';
import type { Clock } from '../src/lib/clock.ts';
import { openService } from './treasury-command.ts';

const commands = { orders: ordersCommand, deposits: depositsCommand };

function ordersCommand(ctx: Ctx, input: OperatorCommandInput): Promise<void> {
  const [noun, ...argv] = input.argv;
  return noun === 'refunds' ? refundRequestsCommand(ctx, { ...input, argv }) : orderOperatorCommand(ctx, input);
}

/** Runs an operator's `purser orders …` or `purser deposits …` on the whole service without its processes. @throws CommandError, ServiceError */
export async function runOperatorCommand(
  which: keyof typeof commands,
  { config, clock, input }: { readonly config: Config; readonly clock: Clock; readonly input: OperatorCommandInput },
): Promise<void> {
  const ctx = openService(config, clock);
  try {
    await commands[which](ctx, input);
  } finally {
    await ctx.store.close();
  }
}
