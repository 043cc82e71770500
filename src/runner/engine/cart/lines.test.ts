import { expect, it } from 'vitest';
import type { Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { cartLines, countOf } from './lines.ts';

const run = {
  state: {
    productTitle: 'Blue Mug',
    productUrl: 'http://shop.example/mug',
    asked: new Map(),
    choices: [],
    unitPrices: [],
  },
  task: { maxCost: { currency: 'USD', amountMinor: 5_000n } },
} as unknown as Run;

/**
 * A page of a cart: its rows with a quantity field, its rows with a button that takes something
 * out.
 */
function aCart(counted: readonly string[], removable: readonly string[]): Snapshot {
  const fields = counted.map((rowText) => ({
    rowText,
    value: '1',
    type: 'number',
    name: 'quantity',
    id: '',
    label: '',
    box: -1,
    region: 'main',
    options: [],
    container: -1,
  }));
  const button = {
    text: 'Remove',
    label: '',
    hint: '',
    value: '',
    count: '',
    tag: 'button',
    href: '',
    region: 'main',
    container: -1,
    box: -1,
  };
  const buttons = removable.map((rowText) => ({ ...button, rowText }));
  return {
    fields,
    buttons,
    forms: [],
    boxes: [],
    prices: [],
    text: '',
    url: 'http://shop.example/cart',
    heading: 'Cart',
  } as unknown as Snapshot;
}

const textsOf = (snapshot: Snapshot) =>
  cartLines(run, snapshot).map(({ text, quantity, remove }) => [text, !!quantity, !!remove]);

it('a row with a quantity field and a button that takes it out is one line of the cart, with both', () => {
  const row = 'Garden Chair 49.00 Remove';
  expect(textsOf(aCart([row], [row]))).toEqual([[row, true, true]]);
});

it('a row that can only be taken out is a line too, and a button that says nothing else is none', () => {
  const [counted, taken] = ['Garden Chair 49.00 Remove', 'Red Cup 7.00 Remove'];
  expect(textsOf(aCart([counted], [counted, taken, 'Remove']))).toEqual([
    [counted, true, true],
    [taken, false, true],
  ]);
});

it('what takes a line out may stand in a row of its own below it', () => {
  const cart = aCart(['Blue Mug 20.00', 'Red Cap 7.00'], ['Edit Remove']);
  const fields = cart.fields.map((field, index) => ({ ...field, y: index * 100, height: 20 }));
  const buttons = cart.buttons.map((button) => ({ ...button, y: 130 }));
  expect(textsOf({ ...cart, fields, buttons } as Snapshot)).toEqual([
    ['Blue Mug 20.00', true, false],
    ['Red Cap 7.00', true, true],
  ]);
});

const rowOf = (text: string, price = 20) => `${text} ${price}.00 Remove`;
const oursOf = (snapshot: Snapshot) =>
  cartLines(run, snapshot).flatMap(({ text, isOurs }) => (isOurs ? [text] : []));

it('a plan of protection for the product is none of it, wherever it stands', () => {
  const [mug, plan, warranty] = [
    rowOf('Blue Mug'),
    rowOf('Protection plan for Blue Mug'),
    rowOf('Blue Mug – extended warranty'),
  ];
  for (const rows of [
    [plan, mug, warranty],
    [warranty, mug, plan],
  ]) {
    expect(oursOf(aCart(rows, rows))).toEqual([mug]);
    expect(oursOf(aCart([], rows))).toEqual([mug]);
  }
});

it('a lid for the product is similar alone, and what says more than the product comes behind it', () => {
  const [mug, lid, other] = [rowOf('Blue Mug'), rowOf('Lid for Blue Mug'), rowOf('Blue Mug Lid')];
  expect(cartLines(run, aCart([lid], [lid])).map(({ sameness }) => sameness)).toEqual(['similar']);
  const cap = rowOf('Red Cap', 9);
  const rows = [other, cap, mug];
  expect(oursOf(aCart(rows, rows))).toEqual([mug, other]);
});

it.each([
  ['Blue Mug Lid', 'similar'],
  ['Blue Mug', 'same'],
  ['Blue Mug, blue', 'same'],
  ['Blue Mug – blue', 'same'],
  ['Blue Mug Size: M', 'same'],
  ['Blue Mug 20.00 Remove', 'same'],
  ['Blue Mug Qty 1', 'same'],
])('a row whose line says “%s” at the price of the product is the %s', (line, sameness) => {
  const row = rowOf(line);
  const text = `You may also like\nBlue Mug\n${line}\n20.00\nRemove`;
  const snapshot = { ...aCart([row], [row]), text };
  expect(cartLines(run, snapshot).map((one) => one.sameness)).toEqual([sameness]);
});

/** Plus and minus of a row, by their captions. */
const stepperOf = (rowText: string, rowRef: number, captions: readonly [string, string]) => {
  const [button] = aCart([], [rowText]).buttons;
  const parent = rowRef;
  return captions.map((text) => ({ ...button!, text, count: '1', rowRef, parent }));
};

it('two rows that say the same, each with a stepper, are two lines', () => {
  const row = 'Blue Mug 20.00';
  const buttons = [stepperOf(row, 1, ['−', '+']), stepperOf(row, 2, ['−', '+'])].flat();
  expect(cartLines(run, { ...aCart([], []), buttons }).map(countOf)).toEqual([1, 1]);
});

it('a row whose plus and minus are unknown words is a line by what takes it out', () => {
  const [mug, cap] = [rowOf('Blue Mug'), rowOf('Red Cap', 9)];
  const cart = aCart([mug], [mug, cap]);
  const buttons = [...cart.buttons, ...stepperOf(cap, 7, ['Weniger', 'Mehr'])];
  expect(textsOf({ ...cart, buttons })).toEqual([
    [mug, true, true],
    [cap, false, true],
  ]);
});

it('a row that counts the product is its line, and one that does not is a small cart beside it', () => {
  const [line, small] = ['Blue Mug 20.00', 'Blue Mug 1 × 20.00 Remove'];
  expect(oursOf(aCart([line], [small]))).toEqual([line]);
});

it('a row with a button that moves it into the cart is not in it', () => {
  const [mug, later] = [rowOf('Blue Mug'), 'Tea Pot 40.00 Remove Move to cart'];
  const cart = aCart([mug], [mug, later]);
  const [button] = cart.buttons;
  const buttons = [...cart.buttons, { ...button!, text: 'Move to cart', rowText: later }];
  expect(textsOf({ ...cart, buttons })).toEqual([[mug, true, true]]);
});

it('in a shop that puts its page into one form another product’s button hides no line', () => {
  const mug = rowOf('Blue Mug');
  const cart = aCart([mug], [mug]);
  const inForm = { container: 0 };
  const [button] = cart.buttons;
  const snapshot = {
    ...cart,
    forms: [{ tag: 'form' }],
    fields: cart.fields.map((field) => ({ ...field, ...inForm })),
    buttons: [
      { ...button!, ...inForm },
      { ...button!, ...inForm, text: 'Add to cart', rowText: 'Tea Pot 40.00 Add to cart' },
    ],
  } as unknown as Snapshot;
  expect(textsOf(snapshot)).toEqual([[mug, true, true]]);
});

it('a list of sizes in a line is no number of pieces', () => {
  const mug = rowOf('Blue Mug');
  const cart = aCart([mug], [mug]);
  const options = ['38', '39'].map((text) => ({ text, value: text, selected: text === '39' }));
  const fields = cart.fields.map((field) => ({ ...field, type: 'select', name: 'size', options }));
  expect(textsOf({ ...cart, fields } as unknown as Snapshot)).toEqual([[mug, false, true]]);
});
