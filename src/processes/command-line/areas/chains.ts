import { chainsCommand, chainsUsage } from '../../../chains/cli/chains.ts';
import { gasCommand } from '../../../chains/cli/gas.ts';
import { gasUsage } from '../../../chains/cli/usage.ts';
import type { Command } from '../command.ts';

export const chains: Command = {
  usage: chainsUsage,
  async run(call) {
    const { ctx, config, input } = await call.open();
    await chainsCommand({ config, store: ctx.store }, input);
  },
};

export const gas: Command = {
  usage: gasUsage,
  async run(call) {
    const { ctx, config, input } = await call.open();
    await gasCommand({ config, store: ctx.store }, input);
  },
};
