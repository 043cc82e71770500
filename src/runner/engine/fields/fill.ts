import type { ElementHandle } from 'playwright-core';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { plain } from '../words/words.ts';
import { type Choice, findChoice } from './choose.ts';
import { replaceText, typeKeys } from './insert-text.ts';

const actionTimeoutMs = 3_000;
const typedMax = 7;

/**
 * For a field of an address: what else is known of the place, so that the right one of several
 * suggestions is taken.
 */
export interface PlaceOfField {
  /** City, postal code and the like. */
  readonly about: readonly string[];
  /**
   * Called when the page's suggestion was taken: it may have filled other fields and may spell this
   * one its own way.
   */
  readonly onTaken?: () => void;
}
const noPlace: PlaceOfField = { about: [] };

/** Whether a field holds one of the spellings already. */
export function holds(field: FieldInfo, spellings: readonly string[]): boolean {
  if (field.type === 'select') {
    const at = findChoice(field.options, spellings);
    return at >= 0 && field.options[at]!.selected;
  }
  return spellings.some((spelling) => sameText(field.value, spelling));
}

/** Equal but for case, spaces and the marks that masks put in. */
export function sameText(kept: string, wanted: string): boolean {
  const strip = (text: string) => plain(text).replace(/[\s()./-]/g, '');
  return strip(kept) !== '' && strip(kept) === strip(wanted);
}

/**
 * Puts one of the spellings into a field, the best first, and reads back what the page keeps.
 * @returns false when the page keeps none of them
 */
export async function fillField(
  snapshot: Snapshot,
  field: FieldInfo,
  spellings: readonly string[],
  place: PlaceOfField = noPlace,
): Promise<boolean> {
  if (spellings.length === 0 || field.disabled || field.readOnly) return false;
  try {
    const element = await snapshot.element(field.ref);
    if (field.type === 'select') return await chooseOption(element, field, spellings);
    const isTyped = ['input', 'textarea'].includes(field.tag);
    const isAddress = place.about.length > 0;
    const input = { snapshot, element, type: field.type };
    if (isTyped && (field.hasPopup === '' || isAddress))
      return await typeText(input, spellings, place);
    if (isTyped)
      return (
        (await chooseFromList(snapshot, element, spellings, true)) ||
        (await typeText(input, spellings, place))
      );
    if (field.tag !== 'button' && field.role !== 'combobox' && field.role !== 'listbox')
      return await typeText(input, spellings, place);
    return await chooseFromList(snapshot, element, spellings, false);
  } catch {
    return false;
  }
}

async function chooseOption(
  element: ElementHandle,
  field: FieldInfo,
  spellings: readonly string[],
): Promise<boolean> {
  const index = findChoice(field.options, spellings);
  if (index < 0) return false;
  await element.selectOption({ index }, { timeout: actionTimeoutMs });
  return (
    (await element.evaluate(
      (select) => (select as unknown as { selectedIndex: number }).selectedIndex,
    )) === index
  );
}

/** These the page draws by itself: they are set, not typed into. */
const setTypes: readonly string[] = [
  'color',
  'date',
  'datetime-local',
  'month',
  'range',
  'time',
  'week',
];

/** Once the field can be used. @throws Error when it cannot */
async function putText(element: ElementHandle, type: string, text: string): Promise<void> {
  if (setTypes.includes(type)) return element.fill(text, { timeout: actionTimeoutMs });
  await element.waitForElementState('editable', { timeout: actionTimeoutMs });
  if (!(await replaceText(element, text))) throw new Error('The field does not take the focus.');
}

interface TextInput {
  readonly snapshot: Snapshot;
  readonly element: ElementHandle;
  readonly type: string;
}

async function typeText(
  { snapshot, element, type }: TextInput,
  spellings: readonly string[],
  place: PlaceOfField,
): Promise<boolean> {
  const read = (blurs = false) =>
    element.evaluate((el, leave) => {
      const input = el as unknown as {
        value?: string;
        textContent?: string;
        blur(): void;
        getAttribute(name: string): string | null;
      };
      if (leave) input.blur();
      const expectsList = ['aria-autocomplete', 'aria-controls', 'list'].some(
        (name) => input.getAttribute(name) !== null,
      );
      return { value: String(input.value ?? input.textContent ?? ''), expectsList };
    }, blurs);
  for (const spelling of spellings) {
    await putText(element, type, spelling);
    let kept = await read();
    if (!sameText(kept.value, spelling)) {
      await typeKeys(element, spelling);
      kept = await read();
    }
    if (sameText(kept.value, spelling)) {
      await takeSuggestion(snapshot, element, spelling, place, kept.expectsList);
      return (await read(true)).value !== '';
    }
  }
  return false;
}

const optionsScript = `(() => {
  const shown = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && el.getBoundingClientRect().height > 2;
  const roots = [document];
  for (let at = 0; at < roots.length && roots.length < 400; at += 1) for (const el of roots[at].querySelectorAll('*')) if (el.shadowRoot) roots.push(el.shadowRoot);
  const selector = '[role=option],[role=menuitemradio],[class*=suggest i] li,[class*=autocomplete i] li,[class*=suggestion i]:not(ul):not(ol),.pac-item,[role=listbox] > *';
  const all = roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter((el) => shown(el) && !el.matches('option'));
  const leaf = all.filter((el) => !all.some((other) => other !== el && el.contains(other)));
  return { elements: leaf.slice(0, 400), rows: leaf.slice(0, 400).map((el) => ({ value: el.getAttribute('data-value') || el.getAttribute('value') || el.id || '', text: (el.innerText || '').replace(/\\s+/g, ' ').trim(), disabled: el.getAttribute('aria-disabled') === 'true' })) };
})()`;

interface OpenList {
  readonly rows: readonly Choice[];
  readonly element: (index: number) => Promise<ElementHandle | null>;
}

async function openOptions(snapshot: Snapshot): Promise<OpenList> {
  const handle = await snapshot.frame.evaluateHandle(optionsScript);
  const rows = await handle.evaluate((found) => (found as { rows: Choice[] }).rows);
  const element = async (index: number) =>
    (
      await handle.evaluateHandle(
        (found, at) => (found as { elements: unknown[] }).elements[at],
        index,
      )
    ).asElement() as ElementHandle | null;
  return { rows, element };
}

/** What a list box that opens offers; it is closed again. */
export async function readListOptions(
  snapshot: Snapshot,
  field: FieldInfo,
): Promise<readonly Choice[]> {
  const element = await snapshot.element(field.ref);
  await element.click({ timeout: actionTimeoutMs });
  const { rows } = await waitForOptions(snapshot, 1_500);
  await element.press('Escape', { timeout: actionTimeoutMs });
  if ((await openOptions(snapshot)).rows.length > 0)
    await element.click({ timeout: actionTimeoutMs });
  return rows;
}

/** A list box that opens: by mouse, and by keyboard when a click does not choose. */
async function chooseFromList(
  snapshot: Snapshot,
  element: ElementHandle,
  spellings: readonly string[],
  canType: boolean,
): Promise<boolean> {
  const shown = () =>
    element.evaluate((el) =>
      String(
        (el as unknown as { value?: string }).value ||
          (el as unknown as { innerText?: string }).innerText ||
          '',
      ),
    );
  // What opens without typing is the whole list; else names before codes, the most likely one
  // first.
  const names = spellings.filter((one) => one.length > 3);
  for (const typed of canType
    ? ['', ...names, ...spellings.filter((one) => one.length <= 3)].slice(0, typedMax)
    : ['']) {
    await element.click({ timeout: actionTimeoutMs });
    if (typed !== '') await replaceText(element, typed);
    const list = await waitForOptions(snapshot, !canType ? 2_000 : typed === '' ? 300 : 1_500);
    const at = findChoice(list.rows, spellings);
    if (at < 0) {
      await element.press('Escape', { timeout: actionTimeoutMs });
      continue;
    }
    const text = list.rows[at]!.text;
    const option = await list.element(at);
    const isClicked = await option?.click({ timeout: actionTimeoutMs }).then(
      () => true,
      () => false,
    );
    if (!isClicked)
      for (const key of [...new Array<string>(at + 1).fill('ArrowDown'), 'Enter'])
        await element.press(key, { timeout: actionTimeoutMs });
    for (let wait = 0; wait < 10; wait += 1) {
      const now = plain(await shown());
      if (now.includes(plain(text)) || spellings.some((one) => sameText(now, one))) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return (await openOptions(snapshot)).rows.length === 0;
  }
  return false;
}

async function waitForOptions(snapshot: Snapshot, timeoutMs: number): Promise<OpenList> {
  for (const end = Date.now() + timeoutMs; ; ) {
    const list = await openOptions(snapshot);
    if (list.rows.length > 0 || Date.now() > end) return list;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

/**
 * Suggestions that appear while typing: the equal one, or the one of the same address, is taken;
 * others are sent away.
 */
async function takeSuggestion(
  snapshot: Snapshot,
  element: ElementHandle,
  typed: string,
  place: PlaceOfField,
  expectsList: boolean,
): Promise<void> {
  const isOpen =
    expectsList || (await snapshot.frame.evaluate<boolean>(`${optionsScript}.rows.length > 0`));
  if (!isOpen) return;
  const list = await waitForOptions(snapshot, expectsList ? 900 : 0);
  if (list.rows.length === 0) return;
  const equal = list.rows.findIndex((row) => sameText(row.text, typed));
  const at = equal >= 0 ? equal : samePlace(list.rows, typed, place.about);
  const option = at < 0 ? null : await list.element(at);
  const isTaken = await option?.click({ timeout: actionTimeoutMs }).then(
    () => true,
    () => false,
  );
  if (isTaken) place.onTaken?.();
  else await element.press('Escape', { timeout: actionTimeoutMs });
}

/**
 * The row that holds every word of the line and most of what is known of the place, at least one
 * thing; -1 without one.
 */
function samePlace(rows: readonly Choice[], line: string, about: readonly string[]): number {
  const wordsOf = (text: string) =>
    plain(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
  const wanted = wordsOf(line);
  const scored = rows.map((row, index) => {
    const words = new Set(wordsOf(row.text));
    const has = (text: string) => wordsOf(text).every((word) => words.has(word));
    return { index, known: wanted.every((word) => words.has(word)) ? about.filter(has).length : 0 };
  });
  const best = scored.toSorted((a, b) => b.known - a.known || a.index - b.index)[0];
  return best === undefined || best.known === 0 ? -1 : best.index;
}

const labelPoint = { x: 6, y: 8 };

/** Whether what a press on a label would meet is the label's own box. Runs in the page. */
const isInFront = (label: unknown, box: unknown): boolean => {
  const one = label as {
    scrollIntoViewIfNeeded(): void;
    getBoundingClientRect(): { left: number; top: number };
    ownerDocument: { elementFromPoint(x: number, y: number): unknown };
  };
  one.scrollIntoViewIfNeeded();
  const { left, top } = one.getBoundingClientRect();
  return one.ownerDocument.elementFromPoint(left + 6, top + 8) === box;
};

/** Sets a radio button, check box or switch; through its label when the box itself is drawn. */
export async function setChecked(
  snapshot: Snapshot,
  field: FieldInfo,
  checked: boolean,
): Promise<boolean> {
  try {
    const element = await snapshot.element(field.ref);
    const read = () =>
      element.evaluate((el) => {
        const box = el as unknown as {
          checked?: boolean;
          getAttribute(name: string): string | null;
        };
        return typeof box.checked === 'boolean'
          ? box.checked
          : box.getAttribute('aria-checked') === 'true';
      });
    if ((await read()) === checked) return true;
    const target = field.proxy === null ? element : await snapshot.element(field.proxy);
    // A transparent box over its own label takes the press itself.
    const isOver = field.proxy !== null && (await target.evaluate(isInFront, element));
    if (isOver) await element.click({ timeout: actionTimeoutMs, force: true });
    else
      await target.click({
        timeout: actionTimeoutMs,
        ...(field.proxy === null ? {} : { position: labelPoint }),
      });
    if ((await read()) !== checked)
      await element.evaluate((el) => (el as unknown as { click(): void }).click());
    return (await read()) === checked;
  } catch {
    return false;
  }
}

/**
 * Whether a field is no more on its page: one that sends itself when it is changed loads the page
 * anew.
 */
export async function isGone(snapshot: Snapshot, { ref }: FieldInfo): Promise<boolean> {
  try {
    return !(await (
      await snapshot.element(ref)
    ).evaluate((el) => (el as unknown as { isConnected: boolean }).isConnected));
  } catch {
    return true;
  }
}
