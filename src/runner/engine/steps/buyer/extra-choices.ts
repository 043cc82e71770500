import { click } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import { cartLines, isCartPage } from '../../cart/lines.ts';
import { asksCount } from '../../fields/count.ts';
import { fillField } from '../../fields/fill.ts';
import { currenciesIn } from '../../money/currencies.ts';
import { hasAmount } from '../../money/prices.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { anyOf, wordLists } from '../../words/languages.ts';
import { surelyWantedIn } from '../../words/wishes.ts';
import { plain, words } from '../../words/words.ts';

/** A choice that was made beforehand, and how to make it nothing. */
interface Extra {
  readonly name: string;
  readonly leave: () => Promise<boolean>;
}

const nothing = /^\D{0,4}0(?:[.,]0+)?\D{0,4}$/;
const isNothing = (text: string) => words.none.test(text.trim()) || nothing.test(text.trim());
const aSum = /^\D{0,3}\d{1,4}(?:[.,]\d{1,2})?\D{0,3}$/;
/** Beside these a number is no sum. */
const names =
  /number|code|card|nummer|kart|carte|numéro|número|tarjeta|size|length|width|height|weight|diameter|länge|größe|breite|gewicht|longueur|largeur|poids|longitud|peso|\b(?:[cm]m|k?g|oz|inch)\b/i;
const given = new RegExp(`(?<!\\p{L})(?:${anyOf(wordLists.givenSum)})(?!\\p{L}|-\\p{L})`, 'u');
const tried = new WeakMap<Run, Set<string>>();

/**
 * Leaves out what a page has chosen beforehand and nobody asked for, where that is no box: a tip in
 * a list, in a field or among buttons, a switch with a price. Whether something was changed.
 */
export async function leaveExtras(run: Run, snapshot: Snapshot): Promise<boolean> {
  if (words.extra.test(surelyWantedIn(run.task.request ?? ''))) return false;
  const known = tried.get(run) ?? new Set();
  tried.set(run, known);
  let hasChanged = false;
  for (const { name, leave } of extrasOf(run, snapshot)) {
    const key = `${snapshot.url} ${name}`;
    if (known.has(key)) continue;
    known.add(key);
    hasChanged = (await leave()) || hasChanged;
    run.log.info({ choice: name.slice(0, 80) }, 'Something extra was left out.');
  }
  return hasChanged;
}

/** What a page has chosen beforehand beside the product, where that is no box. */
export function extrasOf(run: Run, snapshot: Snapshot): readonly Extra[] {
  const isOwn = ({ region, disabled }: FieldInfo | ButtonInfo) =>
    !disabled && !['header', 'footer', 'nav'].includes(region);
  // What the product is called says nothing of what comes with it, nor does how many there are.
  const { productTitle = '' } = run.state;
  const title = new RegExp(productTitle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  const untitled = (text: string) => (productTitle === '' ? text : text.replace(title, ' '));
  const fields = snapshot.fields.filter(
    (field) =>
      isOwn(field) &&
      !asksCount(field) &&
      !isAnswered(run, field) &&
      words.extra.test(untitled(field.label || field.near)),
  );
  const sums = fields.filter(
    (field) =>
      given.test(
        plain(untitled(`${field.label} ${field.placeholder} ${field.name} ${field.id}`)),
      ) || currenciesIn(field.value).length > 0,
  );
  const buttons = snapshot.buttons.filter((one) => isOwn(one) && one.href === '');
  return [
    ...fields.flatMap((field) => listOf(snapshot, field)),
    ...sums.flatMap((field) => sumOf(run, snapshot, field)),
    ...buttons
      .filter(({ pressed }) => pressed === 'true')
      .flatMap((button) => buttonOf(run, snapshot, button, buttons)),
  ];
}

/** Whether the user was asked about a field: what stands in it then is the answer. */
function isAnswered({ state }: Run, { name, label, near, placeholder }: FieldInfo): boolean {
  const titles = [label || near, placeholder]
    .map((text) => text.replace(/\s*[*:]\s*$/, '').slice(0, 120))
    .filter((text) => text !== '')
    .map((text) => `/${text} – `);
  const parts = name === '' ? titles : [`/${name}/`, ...titles];
  return [...state.asked.keys()]
    .map((key) => `${key} – `.replaceAll(/\s*[*:]\s*(?= – )/g, ''))
    .some((key) => parts.some((part) => key.includes(part)));
}

function listOf(snapshot: Snapshot, field: FieldInfo): readonly Extra[] {
  const chosen = field.options.find(({ selected }) => selected);
  const none = field.options.find(({ text }) => isNothing(text));
  if (field.type !== 'select' || chosen === undefined || none === undefined) return [];
  if (isNothing(chosen.text) || chosen.value === '') return [];
  return [{ name: field.label, leave: () => fillField(snapshot, field, [none.text]) }];
}

function sumOf(run: Run, snapshot: Snapshot, field: FieldInfo): readonly Extra[] {
  const isSum =
    ['number', 'spinbutton', 'text', 'tel'].includes(field.type) &&
    aSum.test(field.value) &&
    !nothing.test(field.value) &&
    !names.test(`${field.label} ${field.name}`);
  return isSum && !field.readOnly && !isInLine(run, snapshot, field)
    ? [{ name: field.label, leave: () => fillField(snapshot, field, ['0']) }]
    : [];
}

/** Whether a field counts what a line of the cart has, or stands beside what takes one out. */
const isInLine = (run: Run, snapshot: Snapshot, { ref, rowRef }: FieldInfo) =>
  (isCartPage(run, snapshot) &&
    cartLines(run, snapshot).some(({ quantity }) => quantity?.ref === ref)) ||
  snapshot.buttons.some(
    (one) => rowRef !== null && one.rowRef === rowRef && words.remove.test(captionOf(one)),
  );

function buttonOf(
  run: Run,
  snapshot: Snapshot,
  button: ButtonInfo,
  buttons: readonly ButtonInfo[],
): readonly Extra[] {
  const said = `${captionOf(button)} ${button.label} ${button.groupLabel}`;
  const press = ({ ref }: ButtonInfo) => [{ name: said, leave: () => click(run, snapshot, ref) }];
  if (['switch', 'checkbox'].includes(button.role))
    return words.extra.test(said) || hasAmount(`${captionOf(button)} ${button.label}`)
      ? press(button)
      : [];
  const group = plain(button.groupLabel).split(':')[0];
  if (group !== '' && run.state.asked.has(`option/buttons/${group}`)) return [];
  if (!words.extra.test(said) || isNothing(captionOf(button))) return [];
  const none = buttons.find(
    (one) => one.parent === button.parent && isNothing(captionOf(one)) && one.pressed !== 'true',
  );
  return none === undefined ? [] : press(none);
}
