import { auditCommand, auditUsage } from '../../../areas/operations/index.ts';
import { hasOperators, operatorsCommand, operatorsUsage } from '../../../areas/operator/index.ts';
import { requireProject } from '../../../areas/projects/index.ts';
import type { Command } from '../command.ts';

export const operators: Command = {
  usage: operatorsUsage,
  async run(call) {
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
    const { ctx, input } = await call.open();
    return auditCommand(ctx, { ...input, hadEntries: () => hasOperators(ctx.store) });
  },
};
