import type { FieldInfo, FormInfo } from '../page/snapshot.ts';
import { plain } from '../words/words.ts';
import { cardMeanings, type Meaning, meaningRules, meanings } from './meanings.ts';

/** Below this a field means nothing that is sure enough. */
export const scoreMin = 3;

const textLike = new Set([
  'text',
  'email',
  'tel',
  'number',
  'search',
  'password',
  'url',
  'textarea',
  'combobox',
  'date',
  'month',
  'textbox',
  'spinbutton',
]);
const choiceLike = new Set(['select', 'listbox', 'combobox']);
const selectable: ReadonlySet<Meaning> = new Set([
  'country',
  'phoneCode',
  'state',
  'city',
  'cardMonth',
  'cardYear',
  'salutation',
  'quantity',
  'birthDate',
  'cardExpiry',
]);

/** Words of a name: `shippingAddress_line1` is `shipping address line1`. */
function nameWords(name: string): string {
  return plain(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[[\]_.:/-]+/g, ' '));
}

/**
 * A name that says how many decides: what stands beside it may be a product's name, as “iPhone”.
 */
const quantityName =
  /(?:^|\W)(?:qty|quantity|quantities|menge|anzahl|quantite|cantidad|quantita|aantal|quantidade)(?:$|\W|\d)/;
const quantityLabel =
  /^(?:qty|quantity|menge|anzahl|quantite|cantidad|quantita|aantal|quantidade)(?:\W|$)|^(?:数量|個数)/;
const decided = 20;

/** The words that people read begin a word: there is a phone in “iPhone”, and none is meant. */
function readsAs(rule: RegExp, text: string): boolean {
  // Most rules read nothing of most texts.
  if (!rule.test(text)) return false;
  return [...text.matchAll(new RegExp(rule, 'gu'))].some(
    ({ index }) => index === 0 || !/[a-z\d]/.test(text[index - 1]!),
  );
}

/** How well every meaning suits a field: several weak signals together make a strong one. */
export function scoreField(field: FieldInfo, form: FormInfo | undefined): Map<Meaning, number> {
  const scores = new Map<Meaning, number>();
  if (['radio', 'checkbox', 'switch'].includes(field.type)) return scores;
  const tokens = field.autocomplete.split(/\s+/);
  const names = [nameWords(field.name), nameWords(field.id)];
  const label = plain(field.label);
  const near = plain(field.near);
  const placeholder = plain(field.placeholder);
  if (names.some((name) => quantityName.test(name)) || quantityLabel.test(label))
    return scores.set('quantity', decided);
  for (const meaning of meanings) {
    const rule = meaningRules[meaning];
    let score = 0;
    if (rule.tokens.some((token) => tokens.includes(token))) score += 10;
    if (names.some((name) => rule.name.test(name) || rule.name.test(name.replaceAll(' ', ''))))
      score += 4;
    if (field.itemprop && rule.name.test(nameWords(field.itemprop))) score += 3;
    const isRefused =
      rule.not?.test(label !== '' ? label : near) ||
      (label === '' && near === '' && rule.not?.test(placeholder));
    if (label !== '' && readsAs(rule.label, label))
      score += isRefused ? 0 : label.length < 40 ? 5 : 3;
    else if (near !== '' && readsAs(rule.label, near))
      score += isRefused ? 0 : label === '' ? 4 : 1;
    if (placeholder !== '' && readsAs(rule.label, placeholder) && !rule.not?.test(placeholder))
      score += label !== '' ? 2 : near === '' ? 4 : 3.5;
    if (isRefused) score -= 4;
    if (names.some((name) => rule.not?.test(name))) score -= 3;
    if (rule.types?.includes(field.type)) score += 4;
    score += shapeScore(meaning, field);
    if (score > 0) score += contextScore(meaning, field, form, tokens);
    if (score > 0) scores.set(meaning, score);
  }
  return scores;
}

/** What the shape of a field says about a meaning: its kind, its length, its options. */
function shapeScore(meaning: Meaning, field: FieldInfo): number {
  const isChoice = choiceLike.has(field.type) || field.hasPopup === 'listbox';
  if (field.type === 'select' && !selectable.has(meaning)) return -20;
  if (isChoice && !selectable.has(meaning) && !['addressLine1', 'postalCode'].includes(meaning))
    return -6;
  if (!isChoice && !textLike.has(field.type)) return -20;
  if (
    field.type === 'password' &&
    !['password', 'cardCvc', 'cardNumber', 'oneTimeCode'].includes(meaning)
  )
    return -20;
  if (
    field.type === 'email' &&
    !['email', 'emailConfirm', 'username', 'newsletter', 'review'].includes(meaning)
  )
    return -20;
  if (
    field.type === 'number' &&
    ['email', 'fullName', 'firstName', 'lastName', 'city', 'country', 'addressLine1'].includes(
      meaning,
    )
  )
    return -20;
  if (
    meaning === 'phoneCode' &&
    field.type !== 'select' &&
    !(isChoice && /\+ ?\d/.test(field.value))
  )
    return -20;
  if (field.type === 'textarea' && ['note', 'review'].includes(meaning)) return 3;
  if (field.type === 'textarea' && meaning !== 'addressLine1') return -5;
  if (field.type === 'select') return optionScore(meaning, field);
  if (meaning === 'cardCvc' && (field.maxLength === 3 || field.maxLength === 4)) return 1;
  if (meaning === 'cardExpiry' && /mm\s*\/?\s*[yja]/i.test(field.placeholder)) return 4;
  if (meaning === 'cardNumber' && /^[\d•·x*]{4}( ?[\d•·x*]{4}){2,}/i.test(field.placeholder))
    return 4;
  if (meaning === 'email' && field.inputMode === 'email') return 3;
  if (
    meaning === 'oneTimeCode' &&
    field.maxLength >= 4 &&
    field.maxLength <= 8 &&
    field.inputMode === 'numeric'
  )
    return 2;
  return 0;
}

/** Options give a select away, whatever it is called. */
function optionScore(meaning: Meaning, field: FieldInfo): number {
  const filled = field.options
    .filter((option) => option.value !== '' || option.text !== '')
    .map((option) => plain(option.text));
  const count = (test: RegExp) => filled.filter((text) => test.test(text)).length;
  switch (meaning) {
    case 'country':
      return count(
        /^(?!.*\+ ?\d)(?:germany|deutschland|france|frankreich|spain|espana|united states|united kingdom|austria|osterreich|switzerland|canada|allemagne|alemania|italy|us|usa|de|gb|fr|es)\b/,
      ) >= 2
        ? 5
        : 0;
    case 'phoneCode':
      return count(/\+ ?\d{1,3}\b/) >= 2 && count(/\+ ?\d/) >= filled.length - 1 ? 8 : -20;
    case 'state':
      return count(
        /^(?:california|new york|texas|bayern|berlin|hessen|ontario|quebec|barcelona|madrid|new south wales|victoria|ca|ny|tx)\b/,
      ) >= 2
        ? 5
        : 0;
    case 'cardExpiry':
      return count(/^(?:0?[1-9]|1[0-2]) ?[/.-] ?(?:20)?\d\d$/) > 3 ? 4 : -20;
    case 'birthDate':
      return 0;
    case 'cardMonth':
      return filled.length >= 12 &&
        filled.length <= 14 &&
        count(/\b0?[1-9]\b|\b1[0-2]\b|jan|dec|dez|mar/) >= 12
        ? 4
        : 0;
    case 'cardYear':
      return filled.length >= 4 && count(/^(?:20)?[2-5]\d$/) >= filled.length - 1 ? 4 : 0;
    case 'quantity':
      return filled.length >= 2 && count(/^\d{1,3}$/) === filled.length ? 1 : 0;
    default:
      return 0;
  }
}

const searchForm = /search|suche|recherche|buscar/i;
const newsletterForm =
  /newsletter|subscribe|mailing|signup-?(?:bar|form)?|stay in touch|abonnier|suscr/i;
const reviewForm =
  /review|bewertung|avis|reseña|question|contact-?form|feedback|comment-?form|commentform|rating|recensi/i;
const couponForm = /coupon|promo|voucher|discount|gutschein/i;

/**
 * Where a field stands: a newsletter's e-mail is not the buyer's, a code beside a card is its
 * security code.
 */
function contextScore(
  meaning: Meaning,
  field: FieldInfo,
  form: FormInfo | undefined,
  tokens: readonly string[],
): number {
  const about =
    form === undefined || form.tag === 'body' || form.tag === 'main'
      ? ''
      : `${form.hint} ${form.action} ${form.role}`;
  const own = `${field.name} ${field.id} ${field.label} ${field.placeholder}`;
  let score = 0;
  const isCheckout =
    /checkout|order|shipping|address|billing|payment|kasse|bestell|commande|pedido/i.test(about);
  if (newsletterForm.test(about) && !isCheckout) score += meaning === 'newsletter' ? 5 : -8;
  if (reviewForm.test(about) && !isCheckout) score += meaning === 'review' ? 4 : -8;
  if (searchForm.test(about) && meaning !== 'search' && !isCheckout) score -= 6;
  if (couponForm.test(about) && !isCheckout && meaning !== 'coupon') score -= 6;
  if (newsletterForm.test(field.section) && meaning === 'email' && !isCheckout) score -= 6;
  if (field.region === 'footer' && meaning === 'email') score -= 5;
  if (field.region === 'header' && ['email', 'fullName'].includes(meaning)) score -= 3;
  const card =
    /card|cc-|karte|carte|tarjeta|payment|zahlung|paiement|pago/i.test(
      `${field.section} ${about}`,
    ) || tokens.some((token) => token.startsWith('cc-'));
  if (cardMeanings.has(meaning) && card) score += 1;
  if (meaning === 'fullName' && /card|karte|tarjeta|\bcarte\b/i.test(`${own} ${field.section}`))
    score -= 3;
  if (meaning === 'cardHolder' && card && /name|nom\b|inhaber/i.test(own)) score += 2;
  if (
    ['cardMonth', 'cardYear'].includes(meaning) &&
    !card &&
    !/exp|ablauf|card|cc/i.test(own + field.section)
  )
    score -= 3;
  return score;
}
