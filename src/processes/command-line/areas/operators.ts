import { auditUsage } from '../../../areas/operations/usage.ts';
import { operatorsUsage } from '../../../areas/operator/operators/usage.ts';
import type { Command } from '../command.ts';

export const operators: Command = {
  usage: operatorsUsage,
  async run(call) {
    const { operatorsCommand } = await import('../../../areas/operator/index.ts');
    const { requireProject } = await import('../../../areas/projects/index.ts');
    const { ctx, input } = await call.open();
    await operatorsCommand(ctx, {
      ...input,
      requireProject: async (id) => void (await requireProject(ctx, id)),
    });
  },
};

export const audit: Command = {
  usage: auditUsage,
  async run(call) {
    const { auditCommand } = await import('../../../areas/operations/index.ts');
    const { hasOperators } = await import('../../../areas/operator/index.ts');
    const { ctx, input } = await call.open();
    return auditCommand(ctx, { ...input, hadEntries: () => hasOperators(ctx.store) });
  },
};
