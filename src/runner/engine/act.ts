import { captionOf, findButtons } from './buttons.ts';
import { type ButtonInfo, PageChangedError, type Snapshot } from './page/snapshot.ts';
import { checkAlive, isShopUrl, type Run, readPage } from './run.ts';
import { words } from './words.ts';

const clickTimeoutMs = 4_000;

/** Clicks something that was read; false when it is gone, covered or does not react. */
export async function click(run: Run, snapshot: Snapshot, ref: number): Promise<boolean> {
  checkAlive(run);
  try {
    const element = await snapshot.element(ref);
    await element.click({ timeout: clickTimeoutMs, noWaitAfter: true });
    return true;
  } catch (error) {
    if (error instanceof PageChangedError) return false;
    run.log.info({ error: String(error).split('\n')[0]!.slice(0, 200) }, 'A click did not reach its element.');
    return false;
  }
}

/** Something that differs when a click had an effect. */
export function fingerprint(snapshot: Snapshot): string {
  const fields = snapshot.fields.map((field) => `${field.type}${field.name}${field.id}${field.checked}`).join();
  return [snapshot.url, fields, snapshot.buttons.map((button) => `${captionOf(button)}${button.disabled}`).join(), snapshot.text].join(
    '\n',
  );
}

/** Clicks and reads again; `changed` says whether page or network reacted. */
export async function clickAndRead(
  run: Run,
  snapshot: Snapshot,
  button: ButtonInfo,
): Promise<{ readonly snapshot: Snapshot; readonly changed: boolean; readonly sent: boolean }> {
  const before = fingerprint(snapshot);
  const changes = run.watch.changes;
  await click(run, snapshot, button.ref);
  let next = await readPage(run);
  for (let waited = 0; fingerprint(next) === before && run.watch.changes === changes && waited < 4; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    next = await readPage(run);
  }
  return { snapshot: next, changed: fingerprint(next) !== before, sent: run.watch.changes > changes };
}

/** Refuses cookies where that is offered, else closes what lies over the page. At most three layers. */
export async function clearLayers(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let layer = 0; layer < 3; layer += 1) {
    const button = layerButton(run, snapshot);
    if (button === undefined) return snapshot;
    const before = fingerprint(snapshot);
    await click(run, snapshot, button.ref);
    snapshot = await readPage(run);
    if (fingerprint(snapshot) === before) return snapshot;
  }
  return snapshot;
}

function layerButton(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const inside = snapshot.buttons.filter((button) => !button.disabled && (button.href === '' || isShopUrl(run, button.href)));
  const about = (button: ButtonInfo) => {
    const form = snapshot.forms[button.container];
    return `${button.hint} ${button.groupLabel} ${form?.tag === 'body' || form?.tag === 'main' ? '' : `${form?.hint ?? ''} ${form?.heading ?? ''}`} ${captionOf(button)}`;
  };
  const cookies = inside.filter(
    (button) => words.cookie.test(`${about(button)} ${button.rowText}`) || words.cookie.test(nearText(snapshot, button)),
  );
  const isPolicy = (button: ButtonInfo) => button.tag === 'a' && button.href !== '' && !button.href.includes('#');
  const choices = cookies.filter((button) => !isPolicy(button));
  const refuse = choices.find((button) => words.cookieRefuse.test(captionOf(button)));
  const close = choices.find((button) => words.close.test(captionOf(button)));
  const accept = choices.find((button) => words.cookieAccept.test(captionOf(button)));
  if (refuse ?? close ?? accept) return refuse ?? close ?? accept;
  const popup = inside.filter(
    (button) =>
      button.region === 'dialog' &&
      /newsletter|discount|% off|subscribe|welcome|country|location|language|rabatt|app\b/i.test(about(button)),
  );
  const isWanted = inside.some(
    (button) => button.region === 'dialog' && (words.checkout.test(captionOf(button)) || words.cart.test(captionOf(button))),
  );
  return isWanted
    ? undefined
    : popup.find((button) => words.close.test(captionOf(button)) || /close|dismiss/i.test(`${button.label} ${button.hint}`));
}

/** The line of the page's text that stands before a caption: banners without a box of their own. */
function nearText(snapshot: Snapshot, button: ButtonInfo): string {
  const caption = captionOf(button);
  if (caption === '' || !(words.cookieRefuse.test(caption) || words.cookieAccept.test(caption))) return '';
  const at = snapshot.text.indexOf(caption);
  return at < 0 ? '' : snapshot.text.slice(Math.max(0, at - 250), at);
}

/** The best button of a kind that stays inside the shop. */
export function bestButton(
  run: Run,
  snapshot: Snapshot,
  kind: Parameters<typeof findButtons>[1],
  near?: { container: number; y: number },
): ButtonInfo | undefined {
  return findButtons(snapshot, kind, { isAllowed: (url) => isShopUrl(run, url), near })[0]?.button;
}
