import { clickAndRead } from '../../act.ts';
import { captionOf, isHandle } from '../../buttons.ts';
import type { PageForm } from '../../fields/forms.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { plain, words } from '../../words/words.ts';

const opensMax = 3;

/**
 * Opens the fields of an address that a shop keeps behind its address finder, “Enter address
 * manually”, once for each address, or behind a book of addresses in which the buyer's is not: “Add
 * a new address”.
 * @returns undefined when there is nothing to open
 */
export async function openManualAddress(
  run: Run,
  snapshot: Snapshot,
  form: PageForm,
  opened: Map<string, number>,
): Promise<Snapshot | undefined> {
  const streets = form.fields.filter((one) => one.meaning === 'addressLine1').length;
  const street = plain(run.state.buyer.shipping?.addressLines[0] ?? '');
  const isUnknown = streets === 0 && street !== '' && !plain(snapshot.text).includes(street);
  const ways = snapshot.buttons.filter(
    (button) =>
      !button.disabled &&
      !['header', 'footer', 'nav'].includes(button.region) &&
      (words.manualAddress.test(captionOf(button)) ||
        (isUnknown && isHandle(button) && words.newAddress.test(captionOf(button)))),
  );
  const page = snapshot.url.split('#')[0]!;
  const count = opened.get(page) ?? 0;
  // Those that stay are pressed in their order: as many as there are addresses.
  const next = ways[Math.min(count, ways.length - 1)];
  if (next === undefined || count >= opensMax || (streets > 0 && streets >= ways.length))
    return undefined;
  opened.set(page, count + 1);
  return (await clickAndRead(run, snapshot, next)).snapshot;
}
