import type {
  CheckoutWish,
  CommerceCheckout,
  CommerceShop,
  Delivery,
  PaymentHandler,
} from '../../commerce/types.ts';
import { CommerceAwayError, CommerceRefusedError } from '../../commerce/types.ts';
import { formatMoney } from '../money/prices.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { checkAlive, type Run } from '../run.ts';
import { askBuyer } from '../steps/buyer/ask-missing.ts';
import { chooseShipping } from '../steps/choices.ts';
import { plain } from '../words/words.ts';
import { addressOf, disagreement, totalDisagreement, type WantedItem } from './agree.ts';
import { pageProduct } from './product.ts';

/** A checkout that only waits to be approved and paid. */
export interface Prepared {
  readonly shop: CommerceShop;
  readonly checkout: CommerceCheckout;
  readonly wanted: WantedItem;
  readonly handler: PaymentHandler;
}

/** Makes the keys of one try: a repeat of a call has the same one, another try has others. */
export type NextKey = () => string;

const updatesMax = 6;

/**
 * Why the shop's own interface cannot be used for this purchase. Nothing is placed, and the shop's
 * pages are left.
 */
class CommerceUnfitError extends Error {}

/**
 * A checkout for exactly what was chosen on the product's page, with buyer, address and delivery,
 * ready to be completed.
 * @throws CommerceUnfitError, with the checkout cancelled
 */
export async function prepare(
  run: Run,
  shop: CommerceShop,
  snapshot: Snapshot,
  nextKey: NextKey,
): Promise<Prepared> {
  if (shop.unusable !== undefined) throw new CommerceUnfitError(shop.unusable);
  const found = await findItem(run, shop, snapshot, nextKey);
  try {
    const handler = run.commerce?.payable(shop, found.checkout);
    if (handler === undefined)
      throw new CommerceUnfitError('It takes no card through a tokenizer that this service knows.');
    const checkout = await complement(run, shop, found, nextKey);
    const problem = disagreement(run, checkout, found.wanted) ?? totalDisagreement(run, checkout);
    if (problem !== undefined) throw new CommerceUnfitError(problem);
    return { shop, checkout, wanted: found.wanted, handler };
  } catch (error) {
    await drop(shop, found.checkout.id, nextKey());
    throw error;
  }
}

/** A checkout that nobody completes is cancelled, so that the shop holds nothing back for it. */
export async function drop(shop: CommerceShop, id: string, key: string): Promise<void> {
  await shop.cancel(id, key).catch(() => undefined);
}

interface Found {
  readonly checkout: CommerceCheckout;
  readonly wanted: WantedItem;
  readonly wish: CheckoutWish;
}

/**
 * The first of the page's numbers for which the shop's checkout lists exactly the product, at the
 * price of its page.
 */
async function findItem(
  run: Run,
  shop: CommerceShop,
  snapshot: Snapshot,
  nextKey: NextKey,
): Promise<Found> {
  await askBuyer(run, { delivers: shop.delivers });
  let why = 'Its interface does not know the product of this page.';
  for (const wanted of await shop.findItems(await pageProduct(run, snapshot))) {
    checkAlive(run);
    const wish: CheckoutWish = {
      itemId: wanted.id,
      quantity: run.state.quantity,
      currency: run.task.maxCost.currency,
      buyer: run.state.buyer,
      // Where it goes is said from the start: some shops are content without an address, and what
      // they sell is sent all the same.
      ...(shop.delivers && { delivery: { lineIds: [], options: [] } }),
    };
    const checkout = await shop.create(wish, nextKey()).catch((error: unknown) => {
      if (!(error instanceof CommerceRefusedError)) throw error;
      why = `Its interface says: “${error.message}”.`;
      return undefined;
    });
    if (checkout === undefined) continue;
    const problem = disagreement(run, checkout, wanted);
    if (problem === undefined) return { checkout, wanted, wish };
    why = problem;
    await drop(shop, checkout.id, nextKey());
  }
  throw new CommerceUnfitError(why);
}

/**
 * Says address and way of delivery, until they are chosen and nothing is missing. A shop that is
 * content with any way of delivery gets the one that was asked for, or the cheapest.
 */
async function complement(
  run: Run,
  shop: CommerceShop,
  { checkout: created, wish }: Found,
  nextKey: NextKey,
): Promise<CommerceCheckout> {
  let checkout = created;
  for (let update = 0; update < updatesMax; update += 1) {
    checkAlive(run);
    const delivery = shop.delivers ? nextDelivery(run, checkout) : undefined;
    const isSaid = delivery === undefined || isChosen(checkout, delivery);
    if (isSaid && isReady(checkout)) break;
    if (isSaid && update > 0) break;
    const next: CheckoutWish = { ...wish, buyer: run.state.buyer, ...(delivery && { delivery }) };
    checkout = await shop.update(checkout.id, checkout.lines, next, nextKey());
  }
  if (!isReady(checkout)) {
    const why =
      checkout.messages.find(({ type }) => type === 'error')?.text ?? 'nothing of what is missing';
    throw new CommerceUnfitError(
      `Its interface is not content (${checkout.status}), and says: “${why}”.`,
    );
  }
  refuseStrangeAddress(run, checkout);
  noteDelivery(run, checkout);
  return checkout;
}

/** The public sample of 2026-01-11 never calls a checkout ready: one that misses nothing is. */
function isReady({ status, messages, deliveries }: CommerceCheckout): boolean {
  const isQuiet =
    status === 'incomplete' &&
    deliveries.length > 0 &&
    messages.every(({ type }) => type !== 'error');
  return status === 'ready_for_complete' || isQuiet;
}

/**
 * Address and every parcel's way are as they were said; ids of destinations and parcels may be new
 * in each answer.
 */
function isChosen(
  { deliveries }: CommerceCheckout,
  wanted: NonNullable<CheckoutWish['delivery']>,
): boolean {
  return deliveries.every(
    ({ selectedDestinationId, destinations, groups }) =>
      destinations.some(({ id }) => id === selectedDestinationId && id === wanted.destinationId) &&
      groups.length > 0 &&
      groups.every(({ id, selectedOptionId }) =>
        wanted.options.some((one) => one.groupId === id && one.optionId === selectedOptionId),
      ),
  );
}

function nextDelivery(run: Run, { deliveries, lines }: CommerceCheckout): CheckoutWish['delivery'] {
  if (deliveries.length > 1) throw new CommerceUnfitError('It delivers in several ways at once.');
  const [delivery] = deliveries;
  const lineIds =
    delivery === undefined || delivery.lineIds.length === 0
      ? lines.map(({ id }) => id)
      : delivery.lineIds;
  const destinationId = delivery?.destinations.find(({ address }) => isOurs(run, address))?.id;
  return {
    lineIds,
    ...(delivery && { id: delivery.id }),
    ...(destinationId !== undefined && { destinationId }),
    options: delivery?.groups.flatMap((group) => chosenOption(run, group)) ?? [],
  };
}

function chosenOption(run: Run, { id, options }: Delivery['groups'][number]) {
  const { currency } = run.task.maxCost;
  const texts = options.map(
    ({ title, description, totalMinor }) =>
      `${title} ${description} ${formatMoney({ amountMinor: totalMinor, currency })}`,
  );
  const index = chooseShipping(texts, run.task.request ?? '');
  return index === undefined ? [] : [{ groupId: id, optionId: options[index]!.id }];
}

/** Street, town and postal code are the buyer's. */
function isOurs(run: Run, address: string): boolean {
  const { shipping } = run.state.buyer;
  const parts = [shipping?.addressLines[0], shipping?.locality, shipping?.postalCode].filter(
    (part) => part !== undefined && part !== '',
  );
  const text = plain(address);
  return parts.length > 0 && parts.every((part) => text.includes(plain(part!)));
}

function refuseStrangeAddress(run: Run, checkout: CommerceCheckout): void {
  const address = addressOf(checkout);
  if (checkout.deliveries.length === 0 && address === undefined) return;
  if (address === undefined || !isOurs(run, address))
    throw new CommerceUnfitError(
      `It would deliver to “${address ?? 'nowhere'}”, which is not what was said.`,
    );
}

function noteDelivery(run: Run, { deliveries, currency }: CommerceCheckout): void {
  const titles = deliveries.flatMap(({ groups }) =>
    groups.flatMap(({ options, selectedOptionId }) => {
      const chosen = options.find(({ id }) => id === selectedOptionId);
      return chosen === undefined
        ? []
        : [`${chosen.title} (${formatMoney({ amountMinor: chosen.totalMinor, currency })})`];
    }),
  );
  if (titles.length > 0) run.state.delivery = titles.join(', ').slice(0, 120);
}

/** An answer that never came, or a no: the purchase goes on in the shop's pages. */
export const whyUnfit = (error: unknown): string | undefined =>
  error instanceof CommerceUnfitError ||
  error instanceof CommerceAwayError ||
  error instanceof CommerceRefusedError
    ? error.message
    : undefined;
