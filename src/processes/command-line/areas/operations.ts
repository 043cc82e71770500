import { operationsCommand, operationsUsage } from '../../../areas/operations/index.ts';
import type { Command } from '../command.ts';

export const operations: Command = {
  usage: operationsUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await operationsCommand(ctx, input);
  },
};
