import type { FieldInfo } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { plain, words } from '../words/words.ts';

/**
 * Among the addresses that an account keeps, the one that the buyer has given, else the way to enter it. Undefined when the
 * choice is none of addresses, or the buyer has given none: then the shop's own choice stays.
 */
export function chooseSavedAddress(run: Run, members: readonly FieldInfo[], textOf: (field: FieldInfo) => string): FieldInfo | undefined {
  const other = members.find((field) => words.newAddress.test(textOf(field)));
  const kept = members.filter((field) => field !== other && /\d/.test(textOf(field)) && textOf(field).length > 15);
  const wanted = run.state.buyer.shipping;
  if (kept.length === 0 || wanted === undefined) return undefined;
  const isWanted = (field: FieldInfo) => {
    const text = flat(textOf(field));
    const parts = [wanted.addressLines[0], wanted.postalCode, wanted.locality].filter((part) => part !== undefined && part !== '');
    return parts.length > 1 && parts.every((part) => text.includes(flat(part!)));
  };
  return kept.find(isWanted) ?? other;
}

const flat = (text: string) => plain(text).replace(/[^\p{L}\d]+/gu, '');
