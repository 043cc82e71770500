import type { Ctx, RequestCtx } from '../../context.ts';
import { decodePosition, encodePosition } from '../../lib/cursor.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator } from '../../lib/locator/locator.ts';
import type { Sealer } from '../../lib/sealing/seal.ts';
import { changeUser, findUser, openUserKey, type User } from '../users/index.ts';
import {
  type BuyerProfileChange,
  type BuyerProfileContent,
  buyerProfileContentSchema,
  buyerProfilePageSizeDefault,
} from './schema.ts';
import {
  type BuyerProfileRow,
  countProfiles,
  deleteProfile,
  insertProfile,
  selectProfile,
  selectProfileById,
  selectProfiles,
  updateProfile,
} from './store.ts';

/** A buyer profile with its content open. */
export interface BuyerProfile {
  readonly id: string;
  readonly content: BuyerProfileContent;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const profilesPerUserMax = 100;
const changeAttemptsMax = 5;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws not-authorized, validation-error when the user has too many profiles, conflict */
export async function createBuyerProfile(
  ctx: RequestCtx,
  content: BuyerProfileContent,
): Promise<BuyerProfile> {
  const now = ctx.clock.now();
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  return changeUser(ctx, { locator: callerLocator(ctx), create: true }, async (tx, user) => {
    const earlier = await selectProfile(tx, { id, personId: user.id });
    if (earlier) return openProfile(ctx, earlier);
    if ((await countProfiles(tx, user.id)) >= profilesPerUserMax)
      throw new ServiceError('validation-error', {
        message: `A user has at most ${profilesPerUserMax} buyer profiles: delete one that is not needed any more.`,
      });
    const row = {
      id,
      projectId: user.projectId,
      userId: user.id,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    await insertProfile(tx, { ...row, sealedProfile: sealContent(user.sealer, row, content) });
    return { id, content, createdAt: now, updatedAt: now };
  });
}

/** @throws not-authorized, buyer-profile-not-found */
export async function getBuyerProfile(ctx: RequestCtx, id: string): Promise<BuyerProfile> {
  return openProfile(ctx, await requireProfile(ctx, id));
}

/** Newest first. @throws not-authorized, validation-error for a cursor of another list */
export async function listBuyerProfiles(
  ctx: RequestCtx,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ readonly profiles: readonly BuyerProfile[]; readonly nextCursor: string | null }> {
  const limit = input.limit ?? buyerProfilePageSizeDefault;
  const query = ['buyer-profiles', callerLocator(ctx)];
  const after = input.cursor === undefined ? undefined : decodePosition(input.cursor, query);
  const user = await findCaller(ctx);
  if (!user) return { profiles: [], nextCursor: null };
  const rows = await selectProfiles(ctx.store, {
    personId: user.id,
    limit: limit + 1,
    ...(after && { after }),
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    profiles: shown.map((row) => openProfile(ctx, row)),
    nextCursor:
      last && rows.length > limit
        ? encodePosition({ at: last.createdAt, id: last.id }, query)
        : null,
  };
}

/**
 * Changes the fields that are named; within `name`, `contact` and `shipping` too.
 * @throws not-authorized, buyer-profile-not-found, validation-error, conflict when it was changed
 * at the same time, again and again
 */
export async function updateBuyerProfile(
  ctx: RequestCtx,
  id: string,
  change: BuyerProfileChange,
): Promise<BuyerProfile> {
  for (let attempt = 1; attempt <= changeAttemptsMax; attempt++) {
    const row = await requireProfile(ctx, id);
    const content = mergeContent(openProfile(ctx, row).content, change);
    const updatedAt = ctx.clock.now();
    const sealedProfile = sealContent(
      keyOf(ctx, row),
      { ...row, version: row.version + 1 },
      content,
    );
    if (
      await updateProfile(ctx.store, {
        id: row.id,
        versionBefore: row.version,
        sealedProfile,
        updatedAt,
      })
    )
      return { id: row.id, content, createdAt: row.createdAt, updatedAt };
  }
  throw new ServiceError('conflict');
}

/** @throws not-authorized, buyer-profile-not-found */
export async function deleteBuyerProfile(ctx: RequestCtx, id: string): Promise<void> {
  const user = uuidPattern.test(id) ? await findCaller(ctx) : undefined;
  if (!user || !(await deleteProfile(ctx.store, { id, personId: user.id })))
    throw new ServiceError('buyer-profile-not-found');
}

function mergeContent(
  content: BuyerProfileContent,
  change: BuyerProfileChange,
): BuyerProfileContent {
  const merged = buyerProfileContentSchema.safeParse({
    ...content,
    ...change,
    ...((content.name ?? change.name) && { name: { ...content.name, ...change.name } }),
    ...((content.contact ?? change.contact) && {
      contact: { ...content.contact, ...change.contact },
    }),
    shipping: { ...content.shipping, ...change.shipping },
  });
  if (!merged.success)
    throw new ServiceError('validation-error', {
      message: `The request is not valid. body.${merged.error.issues[0]!.path.join('.')}: ${merged.error.issues[0]!.message}`,
    });
  return merged.data;
}

/** For a run of its user's checkout; undefined once it was deleted. */
export async function openBuyerProfile(
  ctx: Pick<Ctx, 'config' | 'store'>,
  id: string,
): Promise<BuyerProfileContent | undefined> {
  const row = await selectProfileById(ctx.store, id);
  return row && openProfile(ctx, row).content;
}

async function requireProfile(ctx: RequestCtx, id: string): Promise<BuyerProfileRow> {
  const user = uuidPattern.test(id) ? await findCaller(ctx) : undefined;
  const row = user && (await selectProfile(ctx.store, { id, personId: user.id }));
  if (!row) throw new ServiceError('buyer-profile-not-found');
  return row;
}

/** The user behind the call; undefined while nobody has stored anything of them. */
async function findCaller(ctx: RequestCtx): Promise<User | undefined> {
  return findUser(ctx, callerLocator(ctx)).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'user-not-found') return undefined;
    throw error;
  });
}

function callerLocator({ caller }: RequestCtx): string {
  if (!caller.user) throw new ServiceError('not-authorized');
  return formatUserLocator(caller.user);
}

type Place = Pick<BuyerProfileRow, 'id' | 'projectId' | 'version'>;
const contextOf = ({ id, projectId, version }: Place) => ({
  purpose: 'buyer-profile',
  projectId,
  id,
  version,
});

function sealContent(sealer: Sealer, place: Place, content: BuyerProfileContent): Buffer {
  return sealer.seal(Buffer.from(JSON.stringify(content)), contextOf(place));
}

function keyOf(
  ctx: Pick<RequestCtx, 'config'>,
  { userId, projectId, sealedKey }: BuyerProfileRow,
): Sealer {
  return openUserKey(ctx, { id: userId, projectId, sealedKey });
}

function openProfile(ctx: Pick<RequestCtx, 'config'>, row: BuyerProfileRow): BuyerProfile {
  const content = JSON.parse(
    keyOf(ctx, row).open(row.sealedProfile, contextOf(row)).toString(),
  ) as BuyerProfileContent;
  return { id: row.id, content, createdAt: row.createdAt, updatedAt: row.updatedAt };
}
