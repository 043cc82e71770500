import {
  customerOf,
  customerPassword,
  type GeneratedShop,
} from '../../fixtures/shops/generated/index.ts';
import { plainPrice } from '../../fixtures/shops/kit/money.ts';
import type { CheckoutWorld } from '../harness/checkout-world.ts';
import { answerAsCustomer, type CustomerKnows } from './customer.ts';
import { followCheckout } from './follow.ts';
import { type Asked, type Judged, judge } from './judge.ts';

/** How a checkout in a generated shop ended. */
export interface Played extends Judged {
  readonly seed: number;
  readonly classes: readonly string[];
  readonly obstacle: string | undefined;
  readonly turn: string | undefined;
  readonly seconds: number;
  readonly questions: number;
}

const endMaxMs = 300_000;
const questionsMax = 15;

/**
 * Buys what a generated shop's customer wishes, through the interface alone, and judges it by the
 * shop's books.
 */
export async function playShop(world: CheckoutWorld, shop: GeneratedShop): Promise<Played> {
  const { plan, books } = shop;
  const user = `customer-${plan.seed}`;
  const customer = customerOf(plan);
  const startedMs = performance.now();
  const buyerProfileId = (await world.as(user, 'POST', '/buyer-profiles', profileOf(customer))).body
    .id;
  const { status, body } = await world.as(user, 'POST', '', {
    target: {
      kind: 'direct_url',
      url: shop.productUrl,
      ...(plan.wish.request !== '' && { request: plan.wish.request }),
    },
    constraints: {
      maxCost: {
        amount: plainPrice(plan.format, plan.wish.maxMinor),
        currency: plan.format.currency,
      },
    },
    buyerProfileId,
  });
  if (status !== 200)
    throw new Error(`The checkout in shop ${plan.seed} was refused: ${JSON.stringify(body)}`);
  const asked: Asked[] = [];
  const view = await followCheckout({
    id: body.id,
    endMaxMs,
    call: (method, below, sent) => world.as(user, method, below, sent),
    answer: async (question) => {
      // The shop may change what is approved while the answer is on its way.
      const answer =
        asked.length < questionsMax
          ? await answerAsCustomer(question, knowledgeOf(shop))
          : 'decline';
      asked.push({ question, answer });
      if (question.kind === 'approve-purchase') await shop.turn();
      return answer;
    },
  });
  return {
    seed: plan.seed,
    classes: plan.classes,
    obstacle: plan.obstacle,
    turn: plan.turn,
    seconds: (performance.now() - startedMs) / 1_000,
    questions: asked.length,
    ...judge({ plan, books, view, asked }),
  };
}

type Customer = ReturnType<typeof customerOf>;

const profileOf = ({ firstName, lastName, email, phone, address }: Customer) => ({
  name: { first: firstName, last: lastName },
  contact: { email, phone },
  shipping: {
    addressLines: [address.line1],
    locality: address.city,
    postalCode: address.postalCode,
    countryCode: address.country,
    ...(address.region && { administrativeAreaCode: `${address.country}-${address.region}` }),
  },
});

function knowledgeOf({ plan, books }: GeneratedShop): CustomerKnows {
  const { email, phone, address } = customerOf(plan);
  return {
    values:
      plan.obstacle === 'no such variant'
        ? []
        : [...Object.values(plan.wish.choice), plan.words.oneTime],
    way: plan.wish.way,
    login: plan.wish.account ? { username: email, password: customerPassword } : undefined,
    contact: {
      fullName: address.name,
      email,
      phone,
      addressLine1: address.line1,
      city: address.city,
      state: address.region && `${address.country}-${address.region}`,
      postalCode: address.postalCode,
      countryCode: address.country,
    },
    hasOrder: () => books.orders.length > 0,
  };
}
