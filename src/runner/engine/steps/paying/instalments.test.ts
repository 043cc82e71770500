import { describe, expect, it } from 'vitest';
import type { FieldInfo } from '../../page/snapshot.ts';
import { paidAtOnce } from './instalments.ts';

/** A list with the given rows, the first of which is chosen. */
const list = (label: string, ...rows: readonly string[]) =>
  ({
    type: 'select',
    disabled: false,
    label,
    near: '',
    groupLabel: '',
    name: '',
    id: '',
    options: rows.map((text, at) => ({
      text,
      value: String(at),
      disabled: false,
      selected: at === 0,
    })),
  }) as unknown as FieldInfo;

describe('a list of parts to pay in', () => {
  it.each([
    [
      'Parcelas',
      ['10x de R$ 72,57 com juros', '1x de R$ 649,90 sem juros'],
      '1x de R$ 649,90 sem juros',
    ],
    ['', ['3x de R$ 216,63', '1x de R$ 649,90'], '1x de R$ 649,90'],
    ['お支払い回数', ['3回払い', '一括払い'], '一括払い'],
    ['Cuotas', ['6 cuotas', '1 cuota'], '1 cuota'],
    ['Payment plan', ['4 payments of $25.00', 'Pay in full'], 'Pay in full'],
  ])('is paid at once: %s', (label, rows, whole) => {
    expect(paidAtOnce(list(label, ...rows))?.text).toBe(whole);
  });

  it.each([
    ['Quantity', ['2x', '1x']],
    ['Quantity', ['2 x $10.00', '1 x $10.00']],
    ['Deliver every', ['2 months', '1 month']],
    ['Parcelas', ['1x de R$ 649,90', '3x de R$ 216,63']],
    ['Month', ['2', '1']],
  ])('is left alone where it is none, or pays at once already: %s %s', (label, rows) => {
    expect(paidAtOnce(list(label, ...rows))).toBeUndefined();
  });
});
