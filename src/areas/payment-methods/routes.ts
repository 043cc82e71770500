import type { RequestCtx } from '../../context.ts';
import { type AnyRoute, route } from '../../http/routes/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { VaultProvider } from '../../providers/vault/vault.ts';
import { paymentMethodListSchema, paymentMethodSchema } from '../../providers/vault/wire.ts';
import { ownersInReach, ownersOfList } from './owner.ts';
import {
  listQuerySchema,
  type MethodChange,
  paymentMethodParamsSchema,
  type UpdateBody,
  updateBodySchema,
} from './schema.ts';

/** The same rules on both hosts: the vault answers itself, the API host asks the vault. */
export type MethodsBackend = Pick<
  VaultProvider,
  'getPaymentMethod' | 'listPaymentMethods' | 'updatePaymentMethod' | 'deletePaymentMethod'
>;

export const paymentMethodAuth = {
  keys: 'both',
  user: 'required',
  scopes: [],
  serverScopes: ['payment-methods'],
} as const;
export const paymentMethodsPath = '/unstable/payment-methods';
const tag = 'Payment methods';

/**
 * List, read, update and delete. A server key reaches the methods of its project, a client key
 * those of the JWT's user; everything else does not exist.
 */
export function createMethodRoutes(
  backendOf: (ctx: RequestCtx) => MethodsBackend,
): readonly AnyRoute[] {
  const path = `${paymentMethodsPath}/:paymentMethodId`;
  return [
    route({
      method: 'GET',
      path: paymentMethodsPath,
      operationId: 'listPaymentMethods',
      summary: 'List the payment methods of a user',
      tag,
      family: 'P',
      auth: paymentMethodAuth,
      query: listQuerySchema,
      responses: { 200: { description: 'Newest first.', schema: paymentMethodListSchema } },
      elsewhere: { POST: savedAtVault },
      errors: ['invalid-locator', 'user-not-found'],
      handler: async (ctx, { query: { userLocator, ...query } }) => ({
        status: 200,
        body: await backendOf(ctx).listPaymentMethods({
          projectId: ctx.caller.projectId,
          owners: ownersOfList(ctx.caller, userLocator),
          ...query,
        }),
      }),
    }),
    route({
      method: 'GET',
      path,
      operationId: 'getPaymentMethod',
      summary: 'Read a payment method',
      tag,
      family: 'P',
      auth: paymentMethodAuth,
      params: paymentMethodParamsSchema,
      responses: {
        200: {
          description: 'The payment method, without its number.',
          schema: paymentMethodSchema,
        },
      },
      errors: ['payment-method-not-found'],
      handler: async (ctx, { params }) => ({
        status: 200,
        body: (await backendOf(ctx).getPaymentMethod(reachOf(ctx, params.paymentMethodId)))
          .paymentMethod,
      }),
    }),
    route({
      method: 'PATCH',
      path,
      operationId: 'updatePaymentMethod',
      summary: 'Change billing details or the default',
      tag,
      family: 'P',
      auth: paymentMethodAuth,
      params: paymentMethodParamsSchema,
      body: updateBodySchema,
      responses: {
        200: { description: 'The payment method as it is now.', schema: paymentMethodSchema },
      },
      errors: ['payment-method-not-found', 'conflict'],
      handler: async (ctx, { params, body }) => ({
        status: 200,
        body: await backendOf(ctx).updatePaymentMethod({
          ...reachOf(ctx, params.paymentMethodId),
          actor: actorOf(ctx),
          change: readChange(body),
        }),
      }),
    }),
    route({
      method: 'DELETE',
      path,
      operationId: 'deletePaymentMethod',
      summary: 'Delete a payment method',
      description:
        'It cannot be used or read any more; its sealed record is kept for compliance. The oldest other method of the user becomes the default.',
      tag,
      family: 'P',
      auth: paymentMethodAuth,
      params: paymentMethodParamsSchema,
      responses: { 204: { description: 'Deleted.' } },
      errors: ['payment-method-not-found'],
      handler: async (ctx, { params }) => {
        await backendOf(ctx).deletePaymentMethod({
          ...reachOf(ctx, params.paymentMethodId),
          actor: actorOf(ctx),
        });
        return { status: 204 };
      },
    }),
  ];
}

/** Account numbers never pass the API host. */
function savedAtVault({ config }: Pick<RequestCtx, 'config'>): string {
  const url = config.vault?.publicUrl;
  const where =
    url === undefined
      ? 'the host of the vault, whose address the operator of this service knows'
      : `${url}${paymentMethodsPath}`;
  return `Account and card numbers are taken by the vault only: send this POST, with the same key, to ${where}.`;
}

/** The routes of the API host: each asks the vault. */
export const paymentMethodRoutes: readonly AnyRoute[] = createMethodRoutes(
  (ctx) => ctx.providers.vault,
);

function actorOf(ctx: RequestCtx): string {
  return `key:${ctx.caller.keyId}`;
}

function reachOf(ctx: RequestCtx, id: string) {
  return { projectId: ctx.caller.projectId, id, owners: ownersInReach(ctx.caller) };
}

/** @throws validation-error nothing to change, or the same thing twice */
function readChange(body: UpdateBody): MethodChange {
  const billings = [body.billing, body.bankAccount?.billing, body.card?.billing].filter(
    (one) => one !== undefined,
  );
  if (billings.length > 1)
    throw new ServiceError('validation-error', {
      message: 'The body has billing details in several places: send them once.',
    });
  const [billing] = billings;
  if (
    body.default === undefined &&
    (billing === undefined || Object.values(billing).every((value) => value === undefined))
  )
    throw new ServiceError('validation-error', {
      message: 'The body changes nothing: send `default` or `billing`.',
    });
  const billingOf = body.bankAccount ? 'bankAccount' : body.card ? 'card' : undefined;
  return {
    ...(body.default === undefined ? {} : { default: body.default }),
    ...(billing === undefined ? {} : { billing }),
    ...(billingOf === undefined ? {} : { billingOf }),
  };
}
