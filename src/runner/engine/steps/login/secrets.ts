import { bounded } from '../../page/bounded.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';

/** Covers the live picture before a secret is typed. */
export async function coverScreen(run: Run): Promise<void> {
  await run.screen?.mask(true);
}

/**
 * Remembers where a secret was typed, so that it can be hidden when the page keeps showing the
 * field.
 */
export function noteSecret(run: Run, snapshot: Snapshot, ref: number): void {
  run.state.secrets.push({ snapshot, ref });
}

const hideScript = (element: unknown): boolean => {
  const field = element as {
    isConnected: boolean;
    value?: string;
    style: { setProperty(name: string, value: string, how: string): void };
  };
  if (!field.isConnected || (field.value ?? '') === '') return false;
  for (const [name, value] of [
    ['filter', 'blur(14px)'],
    ['color', 'transparent'],
    ['text-shadow', 'none'],
    ['caret-color', 'transparent'],
  ] as const)
    field.style.setProperty(name, value, 'important');
  return true;
};
// Fields that a script has drawn anew hold the number too.
const longNumber = `(() => {
  const isLong = (text) => /\\d(?:[ -]?\\d){11,}/.test(text || '');
  for (const field of document.querySelectorAll('input')) if (isLong(field.value)) { field.style.setProperty('filter', 'blur(14px)', 'important'); field.style.setProperty('color', 'transparent', 'important'); }
  return isLong(document.body ? document.body.innerText : '');
})()`;

/**
 * Uncovers the live picture once nothing of a secret is on the page: what is still in its field is
 * blurred there, and a page that prints a long number beside it stays covered.
 */
export async function uncoverScreen(run: Run): Promise<void> {
  if (run.screen === undefined) return;
  const left: typeof run.state.secrets = [];
  for (const secret of run.state.secrets) {
    const element = await secret.snapshot.element(secret.ref).catch(() => undefined);
    if (element !== undefined && (await element.evaluate(hideScript).catch(() => false)))
      left.push(secret);
  }
  run.state.secrets.splice(0, run.state.secrets.length, ...left);
  if (run.state.cardTyped && left.length > 0 && (await printsNumber(run))) return;
  await run.screen.mask(false);
}

/** Some payment forms print the typed card number beside the field. */
async function printsNumber(run: Run): Promise<boolean> {
  const found = await Promise.all(
    run.page
      .frames()
      .map((frame) =>
        bounded(frame.evaluate(longNumber), 2_000).catch(() => frame === run.page.mainFrame()),
      ),
  );
  return found.some(Boolean);
}
