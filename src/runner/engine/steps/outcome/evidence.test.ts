import { describe, expect, it } from 'vitest';
import { type Evidence, judge, type Verdict } from './evidence.ts';

const approved = { amountMinor: 2_500n, currency: 'USD' };
const silent: Evidence = {
  page: 'silent',
  isRefusalProven: false,
  card: { state: 'unknown' },
  request: 'unknown',
  history: 'unreadable',
  cart: 'unreadable',
  approved,
};
const charged = (amountMinor: bigint, currency = 'USD') =>
  ({ state: 'authorised', total: { amountMinor, currency } }) as const;
const unused = { state: 'not-used' } as const;

const rows: readonly (readonly [string, Partial<Evidence>, Verdict])[] = [
  ['nothing is known', {}, 'unknown'],
  ['the page confirms', { page: 'confirms' }, 'placed'],
  ['the list of orders has it', { history: 'listed', card: unused }, 'placed'],
  [
    'the card was charged with what was approved',
    { card: charged(2_500n), cart: 'full' },
    'placed',
  ],
  ['the card was charged with something else', { card: charged(100n) }, 'unknown'],
  ['the card was charged in another currency', { card: charged(2_500n, 'EUR') }, 'unknown'],
  [
    'the card was charged and the page refuses',
    { card: charged(2_500n), page: 'refuses', isRefusalProven: true },
    'unknown',
  ],
  ['nothing has left the browser', { request: 'none' }, 'not-placed'],
  [
    'nothing has left the browser and yet the card was charged',
    { request: 'none', card: charged(2_500n) },
    'placed',
  ],
  ['the page refuses in words only', { page: 'refuses' }, 'unknown'],
  [
    'the page refuses and the issuer knows of nothing',
    { page: 'refuses', card: unused },
    'not-placed',
  ],
  [
    'the page refuses and lets one order again',
    { page: 'refuses', isRefusalProven: true },
    'not-placed',
  ],
  ['the issuer knows of nothing, and nothing else is known', { card: unused }, 'unknown'],
  [
    'the issuer knows of nothing and the cart is full',
    { card: unused, cart: 'full' },
    'not-placed',
  ],
  [
    'the issuer knows of nothing and the list of orders neither',
    { card: unused, history: 'not-listed' },
    'not-placed',
  ],
  [
    'the cart is full, and nobody can be asked about the card',
    { cart: 'full', history: 'not-listed' },
    'unknown',
  ],
];

describe('whether the shop has the order', () => {
  it.each(rows)('when %s', (_name, evidence, verdict) => {
    expect(judge({ ...silent, ...evidence })).toBe(verdict);
  });
});
