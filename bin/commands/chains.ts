import { chainsCommand } from '../../src/chains/evm/cli/command.ts';
import { gasCommand } from '../../src/chains/evm/cli/gas-command.ts';
import { chainsUsage, gasUsage } from '../../src/chains/evm/cli/usage.ts';
import type { Command } from './command.ts';

export const chains: Command = {
  usage: chainsUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await chainsCommand(ctx, input);
  },
};

export const gas: Command = {
  usage: gasUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await gasCommand(ctx, input);
  },
};
