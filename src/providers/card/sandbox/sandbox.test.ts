import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { systemIds } from '../../../lib/id.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { testCards } from '../card.contract.ts';
import type {
  CardEvent,
  CardPayment,
  CardPreparation,
  CardProviderError,
  SignedCardCallback,
} from '../card.ts';
import { aCard } from '../test-kit.ts';
import { createSandboxCard } from './sandbox.ts';
import { isCardNumber, sandboxCards } from './sandbox-script.ts';

const dayMs = 86_400_000;
const aKeyOf = (text: string) => new Secret<Uint8Array>(createHash('sha256').update(text).digest());

function open(database: TestDatabase, keys = [aKeyOf('one')]) {
  const clock = createManualClock();
  const provider = createSandboxCard({
    store: database.store,
    clock,
    ids: systemIds,
    keys,
    pageUrl: 'http://purser.test/api/sandbox/card',
  });
  const sandbox = provider.sandbox!;
  const secrets = new Map<string, string>();
  let count = 0;
  const create = async (amountMinor = 12_34n) => {
    const payment = await provider.createPayment({
      paymentId: `pay_${process.pid}_${systemIds.uuid()}_${count++}`,
      amountMinor,
      currency: 'usd',
      reference: 'order-1',
    });
    secrets.set(payment.reference, payment.preparation.clientSecret!);
    return payment;
  };
  const pay = async (
    { reference }: { reference: string },
    card = aCard(sandboxCards.approved.number),
  ) => (await sandbox.pay({ reference, clientSecret: secrets.get(reference)!, card }))!.payment;
  const challenge = async ({ reference }: { reference: string }, answer: 'approve' | 'fail') =>
    (await sandbox.answerChallenge({ reference, clientSecret: secrets.get(reference)!, answer }))!
      .payment;
  const find = async ({ reference }: { reference: string }) =>
    (await provider.findPayment(reference))!;
  const capture = (
    { reference, amountMinor }: CardPayment,
    idempotencyKey = `cap_${systemIds.uuid()}`,
  ) => provider.capture({ reference, amountMinor, idempotencyKey });
  const paidWith = async (number: string) => pay(await create(), aCard(number));
  return { clock, provider, sandbox, secrets, create, pay, challenge, find, capture, paidWith };
}

testCards('sandbox', async () => {
  const database = await startTestDatabase();
  const world = open(database);
  const { provider, sandbox, clock, secrets } = world;
  const delivered: SignedCardCallback[] = [];
  const keep = ({ reference, preparation }: CardPayment & { preparation?: CardPreparation }) => {
    if (preparation) secrets.set(reference, preparation.clientSecret!);
    return reference;
  };
  const numbers = {
    approved: sandboxCards.approved.number,
    declined: sandboxCards.insufficientFunds.number,
    'declined-for-good': sandboxCards.lost.number,
    challenge: sandboxCards.challenge.number,
  };
  const setScript = (reference: string, script: string) =>
    database.store.query({
      text: 'update sandbox_card_payments set script = $2 where reference = $1',
      values: [reference, script],
    });
  return {
    provider,
    now: () => clock.now(),
    async pay(payment, how) {
      keep(payment);
      await world.pay(payment, aCard(numbers[how]));
    },
    async approveChallenge(payment) {
      await world.challenge(payment, 'approve');
    },
    async dispute({ reference }) {
      await database.store.query({
        text: `update sandbox_card_payments set next_step = 'dispute', next_at = $2 where reference = $1`,
        values: [reference, clock.now()],
      });
      await sandbox.advance();
    },
    async decideDispute({ reference }, decision) {
      await sandbox.decideDispute({ reference, decision });
    },
    async loseNextCapture({ reference }) {
      await setScript(reference, 'captureLost');
    },
    async countPayments(paymentId) {
      const { rowCount } = await database.store.query({
        text: 'select from sandbox_card_payments where payment_id = $1',
        values: [paymentId],
      });
      return rowCount;
    },
    async callbacks({ reference }) {
      // Earlier tests left some behind: a delivery takes a hundred.
      while (
        (await sandbox.deliverCallbacks(async (callback) => Boolean(delivered.push(callback)))) > 0
      );
      return delivered.filter(({ body }) => body.includes(reference));
    },
    close: () => database.close(),
  };
});

describe('the sandbox acquirer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database?.close());

  test('its numbers have right check digits, and each is listed once', () => {
    const numbers = Object.values(sandboxCards).map(({ number }) => number);
    expect(numbers.filter((number) => !isCardNumber(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(isCardNumber('4242424242424241')).toBe(false);
  });

  test('the guide lists every number, with what it stands for', () => {
    const guide = readFileSync(
      new URL('../../../../docs/guides/cards.md', import.meta.url),
      'utf8',
    );
    const rows = Object.values(sandboxCards).map(
      ({ number, what }) => `| \`${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}\` | ${what} |`,
    );
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });

  test.each(
    Object.entries(sandboxCards).flatMap(([name, card]) =>
      'decline' in card && !('slow' in card) ? [{ name, ...card }] : [],
    ),
  )('$name: declined with $decline', async ({ number, decline, ...rest }) => {
    const world = open(database);
    let payment = await world.paidWith(number);
    if ('challenge' in rest) payment = await world.challenge(payment, 'approve');
    const isFinal = ['lost-card', 'stolen-card', 'fraudulent'].includes(decline);
    expect(payment).toMatchObject({
      status: isFinal ? 'failed' : 'requires-payment',
      decline: { code: decline, final: isFinal },
    });
    const again = await world.pay(payment);
    expect(again.status).toBe(isFinal ? 'failed' : 'authorized');
  });

  test.each<[string, ReturnType<typeof aCard>, string]>([
    ['a wrong check digit', aCard('4242424242424241'), 'incorrect-number'],
    ['letters', aCard('card'), 'incorrect-number'],
    ['a month that is none', aCard('4242424242424242', { expiryMonth: '13' }), 'invalid-expiry'],
    ['no year', aCard('4242424242424242', { expiryYear: '' }), 'invalid-expiry'],
    [
      'a month that is over',
      aCard('4242424242424242', { expiryMonth: '12', expiryYear: '25' }),
      'expired-card',
    ],
    ['a security code of two digits', aCard('4242424242424242', { cvc: '12' }), 'incorrect-cvc'],
  ])('%s is declined, and may be corrected', async (_, card, code) => {
    const world = open(database);
    const payment = await world.create();
    expect(await world.pay(payment, card)).toMatchObject({
      status: 'requires-payment',
      decline: { code, final: false },
    });
    // The month of the service's clock is not over.
    const corrected = aCard(' 4242 4242-4242 4242 ', { expiryMonth: '1', expiryYear: '2026' });
    expect(await world.pay(payment, corrected)).toMatchObject({
      status: 'authorized',
      card: { brand: 'visa', last4: '4242' },
    });
  });

  test('after ten cards no other one is taken', async () => {
    const world = open(database);
    const payment = await world.create();
    for (let count = 0; count < 10; count++)
      expect((await world.pay(payment, aCard(sandboxCards.declined.number))).status).toBe(
        'requires-payment',
      );
    expect((await world.pay(payment)).status).toBe('failed');
  });

  test('3-D Secure that fails, or is left open for an hour, is a decline that another card mends', async () => {
    const world = open(database);
    const failed = await world.challenge(
      await world.paidWith(sandboxCards.challenge.number),
      'fail',
    );
    expect(failed).toMatchObject({
      status: 'requires-payment',
      decline: { code: 'authentication-failed' },
    });
    const left = await world.paidWith(sandboxCards.challenge.number);
    world.clock.advance(59 * 60_000);
    expect((await world.find(left)).status).toBe('requires-action');
    world.clock.advance(60_000);
    expect(await world.find(left)).toMatchObject({
      status: 'requires-payment',
      decline: { code: 'authentication-failed' },
    });
    expect((await world.challenge(left, 'approve')).status).toBe('requires-payment');
    expect((await world.pay(left)).status).toBe('authorized');
  });

  test('a slow card is processed for 30 seconds of the service’s clock', async () => {
    const world = open(database);
    const [good, bad] = [
      await world.paidWith(sandboxCards.slow.number),
      await world.paidWith(sandboxCards.slowDeclined.number),
    ];
    world.clock.advance(29_999);
    for (const payment of [good, bad])
      expect((await world.find(payment)).status).toBe('processing');
    expect(
      (
        await world.provider.cancel({
          reference: good.reference,
          idempotencyKey: `c_${good.paymentId}`,
        })
      ).status,
    ).toBe('processing');
    world.clock.advance(1);
    expect((await world.find(good)).status).toBe('authorized');
    expect(await world.find(bad)).toMatchObject({
      status: 'requires-payment',
      decline: { code: 'card-declined' },
    });
  });

  test('an authorization ends after 7 days, and cannot be captured then', async () => {
    const world = open(database);
    const payment = await world.paidWith(sandboxCards.approved.number);
    world.clock.advance(7 * dayMs - 1);
    expect((await world.find(payment)).status).toBe('authorized');
    world.clock.advance(1);
    expect(await world.capture(payment)).toMatchObject({
      status: 'canceled',
      capturedMinor: 0n,
      decline: { code: 'authorization-expired' },
    });
  });

  test('a slow card that nobody looked at for 8 days was authorized and has expired', async () => {
    const world = open(database);
    const payment = await world.paidWith(sandboxCards.slow.number);
    world.clock.advance(8 * dayMs);
    expect((await world.find(payment)).status).toBe('canceled');
  });

  test('an acquirer that cannot be reached is there at the third call of each key', async () => {
    const world = open(database);
    const payment = await world.paidWith(sandboxCards.captureUnreachable.number);
    const tryTwice = async (call: () => Promise<unknown>) => {
      for (let count = 0; count < 2; count++) {
        const error = await call().catch((thrown: unknown) => thrown);
        expect((error as CardProviderError).mayHaveHappened).toBe(false);
      }
    };
    await tryTwice(() => world.capture(payment, `u1_${payment.paymentId}`));
    expect((await world.find(payment)).status).toBe('authorized');
    expect((await world.capture(payment, `u1_${payment.paymentId}`)).status).toBe('captured');
    const refund = () =>
      world.provider.refund({
        reference: payment.reference,
        refundId: `u2_${payment.paymentId}`,
        amountMinor: 1n,
      });
    await tryTwice(refund);
    expect((await refund()).status).toBe('succeeded');
  });

  test('a capture that is declined ends the payment, and nothing was taken', async () => {
    const world = open(database);
    const payment = await world.paidWith(sandboxCards.captureDeclined.number);
    expect(await world.capture(payment)).toMatchObject({
      status: 'failed',
      capturedMinor: 0n,
      decline: { code: 'capture-declined', final: true },
    });
  });

  test('a chargeback comes 10 days after capture, over what was not refunded', async () => {
    const world = open(database);
    const payment = await world.capture(await world.paidWith(sandboxCards.chargeback.number));
    await world.provider.refund({
      reference: payment.reference,
      refundId: `cb_${payment.paymentId}`,
      amountMinor: 2_34n,
    });
    world.clock.advance(10 * dayMs - 1);
    expect((await world.find(payment)).disputedMinor).toBe(0n);
    world.clock.advance(1);
    expect(await world.sandbox.advance()).toBeGreaterThan(0);
    expect((await world.find(payment)).disputedMinor).toBe(10_00n);
    expect(
      await world.sandbox.decideDispute({ reference: payment.reference, decision: 'lost' }),
    ).toBe(true);
    expect(
      await world.sandbox.decideDispute({ reference: payment.reference, decision: 'won' }),
    ).toBe(false);
  });

  test.each(['refundPending', 'refundFails', 'refundRefused'] as const)(
    '%s: refunds as the table says',
    async (name) => {
      const world = open(database);
      const { reference, paymentId } = await world.capture(
        await world.paidWith(sandboxCards[name].number),
      );
      const refundId = `rf_${paymentId}`;
      const started = await world.provider.refund({ reference, refundId, amountMinor: 12_34n });
      expect(started.status).toBe(name === 'refundRefused' ? 'failed' : 'pending');
      world.clock.advance(3 * dayMs);
      await world.sandbox.advance();
      const ended = await world.provider.findRefund({ reference, refundId });
      expect(ended?.status).toBe(name === 'refundPending' ? 'succeeded' : 'failed');
      expect((await world.find({ reference })).refundedMinor).toBe(
        name === 'refundPending' ? 12_34n : 0n,
      );
    },
  );

  test('a key that was used for one call is refused for another', async () => {
    const world = open(database);
    const [one, other] = [
      await world.paidWith(sandboxCards.approved.number),
      await world.paidWith(sandboxCards.approved.number),
    ];
    const key = `once_${one.paymentId}`;
    await world.capture(one, key);
    await expect(world.capture(other, key)).rejects.toThrow('used for another call');
    await expect(
      world.provider.cancel({ reference: one.reference, idempotencyKey: key }),
    ).rejects.toThrow('used for another call');
    expect((await world.find(other)).status).toBe('authorized');
  });

  test('two cards at once hold the amount once', async () => {
    const world = open(database);
    const payment = await world.create();
    const tried = await Promise.all([world.pay(payment), world.pay(payment), world.pay(payment)]);
    expect(tried.every(({ status }) => status === 'authorized')).toBe(true);
    const { rowCount } = await database.store.query({
      text: `select from sandbox_card_events where body ->> 'reference' = $1`,
      values: [payment.reference],
    });
    expect(rowCount).toBe(1);
  });

  test('two refunds at once never give back more than was taken', async () => {
    const world = open(database);
    const { reference, paymentId } = await world.capture(
      await world.paidWith(sandboxCards.approved.number),
    );
    const refunds = await Promise.all(
      [1, 2, 3].map((number) =>
        world.provider.refund({
          reference,
          refundId: `two_${paymentId}_${number}`,
          amountMinor: 12_34n,
        }),
      ),
    );
    expect(refunds.map(({ status }) => status).toSorted()).toEqual([
      'failed',
      'failed',
      'succeeded',
    ]);
    expect((await world.find({ reference })).refundedMinor).toBe(12_34n);
  });

  test('the page is shown to who has the client secret of this payment only', async () => {
    const world = open(database);
    const [mine, other] = [await world.create(), await world.create()];
    const secretOf = ({ reference }: CardPayment) => world.secrets.get(reference)!;
    const read = (reference: string, clientSecret: string) =>
      world.sandbox.readPage({ reference, clientSecret });
    expect(await read(mine.reference, secretOf(mine))).toMatchObject({
      payment: { reference: mine.reference },
    });
    for (const secret of [secretOf(other), '', 'x', `${secretOf(mine)}0`])
      expect(await read(mine.reference, secret)).toBeUndefined();
    expect(
      await world.sandbox.pay({
        reference: mine.reference,
        clientSecret: secretOf(other),
        card: aCard('4242424242424242'),
      }),
    ).toBeUndefined();
    expect((await world.find(mine)).status).toBe('requires-payment');
  });

  test('a replaced key still opens pages and signs for as long as it is listed', async () => {
    const before = open(database);
    const payment = await before.create();
    const after = open(database, [aKeyOf('two'), aKeyOf('one')]);
    const asked = {
      reference: payment.reference,
      clientSecret: before.secrets.get(payment.reference)!,
    };
    expect(await after.sandbox.readPage(asked)).toBeDefined();
    expect(await open(database, [aKeyOf('two')]).sandbox.readPage(asked)).toBeUndefined();
  });

  test('no card number or security code is stored anywhere', async () => {
    const world = open(database);
    const number = '5555555555554444';
    await world.pay(await world.create(), aCard(number, { cvc: '917' }));
    const { rows } = await database.store.query<{ text: string }>({
      text: `select (select string_agg(to_jsonb(p)::text, '') from sandbox_card_payments p) || (select string_agg(to_jsonb(e)::text, '') from sandbox_card_events e) as text`,
    });
    expect(/"last4": "4444"/.test(rows[0]!.text)).toBe(true);
    expect(/5{8}|"917"|: 917\b/.test(rows[0]!.text)).toBe(false);
  });

  test('callbacks come until they are taken, and in any order and number that a test wants', async () => {
    const own = await startTestDatabase();
    const world = open(own);
    const payment = await world.capture(await world.paidWith(sandboxCards.approved.number));
    const events: CardEvent[] = [];
    const take = async (callback: SignedCardCallback) => {
      events.push(...world.provider.readCallback({ ...callback, now: world.clock.now() })!);
      return true;
    };
    expect(
      await world.sandbox.deliverCallbacks(async () => Promise.reject(new Error('down'))),
    ).toBe(0);
    expect(await world.sandbox.deliverCallbacks(take)).toBe(0);
    world.clock.advance(30_000);
    expect(await world.sandbox.deliverCallbacks(take, { order: 'reversed', times: 2 })).toBe(2);
    expect(await world.sandbox.deliverCallbacks(take)).toBe(0);
    expect(events).toHaveLength(4);
    expect(events[0]!.eventId).toBe(events[1]!.eventId);
    expect(new Set(events.map((event) => event.reference))).toEqual(new Set([payment.reference]));
    await own.close();
  });

  test('callbacks that nobody takes are given up after twenty tries', async () => {
    const own = await startTestDatabase();
    const world = open(own);
    await world.paidWith(sandboxCards.approved.number);
    let tries = 0;
    for (let hour = 0; hour < 40; hour++) {
      await world.sandbox.deliverCallbacks(async () => {
        tries += 1;
        return false;
      });
      world.clock.advance(60 * 60_000);
    }
    expect(tries).toBe(20);
    await own.close();
  });
});
