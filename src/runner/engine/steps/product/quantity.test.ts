import { describe, expect, it } from 'vitest';
import type { Run } from '../../run.ts';
import { noteUnitPrices, quantityInText, toldCount } from './quantity.ts';

describe('the quantity that a cart tells in words', () => {
  it.each([
    ['Trail Shell Jacket – Ember / L\nQty 2\n$256.00', 'Trail Shell Jacket', 2],
    ['3 × Cedar Candle $96.00', 'Cedar Candle', 3],
    ['Stoneware Dinner Set, Ink Blue\n3 @ US$86.00', 'Stoneware Dinner Set', 3],
    ['Cintura intrecciata, Nero, 95 cm\nQuantità 2\n€ 290,00', 'Cintura intrecciata', 2],
    ['Teclado mecánico K87 · Azul\nUnidades: 2', 'Teclado mecánico K87', 2],
    ['2 x Cola 6 x 0.5 l $12.00', 'Cola 6 x 0.5 l', 2],
    ['2 x 20,00 €\nBlue Mug', 'Blue Mug', 2],
    ['Huile d’olive 50 cl — quantité : 3 — 127,50 €', 'Huile d’olive', 3],
    ['Espressomaschine Linea\nMenge: 2', 'Espressomaschine Linea', 2],
  ])('%#', (text, title, quantity) => {
    expect(quantityInText(text, title)).toBe(quantity);
  });

  it.each([
    ['Rug 2 x 3 m\n$80.00', 'Wool Rug'],
    ['Cedar Candle\n$32.00', 'Cedar Candle'],
    ['Other thing\nQty 4\n\n\nfar\naway\nlines\nCedar Candle', 'Cedar Candle'],
    ['Cedar Candle\nQty 2\nQty 3', 'Cedar Candle'],
    ['Cola 6 x 0.5 l\n$6.00', 'Cola 6 x 0.5 l'],
    ['Cola\n6 × 0,5 l\n6,00 €', 'Cola'],
    ['Battery AA x4 $6.00', 'Battery AA x4'],
    ['Dinner Set\nIncludes 2 × plate\n$86.00', 'Dinner Set'],
    ['Teller-Set\nEnthält 2 Stück\n86,00 €', 'Teller-Set'],
  ])('is not told by “%s”', (text, title) => {
    expect(quantityInText(text, title)).toBeUndefined();
  });
});

describe('the pieces that a cart alone names', () => {
  const price = (text: string, row: string, label = row) => ({
    text,
    row,
    label,
    struck: false,
    hint: '',
    heading: '',
    region: 'main',
    itemprop: '',
  });
  const toldBy = (said: string, sum: string, subtotal: string, wanted = 2) => {
    const run = {
      state: { productTitle: 'Blue Mug', quantity: wanted },
      task: { maxCost: { currency: 'USD', amountMinor: 50_000n } },
    } as unknown as Run;
    noteUnitPrices(run, [{ amountMinor: 2_000n, currency: 'USD' }]);
    const row = `Blue Mug ${said} ${sum}`;
    const prices = [price(sum, row), price(subtotal, `Subtotal ${subtotal}`, 'Subtotal')];
    const text = `Blue Mug\n${said}\n${sum}\nSubtotal\n${subtotal}`;
    return toldCount(run, { text, prices } as unknown as Parameters<typeof toldCount>[1]);
  };

  it.each([
    ['are those of a pack where one of it is billed', '2 Stück', '$20.00', '$20.00', undefined],
    ['are those of packs where their sum says how many', '6 Stück', '$40.00', '$40.00', 2],
    ['are their number where the row bills so many', '2 Stück', '$40.00', '$40.00', 2],
    ['are their number where the subtotal bills so many', '2 pcs', '$20.00', '$40.00', 2],
    ['are none where a number of it is said', '2 × Blue Mug', '$20.00', '$20.00', 2],
  ])('%s', (_, said, sum, subtotal, told) => {
    expect(toldBy(said, sum, subtotal)).toBe(told);
  });
});
