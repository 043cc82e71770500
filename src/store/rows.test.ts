import { describe, expect, it } from 'vitest';
import { fieldsOf, type RowOf, readRow, valueListsOf, valuesOf } from './rows.ts';

interface Shelf {
  readonly id: string;
  readonly heldMinor: bigint;
  readonly lastMinor?: bigint;
  readonly label?: string;
  readonly places: readonly number[];
  readonly madeAt: Date;
}

const madeAt = new Date(0);
const row: RowOf<Shelf> = {
  id: 'a',
  held_minor: '12345678901234567890',
  last_minor: null,
  label: null,
  places: [1, 2],
  made_at: madeAt,
};
const shelf: Shelf = { id: 'a', heldMinor: 12_345_678_901_234_567_890n, places: [1, 2], madeAt };

describe('rows', () => {
  it('are read as records: null is absent, big integers are no text, a seal is left out', () => {
    const read = readRow<Shelf>(Object.assign({ mac: 'seal' }, row), {
      heldMinor: BigInt,
      lastMinor: BigInt,
    });
    expect(read).toStrictEqual(shelf);
  });

  it('are written as the database takes them', () => {
    expect(valuesOf(shelf, 'id, held_minor, label, places, made_at')).toStrictEqual([
      'a',
      '12345678901234567890',
      null,
      '[1,2]',
      madeAt,
    ]);
    expect(valueListsOf([shelf, { ...shelf, id: 'b', label: 'upper' }], 'id, label')).toStrictEqual(
      [
        ['a', 'b'],
        [null, 'upper'],
      ],
    );
    expect(valueListsOf<Shelf, 'id, label'>([], 'id, label')).toStrictEqual([[], []]);
  });

  it('lend a seal the fields that it is over, an absent one too', () => {
    expect(fieldsOf(shelf, 'id, label, places')).toStrictEqual({
      id: 'a',
      label: undefined,
      places: [1, 2],
    });
  });
});
