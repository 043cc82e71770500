import { approvalPageUsage } from '../../../areas/approval-page/usage.ts';
import { identityUsage, usersUsage } from '../../../areas/operator/people/usage.ts';
import { quietLog } from '../../lifecycle.ts';
import type { Command } from '../command.ts';

export const users: Command = {
  usage: usersUsage,
  async run(call) {
    const { usersCommand } = await import('../../../areas/operator/people/command.ts');
    const { ctx, input } = await call.open();
    await usersCommand({ ...ctx, log: quietLog }, input);
  },
};

export const identity: Command = {
  usage: identityUsage,
  async run(call) {
    const { identityCommand } = await import('../../../areas/operator/people/command.ts');
    const { ctx, input } = await call.open();
    await identityCommand({ ...ctx, log: quietLog }, input);
  },
};

export const approvalPage: Command = {
  usage: approvalPageUsage,
  async run(call) {
    const { approvalPageCommand } = await import('../../../areas/approval-page/command.ts');
    const { ctx, input } = await call.open();
    await approvalPageCommand(ctx, input);
  },
};
