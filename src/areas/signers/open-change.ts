import type { Ctx } from '../../context.ts';
import { move } from '../../machine/machine.ts';
import { signerChangeMachine } from './machine.ts';
import { endChanges } from './settle.ts';
import { type SignerChange, selectOpenChange } from './store.ts';
import { type ChangeObject, loadChangeObjects } from './view.ts';

/** A change that is under way, and its object. */
export interface OpenChange {
  readonly change: SignerChange;
  readonly object: ChangeObject;
}

/**
 * Thrown inside of a database transaction to undo it: another call was there first, or the signer
 * has changed meanwhile.
 */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/**
 * The change of a kind that is under way for a signer on a chain. One whose object has ended
 * without a word from the chain (nobody approved it in time) is ended here.
 */
export async function findOpenChange(
  ctx: Ctx,
  key: { walletId: string; signerId: string; chain: string; kind: 'add' | 'remove' },
): Promise<OpenChange | undefined> {
  const change = await selectOpenChange(ctx.store, key);
  if (!change) return undefined;
  const object = (await loadChangeObjects(ctx, key.walletId, [change])).get(change.id);
  if (object && object.status !== 'failed') return { change, object };
  await ctx.store.transaction((tx) =>
    endChanges(ctx, tx, [
      { change, to: move(signerChangeMachine, change.status, 'refused'), at: ctx.clock.now() },
    ]),
  );
  return undefined;
}
