import type { Ctx } from '../../context.ts';
import { type CardEventHandler, receiveCardCallback } from './callbacks.ts';

/**
 * Lets the sandbox acquirer do what its time has come for, and call back. For the worker, every
 * second or so; several may run at once. Does nothing where another acquirer is configured.
 */
export async function runSandboxCard(ctx: Ctx, handle: CardEventHandler): Promise<void> {
  const sandbox = ctx.providers.card?.sandbox;
  if (!sandbox) return;
  await sandbox.advance();
  await deliverSandboxCallbacks(ctx, handle);
}

/** Hands over what is due as the acquirer would post it: signed, and verified on arrival. */
export async function deliverSandboxCallbacks(ctx: Ctx, handle: CardEventHandler): Promise<void> {
  const { card } = ctx.providers;
  await card?.sandbox?.deliverCallbacks(async (callback) => {
    try {
      return (
        (await receiveCardCallback(ctx, { provider: card.name, ...callback }, (events) =>
          handle(ctx, events),
        )) === 'handled'
      );
    } catch (error) {
      ctx.log.warn({ error }, 'a callback of the sandbox acquirer was not taken: it comes again');
      return false;
    }
  });
}
