import { captionOf } from '../engine/buttons.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../engine/page/snapshot.ts';
import { isSecretField } from './secret-fields.ts';

/** One thing on the page, as the model sees it. Names are the page's words, masked and cut. */
interface SeenElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** `disabled`, `required`, `filled`, `checked` and the like. */
  readonly states?: readonly string[];
  readonly options?: readonly string[];
}

/**
 * What a model is shown of a page: no address but its path, no value of any field, nothing secret.
 */
export interface PageView {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly alerts: readonly string[];
  readonly elements: readonly SeenElement[];
  readonly text: string;
}

/** A view with what its refs stand for. */
export interface Seen {
  readonly view: PageView;
  readonly snapshot: Snapshot;
  find(ref: string): { readonly field: FieldInfo } | { readonly button: ButtonInfo } | undefined;
}

const max = {
  name: 100,
  text: 5_000,
  elements: 160,
  options: 40,
  option: 60,
  alerts: 6,
  view: 24_000,
} as const;

/**
 * Makes the view of one call. Its refs begin with the number of the call, so that those of an
 * earlier page mean nothing.
 * @param hide takes secrets and the buyer's data out of a text
 */
export function viewPage(snapshot: Snapshot, call: number, hide: (text: string) => string): Seen {
  const clip = (text: string, length: number = max.name) => clean(hide(text)).slice(0, length);
  const fields = snapshot.fields.filter((field) => !isSecretField(snapshot, field));
  // What stands in the frame of the page is the last that is of use.
  const isOuter = (region: string) => (['header', 'footer', 'nav'].includes(region) ? 1 : 0);
  const found = [
    ...fields.map((field) => ({ field, ref: field.ref, y: field.y, outer: isOuter(field.region) })),
    ...snapshot.buttons
      // A list box that is a button is in both lists.
      .filter((button) => !snapshot.fields.some((field) => field.ref === button.ref))
      .map((button) => ({ button, ref: button.ref, y: button.y, outer: isOuter(button.region) })),
  ]
    .toSorted((a, b) => a.outer - b.outer || a.y - b.y)
    .slice(0, max.elements);
  const elements: SeenElement[] = found.map((one) =>
    'field' in one
      ? seeField(one.field, `${call}-${one.ref}`, clip)
      : seeButton(one.button, `${call}-${one.ref}`, clip),
  );
  const { pathname } = URL.canParse(snapshot.url) ? new URL(snapshot.url) : { pathname: '' };
  const head = {
    // What is long in an address is a token, not a word.
    path: clip(pathname.replaceAll(/[\w%-]*\d[\w%-]{11,}/g, '…')),
    title: clip(snapshot.title),
    heading: clip(snapshot.heading),
    alerts: snapshot.alerts.slice(0, max.alerts).map((alert) => clip(alert, 200)),
  };
  while (JSON.stringify(elements).length > max.view - max.text - 2_000) elements.pop();
  const byRef = new Map(found.map((one) => [`${call}-${one.ref}`, one]));
  const shown = new Set(elements.map(({ ref }) => ref));
  return {
    view: { ...head, elements, text: hide(snapshot.text).slice(0, max.text) },
    snapshot,
    find: (ref) => (shown.has(ref) ? byRef.get(ref) : undefined),
  };
}

type Clip = (text: string, length?: number) => string;

function seeField(field: FieldInfo, ref: string, clip: Clip): SeenElement {
  const isBox = ['radio', 'checkbox', 'switch'].includes(field.type);
  const isList = field.type === 'select' || field.hasPopup === 'listbox';
  const name = clip(
    [field.groupLabel, field.label || field.near || field.placeholder || field.name]
      .filter(Boolean)
      .join(': '),
  );
  const states = [
    field.disabled || field.readOnly ? 'disabled' : '',
    field.required ? 'required' : '',
    field.invalid ? 'invalid' : '',
    field.checked ? 'checked' : '',
    !isBox && field.value !== '' ? 'filled' : '',
  ].filter(Boolean);
  const options = field.options.slice(0, max.options).map((option, index) => {
    const marks = `${option.selected ? ' (chosen)' : ''}${option.disabled ? ' (disabled)' : ''}`;
    return `${index}: ${clip(option.text, max.option)}${marks}`;
  });
  return {
    ref,
    role: isBox ? field.type : isList ? 'combobox' : 'textbox',
    name,
    ...(states.length > 0 && { states }),
    ...(options.length > 0 && { options }),
  };
}

function seeButton(button: ButtonInfo, ref: string, clip: Clip): SeenElement {
  const states = [
    button.disabled ? 'disabled' : '',
    button.pressed === 'true' ? 'pressed' : '',
    button.expanded === '' ? '' : button.expanded === 'true' ? 'open' : 'closed',
  ].filter(Boolean);
  const role = button.role || (button.tag === 'a' ? 'link' : 'button');
  const name = clip(
    [captionOf(button) || button.value, button.groupLabel === '' ? '' : `(${button.groupLabel})`]
      .filter(Boolean)
      .join(' '),
  );
  return { ref, role: clip(role, 20), name, ...(states.length > 0 && { states }) };
}

const clean = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
