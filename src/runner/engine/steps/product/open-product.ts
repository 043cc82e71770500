import { clearLayers } from '../../act.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import { type Run, readLater, readPage } from '../../run.ts';
import { passHumanCheck } from '../login/login.ts';
import { isForMembers } from './members.ts';
import { namedProductButton, productButton } from './product-button.ts';

const productWaitMs = 7_000;
const productLookMs = 1_000;

/** The product's page, when its script has drawn it. */
export async function openProduct(run: Run): Promise<Snapshot> {
  let snapshot = await passHumanCheck(run, await clearLayers(run, await readPage(run)));
  // A button with other words counts when it is still the only one at the second look.
  for (let looks = 0, end = Date.now() + productWaitMs; Date.now() < end; looks += 1) {
    if ((looks > 0 ? productButton : namedProductButton)(run, snapshot) !== undefined)
      return snapshot;
    if (looks > 1 && isForMembers(run, snapshot)) return snapshot;
    snapshot = await passHumanCheck(
      run,
      await clearLayers(run, await readLater(run, Math.min(productLookMs, end - Date.now()))),
    );
  }
  return snapshot;
}
