import type { FieldInfo } from '../page/snapshot.ts';
import type { Meaning } from './meanings.ts';

/**
 * Which piece of a value a box takes, where a row of short boxes takes it in pieces: `100` and
 * `0005`.
 */
export interface FieldPart {
  readonly at: number;
  /** How much each box takes. */
  readonly lengths: readonly number[];
}

const splittable: ReadonlySet<Meaning> = new Set(['postalCode', 'phone']);
const lengthMax = 5;
const isShort = (field: FieldInfo) =>
  field.tag === 'input' &&
  ['text', 'tel', 'number'].includes(field.type) &&
  field.maxLength > 0 &&
  field.maxLength <= lengthMax;

interface Known {
  readonly field: FieldInfo;
  readonly meaning: Meaning;
}

/**
 * The box for the year to the right of one that has room for the month only: `[  ] 月 ／ 20[  ] 年`.
 */
export function yearBoxOf(
  { field, meaning }: Known,
  free: readonly FieldInfo[],
): FieldInfo | undefined {
  if (meaning !== 'cardExpiry' || field.maxLength !== 2) return undefined;
  return free
    .filter(
      (one) =>
        isShort(one) &&
        one.container === field.container &&
        Math.abs(one.y - field.y) < 6 &&
        one.x > field.x,
    )
    .toSorted((a, b) => a.x - b.x)
    .find((one) => one.maxLength === 2 || one.maxLength === 4);
}

/**
 * The boxes that take a postcode or a telephone number together, from left to right: short ones
 * beside the one that is known.
 */
export function boxesOf(
  { field, meaning }: Known,
  free: readonly FieldInfo[],
): readonly FieldInfo[] {
  if (!splittable.has(meaning) || !isShort(field)) return [field];
  const beside = free.filter(
    (one) =>
      isShort(one) &&
      one.container === field.container &&
      Math.abs(one.y - field.y) < 6 &&
      Math.abs(one.x - field.x) < 420,
  );
  return [field, ...beside].toSorted((a, b) => a.x - b.x).slice(0, 3);
}

/**
 * The piece of one of the spellings that a box takes: as the marks in it divide it, else by the
 * lengths of the boxes.
 */
export function pieceOf(
  spellings: readonly string[],
  { at, lengths }: FieldPart,
): readonly string[] {
  const pieces = spellings.flatMap((spelling) => {
    const marked = spelling.split(/[^\p{L}\d]+/u).filter((piece) => piece !== '');
    if (
      marked.length === lengths.length &&
      marked.every((piece, index) => piece.length <= lengths[index]!)
    )
      return marked[at]!;
    const whole = marked.join('');
    // A second box that this value needs not, such as the last four digits of some American
    // postcodes.
    if (!spelling.startsWith('+') && whole.length <= lengths[0]!) return at === 0 ? whole : [];
    const from = lengths.slice(0, at).reduce((sum, length) => sum + length, 0);
    const isFitting =
      !spelling.startsWith('+') &&
      whole.length === lengths.reduce((sum, length) => sum + length, 0);
    return isFitting ? whole.slice(from, from + lengths[at]!) : [];
  });
  return [...new Set(pieces)];
}
