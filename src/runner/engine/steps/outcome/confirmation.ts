import type { ShopMoney } from '../../../types.ts';
import { captionOf } from '../../buttons.ts';
import { readForm } from '../../fields/forms.ts';
import { cardMeanings } from '../../fields/meanings.ts';
import { type CurrencyContext, parsePrice } from '../../money/prices.ts';
import { totalScore } from '../../money/totals.ts';
import { linkTo, pathOf } from '../../page/route.ts';
import type { Snapshot, SnapshotInfo } from '../../page/snapshot.ts';
import { plain, words } from '../../words/words.ts';
import { outcomeWords } from './outcome-words.ts';

/** What proves that the shop has the order. */
export interface Confirmation {
  readonly merchantOrderId?: string;
  readonly url: string;
  readonly text: string;
}

const orderNumber =
  /(?:order|bestell?(?:ung|ing)?|auftrags?|commande|pedido|ordine|bestelling|encomenda|confirmation|reference|referenz|vorgangs|receipt|注文)(?: (?:received|placed|confirmed|eingegangen|confirmée|reçue|confirmado|recibido|realizado|recebido|ricevuto|confermato|ontvangen|bevestigd))?[:\s-]*(?:number|nummer|nr\.?|no\.?|id|code|n[°ºo]\.?|n[uú]m[eé]ro(?: de (?:commande|pedido))?|numero|reference|confirmation|番号)?(?: (?:is|lautet|est|es|de|del|der|è))?\s*[:#№：.]*\s*#?\s*((?=[A-Z0-9/_-]*\d)[A-Z0-9][A-Z0-9/_-]{2,30})/giu;

/** The number of an order in the words of a confirmation; undefined when there is none. */
export function findOrderNumber(text: string): string | undefined {
  const isAmount = (end: number) => /^[.,]\d{2}(?!\d)|^\s?[€$£¥%]/.test(text.slice(end, end + 6));
  const all = [...text.matchAll(orderNumber)].filter(
    ({ index, 0: whole }) => !isAmount(index + whole.length),
  );
  const found = all.map(([whole, number]) => ({
    number: number!,
    isNamed: /number|nummer|nr|no\.?\s|n[°º]|n[uú]m[eé]ro|番号|#|:|id\b/i.test(whole),
  }));
  const [short] = [...text.matchAll(shortNumber)].map(([, ...numbers]) =>
    numbers.find((number) => number !== undefined),
  );
  const isDate = (number: string) =>
    /^\d{4}-\d\d-\d\d$|^\d{1,2}[-/]\d{1,2}[-/]\d{2,4}$/.test(number);
  const usable = found.filter((one) => !isDate(one.number));
  return usable.find((one) => one.isNamed)?.number ?? short ?? usable[0]?.number;
}

/**
 * One or two digits are a number of an order where the shop says so: “Order #7”, “order number is
 * 12”, “your order 7 is being prepared”, and never “order: 2 items”.
 */
const noun = String.raw`(?:order|bestell?(?:ung|ing)?s?|auftrags?|commande|pedido|ordine|encomenda)`;
const label = String.raw`(?:number|nummer|nr\.?|no\.|id|n[°ºo]\.?|n[uú]m[eé]ro|r[eé]f[eé]r[eê]n(?:ce|cia)|riferimento)`;
const verb = String.raw`(?:is|was|has|wird|wurde|ist|est|a été|se está|ha sido|è|wordt|is|está|foi)`;
const shortNumber = new RegExp(
  [
    String.raw`(?<!\p{L})${noun}[- ]?(?:(?:is )?#|${label}(?: (?:is|lautet|est|es|è|é))?\s*[:#№：]*)\s*#?(\d{1,2})(?![\w./-]*\w)`,
    String.raw`(?<!\p{L})${label} (?:(?:de|da|do|del|di|of) (?:la |your |the )?|dell.)?${noun}\s*(?:[:#№：]|(?:is|est|es|è|é)\s)\s*#?(\d{1,2})(?![\w./-]*\w)`,
    String.raw`(?<!\p{L})${noun} #?(\d{1,2}) ${verb}(?!\p{L})`,
  ].join('|'),
  'giu',
);

const confirmationPath =
  /thank|confirm|success|complete|receipt|\bdone\b|danke|bestaetigung|bestellbest|merci|gracias|grazie|bedankt|order-received|orders?\/[\w-]*\d/i;

/**
 * The number in the address of a confirmation, such as `/thanks/BB-1042`; tokens that no person
 * would read are none.
 */
function numberInAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { pathname, searchParams } = new URL(address);
  const parts = pathname.split('/').map((part) => decodeURIComponent(part));
  const after = parts.find((_part, index) => index > 0 && confirmationPath.test(parts[index - 1]!));
  const named = ['order', 'order_id', 'orderId', 'order_number', 'orderNumber', 'no', 'number'].map(
    (name) => searchParams.get(name),
  );
  return [after, ...named].find(
    (one) =>
      one !== null &&
      one !== undefined &&
      /^(?=.*\d)[A-Z0-9][A-Z0-9_-]{2,23}$/i.test(one) &&
      !/^[0-9a-f]{16,}$/i.test(one),
  ) as string | undefined;
}

/** A way left to order: such a page confirms nothing. */
export function canOrder(snapshot: Snapshot): boolean {
  return (
    snapshot.buttons.some(
      (button) => words.place.test(captionOf(button)) && !button.disabled && button.tag !== 'a',
    ) || readForm(snapshot).fields.some((one) => cardMeanings.has(one.meaning))
  );
}

/**
 * Reads whether a page confirms the order: thanks or an order number, and no way left to order.
 * `clickedOn`: where the click was.
 */
export function readConfirmation(snapshot: Snapshot, clickedOn?: string): Confirmation | undefined {
  const isElsewhere = snapshot.url !== clickedOn;
  const path = pathOf(snapshot.url);
  const heads = `${snapshot.heading}\n${snapshot.title}`;
  const written = findOrderNumber(snapshot.text);
  const text = snapshot.text.replace(outcomeWords.otherThanks, ' ');
  const isThanked =
    outcomeWords.thanks.test(text) || outcomeWords.bareThanks.test(snapshot.heading);
  const isBare =
    outcomeWords.bareThanks.test(snapshot.heading) &&
    !outcomeWords.otherThanks.test(snapshot.heading);
  const isPath = confirmationPath.test(path) && isElsewhere;
  const score =
    (isThanked ? 2 : 0) +
    (outcomeWords.thanks.test(heads) || (isBare && clickedOn !== undefined && isElsewhere)
      ? 1
      : 0) +
    (written === undefined ? 0 : isElsewhere ? 2 : 1) +
    (isPath ? 2 : 0);
  if (
    score < 3 ||
    canOrder(snapshot) ||
    outcomeWords.refused.test(heads) ||
    refusedLine(snapshot.alerts) !== undefined
  )
    return undefined;
  const number = written ?? (isThanked ? numberInAddress(snapshot.url) : undefined);
  const line =
    snapshot.text.split('\n').find((one) => outcomeWords.thanks.test(one)) ?? snapshot.heading;
  return {
    merchantOrderId: number,
    url: linkTo(snapshot.url),
    text: line.trim().slice(0, 300),
  };
}

const refusedLine = (lines: readonly string[]) =>
  lines.find((line) => line.length < 300 && outcomeWords.refused.test(line));
const soldOutLine = (lines: readonly string[]) =>
  lines.find((line) => line.length < 300 && outcomeWords.soldOut.test(line));

/** The sentence with which a page says no; of its text only what was not there before the click. */
export function readRefusal(snapshot: SnapshotInfo, before: SnapshotInfo): string | undefined {
  const known = new Set(before.text.split('\n'));
  const fresh = snapshot.text.split('\n').filter((line) => !known.has(line));
  const heads = [
    ...snapshot.alerts.filter((alert) => !before.alerts.includes(alert)),
    ...(snapshot.heading === before.heading ? [] : [snapshot.heading]),
  ];
  const missing = snapshot.alerts.find(
    (alert) =>
      !before.alerts.includes(alert) && alert.length < 200 && outcomeWords.missing.test(alert),
  );
  return (refusedLine(heads) ?? soldOutLine(heads) ?? refusedLine(fresh) ?? missing)
    ?.trim()
    .slice(0, 160);
}

const charged =
  /charged|\bpaid\b|we have taken|abgebucht|bezahlt|gezahlt|belastet|pay[ée]\b|d[ée]bit|pagado|cobrado|pagato|betaald|total paid/;

/** What a confirmation says was charged; undefined when it says nothing, or two things. */
export function readCharged(
  snapshot: SnapshotInfo,
  context: CurrencyContext,
): ShopMoney | undefined {
  const found = snapshot.prices
    .filter(
      (price) =>
        !price.struck &&
        (totalScore(price) >= 3 || charged.test(plain(`${price.label} ${price.text}`))),
    )
    .flatMap((price) => parsePrice(price.text, context) ?? []);
  const [first] = found;
  return first !== undefined &&
    found.every((one) => one.amountMinor === first.amountMinor && one.currency === first.currency)
    ? first
    : undefined;
}
