import { describe, expect, it } from 'vitest';
import type { SnapshotInfo } from '../page/snapshot.ts';
import { openAmount } from './unfinished.ts';

/** A page of these lines; amounts stand on the line after their label. */
function pageOf(text: string): SnapshotInfo {
  const lines = text.split('\n');
  const prices = lines.flatMap((line, index) =>
    /^\$?\d+[.,]\d\d( €)?$/.test(line)
      ? [{ text: line, label: lines[index - 1]!, row: '', struck: false, inButton: false }]
      : [],
  );
  return { text, prices } as unknown as SnapshotInfo;
}

describe('a total to which something is still to be added', () => {
  it.each([
    [
      'Subtotal\n$38.00\nShipping\nCalculated at next step\nTotal\n$38.00',
      'Shipping: Calculated at next step',
    ],
    ['Shipping\n$5.00\nEstimated taxes\n—\nTotal\n$38.00', 'Estimated taxes: —'],
    ['Shipping: –\nTotal\n$38.00', 'Shipping: –'],
    ['ShippingEnter shipping address\nTotal\n$38.00', 'Shipping: Enter shipping address'],
    ['Shipping\nEnter shipping address\nTotal\n$38.00', 'Shipping: Enter shipping address'],
    [
      'Shipping method\nEnter your address to see how we can ship.\nPayment',
      'Shipping method: Enter your address to see how we can ship.',
    ],
    ['Delivery\nTo be determined\nTotal\n$38.00', 'Delivery: To be determined'],
    ['Tax (20%)\nTBD', 'Tax (20%): TBD'],
    ['Versand\nwird berechnet\nGesamtsumme\n38,00 €', 'Versand: wird berechnet'],
    ['Versand\nAdresse eingeben\nGesamtsumme\n38,00 €', 'Versand: Adresse eingeben'],
    [
      'Livraison\nCalculé à l’étape suivante\nTotal\n38,00 €',
      'Livraison: Calculé à l’étape suivante',
    ],
    ['Envío\nPor calcular\nTotal\n38,00 €', 'Envío: Por calcular'],
    ['Spedizione\nDa calcolare\nTotale\n38,00 €', 'Spedizione: Da calcolare'],
    [
      'Verzending\nWordt berekend in de volgende stap\nTotaal\n38,00 €',
      'Verzending: Wordt berekend in de volgende stap',
    ],
    ['配送料\n次のステップで計算されます\n合計\n¥3800', '配送料: 次のステップで計算されます'],
    [
      'Versand und Steuern werden im nächsten Schritt berechnet.\nGesamtsumme\n38,00 €',
      'Versand und Steuern werden im nächsten Schritt berechnet.',
    ],
  ])('is told by the page: %j', (text, said) => {
    expect(openAmount(pageOf(text))).toBe(said);
  });

  it.each([
    ['amounts in every row', 'Subtotal\n$38.00\nShipping\n$5.00\nTax\n$2.00\nTotal\n$45.00'],
    ['free shipping', 'Subtotal\n$38.00\nShipping\nFree\nTotal\n$38.00'],
    [
      'a hint that is older than the amounts',
      'Shipping and taxes are calculated at checkout.\nShipping\n$5.00\nTax\n$2.00\nTotal\n$45.00',
    ],
    [
      'the heading of an address',
      'Shipping address\nEnter your shipping address\nEmail\nFirst name\nCity\nPayment\nCard',
    ],
    [
      'the heading of a section without sums',
      'Delivery\nEnter your address\nEmail\nCity\nPayment\nCard',
    ],
    ['a dash elsewhere', 'Coupon\n—\nShipping\n$5.00\nTotal\n$38.00'],
  ])('is not seen in %s', (_name, text) => {
    expect(openAmount(pageOf(text))).toBeUndefined();
  });
});
