import { fillField, setChecked } from '../../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { plain, words } from '../../words/words.ts';

/**
 * Among the addresses that an account keeps, the one that the buyer has given, else the way to
 * enter it. Undefined when the choice is none of addresses, or the buyer has given none: then the
 * shop's own choice stays.
 */
export function chooseSavedAddress(
  run: Run,
  members: readonly FieldInfo[],
  textOf: (field: FieldInfo) => string,
): FieldInfo | undefined {
  const other = members.find((field) => words.newAddress.test(textOf(field)));
  const kept = members.filter(
    (field) => field !== other && /\d/.test(textOf(field)) && textOf(field).length > 15,
  );
  const wanted = run.state.buyer.shipping;
  if (kept.length === 0 || wanted === undefined) return undefined;
  return kept.find((field) => isAddressOf(run, textOf(field))) ?? other;
}

/**
 * Whether a text is the address that the buyer has given: its street and its place, and no other
 * postal code.
 */
function isAddressOf(run: Run, written: string): boolean {
  const wanted = run.state.buyer.shipping;
  const [line1 = ''] = wanted?.addressLines ?? [];
  if (wanted === undefined || line1 === '' || wanted.locality === '') return false;
  const text = flat(written);
  const rest = text.replace(flat(line1), '');
  const hasCode =
    wanted.postalCode === undefined ||
    rest.includes(flat(wanted.postalCode)) ||
    !/\d{4}/.test(rest);
  return text.includes(flat(line1)) && rest.includes(flat(wanted.locality)) && hasCode;
}

/**
 * The same where the addresses are a list, as in OpenCart 4: the buyer's is chosen in it, else the
 * way to enter one beside it.
 * @returns whether something was chosen
 */
export async function chooseListedAddress(run: Run, snapshot: Snapshot): Promise<boolean> {
  for (const field of snapshot.fields) {
    const kept = field.options.filter(
      ({ value, text, disabled }) =>
        value !== '' && !disabled && /\d/.test(text) && text.length > 15,
    );
    if (field.type !== 'select' || field.disabled || kept.length === 0) continue;
    const own = kept.find(({ text }) => isAddressOf(run, text));
    if (own?.selected) continue;
    if (own !== undefined && (await fillField(snapshot, field, [own.value]))) return true;
    const isList = /address|adress|direcci|indirizzo|endereco/.test(
      plain(`${field.label} ${field.name} ${field.section}`),
    );
    const other = snapshot.fields.find(
      (one) =>
        one.type === 'radio' &&
        one.container === field.container &&
        words.newAddress.test(one.label),
    );
    if (
      own === undefined &&
      isList &&
      other !== undefined &&
      !other.checked &&
      (await setChecked(snapshot, other, true))
    )
      return true;
  }
  return false;
}

const flat = (text: string) => plain(text).replace(/[^\p{L}\d]+/gu, '');
