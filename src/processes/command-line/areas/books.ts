import { reconcileCommand } from '../../../areas/reconciliation/index.ts';
import { reconcileUsage } from '../../../areas/reconciliation/usage.ts';
import { treasuryCommand } from '../../../areas/treasury/index.ts';
import { treasuryUsage } from '../../../areas/treasury/usage.ts';
import { ledgerCommand, ledgerUsage } from '../../../ledger/index.ts';
import type { Command } from '../command.ts';
import { withLateService } from '../service.ts';

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
