import type { Way } from '../../fixtures/shops/generated/index.ts';
import { cardAnswer } from '../harness/checkout-world.ts';

/** What somebody who buys knows, and answers from. */
export interface CustomerKnows {
  /** Texts of the values that are wanted: `Blue`, `M`. */
  readonly values: readonly string[];
  /** Undefined: no way of paying was said, and a card will do. */
  readonly way: Way | undefined;
  readonly login: { readonly username: string; readonly password: string } | undefined;
  readonly contact: Readonly<Record<string, string>>;
  /** Whether the shop has the order. */
  hasOrder(): boolean | Promise<boolean>;
}

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly responseSchema: {
    readonly properties: Readonly<Record<string, { readonly oneOf?: readonly Option[] }>>;
  };
}

interface Option {
  readonly const: string;
  readonly title?: string;
}

export type CustomerAnswer = Readonly<Record<string, unknown>> | 'decline';

/** What shops of seven languages and the service call the ways of paying. */
const wayWords: Readonly<Record<Way, RegExp>> = {
  card: /credit|debit|\bcard\b|kreditkarte|carte|tarjeta|carta di|creditcard|cart[ãa]o/i,
  cod: /cash|on delivery|nachnahme|à la livraison|reembolso|contrassegno|aflevering|na entrega/i,
  bank: /transfer|überweisung|vorkasse|virement|transferencia|bonifico|overschrijving|transferência/i,
};
const cheapWords = /flat|standard|est[áa]ndar|standaard|normal/i;
const deliveryWords =
  /deliver|shipp|versand|liefer|livraison|env[íi]o|spedizione|consegna|verzend|bezorg|entrega/i;
const no = /^(?:no\b|not?\b|nein|decline|without|keep|stop|do not|as a guest|guest)/i;
const takeOut = /take (?:it|them)? ?out|remove|leave the cart|empty|change it to \d/i;

/**
 * Answers a question as a careful person would; declines what that person cannot answer or does not
 * want.
 */
export async function answerAsCustomer(
  question: Question,
  knows: CustomerKnows,
): Promise<CustomerAnswer> {
  const { properties } = question.responseSchema;
  switch (question.kind) {
    case 'approve-purchase':
      return { approved: true };
    case 'contact-and-shipping':
      return Object.fromEntries(
        Object.keys(properties).map((name) => [name, knows.contact[name] ?? '']),
      );
    case 'option-choice':
      return choose(question, properties['choice']?.oneOf ?? [], knows);
    case 'merchant-login':
      return knows.login
        ? Object.fromEntries(Object.entries(knows.login).filter(([name]) => name in properties))
        : 'decline';
    case 'payment-credential':
      return knows.way === undefined || knows.way === 'card' ? cardFor(properties) : 'decline';
    case 'confirm-outcome':
      return { outcome: (await knows.hasOrder()) ? 'placed' : 'not-placed' };
    default:
      return 'decline';
  }
}

const cardFor = (properties: object) =>
  Object.fromEntries(Object.entries(cardAnswer).filter(([name]) => name in properties));

function choose(
  question: Question,
  options: readonly Option[],
  knows: CustomerKnows,
): CustomerAnswer {
  const text = ({ const: value, title }: Option) => title ?? value;
  const find = (isIt: (shown: string) => boolean) => options.find((option) => isIt(text(option)));
  const isValue = (shown: string) =>
    knows.values.some(
      (value) => shown === value || shown.startsWith(`${value} `) || shown.startsWith(`${value} (`),
    );
  const ways = options.filter((option) =>
    Object.values(wayWords).some((words) => words.test(text(option))),
  );
  const asksWay =
    /how shall it be paid/i.test(question.message) ||
    ways.length > 1 ||
    (ways.length === 1 && options.length === 1);
  const asksDelivery = !asksWay && deliveryWords.test(question.message);
  const isAccount = /account|konto|compte|cuenta|conta\b/i.test(question.message);
  const isCart = /cart|basket/i.test(question.message);
  const found =
    find(isValue) ??
    (asksWay ? find((shown) => wayWords[knows.way ?? 'card'].test(shown)) : undefined) ??
    (asksWay && knows.way === undefined ? options[0] : undefined) ??
    (isAccount && !knows.login ? find((shown) => no.test(shown)) : undefined) ??
    (isCart ? find((shown) => takeOut.test(shown)) : undefined) ??
    (asksDelivery ? (find((shown) => cheapWords.test(shown)) ?? options[0]) : undefined);
  return found ? { choice: found.const } : 'decline';
}
