import type { Json } from '../../../lib/json/json.ts';
import type { Db } from '../../../store/types.ts';
import type { DeliveryStatus } from '../machine.ts';

export interface Delivery {
  readonly id: string;
  readonly nr: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly object: string;
  readonly type: string;
  readonly kind: 'event' | 'test' | 'resend' | 'replay';
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface Attempt {
  readonly at: string;
  readonly durationMs: number;
  readonly statusCode?: number;
  readonly answer?: string;
  readonly error?: string;
}

export interface DeliveryDetails extends Delivery {
  readonly attemptLog: readonly Attempt[];
  /** Null when it has ended, or waits behind another one. */
  readonly nextAttemptAt: Date | null;
  readonly payload: Json;
}

const columns = `d.id, d.nr, d.endpoint_id as "endpointId", d.event_id as "eventId", d.object, d.type, d.kind, d.attempts,
  case when d.status = 'pending' and d.attempts > 0 then 'retrying' else d.status end as status,
  d.created_at as "createdAt", d.finished_at as "finishedAt"`;

export interface DeliveryListInput {
  readonly endpointId: string;
  readonly status?: DeliveryStatus;
  readonly type?: string;
  readonly beforeNr?: bigint;
  readonly limit: number;
}

const fits: Readonly<Record<DeliveryStatus, string>> = {
  pending: `and d.status = 'pending' and d.attempts = 0`,
  retrying: `and d.status = 'pending' and d.attempts > 0`,
  delivered: `and d.status = 'delivered'`,
  failed: `and d.status = 'failed'`,
};

/**
 * Newest first. The status is written into the text, so that the index of failed or pending ones
 * can serve it.
 */
export async function selectDeliveries(db: Db, input: DeliveryListInput): Promise<Delivery[]> {
  const { status } = input;
  const { rows } = await db.query<Delivery>({
    name: `webhooks-deliveries-${status ?? 'all'}-${input.type === undefined ? 'any' : 'typed'}`,
    text: `select ${columns} from webhook_deliveries d
           where d.endpoint_id = $1 and d.nr < $2 ${status === undefined ? '' : fits[status]} ${input.type === undefined ? '' : 'and d.type = $4'}
           order by d.nr desc limit $3`,
    values: [
      input.endpointId,
      (input.beforeNr ?? 2n ** 62n).toString(),
      input.limit,
      ...(input.type === undefined ? [] : [input.type]),
    ],
  });
  return rows;
}

/** A delivery of a project, with its attempts. */
export async function selectDelivery(
  db: Db,
  key: { readonly projectId: string; readonly id: string },
): Promise<DeliveryDetails | undefined> {
  const { rows } = await db.query<DeliveryDetails>({
    name: 'webhooks-delivery',
    text: `select ${columns}, d.attempt_log as "attemptLog", v.payload,
             case when d.status = 'pending' and not exists (
               select 1 from webhook_deliveries o where o.endpoint_id = d.endpoint_id and o.object = d.object and o.status = 'pending' and o.nr < d.nr
             ) then l.run_at end as "nextAttemptAt"
           from webhook_deliveries d
           join webhook_endpoints e on e.id = d.endpoint_id and e.project_id = $2 and e.status <> 'deleted'
           join events v on v.id = d.event_id
           left join webhook_lanes l on l.endpoint_id = d.endpoint_id and l.object = d.object
           where d.id = $1`,
    values: [key.id, key.projectId],
  });
  return rows[0];
}

/** How many of an endpoint's deliveries are pending, counted up to `max`. */
export async function countPending(
  db: Db,
  input: { readonly endpointId: string; readonly max: number },
): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'webhooks-count-pending',
    text: `select count(*)::int as n from (select 1 from webhook_deliveries where endpoint_id = $1 and status = 'pending' limit $2) p`,
    values: [input.endpointId, input.max],
  });
  return rows[0]!.n;
}
