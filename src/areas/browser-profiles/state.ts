import type { Ctx } from '../../context.ts';
import { wakeFlow } from '../../jobs/index.ts';
import type { BrowserState } from '../../runner/types.ts';
import type { Tx } from '../../store/types.ts';
import { eraseProfileFlow } from './erase-flow.ts';
import { openProfileKey, openState, sealState } from './sealed.ts';
import { deleteUse, insertUse, selectState, updateState } from './store.ts';

/** What a browser remembered, and the version to hand back with what it has learned. */
export interface StateSnapshot {
  /** Absent until a run has saved something. */
  readonly state?: BrowserState;
  readonly version: number;
}

/**
 * The browser state of a profile, for a run that begins; undefined once the profile was deleted.
 */
export async function readBrowserState(
  ctx: Pick<Ctx, 'config' | 'store'>,
  profileId: string,
): Promise<StateSnapshot | undefined> {
  const row = await selectState(ctx.store, profileId);
  if (!row) return undefined;
  const state =
    row.sealedState === null
      ? undefined
      : openState(openProfileKey(ctx, row), row, row.stateVersion, row.sealedState);
  return { version: row.stateVersion, ...(state && { state }) };
}

/**
 * Keeps what a run has learned. Of several runs with one profile the first to end is kept: a state
 * is one browser's, and two cannot be mixed.
 * @returns false when another run saved since the snapshot, or the profile was deleted: what was
 * learned is dropped
 */
export async function saveBrowserState(
  ctx: Pick<Ctx, 'config' | 'store'>,
  input: {
    readonly profileId: string;
    readonly versionBefore: number;
    readonly state: BrowserState;
  },
): Promise<boolean> {
  const row = await selectState(ctx.store, input.profileId);
  if (row?.stateVersion !== input.versionBefore) return false;
  const sealedState = sealState(openProfileKey(ctx, row), row, row.stateVersion + 1, input.state);
  return updateState(ctx.store, { id: row.id, versionBefore: row.stateVersion, sealedState });
}

/**
 * Notes that a checkout runs with the profile, in the transaction that stores the checkout. False
 * when it was deleted meanwhile.
 */
export function useBrowserProfile(
  tx: Tx,
  use: { readonly checkoutId: string; readonly profileId: string },
): Promise<boolean> {
  return insertUse(tx, use);
}

/**
 * The checkout is over, in the transaction that ends it: a profile that waits for its erasure may
 * go now.
 */
export async function releaseBrowserProfile(
  ctx: Ctx,
  tx: Tx,
  use: { readonly checkoutId: string; readonly profileId: string },
): Promise<void> {
  await deleteUse(tx, use.checkoutId);
  await wakeFlow(ctx, tx, eraseProfileFlow, use.profileId);
}
