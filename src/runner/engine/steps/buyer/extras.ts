import type { ShopMoney } from '../../../types.ts';
import { captionOf } from '../../buttons.ts';
import { partKindOf } from '../../money/parts.ts';
import { formatMoney, hasAmount, parsePrice } from '../../money/prices.ts';
import type { Totals } from '../../money/totals.ts';
import type { ButtonInfo, FieldInfo, SnapshotInfo } from '../../page/snapshot.ts';
import { askOnce, fail, type Run } from '../../run.ts';
import { surelyWantedIn } from '../../words/wishes.ts';
import { comesAgain, namesWhole, plain, words } from '../../words/words.ts';
import { countBySum, surchargeOf, unitPricesOf } from '../product/quantity.ts';

const trial =
  /(?:free|\d+.day|my|your|start (?:a|the|my)) trial|trial (?:of|period|ends|membership)|after (?:the|your) trial|kostenlos (?:test|probe)|probe(?:abo|zeitraum|monat)|testphase|essai gratuit|période d['’]essai|prueba gratuita|periodo de prueba|prova gratuita|proefperiode/i;
const charges =
  /charge|bill|renew|abgebucht|verlänger|berechnet|prélev|factur|cobr|addebit|rinnov|afgeschreven/i;

const isChoice = (field: FieldInfo) => ['checkbox', 'switch', 'radio'].includes(field.type);
const labelOf = (field: FieldInfo) => (field.label || field.near).trim();

/**
 * Refuses what would charge again, or more than was asked for: rows of the summary, the order
 * button, sentences beside it, and boxes that stay ticked. What only stands beside an empty box is
 * an offer.
 * @throws RunStop
 */
export function refuseUnasked(run: Run, snapshot: SnapshotInfo, button: ButtonInfo): void {
  const boxes = snapshot.fields.filter(isChoice);
  const offers = boxes.filter((field) => !field.checked).map(labelOf);
  const isOffer = (text: string) =>
    offers.some((offer) => offer !== '' && (offer.includes(text.trim()) || text.includes(offer)));
  const title = run.state.productTitle ?? '';
  // “Weekly Planner” comes once.
  const untitled = (text: string) => (title === '' ? text : text.replaceAll(title, ' '));
  const rows = snapshot.prices
    .filter((one) => !one.struck && !one.inButton)
    .map((one) => `${one.label} ${one.text} ${one.row.length < 160 ? one.row : ''}`);
  const sentences = snapshot.text
    .split('\n')
    .filter((line) => line.length < 300 && charges.test(line));
  const ticked = boxes
    .filter((field) => field.checked && !words.oneTime.test(labelOf(field)))
    .map(labelOf);
  const again = [...rows, captionOf(button), ...sentences, ...ticked].find(
    (text) =>
      (comesAgain(untitled(text)) || trial.test(text)) &&
      !/newsletter|unsubscribe/i.test(text) &&
      !isOffer(text) &&
      !isOneTime(text),
  );
  if (again !== undefined)
    fail(run, `The shop wants to charge again and again: “${again.trim().slice(0, 100)}”.`);
  const extra = boxes.find(
    (field) =>
      field.checked &&
      field.type !== 'radio' &&
      !field.disabled &&
      words.extra.test(labelOf(field)) &&
      hasAmount(labelOf(field)),
  );
  if (extra !== undefined)
    fail(run, `The shop adds something that nobody asked for: “${labelOf(extra).slice(0, 100)}”.`);
}

const isOneTime = (text: string) =>
  words.oneTime.test(text) && !comesAgain(text.replace(words.oneTime, ' '));

/** “plus 19 % VAT” is no membership called Plus. */
const plusTax =
  /plus (?:\d+(?:[.,]\d+)? ?% ?)?(?:vat|tax(?:es)?|gst|mwst|ust|tva|iva|btw)(?!\p{L})/iu;

/** Rows of the summary that look like something which nobody asked for. */
export function unaskedLines(run: Run, lines: Totals['lines']): readonly string[] {
  const { productTitle, choices } = run.state;
  const product = plain(productTitle);
  // What the product is called says nothing of what comes with it.
  const bare = (title: string) =>
    [product, ...choices.map(({ chosen }) => plain(chosen))]
      .filter((one) => one !== '')
      .reduce((rest, one) => rest.replace(one, ' '), plain(title));
  const names = (title: string) => product !== '' && plain(title).includes(product);
  // The only row of the product is the product, whatever is promised beside its name.
  const hasOwn = lines.some(({ title }) => names(title) && !words.extra.test(bare(title)));
  const isExtra = (title: string) =>
    words.extra.test(title) && (!names(title) || (hasOwn && words.extra.test(bare(title))));
  const request = surelyWantedIn(run.task.request ?? '');
  const isFree = (amount: string | undefined) => amount === undefined || !/[1-9]/.test(amount);
  return lines
    .filter(({ title, amount }) => isExtra(title.replace(plusTax, '')) && !isFree(amount))
    .filter(({ title }) => !namesWhole(product, title) && !namesWhole(request, title))
    .slice(0, 5)
    .map(({ title, amount }) => `${title} ${amount}`);
}

/**
 * Rows that the shop's subtotal counts in beside what was asked for: where the subtotal is the
 * product's price so many times and the amounts of these rows, they are bought along, whatever
 * their names say.
 */
export function foreignLines(
  run: Run,
  lines: Totals['lines'],
  total: ShopMoney,
): readonly string[] {
  const { currency } = run.task.maxCost;
  const context = {
    expected: currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  };
  const rows = lines.flatMap(({ title, amount }) => {
    const money = amount === undefined ? undefined : parsePrice(amount, context);
    return money === undefined || money.currency !== currency || money.amountMinor <= 0n
      ? []
      : [
          {
            title: plain(title),
            text: `${title} ${amount}`,
            kind: saysTotal(title) && partKindOf(title) === 'item' ? 'total' : partKindOf(title),
            amountMinor: money.amountMinor,
          },
        ];
  });
  const items = rows.filter(({ kind }) => kind === 'item');
  const sum = items.reduce((all, { amountMinor }) => all + amountMinor, 0n);
  const shipping = rows.findLast(({ kind }) => kind === 'shipping')?.amountMinor ?? 0n;
  // Without a subtotal the rows themselves make the total, perhaps with the delivery.
  const billed = rows.findLast(({ kind }) => kind === 'subtotal')?.amountMinor;
  const subtotal =
    billed ??
    (total.currency === currency && sum + shipping === total.amountMinor ? sum : undefined);
  if (subtotal === undefined) return [];
  const wanted = unitPricesOf(run)
    .filter((unit) => unit.currency === currency && unit.amountMinor > 0n)
    .flatMap(({ amountMinor }) => [amountMinor, amountMinor + surchargeOf(run)])
    .map((amountMinor) => amountMinor * BigInt(run.state.quantity));
  if (wanted.length === 0 || wanted.includes(subtotal)) return [];
  // Something else may cost the same: the product is the row that says the least beside its title.
  const product = plain(run.state.productTitle);
  const [own] = items
    .filter(({ amountMinor }) => wanted.includes(amountMinor))
    .toSorted(
      (one, other) =>
        Number(other.title.includes(product)) - Number(one.title.includes(product)) ||
        one.title.length - other.title.length,
    );
  const others = items.filter(
    ({ title, amountMinor }) =>
      amountMinor < subtotal &&
      // A way of delivery may have any name: without a subtotal it is a row like others.
      (wanted.includes(amountMinor) ? title !== own?.title : billed !== undefined),
  );
  const rest = wanted.map((sum) => subtotal - sum);
  const alone = others.filter(({ amountMinor }) => rest.includes(amountMinor));
  const all = others.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const counted = rest.includes(all) ? others : alone;
  return [...new Set(counted.map(({ text }) => text))].slice(0, 5);
}

/**
 * The goods may cost so much more than the product's page says, in hundredths, before something
 * else is bought along: taxes are less.
 */
const goodsMax = 130n;

/**
 * That the goods of an order cost far more than what was asked for, though no row says why: its
 * products are hidden, as in a summary that is folded up. Undefined where they do not, or nothing
 * tells.
 */
function unexplained(run: Run, lines: Totals['lines'], total: ShopMoney): string | undefined {
  const { quantity } = run.state;
  const { currency } = run.task.maxCost;
  const context = {
    expected: currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  };
  const amountOf = (text: string | undefined) =>
    text === undefined ? undefined : parsePrice(text, context)?.amountMinor;
  const of = (kind: ReturnType<typeof partKindOf>) =>
    amountOf(
      lines.findLast(({ title, amount }) => amount !== undefined && partKindOf(title) === kind)
        ?.amount,
    );
  const shipping = of('shipping');
  const goods =
    of('subtotal') ?? (shipping === undefined ? undefined : total.amountMinor - shipping);
  const units = unitPricesOf(run).filter(
    (unit) => unit.currency === currency && unit.amountMinor > 0n,
  );
  if (
    goods === undefined ||
    units.length === 0 ||
    countBySum(run, formatMoney({ amountMinor: goods, currency })) === quantity
  )
    return undefined;
  const most =
    units.reduce((max, { amountMinor }) => (amountMinor > max ? amountMinor : max), 0n) +
    surchargeOf(run);
  const wanted = most * BigInt(quantity);
  return goods * 100n > wanted * goodsMax
    ? `goods for ${formatMoney({ amountMinor: goods, currency })}`
    : undefined;
}

/** A row that sums up others. */
export const saysTotal = (title: string) =>
  /total|sum|summe|amount due|payment due|gesamt|zu zahlen|importe|合計/i.test(title);

/**
 * Rows that a page shows twice, as beside a cart that lies open, once: only where its subtotal
 * counts them once. Two lines of one product stay two.
 */
export function withoutRepeats(run: Run, lines: Totals['lines']): Totals['lines'] {
  const { currency } = run.task.maxCost;
  const context = {
    expected: currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  };
  const amountOf = ({ amount = '' }: Totals['lines'][number]) =>
    parsePrice(amount, context)?.amountMinor ?? 0n;
  const isItem = ({ title, amount }: Totals['lines'][number]) =>
    amount !== undefined && partKindOf(title) === 'item' && !saysTotal(title);
  const isFirst = (line: Totals['lines'][number], index: number) =>
    lines.findIndex(
      (other) => plain(other.title) === plain(line.title) && other.amount === line.amount,
    ) === index;
  const once = lines.filter((line, index) => !isItem(line) || isFirst(line, index));
  const subtotal = lines.findLast(
    ({ title, amount }) => amount !== undefined && partKindOf(title) === 'subtotal',
  );
  const sum = once.filter(isItem).reduce((all, line) => all + amountOf(line), 0n);
  return subtotal !== undefined && sum === amountOf(subtotal) ? once : lines;
}

/**
 * Whether a text says a value as words of its own: “Green” is not said by “Greenhouse”, nor “36” by
 * an amount.
 */
function says(text: string, value: string): boolean {
  const [row, wanted] = [plain(text), plain(value)];
  if (!/\p{L}/u.test(wanted) || wanted.length < 3) return false;
  return ` ${row.replace(/[^\p{L}\d]+/gu, ' ')} `.includes(
    ` ${wanted.replace(/[^\p{L}\d]+/gu, ' ').trim()} `,
  );
}

/**
 * A row that names a value which was not chosen, where none names the chosen one, is another
 * variant: the user says whether it is meant.
 * @throws RunStop when it is not
 */
export async function settleVariant(run: Run, lines: Totals['lines']): Promise<void> {
  const items = lines.map(({ title }) => title).filter((title) => partKindOf(title) === 'item');
  for (const { chosen, others } of run.state.choices) {
    if (items.some((title) => says(title, chosen))) continue;
    const listed = items.find((title) =>
      others.some((other) => says(title, other) && !says(run.state.productTitle, other)),
    );
    if (listed === undefined) continue;
    const values = await askOnce(run, `variant/${plain(listed)}/${plain(chosen)}`, {
      kind: 'option-choice',
      question: `The shop lists “${listed.slice(0, 120)}”; chosen was “${chosen.slice(0, 80)}”. Is it the same?`,
      options: [
        { value: 'other', title: 'No, buy nothing' },
        { value: 'same', title: 'Yes, buy it' },
      ],
    });
    if (values['choice'] !== 'same')
      fail(
        run,
        `The shop lists “${listed.slice(0, 120)}”, and “${chosen.slice(0, 80)}” was chosen.`,
      );
  }
}

/**
 * What the shop bills beside what was asked for is the user's to say, by a question of its own: a
 * line among others is overlooked.
 * @throws RunStop when it is not to be bought
 */
export async function settleUnasked(
  run: Run,
  lines: Totals['lines'],
  total: ShopMoney,
  pieces: number | undefined,
): Promise<void> {
  const named = [...new Set([...unaskedLines(run, lines), ...foreignLines(run, lines, total)])];
  const counted =
    pieces !== undefined && pieces > run.state.quantity
      ? `${pieces} items instead of ${run.state.quantity}`
      : undefined;
  const found =
    named.length > 0
      ? named
      : [unexplained(run, lines, total) ?? counted].flatMap((text) => text ?? []);
  if (found.length === 0) return;
  const listed = found.map((text) => `“${text.slice(0, 100)}”`).join(', ');
  const values = await askOnce(run, `unasked/${plain(listed)}`, {
    kind: 'option-choice',
    question: `The shop bills ${listed} beside “${run.state.productTitle}”, and nobody asked for that. Buy it too?`,
    options: [
      { value: 'stop', title: 'No, buy nothing' },
      { value: 'buy', title: 'Yes, buy it too' },
    ],
  });
  if (values['choice'] !== 'buy') fail(run, `The shop bills ${listed}, which nobody asked for.`);
}
