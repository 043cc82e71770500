import type { JsonObject } from '../../../../../lib/json/json.ts';
import type { RunBuyer, UserActionKind, UserActionRequest } from '../../../../types.ts';
import { aBuyer } from '../../test-shop-kit.ts';
import { barn } from './barn.ts';
import { bottega } from './bottega.ts';
import { fernwood } from './fernwood.ts';
import { hearth } from './hearth.ts';
import { honest } from './honest.ts';
import type { Booked, HeldOutShop } from './kit.ts';
import { lavande } from './lavande.ts';
import { nordlicht } from './nordlicht.ts';
import { pixel } from './pixel.ts';
import { volt } from './volt.ts';

/** A purchase in a shop that was written before its writer knew the engine. */
export interface HeldOutRow {
  readonly title: string;
  readonly open: () => Promise<HeldOutShop & { readonly pay?: string }>;
  readonly path: string;
  readonly request: string;
  readonly cap: readonly [amountMinor: bigint, currency: string];
  readonly buyer?: RunBuyer;
  /** What is asked beside the approval. */
  readonly asks?: readonly UserActionKind[];
  /**
   * What the user says to it, where that is more than the first option, the password and the bank's
   * code.
   */
  readonly answer?: (request: UserActionRequest) => JsonObject | 'decline' | undefined;
  /** What the only line of the order book says. Absent: the book stays empty. */
  readonly books?: Partial<Booked>;
  /** How the run ends where it does not succeed. */
  readonly ends?: { readonly placed: 'no' | 'unknown'; readonly message: RegExp };
}

function buyer(
  countryCode: string,
  phone: string,
  line: string,
  locality: string,
  postalCode: string,
  region?: string,
): RunBuyer {
  return {
    ...aBuyer,
    phone,
    shipping: {
      addressLines: [line],
      locality,
      postalCode,
      countryCode,
      ...(region === undefined ? {} : { administrativeAreaCode: region }),
    },
  };
}
const german = buyer('DE', '+4930901820', 'Torstraße 12', 'Berlin', '10119', 'DE-BE');
const french = buyer('FR', '+33612345678', '8 rue des Lilas', 'Lyon', '69003');
const spanish = buyer('ES', '+34612345678', 'Calle Mayor 5', 'Madrid', '28013', 'ES-M');
const italian = buyer('IT', '+393331234567', 'Via Garibaldi 7', 'Torino', '10122', 'IT-TO');

const machine = {
  path: '/produkt/espressomaschine-linea',
  cap: [260_000n, 'EUR'],
  buyer: german,
} as const;
const jacket = {
  open: fernwood,
  path: '/products/trail-shell-jacket',
  cap: [40_000n, 'USD'],
} as const;
const oil = { path: '/huile-olive', cap: [20_000n, 'EUR'], buyer: french } as const;
const bed = { path: '/item/dog-bed', cap: [9_000n, 'USD'] } as const;
const belt = {
  open: bottega,
  path: '/cintura-intrecciata/cuoio',
  cap: [40_000n, 'EUR'],
  buyer: italian,
} as const;
const clean = { extras: [], card: '4242' } as const;

/** Each is one shop or one meanness of it. */
export const firstHeldOut: readonly HeldOutRow[] = [
  {
    title:
      'German: a house number of its own, form of address asked, ticked warranty, card before the review',
    ...machine,
    open: () => nordlicht(),
    request: 'Edelstahl, 2 Stück',
    asks: ['option-choice'],
    books: {
      item: 'Linea Edelstahl',
      quantity: 2,
      total: 247_390,
      address: 'Ada Lovelace Torstraße 12 10119 Berlin DE',
      ...clean,
    },
  },
  {
    title: 'German: the card goes to an address that looks like an order’s, then comes the review',
    ...machine,
    open: () => nordlicht({ pay: '/checkout/payment', place: '/checkout/place-order' }),
    request: 'bitte in schwarz',
    asks: ['option-choice'],
    books: { item: 'Linea Schwarz matt', quantity: 1, total: 123_940, ...clean },
  },
  {
    title:
      'scripted: swatches, sizes that are buttons, a total that comes late and a button that waits for it',
    ...jacket,
    request: 'size L, ember, a pair',
    books: {
      item: 'Trail Shell Jacket – Ember / L',
      quantity: 2,
      total: 27_456,
      address: 'Ada Lovelace 12 Main Street San Francisco 94105 CA US',
      ...clean,
    },
  },
  {
    title: 'scripted: the size is sold out in this colour, and nothing else is wanted',
    ...jacket,
    request: 'moss, M',
    asks: ['option-choice'],
    answer: ({ kind }) => (kind === 'option-choice' ? 'decline' : undefined),
    ends: { placed: 'no', message: /declined/ },
  },
  {
    title:
      'French: the guest’s way lies behind a link, a form of address that nothing marks as required',
    ...oil,
    open: () => lavande(),
    request: '50 cl, trois bouteilles',
    asks: ['option-choice'],
    books: { item: 'Huile 500', quantity: 3, total: 12_750, ...clean },
  },
  {
    title: 'French: a login that fails the first time, the dearest delivery is chosen already',
    ...oil,
    open: () => lavande(false),
    request: '25 cl',
    asks: ['merchant-login', 'merchant-login', 'option-choice'],
    books: { item: 'Huile 250', quantity: 1, total: 3180, ...clean },
  },
  {
    title:
      'accordion of drawn widgets: a country to type into, a list of regions, suggestions of another town',
    open: hearth,
    path: '/p/stoneware-dinner-set',
    request: 'three of them in ink blue',
    cap: [40_000n, 'USD'],
    books: {
      item: 'Dinner Set Ink Blue',
      quantity: 3,
      total: 28_313,
      address: 'Ada Lovelace 12 Main Street San Francisco California 94105 United States',
      ...clean,
    },
  },
  {
    title:
      'Spanish: hash routes, cart in sessionStorage, buttons that are divs, the checkout in a shadow tree',
    open: pixel,
    path: '/#/p/k87',
    request: 'interruptor azul, distribución Inglés (US), 2 unidades',
    cap: [30_000n, 'EUR'],
    buyer: spanish,
    books: { item: 'K87 Azul (sonoro) Inglés (US)', quantity: 2, total: 18_475, ...clean },
  },
  {
    title:
      'one frame for each card field, a bank in a frame inside a frame, amounts without a sign',
    open: volt,
    path: '/bikes/commuter',
    request: '52 cm frame',
    cap: [300_000n, 'USD'],
    asks: ['three-d-secure'],
    books: { item: 'Commuter 52', quantity: 1, total: 247_392, ...clean },
  },
  {
    title: 'a subscription first, ticked insurance, a donation, months and years without a name',
    ...bed,
    open: () => barn(),
    request: 'large, two of them',
    books: { item: 'Dog Bed Large - $24.00 once', quantity: 2, total: 5399, ...clean },
  },
  {
    title: 'the first click is swallowed',
    ...bed,
    open: () => barn('swallow'),
    request: '2x large',
    books: { quantity: 2, total: 5399, ...clean },
  },
  {
    title: 'the shop repeats its order by itself',
    ...bed,
    open: () => barn('repeat'),
    request: 'large, 3x',
    books: { quantity: 3, total: 7799, ...clean },
  },
  {
    title: 'the answer is lost after the order was placed',
    ...bed,
    open: () => barn('lost'),
    request: 'small, just one',
    asks: ['confirm-outcome'],
    books: { quantity: 1, total: 2999, ...clean },
    ends: { placed: 'unknown', message: /not known/ },
  },
  {
    title: 'thanks without a number',
    ...bed,
    open: () => barn('nameless'),
    request: 'a medium one',
    books: { item: 'Dog Bed Medium once', quantity: 1, total: 2999, ...clean },
  },
  {
    title: 'the total rises when the card is typed',
    ...bed,
    open: () => barn('raise'),
    request: 'medium',
    ends: { placed: 'no', message: /rose/ },
  },
  {
    title:
      'Italian: colours that are pages of their own, sizes as hidden radio buttons, the count in a mini cart',
    ...belt,
    request: 'colore nero, taglia 95, due pezzi',
    books: {
      item: 'Cintura nero 95',
      quantity: 2,
      total: 29_750,
      address: 'Ada Lovelace Via Garibaldi 7 10122 Torino IT',
      ...clean,
    },
  },
  {
    title: 'Italian: the colour is sold out on its own page',
    ...belt,
    request: 'bordeaux, taglia 85',
    ends: { placed: 'no', message: /sold out/ },
  },
  {
    title:
      'a chat and a login that ask for the card, orders to agents in the text, traps that nobody sees',
    open: honest,
    path: '/gifts/candle',
    request: 'fig',
    cap: [9000n, 'USD'],
    books: { item: 'Candle fig', quantity: 1, total: 3700, ...clean },
  },
];
