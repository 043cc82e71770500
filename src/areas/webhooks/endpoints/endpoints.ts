import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { move } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { cutPage, type Page, readIdCursor, readLimit } from '../api/page.ts';
import { type CreateEndpoint, overlapSecondsDefault, type UpdateEndpoint } from '../api/schema.ts';
import { endpointMachine } from '../machine.ts';
import {
  claimEndpointPlace,
  deleteSecrets,
  type Endpoint,
  expireSecrets,
  freeEndpointPlace,
  insertEndpoint,
  moveEndpoint,
  requireOwnEndpoint,
  selectEndpoint,
  selectEndpoints,
  updateEndpoint,
} from './endpoint-store.ts';
import { issueSecret } from './secrets.ts';
import { readTargetUrl, targetRuleOf } from './target.ts';

/** Endpoints of one project. */
const endpointsMax = 50;

export type WebhooksCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'> &
  Pick<RequestCtx, 'idempotency'>;

export interface EndpointKey {
  readonly projectId: string;
  readonly id: string;
}

export interface IssuedEndpoint {
  readonly endpoint: Endpoint;
  /** `whsec_…`; absent in the repeat of a call: it is shown once. */
  readonly secret?: string;
}

/**
 * Registers a receiver. Nothing is sent to it yet.
 * @throws webhook-url-not-allowed, webhook-endpoint-limit
 */
export async function createEndpoint(
  ctx: WebhooksCtx,
  input: CreateEndpoint & {
    readonly projectId: string;
    /** Stores the answer of an idempotent call, without the secret. */
    readonly complete?: (tx: Tx, endpoint: Endpoint) => Promise<void>;
  },
): Promise<IssuedEndpoint> {
  const { projectId } = input;
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  const url = readTargetUrl(input.url, targetRuleOf(ctx.config.environment));
  return ctx.store.transaction(async (tx) => {
    const status = move(endpointMachine, '*', 'create');
    const row = {
      id,
      projectId,
      url,
      description: input.description ?? null,
      eventTypes: input.events ?? null,
      status,
      createdAt: ctx.clock.now(),
    };
    const isNew = await insertEndpoint(tx, row);
    if (isNew && !(await claimEndpointPlace(tx, { projectId, max: endpointsMax })))
      throw new ServiceError('webhook-endpoint-limit', {
        message: `A project has at most ${endpointsMax} endpoints: delete one first.`,
      });
    const secret = isNew
      ? await issueSecret(ctx, tx, { endpointId: id, projectId, version: 1 })
      : undefined;
    const endpoint = await requireEndpoint(tx, { projectId, id });
    await input.complete?.(tx, endpoint);
    return { endpoint, ...(secret !== undefined && { secret }) };
  });
}

/** @throws webhook-endpoint-not-found */
export async function getEndpoint(ctx: Pick<Ctx, 'store'>, key: EndpointKey): Promise<Endpoint> {
  return requireEndpoint(ctx.store, key);
}

/** @throws validation-error for a cursor that is none */
export async function listEndpoints(
  ctx: Pick<Ctx, 'store'>,
  input: { readonly projectId: string; readonly cursor?: string; readonly limit?: string },
): Promise<Page<Endpoint>> {
  const limit = readLimit(input.limit);
  const rows = await selectEndpoints(ctx.store, {
    projectId: input.projectId,
    afterId: readIdCursor(input.cursor),
    limit: limit + 1,
  });
  return cutPage(rows, limit, ({ id }) => id);
}

/**
 * Changes what is given. An endpoint that is enabled again goes on with what was pending.
 * @throws webhook-endpoint-not-found, webhook-url-not-allowed
 */
export async function changeEndpoint(
  ctx: WebhooksCtx,
  key: EndpointKey,
  change: UpdateEndpoint,
  /** Writes down who asked, in the same transaction. */
  record?: (tx: Tx, before: Endpoint['status']) => Promise<void>,
): Promise<Endpoint> {
  const url =
    change.url === undefined
      ? undefined
      : readTargetUrl(change.url, targetRuleOf(ctx.config.environment));
  return ctx.store.transaction(async (tx) => {
    const before = await requireEndpoint(tx, key, 'for update');
    // Who names address and types anew stands for all that the seal is over.
    if (url === undefined || change.events === undefined) requireOwnEndpoint(tx, before);
    const now = ctx.clock.now();
    await updateEndpoint(tx, {
      id: key.id,
      projectId: key.projectId,
      url: url ?? before.url,
      description: change.description === undefined ? before.description : change.description,
      eventTypes: change.events === undefined ? before.eventTypes : change.events,
      secretVersion: before.secretVersion,
      updatedAt: now,
    });
    if (change.disabled !== undefined && change.disabled !== (before.status === 'disabled')) {
      const to = move(endpointMachine, before.status, change.disabled ? 'disable' : 'enable');
      await moveEndpoint(tx, {
        id: key.id,
        from: before.status,
        to,
        now,
        ...(change.disabled && { reason: 'asked' }),
      });
    }
    const changed = await requireEndpoint(tx, key);
    await record?.(tx, before.status);
    return changed;
  });
}

/**
 * Deletes an endpoint with its secrets; its deliveries follow.
 * @throws webhook-endpoint-not-found
 */
export async function deleteEndpoint(ctx: WebhooksCtx, key: EndpointKey): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const { status } = await requireEndpoint(tx, key, 'for update');
    await moveEndpoint(tx, {
      id: key.id,
      from: status,
      to: move(endpointMachine, status, 'delete'),
      now: ctx.clock.now(),
    });
    await deleteSecrets(tx, key.id);
    await freeEndpointPlace(tx, key.projectId);
  });
}

export interface RotatedSecret {
  readonly secret: string;
  readonly previousSecretExpiresAt: Date;
}

/**
 * Gives an endpoint a new secret. Until the old one ends, what is sent carries both signatures.
 * @throws webhook-endpoint-not-found
 */
export async function rotateSecret(
  ctx: WebhooksCtx,
  key: EndpointKey,
  input: {
    readonly overlapSeconds?: number;
    readonly complete?: (tx: Tx, rotated: Omit<RotatedSecret, 'secret'>) => Promise<void>;
  },
): Promise<RotatedSecret> {
  const overlapMs = (input.overlapSeconds ?? overlapSecondsDefault) * 1_000;
  return ctx.store.transaction(async (tx) => {
    const before = await requireEndpoint(tx, key, 'for update');
    requireOwnEndpoint(tx, before);
    const now = ctx.clock.now();
    const previousSecretExpiresAt = new Date(now.getTime() + overlapMs);
    await expireSecrets(tx, { endpointId: key.id, expiresAt: previousSecretExpiresAt });
    const version = before.secretVersion + 1;
    const secret = await issueSecret(ctx, tx, {
      endpointId: key.id,
      projectId: key.projectId,
      version,
    });
    await updateEndpoint(tx, { ...before, secretVersion: version, updatedAt: now });
    await input.complete?.(tx, { previousSecretExpiresAt });
    return { secret, previousSecretExpiresAt };
  });
}

/** @throws webhook-endpoint-not-found */
export async function requireEndpoint(
  db: Pick<Tx, 'query'>,
  key: EndpointKey,
  lock: '' | 'for update' = '',
): Promise<Endpoint> {
  const endpoint = await selectEndpoint(db, key, lock);
  if (!endpoint) throw new ServiceError('webhook-endpoint-not-found');
  return endpoint;
}
