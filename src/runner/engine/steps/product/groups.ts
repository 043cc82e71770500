import { click } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import { asksCount, countOfField, countSpellings } from '../../fields/count.ts';
import { fillField, readListOptions, setChecked } from '../../fields/fill.ts';
import { withoutAmounts } from '../../money/prices.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { speaksOf } from '../../sections/kinds.ts';
import type { VariantGroup } from '../../variants.ts';
import { isPlan, plain, words } from '../../words/words.ts';
import { productButton } from './product-button.ts';

/** A choice as a page shows it, and how to make it. */
export interface PageGroup extends VariantGroup {
  readonly key: string;
  /** Index of the chosen option; -1 without one. */
  readonly chosen: number;
  readonly choose: (index: number) => Promise<boolean>;
}

/** So many choices of one page are made. */
export const groupsMax = 6;
const optionWord =
  /size|colou?r|style|material|variant|option|model|flavou?r|scent|pack|length|width|capacity|storage|format|edition|finish|type|grosse|farbe|ausfuhrung|variante|sorte|packung|lange|taille|couleur|modele|talla|color|tamano|modelo|sabor|purchase|frequency|delivery option|lieferrhythmus/;
const notOption =
  /sort|currency|wahrung|language|sprache|country|region|rating|review|quantity|menge|anzahl|newsletter|search|share|thumb|gallery|image|picture|slide|page|tab\b/;

/** Whether each of its options comes again and again. */
export const isPlanAlone = ({ options }: PageGroup) => options.every(({ title }) => isPlan(title));

/** Selects, radio buttons and buttons that stand for the variants of the product. */
export function variantGroups(run: Run, snapshot: Snapshot): readonly PageGroup[] {
  const inBody = (region: string) =>
    !['header', 'footer', 'nav', 'dialog', 'aside'].includes(region);
  const selects = snapshot.fields
    .filter(
      (field) =>
        (field.type === 'select' || (field.tag === 'button' && field.hasPopup === 'listbox')) &&
        inBody(field.region),
    )
    .flatMap((field) => selectGroup(snapshot, field));
  const radios = groupBy(
    snapshot.fields.filter(
      (field) =>
        field.type === 'radio' &&
        inBody(field.region) &&
        (field.tag === 'input' || field.role === 'radio'),
    ),
    (field) => field.group,
  ).map((members) => radioGroup(snapshot, members));
  const radioParents = new Set(
    snapshot.fields.filter((field) => field.type === 'radio').map((field) => field.groupLabel),
  );
  const swatches = groupBy(
    snapshot.buttons.filter(
      (button) =>
        inBody(button.region) &&
        (button.tag !== 'a' || /#$|^javascript:/.test(button.href)) &&
        button.tag !== 'summary' &&
        captionOf(button).length < 32 &&
        !words.addToCart.test(captionOf(button)) &&
        !words.buyNow.test(captionOf(button)) &&
        !words.wishlist.test(captionOf(button)) &&
        !speaksOf('review', captionOf(button)) &&
        !/^[-+−–]$/.test(captionOf(button)),
    ),
    (button) => button.parent,
  )
    .filter(
      (members) =>
        members.length > 1 &&
        (members.some((one) => one.groupLabel !== '') || isRequested(run, members)) &&
        !radioParents.has(members[0]!.groupLabel),
    )
    .map((members) => swatchGroup(run, snapshot, members));
  const drawn = swatches.flatMap((group) => group ?? []);
  const groups = [...selects, ...radios, ...drawn, ...partGroup(run, snapshot)].filter(
    (group) => !notOption.test(plain(group.label)) && group.options.length > 0,
  );
  // How often the other way of buying comes is no choice of what comes once.
  const isOnce = groups.some(({ options }) =>
    options.some(({ title }) => words.oneTime.test(title)),
  );
  return groups.filter((group) => !(isOnce && isPlanAlone(group))).slice(0, groupsMax);
}

/** The parts of a set, each with a number that says none: one of them is what is bought. */
function partGroup(run: Run, snapshot: Snapshot): PageGroup[] {
  const add = productButton(run, snapshot);
  const parts = snapshot.fields.filter(
    (field) => asksCount(field) && field.container === add?.container && field.rowText !== '',
  );
  const rows = new Set(parts.map(({ rowText }) => rowText));
  if (rows.size < 2 || parts.some((field) => (countOfField(field) ?? 0) > 0)) return [];
  return [
    {
      key: 'parts',
      label: '',
      options: parts.map((field) => ({
        title: withoutAmounts(field.rowText).replace(/\s+/g, ' ').trim(),
        disabled: field.disabled || words.soldOut.test(field.rowText),
      })),
      chosen: -1,
      choose: (index) =>
        fillField(snapshot, parts[index]!, countSpellings(parts[index]!, run.state.quantity)),
    },
  ];
}

function selectGroup(snapshot: Snapshot, field: FieldInfo): PageGroup[] {
  const label = field.label || field.near || field.name;
  const context = plain(`${label} ${field.name} ${field.id}`);
  if (field.type !== 'select' || notOption.test(context)) return [];
  const real = field.options
    .map((option, index) => ({ ...option, index }))
    .filter(
      (option) =>
        option.text !== '' &&
        option.value !== '' &&
        !/^[-–—]|^(?:choose|select|please|pick|bitte|wahlen|auswahlen|choisi|selecc|elige)/.test(
          plain(option.text),
        ),
    );
  const isNumbers = real.every((option) => /^\d{1,2}$/.test(option.text));
  if (real.length === 0 || (isNumbers && !optionWord.test(context))) return [];
  return [
    {
      key: `select/${field.name}/${field.id}/${label}`,
      label,
      options: real.map((option) => ({
        title: option.text,
        disabled: option.disabled || words.soldOut.test(option.text),
      })),
      chosen: real.findIndex((option) => option.selected),
      choose: async (index) => fillField(snapshot, field, [real[index]!.value, real[index]!.text]),
    },
  ];
}

/** The next list box that the shop draws itself: its options are read by opening it. */
export async function drawnLists(
  snapshot: Snapshot,
  isNew: (key: string) => boolean,
): Promise<PageGroup | undefined> {
  for (const field of snapshot.fields) {
    const isList =
      field.tag !== 'input' &&
      field.type !== 'select' &&
      field.hasPopup === 'listbox' &&
      !field.disabled;
    // What a list says of itself is what is chosen in it: its name stands before it then.
    const label = (field.label === field.value && field.near) || field.label || field.near;
    const key = `list/${field.id}/${label}`;
    if (
      !isList ||
      ['header', 'footer', 'nav'].includes(field.region) ||
      notOption.test(plain(label)) ||
      !isNew(key)
    )
      continue;
    const rows = await readListOptions(snapshot, field).catch(() => []);
    if (rows.length === 0) continue;
    return {
      key,
      label,
      options: rows.map((row) => ({
        title: row.text,
        disabled: row.disabled === true || words.soldOut.test(row.text),
      })),
      chosen: -1,
      choose: (index) => fillField(snapshot, field, [rows[index]!.text]),
    };
  }
  return undefined;
}

function radioGroup(snapshot: Snapshot, members: readonly FieldInfo[]): PageGroup {
  const titleOf = (field: FieldInfo) => field.label || field.value || field.near;
  const label = members[0]!.groupLabel || members[0]!.name;
  return {
    key: `radio/${members[0]!.name}/${label}`,
    label,
    options: members.map((field) => ({
      title: titleOf(field),
      disabled: field.disabled || words.soldOut.test(titleOf(field)),
    })),
    chosen: members.findIndex((field) => field.checked),
    choose: (index) => setChecked(snapshot, members[index]!, true),
  };
}

/** Buttons without a heading are a choice when the request names one of them. */
const isRequested = (run: Run, members: readonly ButtonInfo[]) =>
  members.every((one) => one.type !== 'submit' && one.href === '') &&
  members.some(
    (one) =>
      captionOf(one).length > 2 &&
      ` ${plain(run.task.request ?? '')} `.includes(` ${plain(captionOf(one))}`),
  );

function swatchGroup(
  run: Run,
  snapshot: Snapshot,
  members: readonly ButtonInfo[],
): PageGroup | undefined {
  const label = members.find((one) => one.groupLabel !== '')?.groupLabel ?? '';
  const isMarked = members.some(
    (one) => one.pressed !== '' || one.role === 'radio' || one.role === 'option',
  );
  const add = productButton(run, snapshot);
  const isAbove =
    label !== '' &&
    label.length < 30 &&
    add !== undefined &&
    members.every((one) => one.y < add.y && add.y - one.y < 900);
  if (
    members.some((one) => one.role === 'tab') ||
    (!optionWord.test(plain(label)) && !isMarked && !isAbove && !isRequested(run, members))
  )
    return undefined;
  const titles = members.map((one) => captionOf(one) || one.value);
  if (titles.some((title) => title === '')) return undefined;
  return {
    key: `buttons/${plain(label).split(':')[0]}`,
    label: label.split(':')[0]!,
    options: titles.map((title, index) => ({ title, disabled: members[index]!.disabled })),
    chosen: members.findIndex((one) => one.pressed === 'true'),
    choose: (index) => click(run, snapshot, members[index]!.ref),
  };
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => number): T[][] {
  const groups = new Map<number, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups.values()];
}
