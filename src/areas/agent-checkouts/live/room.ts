import type { Ctx } from '../../../context.ts';
import type { CheckoutRecord } from '../types.ts';
import { isTakeOver, type LivePermission } from './browser-view.ts';
import { type ShownProgress, selectLastProgress, selectWatched } from './live-store.ts';

/** What the watchers of one checkout are told. */
export interface RoomState {
  readonly status: CheckoutRecord['status'];
  readonly isOver: boolean;
  readonly liveOrigin?: string;
  readonly permissions: readonly LivePermission[];
  readonly progress: readonly ShownProgress[];
  readonly question?: {
    readonly id: string;
    readonly message: string;
    readonly canTakeOver: boolean;
  };
}

export interface Rooms {
  /** Told at once and whenever something changes. @returns leaves */
  join(checkoutId: string, onState: (state: RoomState) => void): () => void;
  /** Looks now and not only within the next second. */
  refresh(checkoutId: string): void;
  /** Watchers of this checkout in this process. */
  count(checkoutId: string): number;
}

const lookMs = 1_000;
const progressShownMax = 30;

interface Room {
  readonly members: Set<(state: RoomState) => void>;
  /** The state that was told last. */
  told: { readonly text: string; readonly state: RoomState } | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** However many watch a checkout, the database is asked about it once a second. */
export function createRooms(ctx: Ctx): Rooms {
  const rooms = new Map<string, Room>();

  async function look(checkoutId: string, room: Room): Promise<void> {
    room.timer = undefined;
    const state = await readState(ctx, checkoutId).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'a watched checkout could not be read; it is tried again');
      return undefined;
    });
    const text = JSON.stringify(state);
    if (state && text !== room.told?.text) {
      room.told = { text, state };
      for (const member of room.members) member(state);
    }
    if (room.members.size > 0 && !room.told?.state.isOver)
      room.timer = setTimeout(() => void look(checkoutId, room), lookMs);
  }

  return {
    refresh(checkoutId) {
      const room = rooms.get(checkoutId);
      // A look that is under way may have read the state before: the next one comes in a second.
      if (!room?.timer) return;
      clearTimeout(room.timer);
      room.timer = undefined;
      void look(checkoutId, room);
    },
    count: (checkoutId) => rooms.get(checkoutId)?.members.size ?? 0,
    join(checkoutId, onState) {
      let room = rooms.get(checkoutId);
      const isNew = room === undefined;
      if (!room)
        rooms.set(checkoutId, (room = { members: new Set(), told: undefined, timer: undefined }));
      room.members.add(onState);
      if (isNew) void look(checkoutId, room);
      else if (room.told) onState(room.told.state);
      return () => {
        room.members.delete(onState);
        if (room.members.size > 0) return;
        clearTimeout(room.timer);
        if (rooms.get(checkoutId) === room) rooms.delete(checkoutId);
      };
    },
  };
}

async function readState(ctx: Ctx, checkoutId: string): Promise<RoomState | undefined> {
  const [watched, progress] = await Promise.all([
    selectWatched(ctx.store, checkoutId),
    selectLastProgress(ctx.store, { id: checkoutId, limit: progressShownMax }),
  ]);
  // Erased with its user: there is nothing to see any more.
  if (!watched) return { status: 'cancelled', isOver: true, permissions: [], progress: [] };
  const { status, question, liveOrigin } = watched;
  const isWaiting = status === 'awaiting_user_action';
  const canTakeOver = isWaiting && isTakeOver(question?.kind);
  return {
    status,
    isOver: watched.endedAt !== undefined,
    ...(liveOrigin !== undefined && (isWaiting || status === 'running') && { liveOrigin }),
    permissions: canTakeOver ? ['view', 'control'] : ['view'],
    progress,
    ...(isWaiting &&
      question && { question: { id: question.id, message: question.message, canTakeOver } }),
  };
}
