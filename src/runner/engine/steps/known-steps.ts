import { runSteps } from '../../types.ts';
import { captionOf } from '../buttons.ts';
import { totalScore } from '../money/totals.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { words } from '../words/words.ts';

/** The heading of the part in which one pays, as checkouts of one page number their parts. */
const payingHeading =
  /^(?:\d\W{0,3})?(?:payment(?: method| options?| information)?|zahlung(?:sart|sweise)?|(?:mode de )?paiement|(?:(?:forma|m[eé]todo) de )?pago|(?:metodo di )?pagamento|betaling|betaalmethode|(?:forma de )?pagamento|お?支払い(?:方法)?)$/i;

/** A way of paying that was chosen before, as a page sums it up. */
const chosenPaying =
  /visa|master ?card|amex|american express|paypal|klarna|[•*x]{2,} ?\d|\b(?:ending|endet|finissant|termina|eindigt)\b|\d{4}$/i;
const linesOfPart = 4;

/**
 * Whether the page heads, below this button, a part for paying that is not open yet: nothing to
 * choose or type there, nothing that was chosen before, and no button that orders. What stands
 * above the button is the part that was filled in, or a summary of it.
 */
function paysLater({ text, fields, buttons }: Snapshot, caption: string): boolean {
  const isPaying = (field: Snapshot['fields'][number]) =>
    /^(?:cc-|card)/.test(field.autocomplete) ||
    words.card.test(`${field.label} ${field.near}`) ||
    words.paymentMethod.test(`${field.name} ${field.groupLabel} ${field.section}`);
  const lines = text
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '');
  const button = lines.lastIndexOf(caption.trim().toLowerCase());
  const heading = lines.findIndex((line, at) => at > button && payingHeading.test(line));
  return (
    button >= 0 &&
    heading > button &&
    !lines.slice(heading + 1, heading + 1 + linesOfPart).some((line) => chosenPaying.test(line)) &&
    !fields.some(isPaying) &&
    !buttons.some(
      (other) => words.place.test(captionOf(other)) && !words.guest.test(captionOf(other)),
    )
  );
}

/** Says that what comes next is not the order. */
const laterStep =
  /\b(?:continue|proceed|next|go|on|back|weiter|zur?|continuer|passer|continuar|ir|pasar|avanti|prosegui|naar|verder)\b.{0,20}\b(?:payment|delivery|shipping|address|details|review|summary|zahlung|versand|lieferung|adresse|übersicht|paiement|livraison|pago|envío|dirección|pagamento|spedizione|betaling|betalen|bezorging|overzicht)/i;

/** Where the form of a button is sent; undefined where it sends none by POST. */
export function targetOf(snapshot: Snapshot, button: ButtonInfo): string | undefined {
  const form = snapshot.forms[button.container];
  if (button.type !== 'submit' || form?.tag !== 'form' || form.method !== 'post') return undefined;
  // A button without an address of its own names that of the page.
  const url = button.action === snapshot.url ? form.action : button.action;
  return URL.canParse(url) ? url : undefined;
}

/**
 * Tells the gate of a form that is sent to an address like an order's (`/pay`, `/order`) and cannot
 * be the order: the shop knows neither the buyer nor a card, the button names a later step, or the
 * part for paying is still to come.
 */
export function announceStep(run: Run, snapshot: Snapshot, button: ButtonInfo): void {
  const url = targetOf(snapshot, button);
  if (url === undefined || run.state.cardTyped || run.state.armed) return;
  const caption = captionOf(button);
  const isStranger = run.task.browserState === undefined && !run.state.signedIn;
  const isNobody = isStranger && run.state.reached < runSteps.indexOf('add-to-cart');
  const hasTotal = snapshot.prices.some((price) => totalScore(price) > 0);
  const leadsOn = words.continue.test(caption) && !words.place.test(caption);
  if (
    isNobody ||
    (leadsOn &&
      (laterStep.test(caption) || (isStranger && !hasTotal) || paysLater(snapshot, caption)))
  )
    run.gate?.allowStep?.(url);
}
