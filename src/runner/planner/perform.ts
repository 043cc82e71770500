import type { ElementHandle } from 'playwright-core';
import { click } from '../engine/act.ts';
import { captionOf } from '../engine/buttons.ts';
import { assignFields } from '../engine/fields/assign.ts';
import { fillField, setChecked } from '../engine/fields/fill.ts';
import { foreignMeanings } from '../engine/fields/meanings.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../engine/page/snapshot.ts';
import { isShopUrl, type Run, readPage } from '../engine/run.ts';
import type { StuckGoal } from '../engine/stuck.ts';
import type { Action } from './actions.ts';
import { refuseBox, refuseButton, refuseOption } from './click-rules.ts';
import type { Seen } from './page-view.ts';
import { isSecretField } from './secret-fields.ts';
import { isOfRequest, spellingsOf } from './values.ts';

/**
 * What became of an action. `title` says for people what it was about; its words are the page's.
 */
export type Performed =
  | { readonly state: 'done'; readonly title: string }
  | { readonly state: 'refused'; readonly title: string; readonly why: string };

type PageAction = Exclude<Action, { do: 'done' | 'give-up' }>;
type Found = { readonly fresh: Snapshot } & (
  | { readonly field: FieldInfo }
  | { readonly button: ButtonInfo }
);

const refused = (title: string, why: string): Performed => ({ state: 'refused', title, why });

/**
 * Does one action after it was checked against the page as it is now; what is refused leaves the
 * page alone.
 */
export async function perform(
  run: Run,
  seen: Seen,
  action: PageAction,
  goal: StuckGoal,
): Promise<Performed> {
  if (action.do === 'scroll') {
    await run.page.mouse.wheel(0, action.to === 'down' ? 600 : -600);
    return { state: 'done', title: `scrolled ${action.to}` };
  }
  const shown = seen.find(action.ref);
  if (shown === undefined) return refused(action.do, 'there is no such element in what was shown');
  const found = await findAgain(run, seen.snapshot, shown);
  if (found === undefined) return refused(action.do, 'the element is not the same any more');
  if ('button' in found) {
    const title = `press “${captionOf(found.button).slice(0, 80)}”`;
    const why =
      action.do === 'click' ? refuseButton(run, found.fresh, found.button, goal) : 'it is a button';
    if (why !== undefined) return refused(title, why);
    return outcomeOf(await click(run, found.fresh, found.button.ref), title);
  }
  return performOnField(run, found.fresh, found.field, { action, goal });
}

async function performOnField(
  run: Run,
  page: Snapshot,
  field: FieldInfo,
  {
    action,
    goal,
  }: { readonly action: Exclude<PageAction, { do: 'scroll' }>; readonly goal: StuckGoal },
): Promise<Performed> {
  const name = (field.label || field.near || field.name).slice(0, 80);
  const isBox = ['radio', 'checkbox', 'switch'].includes(field.type);
  switch (action.do) {
    case 'click': {
      const title = `${isBox ? 'set' : 'open'} “${name}”`;
      const isList =
        field.tag === 'button' || (field.tag !== 'input' && field.hasPopup === 'listbox');
      const why = isBox
        ? refuseBox(field)
        : isList && !isSecretField(page, field)
          ? undefined
          : 'it is a field';
      if (why !== undefined) return refused(title, why);
      return outcomeOf(
        isBox
          ? await setChecked(page, field, field.type === 'radio' || !field.checked)
          : await click(run, page, field.ref),
        title,
      );
    }
    case 'choose': {
      const title = `choose “${(field.options[action.option]?.text ?? String(action.option)).slice(0, 80)}” of “${name}”`;
      const why = isSecretField(page, field)
        ? 'it is a field for secrets'
        : refuseOption(field, action.option);
      if (why !== undefined) return refused(title, why);
      return outcomeOf(await fillOption(page, field, action.option), title);
    }
    default: {
      const title = `type ${action.do === 'type' ? action.value : 'words of the request'} into “${name}”`;
      const why = refuseTyping(run, page, field, { action, goal });
      if (why !== undefined) return refused(title, why);
      const spellings =
        action.do === 'type' ? spellingsOf(run, action.value, field) : [action.words];
      return outcomeOf(await fillField(page, field, spellings), title);
    }
  }
}

function refuseTyping(
  run: Run,
  page: Snapshot,
  field: FieldInfo,
  {
    action,
    goal,
  }: { readonly action: Extract<Action, { do: 'type' | 'type-words' }>; readonly goal: StuckGoal },
): string | undefined {
  if (isSecretField(page, field)) return 'it is a field for secrets';
  if (['radio', 'checkbox', 'switch'].includes(field.type)) return 'it is no field';
  if (field.disabled || field.readOnly) return 'it is disabled';
  if (['header', 'footer', 'nav'].includes(field.region))
    return 'it stands outside of the checkout';
  const meaning = assignFields(page.fields, page.forms).find(
    (one) => one.field.ref === field.ref,
  )?.meaning;
  if (meaning !== undefined && foreignMeanings.has(meaning))
    return 'it is a field for something else';
  const form = page.forms[field.container];
  if (form?.tag === 'form' && form.action !== '' && !isShopUrl(run, form.action))
    return 'its form goes to another site';
  if (action.do === 'type-words')
    return isOfRequest(run, action.words) ? undefined : 'the user has not said these words';
  if (goal.kind !== 'go-on' && action.value !== 'request.quantity')
    return 'a product needs nothing of the buyer';
  return spellingsOf(run, action.value, field).length === 0
    ? 'the buyer has not told it'
    : undefined;
}

const outcomeOf = (isDone: boolean, title: string): Performed =>
  isDone ? { state: 'done', title } : refused(title, 'the page did not take it');

async function fillOption(page: Snapshot, field: FieldInfo, index: number): Promise<boolean> {
  try {
    const element = await page.element(field.ref);
    await element.selectOption({ index }, { timeout: 3_000 });
    return (
      (await element.evaluate(
        (select) => (select as unknown as { selectedIndex: number }).selectedIndex,
      )) === index
    );
  } catch {
    return false;
  }
}

/**
 * The very element that was shown, in a new reading of the page, as long as it says and does the
 * same; undefined otherwise.
 */
async function findAgain(
  run: Run,
  seen: Snapshot,
  shown: { readonly field: FieldInfo } | { readonly button: ButtonInfo },
): Promise<Found | undefined> {
  const fresh = await readPage(run, { quietMs: 60, timeoutMs: 3_000 });
  try {
    const old = await seen.element(('field' in shown ? shown.field : shown.button).ref);
    if ('field' in shown) {
      const field = await firstSame(
        old,
        fresh,
        fresh.fields.filter((one) => sayOf(one) === sayOf(shown.field)),
      );
      return field && { fresh, field };
    }
    const button = await firstSame(
      old,
      fresh,
      fresh.buttons.filter((one) => doOf(one) === doOf(shown.button)),
    );
    return button && { fresh, button };
  } catch {
    return undefined;
  }
}

async function firstSame<T extends { readonly ref: number }>(
  old: ElementHandle,
  fresh: Snapshot,
  candidates: readonly T[],
): Promise<T | undefined> {
  for (const one of candidates)
    if (await old.evaluate((before, now) => before === now, await fresh.element(one.ref)))
      return one;
  return undefined;
}

const sayOf = (field: FieldInfo) =>
  JSON.stringify([
    field.tag,
    field.type,
    field.name,
    field.label,
    field.near,
    field.options.map((one) => one.text),
  ]);
const doOf = (button: ButtonInfo) =>
  JSON.stringify([
    button.tag,
    button.type,
    captionOf(button),
    button.label,
    button.href,
    button.action,
  ]);
