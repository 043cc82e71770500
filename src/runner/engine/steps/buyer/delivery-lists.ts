import { fillField, readListOptions } from '../../fields/fill.ts';
import type { PageForm } from '../../fields/forms.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { words } from '../../words/words.ts';
import { chooseShipping } from '../choices.ts';

const deliveryLabel =
  /method|option|speed|mode|\btype\b|\bart\b|weise|opción|opcion|metodo|wijze|^(?:delivery|shipping|versand|lieferung|livraison|envío)$/i;

/**
 * The way of delivery where it is a list, the page's own or one that the shop draws: the cheapest,
 * or the express one that was asked for.
 */
export async function chooseDeliveryList(
  run: Run,
  snapshot: Snapshot,
  form: PageForm,
): Promise<boolean> {
  for (const field of snapshot.fields) {
    const label = (field.label || field.near).trim();
    const isDrawn =
      field.tag !== 'input' && field.type !== 'select' && field.hasPopup === 'listbox';
    const isOpen =
      isDrawn ||
      (field.type === 'select' &&
        !field.options.some((option) => option.selected && option.value !== ''));
    const isKnown = form.fields.some((one) => one.field.ref === field.ref);
    const key = `delivery/${field.id}/${field.name}/${label}`;
    if (!isOpen || isKnown || field.disabled || run.state.asked.has(key)) continue;
    if (!words.shippingMethod.test(label) || !deliveryLabel.test(label)) continue;
    run.state.asked.set(key, {});
    const texts = isDrawn
      ? (await readListOptions(snapshot, field).catch(() => []))
          .filter((row) => row.disabled !== true)
          .map((row) => row.text)
      : field.options
          .filter((option) => option.value !== '' && !option.disabled)
          .map((option) => option.text);
    const chosen = texts[chooseShipping(texts, run.task.request ?? '') ?? -1];
    if (chosen === undefined || !(await fillField(snapshot, field, [chosen]))) continue;
    run.state.delivery = chosen.trim().slice(0, 120);
    run.state.deliveryText = chosen;
    return true;
  }
  return false;
}
