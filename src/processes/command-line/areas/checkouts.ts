import { checkoutsUsage } from '../../../areas/agent-checkouts/decisions/usage.ts';
import { checkoutsCommand } from '../../../areas/agent-checkouts/index.ts';
import type { Command } from '../command.ts';
import { withService } from '../service.ts';

export const checkouts: Command = {
  usage: checkoutsUsage,
  async run(call) {
    const opened = await call.open();
    await withService(opened, (ctx) => checkoutsCommand(ctx, opened.input));
  },
};
