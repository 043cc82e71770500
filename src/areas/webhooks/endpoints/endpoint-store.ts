import { ServiceError } from '../../../lib/errors.ts';
import { isFitting, rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { EndpointStatus } from '../machine.ts';

export type DisabledReason = 'asked' | 'gone' | 'failing';

export interface Endpoint {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly description: string | null;
  /** Null: all. */
  readonly eventTypes: readonly string[] | null;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  readonly secretVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly mac: string | null;
}

const columns = `id, project_id as "projectId", url, description, event_types as "eventTypes", status, disabled_reason as "disabledReason",
  disabled_at as "disabledAt", failing_since as "failingSince", paused_until as "pausedUntil", secret_version as "secretVersion",
  created_at as "createdAt", updated_at as "updatedAt", mac`;

type WhoIsTold = Pick<Endpoint, 'id' | 'projectId' | 'url' | 'eventTypes'>;

/** Whose events are told, which, and where. */
function sealedEndpoint({ id, projectId, url, eventTypes }: WhoIsTold): SealedRow {
  return { table: 'webhook_endpoints', id, fields: { projectId, url, eventTypes } };
}

export const sealedEndpoints: SealedTable = {
  table: 'webhook_endpoints',
  columns,
  where: `status <> 'deleted'`,
  toSealed: (row: WhoIsTold) => sealedEndpoint(row),
};

/** Whether the endpoint is as this service has stored it; raises an alarm when it is not. */
export function isOwnEndpoint(db: Db, endpoint: WhoIsTold, mac: string | null): boolean {
  return isFitting(rowMacsOf(db), sealedEndpoint(endpoint), mac);
}

/**
 * @throws webhook-endpoint-changed when the endpoint is not as this service has stored
 * it, after an alarm
 */
export function requireOwnEndpoint(db: Db, endpoint: WhoIsTold & Pick<Endpoint, 'mac'>): void {
  if (!isOwnEndpoint(db, endpoint, endpoint.mac))
    throw new ServiceError('webhook-endpoint-changed');
}

/** Counts one endpoint more; false when the project has as many as it may. */
export async function claimEndpointPlace(
  tx: Tx,
  input: { readonly projectId: string; readonly max: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'webhooks-take-place',
    text: `insert into webhook_projects as p (project_id, endpoint_count) values ($1, 1)
           on conflict (project_id) do update set endpoint_count = p.endpoint_count + 1 where p.endpoint_count < $2`,
    values: [input.projectId, input.max],
  });
  return rowCount === 1;
}

export async function freeEndpointPlace(tx: Tx, projectId: string): Promise<void> {
  await tx.query({
    name: 'webhooks-free-place',
    text: 'update webhook_projects set endpoint_count = endpoint_count - 1 where project_id = $1',
    values: [projectId],
  });
}

/** False: there is one of this id, made by an earlier call with the same idempotency key. */
export async function insertEndpoint(
  tx: Tx,
  row: Pick<
    Endpoint,
    'id' | 'projectId' | 'url' | 'description' | 'eventTypes' | 'status' | 'createdAt'
  >,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'webhooks-insert-endpoint',
    text: `insert into webhook_endpoints (id, project_id, url, description, event_types, status, created_at, updated_at, mac)
           values ($1, $2, $3, $4, $5, $6, $7, $7, $8) on conflict (id) do nothing`,
    values: [
      row.id,
      row.projectId,
      row.url,
      row.description,
      row.eventTypes,
      row.status,
      row.createdAt,
      rowMacsOf(tx).seal(sealedEndpoint(row)),
    ],
  });
  return rowCount === 1;
}

export async function selectEndpoint(
  db: Db,
  key: { readonly projectId: string; readonly id: string },
  lock: '' | 'for update' = '',
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>({
    name: `webhooks-endpoint${lock && '-locked'}`,
    text: `select ${columns} from webhook_endpoints where id = $1 and project_id = $2 and status <> 'deleted' ${lock}`,
    values: [key.id, key.projectId],
  });
  return rows[0];
}

/** Oldest first, from behind an id. */
export async function selectEndpoints(
  db: Db,
  input: { readonly projectId: string; readonly afterId?: string; readonly limit: number },
): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>({
    name: 'webhooks-endpoints',
    text: `select ${columns} from webhook_endpoints
           where project_id = $1 and status <> 'deleted' and ($2::uuid is null or id > $2) order by id limit $3`,
    values: [input.projectId, input.afterId ?? null, input.limit],
  });
  return rows;
}

/**
 * Endpoints of projects, of which each has few; `failingOnly`: those that do not take what they are
 * sent.
 */
export async function selectEndpointsOf(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly failingOnly: boolean;
    readonly afterId?: string | undefined;
    readonly limit: number;
  },
): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>({
    text: `select ${columns} from webhook_endpoints
           where project_id = any($1::text[]) and status <> 'deleted' and ($2::uuid is null or id > $2)
             and (not $3::boolean or failing_since is not null or disabled_reason in ('gone', 'failing'))
           order by id limit $4`,
    values: [input.projectIds, input.afterId ?? null, input.failingOnly, input.limit],
  });
  return rows;
}

export type EventReceiver = Pick<Endpoint, 'id' | 'projectId' | 'eventTypes' | 'disabledAt'>;

/** Who gets events of these projects, or did until they were disabled. */
export async function selectReceivers(
  db: Db,
  projectIds: readonly string[],
): Promise<EventReceiver[]> {
  const { rows } = await db.query<EventReceiver>({
    name: 'webhooks-receivers',
    text: `select id, project_id as "projectId", event_types as "eventTypes", disabled_at as "disabledAt" from webhook_endpoints
           where project_id = any($1) and status in ('enabled', 'disabled')`,
    values: [projectIds],
  });
  return rows;
}

/**
 * Stores what an operator changed. Another address is another receiver: how long the old one
 * failed, and what it asked for, is forgotten.
 */
export async function updateEndpoint(
  tx: Tx,
  row: Pick<
    Endpoint,
    'id' | 'projectId' | 'url' | 'description' | 'eventTypes' | 'secretVersion' | 'updatedAt'
  >,
): Promise<void> {
  await tx.query({
    name: 'webhooks-update-endpoint',
    text: `update webhook_endpoints set url = $2, description = $3, event_types = $4, secret_version = $5, updated_at = $6, mac = $7,
             failing_since = case when url = $2 then failing_since end, paused_until = case when url = $2 then paused_until end
           where id = $1`,
    values: [
      row.id,
      row.url,
      row.description,
      row.eventTypes,
      row.secretVersion,
      row.updatedAt,
      rowMacsOf(tx).seal(sealedEndpoint(row)),
    ],
  });
}

/**
 * Moves an endpoint; false when it is in another state by now. A fresh start forgets old failures
 * and pauses.
 */
export async function moveEndpoint(
  tx: Tx,
  input: {
    readonly id: string;
    readonly from: EndpointStatus;
    readonly to: EndpointStatus;
    readonly reason?: DisabledReason;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'webhooks-move-endpoint',
    text: `update webhook_endpoints set status = $3, disabled_reason = $4, disabled_at = case when $3 = 'disabled' then $5::timestamptz end,
             failing_since = case when $3 = 'disabled' then failing_since end, paused_until = null, updated_at = $5
           where id = $1 and status = $2`,
    values: [input.id, input.from, input.to, input.reason ?? null, input.now],
  });
  return rowCount === 1;
}

export interface SealedSecret {
  readonly endpointId: string;
  readonly version: number;
  readonly sealed: Buffer;
  /** Null: the present one. */
  readonly expiresAt: Date | null;
}

export async function insertSecret(
  tx: Tx,
  row: Omit<SealedSecret, 'expiresAt'> & { readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'webhooks-insert-secret',
    text: 'insert into webhook_secrets (endpoint_id, version, sealed, created_at) values ($1, $2, $3, $4)',
    values: [row.endpointId, row.version, row.sealed, row.now],
  });
}

/**
 * Lets every secret before the newest one end: the present one at `expiresAt`, older ones no later
 * than that.
 */
export async function expireSecrets(
  tx: Tx,
  input: { readonly endpointId: string; readonly expiresAt: Date },
): Promise<void> {
  await tx.query({
    name: 'webhooks-expire-secrets',
    text: 'update webhook_secrets set expires_at = least(expires_at, $2) where endpoint_id = $1',
    values: [input.endpointId, input.expiresAt],
  });
}

export async function deleteSecrets(tx: Tx, endpointId: string): Promise<void> {
  await tx.query({
    text: 'delete from webhook_secrets where endpoint_id = $1',
    values: [endpointId],
  });
}

/** Newest first. */
export async function selectSecrets(
  db: Db,
  endpointIds: readonly string[],
): Promise<SealedSecret[]> {
  const { rows } = await db.query<SealedSecret>({
    name: 'webhooks-secrets',
    text: `select endpoint_id as "endpointId", version, sealed, expires_at as "expiresAt" from webhook_secrets
           where endpoint_id = any($1::uuid[]) order by endpoint_id, version desc`,
    values: [endpointIds],
  });
  return rows;
}
