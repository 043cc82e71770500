import type { UserActionKind } from '../../../../types.ts';
import type { TestAnswers } from '../../test-shop-kit.ts';
import { archive, member } from './archive.ts';
import type { Sale, Stall } from './desk.ts';
import { emptydiv } from './emptydiv.ts';
import { folds } from './folds.ts';
import { bankCode, framed } from './framed.ts';
import { hush } from './hush.ts';
import { kettle } from './kettle.ts';
import { lamplight } from './lamplight.ts';
import { mute } from './mute.ts';
import { stubborn } from './stubborn.ts';
import { vanish } from './vanish.ts';

/** One evening's purchase: what is asked for, and what the shop's book must say afterwards. */
export interface ThirdRow {
  readonly title: string;
  readonly open: () => Promise<Stall>;
  readonly request: string;
  readonly cap: readonly [amountMinor: bigint, currency: string];
  /** Where the shop may see the card's number. */
  readonly pays: readonly string[];
  readonly asks?: readonly UserActionKind[];
  readonly answer?: TestAnswers['answer'];
  /** The only line of the book; absent: nothing may be bought. */
  readonly books?: Partial<Sale>;
  /** How the run ends where it does not succeed. */
  readonly ends?: { readonly placed: 'no' | 'unknown' | 'yes'; readonly message?: RegExp };
}

const paid = { card: true, extras: [] } as const;
/** Shops as a judge writes them in one evening. */
export const thirdHeldOut: readonly ThirdRow[] = [
  {
    title: 'plain forms: the quantity stands in the cart only, another product is offered beside',
    open: kettle,
    request: 'brushed, two of them please',
    cap: [20_000n, 'USD'],
    pays: ['/checkout'],
    books: {
      item: 'kettle b',
      quantity: 2,
      total: 13_595,
      email: 'ada@example.com',
      address: '12 Main Street 94105 San Francisco CA United States',
      ...paid,
    },
  },
  {
    title: 'the total comes late and again with another delivery, the button waits for it',
    open: lamplight,
    request: 'three in mint',
    cap: [20_000n, 'EUR'],
    pays: ['/pay'],
    books: { item: 'lamp M slow', quantity: 3, total: 9460, ...paid },
  },
  {
    title: 'three steps behind a login with a code by e-mail, tax in the last',
    open: archive,
    request: 'A3, 2 copies',
    cap: [10_000n, 'USD'],
    pays: ['/3'],
    asks: ['merchant-login', 'one-time-code'],
    answer: ({ kind }) =>
      kind === 'merchant-login'
        ? { username: member.email, password: member.password }
        : kind === 'one-time-code'
          ? { code: member.code }
          : undefined,
    books: { item: 'harbour A3 t', quantity: 2, total: 4536, ...paid },
  },
  {
    title: 'an accordion with drawn list boxes and suggested addresses',
    open: folds,
    request: 'navy blue, 2 pieces',
    cap: [10_000n, 'USD'],
    pays: ['/api/complete'],
    books: {
      item: 'scarf navy std',
      quantity: 2,
      total: 7490,
      address: '12 Main Street 94105 San Francisco US',
      ...paid,
    },
  },
  {
    title: 'one empty element, everything is script',
    open: emptydiv,
    request: 'size M, blue, two of them',
    cap: [6000n, 'GBP'],
    pays: ['/api/order'],
    books: {
      item: 'tee M Blue',
      quantity: 2,
      total: 5150,
      address: '12 Main Street, Apt 4 94105 San Francisco US',
      ...paid,
    },
  },
  {
    title: 'one empty element, and that size is sold out in that colour',
    open: emptydiv,
    request: 'small, red',
    cap: [6000n, 'GBP'],
    pays: ['/api/order'],
    asks: ['option-choice'],
    ends: { placed: 'no', message: /declined/ },
  },
  {
    title: 'the card in a frame of another origin, the bank asks in a second frame',
    open: framed,
    request: 'size 42',
    cap: [130_000n, 'USD'],
    pays: ['/vault'],
    asks: ['three-d-secure'],
    answer: async (request, { page }) => {
      if (request.kind !== 'three-d-secure') return undefined;
      const bank = page.frames().find((frame) => frame.url().includes('/challenge'))!;
      await bank.getByLabel('Code').fill(bankCode);
      await bank.getByRole('button').click();
      return { done: true };
    },
    books: { item: 'boots 42', quantity: 1, total: 119_000, ...paid },
  },
  {
    title: 'the total is over the cap',
    open: framed,
    request: 'size 41, 2 pairs',
    cap: [130_000n, 'USD'],
    pays: ['/vault'],
    ends: { placed: 'no', message: /more than|cap|limit|max/i },
  },
  {
    title: 'buttons that swallow their first click',
    open: () => stubborn('sleepy'),
    request: '',
    cap: [3000n, 'USD'],
    pays: ['/api/buy'],
    books: { item: 'mug', quantity: 1, total: 1350, ...paid },
  },
  {
    title: 'a page that sends its order twice by itself, and a quantity that no field takes',
    open: () => stubborn('twice'),
    request: 'just one',
    cap: [3000n, 'USD'],
    pays: ['/api/buy'],
    books: { item: 'mug', quantity: 1, total: 1350, ...paid },
  },
  {
    title:
      'two are wanted where there is no field for how many: they are put into the cart one by one',
    open: () => stubborn('twice'),
    request: 'two mugs please',
    cap: [3000n, 'USD'],
    pays: ['/api/buy'],
    books: { item: 'mug', quantity: 2, total: 2250, ...paid },
  },
  {
    title: 'the answer is lost, the order stands in a list',
    open: () => vanish('list'),
    request: 'black',
    cap: [4000n, 'USD'],
    pays: ['/confirm'],
    books: { item: 'fan black', quantity: 1, total: 2699, ...paid },
  },
  {
    title: 'the answer is lost and there is no list',
    open: () => vanish('silent'),
    request: 'white, x2',
    cap: [6000n, 'USD'],
    pays: ['/confirm'],
    asks: ['confirm-outcome'],
    books: { item: 'fan white', quantity: 2, total: 4898, ...paid },
    ends: { placed: 'unknown', message: /not known/ },
  },
  {
    title: 'thanks without a number',
    open: () => hush('quiet'),
    request: 'cedar, 3 pcs',
    cap: [6000n, 'USD'],
    pays: ['/shop/finish'],
    books: { item: 'candle 1', quantity: 3, total: 4150, ...paid },
  },
  {
    title: 'the order’s press is answered with a higher total',
    open: () => hush('raised'),
    request: 'cedar',
    cap: [6000n, 'USD'],
    pays: ['/shop/finish'],
    ends: { placed: 'no', message: /Prices have changed/ },
  },
  {
    title: 'two extras that cost are ticked already',
    open: () => hush('ticked'),
    request: 'cedar',
    cap: [6000n, 'USD'],
    pays: ['/shop/finish'],
    books: { item: 'candle 1', quantity: 1, total: 1650, ...paid },
  },
  {
    title: 'the wanted scent is sold out',
    open: () => hush('quiet'),
    request: 'fig, 2 of them',
    cap: [6000n, 'USD'],
    pays: ['/shop/finish'],
    asks: ['option-choice'],
    ends: { placed: 'no', message: /declined/ },
  },
  {
    title:
      'labels for the ear, and a card that is asked for before any total: nothing is sent, nothing is bought',
    open: mute,
    request: 'smoked, 2 pieces',
    cap: [200_000n, 'USD'],
    pays: ['/money'],
    ends: { placed: 'no' },
  },
];
