import { expect, it } from 'vitest';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { takeOnce } from './plans.ts';

const runOf = (request = '', productTitle = 'Blue Mug') =>
  ({
    state: {
      productTitle,
      productUrl: 'http://shop.example/mug',
      asked: new Map(),
      choices: [],
      unitPrices: [],
    },
    task: { request, maxCost: { currency: 'USD', amountMinor: 5_000n } },
    watch: { changes: 0 },
  }) as unknown as Run;

/** A cart with one line, and what stands in it beside its name and price. */
function aCart(said: string, fields: readonly Partial<FieldInfo>[] = [], title = 'Blue Mug') {
  const rowText = `${title} 20.00 ${said} Remove`;
  const place = { rowText, region: 'main', container: -1, box: -1, y: 0 };
  const button = { text: 'Remove', label: '', hint: '', count: '', tag: 'button', href: '' };
  return {
    fields: fields.map((field) => ({
      value: '',
      name: '',
      id: '',
      label: '',
      options: [],
      ...place,
      ...field,
    })),
    buttons: [{ ...button, ...place }],
    forms: [],
    boxes: [],
    prices: [],
    text: '',
    url: 'http://shop.example/cart',
    heading: 'Cart',
  } as unknown as Snapshot;
}
const listOf = (...texts: readonly string[]) => ({
  type: 'select',
  options: texts.map((text, index) => ({
    text,
    value: text,
    disabled: false,
    selected: index === 0,
  })),
});
const radio = (label: string, checked: boolean) => ({ type: 'radio', group: 1, label, checked });

/** The same with a line of another product, in which a field stands. */
function withOther(cart: Snapshot, field: Partial<FieldInfo>, title = 'Red Cap'): Snapshot {
  const rowText = `${title} 9.00 Remove`;
  const [button] = cart.buttons;
  const place = { rowText, region: 'main', name: '', id: '', label: '', value: '', options: [] };
  return {
    ...cart,
    fields: [...cart.fields, { ...place, group: 2, ...field, rowText } as unknown as FieldInfo],
    buttons: [...cart.buttons, { ...button!, rowText }],
  };
}

it('a request that wants no plan does not ask for one', async () => {
  const cart = aCart('', [listOf('Every 4 weeks', 'Every 8 weeks')]);
  for (const request of [
    'size M, no subscription',
    'Bitte kein Abo',
    'I do not want it every month',
  ])
    await expect(takeOnce(runOf(request), cart), request).rejects.toThrow(/not asked for/);
});

it.each<[string, Snapshot]>([
  ['in words', aCart('Delivered every 4 weeks')],
  ['in Polish words', aCart('Dostarczaj co 2 tygodnie')],
  ['in a list without once', aCart('', [listOf('Every 4 weeks', 'Every 8 weeks')])],
  ['in a radio button without once', aCart('', [radio('Subscribe every month', true)])],
  [
    'in a list, beside another line that comes once,',
    withOther(
      aCart('', [listOf('Every 4 weeks')]),
      radio('One-time purchase', true),
      'Lid for Blue Mug',
    ),
  ],
])('a line that says %s that it comes again and again is refused', async (_, snapshot) => {
  await expect(takeOnce(runOf(), snapshot)).rejects.toThrow(/which was not asked for/);
});

it.each<[string, Snapshot, run?: Run]>([
  [
    'has a list beside what comes once',
    aCart('', [radio('One-time purchase', true), listOf('Every 4 weeks')]),
  ],
  ['offers it', aCart('', [radio('Just once', true), radio('Every 4 weeks', false)])],
  ['is called so', aCart('', [], 'Weekly Planner'), runOf('', 'Weekly Planner')],
  ['was asked for', aCart('Delivered every month'), runOf('deliver it every month')],
  ['is another product', withOther(aCart(''), listOf('Every 4 weeks'))],
])('a line that %s is left as it is', async (_, snapshot, run = runOf()) => {
  expect(await takeOnce(run, snapshot)).toBeUndefined();
});
