import { webhooksCommand, webhooksUsage } from '../../src/areas/webhooks/index.ts';
import { quietLog } from '../lifecycle.ts';
import type { Command } from './command.ts';

export const webhooks: Command = {
  usage: webhooksUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await webhooksCommand({ ...ctx, log: quietLog }, input);
  },
};
