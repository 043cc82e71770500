import { collectionsCommand } from '../../../areas/collections/index.ts';
import { collectionsUsage } from '../../../areas/collections/usage.ts';
import type { Command } from '../command.ts';
import { withService } from '../service.ts';

export const collections: Command = {
  usage: collectionsUsage,
  async run(call) {
    const opened = await call.open();
    await withService(opened, (ctx) => collectionsCommand(ctx, opened.input));
  },
};
