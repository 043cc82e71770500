import type { Meaning } from '../engine/fields/meanings.ts';
import { buyerValues } from '../engine/fields/values.ts';
import type { FieldInfo } from '../engine/page/snapshot.ts';
import type { Run } from '../engine/run.ts';
import { plain } from '../engine/words/words.ts';
import type { ValueName } from './actions.ts';

const meaningOf: Readonly<Record<Exclude<ValueName, 'request.quantity'>, Meaning>> = {
  'buyer.firstName': 'firstName',
  'buyer.lastName': 'lastName',
  'buyer.fullName': 'fullName',
  'buyer.email': 'email',
  'buyer.phone': 'phone',
  'shipping.line1': 'addressLine1',
  'shipping.line2': 'addressLine2',
  'shipping.houseNumber': 'houseNumber',
  'shipping.city': 'city',
  'shipping.region': 'state',
  'shipping.postalCode': 'postalCode',
  'shipping.country': 'country',
};

/**
 * What a name stands for, in the spellings that a field may want, the best first. Empty: the buyer
 * has not told it.
 */
export function spellingsOf(run: Run, name: ValueName, field: FieldInfo): readonly string[] {
  if (name === 'request.quantity') return [String(run.state.quantity)];
  return buyerValues(meaningOf[name], run.state.buyer, field, new Set());
}

/** Whether words stand in the user's own request, whole: nothing else is free text. */
export function isOfRequest(run: Run, words: string): boolean {
  const wanted = plain(words);
  const letters = /[\p{L}\p{N}]/u;
  const request = plain(run.task.request ?? '');
  for (
    let at = request.indexOf(wanted);
    at >= 0 && letters.test(wanted);
    at = request.indexOf(wanted, at + 1)
  )
    if (!letters.test(request[at - 1] ?? ' ') && !letters.test(request[at + wanted.length] ?? ' '))
      return true;
  return false;
}

/**
 * Takes the buyer out of a text: what the page shows of name, address and the like is replaced with
 * the name of the value.
 */
export function hideBuyer({ state: { buyer } }: Run): (text: string) => string {
  const [line1, line2] = buyer.shipping?.addressLines ?? [];
  const rows: readonly (readonly [string | undefined, ValueName])[] = [
    [buyer.email, 'buyer.email'],
    [buyer.phone, 'buyer.phone'],
    [line1, 'shipping.line1'],
    [line2, 'shipping.line2'],
    [buyer.shipping?.locality, 'shipping.city'],
    [buyer.shipping?.postalCode, 'shipping.postalCode'],
    [[buyer.firstName, buyer.lastName].filter(Boolean).join(' '), 'buyer.fullName'],
    [buyer.firstName, 'buyer.firstName'],
    [buyer.lastName, 'buyer.lastName'],
  ];
  const patterns = rows.flatMap(([value, name]) => {
    const text = value?.trim() ?? '';
    if (text.length < 2) return [];
    const escaped = text
      .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
      .replaceAll(/\s+/g, String.raw`\s+`);
    return [
      {
        pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu'),
        mark: `‹${name}›`,
      },
    ];
  });
  return (text) =>
    patterns.reduce((rest, { pattern, mark }) => rest.replaceAll(pattern, mark), text);
}
