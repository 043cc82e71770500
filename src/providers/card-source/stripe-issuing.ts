import { z } from 'zod';
import type { CardUse, RunCard, ShopMoney } from '../../runner/types.ts';
import { CardProviderError, CardRefusedError } from '../card/card.ts';
import { fromStripeAmount, toStripeAmount } from '../card/stripe/stripe-amounts.ts';
import {
  createStripeHttp,
  type StripeHttp,
  type StripeHttpOptions,
  type StripeRefusal,
} from '../card/stripe/stripe-http.ts';
import type { CardPlace, CardSource, IssueCardInput, IssuedCard, NoCard } from './card-source.ts';

export interface StripeIssuingOptions extends StripeHttpOptions {
  /** Whose cards they are, `ich_…`: made and verified at Stripe by the operator. */
  readonly cardholderId: string;
}

const name = 'stripe-issuing';
const keyPattern = /^[A-Za-z0-9_-]{1,100}$/;
const metadataKey = 'purser_key';
const pageSize = 100;
const pagesMax = 10;

const cardSchema = z.looseObject({
  id: z.string().regex(/^ic_[A-Za-z0-9_]{1,100}$/),
  status: z.string(),
  currency: z.string(),
  exp_month: z.number().int(),
  exp_year: z.number().int(),
  metadata: z.record(z.string(), z.string()),
  cardholder: z.looseObject({
    name: z.string(),
    billing: z.looseObject({ address: z.looseObject({ postal_code: z.string().nullish() }) }),
  }),
  spending_controls: z.looseObject({
    spending_limits: z
      .array(z.looseObject({ amount: z.number().int(), interval: z.string() }))
      .nullish(),
  }),
  number: z.string().optional(),
  cvc: z.string().optional(),
});
type StripeCard = z.output<typeof cardSchema>;
const cardListSchema = z.looseObject({ data: z.array(cardSchema), has_more: z.boolean() });
const authorizationListSchema = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      approved: z.boolean(),
      status: z.string(),
      amount: z.number().int(),
      currency: z.string(),
    }),
  ),
  has_more: z.boolean(),
});

/**
 * Virtual cards of Stripe Issuing: one per purchase, which pays its total in one or several
 * payments and never more.
 */
export function createStripeIssuing(options: StripeIssuingOptions): CardSource {
  const http = createStripeHttp(options);
  return {
    name,
    issues: true,
    issue: (input) => issue(http, options, input),
    readUse: (place) => readUse(http, options, place),
    async close(place) {
      const { card } = await findCard(http, options, place);
      if (!card || card.status === 'canceled') return;
      const outcome = await http.write(`close_${place.key}`, cardSchema, (stripe, request) =>
        stripe.issuing.cards.update(card.id, { status: 'canceled' }, request),
      );
      if ('refusal' in outcome) throw refused('end of a card', outcome.refusal);
    },
  };
}

async function issue(
  http: StripeHttp,
  options: StripeIssuingOptions,
  { key, limit }: IssueCardInput,
): Promise<IssuedCard | NoCard> {
  if (!keyPattern.test(key))
    throw new CardRefusedError(name, 'the key is not 1 to 100 characters A-Z a-z 0-9 _ -.');
  const amount = toStripeAmount(limit.amountMinor, limit.currency);
  const outcome = await http.write(`card_${key}`, cardSchema, (stripe, request) =>
    stripe.issuing.cards.create(
      {
        type: 'virtual',
        status: 'active',
        currency: limit.currency.toLowerCase(),
        cardholder: options.cardholderId,
        spending_controls: {
          spending_limits: [
            { amount, interval: 'per_authorization' },
            { amount, interval: 'all_time' },
          ],
        },
        metadata: { [metadataKey]: key },
      },
      request,
    ),
  );
  // E.g. a currency that the account issues no cards in: then the user's own card pays.
  if ('refusal' in outcome)
    return { none: `Stripe issues no such card (${wordsOf(outcome.refusal)}).` };
  const card = await readCard(http, outcome.value.id);
  if (card?.status !== 'active') return { none: 'The card was closed.' };
  // What was not limited as asked is not used, whatever Stripe may have made of it.
  const limits = card.spending_controls.spending_limits ?? [];
  if (!limits.some((one) => one.interval === 'all_time' && one.amount === amount))
    throw new CardProviderError(name, 'the card is not limited to the total.', {
      mayHaveHappened: true,
    });
  return { reference: card.id, card: toRunCard(card) };
}

/** Number and security code come only where they are asked for. */
async function readCard(http: StripeHttp, id: string): Promise<StripeCard | undefined> {
  const outcome = await http.read(cardSchema, (stripe) =>
    stripe.issuing.cards.retrieve(id, { expand: ['number', 'cvc'] }),
  );
  if ('value' in outcome) return outcome.value;
  if (outcome.refusal.code === 'resource_missing') return undefined;
  throw refused('look-up', outcome.refusal);
}

function toRunCard(card: StripeCard): RunCard {
  if (card.number === undefined || card.cvc === undefined)
    throw new CardProviderError(name, 'it does not show the number of its card to our key.', {
      mayHaveHappened: true,
    });
  const postalCode = card.cardholder.billing.address.postal_code;
  return {
    number: card.number,
    expirationMonth: card.exp_month,
    expirationYear: card.exp_year,
    cvc: card.cvc,
    holder: card.cardholder.name,
    ...(postalCode && { postalCode }),
  };
}

async function readUse(
  http: StripeHttp,
  options: StripeIssuingOptions,
  place: CardPlace,
): Promise<CardUse> {
  const { card, isWhole: isCardKnown } = await findCard(http, options, place);
  if (!card) return { state: isCardKnown ? 'not-used' : 'unknown' };
  const { rows, isWhole } = await readPages(async (after) => {
    const outcome = await http.read(authorizationListSchema, (stripe) =>
      stripe.issuing.authorizations.list({ card: card.id, limit: pageSize, ...after }),
    );
    if ('refusal' in outcome) throw refused('list of payments', outcome.refusal);
    return outcome.value;
  });
  // What is left out may be the payment.
  if (!isWhole) return { state: 'unknown' };
  // Refused ones are listed too, and zero only asks whether the card is good. What was given back
  // was paid once.
  const paid = rows.filter(
    (one) =>
      one.approved && one.amount > 0 && one.status !== 'reversed' && one.status !== 'expired',
  );
  if (paid.length === 0) return { state: 'not-used' };
  const total: ShopMoney = {
    amountMinor: paid.reduce((sum, one) => sum + fromStripeAmount(one.amount, one.currency), 0n),
    currency: card.currency.toUpperCase(),
  };
  return { state: 'authorised', total };
}

/**
 * By its id, or, when the answer that had it was lost, by our key among the cards of the
 * cardholder. `isWhole`: one that is not found is not there.
 */
async function findCard(
  http: StripeHttp,
  { cardholderId }: StripeIssuingOptions,
  { key, reference }: CardPlace,
): Promise<{ readonly card?: StripeCard; readonly isWhole: boolean }> {
  if (reference !== undefined) {
    const outcome = await http.read(cardSchema, (stripe) =>
      stripe.issuing.cards.retrieve(reference),
    );
    if ('value' in outcome) return { card: outcome.value, isWhole: true };
    if (outcome.refusal.code === 'resource_missing') return { isWhole: true };
    throw refused('look-up', outcome.refusal);
  }
  const isOurs = (card: StripeCard) => card.metadata[metadataKey] === key;
  const { rows, isWhole } = await readPages(async (after) => {
    const outcome = await http.read(cardListSchema, (stripe) =>
      stripe.issuing.cards.list({
        cardholder: cardholderId,
        type: 'virtual',
        limit: pageSize,
        ...after,
      }),
    );
    if ('refusal' in outcome) throw refused('list of cards', outcome.refusal);
    return outcome.value;
  }, isOurs);
  const card = rows.find(isOurs);
  return { ...(card && { card }), isWhole };
}

/**
 * A list of Stripe's, newest first, up to its end, the first row that is enough, or
 * {@link pagesMax} pages. `isWhole`: none is missing.
 */
async function readPages<T extends { readonly id: string }>(
  read: (after: {
    readonly starting_after?: string;
  }) => Promise<{ readonly data: readonly T[]; readonly has_more: boolean }>,
  isEnough: (row: T) => boolean = () => false,
): Promise<{ readonly rows: readonly T[]; readonly isWhole: boolean }> {
  const rows: T[] = [];
  for (let page = 0; page < pagesMax; page++) {
    const last = rows.at(-1);
    const { data, has_more } = await read(last ? { starting_after: last.id } : {});
    rows.push(...data);
    if (!has_more) return { rows, isWhole: true };
    if (data.length === 0 || data.some(isEnough)) break;
  }
  return { rows, isWhole: false };
}

const wordsOf = ({ type, code }: StripeRefusal): string =>
  [type, code].filter((word) => /^[a-z_]{1,60}$/.test(word)).join(', ');

function refused(what: string, refusal: StripeRefusal): CardRefusedError {
  return new CardRefusedError(name, `it does not take the ${what} (${wordsOf(refusal)}).`);
}
