import { inspect } from 'node:util';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../lib/sealing/secret.ts';
import { CardProviderError } from '../card/card.ts';
import { send } from '../card/testing/stripe-frame.ts';
import { testCardSource } from './card-source.contract.ts';
import { createStripeIssuing } from './stripe-issuing.ts';
import { startIssuingServer } from './testing/issuing-server.ts';

const secretKey = 'rk_test_51HiddenKey';
const cardholderId = 'ich_1Holder';

async function start() {
  const server = await startIssuingServer({ secretKey, cardholderId });
  const lines: string[] = [];
  const source = createStripeIssuing({
    url: server.url,
    secretKey: new Secret(secretKey),
    cardholderId,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    timeoutMs: 5_000,
    pause: async () => undefined,
  });
  return { server, source, lines };
}

testCardSource('stripe-issuing', { issues: true, isRemote: true }, async () => {
  const { server, source } = await start();
  return {
    source,
    pay: async ({ number, cvc, expirationMonth, expirationYear }, { amountMinor, currency }) =>
      server.authorize(number, {
        amount: Number(amountMinor),
        currency: currency.toLowerCase(),
        cvc,
        expiry: `${expirationMonth}/${expirationYear}`,
      }),
    countCards: async (key) =>
      [...server.cards.values()].filter((card) => card.metadata.purser_key === key).length,
    now: () => new Date('2026-11-22T12:00:00.000Z'),
    takeDown: () => server.takeDown(),
    close: () => server.close(),
  };
});

describe('Stripe Issuing', () => {
  let world: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    world = await start();
  });
  afterEach(() => world.server.close());
  const limit = { amountMinor: 49_90n, currency: 'USD' };
  const issue = async (key = 'run_1') => {
    const answer = await world.source.issue({ key, limit });
    if ('none' in answer) throw new Error(answer.none);
    return answer;
  };
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error as CardProviderError,
    );

  test('is asked for an active virtual card of the cardholder that pays the total and no more', async () => {
    await issue();
    const [create, read] = world.server.requests;
    expect([create!.method, create!.path, create!.headers['idempotency-key']]).toEqual([
      'POST',
      '/v1/issuing/cards',
      'card_run_1',
    ]);
    expect(Object.fromEntries(create!.form)).toEqual({
      type: 'virtual',
      status: 'active',
      currency: 'usd',
      cardholder: cardholderId,
      'spending_controls[spending_limits][0][amount]': '4990',
      'spending_controls[spending_limits][0][interval]': 'per_authorization',
      'spending_controls[spending_limits][1][amount]': '4990',
      'spending_controls[spending_limits][1][interval]': 'all_time',
      'metadata[purser_key]': 'run_1',
    });
    expect(read!.path).toMatch(/^\/v1\/issuing\/cards\/ic_\w+\?expand/);
  });

  test('gives number and code by expansion, and name and postal code of the cardholder', async () => {
    const { card } = await issue();
    expect(card).toMatchObject({
      holder: 'Example Purchasing',
      postalCode: '94103',
      expirationYear: 2039,
      expirationMonth: 8,
    });
  });

  test('in a currency that it issues no cards in has none: the user is asked', async () => {
    expect(
      await world.source.issue({ key: 'isk', limit: { amountMinor: 100n, currency: 'ISK' } }),
    ).toEqual({
      none: expect.stringMatching(/parameter_invalid/),
    });
  });

  test('when the answer is lost may have made a card: the repeated key finds it, and so does closing by the key alone', async () => {
    world.server.loseAnswer = ({ method }) => method === 'POST';
    expect(await failureOf(issue())).toMatchObject({
      name: 'CardProviderError',
      mayHaveHappened: true,
    });
    world.server.loseAnswer = undefined;
    const { reference } = await issue();
    expect([...world.server.cards.keys()]).toEqual([reference]);
    for (let more = 0; more < 105; more++) await world.source.issue({ key: `more_${more}`, limit });
    await world.source.close({ key: 'run_1' });
    expect(world.server.cards.get(reference)!.status).toBe('canceled');
    expect(
      [...world.server.cards.values()].filter(({ status }) => status === 'canceled'),
    ).toHaveLength(1);
  });

  test('counts all approved payments, and none that was given back', async () => {
    const { card, reference } = await issue();
    const pay = (amount: number) =>
      world.server.authorize(card.number, {
        amount,
        currency: 'usd',
        cvc: card.cvc,
        expiry: `${card.expirationMonth}/2039`,
      });
    expect([pay(10_00), pay(20_00), pay(40_00)]).toEqual(['approved', 'approved', 'declined']);
    const total = (amountMinor: bigint) => ({
      state: 'authorised',
      total: { amountMinor, currency: 'USD' },
    });
    expect(await world.source.readUse({ key: 'run_1', reference })).toEqual(total(30_00n));
    world.server.authorizations[0]!.status = 'reversed';
    expect(await world.source.readUse({ key: 'run_1', reference })).toEqual(total(20_00n));
    world.server.authorizations[1]!.status = 'reversed';
    expect(await world.source.readUse({ key: 'run_1', reference })).toEqual({ state: 'not-used' });
  });

  test('finds a payment behind pages of refused ones, and says nothing for sure of more than it reads', async () => {
    const { card, reference } = await issue();
    const pay = (amount: number) =>
      world.server.authorize(card.number, {
        amount,
        currency: 'usd',
        cvc: card.cvc,
        expiry: `${card.expirationMonth}/2039`,
      });
    expect(pay(49_90)).toBe('approved');
    for (let nr = 0; nr < 250; nr++) pay(1_00);
    const use = () => world.source.readUse({ key: 'run_1', reference });
    expect(await use()).toEqual({
      state: 'authorised',
      total: { amountMinor: 49_90n, currency: 'USD' },
    });
    world.server.requests.length = 0;
    for (let nr = 0; nr < 800; nr++) pay(1_00);
    expect(await use()).toEqual({ state: 'unknown' });
    expect(
      world.server.requests.filter(({ path }) => path.startsWith('/v1/issuing/authorizations')),
    ).toHaveLength(10);
  });

  test('that made a card without the limit gives none away', async () => {
    world.server.intercept = ({ method }) => {
      if (method === 'GET')
        for (const card of world.server.cards.values()) card.spending_controls.spending_limits = [];
      return false;
    };
    expect(await failureOf(issue())).toBeInstanceOf(CardProviderError);
  });

  test.each([
    [
      'does not take our key',
      401,
      { error: { type: 'invalid_request_error', message: 'No' } },
      /does not take our key/,
    ],
    ['answers something else', 200, { id: 'ic_1' }, /cannot be read/],
    ['is broken', 500, { error: { type: 'api_error', message: 'Oops' } }, /status 500/],
  ])('that %s is an error that quotes nothing', async (_, status, body, message) => {
    world.server.intercept = (_request, response) => {
      send(response, status, body);
      return true;
    };
    const error = await failureOf(issue());
    expect(error).toBeInstanceOf(CardProviderError);
    expect(error!.message).toMatch(message);
  });

  test('leaves no number, code or key in logs or errors', async () => {
    const { card, reference } = await issue();
    world.server.intercept = (request, response) => {
      if (request.method === 'GET')
        send(response, 500, { error: { type: 'api_error', message: card.number } });
      return request.method === 'GET';
    };
    const error = await failureOf(world.source.readUse({ key: 'run_1', reference }));
    for (const text of [
      world.lines.join(''),
      inspect(error, { depth: 10 }),
      inspect(world.source, { depth: 10 }),
    ])
      expect(text).not.toMatch(new RegExp(`${card.number}|HiddenKey`));
  });
});
