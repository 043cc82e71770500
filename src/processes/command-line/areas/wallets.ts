import { walletsUsage } from '../../../areas/signers/operator/usage.ts';
import type { Command } from '../command.ts';

export const wallets: Command = {
  usage: walletsUsage,
  async run(call) {
    const { walletsCommand } = await import('../../../areas/signers/index.ts');
    const { withLateService } = await import('../service.ts');
    const opened = await call.open();
    return withLateService(opened, (openService) => walletsCommand(openService, opened.input));
  },
};
