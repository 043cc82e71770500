import { fillField, setChecked } from '../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';

/** `3x de R$ 120,00`, `6 cuotas`, `12 monthly payments`, `3回払い`: the number of parts comes first. */
const inParts =
  /^\s*(?:en |in |em )?(\d{1,2})\s*(?:x\b|×|回|cuotas?\b|parcelas?\b|pagos?\b|mensualidades|meses\b|mois\b|fois\b|rate\b|raten\b|monatsraten|(?:monthly |equal |interest-free )?(?:payments?|instal?ments?|months?)\b|termijnen|taksit)/i;
const atOnce =
  /^\s*(?:à vista|al contado|un solo pago|pago único|in full|pay in full|full (?:amount|payment)|single payment|one payment|einmalzahlung|in einer zahlung|comptant|en une fois|in un'unica soluzione|ineens|一括(?:払い)?|tek çekim)/i;

const partsOf = (text: string): number | undefined =>
  atOnce.test(text) ? 1 : inParts.test(text) ? Number(inParts.exec(text)![1]) : undefined;

/** Pays at once where a shop has chosen parts: those may cost interest, and nobody has asked for them. @returns whether the page was changed */
export async function payAtOnce(run: Run, snapshot: Snapshot): Promise<boolean> {
  return (await chooseInLists(run, snapshot)) || chooseAmongRadios(run, snapshot);
}

async function chooseInLists(run: Run, snapshot: Snapshot): Promise<boolean> {
  for (const field of snapshot.fields.filter(({ type, disabled }) => type === 'select' && !disabled)) {
    const rows = field.options.map((option) => ({ option, parts: partsOf(option.text) })).filter(({ parts }) => parts !== undefined);
    const whole = rows.find(({ parts, option }) => parts === 1 && !option.disabled)?.option;
    if (rows.length < 2 || whole === undefined || whole.selected || !rows.some(({ option }) => option.selected)) continue;
    if (await fillField(snapshot, field, [whole.text, whole.value])) {
      run.log.info({ list: (field.label || field.name).slice(0, 60) }, 'Paid at once instead of in parts.');
      return true;
    }
  }
  return false;
}

async function chooseAmongRadios(run: Run, snapshot: Snapshot): Promise<boolean> {
  const groups = new Map<number, FieldInfo[]>();
  for (const field of snapshot.fields)
    if (field.type === 'radio' && partsOf(field.label) !== undefined) groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  for (const group of groups.values()) {
    const whole = group.find((field) => partsOf(field.label) === 1 && !field.disabled);
    if (group.length < 2 || whole === undefined || whole.checked || !group.some(({ checked }) => checked)) continue;
    if (await setChecked(snapshot, whole, true)) {
      run.log.info({ choice: whole.label.slice(0, 60) }, 'Paid at once instead of in parts.');
      return true;
    }
  }
  return false;
}
