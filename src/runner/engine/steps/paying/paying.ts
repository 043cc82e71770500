import type { FieldInfo, Snapshot } from '../../page/snapshot.ts';
import { askOnce, fail, type Run } from '../../run.ts';
import { withLanguages } from '../../words/languages.ts';
import { surelyWantedIn } from '../../words/wishes.ts';
import { plain, words } from '../../words/words.ts';

/**
 * Ways of paying that leave the user something to do, by what shops call them and requests ask for.
 */
const named = {
  'cash on delivery':
    /(?:cash|pay(?:ment)?|paid) on delivery|\bc\.?o\.?d\.?\b|pay (?:in )?cash|cash (?:when|upon|at) |nachnahme|barzahlung|bar (?:bei|zahlen)|contre[- ]remboursement|(?:contra|contra ?)reembolso|contrassegno|onder rembours|代引/,
  'bank transfer':
    /bank(?:ing)? (?:transfer|wire)|wire (?:transfer|payment)|by wire|direct bank|uberweisung|vorkasse|virement|transferencia|bonifico|overschrijving|振込/,
  invoice:
    /\b(?:on|by|per|with|auf|pro) (?:account|invoice|rechnung)\b|kauf auf rechnung|pay later by invoice|sur facture|con factura/,
  cheque:
    /che(?:que|ck) (?:\/|or) money order|\b(?:by|per|with) che(?:que|ck)\b|money order|par cheque/,
} as const;
const ways = {
  ...named,
  'cash on delivery': withLanguages(named['cash on delivery'], 'cashOnDelivery'),
  'bank transfer': withLanguages(named['bank transfer'], 'bankTransfer'),
  invoice: withLanguages(named.invoice, 'invoice'),
};
type Way = keyof typeof ways;

/** The way that a text names, of those that leave something to do; undefined: none of them. */
export function wayIn(words: string): Way | undefined {
  const text = plain(words);
  return (Object.keys(ways) as Way[]).find((way) => ways[way].test(text));
}

/** “Birthday card” says nothing of how it is paid. */
const byCard =
  /(?:^|\s)(?:by|with|via|using|use|per|mit|par|con|met|com|med)(?: \S+){0,2}? \S*(?:card|karte|kort|tarjeta|carte|carta|cartao|karta|kartou)(?!\p{L})/u;

/** Right before a way of paying: this one is not to be used. */
const refused =
  /(?:^|\s)(?:no|not|without|never|do ?n.t|kein(?:e[nmrs]?)?|nicht|ohne|pas|sans)(?: (?:pay|by|per|via|with|on|use|an|a|auf|mit|de|par))* ?$/;

/**
 * The one that a request asks for: “no invoice” asks for none. A request that names one beside
 * something it does not want may mean either: `unclear`.
 */
export function wayWanted(request = ''): Way | 'unclear' | undefined {
  const sure = surelyWantedIn(request);
  const found = wayIn(sure);
  if (found !== undefined || byCard.test(plain(sure))) return found;
  const text = plain(request);
  const named = Object.values(ways).flatMap((way) => way.exec(text) ?? []).length > 0;
  const isRefused = Object.values(ways).every((way) => {
    const at = way.exec(text)?.index;
    return at === undefined || refused.test(text.slice(0, at));
  });
  return named && !isRefused ? 'unclear' : undefined;
}

const detail =
  /\biban\b|\bbic\b|swift|account (?:number|name|holder|no)|sort code|routing|payment reference|reference:|verwendungszweck|kontoinhaber|\bkonto\b|titulaire|motif du virement|titular|concepto|beneficiario|causale|rekening|口座|within \d+ days|innerhalb von \d+ tagen/;
const detailsMax = 6;
/** A shop asks for its money still. “Payment due” alone is what some call their total. */
const payLater = withLanguages(
  /please (?:transfer|pay|wire)|(?:payment|amount|balance) (?:is (?:still )?|still )(?:due|open|outstanding)|payment (?:is )?pending|awaiting (?:your )?payment|still to (?:pay|be paid)/,
  'payLater',
);

/**
 * What an order leaves the user to do by its way of paying, with what the shop's confirmation says
 * of it; empty where nothing is left.
 */
export function leftToDo(paying: string | undefined, shown: string): string {
  const way = paying === undefined ? undefined : wayIn(paying);
  const lines = shown
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && line.length < 160);
  const isAsked = lines.some((line) => payLater.test(plain(line)));
  if (way === undefined && !isAsked) return '';
  const isDetail = (line: string) => detail.test(plain(line)) || payLater.test(plain(line));
  const details = [...new Set(lines.filter(isDetail))].slice(0, detailsMax);
  if (way === undefined)
    return `The shop says that payment is still to come (${details.join('; ')}).`;
  return `Left for you to do: ${way}${details.length === 0 ? '' : ` (${details.join('; ')})`}.`;
}

/**
 * The way of paying among radio buttons: what the request says, else the card. Where there is
 * neither, the user says it.
 * @throws RunStop when the user wants none of them
 */
export async function choosePaying(
  run: Run,
  open: readonly FieldInfo[],
  textOf: (field: FieldInfo) => string,
): Promise<FieldInfo | undefined> {
  const wanted = wayWanted(run.task.request);
  const card =
    open.find((field) => words.card.test(textOf(field)) && !words.giftCard.test(textOf(field))) ??
    open.find((field) => /card|cc\b/i.test(field.value));
  const found =
    wanted === undefined
      ? card
      : wanted === 'unclear'
        ? undefined
        : open.find((field) => ways[wanted].test(plain(textOf(field))));
  const chosen = found ?? (await askPaying(run, open, textOf, wanted));
  if (chosen !== undefined)
    run.state.paying = textOf(chosen).replace(/\s+/g, ' ').trim().slice(0, 120);
  return chosen;
}

async function askPaying(
  run: Run,
  open: readonly FieldInfo[],
  textOf: (field: FieldInfo) => string,
  wanted: Way | 'unclear' | undefined,
): Promise<FieldInfo | undefined> {
  if (open.length === 0) return undefined;
  const titles = open.map((field) => textOf(field).replace(/\s+/g, ' ').trim().slice(0, 120));
  const values = await askOnce(run, `paying/${titles.join('/')}`, {
    kind: 'option-choice',
    question:
      wanted === 'unclear'
        ? 'The request names a way of paying beside something it does not want. How shall it be paid?'
        : `The shop does not offer ${wanted ?? 'to pay by card'} here. How shall it be paid?`,
    options: titles.map((title, index) => ({
      value: String(index),
      title: title || `Way ${index + 1}`,
    })),
  });
  return open[Number(values['choice'])] ?? fail(run, 'No way of paying was chosen.');
}

/**
 * A card is typed where the request wants to pay in another way: refused before the card is asked
 * for, or asked about where that is not clear.
 * @throws RunStop
 */
export async function refuseCard(run: Run): Promise<void> {
  const wanted = wayWanted(run.task.request);
  const { paying, asked } = run.state;
  if (wanted === undefined || (paying !== undefined && words.card.test(paying))) return;
  const hasChosen = [...asked.keys()].some((key) => key.startsWith('paying/'));
  if (wanted !== 'unclear' && !hasChosen)
    fail(run, `The shop takes a card here, and the request says ${wanted}: nothing was paid.`);
  const values = await askOnce(run, 'paying/card', {
    kind: 'option-choice',
    question: 'The shop takes a card here, and the request may mean another way. Pay by card?',
    options: [
      { value: 'card', title: 'Yes, pay by card' },
      { value: 'stop', title: 'No, stop' },
    ],
  });
  if (values['choice'] !== 'card')
    fail(run, 'The shop takes a card here, which was not wanted: nothing was paid.');
}

const addressHeading =
  /(?:ship|deliver|send)(?:ping|y|s|ing)? (?:to|address)|liefer(?:adresse|ung an)|adresse de livraison|livr(?:er|aison) a|direccion de (?:envio|entrega)|enviar a|indirizzo di (?:spedizione|consegna)|bezorgadres|お届け先/;
const linesAfter = 3;

/**
 * Where the shop sends it, as it says so: the lines with the buyer's street, or below a heading;
 * else what stands in the fields of the page. Undefined where the page shows none.
 */
export function shownAddress(run: Run, snapshot: Snapshot): string | undefined {
  const lines = snapshot.text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const street = plain(run.state.buyer.shipping?.addressLines[0] ?? '');
  const at = street === '' ? -1 : lines.findIndex((line) => plain(line).includes(street));
  // What can be pressed beside it ends it.
  const isPressed = (line: string) => snapshot.buttons.some((button) => button.text === line);
  const end = lines.findIndex((line, index) => index > at && isPressed(line));
  if (at >= 0)
    return joined(lines.slice(at, end < 0 ? at + linesAfter : Math.min(end, at + linesAfter)));
  const typed = snapshot.fields.filter(
    (field) => street !== '' && plain(field.value).includes(street),
  );
  if (typed.length > 0) {
    const own = snapshot.fields.filter(
      (field) =>
        field.container === typed[0]!.container &&
        ['text', 'textarea', ''].includes(field.type) &&
        field.value.length > 1,
    );
    return joined([...new Set(own.map((field) => field.value))].slice(0, 8));
  }
  const heading = lines.findIndex((line) => line.length < 60 && addressHeading.test(plain(line)));
  return heading < 0 ? undefined : joined(lines.slice(heading, heading + 1 + linesAfter));
}

const joined = (lines: readonly string[]) => lines.join(', ').replace(/\s+/g, ' ').slice(0, 200);
