import { expect, it } from 'vitest';
import { withoutExtra } from './select.ts';

const plans = ['One-time purchase', 'Subscribe monthly'];
const covers = ['Insurance $3.00', 'No insurance'];

it.each([
  ['size M', plans, 0],
  ['no subscription', plans, 0],
  ['one-time rather than a subscription', plans, 0],
  ['einmalig statt Abo', plans, 0],
  ['just once instead of a subscription', plans, 0],
  ['no account, newsletter or subscription', plans, 0],
  ['the monthly subscription please', plans, undefined],
  ['size M', covers, 1],
  ['no insurance', covers, 1],
  ['no gift wrap, insurance or tip', covers, 1],
  ['Insurance is not needed', covers, 'ask'],
  ['Neither insurance nor gift wrap', covers, 1],
  ['Skip the subscription', plans, 0],
  ['A subscription is not wanted', plans, 'ask'],
  ['Ein Abo möchte ich nicht', plans, 'ask'],
  ['Do not add:\n- insurance', covers, 1],
  ['without gift wrap and insurance', covers, 'ask'],
  ['with insurance', covers, undefined],
  ['size M, no tip', ['S', 'M'], undefined],
] as const)('“%s” of %s: %s', (request, titles, index) => {
  const options = titles.map((title) => ({ title, disabled: false }));
  expect(withoutExtra({ label: '', options }, request)).toBe(index);
});
