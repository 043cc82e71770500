import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { sameText } from './fill.ts';
import { leaveField, readText, replaceText, typeKeys } from './insert-text.ts';

/**
 * Types a secret, the best spelling first, and reads back what the page keeps.
 * @returns false when the page keeps none of the spellings
 */
export async function typeSecret(
  snapshot: Snapshot,
  field: Pick<FieldInfo, 'ref'>,
  spellings: readonly string[],
): Promise<boolean> {
  try {
    const element = await snapshot.element(field.ref);
    for (const spelling of spellings) {
      const isKept = async () => {
        const kept = await readText(element);
        return kept === spelling || sameText(kept, spelling);
      };
      if (!(await replaceText(element, spelling))) return false;
      if (!(await isKept())) await typeKeys(element, spelling);
      if (await isKept()) {
        await leaveField(element);
        return (await readText(element)) !== '';
      }
    }
    return false;
  } catch {
    return false;
  }
}
