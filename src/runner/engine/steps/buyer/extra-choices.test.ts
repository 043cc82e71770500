import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../../test/harness/browser.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { buyMug } from '../../testing/on-account.ts';
import { plainCard, plainFields, plainShop } from '../../testing/pages-kit.ts';
import { extrasOf } from './extra-choices.ts';

const run = {
  state: {
    productTitle: 'Gift Box Mug',
    titleBefore: '',
    choices: [],
    asked: new Map(),
  },
  task: { request: '', product: '' },
} as unknown as Run;

const aField = (field: Partial<FieldInfo>) =>
  ({
    type: 'text',
    region: 'main',
    name: '',
    id: '',
    near: '',
    placeholder: '',
    label: '',
    rowText: '',
    rowRef: null,
    value: '',
    options: [],
    ...field,
  }) as unknown as FieldInfo;
const aList = (label: string, ...texts: readonly string[]) =>
  aField({
    type: 'select',
    label,
    value: texts[0]!,
    options: texts.map((text, at) => ({ text, value: text, disabled: false, selected: at === 0 })),
  });
const buttonsOf = (groupLabel: string, ...captions: readonly string[]) =>
  captions.map(
    (text, at) =>
      ({
        text,
        label: '',
        groupLabel,
        pressed: String(at === 0),
        role: '',
        href: '',
        region: 'main',
        parent: 1,
      }) as unknown as ButtonInfo,
  );
const switchOf = (label: string, pressed: string) =>
  buttonsOf('', '').map((button) => ({ ...button, label, pressed, role: 'switch' }));

it.each<[string, FieldInfo[], ButtonInfo[], number]>([
  ['a tip in a list', [aList('Tip', '$2.00', 'No tip')], [], 1],
  ['no tip in a list', [aList('Tip', 'No tip', '$2.00')], [], 0],
  ['a list that has no nothing', [aList('Gift box', 'Red', 'Blue')], [], 0],
  ['a donation in a field', [aField({ label: 'Donation ($)', value: '2.00' })], [], 1],
  ['no donation in a field', [aField({ label: 'Donation ($)', value: '0.00' })], [], 0],
  ['a number of members', [aField({ label: 'Membership number', value: '1234' })], [], 0],
  ['a number of pieces', [aField({ label: 'Quantity of Club Mug', value: '2' })], [], 0],
  ['a product that is called so', [aField({ label: 'Gift Box Mug', value: '2' })], [], 0],
  ['a tip among buttons', [], buttonsOf('Add a tip', '10%', 'None'), 1],
  ['no tip among buttons', [], buttonsOf('Add a tip', 'None', '10%'), 0],
  ['a colour among buttons', [], buttonsOf('Colour', 'Blue', 'None'), 0],
  ['a switch with a price', [], switchOf('Package cover $3.00', 'true'), 1],
  ['a switch that is off', [], switchOf('Package cover $3.00', 'false'), 0],
  ['a switch of the page', [], switchOf('Dark mode', 'true'), 0],
])('of %s so many are left out', (_, fields, buttons, count) => {
  const page = { fields, buttons, heading: 'Checkout', url: 'https://shop.example/checkout' };
  expect(extrasOf(run, page as unknown as Snapshot)).toHaveLength(count);
});

const answered = {
  ...run,
  state: {
    ...run.state,
    asked: new Map([
      ['field/cover/Shipping insurance', { choice: 'yes' }],
      ['field//Donation ($) – How much?', { answer: '5' }],
      ['option/select/wrap/w1/Gift wrap', { choice: '0' }],
      ['text/words/Club name', { answer: '7' }],
      ['option/buttons/add a tip', { choice: '0' }],
    ]),
  },
};

it.each<[string, FieldInfo]>([
  ['in a list', { ...aList('Shipping insurance', 'Yes', 'No insurance'), name: 'cover' }],
  ['in a list of the product', { ...aList('Gift wrap *', 'Red', 'None'), name: 'wrap' }],
  ['in a field', aField({ label: 'Donation ($) *', placeholder: 'How much?', value: '5' })],
  ['in a text', aField({ label: 'Club donation', name: 'words', value: '7' })],
])('what the user answered %s stays', (_, field) => {
  const page = { fields: [field], buttons: [], heading: 'Checkout', url: 'https://shop.example/' };
  expect(extrasOf(run, page as unknown as Snapshot)).toHaveLength(1);
  expect(extrasOf(answered, page as unknown as Snapshot)).toEqual([]);
});

it('what the user answered among buttons stays', () => {
  const page = { fields: [], buttons: buttonsOf('Add a tip', '10%', 'None'), heading: '', url: '' };
  expect(extrasOf(answered, page as unknown as Snapshot)).toEqual([]);
});

it('what has the first words of an answered name is no answer', () => {
  const page = { fields: [aList('Club', 'Yes', 'None')], buttons: [], heading: '', url: '' };
  expect(extrasOf(answered, page as unknown as Snapshot)).toHaveLength(1);
});

const inRow = { rowText: 'Red Cap 2 $9.00', rowRef: 7, region: 'main' };
const removal = { ...buttonsOf('', 'Remove')[0]!, ...inRow, pressed: '', hint: '', count: '' };

it.each<[string, string, Partial<FieldInfo>, ButtonInfo[], number]>([
  ['near an extra', '/cart', { near: 'Gift Box – Set of 3', name: 'updates[]' }, [], 0],
  ['of a length', '/mug', { label: 'Extended length (cm)', value: '120' }, [], 0],
  ['of a point', '/mug', { label: 'Tip length (mm)', value: '12' }, [], 0],
  ['of a shoe', '/mug', { label: 'Tip-toe pads' }, [], 0],
  ['of a product in capitals', '/mug', { label: 'GIFT BOX MUG', value: '$2.00' }, [], 0],
  ['in a line of the cart', '/cart', { label: 'Donation', ...inRow }, [], 0],
  ['beside what takes it out', '/checkout', { label: 'Donation', ...inRow }, [removal], 0],
  ['that is a sum', '/checkout', { label: 'Donation' }, [], 1],
  ['that is a sum by its name', '/checkout', { near: 'A tip?', name: 'tip_amount' }, [], 1],
  ['that shows a currency', '/checkout', { near: 'Insurance', value: '$2.00' }, [], 1],
  ['that is a German sum', '/checkout', { label: 'Trinkgeld' }, [], 1],
])('of a number %s (%s) so many are left out', (_, path, field, buttons, count) => {
  const page = {
    fields: [aField({ value: '2', type: 'number', ...field })],
    buttons,
    boxes: [],
    forms: [],
    prices: [],
    heading: path === '/cart' ? 'Your cart' : 'Shop',
    url: `https://shop.example${path}`,
  };
  expect(extrasOf(run, page as unknown as Snapshot)).toHaveLength(count);
});

describe('what is chosen beforehand', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const pressed = (name: string, label: string) =>
    `<fieldset><legend>${label}</legend><button type="button" aria-pressed="true">10%</button><button type="button" aria-pressed="false" onclick="${name}.value=0;this.setAttribute('aria-pressed','true');this.previousSibling.setAttribute('aria-pressed','false')">None</button><input type="hidden" id="${name}" name="${name}" value="2"></fieldset>`;
  const cover =
    '<span id="sw">Package cover $3.00</span><button type="button" role="switch" aria-checked="true" aria-labelledby="sw" onclick="cover.value=0;this.setAttribute(\'aria-checked\',\'false\')">•</button><input type="hidden" id="cover" name="cover" value="1">';
  const password =
    '<p id="pw"><label>Password <input type="password" name="pw" required></label></p>';
  const guestBox = (label: string, checked = '') =>
    `<label><input type="checkbox" id="guest" ${checked}> ${label}</label>${password}<script>const f=()=>{pw.innerHTML=guest.checked?'':pw.dataset.all};pw.dataset.all=pw.innerHTML;guest.onchange=f;f();</script>`;
  const guestTab = `<div role="tablist"><button type="button" role="tab" aria-selected="true">Create account</button><button type="button" role="tab" aria-selected="false" onclick="pw.remove();this.setAttribute('aria-selected','true')">Guest checkout</button></div>${password}`;

  it.each([
    ['an account is made but for a box', guestBox('Do not create a customer account.')],
    ['a German box makes none', guestBox('Kein Kundenkonto anlegen', 'checked')],
    ['an account is one of two tabs', guestTab],
    [
      'a box that makes one says what there is not without it',
      `<label><input type="checkbox" name="account"> Create an account (you can't track your order without one)</label>`,
    ],
  ])('is left out, and bought as a guest, where %s', { tags: 'slow' }, async (_, account) => {
    const tip =
      '<label>Tip <select name="list"><option value="0">No tip</option><option value="2" selected>$2.00</option></select></label>';
    const gift = '<label>Donation ($) <input name="gift" value="2.00"></label>';
    const { orders, asked } = await buyMug(
      browser,
      plainShop({
        productForm: cover,
        checkoutFields: plainFields + account + tip + gift + pressed('pressed', 'Tip') + plainCard,
      }),
    );
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect(orders[0]).not.toHaveProperty('account');
    expect(orders).toMatchObject([{ 'chosen-cover': '0', list: '0', gift: '0', pressed: '0' }]);
  });

  it('stays as the user answered it', { tags: 'slow' }, async () => {
    const cover =
      '<label>Shipping insurance <select name="cover" required><option value="">Choose</option><option value="1">Yes</option><option value="0">No insurance</option></select></label>';
    const gift = '<label>Donation ($) <input name="gift" required></label>';
    const { orders } = await buyMug(
      browser,
      plainShop({ checkoutFields: plainFields + cover + gift + plainCard }),
      {
        answer: ({ kind }) =>
          kind === 'option-choice'
            ? { choice: '1' }
            : kind === 'free-question'
              ? { answer: '5' }
              : undefined,
      },
    );
    expect(orders).toMatchObject([{ cover: '1', gift: '5' }]);
  });
});
