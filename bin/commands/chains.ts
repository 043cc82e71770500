import { chainsCommand } from '../../src/chains/evm/command.ts';
import { chainsUsage } from '../../src/chains/evm/usage.ts';
import type { Command } from './command.ts';

export const chains: Command = {
  usage: chainsUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await chainsCommand(ctx, input);
  },
};
