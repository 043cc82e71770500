import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stack } from '../../../../test/harness/stack.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import { sandboxCards } from '../../../providers/card/index.ts';
import { aPerson } from '../../users/test-kit.ts';
import { readOwnSettings, writeOwnSettings } from '../pricing/index.ts';
import { deliveryStatuses, paymentStatuses } from '../state/public-status.ts';
import {
  aBuyer,
  createOnramp,
  onrampBody,
  onrampChain,
  payByCard,
  readOrder,
  startOnrampStack,
  startVerification,
  untilState,
} from '../testing/onramp-kit.ts';
import { orderSchema } from './schema-order.ts';

/**
 * Everything that callers can come to see of an order, reached as they reach it: by the API, and by
 * what companies and payers do.
 */
let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const path = '/2022-06-09/orders';
// biome-ignore lint/suspicious/noExplicitAny: an order as it is answered.
type Seen = any;

async function created(body: object): Promise<Seen> {
  const answer = await stack.call('POST', path, { body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.order;
}

/** A buyer whose identity check goes as the first name says, and an order of theirs. */
async function checkedAs(firstName: string, begins = true) {
  const { locator, address } = await aBuyer(stack, { verified: false });
  if (begins) await startVerification(stack, locator, firstName);
  else
    await stack.call('PUT', `/2025-06-09/users/${encodeURIComponent(locator)}`, {
      body: { userDetails: aPerson({ firstName }).userDetails },
    });
  return createOnramp(stack, { address });
}

const seen = (id: string, fits: (order: Seen) => boolean) =>
  eventually(`order ${id} is seen so`, async () => {
    const order: Seen = await readOrder(stack, id);
    return fits(order) && order;
  });
const paymentIs = (status: string) => (order: Seen) => order.payment.status === status;

async function aWaitingOnramp() {
  const { address } = await aBuyer(stack);
  return createOnramp(stack, { address });
}

/** Tokens for tokens, paid by an account outside of the service. */
async function aCheckout(
  funds: { readonly tokens?: bigint; readonly wei?: bigint },
  over: object = {},
): Promise<Seen> {
  const payer = privateKeyToAccount(generatePrivateKey()).address;
  await stack.setNativeBalance(onrampChain, payer, funds.wei ?? 0n);
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  if (funds.tokens !== undefined)
    await family.funding!.fund({
      chain: onrampChain,
      token,
      amountMinor: funds.tokens,
      recipientAddress: payer,
      reference: `test:${payer}`,
    });
  return created({
    recipient: { walletAddress: payer },
    payment: { method: onrampChain, currency: 'usdxm', payerAddress: payer },
    lineItems: [
      {
        tokenLocator: `${onrampChain}:usdc`,
        executionParameters: { mode: 'exact-in', amount: '20' },
      },
    ],
    ...over,
  });
}

/** Pays an order whose token breaks between capture and delivery, until `then` has seen enough. */
async function undelivered(then: (id: string) => Promise<Seen[]>): Promise<Seen[]> {
  const { id } = await aWaitingOnramp();
  const token = await stack.tokenAddress(onrampChain, 'usdc');
  const code = await stack.chainCall<string>(onrampChain, 'eth_getCode', [token, 'latest']);
  const { card } = stack.ctx.providers;
  const providers = stack.ctx.providers as { card?: typeof card };
  providers.card = {
    ...card!,
    capture: async (input) => {
      await stack.chainCall(onrampChain, 'anvil_setCode', [token, '0xfe']);
      return card!.capture(input);
    },
  };
  try {
    await payByCard(stack, id, sandboxCards.refundPending.number);
    return await then(id);
  } finally {
    providers.card = card!;
    await stack.chainCall(onrampChain, 'anvil_setCode', [token, code]);
  }
}

/** The acquirer keeps everybody waiting who wants to capture, until `then` has seen enough. */
async function uncaptured(then: (id: string) => Promise<Seen>): Promise<Seen> {
  const { id } = await aWaitingOnramp();
  const { card } = stack.ctx.providers;
  const providers = stack.ctx.providers as { card?: typeof card };
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  providers.card = { ...card!, capture: (input) => gate.then(() => card!.capture(input)) };
  try {
    await payByCard(stack, id, sandboxCards.approved.number);
    return await then(id);
  } finally {
    providers.card = card!;
    go();
    await untilState(stack, id, 'delivered');
  }
}

async function withSettings(settings: object, run: () => Promise<Seen>): Promise<Seen> {
  const { projectId } = stack.api;
  const own = await readOwnSettings(stack.ctx, projectId);
  await writeOwnSettings(stack.ctx, { projectId, settings: { ...own, ...settings } });
  try {
    return await run();
  } finally {
    await writeOwnSettings(stack.ctx, { projectId, settings: own });
  }
}

/** What is seen, and how: each row answers the orders as they were answered. */
const rows: readonly {
  readonly reaches: readonly string[];
  readonly by: string;
  readonly go: () => Promise<Seen | Seen[]>;
}[] = [
  {
    by: 'a draft',
    reaches: ['phase quote', 'payment draft', 'delivery draft', 'quote valid', 'item valid'],
    go: async () =>
      created({ ...onrampBody({ address: (await aBuyer(stack)).address }), state: 'draft' }),
  },
  {
    by: 'an order without a recipient',
    reaches: [
      'phase quote',
      'payment requires-quote',
      'quote requires-recipient',
      'item requires-recipient',
    ],
    go: () => created(onrampBody({})),
  },
  {
    by: 'goods without an address',
    reaches: ['quote requires-physical-address'],
    go: () =>
      withSettings({ shippedTokens: ['usdc'] }, () =>
        aCheckout({ tokens: 30_000_000n, wei: 10n ** 18n }),
      ),
  },
  {
    by: 'a token that the project does not sell',
    reaches: ['quote all-line-items-unavailable', 'item item-unavailable'],
    go: () => withSettings({ tokens: ['usdxm'] }, () => aCheckout({})),
  },
  {
    by: 'an order without a receipt address',
    reaches: ['phase payment', 'payment requires-email'],
    go: async () =>
      created(onrampBody({ address: (await aBuyer(stack)).address, receiptEmail: null })),
  },
  {
    by: 'a buyer whom nobody has checked',
    reaches: ['payment requires-kyc'],
    go: async () => (await checkedAs('Page', false)).order,
  },
  {
    by: 'machines that still look at a buyer',
    reaches: ['payment pending-kyc-review'],
    go: async () => seen((await checkedAs('Slow')).id, paymentIs('pending-kyc-review')),
  },
  {
    by: 'people who still look at a buyer',
    reaches: ['payment manual-kyc'],
    go: async () => seen((await checkedAs('Review')).id, paymentIs('manual-kyc')),
  },
  {
    by: 'a buyer who is refused',
    reaches: ['phase completed', 'payment failed-kyc'],
    go: async () => seen((await checkedAs('Refuse')).id, paymentIs('failed-kyc')),
  },
  {
    by: 'a payer who is not named',
    reaches: ['payment requires-crypto-payer-address'],
    go: () => aCheckout({}, { payment: { method: onrampChain, currency: 'usdxm' } }),
  },
  {
    by: 'a payer without money',
    reaches: ['payment crypto-payer-insufficient-funds'],
    go: () => aCheckout({ wei: 10n ** 18n }),
  },
  {
    by: 'a payer without gas',
    reaches: ['payment crypto-payer-insufficient-funds-for-gas'],
    go: () => aCheckout({ tokens: 30_000_000n }),
  },
  {
    by: 'an order that can be paid, until its quote ends',
    reaches: [
      'payment awaiting-payment',
      'delivery awaiting-payment',
      'quote expired',
      'item expired',
    ],
    go: async () => {
      const { id, order } = await aWaitingOnramp();
      await stack.advance(11 * 60_000);
      return [order, await seen(id, ({ quote }) => quote.status === 'expired')];
    },
  },
  {
    by: 'a card that is authorised',
    reaches: ['payment in-progress'],
    go: () => uncaptured((id) => seen(id, paymentIs('in-progress'))),
  },
  {
    by: 'a card that is stolen',
    reaches: ['phase completed', 'payment failed'],
    go: async () => {
      const { id } = await aWaitingOnramp();
      await payByCard(stack, id, sandboxCards.stolen.number);
      return seen(id, paymentIs('failed'));
    },
  },
  {
    by: 'a card that pays',
    reaches: ['phase completed', 'payment completed', 'delivery completed'],
    go: async () => {
      const { id } = await aWaitingOnramp();
      await payByCard(stack, id, sandboxCards.approved.number);
      return seen(id, ({ phase }) => phase === 'completed');
    },
  },
  {
    by: 'tokens that cannot be delivered, and a refund that takes days',
    reaches: ['phase delivery', 'delivery in-progress', 'delivery failed', 'payment refunded'],
    go: () =>
      undelivered(async (id) => {
        const under = await seen(
          id,
          ({ lineItems }) => lineItems[0].delivery.status === 'in-progress',
        );
        const failed = await seen(id, ({ lineItems }) => lineItems[0].delivery.status === 'failed');
        const refunded = await eventually('it is back', async () => {
          await stack.advance(12 * 3_600_000);
          const order: Seen = await readOrder(stack, id);
          return order.payment.status === 'refunded' && order;
        });
        return [under, failed, refunded];
      }),
  },
];

function valuesOf(orders: readonly Seen[]): Set<string> {
  return new Set(
    orders.flatMap(({ phase, quote, payment, lineItems: [item] }) => [
      `phase ${phase}`,
      `quote ${quote.status}`,
      `payment ${payment.status}`,
      `item ${item.quote.status}`,
      `delivery ${item.delivery.status}`,
    ]),
  );
}

describe('of an order', () => {
  it('every value that the interface has is reached below', () => {
    const { phase, quote, lineItems } = orderSchema.shape;
    const all = [
      ...phase.options.map((value) => `phase ${value}`),
      ...quote.shape.status.options.map((value) => `quote ${value}`),
      ...lineItems.element.shape.quote.shape.status.options.map((value) => `item ${value}`),
      ...paymentStatuses.map((value) => `payment ${value}`),
      ...deliveryStatuses.map((value) => `delivery ${value}`),
    ];
    // It is of production alone: onramp-proof.test.ts reaches it.
    const elsewhere = ['payment requires-recipient-verification'];
    expect(
      all.filter(
        (value) =>
          !elsewhere.includes(value) && !rows.some(({ reaches }) => reaches.includes(value)),
      ),
    ).toEqual([]);
  });

  it.each(rows.map(({ by, reaches, go }) => [by, reaches.join(', '), reaches, go] as const))(
    '%s shows its callers %s',
    { tags: 'slow' },
    async (...row) => {
      const [, , reaches, go] = row;
      const orders = [await go()].flat();
      expect([...valuesOf(orders)]).toEqual(expect.arrayContaining([...reaches]));
    },
  );
});
