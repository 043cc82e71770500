import { approvalPageCommand, approvalPageUsage } from '../../../areas/approval-page/command.ts';
import {
  identityCommand,
  identityUsage,
  usersCommand,
  usersUsage,
} from '../../../areas/operator/people/command.ts';
import { quietLog } from '../../lifecycle.ts';
import type { Command } from '../command.ts';

export const users: Command = {
  usage: usersUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await usersCommand({ ...ctx, log: quietLog }, input);
  },
};

export const identity: Command = {
  usage: identityUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await identityCommand({ ...ctx, log: quietLog }, input);
  },
};

export const approvalPage: Command = {
  usage: approvalPageUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await approvalPageCommand(ctx, input);
  },
};
