import { bestButton, click, fingerprint } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { countSpellings } from '../fields/count.ts';
import { fillField } from '../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { type Run, readLater, readPage } from '../run.ts';
import { pressStepper } from '../steps/product/steppers.ts';
import { words } from '../words/words.ts';
import { pressRemove } from './confirm-removal.ts';
import { lineKey } from './identity.ts';
import { type CartLine, cartLines, keyOf } from './lines.ts';

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
  const { remove, quantity } = line;
  if (remove !== undefined) return pressRemove(run, snapshot, remove, line.text);
  const key = keyOf(line);
  if (quantity === undefined)
    return pressStepper(run, snapshot, ({ rowText, count }) => lineKey(rowText, count) === key, 0);
  const { changes } = run.watch;
  await fillField(snapshot, quantity, countSpellings(quantity, 0));
  const sent = await pressUpdate(run, await readPage(run, { quietMs: 300 }), {
    field: quantity,
    before: snapshot,
    changes,
  });
  const isLeft = cartLines(run, sent).some((one) => keyOf(one) === key);
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

/** What was typed into, and how things were before. */
interface Typed {
  readonly field: FieldInfo;
  readonly before: Snapshot;
  /** How often the page had sent something. */
  readonly changes: number;
}

/** How long a cart may take to send what was typed, by itself. */
const lateMs = 1_600;

/**
 * Sends a number that was typed into a line: by the button of its own form or row, else by that of
 * the cart. Where there is none, the page has sent something to the shop by itself or looks
 * different, or the way to the checkout sends the form of the number; else it stands in the field
 * alone, and the shop is asked what it holds. So it is behind a button that may be of something
 * else: what delivery costs, or news.
 */
export async function pressUpdate(
  run: Run,
  snapshot: Snapshot,
  { field: typed, before, changes }: Typed,
): Promise<Snapshot> {
  // A page may show its cart twice.
  const farFrom = ({ x, y }: FieldInfo) => Math.abs(x - typed.x) + Math.abs(y - typed.y);
  const [field] = snapshot.fields
    .filter(({ name, id }) => name === typed.name && id === typed.id)
    .toSorted((one, other) => farFrom(one) - farFrom(other));
  const updates = snapshot.buttons.filter(
    (button) =>
      words.update.test(captionOf(button)) &&
      !button.disabled &&
      !['header', 'footer', 'nav'].includes(button.region),
  );
  const isForm = field !== undefined && snapshot.forms[field.container]?.tag === 'form';
  const own =
    updates.find((button) => isForm && button.container === field.container) ??
    updates.find((button) => button.rowText !== '' && button.rowText === field?.rowText);
  if (own !== undefined && (await click(run, snapshot, own.ref))) return readPage(run);
  const [other] = updates;
  const isPressed = other !== undefined && (await click(run, snapshot, other.ref));
  const pressed = isPressed ? await readPage(run) : snapshot;
  const isSentLater = (['checkout', 'continue'] as const).some((kind) => {
    const way = bestButton(run, snapshot, kind);
    return isForm && way?.container === field.container && way.type === 'submit';
  });
  const isTaken = (page: Snapshot) =>
    run.watch.changes > changes || fingerprint(page) !== fingerprint(before);
  if (field === undefined || isSentLater || isTaken(pressed)) return pressed;
  const later = await readLater(run, lateMs);
  return isTaken(later) ? later : readAgain(run);
}
