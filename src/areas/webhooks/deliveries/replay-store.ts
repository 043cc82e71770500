import type { Db, Tx } from '../../../store/types.ts';
import type { ReplayStatus } from '../machine.ts';

export interface Replay {
  readonly id: string;
  readonly endpointId: string;
  readonly projectId: string;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly eventTypes: readonly string[] | null;
  readonly status: ReplayStatus;
  readonly nextPosition: bigint;
  readonly lastPosition: bigint;
  readonly queued: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** With how its deliveries go. */
export interface ReplayProgress extends Replay {
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
}

type Raw<R> = Omit<R, 'nextPosition' | 'lastPosition'> & {
  readonly nextPosition: string;
  readonly lastPosition: string;
};

const columns = `r.id, r.endpoint_id as "endpointId", r.project_id as "projectId", r.from_at as "fromAt", r.to_at as "toAt",
  r.event_types as "eventTypes", r.status, r.next_position as "nextPosition", r.last_position as "lastPosition", r.queued,
  r.created_at as "createdAt", r.finished_at as "finishedAt"`;
const progress = `cross join lateral (
    select count(*) filter (where d.status = 'pending')::int as pending, count(*) filter (where d.status = 'delivered')::int as delivered,
      count(*) filter (where d.status = 'failed')::int as failed
    from webhook_deliveries d where d.replay_id = r.id
  ) p`;

const read = <R extends Replay>(row: Raw<R>): R =>
  ({
    ...row,
    nextPosition: BigInt(row.nextPosition),
    lastPosition: BigInt(row.lastPosition),
  }) as unknown as R;

/** False: it is there, from an earlier call with the same idempotency key. */
export async function insertReplay(tx: Tx, row: Omit<Replay, 'queued'>): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'webhooks-insert-replay',
    text: `insert into webhook_replays (id, endpoint_id, project_id, from_at, to_at, event_types, status, next_position, last_position, created_at, finished_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing`,
    values: [
      row.id,
      row.endpointId,
      row.projectId,
      row.fromAt,
      row.toAt,
      row.eventTypes,
      row.status,
      row.nextPosition.toString(),
      row.lastPosition.toString(),
      row.createdAt,
      row.finishedAt,
    ],
  });
  return rowCount === 1;
}

export async function selectReplay(
  db: Db,
  key: { readonly endpointId: string; readonly id: string },
): Promise<ReplayProgress | undefined> {
  const { rows } = await db.query<Raw<ReplayProgress>>({
    name: 'webhooks-replay',
    text: `select ${columns}, p.pending, p.delivered, p.failed from webhook_replays r ${progress} where r.id = $1 and r.endpoint_id = $2`,
    values: [key.id, key.endpointId],
  });
  return rows[0] && read(rows[0]);
}

/** Newest first, from behind an id. */
export async function selectReplays(
  db: Db,
  input: { readonly endpointId: string; readonly beforeId?: string; readonly limit: number },
): Promise<ReplayProgress[]> {
  const { rows } = await db.query<Raw<ReplayProgress>>({
    name: 'webhooks-replays',
    text: `select ${columns}, p.pending, p.delivered, p.failed
           from (select * from webhook_replays where endpoint_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3) r ${progress}
           order by r.id desc`,
    values: [input.endpointId, input.beforeId ?? null, input.limit],
  });
  return rows.map((row) => read(row));
}

export async function lockReplay(tx: Tx, id: string): Promise<Replay | undefined> {
  const { rows } = await tx.query<Raw<Replay>>({
    name: 'webhooks-lock-replay',
    text: `select ${columns} from webhook_replays r where r.id = $1 for update`,
    values: [id],
  });
  return rows[0] && read(rows[0]);
}

/** Moves a running replay on. */
export async function updateReplay(
  tx: Tx,
  input: {
    readonly id: string;
    readonly to: ReplayStatus;
    readonly nextPosition: bigint;
    readonly queued: number;
    readonly now: Date;
  },
): Promise<void> {
  await tx.query({
    name: 'webhooks-update-replay',
    text: `update webhook_replays set status = $2, next_position = $3, queued = queued + $4, finished_at = case when $2 <> 'running' then $5::timestamptz end
           where id = $1 and status = 'running'`,
    values: [input.id, input.to, input.nextPosition.toString(), input.queued, input.now],
  });
}
