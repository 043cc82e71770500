import { bestButton } from '../../act.ts';
import { captionOf, isHandle } from '../../buttons.ts';
import { cardMeanings } from '../../fields/meanings.ts';
import { totalScore } from '../../money/totals.ts';
import { openAmount } from '../../money/unfinished.ts';
import { pathOf } from '../../page/route.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { words } from '../../words/words.ts';
import type { Filled } from '../buyer/fill-form.ts';
import { openCardTab } from '../choices.ts';
import { type CardForm, findCardForm, hasCardFrame, hasHalfCard } from './card-fields.ts';

/** The page on which one pays: where the card goes and which button orders. */
export interface PayPage {
  readonly snapshot: Snapshot;
  readonly card?: CardForm;
  readonly button: ButtonInfo;
  /**
   * True when another page follows before the order is placed; `perhaps` where the button says
   * neither that nor the order, `below` where it sends the part with the card and the order's own
   * button stands outside of that.
   */
  readonly isReviewNext: boolean | 'perhaps' | 'below';
}

/**
 * Where the last of the filled fields stands: the button that sends them is in their form and
 * below.
 */
export function placeOf(filled: Filled): { container: number; y: number } | undefined {
  const last = filled.form.fields
    .filter((one) => !cardMeanings.has(one.meaning))
    .toSorted((a, b) => b.field.y - a.field.y)[0];
  return last === undefined ? undefined : { container: last.field.container, y: last.field.y };
}

/** The page is for paying when it has card fields, or an order button and no other way on. */
export async function payPage(run: Run, filled: Filled): Promise<PayPage | undefined> {
  let { snapshot } = filled;
  let card = await findCardForm(run, snapshot);
  const place = bestButton(run, snapshot, 'place') ?? confirming(snapshot);
  const goOn = bestButton(run, snapshot, 'continue', placeOf(filled));
  if (card === undefined && place !== undefined && !place.disabled) {
    const opened = await openCardTab(run, snapshot);
    if (opened !== undefined) {
      snapshot = opened;
      card = await findCardForm(run, snapshot);
    }
  }
  if (card !== undefined) {
    const near = { container: card.container, y: card.y };
    const order = bestButton(run, snapshot, 'place', near);
    const on = bestButton(run, snapshot, 'continue', near);
    const hasOpenSection =
      on !== undefined && order === undefined && on.y < card.y && !words.review.test(captionOf(on));
    if (hasOpenSection) return undefined;
    // What sends the part with the card comes before the order below all parts.
    const isBefore =
      order !== undefined &&
      on !== undefined &&
      isIn(snapshot, card, on) &&
      !isIn(snapshot, card, order);
    if (isBefore) return { snapshot, card, button: on, isReviewNext: 'below' };
    const button = order ?? on ?? bestButton(run, snapshot, 'checkout', near);
    if (button === undefined) return undefined;
    return {
      snapshot,
      card,
      button,
      isReviewNext:
        order === undefined &&
        (words.review.test(captionOf(button)) || hasLaterReview(snapshot) || 'perhaps'),
    };
  }
  if (
    place === undefined ||
    place.disabled ||
    hasHalfCard(snapshot, place) ||
    (await hasCardFrame(run))
  )
    return undefined;
  // Labels lie: whoever orders must be shown a total, so “order and continue” without one leads to
  // the next page.
  const hasTotal = snapshot.prices.some((price) => totalScore(price) > 0);
  if (!hasTotal && words.continue.test(captionOf(place))) return undefined;
  const isNearer =
    goOn !== undefined && goOn.ref !== place.ref && !goOn.disabled && filled.form.fields.length > 0;
  if (isNearer) return undefined;
  const isCart =
    words.cart.test(snapshot.heading) ||
    (words.checkout.test(captionOf(place)) &&
      !/checkout|kasse|payment|review/i.test(pathOf(snapshot.url)));
  return isCart ? undefined : { snapshot, button: place, isReviewNext: false };
}

const bareConfirm =
  /^(?:confirm|submit|finish|complete|bestätigen|absenden|abschließen|confirmer|valider|terminer|confirmar|finalizar|conferma|invia|bevestig(?:en)?|afronden|確定(?:する)?)$/i;

/**
 * What says only “Confirm”, on a page that shows a whole total and asks for nothing more: nothing
 * but the order is left to be confirmed there.
 */
export function confirming(snapshot: Snapshot): ButtonInfo | undefined {
  const isAsked = snapshot.fields.some(
    ({ type, region, disabled, readOnly }) =>
      !['header', 'footer', 'nav'].includes(region) &&
      type !== 'checkbox' &&
      !disabled &&
      !readOnly,
  );
  const hasTotal =
    snapshot.prices.some((price) => totalScore(price) > 0) && openAmount(snapshot) === undefined;
  if (isAsked || !hasTotal) return undefined;
  return snapshot.buttons.find(
    (button) =>
      bareConfirm.test(captionOf(button)) &&
      isHandle(button) &&
      !button.disabled &&
      !['header', 'footer', 'nav'].includes(button.region),
  );
}

/** Whether a button stands in the part of a page in which the card is entered. */
const isIn = ({ sections }: Snapshot, { parts }: CardForm, { ref }: ButtonInfo): boolean =>
  sections.some(
    ({ fields, buttons }) =>
      buttons.some((one) => one.ref === ref) &&
      fields.some((one) => one.ref === parts[0]?.field.field.ref),
  );

const hasLaterReview = (snapshot: Snapshot) =>
  /\b(?:\d[.)]?\s*)?(?:review|überprüfen|übersicht|vérification|récapitulatif|revisión|resumen del pedido)\b/i.test(
    snapshot.text.slice(0, 1_500),
  ) && !words.thanks.test(snapshot.text);
