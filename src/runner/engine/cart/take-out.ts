import { click, clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { fillField } from '../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { type Run, readPage } from '../run.ts';
import { pressStepper } from '../steps/product/steppers.ts';
import { words } from '../words/words.ts';
import { type CartLine, cartLines, sameKey } from './lines.ts';

/** Whether the page has a way to take a line out: one of its own, or the number zero. */
export const canTakeOut = ({ remove, quantity, stepper }: CartLine): boolean =>
  remove !== undefined ||
  (quantity !== undefined && !quantity.readOnly && !quantity.disabled) ||
  (stepper?.minus !== undefined && !stepper.minus.disabled);

/**
 * Takes a line out of the cart, by what removes it, else by the number zero. A zero that stays on
 * the page may be in its field alone: the shop is asked again what it holds.
 * @returns the page afterwards, whatever came of it
 */
export async function takeOutLine(run: Run, snapshot: Snapshot, line: CartLine): Promise<Snapshot> {
  const { remove, quantity, text } = line;
  if (remove !== undefined) return (await clickAndRead(run, snapshot, remove)).snapshot;
  const key = sameKey(text);
  if (quantity === undefined)
    return pressStepper(run, snapshot, (button) => sameKey(button.rowText) === key, 0);
  await fillField(snapshot, quantity, ['0']);
  const sent = await pressUpdate(run, await readPage(run, { quietMs: 300 }), quantity);
  const isLeft = cartLines(run, sent).some((one) => sameKey(one.text) === key);
  return isLeft ? readAgain(run) : sent;
}

/** The page anew, without sending again what it may be the answer to. */
async function readAgain(run: Run): Promise<Snapshot> {
  const { page, patience } = run;
  const options = { waitUntil: 'domcontentloaded', timeout: patience.openMs } as const;
  // What stands behind a number sign alone loads nothing.
  if (page.url().includes('#')) await page.reload(options);
  else await page.goto(page.url(), options);
  return readPage(run);
}

/**
 * Sends a number that was typed into a line: by the button of its own form or row, else by that of
 * the cart. A shop that has sent it by itself is left as it is.
 */
export async function pressUpdate(
  run: Run,
  snapshot: Snapshot,
  typed: FieldInfo,
): Promise<Snapshot> {
  const field = snapshot.fields.find(({ name, id }) => name === typed.name && id === typed.id);
  const updates = snapshot.buttons.filter(
    (button) => words.update.test(captionOf(button)) && !button.disabled,
  );
  const isForm = field !== undefined && snapshot.forms[field.container]?.tag === 'form';
  const update =
    updates.find((button) => isForm && button.container === field.container) ??
    updates.find((button) => button.rowText !== '' && button.rowText === field?.rowText) ??
    updates[0];
  if (update === undefined || !(await click(run, snapshot, update.ref))) return snapshot;
  return readPage(run);
}
