import { completeLocalConfig } from '../../../devnet/index.ts';
import type { Ctx } from '../../context.ts';
import { CommandError } from '../../lib/command.ts';
import { composeCtx } from '../compose.ts';
import { quietLog } from '../lifecycle.ts';
import type { Opened } from './command.ts';

/** Runs what needs the whole service, without its processes. @throws CommandError */
export function withService<Answer>(
  opened: Opened,
  run: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> {
  return withLateService(opened, async (openService) => run(await openService()));
}

/** The same for what looks at the words first. */
export async function withLateService<Answer>(
  opened: Opened,
  run: (openService: () => Promise<Ctx>) => Promise<Answer>,
): Promise<Answer> {
  let ctx: Ctx | undefined;
  try {
    return await run(async () => {
      ctx ??= await openService(opened);
      return ctx;
    });
  } finally {
    await ctx?.store.close();
  }
}

async function openService({ config, clock }: Opened): Promise<Ctx> {
  if (config.keyEncryptionKeys.length === 0)
    throw new CommandError(
      'KEY_ENCRYPTION_KEYS is not set: without it the keys of the service cannot be opened.',
    );
  return composeCtx(await completeLocalConfig(config), { log: quietLog, process: 'purser', clock });
}
