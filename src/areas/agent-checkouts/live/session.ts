import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { machineClock } from '../../../lib/clock.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parseJson } from '../../../lib/json/parse-json.ts';
import type { InternalIdentity } from '../../../lib/net/signed-requests.ts';
import { createTokenBucket } from '../../../lib/waiting/token-bucket.ts';
import {
  inputsPerSecondMax,
  type LiveRequest,
  liveRequestSchema,
  pictureBytesMax,
} from '../../../runner/link/live-wire.ts';
import { respondInLivePage } from '../actions/respond.ts';
import { isTakeOver } from './browser-view.ts';
import { selectWatched, type WatchedCheckout } from './live-store.ts';
import type { RoomState, Rooms } from './room.ts';
import { readLiveToken } from './token.ts';
import { openUpstream, type Upstream } from './upstream.ts';

/** Why a connection ended, for the page. */
const closeCodes = { over: 1_000, notReadable: 1_008, wrongToken: 4_401, full: 4_503 } as const;

/** The user has done in the picture what was asked; for the API, and never for the runner. */
const doneSchema = z.strictObject({ kind: z.literal('done'), actionId: z.uuid() });
const requestSchema = z.union([liveRequestSchema, doneSchema]);
const helloSchema = z.strictObject({ kind: z.literal('hello'), token: z.string().max(200) });
const helloTimeoutMs = 5_000;
const watchersPerCheckoutMax = 8;
/** What a watcher may leave unread. */
const bufferedBytesMax = 4 * pictureBytesMax;
/** Inputs that wait for a look into the database; more are dropped. */
const inputsWaitingMax = 200;

export interface SessionInput {
  readonly checkoutId: string;
  readonly socket: WebSocket;
  /** Called once the watcher is let in. */
  readonly told: () => unknown;
  readonly rooms: Rooms;
  /**
   * As whom the runners know this process; absent: there are no pictures, and the rest is shown.
   */
  readonly identity: InternalIdentity | undefined;
}

/**
 * One watcher. Its first message is the token; a wrong one ends the connection, and each takes a
 * new one.
 */
export function serveWatcher(ctx: Ctx, input: SessionInput): void {
  const { socket } = input;
  const late = setTimeout(
    () => socket.close(closeCodes.wrongToken, 'no token came'),
    helloTimeoutMs,
  );
  socket.once('close', () => clearTimeout(late));
  socket.once('message', (data, isBinary) => {
    clearTimeout(late);
    const hello = isBinary ? undefined : read(helloSchema, data);
    // Whoever talks before being let in talks to nobody.
    socket.pause();
    void letIn(ctx, input, hello?.token ?? '')
      .catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'a watcher could not be let in');
        socket.close(1_011, 'try again');
      })
      .finally(() => socket.resume());
  });
}

async function letIn(ctx: Ctx, input: SessionInput, token: string): Promise<void> {
  const { socket, checkoutId: id } = input;
  const watched = await openLivePage(ctx, { id, token });
  if (!watched) return socket.close(closeCodes.wrongToken, 'the link does not work');
  if (input.rooms.count(id) >= watchersPerCheckoutMax)
    return socket.close(closeCodes.full, 'too many watch already');
  input.told();
  if (socket.readyState === socket.OPEN) startSession(ctx, input);
}

/** The checkout that a token opens; undefined for one that opens nothing, whatever the reason. */
export async function openLivePage(
  ctx: Ctx,
  input: { readonly id: string; readonly token: string },
): Promise<WatchedCheckout | undefined> {
  const createdAt = readLiveToken(ctx.config, input);
  const watched = createdAt && (await selectWatched(ctx.store, input.id));
  return watched && watched.createdAt.getTime() === createdAt.getTime() ? watched : undefined;
}

function startSession(ctx: Ctx, { checkoutId, socket, rooms, identity }: SessionInput): void {
  const tell = (message: object) => socket.send(JSON.stringify(message), () => undefined);
  const upstream =
    identity &&
    openUpstream({
      checkoutId,
      identity,
      now: machineClock(ctx.clock).now,
      onPicture: (bytes) => {
        // Who reads has two of them on the way at most; who only says so would have this process
        // keep them all.
        if (socket.bufferedAmount > bufferedBytesMax) return socket.terminate();
        socket.send(bytes, () => undefined);
      },
      onStatus: (status) => {
        if (status.kind === 'screen') tell(status);
      },
      onLost: () => tell({ kind: 'no-picture' }),
    });
  let current: RoomState | undefined;
  let isAnswering = false;
  const leave = rooms.join(checkoutId, (state) => {
    current = state;
    const { liveOrigin, isOver, ...shown } = state;
    tell({ kind: 'state', ...shown });
    upstream?.follow(isOver ? undefined : liveOrigin);
    if (!isOver) return;
    tell({ kind: 'over' });
    socket.close(closeCodes.over, 'the checkout is over');
  });
  const forward = upstream && createForwarder(ctx, { checkoutId, upstream, state: () => current });
  socket.on('message', (data, isBinary) => {
    const request = isBinary ? undefined : read(requestSchema, data);
    if (!request) return socket.close(closeCodes.notReadable, 'not readable');
    if (request.kind !== 'done') forward?.(request);
    else if (!isAnswering && current?.question?.id === request.actionId) {
      isAnswering = true;
      void takeDone(ctx, { id: checkoutId, actionId: request.actionId }).finally(() => {
        isAnswering = false;
        rooms.refresh(checkoutId);
      });
    }
  });
  socket.once('close', () => {
    leave();
    upstream?.close();
  });
}

/**
 * Hands on what the watcher does, in its order. What changes something on the page passes only
 * while the question is open in the database at that moment: an answer that came by another way
 * ends the take-over at once. Nothing of it is logged.
 */
function createForwarder(
  ctx: Ctx,
  input: {
    readonly checkoutId: string;
    readonly upstream: Upstream;
    readonly state: () => RoomState | undefined;
  },
): (request: LiveRequest) => void {
  const isInTime = createTokenBucket(inputsPerSecondMax);
  let waitingCount = 0;
  let queue: Promise<void> = Promise.resolve();
  return (request) => {
    if (request.kind === 'seen') return input.upstream.send(JSON.stringify(request));
    if (!isInTime() || waitingCount >= inputsWaitingMax) return;
    if (!input.state()?.permissions.includes('control')) return;
    waitingCount += 1;
    queue = queue
      .then(async () => {
        if (isHarmless(request) || (await mayControl(ctx, input.checkoutId)))
          input.upstream.send(JSON.stringify(request));
      })
      .catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'an input could not be checked, and was dropped'),
      )
      .finally(() => void (waitingCount -= 1));
  };
}

/** Whatever else became of the question meanwhile, the page is told with its next state. */
async function takeDone(
  ctx: Ctx,
  input: { readonly id: string; readonly actionId: string },
): Promise<void> {
  await respondInLivePage(ctx, input).catch((error: unknown) => {
    if (!(error instanceof ServiceError))
      ctx.log.warn({ err: error }, 'an answer of the live page was not taken');
  });
}

const isHarmless = (request: LiveRequest) =>
  request.kind === 'wheel' || (request.kind === 'mouse' && request.type === 'move');

async function mayControl(ctx: Ctx, checkoutId: string): Promise<boolean> {
  const watched = await selectWatched(ctx.store, checkoutId);
  return watched?.status === 'awaiting_user_action' && isTakeOver(watched.question?.kind);
}

function read<T>(schema: z.ZodType<T>, data: RawData): T | undefined {
  return schema.safeParse(parseJson(String(data))).data;
}
