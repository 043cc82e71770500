import { z } from 'zod';
import type { RequestCtx } from '../../../context.ts';
import { decodeCursor, encodeCursor, placeTime } from '../../../lib/cursor.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { isAddressText } from '../../../lib/locator/locator.ts';
import { fiatCurrencies } from '../pricing/index.ts';
import type { OrderRecord } from '../state/types.ts';
import { orderView } from '../state/view.ts';
import { isUuid } from './access.ts';
import { deliveryBuckets, type OrderFilter, paymentBuckets, selectOrders } from './list-store.ts';
import { type ListQuery, orderPageSizeDefault } from './schema-reads.ts';

export interface OrderList {
  readonly data: readonly JsonObject[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
}

/** Between two orders, and which way to read from there. */
const placeSchema = z.object({
  at: placeTime,
  id: z.uuid(),
  towards: z.enum(['next', 'previous']),
});

const termsMax = 20;
/** Stands for every fiat currency. */
const fiatWord = 'fiat';

/**
 * A page of the project's orders, newest first unless asked otherwise. A cursor is a place between
 * two orders, so what is created meanwhile neither shifts nor repeats what follows.
 * @throws validation-error
 */
export async function listOrders(ctx: RequestCtx, query: ListQuery): Promise<OrderList> {
  const filter = readFilter(ctx, query);
  const sort = query.sort ?? 'desc';
  const limit = query.limit ?? orderPageSizeDefault;
  const identity = [filter, sort];
  const cursor =
    query.cursor === undefined ? undefined : decodeCursor(placeSchema, query.cursor, identity);
  const isBackwards = cursor?.towards === 'previous';
  const found = await selectOrders(ctx.store, filter, {
    ...(cursor && { beyond: { at: new Date(cursor.at), id: cursor.id } }),
    order: isBackwards === (sort === 'desc') ? 'asc' : 'desc',
    // One more than is shown tells whether there are more.
    limit: limit + 1,
  });
  const hasMore = found.length > limit;
  const shown = found.slice(0, limit);
  const orders = isBackwards ? shown.toReversed() : shown;
  const cursorAt = (order: OrderRecord | undefined, towards: 'next' | 'previous') =>
    order ? encodeCursor({ at: order.createdAt.getTime(), id: order.id, towards }, identity) : null;
  return {
    data: orders.map(orderView),
    nextCursor: isBackwards || hasMore ? cursorAt(orders.at(-1), 'next') : null,
    previousCursor: (isBackwards ? hasMore : cursor !== undefined)
      ? cursorAt(orders[0], 'previous')
      : null,
  };
}

function readFilter(ctx: RequestCtx, query: ListQuery): OrderFilter {
  const payment = readTerms('paymentStatus', query.paymentStatus, paymentBuckets);
  const delivery = readTerms('deliveryStatus', query.deliveryStatus, deliveryBuckets);
  const currencies = readTerms('paymentMethod', query.paymentMethod)?.map((term) =>
    term.toLowerCase(),
  );
  const recipients = readTerms('recipientAddress', query.recipientAddress)?.map((term) =>
    readAddress(ctx, term),
  );
  const ids = readTerms('orderId', query.orderId)?.map((term) => {
    if (!isUuid(term))
      throw invalid('orderId', `"${term.slice(0, 60)}" is no order id: it is a UUID`);
    return term.toLowerCase();
  });
  return {
    projectId: ctx.caller.projectId,
    ...(payment && { paymentBuckets: payment }),
    ...(delivery && { deliveryBuckets: delivery }),
    ...(currencies && {
      currencies: sorted(
        currencies.flatMap((term) => (term === fiatWord ? fiatCurrencies : [term])),
      ),
    }),
    ...(recipients && { recipients: sorted(recipients) }),
    ...(ids && { ids: sorted(ids) }),
  };
}

/** Terms of a filter, each once and sorted, so that two spellings of a filter are one. */
function readTerms<T extends string>(
  name: string,
  text: string | undefined,
  allowed?: readonly T[],
): T[] | undefined {
  if (text === undefined) return undefined;
  const terms = text.split(',').map((term) => term.trim());
  if (terms.length > termsMax)
    throw invalid(name, `has ${terms.length} terms, at most ${termsMax} are allowed`);
  for (const term of terms) {
    if (term === '') throw invalid(name, 'has an empty term');
    if (allowed && !(allowed as readonly string[]).includes(term))
      throw invalid(name, `"${term.slice(0, 60)}" is none of ${allowed.join(', ')}`);
  }
  return sorted(terms as T[]);
}

function readAddress(ctx: RequestCtx, term: string): string {
  const family = ctx.chains.families.find((one) => one.isAddress(term));
  if (family) return family.canonicalAddress(term);
  if (isAddressText(term)) return term;
  throw invalid('recipientAddress', `"${term.slice(0, 60)}" is no wallet address`);
}

function sorted<T extends string>(terms: readonly T[]): T[] {
  return [...new Set(terms)].sort();
}

function invalid(name: string, problem: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `The request is not valid. query.${name}: ${problem}.`,
  });
}
