import { collectionsUsage } from '../../../areas/collections/usage.ts';
import type { Command } from '../command.ts';

export const collections: Command = {
  usage: collectionsUsage,
  async run(call) {
    const { collectionsCommand } = await import('../../../areas/collections/index.ts');
    const { withService } = await import('../service.ts');
    const opened = await call.open();
    await withService(opened, (ctx) => collectionsCommand(ctx, opened.input));
  },
};
