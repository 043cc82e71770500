import type { Ctx, RequestCtx } from '../../context.ts';
import { startFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator } from '../../lib/locator/locator.ts';
import { isUniqueViolation } from '../../store/pg-errors.ts';
import type { Tx } from '../../store/types.ts';
import { changeUser, findUser } from '../users/index.ts';
import { eraseProfileFlow } from './erase-flow.ts';
import { makeProfileKey, openLabel, openProfileKey, sealLabel } from './sealed.ts';
import {
  type BrowserProfileRow,
  insertProfile,
  markDeleted,
  selectProfile,
  updateLabel,
} from './store.ts';

export interface BrowserProfile {
  readonly id: string;
  readonly label?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const changeAttemptsMax = 5;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A user has one at most. @throws not-authorized, browser-profile-exists, conflict */
export async function createBrowserProfile(
  ctx: RequestCtx,
  input: { readonly label?: string | undefined },
): Promise<BrowserProfile> {
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  const now = ctx.clock.now();
  try {
    return await changeUser(
      ctx,
      { locator: callerLocator(ctx), create: true },
      async (tx, user) => {
        const there = await selectProfile(tx, { personId: user.id });
        if (there?.id === id) return openProfile(ctx, there);
        if (there) throw new ServiceError('browser-profile-exists');
        const place = { id, projectId: user.projectId, userId: user.id };
        const { sealedKey, sealedBy, sealer } = makeProfileKey(ctx, place);
        const sealedLabel =
          input.label === undefined ? null : sealLabel(sealer, place, 1, input.label);
        const row = {
          ...place,
          sealedKey,
          sealedLabel,
          labelVersion: 1,
          createdAt: now,
          updatedAt: now,
        };
        await insertProfile(tx, { ...row, sealedBy });
        return openProfile(ctx, row);
      },
    );
  } catch (error) {
    if (isUniqueViolation(error, 'browser_profiles_one_per_user'))
      throw new ServiceError('browser-profile-exists', { cause: error });
    throw error;
  }
}

/** @throws not-authorized, browser-profile-not-found */
export async function getBrowserProfile(ctx: RequestCtx, id: string): Promise<BrowserProfile> {
  return openProfile(ctx, await requireProfile(ctx, id));
}

/** None or one. @throws not-authorized */
export async function listBrowserProfiles(ctx: RequestCtx): Promise<readonly BrowserProfile[]> {
  const personId = await findPersonId(ctx);
  const row = personId === undefined ? undefined : await selectProfile(ctx.store, { personId });
  return row ? [openProfile(ctx, row)] : [];
}

/**
 * @throws not-authorized, browser-profile-not-found, conflict when it was changed at the same time,
 * again and again
 */
export async function updateBrowserProfile(
  ctx: RequestCtx,
  id: string,
  change: { readonly label: string },
): Promise<BrowserProfile> {
  for (let attempt = 1; attempt <= changeAttemptsMax; attempt++) {
    const row = await requireProfile(ctx, id);
    const now = ctx.clock.now();
    const sealedLabel = sealLabel(
      openProfileKey(ctx, row),
      row,
      row.labelVersion + 1,
      change.label,
    );
    if (
      await updateLabel(ctx.store, {
        id: row.id,
        versionBefore: row.labelVersion,
        sealedLabel,
        now,
      })
    )
      return { id: row.id, label: change.label, createdAt: row.createdAt, updatedAt: now };
  }
  throw new ServiceError('conflict');
}

/**
 * Deletes the profile and schedules its erasure, both or neither. Runs that began with it go on
 * with their copy; what they learn is dropped, and the key is destroyed when the last of them is
 * over. It cannot be undone.
 * @throws not-authorized, browser-profile-not-found, profile-erasure-unavailable
 */
export async function deleteBrowserProfile(ctx: RequestCtx, id: string): Promise<void> {
  const row = await requireProfile(ctx, id);
  const deleted = await ctx.store
    .transaction(async (tx) => {
      const marked = await markDeleted(tx, { id: row.id, now: ctx.clock.now() });
      if (marked) await scheduleErasure(ctx, tx, row);
      return marked;
    })
    .catch((error: unknown) => {
      throw new ServiceError('profile-erasure-unavailable', { cause: error });
    });
  if (!deleted) throw new ServiceError('browser-profile-not-found');
}

async function scheduleErasure(
  ctx: Ctx,
  tx: Tx,
  { id, projectId }: BrowserProfileRow,
): Promise<void> {
  await startFlow(ctx, tx, eraseProfileFlow, { projectId, key: id, state: { profileId: id } });
}

async function requireProfile(ctx: RequestCtx, id: string): Promise<BrowserProfileRow> {
  const personId = uuidPattern.test(id) ? await findPersonId(ctx) : undefined;
  const row = personId === undefined ? undefined : await selectProfile(ctx.store, { personId, id });
  if (!row) throw new ServiceError('browser-profile-not-found');
  return row;
}

/** The person behind the call; undefined while nobody has stored anything of them. */
async function findPersonId(ctx: RequestCtx): Promise<string | undefined> {
  try {
    return (await findUser(ctx, callerLocator(ctx))).id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return undefined;
    throw error;
  }
}

function callerLocator({ caller }: RequestCtx): string {
  if (!caller.user) throw new ServiceError('not-authorized');
  return formatUserLocator(caller.user);
}

function openProfile(ctx: Pick<Ctx, 'config'>, row: BrowserProfileRow): BrowserProfile {
  // Also where there is no label: the key opens for its user only.
  const sealer = openProfileKey(ctx, row);
  const label =
    row.sealedLabel === null
      ? undefined
      : openLabel(sealer, row, row.labelVersion, row.sealedLabel);
  return {
    id: row.id,
    ...(label !== undefined && { label }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
