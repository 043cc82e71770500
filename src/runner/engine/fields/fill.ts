import type { ElementHandle } from 'playwright-core';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { plain } from '../words.ts';
import { type Choice, findChoice } from './choose.ts';

const actionTimeoutMs = 3_000;

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
export async function fillField(snapshot: Snapshot, field: FieldInfo, spellings: readonly string[]): Promise<boolean> {
  if (spellings.length === 0 || field.disabled || field.readOnly) return false;
  try {
    const element = await snapshot.element(field.ref);
    if (field.type === 'select') return await chooseOption(element, field, spellings);
    const isTyped = ['input', 'textarea'].includes(field.tag);
    if (isTyped && field.hasPopup === '') return await typeText(element, spellings, snapshot);
    if (isTyped) return (await chooseFromList(snapshot, element, spellings, true)) || (await typeText(element, spellings, snapshot));
    if (field.tag !== 'button' && field.role !== 'combobox' && field.role !== 'listbox')
      return await typeText(element, spellings, snapshot);
    return await chooseFromList(snapshot, element, spellings, false);
  } catch {
    return false;
  }
}

async function chooseOption(element: ElementHandle, field: FieldInfo, spellings: readonly string[]): Promise<boolean> {
  const index = findChoice(field.options, spellings);
  if (index < 0) return false;
  await element.selectOption({ index }, { timeout: actionTimeoutMs });
  return (await element.evaluate((select) => (select as unknown as { selectedIndex: number }).selectedIndex)) === index;
}

async function typeText(element: ElementHandle, spellings: readonly string[], snapshot: Snapshot): Promise<boolean> {
  const read = () =>
    element.evaluate((input) =>
      String(
        (input as unknown as { value?: string; textContent?: string }).value ??
          (input as unknown as { textContent?: string }).textContent ??
          '',
      ),
    );
  for (const spelling of spellings) {
    await element.fill(spelling, { timeout: actionTimeoutMs });
    if (!sameText(await read(), spelling)) {
      await element.fill('', { timeout: actionTimeoutMs });
      await element.type(spelling, { delay: 5, timeout: actionTimeoutMs + spelling.length * 40 });
    }
    const isKept = sameText(await read(), spelling);
    if (isKept) {
      await takeSuggestion(snapshot, element, spelling);
      await element.evaluate((input) => (input as unknown as { blur(): void }).blur());
      return sameText(await read(), spelling) || (await read()) !== '';
    }
  }
  return false;
}

const optionsScript = `(() => {
  const shown = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && el.getBoundingClientRect().height > 2;
  const all = [...document.querySelectorAll('[role=option],[role=menuitemradio],[class*=suggest i] li,[class*=autocomplete i] li,[class*=suggestion i]:not(ul):not(ol),.pac-item,[role=listbox] > *')].filter((el) => shown(el) && !el.matches('option'));
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
      await handle.evaluateHandle((found, at) => (found as { elements: unknown[] }).elements[at], index)
    ).asElement() as ElementHandle | null;
  return { rows, element };
}

/** What a list box that opens offers; it is closed again. */
export async function readListOptions(snapshot: Snapshot, field: FieldInfo): Promise<readonly Choice[]> {
  const element = await snapshot.element(field.ref);
  await element.click({ timeout: actionTimeoutMs });
  const { rows } = await waitForOptions(snapshot, 1_500);
  await element.press('Escape', { timeout: actionTimeoutMs });
  if ((await openOptions(snapshot)).rows.length > 0) await element.click({ timeout: actionTimeoutMs });
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
      String((el as unknown as { value?: string }).value || (el as unknown as { innerText?: string }).innerText || ''),
    );
  for (const typed of canType
    ? spellings
        .slice()
        .sort((a, b) => b.length - a.length)
        .slice(0, 3)
    : ['']) {
    await element.click({ timeout: actionTimeoutMs });
    if (canType) await element.fill(typed, { timeout: actionTimeoutMs });
    const list = await waitForOptions(snapshot, canType ? 1_500 : 2_000);
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
      for (const key of [...new Array<string>(at + 1).fill('ArrowDown'), 'Enter']) await element.press(key, { timeout: actionTimeoutMs });
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

/** Suggestions of an address that appear while typing: the equal one is taken, others are sent away. */
async function takeSuggestion(snapshot: Snapshot, element: ElementHandle, typed: string): Promise<void> {
  const isFocused = await element.evaluate((el) =>
    Boolean(
      (el as unknown as { getAttribute(name: string): string | null }).getAttribute('aria-autocomplete') ??
        (el as unknown as { getAttribute(name: string): string | null }).getAttribute('aria-controls') ??
        (el as unknown as { getAttribute(name: string): string | null }).getAttribute('list'),
    ),
  );
  const list = isFocused ? await waitForOptions(snapshot, 600) : await openOptions(snapshot);
  if (list.rows.length === 0) return;
  const equal = list.rows.findIndex((row) => sameText(row.text, typed));
  const option = equal < 0 ? null : await list.element(equal);
  if (option) await option.click({ timeout: actionTimeoutMs }).catch(() => undefined);
  else await element.press('Escape', { timeout: actionTimeoutMs });
}

/** Sets a radio button, check box or switch; through its label when the box itself is drawn. */
export async function setChecked(snapshot: Snapshot, field: FieldInfo, checked: boolean): Promise<boolean> {
  try {
    const element = await snapshot.element(field.ref);
    const read = () =>
      element.evaluate((el) => {
        const box = el as unknown as { checked?: boolean; getAttribute(name: string): string | null };
        return typeof box.checked === 'boolean' ? box.checked : box.getAttribute('aria-checked') === 'true';
      });
    if ((await read()) === checked) return true;
    const target = field.proxy === null ? element : await snapshot.element(field.proxy);
    await target.click({ timeout: actionTimeoutMs, ...(field.proxy === null ? {} : { position: { x: 6, y: 8 } }) });
    if ((await read()) !== checked) await element.evaluate((el) => (el as unknown as { click(): void }).click());
    return (await read()) === checked;
  } catch {
    return false;
  }
}
