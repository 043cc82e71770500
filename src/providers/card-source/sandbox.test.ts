import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningShops, startShops } from '../../../fixtures/shops/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { RunCard } from '../../runner/types.ts';
import { testCardSource } from './card-source.contract.ts';
import type { IssuedCard } from './card-source.ts';
import { openSandboxIssuer } from './sandbox.ts';

const aKey = (id: string) => ({
  id,
  key: new Secret<Uint8Array>(createHash('sha256').update(id).digest()),
});
const clock = createManualClock();
const open = ({ store }: TestDatabase, keys = [aKey('one')]) =>
  openSandboxIssuer({ store, clock, ids: systemIds, keys });
const asTyped = ({ number, expirationMonth, expirationYear, cvc }: RunCard) => ({
  number,
  expiry: `${String(expirationMonth).padStart(2, '0')}/${expirationYear % 100}`,
  cvc,
});

testCardSource('sandbox', { issues: true, isRemote: false }, async () => {
  const database = await startTestDatabase();
  const source = open(database);
  return {
    source,
    pay: async (card, payment) =>
      (await source.authorise({ card: asTyped(card), ...payment, shop: 'plain' }))!,
    countCards: async (key) => {
      const { rows } = await database.store.query<{ count: number }>({
        text: 'select count(*)::int as count from sandbox_issued_cards where key = $1',
        values: [key],
      });
      return rows[0]!.count;
    },
    now: () => clock.now(),
    close: () => database.close(),
  };
});

describe('the sandbox issuer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database?.close());
  const limit = { amountMinor: 12_34n, currency: 'USD' };
  const issue = async (key: string, source = open(database)) => {
    const answer = await source.issue({ key, limit });
    if ('none' in answer) throw new Error(answer.none);
    return answer;
  };
  const authorise = (card: RunCard, changes: object = {}, source = open(database)) =>
    source.authorise({ card: asTyped(card), ...limit, shop: 'plain', ...changes });

  test('makes numbers that no bank has given out, and knows no others', async () => {
    const { card } = await issue('numbers');
    expect(card.number).toMatch(/^424242\d{10}$/);
    expect(await authorise({ ...card, number: '4242424242424242' })).toBeUndefined();
    expect(await authorise({ ...card, number: '' })).toBeUndefined();
  });

  test('declines another currency, and takes spaces and both ways to write a year', async () => {
    const { card } = await issue('typed');
    expect(await authorise(card, { currency: 'EUR' })).toBe('declined');
    const month = String(card.expirationMonth).padStart(2, '0');
    const typed = {
      number: card.number.replaceAll(/(\d{4})/g, '$1 '),
      expiry: `${month} / ${card.expirationYear}`,
      cvc: ` ${card.cvc}`,
    };
    expect(await authorise(card, { card: typed, currency: 'usd' })).toBe('approved');
  });

  test('approves one of ten shops that ask at once', async () => {
    const { card } = await issue('at-once');
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => authorise(card, { shop: `shop-${index}` })),
    );
    expect(verdicts.filter((verdict) => verdict === 'approved')).toHaveLength(1);
    const { rows } = await database.store.query<{ reason: string; count: number }>({
      text: `select a.reason, count(*)::int as count from sandbox_issued_authorisations a join sandbox_issued_cards c using (reference)
             where c.key = 'at-once' group by a.reason order by a.reason`,
    });
    expect(rows).toEqual([
      { reason: 'approved', count: 1 },
      { reason: 'used', count: 9 },
    ]);
  });

  test('keeps no card readable, and forgets it when it is closed', async () => {
    const source = open(database);
    const { card } = await issue('at-rest', source);
    const dump = async () => {
      const { rows } = await database.store.query<{ row: string }>({
        text: `select row_to_json(c)::text || convert_from(decode(encode(coalesce(sealed_card, ''), 'hex'), 'escape'), 'latin1') as row
               from sandbox_issued_cards c where key = 'at-rest'`,
      });
      return rows[0]!.row;
    };
    expect(await dump()).not.toContain(card.number);
    expect(await dump()).not.toContain(card.number.slice(6));
    await source.close({ key: 'at-rest' });
    expect(await dump()).toContain('"sealed_card":null');
  });

  test('is what the fixture shops ask: an order of more than the limit is not placed, a second one neither', async () => {
    const source = open(database);
    const shops = await startShops({
      store: database.store,
      lateMs: 0,
      issuer: (request) => source.authorise(request),
    });
    try {
      // A mug costs 21.45 with shipping and tax.
      const cards = await Promise.all(
        [21_44n, 21_45n].map(async (amountMinor) => {
          const answer = await source.issue({
            key: `shop-${amountMinor}`,
            limit: { amountMinor, currency: 'USD' },
          });
          return (answer as IssuedCard).card;
        }),
      );
      expect(await buyMug(shops, cards[0]!)).toBe(402);
      expect(await buyMug(shops, cards[1]!)).toBe(303);
      expect(await buyMug(shops, cards[1]!)).toBe(402);
      expect(await shops.countOrders('plain')).toBe(1);
      expect(await source.readUse({ key: 'shop-2144' })).toEqual({ state: 'not-used' });
    } finally {
      await shops.stop();
    }
  });

  test('finds cards of before a change of keys', async () => {
    const { card } = await issue('before-rotation');
    const rotated = open(database, [aKey('two'), aKey('one')]);
    expect((await issue('before-rotation', rotated)).card).toEqual(card);
    expect(await authorise(card, {}, rotated)).toBe('approved');
  });
});

/** The status of the order request. */
async function buyMug(shops: RunningShops, card: RunCard): Promise<number> {
  const { origin } = shops.shop('plain');
  const cookie = `plain_session=${systemIds.uuid()}`;
  const post = (path: string, values: Record<string, string>) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams(values),
    });
  await post('/cart/add/camp-mug', { option_Color: 'White' });
  const { number: cardNumber, expiry: cardExpiry, cvc: cardCvc } = asTyped(card);
  const address = {
    firstName: 'Max',
    lastName: 'Mug',
    address1: '1 Road',
    city: 'Bend',
    state: 'OR',
    zip: '97701',
    country: 'US',
  };
  const order = {
    page_key: 'one',
    email: 'mug@buyer.example',
    shipping: 'ground',
    terms: 'yes',
    cardNumber,
    cardExpiry,
    cardCvc,
  };
  return (await post('/checkout', { ...address, ...order })).status;
}
