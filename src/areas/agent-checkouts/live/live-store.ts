import type { JsonObject } from '../../../lib/json/json.ts';
import { isFitting, rowMacsOf } from '../../../store/row-mac.ts';
import type { Db } from '../../../store/types.ts';
import { sealedLive } from '../runs/runs-store.ts';
import type { ActionRecord, CheckoutRecord } from '../types.ts';

/** A checkout as its live page needs it. */
export interface WatchedCheckout {
  readonly id: string;
  readonly projectId: string;
  readonly status: CheckoutRecord['status'];
  readonly createdAt: Date;
  readonly endedAt?: Date;
  readonly liveOrigin?: string;
  readonly receipt?: JsonObject;
  readonly failure?: JsonObject;
  /** The open question. */
  readonly question?: {
    readonly id: string;
    readonly kind: ActionRecord['request']['kind'];
    readonly message: string;
  };
}

interface WatchedRow {
  id: string;
  project_id: string;
  status: CheckoutRecord['status'];
  created_at: Date;
  ended_at: Date | null;
  fence: string;
  live_mac: string | null;
  live_origin: string | null;
  receipt: JsonObject | null;
  failure: JsonObject | null;
  action_id: string | null;
  kind: ActionRecord['request']['kind'] | null;
  message: string | null;
}

export async function selectWatched(db: Db, id: string): Promise<WatchedCheckout | undefined> {
  const { rows } = await db.query<WatchedRow>({
    name: 'agent-live-watched',
    text: `select c.id, c.project_id, c.status, c.created_at, c.ended_at, c.fence, c.live_origin, c.live_mac, c.receipt, c.failure, a.id as action_id, a.kind, a.message
           from agent_checkouts c left join agent_checkout_actions a on a.checkout_id = c.id and a.status = 'open' where c.id = $1`,
    values: [id],
  });
  const row = rows[0];
  return (
    row && {
      id: row.id,
      projectId: row.project_id,
      status: row.status,
      createdAt: row.created_at,
      ...(row.ended_at && { endedAt: row.ended_at }),
      ...(row.live_origin !== null &&
        isRunners(db, { ...row, live_origin: row.live_origin }) && { liveOrigin: row.live_origin }),
      ...(row.receipt && { receipt: row.receipt }),
      ...(row.failure && { failure: row.failure }),
      ...(row.action_id !== null &&
        row.kind !== null &&
        row.message !== null && {
          question: { id: row.action_id, kind: row.kind, message: row.message },
        }),
    }
  );
}

/**
 * Whether a runner has said that the picture is there: what users type goes where it comes from.
 * Else there is none, and an alarm.
 */
function isRunners(
  db: Db,
  {
    id,
    fence,
    live_origin: liveOrigin,
    live_mac: mac,
  }: WatchedRow & { readonly live_origin: string },
): boolean {
  return isFitting(rowMacsOf(db), sealedLive({ id, fence: BigInt(fence), liveOrigin }), mac);
}

export interface ShownProgress {
  readonly title: string;
  readonly message?: string;
  readonly at: string;
}

/** The last items that the user is shown, oldest first. */
export async function selectLastProgress(
  db: Db,
  input: { readonly id: string; readonly limit: number },
): Promise<ShownProgress[]> {
  const { rows } = await db.query<{
    title: string | null;
    message: string | null;
    created_at: Date;
  }>({
    name: 'agent-live-progress',
    text: 'select title, message, created_at from agent_checkout_progress where checkout_id = $1 order by nr desc limit $2',
    values: [input.id, input.limit],
  });
  return rows.toReversed().map(({ title, message, created_at }) => ({
    title: title ?? '',
    ...(message !== null && { message }),
    at: created_at.toISOString(),
  }));
}
