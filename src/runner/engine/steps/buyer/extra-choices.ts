import { click } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import { asksCount } from '../../fields/count.ts';
import { fillField } from '../../fields/fill.ts';
import { hasAmount } from '../../money/prices.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { wantedIn, words } from '../../words/words.ts';

/** A choice that was made beforehand, and how to make it nothing. */
interface Extra {
  readonly name: string;
  readonly leave: () => Promise<boolean>;
}

const nothing = /^\D{0,4}0(?:[.,]0+)?\D{0,4}$/;
const isNothing = (text: string) => words.none.test(text.trim()) || nothing.test(text.trim());
const aSum = /^\D{0,3}\d{1,4}(?:[.,]\d{1,2})?\D{0,3}$/;
/** Beside these a number is no sum. */
const names = /number|code|card|nummer|kart|carte|numéro|número|tarjeta/i;
const tried = new WeakMap<Run, Set<string>>();

/**
 * Leaves out what a page has chosen beforehand and nobody asked for, where that is no box: a tip in
 * a list, in a field or among buttons, a switch with a price. Whether something was changed.
 */
export async function leaveExtras(run: Run, snapshot: Snapshot): Promise<boolean> {
  if (words.extra.test(wantedIn(run.task.request ?? ''))) return false;
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
  const untitled = (text: string) =>
    productTitle === '' ? text : text.replaceAll(productTitle, ' ');
  const fields = snapshot.fields.filter(
    (field) =>
      isOwn(field) && !asksCount(field) && words.extra.test(untitled(field.label || field.near)),
  );
  const buttons = snapshot.buttons.filter((one) => isOwn(one) && one.href === '');
  return [
    ...fields.flatMap((field) => listOf(snapshot, field)),
    ...fields.flatMap((field) => sumOf(snapshot, field)),
    ...buttons
      .filter(({ pressed }) => pressed === 'true')
      .flatMap((button) => buttonOf(run, snapshot, button, buttons)),
  ];
}

function listOf(snapshot: Snapshot, field: FieldInfo): readonly Extra[] {
  const chosen = field.options.find(({ selected }) => selected);
  const none = field.options.find(({ text }) => isNothing(text));
  if (field.type !== 'select' || chosen === undefined || none === undefined) return [];
  if (isNothing(chosen.text) || chosen.value === '') return [];
  return [{ name: field.label, leave: () => fillField(snapshot, field, [none.text]) }];
}

function sumOf(snapshot: Snapshot, field: FieldInfo): readonly Extra[] {
  const isSum =
    ['number', 'spinbutton', 'text', 'tel'].includes(field.type) &&
    aSum.test(field.value) &&
    !nothing.test(field.value) &&
    !names.test(`${field.label} ${field.name}`);
  return isSum && !field.readOnly
    ? [{ name: field.label, leave: () => fillField(snapshot, field, ['0']) }]
    : [];
}

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
  if (!words.extra.test(said) || isNothing(captionOf(button))) return [];
  const none = buttons.find(
    (one) => one.parent === button.parent && isNothing(captionOf(one)) && one.pressed !== 'true',
  );
  return none === undefined ? [] : press(none);
}
