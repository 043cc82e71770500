import { walletsCommand } from '../../../areas/signers/index.ts';
import { walletsUsage } from '../../../areas/signers/usage.ts';
import type { Command } from '../command.ts';
import { withLateService } from '../service.ts';

export const wallets: Command = {
  usage: walletsUsage,
  async run(call) {
    const opened = await call.open();
    return withLateService(opened, (openService) => walletsCommand(openService, opened.input));
  },
};
