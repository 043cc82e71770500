import { describe, expect, it } from 'vitest';
import { quantityInText } from './quantity.ts';

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
