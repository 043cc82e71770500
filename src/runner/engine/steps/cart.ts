import { clearLayers, click, clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { fillField } from '../fields/fill.ts';
import { notLoaded } from '../page/quiet.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, reach, readLater, readPage } from '../run.ts';
import { unstick } from '../stuck.ts';
import { plain, words } from '../words.ts';
import { announceStep } from './known-steps.ts';
import { productButton } from './product-button.ts';
import { noteQuantity, quantityInText, readQuantity } from './quantity.ts';
import { select } from './select.ts';
import { findStepper, pressStepper, type Stepper } from './steppers.ts';
import { askTexts } from './texts.ts';

const fixesMax = 6;
const refused =
  /choose|select|required|enter|fill|missing|wähl|auswähl|pflicht|angeben|choisi|obligatoire|saisi|selecc|elij|obligatori|選択|入力/i;

/** Puts the product into the cart, proven by what the network answered or the page shows. */
export async function addToCart(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const button = productButton(run, snapshot);
    if (button === undefined) {
      if (words.soldOut.test(snapshot.text)) fail(run, 'The product is sold out.');
      return helpToAdd(run, snapshot, 'No way to put the product into the cart was found.');
    }
    if (button.disabled) {
      if (words.soldOut.test(captionOf(button))) fail(run, 'The product is sold out.');
      snapshot = await readLater(run, 600);
      continue;
    }
    announceStep(run, snapshot, button);
    const after = await clickAndRead(run, snapshot, button);
    snapshot = await clearLayers(run, after.snapshot);
    const refusal = snapshot.alerts.find((alert) => refused.test(alert) && !after.before.alerts.includes(alert));
    if (refusal !== undefined) {
      snapshot = await askTexts(run, await select(run, snapshot), refusal);
      continue;
    }
    if (snapshot.alerts.some((alert) => words.soldOut.test(alert) && !after.before.alerts.includes(alert)))
      fail(run, 'The product is sold out.');
    if (after.changed || after.sent) return isInCart(run, snapshot);
  }
  return helpToAdd(run, snapshot, 'The shop did not take the product into the cart.');
}

async function isInCart(run: Run, snapshot: Snapshot): Promise<Snapshot> {
  await reach(run, 'add-to-cart', { product: run.state.productTitle, quantity: run.state.quantity });
  return snapshot;
}

/** @throws RunStop with the sentence when nobody can help */
async function helpToAdd(run: Run, snapshot: Snapshot, sentence: string): Promise<Snapshot> {
  const helped = (await unstick(run, { kind: 'add-to-cart' }, snapshot)) ?? fail(run, (await notLoaded(run.page)) ?? sentence);
  return helped.isDone ? isInCart(run, helped.snapshot) : addToCart(run, helped.snapshot);
}

interface CartLine {
  readonly text: string;
  readonly quantity?: FieldInfo;
  readonly stepper?: Stepper;
  readonly remove?: ButtonInfo;
  readonly isOurs: boolean;
}

/** How many a line of the cart says it has; undefined when it does not say. */
function countOf(line: CartLine): number | undefined {
  if (line.quantity !== undefined) return Number(line.quantity.value);
  return line.stepper?.count;
}

/** Whether the row of a button says anything beside it: a row of buttons alone is no line of the cart. */
const tellsMore = (button: ButtonInfo) =>
  button.rowText.replace(captionOf(button), '').replace(/[^\p{L}]/gu, '').length > 2 && /\d/.test(button.rowText);

/** Lines of a cart page, as far as it lets them be changed. */
export function cartLines(run: Run, snapshot: Snapshot): readonly CartLine[] {
  const title = plain(run.state.productTitle);
  const tokens = title.split(/[^\p{L}\d]+/u).filter((word) => word.length > 2);
  const isOurs = (text: string) => {
    const row = plain(text);
    return (
      title !== '' &&
      (row.includes(title) || (tokens.length > 0 && tokens.filter((word) => row.includes(word)).length / tokens.length >= 0.6))
    );
  };
  const fields = snapshot.fields.filter(
    (field) =>
      field.rowText !== '' &&
      /^\d{1,3}$/.test(field.value) &&
      (['number', 'spinbutton', 'text', 'tel'].includes(field.type) ||
        (field.type === 'select' && field.options.every((option) => /^\d{1,3}\+?$/.test(option.text)))) &&
      !/card|cvc|month|year|zip/i.test(field.name + field.id),
  );
  const removes = snapshot.buttons.filter(
    (button) =>
      button.rowText !== '' &&
      words.remove.test(captionOf(button) || button.label) &&
      !words.cookie.test(captionOf(button)) &&
      !/close|schließ|fermer|cerrar|閉じる|dismiss/i.test(`${button.label} ${button.hint}`),
  );
  const lines = fields.map((field) => ({
    text: field.rowText,
    quantity: field,
    remove: removes.find((button) => button.rowText === field.rowText),
    isOurs: isOurs(field.rowText),
  }));
  const isNew = (text: string) => text !== '' && !lines.some((line) => line.text === text);
  const stepped = [
    ...new Set(snapshot.buttons.filter((button) => button.count !== '' && isNew(button.rowText)).map(({ rowText }) => rowText)),
  ];
  const steppers = stepped.flatMap((text) => {
    const stepper = findStepper(snapshot, (button) => button.rowText === text);
    return stepper === undefined
      ? []
      : [{ text, stepper, remove: removes.find((button) => button.rowText === text), isOurs: isOurs(text) }];
  });
  const others = removes
    .filter((button) => isNew(button.rowText) && !stepped.includes(button.rowText) && tellsMore(button))
    .map((button) => ({ text: button.rowText, remove: button, isOurs: isOurs(button.rowText) }));
  return [...lines, ...steppers, ...others];
}

/**
 * Leaves in the cart what was asked for: one line of the product with its quantity. What an earlier try or the user's own
 * session has left is taken out, so that nothing is bought twice.
 */
export async function mendCart(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let fix = 0; fix < fixesMax; fix += 1) {
    const lines = cartLines(run, snapshot);
    const ours = lines.filter((line) => line.isOurs);
    readQuantity(run, snapshot);
    if (ours.length === 0) return snapshot;
    // A line without a count is one of it, where each was put into the cart by itself.
    const keptLines =
      ours.some((line) => countOf(line) !== undefined) || quantityInText(snapshot.text, run.state.productTitle) !== undefined
        ? 1
        : run.state.quantity;
    const foreign =
      lines.find((line) => !line.isOurs && line.remove !== undefined) ?? ours.slice(keptLines).find((line) => line.remove !== undefined);
    if (foreign?.remove !== undefined) {
      snapshot = (await clickAndRead(run, snapshot, foreign.remove)).snapshot;
      continue;
    }
    const count = countOf(ours[0]!);
    if (count !== undefined) noteQuantity(run, count);
    if (count === undefined || count === run.state.quantity) return snapshot;
    const field = ours[0]!.quantity;
    const isSet = field !== undefined && !field.readOnly && (await fillField(snapshot, field, [String(run.state.quantity)]));
    if (!isSet) {
      // A shop that loads the page again at once takes the field away while it is read back.
      snapshot = await readPage(run, { quietMs: 300 });
      if (field !== undefined && cartLines(run, snapshot).some((line) => line.isOurs && countOf(line) === run.state.quantity)) continue;
      const title = ours[0]!.text.split(/[^\p{L}]/u)[0]!;
      snapshot = await pressStepper(run, snapshot, (button) => button.rowText.startsWith(title));
      if (!cartLines(run, snapshot).some((line) => line.isOurs && countOf(line) === run.state.quantity))
        return refuseQuantity(run, snapshot);
      continue;
    }
    snapshot = await readPage(run, { quietMs: 300 });
    const update = snapshot.buttons.find((button) => words.update.test(captionOf(button)) && !button.disabled);
    if (update !== undefined && (await click(run, snapshot, update.ref))) snapshot = await readPage(run);
  }
  const left = cartLines(run, snapshot).find((line) => line.isOurs);
  if (left !== undefined && (countOf(left) ?? run.state.quantity) !== run.state.quantity) refuseQuantity(run, snapshot);
  return snapshot;
}

/** @throws RunStop with what the shop says about it */
function refuseQuantity(run: Run, snapshot: Snapshot): never {
  const said = snapshot.alerts.find((alert) => /\d/.test(alert));
  return fail(run, `The cart does not take the quantity ${run.state.quantity}${said === undefined ? '' : `: ${said.slice(0, 120)}`}.`);
}
