import { checkoutsUsage } from '../../../areas/agent-checkouts/decisions/usage.ts';
import type { Command } from '../command.ts';

export const checkouts: Command = {
  usage: checkoutsUsage,
  async run(call) {
    const { checkoutsCommand } = await import('../../../areas/agent-checkouts/index.ts');
    const { withService } = await import('../service.ts');
    const opened = await call.open();
    await withService(opened, (ctx) => checkoutsCommand(ctx, opened.input));
  },
};
