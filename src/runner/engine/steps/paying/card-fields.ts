import type { Frame } from 'playwright-core';
import type { RunCard } from '../../../types.ts';
import { type AssignedField, assignFields } from '../../fields/assign.ts';
import { fillField } from '../../fields/fill.ts';
import { isCardForm } from '../../fields/forms.ts';
import { cardMeanings, type Meaning } from '../../fields/meanings.ts';
import { typeSecret } from '../../fields/type-secret.ts';
import { cardValues } from '../../fields/values.ts';
import {
  type ButtonInfo,
  type FieldInfo,
  type Snapshot,
  takeSnapshot,
} from '../../page/snapshot.ts';
import { checkAlive, fail, isShopUrl, originOf, type Run } from '../../run.ts';
import { noteSecret } from '../login/secrets.ts';

const frameWaitsMax = 6;

/** Where a card goes: fields of the page itself, or of frames of the payment company. */
export interface CardForm {
  readonly parts: readonly { readonly snapshot: Snapshot; readonly field: AssignedField }[];
  readonly container: number;
  readonly y: number;
}

/** Card fields of the page and of its visible frames; undefined when no number is asked for. */
export async function findCardForm(run: Run, page: Snapshot): Promise<CardForm | undefined> {
  const own = cardParts(page);
  const isWhole = (found: CardForm['parts']) => isCardForm(found.map(({ field }) => field));
  let parts = own;
  // Frames of one field each come one by one.
  for (let wait = 0; !isWhole(parts) && wait < frameWaitsMax; wait += 1) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, 300));
    parts = [...own, ...(await frameParts(run))];
    if (!parts.some((part) => part.field.meaning === 'cardNumber' && part.snapshot !== page)) break;
  }
  if (!isWhole(parts)) return undefined;
  const number = parts.find((part) => part.field.meaning === 'cardNumber')!;
  if (number.snapshot === page)
    return { parts, container: number.field.field.container, y: number.field.field.y };
  const box = await frameBox(number.snapshot.frame);
  return { parts, container: -1, y: box?.y ?? 0 };
}

/**
 * The card fields of one form: of a whole one before others, and of the others none where a number
 * is asked for without the rest.
 */
function cardParts(snapshot: Snapshot, isFrame = false): CardForm['parts'] {
  const containers = [...new Set(snapshot.fields.map((field) => field.container))];
  const forms = containers.map((container) => {
    const all = assignFields(
      snapshot.fields.filter((field) => field.container === container),
      snapshot.forms,
    );
    const own = all.filter((one) => cardMeanings.has(one.meaning));
    return {
      own,
      isWhole: isCardForm(all),
      isPart: isFrame || !own.some((one) => one.meaning === 'cardNumber'),
    };
  });
  const usable = forms.filter(({ isWhole, isPart }) => isWhole || isPart);
  const best =
    usable.toSorted(
      (a, b) => Number(b.isWhole) - Number(a.isWhole) || b.own.length - a.own.length,
    )[0]?.own ?? [];
  return [...best, ...unnamedCode(snapshot, best)].map((field) => ({ snapshot, field }));
}

/**
 * A short field that means nothing else, beside a card's number and expiry, is its security code.
 */
function unnamedCode(
  snapshot: Snapshot,
  found: readonly AssignedField[],
): readonly AssignedField[] {
  const number = found.find((one) => one.meaning === 'cardNumber');
  if (number === undefined || found.length < 2 || found.some((one) => one.meaning === 'cardCvc'))
    return [];
  const all = assignFields(
    snapshot.fields.filter((field) => field.container === number.field.container),
    snapshot.forms,
  );
  const free = snapshot.fields.filter(
    (field) =>
      field.container === number.field.container &&
      ['text', 'tel', 'number', 'password'].includes(field.type) &&
      (field.maxLength === 3 || field.maxLength === 4) &&
      Math.abs(field.y - number.field.y) < 300 &&
      !all.some((one) => one.field.ref === field.ref),
  );
  return free.length === 1
    ? [{ field: free[0]!, meaning: 'cardCvc', score: 1, purpose: 'shipping' }]
    : [];
}

/**
 * Asks for parts of a card that make no whole one, as far as they could be made out: to order there
 * would send half a card.
 */
export function hasHalfCard(snapshot: Snapshot, order: ButtonInfo): boolean {
  const containers = [...new Set(snapshot.fields.map((field) => field.container))];
  return containers.some((container) => {
    const all = assignFields(
      snapshot.fields.filter((field) => field.container === container),
      snapshot.forms,
    );
    const isAsked = (meaning: Meaning) => all.some((one) => one.meaning === meaning);
    const isOwn = container === order.container && isAsked('cardNumber');
    return !isCardForm(all) && (isOwn || isAsked('cardExpiry') || isAsked('cardMonth'));
  });
}

/**
 * A frame asks for a card's number, and the rest of the card was not made out: there is nothing to
 * order with.
 */
export async function hasCardFrame(run: Run): Promise<boolean> {
  return (await frameParts(run)).some((part) => part.field.meaning === 'cardNumber');
}

async function frameParts(run: Run): Promise<CardForm['parts']> {
  const found: CardForm['parts'][number][] = [];
  for (const frame of run.page.frames()) {
    if (frame === run.page.mainFrame() || (await frameBox(frame)) === undefined) continue;
    const snapshot = await takeSnapshot(frame).catch(() => undefined);
    if (snapshot === undefined) continue;
    for (const part of cardParts(snapshot, true))
      if (!found.some((other) => other.field.meaning === part.field.meaning)) found.push(part);
  }
  return found;
}

/** Where a frame can be seen; undefined when it, or one around it, cannot. */
async function frameBox(frame: Frame): Promise<{ readonly y: number } | undefined> {
  const element = await frame.frameElement().catch(() => undefined);
  const [box, isVisible] = [
    await element?.boundingBox().catch(() => null),
    await element?.isVisible().catch(() => false),
  ];
  return box && isVisible && box.width > 20 && box.height > 8 && box.x + box.width > 0
    ? { y: box.y }
    : undefined;
}

/**
 * Whether a card may be typed into a frame: it and all frames around it are the shop's or a listed
 * payment company's.
 */
function isCardOrigin(run: Run, frame: Frame): boolean {
  for (let at: Frame | null = frame; at !== null; at = at.parentFrame()) {
    const url = at.url();
    if (url === 'about:srcdoc' || url === 'about:blank') continue;
    const isTop = at === run.page.mainFrame();
    if (!isShopUrl(run, url) && (isTop || !run.task.paymentFrameOrigins.includes(originOf(url))))
      return false;
  }
  return true;
}

/**
 * Refuses a card form that stands, or sends its fields, where a card may not go. Before the card is
 * asked for, and again before every field.
 */
export function checkCardForm(run: Run, card: CardForm): void {
  for (const { snapshot, field } of card.parts) {
    if (!isCardOrigin(run, snapshot.frame))
      fail(
        run,
        `The card fields stand in a frame of ${originOf(snapshot.frame.url())}, which is not allowed.`,
      );
    const action = snapshot.forms[field.field.container]?.action ?? '';
    if (!mayTakeCard(run, action)) fail(run, strayForm(action));
  }
}

/**
 * Why a button may not be pressed once a card is typed: its form may lead elsewhere than it did
 * before. Undefined when it may.
 */
export function strayTarget(run: Run, snapshot: Snapshot, button: ButtonInfo): string | undefined {
  const actions = [button.action, snapshot.forms[button.container]?.action ?? ''];
  const stray = run.state.cardTyped
    ? actions.find((action) => !mayTakeCard(run, action))
    : undefined;
  return stray === undefined ? undefined : strayForm(stray);
}

const strayForm = (action: string) =>
  `The card form sends to ${originOf(action)}, which is not allowed.`;

const mayTakeCard = (run: Run, action: string): boolean =>
  !/^https?:/.test(action) ||
  isShopUrl(run, action) ||
  run.task.paymentFrameOrigins.includes(originOf(action));

/** What is chosen and not typed is no secret of its own: a month, a year. */
const isTyped = ({ tag, type, role }: FieldInfo): boolean =>
  type !== 'month' &&
  (['input', 'textarea'].includes(tag) ||
    (type !== 'select' && tag !== 'button' && !['combobox', 'listbox'].includes(role)));

/** Types the card, each field read back. @throws RunStop when a field does not keep it */
export async function fillCard(run: Run, given: CardForm, card: RunCard): Promise<void> {
  run.state.cardTyped = true;
  for (const { snapshot, field } of given.parts) {
    checkAlive(run);
    checkCardForm(run, given);
    const element = await snapshot.element(field.field.ref).catch(() => undefined);
    if (element === undefined || !(await element.isVisible().catch(() => false)))
      fail(run, 'A card field went away.');
    noteSecret(run, snapshot, field.field.ref);
    const spellings = cardValues(field.meaning, card, field.field);
    const isFilled = await (isTyped(field.field) ? typeSecret : fillField)(
      snapshot,
      field.field,
      spellings,
    );
    run.log.info({ meaning: field.meaning, isFilled }, 'A card field was filled.');
    if (!isFilled)
      fail(run, `The shop's card field (${field.meaning}) does not keep what is typed.`);
  }
}
