import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import type { declineCodes, EnteredCard } from '../../../../providers/card/card.ts';
import { sandboxCards } from '../../../../providers/card/index.ts';
import { aCard } from '../../../../providers/card/test-kit.ts';
import { sandboxAddresses } from '../../../../providers/screening/sandbox.ts';
import { releaseHold } from '../../operator/operator.ts';
import {
  aBuyer,
  answerChallenge,
  createOnramp,
  orderRecord,
  payByCard,
  readOrder,
  startOnrampStack,
  untilState,
} from '../../testing/onramp-kit.ts';

/**
 * What a payer is told of a card that did not pay, and what the app may offer next:
 * `payment.failureReason`.
 */
let stack: Stack;
let address: string;
beforeAll(async () => {
  stack = await startOnrampStack();
  ({ address } = await aBuyer(stack));
}, 120_000);
afterAll(() => stack?.close());

type Code = (typeof declineCodes)[number];

async function enter(id: string, card: EnteredCard): Promise<void> {
  const { cardReference, facts } = await orderRecord(stack, id);
  const { clientSecret } = facts.preparation!.card as { clientSecret: string };
  await stack.ctx.providers.card!.sandbox!.pay({
    reference: cardReference!.split('/')[1]!,
    clientSecret,
    card,
  });
}

const good = sandboxCards.approved.number;
const by = (card: keyof typeof sandboxCards) => (id: string) =>
  payByCard(stack, id, sandboxCards[card].number);
const typed =
  (number: string, over: Partial<EnteredCard> = {}) =>
  (id: string) =>
    enter(id, aCard(number, over));

/** Held for the operator until the authorisation has ended. */
async function heldForAWeek(id: string): Promise<void> {
  const { screening } = stack.ctx.providers;
  const providers = stack.ctx.providers as { screening: typeof screening };
  providers.screening = {
    ...screening,
    screen: (input) => screening.screen({ ...input, addresses: [sandboxAddresses.blocked] }),
  };
  await payByCard(stack, id, good);
  await untilState(stack, id, 'on_hold').finally(() => {
    providers.screening = screening;
  });
  await stack.advance(8 * 24 * 3_600_000);
  await releaseHold(stack.ctx, { projectId: stack.api.projectId, orderId: id, note: 'looked at' });
}

/**
 * By code: how it comes about, what may be offered, and whether the order still waits for its
 * payment.
 */
const reasons: Readonly<
  Record<
    Code,
    readonly [(id: string) => Promise<unknown>, 'retry' | 'other-card' | 'new-order', RegExp]
  >
> = {
  'card-declined': [by('declined'), 'other-card', /another card/],
  'insufficient-funds': [by('insufficientFunds'), 'other-card', /another card/],
  'expired-card': [by('expired'), 'other-card', /another card/],
  'do-not-honor': [by('doNotHonor'), 'other-card', /another card/],
  'incorrect-number': [typed('4242424242424241'), 'retry', /number is not right/],
  'incorrect-cvc': [typed(good, { cvc: '12' }), 'retry', /code is not right/],
  'invalid-expiry': [typed(good, { expiryMonth: '13' }), 'retry', /date is not right/],
  'processing-error': [by('processingError'), 'retry', /Try again/],
  'authentication-failed': [
    async (id) => {
      await payByCard(stack, id, sandboxCards.challenge.number);
      await answerChallenge(stack, id, 'fail');
    },
    'retry',
    /Try again/,
  ],
  'lost-card': [by('lost'), 'new-order', /^The card was declined\.$/],
  'stolen-card': [by('stolen'), 'new-order', /^The card was declined\.$/],
  fraudulent: [by('fraudulent'), 'new-order', /^The card was declined\.$/],
  'capture-declined': [by('captureDeclined'), 'new-order', /took its authorization back/],
  'authorization-expired': [heldForAWeek, 'new-order', /has expired/],
};

it.each(Object.entries(reasons))(
  'a card that is declined with %s says what may be done, and that holds',
  { tags: 'slow' },
  async (code, [happens, retryPolicy, message]) => {
    const { id } = await createOnramp(stack, { address });
    await happens(id);
    const order = await eventually('it is told', async () => {
      const now = await readOrder(stack, id);
      return now.payment.failureReason && now;
    });
    expect(order.payment.failureReason).toEqual({
      code: 'payment-declined',
      message: expect.stringMatching(message),
      ...(code === 'authentication-failed' && { category: 'verification_error' }),
      retryPolicy,
    });
    const mayPay = retryPolicy !== 'new-order';
    expect([order.phase, order.payment.status]).toEqual(
      mayPay ? ['payment', 'awaiting-payment'] : ['completed', 'failed'],
    );
    // What it says holds: the order can be paid, or cannot.
    if (!mayPay) return;
    await payByCard(stack, id, good);
    expect((await untilState(stack, id, 'delivered')).payment).not.toHaveProperty('failureReason');
  },
);

it('an order that nobody paid after a decline says that it takes a new one', async () => {
  const { id } = await createOnramp(stack, { address });
  await payByCard(stack, id, sandboxCards.insufficientFunds.number);
  await eventually(
    'it is told',
    async () => (await readOrder(stack, id)).payment.failureReason?.retryPolicy === 'other-card',
  );
  await stack.advance(11 * 60_000);
  expect((await untilState(stack, id, 'quote_expired')).payment.failureReason).toMatchObject({
    retryPolicy: 'new-order',
  });
});
