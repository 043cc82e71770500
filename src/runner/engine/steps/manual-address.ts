import { clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import type { PageForm } from '../fields/forms.ts';
import type { Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { words } from '../words/words.ts';

const opensMax = 3;

/**
 * Opens the fields of an address that a shop keeps behind its address finder: “Enter address manually”, once for each address.
 * @returns undefined when there is nothing to open
 */
export async function openManualAddress(
  run: Run,
  snapshot: Snapshot,
  form: PageForm,
  opened: Map<string, number>,
): Promise<Snapshot | undefined> {
  const streets = form.fields.filter((one) => one.meaning === 'addressLine1').length;
  const ways = snapshot.buttons.filter(
    (button) => !button.disabled && words.manualAddress.test(captionOf(button)) && !['header', 'footer', 'nav'].includes(button.region),
  );
  const page = snapshot.url.split('#')[0]!;
  const count = opened.get(page) ?? 0;
  // Those that stay are pressed in their order: as many as there are addresses.
  const next = ways[Math.min(count, ways.length - 1)];
  if (next === undefined || count >= opensMax || (streets > 0 && streets >= ways.length)) return undefined;
  opened.set(page, count + 1);
  return (await clickAndRead(run, snapshot, next)).snapshot;
}
