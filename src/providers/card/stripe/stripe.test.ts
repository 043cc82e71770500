import { inspect } from 'node:util';
import pino from 'pino';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withoutIds } from '../../../../test/harness/without-ids.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { testCards } from '../card.contract.ts';
import { type CardPayment, CardProviderError, CardRefusedError } from '../card.ts';
import { type SeenRequest, send } from '../testing/stripe-frame.ts';
import { type StripeServer, startStripeServer } from '../testing/stripe-server.ts';
import { createStripeCard, type StripeOptions } from './stripe.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const secretKey = 'sk_test_51HiddenKey';
const [present, former] = ['whsec_presentSecret', 'whsec_formerSecret'];

async function start(overrides: Partial<StripeOptions> = {}) {
  const server = await startStripeServer(secretKey);
  const pauses: number[] = [];
  const provider = createStripeCard({
    url: server.url,
    secretKey: new Secret(secretKey),
    publishableKey: 'pk_test_51Shown',
    webhookSecrets: [new Secret(present), new Secret(former)],
    log: pino({ level: 'silent' }),
    timeoutMs: 5_000,
    pause: async (ms) => void pauses.push(ms),
    ...overrides,
  });
  return { server, provider, pauses };
}

testCards('stripe', async () => {
  const { server, provider } = await start();
  const declines = {
    declined: { code: 'card_declined', decline_code: 'insufficient_funds' },
    'declined-for-good': { code: 'card_declined', decline_code: 'stolen_card' },
  };
  return {
    provider,
    now: () => now,
    async pay({ reference }, how) {
      if (how === 'approved') server.confirm(reference, {});
      else if (how === 'challenge') server.confirm(reference, { challenge: true });
      else server.confirm(reference, { decline: declines[how] });
    },
    approveChallenge: async ({ reference }) => server.passChallenge(reference),
    dispute: async ({ reference }) => server.openDispute(reference),
    decideDispute: async ({ reference }, decision) => server.closeDispute(reference, decision),
    async loseNextCapture() {
      server.loseAnswer = (request) => {
        const isCapture = request.path.endsWith('/capture');
        if (isCapture) server.loseAnswer = undefined;
        return isCapture;
      };
    },
    countPayments: async (paymentId) =>
      [...server.intents.values()].filter((one) => one.metadata.payment_id === paymentId).length,
    callbacks: async ({ reference }) =>
      server.events
        .filter((event) => JSON.stringify(event).includes(reference))
        .map((event) => server.sign(event, { secrets: [present], now })),
    takeDown: () => server.takeDown(),
    close: () => server.close(),
  };
});

describe('Stripe', () => {
  let world: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    world = await start();
  });
  afterEach(() => world.server.close());

  let count = 0;
  const create = (
    overrides: {
      paymentId?: string;
      amountMinor?: bigint;
      currency?: string;
      receiptEmail?: string;
    } = {},
  ) =>
    world.provider.createPayment({
      paymentId: `p${count++}`,
      amountMinor: 12_34n,
      currency: 'usd',
      reference: 'order-1',
      ...overrides,
    });
  const authorized = async () => {
    const payment = await create();
    world.server.confirm(payment.reference, {});
    return payment;
  };
  const capture = ({ reference, amountMinor }: CardPayment, idempotencyKey = `c${count++}`) =>
    world.provider.capture({ reference, amountMinor, idempotencyKey });
  const captured = async () => capture(await authorized());
  const errorOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(CardProviderError);
    return error as CardProviderError;
  };
  const isCapture = (request: SeenRequest) => request.path.endsWith('/capture');
  /** The next matching requests are answered like this. */
  const fault = (
    matches: (request: SeenRequest) => boolean,
    times: number,
    answer: Parameters<typeof send>[1] | StripeServer['intercept'],
    body: unknown = {},
    headers = {},
  ) => {
    let left = times;
    world.server.intercept = (request, response) => {
      if (left === 0 || !matches(request)) return false;
      left -= 1;
      if (typeof answer === 'function') return answer(request, response);
      send(response, answer as number, body, headers);
      return true;
    };
  };

  test('a payment is a PaymentIntent for cards with manual capture, under our id as key', async () => {
    const payment = await create({ paymentId: 'order_7-card', receiptEmail: 'ada@example.com' });
    const [request] = world.server.requests;
    expect(Object.fromEntries(request!.form)).toMatchObject({
      amount: '1234',
      currency: 'usd',
      capture_method: 'manual',
      'allowed_payment_method_types[0]': 'card',
      'metadata[payment_id]': 'order_7-card',
      'metadata[reference]': 'order-1',
      receipt_email: 'ada@example.com',
      'expand[0]': 'latest_charge',
    });
    expect(request!.headers).toMatchObject({
      'idempotency-key': 'payment_order_7-card',
      authorization: `Bearer ${secretKey}`,
      'stripe-version': expect.stringMatching(/^\d{4}-\d{2}-\d{2}/),
    });
    expect(payment.preparation).toEqual({
      provider: 'stripe',
      publicKey: 'pk_test_51Shown',
      clientSecret: world.server.intents.get(payment.reference)!.client_secret,
    });
  });

  test('a payment asked for again answers how it stands now, not how it was made', async () => {
    const first = await create({ paymentId: 'again' });
    world.server.confirm(first.reference, {});
    expect(await create({ paymentId: 'again' })).toMatchObject({
      reference: first.reference,
      status: 'authorized',
      preparation: first.preparation,
    });
  });

  test.each<[string, string | undefined, string, boolean]>([
    ['card_declined', 'insufficient_funds', 'insufficient-funds', false],
    ['expired_card', undefined, 'expired-card', false],
    ['card_declined', 'lost_card', 'lost-card', true],
    ['card_declined', 'stolen_card', 'stolen-card', true],
    ['card_declined', 'fraudulent', 'fraudulent', true],
    ['card_declined', 'do_not_honor', 'do-not-honor', false],
    ['incorrect_cvc', undefined, 'incorrect-cvc', false],
    ['processing_error', undefined, 'processing-error', false],
    ['payment_intent_authentication_failure', undefined, 'authentication-failed', false],
    ['card_declined', 'a_word_of_next_year', 'card-declined', false],
    ['card_declined', 'constructor', 'card-declined', false],
  ])('%s %s reads as %s', async (code, why, ours, final) => {
    const { reference } = await create();
    world.server.confirm(reference, {
      decline: { code, ...(why !== undefined && { decline_code: why }) },
    });
    const found = await world.provider.findPayment(reference);
    expect(found).toMatchObject({
      status: final ? 'failed' : 'requires-payment',
      decline: { code: ours, final },
      card: { last4: '4242' },
    });
    // The bank's own reason is not for the payer.
    if (final) expect(found!.decline!.message).not.toMatch(/stolen|lost|fraud/i);
  });

  test('an authorization that Stripe let expire is canceled, and nothing counts as refunded', async () => {
    const payment = await authorized();
    world.server.expire(payment.reference);
    expect(await capture(payment)).toMatchObject({
      status: 'canceled',
      capturedMinor: 0n,
      refundedMinor: 0n,
      decline: { code: 'authorization-expired' },
    });
  });

  test('after a capture in part the released rest is no refund', async () => {
    const payment = await authorized();
    expect(await capture({ ...payment, amountMinor: 10_00n })).toMatchObject({
      capturedMinor: 10_00n,
      refundedMinor: 0n,
    });
    await world.provider.refund({
      reference: payment.reference,
      refundId: 'part',
      amountMinor: 1_00n,
    });
    expect(await world.provider.findPayment(payment.reference)).toMatchObject({
      capturedMinor: 10_00n,
      refundedMinor: 1_00n,
    });
  });

  test('a refund may be pending, and fail after days', async () => {
    const payment = await captured();
    world.server.nextRefundStatus = 'pending';
    const made = await world.provider.refund({
      reference: payment.reference,
      refundId: 'r1',
      amountMinor: 12_34n,
    });
    expect(made.status).toBe('pending');
    expect((await world.provider.findPayment(payment.reference))!.refundedMinor).toBe(12_34n);
    world.server.endRefund(made.reference, 'failed');
    expect(
      await world.provider.findRefund({ reference: payment.reference, refundId: 'r1' }),
    ).toMatchObject({ status: 'failed' });
    expect((await world.provider.findPayment(payment.reference))!.refundedMinor).toBe(0n);
  });

  test('a refund is found again among hundreds, after Stripe has forgotten its key', async () => {
    const payment = await captured();
    for (let number = 0; number < 101; number++)
      await world.provider.refund({
        reference: payment.reference,
        refundId: `many_${number}`,
        amountMinor: 1n,
      });
    const posts = () =>
      world.server.requests.filter(
        ({ method, path }) => method === 'POST' && path === '/v1/refunds',
      ).length;
    const before = posts();
    const again = await world.provider.refund({
      reference: payment.reference,
      refundId: 'many_0',
      amountMinor: 1n,
    });
    expect(again.status).toBe('succeeded');
    expect(posts()).toBe(before);
    await expect(
      world.provider.refund({ reference: payment.reference, refundId: 'many_0', amountMinor: 2n }),
    ).rejects.toThrow(CardRefusedError);
  });

  test('Stripe’s wish to wait is followed a few times, under the same key', async () => {
    const payment = await authorized();
    fault(
      isCapture,
      3,
      429,
      { error: { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests' } },
      { 'retry-after': '2' },
    );
    expect((await capture(payment)).status).toBe('captured');
    expect(world.pauses).toEqual([2_000, 2_000, 2_000]);
    const keys = world.server.requests
      .filter(isCapture)
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  });

  test('Stripe’s wish to wait is not followed for ever, nor for hours', async () => {
    const payment = await authorized();
    fault(isCapture, 99, 429, { error: { type: 'rate_limit_error' } }, { 'retry-after': '86400' });
    expect((await errorOf(capture(payment))).mayHaveHappened).toBe(false);
    expect(world.pauses).toEqual([5_000, 5_000, 5_000]);
  });

  test('a call whose twin is under way waits for it', async () => {
    const payment = await authorized();
    fault(isCapture, 1, 409, {
      error: { type: 'idempotency_error', code: 'idempotency_key_in_use' },
    });
    expect((await capture(payment)).status).toBe('captured');
    expect(world.pauses).toEqual([250]);
  });

  test('a fault of Stripe may have happened; when the key only repeats it, the call is made anew', async () => {
    const payment = await authorized();
    const body = {
      error: { type: 'api_error', message: 'An error occurred internally with Stripe.' },
    };
    fault(isCapture, 1, 500, body);
    expect((await errorOf(capture(payment, 'k500'))).mayHaveHappened).toBe(true);
    fault(isCapture, 1, 500, body, { 'idempotent-replayed': 'true' });
    expect((await capture(payment, 'k500')).status).toBe('captured');
    const keys = world.server.requests
      .filter(isCapture)
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['capture_k500', 'capture_k500', 'capture_k500_again']);
  });

  test.each<[string, StripeServer['intercept']]>([
    [
      'no JSON',
      (_, response) =>
        Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')),
    ],
    [
      'JSON of another shape',
      (_, response) =>
        Boolean(response.writeHead(200).end('{"object":"payment_intent","amount":"12"}')),
    ],
    [
      'a cut answer',
      (_, response) =>
        Boolean(
          response.writeHead(200, { 'content-length': '900' }).write('{"id":') &&
            setTimeout(() => response.destroy(), 20),
        ),
    ],
    ['a closed connection', (_, response) => Boolean(response.destroy())],
    [
      'an endless answer',
      (_, response) => Boolean(response.writeHead(200).end(Buffer.alloc(5 * 1024 * 1024, 32))),
    ],
    [
      'a redirect',
      (_, response) => Boolean(response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
    ],
  ])('%s after a capture: it may have happened; on a look-up: nothing has', async (_, answer) => {
    const payment = await authorized();
    fault(isCapture, 1, answer);
    expect((await errorOf(capture(payment))).mayHaveHappened).toBe(true);
    fault(() => true, 1, answer);
    expect((await errorOf(world.provider.findPayment(payment.reference))).mayHaveHappened).toBe(
      false,
    );
  });

  test('an answer that does not come in time may have happened, and the same key answers it', async () => {
    const slow = await start({ timeoutMs: 300 });
    const payment = await slow.provider.createPayment({
      paymentId: 'slow',
      amountMinor: 12_34n,
      currency: 'usd',
      reference: 'o',
    });
    slow.server.confirm(payment.reference, {});
    // The capture takes effect and its answer stays on the way.
    slow.server.intercept = async (request) => {
      if (!isCapture(request)) return false;
      slow.server.intercept = undefined;
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([header, value]) => [header, String(value)]),
      );
      delete headers['content-length'];
      await fetch(`${slow.server.url}${request.path}`, {
        method: 'POST',
        headers: { ...headers, connection: 'close' },
        body: request.form.toString(),
      });
      return true;
    };
    const call = () =>
      slow.provider.capture({
        reference: payment.reference,
        amountMinor: 12_34n,
        idempotencyKey: 'late',
      });
    expect((await errorOf(call())).mayHaveHappened).toBe(true);
    expect(await slow.provider.findPayment(payment.reference)).toMatchObject({
      status: 'captured',
      capturedMinor: 12_34n,
    });
    expect(await call()).toMatchObject({ status: 'captured', capturedMinor: 12_34n });
    await slow.server.close();
  });

  test('a key that Stripe does not take is an outage of ours, not a decline', async () => {
    const other = await start({ secretKey: new Secret('sk_test_wrong') });
    expect((await errorOf(other.provider.findPayment('pi_1'))).message).toBe(
      'stripe: it does not take our key (401).',
    );
    await other.server.close();
  });

  test('an amount below Stripe’s minimum is refused by its code', async () => {
    await expect(create({ amountMinor: 1n })).rejects.toThrow(
      'it does not take the payment (invalid_request_error, amount_too_small).',
    );
  });

  test('no key, secret, amount or e-mail is in anything that it throws', async () => {
    const thrown: unknown[] = [];
    const payment = await authorized();
    for (const status of [400, 402, 404, 429, 500]) {
      fault(() => true, 9, status, {
        error: { type: 'api_error', message: `${secretKey} ada@example.com` },
      });
      thrown.push(
        await create({ receiptEmail: 'ada@example.com' }).catch((error: unknown) => error),
      );
      thrown.push(await capture(payment).catch((error: unknown) => error));
    }
    const text = inspect(thrown, { depth: 20, showHidden: true, getters: true });
    expect(thrown.every((error) => error instanceof CardProviderError)).toBe(true);
    expect(withoutIds(text)).not.toMatch(/HiddenKey|ada@example|1234|_secret_/);
  });
});

describe('amounts at Stripe', () => {
  test.each<[bigint, string, number]>([
    [1_234n, 'usd', 1_234],
    [1_200n, 'jpy', 1_200],
    [1_200n, 'krw', 1_200],
    [1_200n, 'isk', 120_000],
    [1_200n, 'ugx', 120_000],
    [500_00n, 'mga', 500],
    [12_340n, 'kwd', 12_340],
  ])('%s smallest units of %s are %s', (minor, currency, amount) => {
    expect(toStripeAmount(minor, currency)).toBe(amount);
    expect(fromStripeAmount(amount, currency)).toBe(minor);
  });

  test.each<[bigint, string]>([
    [0n, 'usd'],
    [-1n, 'usd'],
    [100_000_000n, 'usd'],
    [12_345n, 'kwd'],
    [50_001n, 'mga'],
    [2n ** 64n, 'jpy'],
  ])('%s of %s is refused rather than rounded', (minor, currency) => {
    expect(() => toStripeAmount(minor, currency)).toThrow(CardRefusedError);
  });
});

describe('Stripe’s callbacks', () => {
  const provider = createStripeCard({
    url: 'http://127.0.0.1:1',
    secretKey: new Secret(secretKey),
    publishableKey: 'pk_test_51Shown',
    webhookSecrets: [new Secret(present), new Secret(former)],
    log: pino({ level: 'silent' }),
  });
  const event = (object: Record<string, unknown>, type = 'payment_intent.succeeded') =>
    JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  /** Signed by the official package. */
  const read = (payload: string, secret = present, header?: string) => {
    const signature =
      header ??
      Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(now.getTime() / 1_000),
      });
    return provider.readCallback({
      headers: { 'stripe-signature': signature },
      body: Buffer.from(payload),
      now,
    });
  };
  const intent = { id: 'pi_1', object: 'payment_intent', metadata: { payment_id: 'order_1' } };

  test('what the official package signs is read, with the present secret or the former one', () => {
    const expected = [
      { type: 'payment-changed', eventId: 'evt_1', reference: 'pi_1', paymentId: 'order_1' },
    ];
    for (const secret of [present, former]) expect(read(event(intent), secret)).toEqual(expected);
    expect(read(event(intent), 'whsec_stranger')).toBeUndefined();
  });

  test('while a secret is rotated one right signature among several is enough', () => {
    const payload = event(intent);
    const seconds = Math.floor(now.getTime() / 1_000);
    const right = Stripe.webhooks
      .generateTestHeaderString({ payload, secret: former, timestamp: seconds })
      .split('v1=')[1];
    const wrong = 'ab'.repeat(32);
    expect(read(payload, present, `t=${seconds},v1=${wrong},v1=${right},v0=${wrong}`)).toHaveLength(
      1,
    );
    expect(read(payload, present, `t=${seconds},v1=${wrong},v0=${right}`)).toBeUndefined();
    expect(read(payload, present, `t=${seconds + 1},v1=${right}`)).toBeUndefined();
  });

  test.each<[string, string, object, object[]]>([
    [
      'a captured charge',
      'charge.captured',
      { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' },
      [{ type: 'payment-changed', reference: 'pi_1' }],
    ],
    [
      'an expanded intent',
      'charge.refunded',
      { id: 'ch_1', object: 'charge', payment_intent: { id: 'pi_1', object: 'payment_intent' } },
      [{ type: 'payment-changed', reference: 'pi_1' }],
    ],
    [
      'a refund',
      'refund.failed',
      { id: 're_1', object: 'refund', payment_intent: 'pi_1' },
      [{ type: 'refund-changed', reference: 're_1', paymentReference: 'pi_1' }],
    ],
    [
      'a dispute in yen',
      'charge.dispute.created',
      {
        id: 'dp_1',
        object: 'dispute',
        payment_intent: 'pi_1',
        amount: 1_200,
        currency: 'jpy',
        reason: 'fraudulent',
        status: 'needs_response',
      },
      [
        {
          type: 'disputed',
          reference: 'dp_1',
          paymentReference: 'pi_1',
          amountMinor: 1_200n,
          currency: 'jpy',
          reason: 'fraudulent',
        },
      ],
    ],
    [
      'an inquiry, which takes nothing',
      'charge.dispute.created',
      {
        id: 'dp_1',
        object: 'dispute',
        payment_intent: 'pi_1',
        amount: 1,
        currency: 'usd',
        status: 'warning_needs_response',
      },
      [],
    ],
    [
      'a charge without an intent',
      'charge.captured',
      { id: 'ch_1', object: 'charge', payment_intent: null },
      [],
    ],
    ['something else', 'customer.created', { id: 'cus_1', object: 'customer' }, []],
  ])('%s', (_, type, object, expected) => {
    expect(read(event(object as Record<string, unknown>, type))).toEqual(
      expected.map((one) => ({ eventId: 'evt_1', ...one })),
    );
  });

  test('a genuine event of a shape that is not known says nothing', () => {
    for (const payload of ['{}', '[]', '"x"', 'x']) expect(read(payload)).toEqual([]);
  });
});
