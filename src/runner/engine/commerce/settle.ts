import { setTimeout as delay } from 'node:timers/promises';
import type { CheckoutPlace, CommerceCheckout, CommerceShop } from '../../commerce/types.ts';
import { CommerceAwayError, CommerceRefusedError } from '../../commerce/types.ts';
import type { RunEnd } from '../../types.ts';
import { formatMoney } from '../money/prices.ts';
import { linkTo } from '../page/route.ts';
import { bareUrl, type Run } from '../run.ts';
import {
  askIssuer,
  chargedTotal,
  confirmed,
  notPlaced,
  reconcile,
} from '../steps/outcome/reconcile.ts';
import { totalOf } from './agree.ts';

const pauseMs = 500;

/** A checkout that the permit was asked for, as its steps tell of it. */
export interface ArmedCheckout {
  readonly shop: CommerceShop;
  readonly id: string;
}

const names = ['protocol', 'version', 'endpoint', 'checkout'] as const;

/** What is recorded with the total, so that whoever takes the run over finds the checkout. */
export const markOf = (
  { place }: CommerceShop,
  id: string,
): Readonly<Record<(typeof names)[number], string>> => ({
  ...(place satisfies CheckoutPlace),
  checkout: id,
});

/**
 * The checkout that an earlier try has prepared in the shop's own interface; undefined when it went
 * through pages.
 */
function armedCheckout(run: Run): ArmedCheckout | undefined {
  const detail = run.task.resume?.evidence.findLast(({ step }) => step === 'quote')?.detail;
  const [protocol, version, endpoint, id] = names.map((name) => detail?.[name]);
  if (
    typeof protocol !== 'string' ||
    typeof version !== 'string' ||
    typeof endpoint !== 'string' ||
    typeof id !== 'string'
  )
    return undefined;
  const shop = run.commerce?.reopen({ protocol, version, endpoint });
  return shop && { shop, id };
}

/**
 * The end of a run whose permit was asked for a checkout in the shop's own interface; undefined
 * when it went through pages.
 */
export async function settleArmed(run: Run, why: string): Promise<RunEnd | undefined> {
  const armed = run.state.armedCheckout ?? armedCheckout(run);
  return armed && settleCheckout(run, armed, why);
}

/**
 * Finds out by reading what became of a checkout that may have been completed. One that rests
 * uncompleted is cancelled first: only then nothing can come of it any more.
 * @throws RunLostError
 */
export async function settleCheckout(
  run: Run,
  { shop, id }: ArmedCheckout,
  why: string,
): Promise<RunEnd> {
  run.log.warn(
    { why, protocol: shop.place.protocol },
    'The outcome is asked of the shop’s interface.',
  );
  const end = Date.now() + run.patience.answerMs;
  let restsSince = Date.now();
  while (Date.now() < end && !run.signal.aborted) {
    const checkout = await read(shop, id);
    if (checkout?.status === 'completed') return placed(run, checkout);
    if (checkout?.status === 'canceled')
      return notPlaced(`${why} The shop has cancelled the checkout: the order was not placed.`);
    const isResting = checkout !== undefined && checkout.status !== 'complete_in_progress';
    if (!isResting) restsSince = Date.now();
    else if (
      Date.now() - restsSince >= run.patience.restMs &&
      (await askIssuer(run, 0)).state !== 'authorised'
    ) {
      const cancelled = await shop
        .cancel(id, `${run.task.checkoutId}-give-up`)
        .catch(() => undefined);
      if (cancelled?.status === 'canceled')
        return notPlaced(`${why} The checkout was cancelled: the order was not placed.`);
      restsSince = Date.now();
    }
    await delay(pauseMs);
  }
  return reconcile(run, why);
}

async function read(shop: CommerceShop, id: string): Promise<CommerceCheckout | undefined> {
  return shop.read(id).catch((error: unknown) => {
    if (error instanceof CommerceAwayError || error instanceof CommerceRefusedError)
      return undefined;
    throw error;
  });
}

/** The shop has the order: what it charged is its total, unless the issuer has seen another. */
export async function placed(run: Run, checkout: CommerceCheckout): Promise<RunEnd> {
  const { order } = checkout;
  const charged = (await chargedTotal(run, undefined)) ?? totalOf(checkout);
  const url =
    order?.url !== undefined && /^https?:/.test(order.url)
      ? linkTo(order.url)
      : bareUrl(run.page.url());
  const number = order === undefined ? '' : ` ${order.id}`;
  return confirmed(
    run,
    {
      ...(order && { merchantOrderId: order.id }),
      url,
      text: `The shop has taken the order${number}: ${formatMoney(totalOf(checkout))}.`,
    },
    charged,
  );
}
