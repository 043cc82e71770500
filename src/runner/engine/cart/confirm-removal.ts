import type { Page } from 'playwright-core';
import { clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { hasAmount } from '../money/prices.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { comesAgain, words } from '../words/words.ts';

/** What is being taken out, by its line. */
const removing = new WeakMap<Page, string>();

/**
 * Says no to what the browser asks in the page's name, but to the first question whether a line
 * shall be taken out of a cart.
 */
export const answerDialogs = (page: Page): void =>
  void page.on('dialog', (dialog) => {
    const line = dialog.type() === 'confirm' ? removing.get(page) : undefined;
    const isRemoval = line !== undefined && asksRemoval(dialog.message(), line);
    if (line !== undefined) removing.delete(page);
    void (isRemoval ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
  });

const yes = new RegExp(anyOf(wordLists.yes), 'iu');
const no = new RegExp(anyOf(wordLists.no), 'iu');
const sureWords = new RegExp(anyOf(wordLists.sure), 'giu');
const sure = new RegExp(`^¿?\\s*(?:${anyOf(wordLists.sure)})\\s*[?？]$`, 'iu');
/** Tells of what was done: the question is another one. */
const done = /removed|deleted|verwijderd\b|fjernet|削除(?:しました|した|され|済み)/giu;

const others: readonly RegExp[] = [
  words.extra,
  words.marketing,
  words.age,
  words.cookie,
  words.wishlist,
  words.addToCart,
  words.checkout,
  words.place,
];
const isOfOthers = (text: string) =>
  comesAgain(text) || hasAmount(text) || others.some((one) => one.test(text));

const textMax = 1_000;
/** More, or something else, than a line. */
const wholes =
  /\b(?:all|everything|alles?|account|konto|discount|coupon|rabatt|tout|tous|toutes|tutt[oiae]|tod[oa]s?|tudo|sconto|descuento|desconto|remise|korting)\b|[全す]べて|全(?:商品|部)|空に|アカウント|クーポン|割引/iu;

/**
 * Whether a text asks one thing, whether something shall be taken out, and is about nothing else but
 * what a line begins with: its name.
 */
export function asksRemoval(asked: string, line = ''): boolean {
  const text = withoutName(asked, line);
  const questions = text
    .split(/(?<=[.!?。！？])|\n/u)
    .map((one) => one.trim())
    .filter((one) => /(?:[?？]|か[。]?)$/.test(one) && /\p{L}/u.test(one));
  return (
    // “Seguro” alone is an insurance.
    !isOfOthers(text.replace(sureWords, ' ')) &&
    questions.length > 0 &&
    text.length <= textMax &&
    !wholes.test(text) &&
    questions.every((one) => sure.test(one) || words.remove.test(one.replace(done, ' ')))
  );
}

const nameMax = 30;

/** A text without the words that a line begins with. One word alone may be anything. */
function withoutName(text: string, line: string): string {
  const all = line.split(/\s+/).filter((word) => word !== '');
  for (let count = Math.min(all.length, nameMax); count > 1; count -= 1) {
    const name = all.slice(0, count).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const found = new RegExp(`(?<![\\p{L}\\p{N}])${name.join('\\s+')}(?![\\p{L}\\p{N}])`, 'iu');
    if (found.test(text)) return text.replace(found, ' ');
  }
  return text;
}

const captionMax = 30;

/** Whether a caption is a bare yes, or says that something is taken out. */
export function saysRemove(caption: string): boolean {
  const rest = caption.replace(yes, '').replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return (
    /\p{L}/u.test(caption) &&
    caption.length <= captionMax &&
    !no.test(caption) &&
    !isOfOthers(caption) &&
    (rest.trim() === '' || words.remove.test(rest.trim()))
  );
}

/**
 * Presses what takes a line out of a cart, and says yes where the shop asks whether it shall: in a
 * window of the browser, or of its page with a way back.
 */
export async function pressRemove(
  run: Run,
  given: Snapshot,
  remove: ButtonInfo,
  text: string,
): Promise<Snapshot> {
  const line = text.replace(captionOf(remove), ' ');
  removing.set(run.page, line);
  try {
    const { snapshot } = await clickAndRead(run, given, remove);
    const button = await sureButton(given, snapshot, line);
    return button === undefined ? snapshot : (await clickAndRead(run, snapshot, button)).snapshot;
  } finally {
    removing.delete(run.page);
  }
}

/** The yes of a question that was not there before, where nothing else can be meant by it. */
export async function sureButton(
  before: Snapshot,
  snapshot: Snapshot,
  line = '',
): Promise<ButtonInfo | undefined> {
  const known = before.buttons.filter(({ region }) => region === 'dialog').map(captionOf);
  const asked = snapshot.buttons.filter(
    (button) =>
      button.region === 'dialog' && !button.disabled && !known.includes(captionOf(button)),
  );
  const found = asked.filter((button) => saysRemove(captionOf(button)));
  const [button] = found;
  if (button === undefined || found.length > 1) return undefined;
  const isIn = ({ over }: ButtonInfo | FieldInfo) => over === button.over;
  const back = asked.filter((one) => isIn(one) && no.test(captionOf(one)));
  // “No, remove it” tells that yes is something else.
  const isClear = back.length > 0 && !back.some((one) => words.remove.test(captionOf(one)));
  if (!isClear || snapshot.fields.some(isIn)) return undefined;
  return asksRemoval(await textAround(snapshot, button), line) ? button : undefined;
}

/**
 * The text of what lies over the page around an element, without what can be pressed; empty where
 * it holds rows.
 */
const aroundScript = `(el) => {
  const up = (one) => one.parentElement || (one.getRootNode() instanceof ShadowRoot ? one.getRootNode().host : null);
  let around = null;
  for (let at = el; at && at !== document.body; at = up(at))
    if (at.matches('dialog,[role=dialog],[role=alertdialog]') || getComputedStyle(at).position === 'fixed') around = at;
  let text = '';
  let holdsRows = false;
  const add = (one) => {
    if (one.nodeType === 3) text += one.data.replace(/\\s+/g, ' ');
    if (one.nodeType !== 1 || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    if (one.matches('tr,li,article,[role=row],[role=listitem]')) holdsRows = true;
    if (one.matches('button,a,input,select,textarea,script,style,[role=button]')) return;
    const isBlock = one.tagName === 'BR' || !/^(inline|contents)/.test(getComputedStyle(one).display);
    if (isBlock) text += '\\n';
    for (const child of one.shadowRoot ? one.shadowRoot.childNodes : one.tagName === 'SLOT' && one.assignedNodes().length ? one.assignedNodes() : one.childNodes) add(child);
    if (isBlock) text += '\\n';
  };
  if (around) add(around);
  return holdsRows ? '' : text;
}`;

async function textAround(snapshot: Snapshot, { ref }: ButtonInfo): Promise<string> {
  const element = await snapshot.element(ref).catch(() => undefined);
  if (element === undefined) return '';
  const look = await snapshot.frame.evaluateHandle(aroundScript);
  return look
    .evaluate((read, one) => (read as (el: unknown) => string)(one), element)
    .catch(() => '');
}
