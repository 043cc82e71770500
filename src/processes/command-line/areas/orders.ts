import {
  depositsCommand,
  depositsUsage,
  orderOperatorCommand,
  orderOperatorUsage,
  ordersCommand,
  ordersUsage,
  refundRequestsCommand,
  refundRequestsUsage,
} from '../../../areas/orders/index.ts';
import type { Command } from '../command.ts';
import { withService } from '../service.ts';

export const orders: Command = {
  usage: `${orderOperatorUsage}\n${refundRequestsUsage}\n\n${ordersUsage}`,
  async run(call) {
    const [noun, ...argv] = call.argv;
    const opened = await call.open();
    const { input } = opened;
    if (noun === undefined || noun === 'settings' || noun === 'help')
      await ordersCommand(opened.ctx, input);
    else
      await withService(opened, (ctx) =>
        noun === 'refunds'
          ? refundRequestsCommand(ctx, { ...input, argv })
          : orderOperatorCommand(ctx, input),
      );
  },
};

export const deposits: Command = {
  usage: depositsUsage,
  async run(call) {
    const opened = await call.open();
    await withService(opened, (ctx) => depositsCommand(ctx, opened.input));
  },
};
