import { cardCheckDigit } from '../../../lib/money/card-number.ts';
import {
  listPage,
  newStripeId as newId,
  refusal,
  type SeenRequest,
  type StripeAnswer,
  type StripeFrame,
  startStripeFrame,
} from '../../card/testing/stripe-frame.ts';
import type { StripeObject } from '../../card/testing/stripe-objects.ts';

export interface IssuingServer extends StripeFrame {
  readonly cards: Map<string, StripeObject>;
  readonly authorizations: StripeObject[];
  /**
   * A shop asks, as the card networks pass it on: Stripe judges by the card's state and spending
   * controls.
   */
  authorize(
    number: string,
    payment: {
      readonly amount: number;
      readonly currency: string;
      readonly cvc: string;
      readonly expiry: string;
    },
  ): 'approved' | 'declined';
}

/**
 * A server that speaks the part of Stripe Issuing that the adapter uses, as its public
 * documentation shows it. Made by hand.
 */
export async function startIssuingServer(input: {
  readonly secretKey: string;
  readonly cardholderId: string;
}): Promise<IssuingServer> {
  const cards = new Map<string, StripeObject>();
  const authorizations: StripeObject[] = [];

  function route({ method, path, form }: SeenRequest): StripeAnswer {
    const url = new URL(path, 'http://localhost');
    const [, , , kind, id] = url.pathname.split('/');
    if (kind === 'authorizations')
      return listPage(
        authorizations.filter((one) => one.card.id === url.searchParams.get('card')),
        url,
      );
    if (id === undefined && method === 'POST') return create(form);
    if (id === undefined) {
      const mine = [...cards.values()].filter(
        (card) => card.cardholder.id === url.searchParams.get('cardholder'),
      );
      return listPage(mine.map(shown), url);
    }
    const card = cards.get(id);
    if (!card) return refusal(404, 'invalid_request_error', 'resource_missing', 'Refused.');
    if (method === 'POST' && card.status === 'canceled')
      return refusal(400, 'invalid_request_error', undefined, 'Refused.');
    if (method === 'POST') card.status = form.get('status');
    const isExpanded =
      url.searchParams.getAll('expand[0]').concat(url.searchParams.getAll('expand[1]')).join() ===
      'number,cvc';
    return { status: 200, body: isExpanded ? card : shown(card) };
  }

  function create(form: URLSearchParams): StripeAnswer {
    if (form.get('cardholder') !== input.cardholderId)
      return refusal(400, 'invalid_request_error', 'resource_missing', 'Refused.');
    if (!['usd', 'eur', 'gbp', 'jpy'].includes(form.get('currency')!))
      return refusal(400, 'invalid_request_error', 'parameter_invalid', 'Refused.');
    const body = `400000999${String(cards.size).padStart(6, '0')}`;
    const limits = [0, 1].map((nr) => ({
      amount: Number(form.get(`spending_controls[spending_limits][${nr}][amount]`)),
      interval: form.get(`spending_controls[spending_limits][${nr}][interval]`),
      categories: [],
    }));
    const card: StripeObject = {
      id: newId('ic'),
      object: 'issuing.card',
      brand: 'Visa',
      type: form.get('type'),
      status: form.get('status') ?? 'inactive',
      currency: form.get('currency'),
      exp_month: 8,
      exp_year: 2039,
      last4: `${body}${cardCheckDigit(body)}`.slice(-4),
      number: `${body}${cardCheckDigit(body)}`,
      cvc: String(100 + cards.size),
      livemode: false,
      cardholder: {
        id: input.cardholderId,
        object: 'issuing.cardholder',
        name: 'Example Purchasing',
        status: 'active',
        type: 'company',
        billing: {
          address: {
            line1: '510 Townsend Street',
            city: 'San Francisco',
            state: 'CA',
            postal_code: '94103',
            country: 'US',
          },
        },
      },
      spending_controls: {
        allowed_categories: null,
        blocked_categories: null,
        spending_limits: limits,
      },
      metadata: { purser_key: form.get('metadata[purser_key]') },
    };
    cards.set(card.id, card);
    return { status: 200, body: shown(card) };
  }

  return Object.assign(await startStripeFrame({ secretKey: input.secretKey, route }), {
    cards,
    authorizations,
    authorize(number, { amount, currency, cvc, expiry }) {
      const card = [...cards.values()].find((one) => one.number === number)!;
      const spent = authorizations
        .filter((one) => one.card.id === card.id && one.approved)
        .reduce((sum, one) => sum + one.amount, 0);
      const isWithin = (limit: StripeObject) =>
        amount + (limit.interval === 'all_time' ? spent : 0) <= limit.amount;
      const approved =
        card.status === 'active' &&
        card.currency === currency &&
        card.cvc === cvc &&
        `${card.exp_month}/${card.exp_year}` === expiry &&
        card.spending_controls.spending_limits.every(isWithin);
      authorizations.push({
        id: newId('iauth'),
        object: 'issuing.authorization',
        amount,
        currency,
        approved,
        status: approved ? 'pending' : 'closed',
        card: shown(card),
      });
      return approved ? 'approved' : 'declined';
    },
  } satisfies Omit<IssuingServer, keyof StripeFrame>);
}

function shown({ number: _, cvc: __, ...card }: StripeObject): StripeObject {
  return card;
}
