import { captionOf, findButtons } from './buttons.ts';
import { noteAction } from './page/settle.ts';
import {
  type ButtonInfo,
  type FieldInfo,
  PageChangedError,
  type Snapshot,
} from './page/snapshot.ts';
import { askOnce, checkAlive, isShopUrl, type Run, readLater, readPage } from './run.ts';
import { isBareNo, words } from './words/words.ts';

const clickTimeoutMs = 4_000;
/** How long a click may do nothing that can be seen; longer where it has sent something. */
const reactionMs = { silent: 1_600, sent: 3_200 };
/**
 * A shop that has not answered what a click sent is waited for so long: pressing again would send
 * it twice.
 */
const answerMsMax = 30_000;

/**
 * What lies over the middle of an element once it is in view: nothing, something small (a chat
 * bubble, a bar), or a layer.
 */
const coverScript = `(el) => {
  el.scrollIntoView({ block: 'center', inline: 'nearest' });
  const box = el.getBoundingClientRect();
  const at = (root) => root.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  let front = at(document);
  while (front && front.shadowRoot && at(front.shadowRoot) && at(front.shadowRoot) !== front) front = at(front.shadowRoot);
  const up = (one) => one.parentElement || (one.getRootNode() instanceof ShadowRoot ? one.getRootNode().host : null);
  if (!front || front === el || el.contains(front)) return '';
  for (let one = front; one; one = up(one)) if (one === el || (one.tagName === 'LABEL' && one.control === el)) return '';
  for (let one = el; one; one = up(one)) if (one === front) return '';
  for (let one = front; one && one !== document.body; one = up(one)) {
    if (!/fixed|sticky/.test(getComputedStyle(one).position)) continue;
    const area = one.getBoundingClientRect();
    return area.width * area.height < innerWidth * innerHeight * 0.25 ? 'small' : 'layer';
  }
  return '';
}`;

/** Whether a layer lies over something that was read. */
async function isCovered(snapshot: Snapshot, ref: number): Promise<boolean> {
  const element = await snapshot.element(ref).catch(() => undefined);
  if (element === undefined) return false;
  const look = await snapshot.frame.evaluateHandle(coverScript);
  return (
    (await look
      .evaluate((cover, one) => (cover as (el: unknown) => string)(one), element)
      .catch(() => '')) === 'layer'
  );
}

/**
 * Closes what has come over a button meanwhile, as {@link clearLayers} does; what lies elsewhere is
 * left alone.
 */
export async function uncover(run: Run, button: ButtonInfo): Promise<void> {
  const snapshot = await readPage(run);
  const here = sameButton(snapshot, button);
  if (here !== undefined && (await isCovered(snapshot, here.ref))) await clearLayers(run, snapshot);
}

/** Clicks something that was read; false when it is gone, lies under a layer or does not react. */
export async function click(run: Run, snapshot: Snapshot, ref: number): Promise<boolean> {
  checkAlive(run);
  try {
    const element = await snapshot.element(ref);
    const look = await snapshot.frame.evaluateHandle(coverScript);
    const front = await look.evaluate(
      (cover, one) => (cover as (el: unknown) => string)(one),
      element,
    );
    if (front === 'layer') return false;
    if (front === 'small')
      await element.evaluate((one) => (one as unknown as { click(): void }).click());
    else await element.click({ timeout: clickTimeoutMs, noWaitAfter: true });
    noteAction(run.page);
    return true;
  } catch (error) {
    if (error instanceof PageChangedError) return false;
    run.log.info(
      { error: String(error).split('\n')[0]!.slice(0, 200) },
      'A click did not reach its element.',
    );
    return false;
  }
}

/** Something that differs when a click had an effect. */
export function fingerprint(snapshot: Snapshot): string {
  const fields = snapshot.fields
    .map((field) => `${field.type}${field.name}${field.id}${field.checked}`)
    .join();
  return [
    snapshot.url,
    fields,
    snapshot.buttons.map((button) => `${captionOf(button)}${button.disabled}`).join(),
    snapshot.text,
  ].join('\n');
}

/**
 * Clicks and reads again; `changed` says whether page or network reacted. What lies over the button
 * is closed first.
 */
export async function clickAndRead(
  run: Run,
  given: Snapshot,
  button: ButtonInfo,
): Promise<{
  readonly snapshot: Snapshot;
  readonly before: Snapshot;
  readonly changed: boolean;
  readonly sent: boolean;
}> {
  let before = fingerprint(given);
  let base = given;
  const changes = run.watch.changes;
  run.log.info(
    { button: captionOf(button).slice(0, 60), region: button.region },
    'A button is pressed.',
  );
  if (!(await click(run, given, button.ref))) {
    const cleared = await clearLayers(run, await readPage(run));
    const again = sameButton(cleared, button);
    if (again === undefined)
      return {
        snapshot: cleared,
        before: given,
        changed: fingerprint(cleared) !== before,
        sent: false,
      };
    before = fingerprint(cleared);
    base = cleared;
    await click(run, cleared, again.ref);
  }
  let next = await readPage(run);
  // What was sent may still be worked at: pressing twice would go two steps.
  if (run.watch.awaitsAnswer) {
    await run.watch.answered(answerMsMax);
    next = await readPage(run);
  }
  const isSent = () => run.watch.changes > changes;
  for (const since = Date.now(); fingerprint(next) === before; ) {
    const left = (isSent() ? reactionMs.sent : reactionMs.silent) - (Date.now() - since);
    if (left <= 0) break;
    next = await readLater(run, left);
  }
  return { snapshot: next, before: base, changed: fingerprint(next) !== before, sent: isSent() };
}

const sameButton = (snapshot: Snapshot, button: ButtonInfo): ButtonInfo | undefined => {
  const same = snapshot.buttons.filter(
    (one) =>
      one.tag === button.tag &&
      one.hint === button.hint &&
      captionOf(one) === captionOf(button) &&
      one.rowText === button.rowText,
  );
  return same.toSorted(
    (one, other) => Math.abs(one.y - button.y) - Math.abs(other.y - button.y),
  )[0];
};

const layersMax = 5;

/**
 * Refuses cookies where that is offered, says no to offers, else closes what lies over the page.
 * How old the user is, the user says.
 */
export async function clearLayers(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let layer = 0; layer < layersMax; layer += 1) {
    const button = (await ageButton(run, snapshot)) ?? layerButton(run, snapshot);
    if (button === undefined) return snapshot;
    run.log.info({ button: captionOf(button).slice(0, 60) }, 'A layer over the page is closed.');
    const before = fingerprint(snapshot);
    await click(run, snapshot, button.ref);
    snapshot = await readPage(run);
    if (fingerprint(snapshot) === before) return snapshot;
  }
  return snapshot;
}

/** The answer that the user gives to a gate that asks for the age. */
async function ageButton(run: Run, snapshot: Snapshot): Promise<ButtonInfo | undefined> {
  const isPage = snapshot.text.length < 1_200 && snapshot.prices.length === 0;
  const inside = snapshot.buttons.filter(
    (button) => (isPage || button.region === 'dialog') && !button.disabled,
  );
  const asks = inside.filter((button) => {
    const form = snapshot.forms[button.container];
    return words.age.test(
      `${captionOf(button)} ${button.groupLabel} ${form?.tag === 'main' && !isPage ? '' : (form?.heading ?? '')} ${isPage ? snapshot.text : ''}`,
    );
  });
  const choices = asks.filter(
    (button) => captionOf(button).length > 1 && captionOf(button).length < 60 && !isPolicy(button),
  );
  if (
    choices.length < 1 ||
    choices.length > 4 ||
    !choices.some((button) => yes.test(captionOf(button)))
  )
    return undefined;
  const key = 'age';
  if (run.state.asked.has(key)) return undefined;
  const about = choices
    .map((button) => snapshot.forms[button.container]?.heading ?? '')
    .find((heading) => words.age.test(heading));
  const values = await askOnce(run, key, {
    kind: 'option-choice',
    question: `The shop asks for your age: “${(about ?? snapshot.text).replace(/\s+/g, ' ').trim().slice(0, 160)}”`,
    options: choices.map((button, index) => ({ value: String(index), title: captionOf(button) })),
  });
  return choices[Number(values['choice'])];
}

const yes =
  /^(?:yes|ja|oui|s[ií]|sim|はい)\b|はい|enter|i am|i'm|over|older|confirm|bestätig|bin|eintreten|entrer|entrar|j'ai|tengo/i;
const isPolicy = (button: ButtonInfo) =>
  button.tag === 'a' && button.href !== '' && !button.href.includes('#');

function layerButton(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const inside = snapshot.buttons.filter(
    (button) => !button.disabled && (button.href === '' || isShopUrl(run, button.href)),
  );
  return cookieButton(snapshot, inside) ?? dialogButton(snapshot, inside);
}

const aboutOf = (snapshot: Snapshot, button: ButtonInfo) => {
  const form = snapshot.forms[button.container];
  return `${button.hint} ${button.groupLabel} ${form?.tag === 'body' || form?.tag === 'main' ? '' : `${form?.hint ?? ''} ${form?.heading ?? ''}`} ${captionOf(button)}`;
};

function cookieButton(snapshot: Snapshot, inside: readonly ButtonInfo[]): ButtonInfo | undefined {
  const cookies = inside.filter(
    (button) =>
      words.cookie.test(`${aboutOf(snapshot, button)} ${button.rowText}`) ||
      words.cookie.test(nearText(snapshot, button)),
  );
  const choices = cookies.filter(
    (button) =>
      !isPolicy(button) &&
      !(button.region === 'footer' && /settings|preferences|einstellung/i.test(captionOf(button))),
  );
  return (
    choices.find((button) => words.cookieRefuse.test(captionOf(button))) ??
    choices.find((button) => words.close.test(captionOf(button))) ??
    choices.find((button) => words.cookieAccept.test(captionOf(button)))
  );
}

/**
 * What closes a dialog that is not about the cart or the order: no to an offer, or the cross of one
 * that asks for nothing but an e-mail.
 */
function dialogButton(snapshot: Snapshot, inside: readonly ButtonInfo[]): ButtonInfo | undefined {
  const dialogs = [
    ...new Set(inside.filter(({ region }) => region === 'dialog').map(({ over }) => over)),
  ];
  return dialogs
    .map((over) => closingButton(snapshot, inside, over))
    .find((button) => button !== undefined);
}

function closingButton(
  snapshot: Snapshot,
  inside: readonly ButtonInfo[],
  over: number,
): ButtonInfo | undefined {
  const isIn = (one: ButtonInfo | FieldInfo) => one.region === 'dialog' && one.over === over;
  const own = inside.filter(isIn);
  const leadsOn = (button: ButtonInfo) =>
    !words.addToCart.test(captionOf(button)) &&
    (words.checkout.test(captionOf(button)) || words.cart.test(captionOf(button)));
  const fields = snapshot.fields.filter(isIn);
  const isForm =
    fields.some((field) => field.type === 'radio') ||
    fields.filter((field) => field.type !== 'checkbox').length > 2;
  const decline = own.find((button) => words.decline.test(captionOf(button)));
  if (decline !== undefined) return decline;
  if (own.length === 0 || own.some(leadsOn) || isForm) return undefined;
  const isCross = (button: ButtonInfo) =>
    words.close.test(captionOf(button)) ||
    /close|dismiss|schließen|fermer|cerrar|閉じる/i.test(`${button.label} ${button.hint}`);
  const hasAction = own.some(
    (button) => words.continue.test(captionOf(button)) && !words.close.test(captionOf(button)),
  );
  const cross = hasAction ? undefined : own.find(isCross);
  // An “OK” beside a “Cancel” does what is asked.
  return cross && (own.find((button) => isBareNo(captionOf(button))) ?? cross);
}

/** The line of the page's text that stands before a caption: banners without a box of their own. */
function nearText(snapshot: Snapshot, button: ButtonInfo): string {
  const caption = captionOf(button);
  if (caption === '' || !(words.cookieRefuse.test(caption) || words.cookieAccept.test(caption)))
    return '';
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
