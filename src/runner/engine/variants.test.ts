import { describe, expect, it } from 'vitest';
import { chooseVariant } from './variants.ts';
import { wantedQuantity } from './wanted-quantity.ts';

const sizes = {
  label: 'Size',
  options: ['S', 'M', 'L', 'XL'].map((title) => ({ title, disabled: false })),
};
const colors = {
  label: 'Colour',
  options: ['Red', 'Blue', 'Dark blue', 'Black'].map((title) => ({ title, disabled: false })),
};
const combined = {
  label: 'Options',
  options: ['S / Blue', 'S / Dark blue', 'M / Blue', 'M / Red'].map((title) => ({
    title,
    disabled: false,
  })),
};
const chosen = (group: typeof sizes, request: string) => {
  const found = chooseVariant(group, request);
  return found.kind === 'one' ? group.options[found.index]!.title : found.kind;
};

describe('the quantity of a request', () => {
  it.each([
    ['size M, blue, two of them', 2],
    ['3x please', 3],
    ['qty: 4', 4],
    ['zwei Stück in blau', 2],
    ['Menge 5', 5],
    ['deux pièces', 2],
    ['quiero tres', 3],
    ['a pair of them in black', 2],
    ['x2', 2],
    ['buy 10', 10],
    ['two of the steel ones', 2],
    ['trois', 3],
    ['drei, in rot', 3],
    ['size 42 of the blue ones, 2 of them', 2],
    ['tres de los azules', 3],
    ['Größe 42, zwei davon', 2],
    ['size L, ember, a pair', 2],
    ['blue, 3x', 3],
    ['50 cl, trois bouteilles', 3],
    ['colore nero, taglia 95, due pezzi', 2],
    ['2 unidades, azul', 2],
    ['I would like 4 in blue', 4],
    ['2 large blue shirts', 2],
    ['nur 1', 1],
    ['Edelstahl, 2 Stück', 2],
    ['black, two', 2],
    ['青、3個', 3],
    ['maat 40, twee stuks', 2],
  ])('%s is %i', (request, quantity) => {
    expect(wantedQuantity(request)).toBe(quantity);
  });

  it.each([
    'size M',
    'the 27 inch one',
    'size 42',
    '',
    'buy the 500 ml bottle',
    'talla 42 de los negros',
    'the 2-pack in red',
    'a pair of jeans, size 32',
    'the 3 inch deep tins',
    'taglia 95',
    'two-tone',
  ])('“%s” says none', (request) => {
    expect(wantedQuantity(request)).toBeUndefined();
  });
});

describe('the option that a request means', () => {
  it.each([
    [sizes, 'size M, blue, two of them', 'M'],
    [combined, 'size M, blue, two of them', 'M / Blue'],
    [combined, 'dark blue, small', 'S / Dark blue'],
    [combined, 'blau, Größe M', 'M / Blue'],
    [combined, 'medium', 'several'],
    [combined, 'something else', 'none'],
    [sizes, 'medium, please', 'M'],
    [sizes, 'Größe XL in rot', 'XL'],
    [sizes, 'taille grand', 'L'],
    [sizes, "it's for me", 'none'],
    [sizes, 'M or L', 'several'],
    [sizes, '', 'none'],
    [colors, 'size M, blue, two of them', 'Blue'],
    [colors, 'dark blue', 'Dark blue'],
    [colors, 'in schwarz', 'Black'],
    [colors, 'bleu', 'Blue'],
    [colors, 'green', 'none'],
    [
      {
        label: 'EU size',
        options: ['41', '42', '43'].map((title) => ({ title, disabled: false })),
      },
      'size 42, 2 of them',
      '42',
    ],
    [
      {
        label: 'Storage',
        options: ['128 GB', '256 GB (+$100.00)'].map((title) => ({ title, disabled: false })),
      },
      'the 256 GB one',
      '256 GB (+$100.00)',
    ],
    [
      { label: 'Taglia', options: ['85 cm', '95 cm'].map((title) => ({ title, disabled: false })) },
      'colore nero, taglia 95',
      '95 cm',
    ],
    [
      {
        label: 'Farbe',
        options: ['Schwarz matt', 'Edelstahl'].map((title) => ({ title, disabled: false })),
      },
      'bitte in schwarz',
      'Schwarz matt',
    ],
    [
      {
        label: 'Finish',
        options: ['Matt black', 'Matt white'].map((title) => ({ title, disabled: false })),
      },
      'the matt one',
      'none',
    ],
  ])('%#', (group, request, expected) => {
    expect(chosen(group, request)).toBe(expected);
  });

  it('is never one that is sold out', () => {
    expect(
      chooseVariant(
        {
          label: 'Size',
          options: [
            { title: 'S', disabled: false },
            { title: 'M', disabled: true },
          ],
        },
        'size M',
      ),
    ).toEqual({ kind: 'gone', index: 1 });
  });
});
