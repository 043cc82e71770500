import { fillField, setChecked } from '../../fields/fill.ts';
import { pricesIn } from '../../money/prices.ts';
import type { FieldInfo, OptionInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';

/**
 * `3x de R$ 120,00`, `6 cuotas`, `12 monthly payments`, `3回払い`: the number of parts comes first.
 */
const inParts =
  /^\s*(?:en |in |em )?(\d{1,2})\s*(?:x\b|×|回|cuotas?\b|parcelas?\b|pagos?\b|mensualidades|meses\b|mois\b|fois\b|rate\b|raten\b|monatsraten|(?:monthly |equal |interest-free )?(?:payments?|instal?ments?|months?)\b|termijnen|taksit)/i;
const atOnce =
  /^\s*(?:à vista|al contado|un solo pago|pago único|in full|pay in full|full (?:amount|payment)|single payment|one payment|einmalzahlung|in einer zahlung|comptant|en une fois|in un'unica soluzione|ineens|一括(?:払い)?|tek çekim)/i;
const aboutParts =
  /instal?ment|parcel(?:a|amento)|cuotas?\b|ratenzahlung|\braten\b|mensualit|plazos|\brate\b|分割|支払い?回数|termijn|taksit|payment plan|number of payments|pay(?:ment)? in parts/i;
const aboutCount = /qty|quanti|menge|anzahl|cantidad|aantal|数量|個数/i;

const partsOf = (text: string): number | undefined =>
  atOnce.test(text) ? 1 : inParts.test(text) ? Number(inParts.exec(text)![1]) : undefined;

/**
 * Whether texts are ways to pay in parts: what they stand under says so, or the parts have amounts.
 * How many pieces one buys is none.
 */
function areParts(about: string, texts: readonly string[]): boolean {
  const counted = texts
    .map((text) => ({ text, parts: partsOf(text) }))
    .filter(({ parts }) => parts !== undefined);
  const isSplit = counted.some(({ text, parts }) => parts! > 1 && pricesIn(text).length > 0);
  return (
    counted.length > 1 &&
    !aboutCount.test(about) &&
    (aboutParts.test(about) || isSplit || texts.some((text) => atOnce.test(text)))
  );
}

const aboutOf = (field: FieldInfo) =>
  `${field.label} ${field.near} ${field.groupLabel} ${field.name} ${field.id}`;

/**
 * The row of a list that pays at once, where another one is chosen; undefined for every other list.
 */
export function paidAtOnce(field: FieldInfo): OptionInfo | undefined {
  if (field.type !== 'select' || field.disabled) return undefined;
  if (
    !areParts(
      aboutOf(field),
      field.options.map(({ text }) => text),
    )
  )
    return undefined;
  const chosen = field.options.find(({ selected }) => selected);
  const isInParts = chosen !== undefined && (partsOf(chosen.text) ?? 1) > 1;
  return isInParts
    ? field.options.find((option) => partsOf(option.text) === 1 && !option.disabled)
    : undefined;
}

/**
 * Pays at once where a shop has chosen parts: those may cost interest, and nobody has asked for
 * them.
 * @returns whether the page was changed
 */
export async function payAtOnce(run: Run, snapshot: Snapshot): Promise<boolean> {
  return (await chooseInLists(run, snapshot)) || chooseAmongRadios(run, snapshot);
}

async function chooseInLists(run: Run, snapshot: Snapshot): Promise<boolean> {
  for (const field of snapshot.fields) {
    const whole = paidAtOnce(field);
    if (whole === undefined || !(await fillField(snapshot, field, [whole.text, whole.value])))
      continue;
    run.log.info(
      { list: (field.label || field.name).slice(0, 60) },
      'Paid at once instead of in parts.',
    );
    return true;
  }
  return false;
}

async function chooseAmongRadios(run: Run, snapshot: Snapshot): Promise<boolean> {
  const groups = new Map<number, FieldInfo[]>();
  for (const field of snapshot.fields)
    if (field.type === 'radio' && partsOf(field.label) !== undefined)
      groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  for (const group of groups.values()) {
    const whole = group.find((field) => partsOf(field.label) === 1 && !field.disabled);
    const isInParts = group.some((field) => field.checked && field !== whole);
    if (
      whole === undefined ||
      !isInParts ||
      !areParts(
        `${whole.groupLabel} ${whole.name}`,
        group.map(({ label }) => label),
      )
    )
      continue;
    if (await setChecked(snapshot, whole, true)) {
      run.log.info({ choice: whole.label.slice(0, 60) }, 'Paid at once instead of in parts.');
      return true;
    }
  }
  return false;
}
