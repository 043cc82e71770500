import { keysCommand, keysUsage } from '../../../areas/api-keys/index.ts';
import {
  issuersCommand,
  issuersUsage,
  projectsCommand,
  projectsUsage,
  tokenCommand,
  tokenUsage,
} from '../../../areas/projects/index.ts';
import type { Command } from '../command.ts';
import { printKeySigningKey } from '../key-signing.ts';

export const projects: Command = {
  usage: projectsUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await projectsCommand(ctx, input);
  },
};

export const keys: Command = {
  usage: `${keysUsage}
purser keys public-key              the public half of KEY_SIGNING_SEED, for KEY_SIGNING_PUBLIC_KEY of the other processes`,
  async run(call) {
    if (call.argv[0] === 'public-key') return printKeySigningKey(call);
    const { ctx, input } = await call.open();
    await keysCommand(ctx, input);
  },
};

export const issuers: Command = {
  usage: issuersUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await issuersCommand(ctx, input);
  },
};

export const token: Command = {
  usage: tokenUsage,
  async run(call) {
    const { ctx, input, userJwtKey } = await call.open();
    await tokenCommand(ctx, { ...input, key: userJwtKey });
  },
};
