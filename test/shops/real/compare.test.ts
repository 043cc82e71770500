import { describe, expect, it } from 'vitest';
import type { ShopCase } from './cases.ts';
import { compare, type Ended, type Order } from './compare.ts';

const buyer = {
  name: { first: 'Mara', last: 'Lindqvist' },
  contact: { email: 'mara@example.com', phone: '+14155550123' },
  shipping: {
    addressLines: ['12 Harbour Street'],
    locality: 'Oakland',
    postalCode: '94607',
    countryCode: 'US',
  },
};
const wish: ShopCase = {
  name: 'mug',
  page: '/mug',
  maxCost: '30.00',
  order: {
    lines: [{ title: 'Mug', variant: ['Blue'], quantity: 2, unit: '10.00' }],
    paying: 'Cash',
  },
};
const order: Order = {
  number: '10002',
  lines: [{ title: 'Mug - Blue', quantity: 2, unit: '10.0000' }],
  total: '25.00',
  email: 'Mara@example.com',
  paying: 'Cash on delivery',
  address: 'Mara Lindqvist, 12 Harbour Street, Oakland, 94607',
};
const bought: Ended = {
  status: 'succeeded',
  receipt: { total: { amount: '25' }, merchantOrderId: '10002' },
};
const failed: Ended = {
  status: 'failed',
  failure: { reason: 'automation_failed', message: 'No way on was found.' },
};

const end = (more: {
  wish?: Partial<ShopCase>;
  orders?: readonly Order[];
  view?: Ended;
  stuckAt?: string;
}) => {
  const { orders = [order], view = bought, stuckAt } = more;
  return compare({ wish: { ...wish, ...more.wish }, buyer, orders, view, stuckAt });
};

describe('a purchase beside the shop’s own books', () => {
  it('is right when the books have exactly what was wished', () => {
    expect(end({})).toEqual({ verdict: 'bought right', why: '' });
  });

  it.each<[string, Partial<Order>, string]>([
    [
      'another number',
      { lines: [{ title: 'Mug - Blue', quantity: 1 }] },
      'ordered: 1 × Mug - Blue; wished: 2 × Mug Blue',
    ],
    ['another variant', { lines: [{ title: 'Mug - Red', quantity: 2 }] }, 'ordered: 2 × Mug - Red'],
    [
      'another price',
      { lines: [{ title: 'Mug - Blue', quantity: 2, unit: '11.00' }] },
      'ordered: 2 × Mug - Blue',
    ],
    [
      'something beside it',
      { lines: [...order.lines, { title: 'Insurance', quantity: 1 }] },
      '1 × Insurance',
    ],
    ['more than the limit', { total: '30.01' }, '30.01 is above the limit of 30.00'],
    ['another way of paying', { paying: 'Bank transfer' }, 'paid by Bank transfer, wished: Cash'],
    [
      'another address',
      { address: 'Mara Lindqvist, 1 Elm Street, Oakland, 94607' },
      '“12 Harbour Street” is not in the address',
    ],
    ['another e-mail address', { email: 'shop@example.com' }, 'e-mail address: shop@example.com'],
  ])('is wrong when they have %s', (_, more, why) => {
    const { verdict, why: said } = end({ orders: [{ ...order, ...more }] });
    expect(verdict).toBe('wrong');
    expect(said).toContain(why);
  });

  it('is wrong when they have two orders, or one that was not to be', () => {
    expect(end({ orders: [order, { ...order, number: '10003' }] }).verdict).toBe('wrong');
    expect(end({ wish: { order: undefined } }).verdict).toBe('wrong');
  });

  it('is untrue when what is said is not so, even where the order is right', () => {
    expect(end({ orders: [] })).toMatchObject({
      verdict: 'untrue',
      why: 'it says bought, and the shop has no new order',
    });
    expect(end({ view: failed })).toMatchObject({
      verdict: 'untrue',
      why: expect.stringContaining('the shop has order 10002'),
    });
    expect(end({ view: { ...bought, receipt: { total: { amount: '24.00' } } } }).verdict).toBe(
      'untrue',
    );
    expect(end({ view: { ...bought, receipt: { merchantOrderId: '7' } } }).verdict).toBe('untrue');
  });

  it('is refused rightly when nothing was to be bought or its user stopped it, else a question or not bought', () => {
    const none = { orders: [], view: failed };
    expect(end({ ...none, wish: { order: undefined } }).verdict).toBe('refused rightly');
    expect(end({ ...none, wish: { cancel: 'approval' } }).verdict).toBe('refused rightly');
    expect(end({ ...none, stuckAt: 'option-choice: Which colour?' })).toEqual({
      verdict: 'question',
      why: 'option-choice: Which colour?',
    });
    expect(end(none)).toEqual({
      verdict: 'not bought',
      why: 'automation_failed: No way on was found.',
    });
  });
});
