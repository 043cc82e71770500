import type { FieldInfo, PriceInfo, SnapshotInfo } from '../page/snapshot.ts';
import { plain, words } from '../words/words.ts';
import { partKindOf } from './parts.ts';
import { amountText } from './prices.ts';

export interface SummaryLine {
  readonly title: string;
  readonly amount?: string;
}

const linesMax = 25;
const rowNameMax = 80;
/** How much of what stands at a button its amount's words make at least. */
const sameShare = 0.7;
/**
 * How far from the total the rows of its summary stand at most, and how far their amounts are from
 * being below each other.
 */
const farPixels = { above: 900, below: 250, aside: 320, choice: 80 } as const;

/**
 * An offer, a condition or a way to pay, as one begins, as it ends right before its amount, or
 * wherever it says so: nobody pays it now.
 */
const offerStarts =
  /^(?:you )?(?:save|spend|only|just|another|add|get|earn|win|unlock|nur noch|noch|spare|sparen sie|plus que|encore|economisez|ahorra|te faltan|faltan|solo te faltan)\b/;
const offerEnds =
  /\b(?:over|above|from|at least|more than|up to|as low as|instead of|worth|or|ab|uber|bis zu|statt|im wert von|des|a partir de|jusqu'a|au lieu de|desde|hasta|en lugar de|a partire da|oltre|vanaf)$/;
const offerSays =
  /\binstal+ments?\b|interest[- ]free|\bpayments? of\b|\b(?:gift card|voucher|promo|coupon) code\b|\d ?% off|away from|free (?:shipping|delivery|returns?|postage) (?:over|on|from|for|above|when|with)|\b(?:next|first) (?:order|purchase)|\borders? (?:of|over|above|from)\b|versandkostenfrei ab|mindestbestellwert|ratenzahlung|(?:monatliche?n?|mensuelles?) (?:rate|raten|mensualites)|livraison (?:offerte|gratuite) (?:des|a partir)|envio gratis (?:a partir|desde|en)|\bcuotas?\b/;

/**
 * A row of a summary has a short name: what speaks in sentences, or stands in a banner, is none.
 */
const isRow = ({ label, region }: PriceInfo) =>
  label.length <= rowNameMax &&
  !(label.length > 40 && /[.!?:] \p{L}/u.test(label)) &&
  !['header', 'footer', 'nav'].includes(region);

/** What an amount is for, without the colon after it. */
export const titleOf = (price: PriceInfo): string => price.label.replace(/[\s:：]+$/, '');

/**
 * The rows of the order's summary, as a user should read them before a yes: what is beside the
 * total, and what adds to it by its name wherever it stands. Left out are banners and offers, and
 * the ways to deliver or to pay that can be chosen: of those the one that was taken is a row of its
 * own, or is said beside the rows.
 */
export function summaryLines(
  snapshot: SnapshotInfo,
  total: PriceInfo | undefined,
): readonly SummaryLine[] {
  const choices = snapshot.fields.filter(
    (field) =>
      field.type === 'radio' || (['checkbox', 'switch'].includes(field.type) && !field.checked),
  );
  return snapshot.prices
    .filter((price) => !price.struck && !price.inButton && price.label !== '' && isRow(price))
    .filter(
      (price) =>
        price === total || (!isOffer(price) && !isChoice(price, choices) && belongs(price, total)),
    )
    .slice(0, linesMax)
    .map((price) => ({
      title: titleOf(price).slice(0, 120),
      amount: amountText(price.text).slice(0, 60),
    }));
}

function isOffer(price: PriceInfo): boolean {
  const label = plain(titleOf(price));
  return (
    offerStarts.test(label) ||
    offerEnds.test(label) ||
    offerSays.test(`${label} ${plain(price.text)}`)
  );
}

/**
 * The amount is that of something to choose: it stands at its button, and the words are the same.
 */
function isChoice(price: PriceInfo, choices: readonly FieldInfo[]): boolean {
  const letters = (text: string) => plain(text).replace(/[^\p{L}]/gu, '');
  const label = letters(titleOf(price));
  const isSame = (text: string) =>
    letters(text).includes(label) && label.length >= letters(text).length * sameShare;
  return choices.some(
    (field) =>
      Math.abs(field.y - price.y) < farPixels.choice &&
      label !== '' &&
      (isSame(field.label) || isSame(field.rowText)),
  );
}

/**
 * Whatever has the name of a part, or of something that nobody asked for, is shown wherever it
 * stands.
 */
function belongs(price: PriceInfo, total: PriceInfo | undefined): boolean {
  if (total === undefined || partKindOf(price.label) !== 'item' || words.extra.test(price.label))
    return true;
  const above = total.y - price.y;
  return (
    above <= farPixels.above &&
    -above <= farPixels.below &&
    Math.abs(price.x - total.x) <= farPixels.aside
  );
}
