import {
  depositsUsage,
  orderOperatorUsage,
  ordersUsage,
  refundRequestsUsage,
} from '../../../areas/orders/operator/usage.ts';
import type { Command } from '../command.ts';

export const orders: Command = {
  usage: `${orderOperatorUsage}\n${refundRequestsUsage}\n\n${ordersUsage}`,
  async run(call) {
    const { orderOperatorCommand, ordersCommand, refundRequestsCommand } = await import(
      '../../../areas/orders/index.ts'
    );
    const { withService } = await import('../service.ts');
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
    const { depositsCommand } = await import('../../../areas/orders/index.ts');
    const { withService } = await import('../service.ts');
    const opened = await call.open();
    await withService(opened, (ctx) => depositsCommand(ctx, opened.input));
  },
};
