import { bestButton, clearLayers, click, clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { fillField } from '../fields/fill.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, reach, readPage } from '../run.ts';
import { plain, words } from '../words.ts';
import { quantityField, select } from './select.ts';

const fixesMax = 6;

/** Puts the product into the cart, proven by what the network answered or the page shows. */
export async function addToCart(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const button = bestButton(run, snapshot, 'addToCart') ?? bestButton(run, snapshot, 'buyNow');
    if (button === undefined) {
      if (words.soldOut.test(snapshot.text)) fail(run, 'The product is sold out.');
      fail(run, 'No way to put the product into the cart was found.');
    }
    if (button.disabled) {
      if (words.soldOut.test(captionOf(button))) fail(run, 'The product is sold out.');
      await new Promise((resolve) => setTimeout(resolve, 400));
      snapshot = await readPage(run);
      continue;
    }
    const after = await clickAndRead(run, snapshot, button);
    snapshot = await clearLayers(run, after.snapshot);
    const isRefused = snapshot.alerts.some((alert) => /choose|select|required|wähl|auswähl|choisi|selecc|elij/i.test(alert));
    if (isRefused) {
      snapshot = await select(run, snapshot);
      continue;
    }
    if (after.changed || after.sent) {
      await reach(run, 'add-to-cart', { product: run.state.productTitle, quantity: run.state.quantity });
      return snapshot;
    }
  }
  return fail(run, 'The shop did not take the product into the cart.');
}

interface CartLine {
  readonly text: string;
  readonly quantity?: FieldInfo;
  readonly remove?: ButtonInfo;
  readonly isOurs: boolean;
}

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
    (button) => button.rowText !== '' && words.remove.test(captionOf(button) || button.label) && !words.cookie.test(captionOf(button)),
  );
  const lines = fields.map((field) => ({
    text: field.rowText,
    quantity: field,
    remove: removes.find((button) => button.rowText === field.rowText),
    isOurs: isOurs(field.rowText),
  }));
  const others = removes
    .filter((button) => !lines.some((line) => line.text === button.rowText))
    .map((button) => ({ text: button.rowText, remove: button, isOurs: isOurs(button.rowText) }));
  return [...lines, ...others];
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
    if (ours.length === 0) return snapshot;
    const foreign =
      lines.find((line) => !line.isOurs && line.remove !== undefined) ?? ours.slice(1).find((line) => line.remove !== undefined);
    if (foreign?.remove !== undefined) {
      snapshot = (await clickAndRead(run, snapshot, foreign.remove)).snapshot;
      continue;
    }
    const field = ours[0]!.quantity;
    if (field === undefined || Number(field.value) === run.state.quantity) return snapshot;
    const isSet = await fillField(snapshot, field, [String(run.state.quantity)]);
    if (!isSet) return fail(run, 'The quantity in the cart could not be set.');
    snapshot = await readPage(run, { quietMs: 300 });
    const update = snapshot.buttons.find((button) => words.update.test(captionOf(button)) && !button.disabled);
    if (update !== undefined && (await click(run, snapshot, update.ref))) snapshot = await readPage(run);
  }
  const left = quantityField(snapshot);
  if (left !== undefined && Number(left.value) !== run.state.quantity && cartLines(run, snapshot).some((line) => line.isOurs))
    fail(run, 'The cart holds another quantity than wanted.');
  return snapshot;
}
