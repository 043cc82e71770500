import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CardPayment,
  type CardProvider,
  CardProviderError,
  CardRefusedError,
  type SignedCardCallback,
} from './card.ts';

export interface CardSubject {
  readonly provider: CardProvider;
  now(): Date;
  /** The payer enters the card that ends this way. */
  pay(
    payment: CardPayment,
    how: 'approved' | 'declined' | 'declined-for-good' | 'challenge',
  ): Promise<void>;
  /** The payer passes the 3-D Secure step. */
  approveChallenge(payment: CardPayment): Promise<void>;
  /** The payer's bank takes a captured payment back. */
  dispute(payment: CardPayment): Promise<void>;
  decideDispute(payment: CardPayment, decision: 'won' | 'lost'): Promise<void>;
  /** The next capture happens and its answer is lost. */
  loseNextCapture(payment: CardPayment): Promise<void>;
  /** Payments that the acquirer made under our id. */
  countPayments(paymentId: string): Promise<number>;
  /** Callbacks about a payment so far, as they would arrive now. */
  callbacks(payment: CardPayment): Promise<SignedCardCallback[]>;
  /**
   * Until the returned function is called the acquirer cannot be reached. Absent where that cannot
   * be.
   */
  takeDown?(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

let keys = 0;
const aKey = () => `contract_${process.pid}_${keys++}`;

/** What every acquirer owes. */
export function testCards(name: string, start: () => Promise<CardSubject>): void {
  describe(`card payments: ${name}`, () => {
    let subject: CardSubject;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close());

    const input = (
      overrides: { paymentId?: string; amountMinor?: bigint; currency?: string } = {},
    ) => ({
      paymentId: aKey(),
      amountMinor: 12_34n,
      currency: 'usd',
      reference: 'order-1',
      ...overrides,
    });
    const create = (overrides: Parameters<typeof input>[0] = {}) =>
      subject.provider.createPayment(input(overrides));
    const find = async ({ reference }: { reference: string }) =>
      (await subject.provider.findPayment(reference))!;
    const authorized = async (overrides: Parameters<typeof input>[0] = {}) => {
      const payment = await create(overrides);
      await subject.pay(payment, 'approved');
      return find(payment);
    };
    const capture = ({ reference, amountMinor }: CardPayment, idempotencyKey = aKey()) =>
      subject.provider.capture({ reference, amountMinor, idempotencyKey });
    const captured = async (overrides: Parameters<typeof input>[0] = {}) =>
      capture(await authorized(overrides));
    const refund = ({ reference }: CardPayment, amountMinor: bigint, refundId = aKey()) =>
      subject.provider.refund({ reference, refundId, amountMinor });

    test('a new payment waits for the payer, and says what the browser needs', async () => {
      const payment = await create({ currency: 'USD' });
      expect(payment).toMatchObject({
        status: 'requires-payment',
        amountMinor: 12_34n,
        currency: 'usd',
        capturedMinor: 0n,
        refundedMinor: 0n,
      });
      expect(payment.preparation).toMatchObject({
        provider: subject.provider.name,
        publicKey: expect.stringMatching(/^pk_/),
        clientSecret: expect.stringMatching(/^\w{20,}$/),
      });
      expect(payment.decline).toBeUndefined();
      expect(await find(payment)).toEqual(
        Object.fromEntries(Object.entries(payment).filter(([field]) => field !== 'preparation')),
      );
    });

    test('a payment is made once, however often and at once it is asked for under its id', async () => {
      const asked = input();
      const made = await Promise.all(
        Array.from({ length: 5 }, () => subject.provider.createPayment(asked)),
      );
      made.push(await subject.provider.createPayment(asked));
      expect(new Set(made.map((one) => one.reference)).size).toBe(1);
      expect(new Set(made.map((one) => one.preparation.clientSecret)).size).toBe(1);
      expect(await subject.countPayments(asked.paymentId)).toBe(1);
    });

    test('another amount under a used id is refused', async () => {
      const asked = input();
      const payment = await subject.provider.createPayment(asked);
      await expect(
        subject.provider.createPayment({ ...asked, amountMinor: 99_99n }),
      ).rejects.toThrow(CardRefusedError);
      expect((await find(payment)).amountMinor).toBe(12_34n);
    });

    test('yen have no smaller unit: the amount stays what it is', async () => {
      const payment = await captured({ amountMinor: 1_200n, currency: 'jpy' });
      expect(payment).toMatchObject({
        amountMinor: 1_200n,
        capturedMinor: 1_200n,
        currency: 'jpy',
      });
    });

    test('an approved card holds the amount without taking it, and shows its brand and last four digits', async () => {
      const payment = await authorized();
      expect(payment).toMatchObject({
        status: 'authorized',
        capturedMinor: 0n,
        card: {
          brand: 'visa',
          last4: expect.stringMatching(/^\d{4}$/),
          country: 'US',
          fundingType: 'credit',
        },
      });
    });

    test('a declined card leaves the payment open for another try', async () => {
      const payment = await create();
      await subject.pay(payment, 'declined');
      expect(await find(payment)).toMatchObject({
        status: 'requires-payment',
        decline: { code: 'insufficient-funds', message: expect.stringMatching(/\w/), final: false },
      });
      await subject.pay(payment, 'approved');
      const paid = await find(payment);
      expect(paid.status).toBe('authorized');
      expect(paid.decline).toBeUndefined();
    });

    test('a final decline fails the payment, which can still be given up', async () => {
      const payment = await create();
      await subject.pay(payment, 'declined-for-good');
      expect(await find(payment)).toMatchObject({ status: 'failed', decline: { final: true } });
      const ended = await subject.provider.cancel({
        reference: payment.reference,
        idempotencyKey: aKey(),
      });
      expect(ended.status).toMatch(/^(failed|canceled)$/);
    });

    test('3-D Secure is asked for, and passing it authorizes', async () => {
      const payment = await create();
      await subject.pay(payment, 'challenge');
      expect((await find(payment)).status).toBe('requires-action');
      await subject.approveChallenge(payment);
      expect((await find(payment)).status).toBe('authorized');
    });

    test('a capture takes the amount once, however often it is repeated, under its key or another', async () => {
      const payment = await authorized();
      const key = aKey();
      expect(await capture(payment, key)).toMatchObject({
        status: 'captured',
        capturedMinor: 12_34n,
      });
      expect(await capture(payment, key)).toMatchObject({
        status: 'captured',
        capturedMinor: 12_34n,
      });
      expect(await capture(payment)).toMatchObject({ status: 'captured', capturedMinor: 12_34n });
    });

    test('a part may be captured; more than was authorized may not', async () => {
      const payment = await authorized();
      await expect(capture({ ...payment, amountMinor: 12_35n })).rejects.toThrow(CardRefusedError);
      expect(await capture({ ...payment, amountMinor: 10_00n })).toMatchObject({
        status: 'captured',
        capturedMinor: 10_00n,
      });
      expect(await find(payment)).toMatchObject({ amountMinor: 12_34n, capturedMinor: 10_00n });
    });

    test('an unpaid payment cannot be captured: it comes back as it stands', async () => {
      expect(await capture(await create())).toMatchObject({
        status: 'requires-payment',
        capturedMinor: 0n,
      });
    });

    test('a capture whose answer is lost may have happened; looking finds it, and the repeated key answers it', async () => {
      const payment = await authorized();
      await subject.loseNextCapture(payment);
      const key = aKey();
      const error = await capture(payment, key).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CardProviderError);
      expect((error as CardProviderError).mayHaveHappened).toBe(true);
      expect(await find(payment)).toMatchObject({ status: 'captured', capturedMinor: 12_34n });
      expect(await capture(payment, key)).toMatchObject({
        status: 'captured',
        capturedMinor: 12_34n,
      });
    });

    test('cancelling releases an authorization, and is safe to repeat', async () => {
      const payment = await authorized();
      const cancel = (idempotencyKey: string) =>
        subject.provider.cancel({ reference: payment.reference, idempotencyKey });
      const key = aKey();
      for (const one of [key, key, aKey()])
        expect(await cancel(one)).toMatchObject({ status: 'canceled', capturedMinor: 0n });
      expect(await capture(payment)).toMatchObject({ status: 'canceled', capturedMinor: 0n });
    });

    test('a captured payment cannot be cancelled any more: it comes back as it stands', async () => {
      const { reference } = await captured();
      expect((await subject.provider.cancel({ reference, idempotencyKey: aKey() })).status).toBe(
        'captured',
      );
    });

    test('refunds give back parts, once per refund id, never more than was taken', async () => {
      const payment = await captured();
      const refundId = aKey();
      const first = await refund(payment, 10_00n, refundId);
      expect(first).toMatchObject({ refundId, status: 'succeeded', amountMinor: 10_00n });
      expect(await refund(payment, 10_00n, refundId)).toEqual(first);
      expect(await subject.provider.findRefund({ reference: payment.reference, refundId })).toEqual(
        first,
      );
      expect((await refund(payment, 10_00n)).status).toBe('failed');
      expect((await find(payment)).refundedMinor).toBe(10_00n);
      expect((await refund(payment, 2_34n)).status).toBe('succeeded');
      expect((await find(payment)).refundedMinor).toBe(12_34n);
    });

    test('what was not captured cannot be refunded', async () => {
      const payment = await authorized();
      expect((await refund(payment, 1n)).status).toBe('failed');
    });

    test('a dispute takes the amount back until it is won', async () => {
      const [won, lost] = [await captured(), await captured()];
      for (const payment of [won, lost]) {
        await subject.dispute(payment);
        expect((await find(payment)).disputedMinor).toBe(12_34n);
        expect((await refund(payment, 1n)).status).toBe('failed');
      }
      await subject.decideDispute(won, 'won');
      await subject.decideDispute(lost, 'lost');
      expect(await find(won)).toMatchObject({ status: 'captured', disputedMinor: 0n });
      expect(await find(lost)).toMatchObject({ status: 'captured', disputedMinor: 12_34n });
      const disputeOf = async (payment: CardPayment) => (await find(payment)).disputes;
      expect(await disputeOf(won)).toEqual([
        { reference: expect.any(String), status: 'won', amountMinor: 12_34n },
      ]);
      expect(await disputeOf(lost)).toEqual([
        { reference: expect.any(String), status: 'lost', amountMinor: 12_34n },
      ]);
      const types = (await subject.callbacks(won))
        .flatMap((callback) => read(callback) ?? [])
        .map((event) => event.type);
      expect(types).toEqual(expect.arrayContaining(['disputed', 'dispute-won']));
      const events = (await subject.callbacks(lost)).flatMap((callback) => read(callback) ?? []);
      for (const type of ['disputed', 'dispute-lost'])
        expect(events).toContainEqual({
          type,
          eventId: expect.any(String),
          reference: (await disputeOf(lost))[0]!.reference,
          paymentReference: lost.reference,
          amountMinor: 12_34n,
          currency: 'usd',
          reason: 'fraudulent',
        });
    });

    test('what was never made is not found', async () => {
      const payment = await create();
      for (const reference of [
        payment.reference.replaceAll(/[0-9a-f]/g, '0'),
        'x',
        '',
        "'; --",
        '../../etc',
      ])
        expect(await subject.provider.findPayment(reference)).toBeUndefined();
      expect(
        await subject.provider.findRefund({ reference: payment.reference, refundId: 'none' }),
      ).toBeUndefined();
    });

    const read = (callback: SignedCardCallback, now = subject.now()) =>
      subject.provider.readCallback({ ...callback, now });

    test('callbacks say what to look at', async () => {
      const payment = await captured();
      const refunded = await refund(payment, 1_00n);
      const events = (await subject.callbacks(payment)).flatMap((callback) => read(callback) ?? []);
      expect(events).toContainEqual({
        type: 'payment-changed',
        eventId: expect.any(String),
        reference: payment.reference,
        paymentId: payment.paymentId,
      });
      expect(events).toContainEqual({
        type: 'refund-changed',
        eventId: expect.any(String),
        reference: refunded.reference,
        paymentReference: payment.reference,
      });
    });

    test('callbacks that were changed, are unsigned or come too late are not the acquirer’s', async () => {
      const [genuine] = await subject.callbacks(await captured());
      expect(read(genuine!)).toHaveLength(1);
      const body = Buffer.from(genuine!.body);
      body[body.indexOf('p')] = 'q'.charCodeAt(0);
      expect(read({ ...genuine!, body })).toBeUndefined();
      expect(read({ ...genuine!, headers: {} })).toBeUndefined();
      const forged = Object.fromEntries(
        Object.entries(genuine!.headers).map(([header, value]) => [
          header,
          String(value).replace(/[0-9a-f]{8}$/, '00000000'),
        ]),
      );
      expect(read({ ...genuine!, headers: forged })).toBeUndefined();
      for (const minutes of [-6, 6])
        expect(
          read(genuine!, new Date(subject.now().getTime() + minutes * 60_000)),
        ).toBeUndefined();
    });

    test('whatever a stranger posts as a callback is refused, never an error', () => {
      for (const text of ['', '{', 'null', '[]', '{"id":1}', '\0', 'x'.repeat(100_000)])
        expect(read({ headers: {}, body: Buffer.from(text) })).toBeUndefined();
    });

    test('an acquirer that cannot be reached has done nothing', async (context) => {
      if (!subject.takeDown) return context.skip('this acquirer is always there');
      const payment = await authorized();
      const asked = input();
      const bringBack = await subject.takeDown();
      for (const call of [
        () => subject.provider.createPayment(asked),
        () => capture(payment),
        () => refund(payment, 1n),
        () => find(payment),
      ]) {
        const error = await call().then(String, (thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(CardProviderError);
        expect(error).toMatchObject({ mayHaveHappened: false });
      }
      await bringBack();
      expect(await subject.countPayments(asked.paymentId)).toBe(0);
      expect((await find(payment)).status).toBe('authorized');
    });
  });
}
