import { captionOf, isWallet, isWalletWord } from '../engine/buttons.ts';
import { cartLines } from '../engine/cart/lines.ts';
import { assignFields } from '../engine/fields/assign.ts';
import { cardMeanings, foreignMeanings } from '../engine/fields/meanings.ts';
import { totalScore } from '../engine/money/totals.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../engine/page/snapshot.ts';
import { isShopUrl, type Run } from '../engine/run.ts';
import type { StuckGoal } from '../engine/stuck.ts';
import { words } from '../engine/words/words.ts';

/**
 * What a planner may press. Wider than what the engine takes for its order button: a word of
 * ordering or paying is enough, and on a page from which one could order only what opens or chooses
 * something may be pressed.
 */

const orderWords =
  /\border|\bpay|\bbuy|purchas|checkout now|confirm|complete|finish|submit|bestell|kauf|(?<!an|er)zahl|verbindlich|abschlie|bestätig|command|achet|pay[ée]|régl|valider|confirm|compr|pedido|pag(?:ar|o|a)\b|finaliz|tramit|ordin|acquist|koop|betal|betaal|afrond|注文|購入|支払|確定/i;
const orderHints =
  /(?:place|submit|complete|confirm|create|finali[sz]e)[-_. ]?(?:the[-_. ]?)?(?:order|purchase|payment)|order[-_. ]?(?:submit|confirm|place)|pay[-_. ]?(?:now|button|btn)|purchase/i;
/** The program pays with a card that it types: no other way, and none that the shop remembers. */
const otherPayments =
  /invoice|rechnung(?!sadresse)|facture\b|factura\b|bank ?transfer|wire transfer|überweisung|virement|transferencia|bonifico|overschrijving|\bcash\b|nachnahme|lastschrift|\bsepa\b|vorkasse|prepay|direct debit|pay ?later|instal?ment|ratenz|crypto|bitcoin|[•*·]{2,}\s?\d{2,4}|\bending (?:in )?\d|endet auf/i;
const leavingWords =
  /log ?-?out|sign ?-?out|abmelden|delete (?:my )?account|déconn|cerrar sesi|esci\b|uitloggen|ログアウト/i;
const price = /\d[.,]\d\d|[€$£¥]\s?\d|\d\s?(?:€|kr\b|zł)/;

/** Why a button may not be pressed; undefined when it may. */
export function refuseButton(
  run: Run,
  snapshot: Snapshot,
  button: ButtonInfo,
  goal: StuckGoal,
): string | undefined {
  const said = [captionOf(button), button.label, button.value].join(' ');
  const form = snapshot.forms[button.container];
  if (button.disabled) return 'it is disabled';
  if (button.target === '_blank') return 'it opens another window';
  if (button.href !== '' && !leadsInside(run, button.href)) return 'it leads out of the shop';
  const action = button.action || (form?.tag === 'form' ? form.action : '');
  if (action !== '' && !isShopUrl(run, action)) return 'its form goes to another site';
  if (isWallet(button) || otherPayments.test(said)) return 'it pays';
  if (orderWords.test(said) || words.place.test(said) || orderHints.test(button.hint))
    return 'it could place the order';
  if (action !== '' && run.gate?.covers?.({ method: 'POST', url: action }) === true)
    return 'its form could place the order';
  if (words.remove.test(said) || leavingWords.test(said)) return 'it takes something away';
  if (words.register.test(said) || words.marketing.test(said)) return 'it signs up for something';
  if (words.extra.test(said) || words.recurring.test(said)) return 'nobody asked for it';
  if (goal.kind !== 'add-to-cart' && words.addToCart.test(said)) return 'it adds to the cart';
  return isOrderPage(run, snapshot) && !onlyOpens(button)
    ? 'one could order from this page'
    : undefined;
}

/** Why a radio button or box may not be set; undefined when it may. */
export function refuseBox(field: FieldInfo): string | undefined {
  const said = `${field.label || field.near} ${field.value}`;
  if (field.disabled) return 'it is disabled';
  if (words.recurring.test(said) && !words.oneTime.test(said)) return 'it charges again and again';
  if (otherPayments.test(said) || isWalletWord(said)) return 'it pays';
  if (field.type === 'radio') return undefined;
  const isUnasked = [words.extra, words.marketing, words.accountBox, words.register, price].some(
    (one) => one.test(said),
  );
  return isUnasked ? 'nobody asked for it' : undefined;
}

/** Why an option of a list may not be chosen; undefined when it may. */
export function refuseOption(field: FieldInfo, index: number): string | undefined {
  const option = field.options[index];
  if (option === undefined) return 'there is no such option';
  if (field.disabled || option.disabled) return 'it is disabled';
  if (words.recurring.test(option.text) && !words.oneTime.test(option.text))
    return 'it charges again and again';
  if (otherPayments.test(option.text) || isWalletWord(option.text)) return 'it pays';
  return words.extra.test(option.text) && price.test(option.text)
    ? 'nobody asked for it'
    : undefined;
}

/** `javascript:` and a bare `#` are buttons that are written as links. */
function leadsInside(run: Run, href: string): boolean {
  return href.startsWith('javascript:') || isShopUrl(run, href);
}

/** Opens or chooses something and sends nothing, as far as its role says. */
const onlyOpens = (button: ButtonInfo) =>
  button.tag === 'summary' ||
  ['tab', 'option', 'radio', 'menuitemradio'].includes(button.role) ||
  (button.expanded !== '' && button.type !== 'submit');

/**
 * Whether an order could be placed from a page: it asks for a card, shows an order button, asks for
 * a way to pay, or only sums up.
 */
function isOrderPage(run: Run, snapshot: Snapshot): boolean {
  const meanings = new Map(
    assignFields(snapshot.fields, snapshot.forms).map((one) => [one.field.ref, one.meaning]),
  );
  if ([...meanings.values()].some((meaning) => cardMeanings.has(meaning))) return true;
  const own = (region: string) => !['header', 'footer', 'nav'].includes(region);
  const isPlace = (button: ButtonInfo) =>
    own(button.region) &&
    words.place.test(captionOf(button)) &&
    !words.addToCart.test(captionOf(button)) &&
    !words.buyNow.test(captionOf(button));
  if (snapshot.buttons.some(isPlace)) return true;
  if (!snapshot.prices.some((one) => totalScore(one) > 0)) return false;
  const fields = snapshot.fields.filter(
    (field) => own(field.region) && !foreignMeanings.has(meanings.get(field.ref) ?? 'city'),
  );
  const isBox = (field: FieldInfo) => ['radio', 'checkbox', 'switch'].includes(field.type);
  const asksHowToPay = fields.some(
    (field) =>
      isBox(field) && words.paymentMethod.test(`${field.groupLabel} ${field.name} ${field.label}`),
  );
  const asksForConsent = fields.some(
    (field) => field.type === 'checkbox' && words.terms.test(field.label || field.near),
  );
  const onlySumsUp =
    fields.every((field) => field.type === 'checkbox') && cartLines(run, snapshot).length === 0;
  return asksHowToPay || asksForConsent || onlySumsUp || words.review.test(snapshot.heading);
}
