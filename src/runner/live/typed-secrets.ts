import type { ElementHandle, Frame, Page } from 'playwright-core';

/**
 * What a user has typed by hand into a field that is secret by its kind. It goes to the scrubber of
 * the run, and nowhere else.
 */
export interface TypedSecret {
  readonly kind: 'password' | 'code' | 'card-number' | 'security-code';
  readonly value: string;
}

interface Focused {
  /** Which field it is, as far as one can tell from outside. */
  readonly key: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly words: string;
  readonly value: string;
  readonly isSingle: boolean;
}

const framesDeepMax = 5;
const valueMax = 200;
const readMsMax = 1_000;

// Only reads. What says of a field that it is secret: its type, its token of the standard, and the
// words at it.
const focusedScript = `(() => {
  let el = document.activeElement;
  if (el && /^I?FRAME$/.test(el.tagName)) return 'frame';
  while (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
  if (!el || !/^(INPUT|TEXTAREA)$/.test(el.tagName)) return null;
  const text = (one) => (one && one.textContent || '').slice(0, 80);
  const words = [el.name, el.id, el.placeholder, el.getAttribute('aria-label'), ...[...(el.labels || [])].map(text)].filter(Boolean).join(' ');
  return { key: [el.tagName, el.name, el.id, words, [...el.ownerDocument.querySelectorAll('input,textarea')].indexOf(el)].join('|'), type: el.type, autocomplete: el.autocomplete || '', words: words.slice(0, 300), value: String(el.value).slice(0, ${valueMax}), isSingle: el.maxLength === 1 };
})()`;

/**
 * Follows what is typed into secret fields of a page, field by field: half a password is in many
 * words.
 */
export class TypedSecrets {
  readonly #page: Page;
  readonly #tell: (secret: TypedSecret) => void;
  #last: (TypedSecret & { readonly key: string }) | undefined;
  /** A code that has a field for each of its digits. */
  #digits = '';

  constructor(page: Page, tell: (secret: TypedSecret) => void) {
    this.#page = page;
    this.#tell = tell;
  }

  /** Does what types a text, and looks at the field before and after. */
  async type(text: string, work: () => Promise<void>): Promise<void> {
    const before = await this.#read();
    // Such a field hands the focus on at once.
    if (before?.isSingle) this.#digits += text;
    await work();
    if (!before?.isSingle) this.#note(await this.#read());
  }

  /** Does what a key does: it may send the field or leave it, or take something away. */
  async press(key: string, work: () => Promise<void>): Promise<void> {
    const before = await this.#read();
    this.#note(before);
    await work();
    if (key !== 'Backspace' && key !== 'Delete') return;
    if (before?.isSingle) this.#digits = this.#digits.slice(0, -1);
    else this.#note(await this.#read());
  }

  async #read(): Promise<Focused | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), readMsMax);
    });
    return Promise.race([readFocused(this.#page.mainFrame()).catch(() => undefined), late]).finally(
      () => clearTimeout(timer),
    );
  }

  #note(focused: Focused | undefined): void {
    const kind = focused && !focused.isSingle && kindOf(focused);
    if (!focused || !kind || focused.value === '') return;
    if (this.#last && this.#last.key !== focused.key) this.#leave();
    this.#last = { key: focused.key, kind, value: focused.value };
  }

  /** The field is left, or sent: what it held last is told. */
  #leave(): void {
    const last = this.#last;
    this.#last = undefined;
    if (last) this.#tell({ kind: last.kind, value: last.value });
  }

  /** Nothing more is typed for now. */
  end(): void {
    this.#leave();
    if (this.#digits !== '') this.#tell({ kind: 'code', value: this.#digits });
    this.#digits = '';
  }
}

async function readFocused(frame: Frame, depth = 0): Promise<Focused | undefined> {
  const found = await frame.evaluate<Focused | 'frame' | null>(focusedScript);
  if (found !== 'frame')
    return found === null ? undefined : { ...found, key: `${frame.url()}|${found.key}` };
  if (depth >= framesDeepMax) return undefined;
  const handle = await frame.evaluateHandle('document.activeElement');
  const focused = handle.asElement() as ElementHandle | null;
  const inner = await focused?.contentFrame();
  return inner ? readFocused(inner, depth + 1) : undefined;
}

const securityCode =
  /\bcsc\b|cvc|cvv|cvn|security.?code|card.?code|prufziffer|pr(?:ü|ue)f(?:ziffer|nummer)|cryptogramme|c[oó]digo de seguridad/i;
const cardNumber =
  /card.?num|cardnum|ccnum|cc.?number|number on (?:the )?card|kartennummer|num[eé]ro de (?:la )?(?:carte|tarjeta)|\bpan\b/i;
const code =
  /otp|one.?time|passcode|\btan\b|\bpin\b|verification|authentication|(?:sms|security|access|login|confirmation) ?code|\bcode\b|sicherheitscode|best(?:ä|ae)tigungscode|code de (?:v[eé]rification|s[eé]curit[eé])|c[oó]digo/i;
const otherCode =
  /post|zip|promo|coupon|discount|voucher|gift|gutschein|rabatt|country|phone|area|referr|remise|descuento|cupon/i;

function kindOf({ type, autocomplete, words }: Focused): TypedSecret['kind'] | undefined {
  if (/\bcc-csc\b/.test(autocomplete) || securityCode.test(words)) return 'security-code';
  if (/\bcc-number\b/.test(autocomplete) || cardNumber.test(words)) return 'card-number';
  if (/one-time-code/.test(autocomplete) || (code.test(words) && !otherCode.test(words)))
    return 'code';
  if (
    type === 'password' ||
    /password/.test(autocomplete) ||
    /passw|kennwort|mot de passe|contrase/i.test(words)
  )
    return 'password';
  return undefined;
}
