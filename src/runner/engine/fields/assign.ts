import type { FieldInfo, FormInfo } from '../page/snapshot.ts';
import type { Meaning } from './meanings.ts';
import { meanings } from './meanings.ts';
import { boxesOf, type FieldPart, yearBoxOf } from './parts.ts';
import { scoreField, scoreMin } from './score.ts';

/** A field and what it is for. */
export interface AssignedField {
  readonly field: FieldInfo;
  readonly meaning: Meaning;
  readonly score: number;
  readonly purpose: 'shipping' | 'billing';
  /** Where the field takes only a piece of the value. */
  readonly part?: FieldPart;
}

const billing = /billing|rechnung|facturation|facturación|invoice/i;
const delivery = /shipping|delivery|liefer|livraison|env[ií]o|entrega/i;

/** Whether a field belongs to the address of the invoice. */
function purposeOf(field: FieldInfo): 'shipping' | 'billing' {
  const tokens = field.autocomplete.split(/\s+/);
  if (tokens.includes('billing')) return 'billing';
  if (tokens.includes('shipping')) return 'shipping';
  const own = `${field.name} ${field.id} ${field.label}`;
  if (billing.test(own)) return delivery.test(own) ? 'shipping' : 'billing';
  if (delivery.test(own)) return 'shipping';
  return billing.test(field.section) && !delivery.test(field.section) ? 'billing' : 'shipping';
}

/** All that stands at half of an expiry date. */
const bareDate = /^\s*(?:mm|yy(?:yy)?|month|year)\s*$/i;

/**
 * What every field of one form is for. Solved for the whole form at once: each meaning goes to one
 * field (one per address), so that the best of two candidates has it and the other one is left for
 * its second meaning.
 */
export function assignFields(
  fields: readonly FieldInfo[],
  forms: readonly FormInfo[],
): readonly AssignedField[] {
  const usable = fields.filter((field) => !['radio', 'checkbox', 'switch'].includes(field.type));
  const scored = usable.map((field) => ({
    field,
    scores: scoreField(field, forms[field.container]),
    purpose: purposeOf(field),
  }));
  // A code beside the number of a card is the one on its back, not one that was sent.
  const hasCard = scored.some(({ scores }) => (scores.get('cardNumber') ?? 0) >= scoreMin);
  if (hasCard)
    for (const { field, scores } of scored) {
      const code = scores.get('oneTimeCode');
      if (code !== undefined && !scores.has('cardNumber'))
        scores.set('cardCvc', Math.max(code, scores.get('cardCvc') ?? 0));
      scores.delete('oneTimeCode');
      // Lists of months and years need no name there.
      for (const meaning of ['cardMonth', 'cardYear'] as const)
        if ((field.type === 'select' || bareDate.test(field.label)) && scores.has(meaning))
          scores.set(meaning, scores.get(meaning)! + scoreMin);
    }
  return (['shipping', 'billing'] as const).flatMap((purpose) => {
    const rows = scored.filter((one) => one.purpose === purpose);
    const weights = rows.map(({ scores }) =>
      meanings.map((meaning) => Math.max(0, (scores.get(meaning) ?? 0) - scoreMin + 0.01)),
    );
    const found = bestPairs(weights).flatMap((column, row) => {
      const { field, scores } = rows[row]!;
      const meaning = column === undefined ? undefined : meanings[column];
      const score = meaning === undefined ? 0 : (scores.get(meaning) ?? 0);
      return meaning === undefined || score < scoreMin ? [] : [{ field, meaning, score, purpose }];
    });
    return withNames(found).flatMap((one) => inPieces(one, found, usable));
  });
}

/** The same for each of the boxes that take the value together. */
function inPieces(
  one: AssignedField,
  found: readonly AssignedField[],
  usable: readonly FieldInfo[],
): readonly AssignedField[] {
  const free = usable.filter((field) => !found.some((other) => other.field.ref === field.ref));
  const year = yearBoxOf(one, free);
  if (year !== undefined)
    return [
      { ...one, meaning: 'cardMonth' },
      { ...one, field: year, meaning: 'cardYear' },
    ];
  const boxes = boxesOf(one, free);
  if (boxes.length < 2) return [one];
  return boxes.map((field, at) => ({
    ...one,
    field,
    part: { at, lengths: boxes.map(({ maxLength }) => maxLength) },
  }));
}

const streetToo = /番地|丁目|\bstreet\b|stra(?:ss|ß)e\b|\brue\b|\bcalle\b|\bvia\b|\brua\b/i;

/** Half a name beside a whole one: `Name` after `First name` is the last name. */
function withNames(found: readonly AssignedField[]): readonly AssignedField[] {
  const has = (meaning: Meaning) => found.find((one) => one.meaning === meaning);
  const house = has('houseNumber');
  // `Via e numero civico` alone is the whole line.
  if (house !== undefined && has('addressLine1') === undefined)
    return withNames(
      found.map((one) => (one === house ? { ...one, meaning: 'addressLine1' } : one)),
    );
  // `番地・建物名` and the like hold both lines.
  const second = has('addressLine2');
  const holdsStreet =
    second !== undefined && streetToo.test(`${second.field.label} ${second.field.near}`);
  if (
    holdsStreet &&
    has('addressLine1') === undefined &&
    has('city') !== undefined &&
    house === undefined
  )
    return withNames(
      found.map((one) => (one === second ? { ...one, meaning: 'addressLine1' } : one)),
    );
  const whole = has('fullName');
  if (whole === undefined) return found;
  const first = has('firstName');
  const last = has('lastName');
  const isBeside = (other: AssignedField) => Math.abs(other.field.y - whole.field.y) < 160;
  const rename = (meaning: Meaning) =>
    found.map((one) => (one === whole ? { ...one, meaning } : one));
  if (first !== undefined && last === undefined && isBeside(first)) return rename('lastName');
  if (last !== undefined && first === undefined && isBeside(last)) return rename('firstName');
  return found;
}

/**
 * Pairs of rows and columns whose weights add up to the most (Hungarian method). Undefined for a
 * row without a pair of weight.
 */
export function bestPairs(
  weights: readonly (readonly number[])[],
): readonly (number | undefined)[] {
  const rows = weights.length;
  if (rows === 0) return [];
  const columns = Math.max(rows, weights[0]!.length);
  const top = Math.max(...weights.flat(), 0);
  const cost = (row: number, column: number) => top - (weights[row - 1]?.[column - 1] ?? 0);
  const rowPotential = new Array<number>(rows + 1).fill(0);
  const columnPotential = new Array<number>(columns + 1).fill(0);
  const rowOf = new Array<number>(columns + 1).fill(0);
  for (let row = 1; row <= rows; row += 1) {
    const least = new Array<number>(columns + 1).fill(Number.POSITIVE_INFINITY);
    const used = new Array<boolean>(columns + 1).fill(false);
    const way = new Array<number>(columns + 1).fill(0);
    let column = 0;
    rowOf[0] = row;
    do {
      used[column] = true;
      const at = rowOf[column]!;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= columns; other += 1) {
        if (used[other]) continue;
        const reduced = cost(at, other) - rowPotential[at]! - columnPotential[other]!;
        if (reduced < least[other]!) {
          least[other] = reduced;
          way[other] = column;
        }
        if (least[other]! < delta) {
          delta = least[other]!;
          next = other;
        }
      }
      for (let other = 0; other <= columns; other += 1) {
        if (used[other]) {
          rowPotential[rowOf[other]!]! += delta;
          columnPotential[other]! -= delta;
        } else least[other]! -= delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    for (; column !== 0; column = way[column]!) rowOf[column] = rowOf[way[column]!]!;
  }
  const columnOf = new Array<number | undefined>(rows).fill(undefined);
  for (let column = 1; column <= columns; column += 1) {
    const row = rowOf[column]!;
    if (row > 0 && (weights[row - 1]![column - 1] ?? 0) > 0) columnOf[row - 1] = column - 1;
  }
  return columnOf;
}
