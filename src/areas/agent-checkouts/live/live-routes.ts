import type { Ctx } from '../../../context.ts';
import type {
  PublicAnswer,
  PublicRequest,
  PublicRoute,
} from '../../../http/routes/public-routes.ts';
import type { SocketRoute } from '../../../http/routes/socket-routes.ts';
import { liveRequestBytesMax } from '../../../runner/link/live-wire.ts';
import { listClientOrigins } from '../../api-keys/index.ts';
import { isPictureKept } from '../steps/picture-retention.ts';
import { readStepPicture } from '../steps/step-pictures.ts';
import { selectStepLog, stepView } from '../steps/steps.ts';
import { livePagePath } from './browser-view.ts';
import { selectWatched, type WatchedCheckout } from './live-store.ts';
import { livePage, livePageHeaders } from './page.ts';
import { createRooms, type Rooms } from './room.ts';
import { openLivePage, serveWatcher } from './session.ts';

const path = `${livePagePath}/:id`;
const connectionsMax = 500;
const untoldMax = 100;
const stepsShownMax = 500;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const plain = { 'content-type': 'text/plain; charset=utf-8' };

/**
 * The page that shows a checkout to its user, and the steps of one that is over. Whoever has the
 * token may look.
 */
export const liveRoutes: readonly PublicRoute[] = [
  { method: 'GET', path, handler: showPage },
  {
    method: 'GET',
    path: `${path}/stream`,
    handler: async () => ({
      status: 426,
      headers: { ...plain, upgrade: 'websocket' },
      body: 'This address is for WebSockets.',
    }),
  },
  { method: 'GET', path: `${path}/replay`, handler: showReplay },
  { method: 'GET', path: `${path}/replay/:nr`, handler: showReplayPicture },
];

/** The picture and what is said of it. */
export const liveStreamRoute: SocketRoute = {
  path: `${path}/stream`,
  messageBytesMax: liveRequestBytesMax,
  connectionsMax,
  untoldMax,
  handler: (ctx, { params, socket, told }) =>
    serveWatcher(ctx, {
      checkoutId: params.id!.toLowerCase(),
      socket,
      told,
      rooms: roomsOf(ctx),
      identity: liveIdentity(ctx),
    }),
};

const rooms = new WeakMap<Ctx, Rooms>();

function roomsOf(ctx: Ctx): Rooms {
  let known = rooms.get(ctx);
  if (!known) rooms.set(ctx, (known = createRooms(ctx)));
  return known;
}

function liveIdentity({ config }: Ctx) {
  return config.runnerLive && { name: 'api', seed: config.runnerLive.seed };
}

async function showPage(ctx: Ctx, { params }: PublicRequest): Promise<PublicAnswer> {
  const watched = await findCheckout(ctx, params.id!);
  return {
    status: watched ? 200 : 404,
    headers: livePageHeaders(await frameAncestors(ctx, watched)),
    body: livePage,
  };
}

/**
 * Who may show the page inside of its own: the places from which the project's client keys are
 * used.
 */
async function frameAncestors(
  ctx: Ctx,
  watched: WatchedCheckout | undefined,
): Promise<readonly string[]> {
  if (!watched) return [];
  if (ctx.config.environment === 'development') return ['*'];
  const origins = await listClientOrigins(ctx, watched.projectId);
  if (origins.includes('*')) return ['*'];
  // A policy has no word for IPv6 addresses.
  return ["'self'", ...origins.filter((origin) => !origin.includes('['))];
}

async function findCheckout(ctx: Ctx, id: string): Promise<WatchedCheckout | undefined> {
  return uuidPattern.test(id) ? selectWatched(ctx.store, id.toLowerCase()) : undefined;
}

/** The ended checkout that the request's token opens. */
async function openReplay(
  ctx: Ctx,
  { params, headers }: PublicRequest,
): Promise<WatchedCheckout | undefined> {
  const token = /^bearer +(\S{1,200}) *$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || !uuidPattern.test(params.id!)) return undefined;
  const watched = await openLivePage(ctx, { id: params.id!.toLowerCase(), token });
  return watched?.endedAt && isPictureKept(ctx, watched.endedAt) ? watched : undefined;
}

const notFound: PublicAnswer = {
  status: 404,
  headers: plain,
  body: 'There is nothing to see here (any more).',
};

async function showReplay(ctx: Ctx, request: PublicRequest): Promise<PublicAnswer> {
  const watched = await openReplay(ctx, request);
  if (!watched) return notFound;
  const { status, receipt, failure } = watched;
  const steps = await selectStepLog(ctx.store, {
    checkoutId: watched.id,
    afterNr: 0,
    limit: stepsShownMax,
  });
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ status, receipt, failure, steps: steps.map(stepView) }),
  };
}

async function showReplayPicture(ctx: Ctx, request: PublicRequest): Promise<PublicAnswer> {
  const watched = await openReplay(ctx, request);
  const nr = /^[1-9]\d{0,8}$/.test(request.params.nr!) ? Number(request.params.nr) : undefined;
  const picture =
    watched && nr !== undefined && (await readStepPicture(ctx, { checkoutId: watched.id, nr }));
  if (!picture) return notFound;
  return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: picture };
}
