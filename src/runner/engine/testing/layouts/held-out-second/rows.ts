import type { JsonObject } from '../../../../../lib/json/json.ts';
import type { RunBuyer, UserActionRequest } from '../../../../types.ts';
import { aBuyer } from '../../test-shop-kit.ts';
import type { HeldOutRow } from '../held-out-first/index.ts';
import { alpina } from './alpina.ts';
import { cumbuca } from './cumbuca.ts';
import { larder } from './larder.ts';
import { polder } from './polder.ts';
import { shimmer } from './shimmer.ts';
import { tsubaki } from './tsubaki.ts';

const living = (
  countryCode: string,
  phone: string,
  line: string,
  locality: string,
  postalCode: string,
  region?: string,
): RunBuyer => ({
  ...aBuyer,
  phone,
  shipping: {
    addressLines: [line],
    locality,
    postalCode,
    countryCode,
    ...(region === undefined ? {} : { administrativeAreaCode: region }),
  },
});
const clean = { extras: [], card: '4242', email: 'ada@example.com' } as const;

/** What only the buyer knows: a tax number, how a name is read. */
function told(request: UserActionRequest): JsonObject | undefined {
  if (request.kind !== 'free-question') return undefined;
  return {
    answer: /CPF/.test(request.question)
      ? '529.982.247-25'
      : /メイ/.test(request.question)
        ? 'エイダ'
        : 'ラブレス',
  };
}

/** Shops of other countries and habits, as somebody writes them who has never seen the engine. */
export const secondHeldOut: readonly HeldOutRow[] = [
  {
    title:
      'grey bars before every page, addresses without a load, prices without VAT, a currency to choose',
    open: () => shimmer(),
    path: '/p/rack',
    request: '3 units, standard parcel',
    cap: [40_000n, 'EUR'],
    buyer: living('GB', '+447400123456', '4 Mill Road', 'Leeds', 'LS1 4DY'),
    books: {
      item: 'Steel rack',
      quantity: 3,
      total: 28_865,
      currency: 'EUR',
      address: 'Ada Lovelace 4 Mill Road LS1 4DY Leeds GB',
      ...clean,
    },
  },
  {
    title: 'grey bars that never end',
    open: () => shimmer('never'),
    path: '/p/rack',
    request: '1',
    cap: [40_000n, 'EUR'],
    ends: { placed: 'no', message: /does not come/ },
  },
  {
    title:
      'Dutch: street and town follow from postcode and house number, a late cookie banner over the till',
    open: polder,
    path: '/fietsbel',
    request: 'twee stuks',
    cap: [6000n, 'EUR'],
    buyer: living('NL', '+31612345678', 'Prinsengracht 263', 'Amsterdam', '1016 GV'),
    books: {
      quantity: 2,
      total: 4485,
      address: 'Ada Lovelace Prinsengracht 263 1016 GV Amsterdam',
      ...clean,
    },
  },
  {
    title:
      'British: every address twice, fields behind “enter address manually”, a newsletter over the till',
    open: larder,
    path: '/product/marmalade/',
    request: 'two sets',
    cap: [5000n, 'GBP'],
    buyer: living('GB', '+447400123456', '4 Mill Road', 'Leeds', 'LS1 4DY'),
    books: {
      quantity: 2,
      total: 3295,
      address: 'Ada Lovelace 4 Mill Road Leeds LS1 4DY GB',
      ...clean,
    },
  },
  {
    title:
      'Brazilian: the postcode fills in the street, a tax number, parts with interest chosen already',
    open: cumbuca,
    path: '/panela-de-ferro',
    request: 'na cor telha',
    cap: [90_000n, 'BRL'],
    buyer: living(
      'BR',
      '+5521987654321',
      'Avenida Atlântica 1702',
      'Rio de Janeiro',
      '22070-011',
      'BR-RJ',
    ),
    asks: ['free-question'],
    answer: told,
    books: { item: 'Panela telha', quantity: 1, total: 66_580, ...clean },
  },
  {
    title:
      'Swiss: amounts with an apostrophe and a dash, a stepper that waits, company chosen already',
    open: alpina,
    path: '/velo/kindersitz',
    request: 'zwei Stück',
    cap: [150_000n, 'CHF'],
    buyer: living('CH', '+41791234567', 'Bahnhofstrasse 12', 'Chur', '7000', 'CH-GR'),
    books: {
      quantity: 2,
      total: 125_890,
      address: 'Ada Lovelace Bahnhofstrasse 12 7000 Chur',
      ...clean,
    },
  },
  {
    title:
      'Japanese: full-width digits, postcode in two boxes and telephone in three, how the name is read',
    open: tsubaki,
    path: '/item/sencha',
    request: '2点',
    cap: [12_000n, 'JPY'],
    buyer: living('JP', '+81312345678', '丸の内1-1-1', '千代田区', '100-0005', 'JP-13'),
    asks: ['free-question', 'free-question'],
    answer: told,
    books: {
      quantity: 2,
      total: 8620,
      address: 'Lovelace Ada ラブレス エイダ 100 0005 13 千代田区 丸の内1-1-1 03 1234 5678',
      ...clean,
    },
  },
];
