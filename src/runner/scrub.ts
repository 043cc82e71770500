import { cardBrand, isCardNumber } from '../lib/money/card-number.ts';
import type { TypedSecret } from './live/typed-secrets.ts';
import type {
  RunCard,
  RunEnd,
  StepEvidence,
  UserActionAnswer,
  UserActionRequest,
} from './types.ts';

/** Stands where something was taken out, also in an address. */
const hiddenMark = '***';

const passwordLengthMin = 4;
const codeLengthMin = 6;
/** A number that is cut off is one all the same; its first six digits name the bank only. */
const cardDigitsMin = 9;
const numberDigitsMin = 13;
const numberDigitsMax = 19;

const escaped = String.raw`%(?:25)*(?!3\d)[0-9a-f]{2}`;
const between = String.raw`(?:${escaped}|&#?\w{1,8};|\D){0,4}?`;
const digitOf = (digit: string) => `(?:%(?:25)*3${digit}|${digit})`;
const securityCode =
  '(?:cvc2?|cvv2?|csc|cid|(?:security|card|verification)[^\\p{L}\\p{N}]{0,3}(?:code|number|value)|pr(?:ü|ue)f(?:ziffer|nummer|zahl)|sicherheitscode|cryptogramme|c[oó]digo de seguridad|codice di sicurezza)';

/**
 * Which numbers that pass the check of card numbers (Luhn) are taken for one: all, or those that a
 * network gives out.
 */
type Suspicion = 'any' | 'of-a-network';

/**
 * What a run has typed in confidence is taken out of everything that it says; card numbers are,
 * whoever typed them. A page may write such things into its address, its title or what it calls the
 * number of the order.
 */
export class Scrubber {
  readonly #cards: RegExp[] = [];
  readonly #others: RegExp[] = [];

  learnCard({ number, cvc }: Pick<RunCard, 'number' | 'cvc'>): void {
    const digits = number.replaceAll(/\D/g, '');
    if (digits.length >= cardDigitsMin) this.#cards.push(cardPattern(digits));
    if (!/^\d{3,4}$/.test(cvc)) return;
    const space = `(?:${escaped}|[^\\p{L}\\p{N}]){0,6}`;
    this.#others.push(
      new RegExp(`(?<=${securityCode}${space}(?:(?:is|code|number)${space})?)${cvc}(?!\\d)`, 'giu'),
    );
    this.#others.push(new RegExp(`(?<=\\*\\*\\*[^\\p{L}]{0,24})(?<!\\d)${cvc}(?!\\d)`, 'gu'));
  }

  learnPassword(password: string): void {
    if (password.trim().length < passwordLengthMin) return;
    const plain = password.normalize('NFKC');
    const encoded = [...new Set([password, plain])].flatMap((one) => [
      encodeURIComponent(one),
      new URLSearchParams([['', one]]).toString().slice(1),
    ]);
    this.#others.push(
      new RegExp([plain, plain.trim(), ...encoded].map(escapeForRegExp).join('|'), 'gu'),
    );
  }

  /** A short one is in prices and dates, too, and worth nothing a moment later. */
  learnCode(code: string): void {
    const signs = [...code.replaceAll(/[\s-]/g, '')];
    if (signs.length >= codeLengthMin)
      this.#others.push(new RegExp(signs.map(escapeForRegExp).join('[\\s-]?'), 'giu'));
  }

  /** What the user has answered, if it is a secret. */
  learnAnswer({ kind }: UserActionRequest, answer: UserActionAnswer): void {
    if (answer.action !== 'submit') return;
    const said = (name: string) =>
      typeof answer.values[name] === 'string' ? answer.values[name] : '';
    if (kind === 'merchant-login') this.learnPassword(said('password'));
    if (kind === 'one-time-code') this.learnCode(said('code'));
    if (kind === 'payment-credential') this.learnCard({ number: said('number'), cvc: said('cvc') });
  }

  /** What the user has typed by hand in the live page. */
  learnTyped({ kind, value }: TypedSecret): void {
    if (kind === 'password') this.learnPassword(value);
    else if (kind === 'code') this.learnCode(value);
    else
      this.learnCard(
        kind === 'card-number' ? { number: value, cvc: '' } : { number: '', cvc: value },
      );
  }

  text(text: string, suspicion: Suspicion = 'any'): string {
    return hideIn(text, (plain) => replaceAll(this.#hideCards(plain, suspicion), this.#others));
  }

  evidence(evidence: StepEvidence): StepEvidence {
    const { url, detail } = evidence;
    return {
      ...evidence,
      ...(url !== undefined && { url: this.text(url) }),
      ...(detail && { detail: this.#deep(detail) }),
    };
  }

  /**
   * The worker compares origins with each other, so that only a card number changes them, and
   * always alike.
   */
  origin(origin: string): string {
    return hideIn(origin, (plain) => this.#hideCards(plain, 'any'));
  }

  request(request: UserActionRequest): UserActionRequest {
    if (request.kind !== 'option-choice') return this.#deep(request);
    const options = request.options.map(({ value, title }, index) => ({
      value: this.#optionValue(value, index),
      title: this.text(title),
    }));
    return { ...request, question: this.text(request.question), options };
  }

  /** The answer to {@link request}, in the words of the question as it was before. */
  answer(request: UserActionRequest, answer: UserActionAnswer): UserActionAnswer {
    if (request.kind !== 'option-choice' || answer.action !== 'submit') return answer;
    const chosen = request.options.find(
      ({ value }, index) => this.#optionValue(value, index) === answer.values.choice,
    );
    return chosen ? { ...answer, values: { ...answer.values, choice: chosen.value } } : answer;
  }

  end(end: RunEnd): RunEnd {
    if (end.outcome === 'cancelled') return end;
    if (end.outcome === 'failed') return { ...end, message: this.text(end.message) };
    const { outcome, total, merchantOrderId, confirmationUrl, confirmationText } = end;
    const isOrderId =
      merchantOrderId !== undefined &&
      this.text(merchantOrderId, 'of-a-network') === merchantOrderId;
    return {
      outcome,
      total,
      ...(isOrderId && { merchantOrderId }),
      ...(confirmationUrl !== undefined && { confirmationUrl: this.text(confirmationUrl) }),
      ...(confirmationText !== undefined && { confirmationText: this.text(confirmationText) }),
    };
  }

  #hideCards(text: string, suspicion: Suspicion): string {
    return hideCardNumbers(replaceAll(text, this.#cards), suspicion);
  }

  #optionValue(value: string, index: number): string {
    return this.text(value) === value ? value : `option-${index + 1}`;
  }

  #deep<T>(value: T, name = ''): T {
    if (typeof value === 'string') return this.#named(value, name) as T;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one: unknown) => this.#deep(one, name)) as T;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, this.#deep<unknown>(one, key)]),
    ) as T;
  }

  #named(value: string, name: string): string {
    switch (name) {
      case 'kind':
      case 'needs':
      case 'missing':
      case 'countries':
      case 'currency':
        return value;
      case 'origin':
        return this.origin(value);
      // Later tries count and compare with them: amounts of smallest units, and names of products
      // with their article numbers.
      case 'total':
        return /^\d{1,12}$/.test(value) ? value : this.text(value);
      case 'product':
      case 'merchantOrderId':
        return this.text(value, 'of-a-network');
      default:
        return this.text(value);
    }
  }
}

/** Long numbers of whatever kind: for a log, which nobody misses them in. */
export const hideLongNumbers = (text: string): string =>
  text.replaceAll(/\d(?:[ -]?\d){8,}/g, hiddenMark);

const escapeForRegExp = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const replaceAll = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((rest, pattern) => rest.replaceAll(pattern, hiddenMark), text);

/**
 * Digits of another script or width are digits; a text in which nothing is hidden stays as it is.
 */
function hideIn(text: string, hide: (plain: string) => string): string {
  const plain = text.normalize('NFKC');
  const hidden = hide(plain);
  return hidden === plain ? text : hidden;
}

/** The number with whatever stands between its digits, also when its end is cut off. */
function cardPattern(digits: string): RegExp {
  const parts = [...digits].map(digitOf);
  const start = parts.slice(0, cardDigitsMin).join(between);
  const rest = parts
    .slice(cardDigitsMin)
    .reduceRight((after, part) => `(?:${between}${part}${after})?`, '');
  return new RegExp(start + rest, 'giu');
}

interface Block {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

const blockPattern = new RegExp(`${escaped}|((?:\\d|%(?:25)*3\\d)+)`, 'gi');
const gapPattern = new RegExp(`^(?:(?!%(?:25)*2f)${escaped}|[\\s\\p{Pd}\\p{Cf}._+]){1,3}$`, 'iu');

/**
 * Hides numbers of 13 to 19 digits that pass the check, also in the groups in which cards have
 * them.
 */
function hideCardNumbers(text: string, suspicion: Suspicion): string {
  const blocks = [...text.matchAll(blockPattern)].flatMap(({ 0: whole, 1: digits, index }) =>
    digits === undefined
      ? []
      : [{ digits: digits.replaceAll(/%(?:25)*3/g, ''), start: index, end: index + whole.length }],
  );
  let hidden = '';
  let from = 0;
  for (let at = 0; at < blocks.length; at++) {
    const count = countOfCard(text, blocks, at, suspicion);
    if (count === 0) continue;
    hidden += text.slice(from, blocks[at]!.start) + hiddenMark;
    at += count - 1;
    from = blocks[at]!.end;
  }
  return hidden + text.slice(from);
}

/** How many blocks from this one on are a card number together. */
function countOfCard(
  text: string,
  blocks: readonly Block[],
  at: number,
  suspicion: Suspicion,
): number {
  let digits = '';
  for (let next = at; next < blocks.length; next++) {
    const block = blocks[next]!;
    const before = blocks[next - 1];
    // Cards have groups of three digits at least, but the last.
    if (
      next > at &&
      (before!.digits.length < 3 || !gapPattern.test(text.slice(before!.end, block.start)))
    )
      return 0;
    digits += block.digits;
    if (digits.length > numberDigitsMax) return 0;
    const isNumber = digits.length >= numberDigitsMin && isCardNumber(digits);
    if (isNumber && (suspicion === 'any' || cardBrand(digits))) return next - at + 1;
  }
  return 0;
}
