import { reconcileCommand } from '../../src/areas/reconciliation/index.ts';
import { reconcileUsage } from '../../src/areas/reconciliation/usage.ts';
import { treasuryCommand } from '../../src/areas/treasury/index.ts';
import { treasuryUsage } from '../../src/areas/treasury/usage.ts';
import { ledgerCommand, ledgerUsage } from '../../src/ledger/index.ts';
import type { Command } from './command.ts';
import { withLateService } from './service.ts';

export const treasury: Command = {
  usage: treasuryUsage,
  async run(call) {
    const opened = await call.open();
    await withLateService(opened, (openService) => treasuryCommand(openService, opened.input));
  },
};

export const ledger: Command = {
  usage: ledgerUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    return ledgerCommand(ctx.store, input);
  },
};

export const reconcile: Command = {
  usage: reconcileUsage,
  async run(call) {
    const opened = await call.open();
    return withLateService(opened, (openService) => reconcileCommand(openService, opened.input));
  },
};
