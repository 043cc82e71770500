import { reconcileUsage } from '../../../areas/reconciliation/usage.ts';
import { treasuryUsage } from '../../../areas/treasury/usage.ts';
import { ledgerUsage } from '../../../ledger/usage.ts';
import type { Command } from '../command.ts';

export const treasury: Command = {
  usage: treasuryUsage,
  async run(call) {
    const { treasuryCommand } = await import('../../../areas/treasury/index.ts');
    const { withLateService } = await import('../service.ts');
    const opened = await call.open();
    await withLateService(opened, (openService) => treasuryCommand(openService, opened.input));
  },
};

export const ledger: Command = {
  usage: ledgerUsage,
  async run(call) {
    const { ledgerCommand } = await import('../../../ledger/index.ts');
    const { ctx, input } = await call.open();
    return ledgerCommand(ctx.store, input);
  },
};

export const reconcile: Command = {
  usage: reconcileUsage,
  async run(call) {
    const { reconcileCommand } = await import('../../../areas/reconciliation/index.ts');
    const { withLateService } = await import('../service.ts');
    const opened = await call.open();
    return withLateService(opened, (openService) => reconcileCommand(openService, opened.input));
  },
};
