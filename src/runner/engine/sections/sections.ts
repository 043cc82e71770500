import { captionOf, isHandle } from '../buttons.ts';
import { assignFields } from '../fields/assign.ts';
import { cardMeanings, type Meaning } from '../fields/meanings.ts';
import { pageOf } from '../page/route.ts';
import type {
  BoxInfo,
  ButtonInfo,
  FieldInfo,
  FormInfo,
  PageInfo,
  SnapshotInfo,
} from '../page/snapshot.ts';
import { words } from '../words/words.ts';
import { foreignKinds, type SectionKind, speaksOf } from './kinds.ts';

/** A part of a page with what belongs together: its fields, and the buttons that send them. */
export interface Section {
  readonly kind: SectionKind;
  readonly box: BoxInfo;
  readonly heading: string;
  readonly fields: readonly FieldInfo[];
  readonly buttons: readonly ButtonInfo[];
}

const choices: readonly string[] = ['radio', 'checkbox', 'switch'];
const isTyped = (field: FieldInfo) => !choices.includes(field.type);
const strong: ReadonlySet<Meaning> = new Set([
  'addressLine1',
  'houseNumber',
  'lastName',
  'firstName',
  'city',
  ...cardMeanings,
]);
const person: ReadonlySet<Meaning> = new Set(['firstName', 'lastName', 'fullName', 'salutation']);
const place: ReadonlySet<Meaning> = new Set(['country', 'state', 'postalCode', 'city']);
const coupon: ReadonlySet<Meaning> = new Set(['coupon', 'giftCard']);

/**
 * Whether a button sends what stands beside it: no link to a page, no plus and minus, nothing that
 * opens or closes.
 */
const sends = (button: ButtonInfo) =>
  isHandle(button) &&
  button.count === '' &&
  button.expanded === '' &&
  button.hasPopup === '' &&
  button.tag !== 'summary' &&
  !['tab', 'option', 'menuitem'].includes(button.role) &&
  !/^[×✕✖+−–-]?$/.test(captionOf(button));

interface Loose {
  readonly fields: readonly FieldInfo[];
  readonly buttons: readonly ButtonInfo[];
}

/**
 * The sections of a page, from the inside out: the least box around fields and a button of their
 * own whose purpose is known, and every form. What has no purpose of its own (a row with a button
 * that finds an address) belongs to what stands around it.
 */
function findSections(page: PageInfo): readonly Section[] {
  const found: Section[] = [];
  const loose: Loose[] = page.boxes.map((_, index) => ({
    fields: page.fields.filter((field) => field.box === index),
    buttons: page.buttons.filter((button) => button.box === index),
  }));
  // Boxes come after those around them.
  for (let index = page.boxes.length - 1; index >= 0; index -= 1) {
    const box = page.boxes[index]!;
    const own = loose[index]!;
    const isWhole = own.fields.length > 0 && own.buttons.some(sends);
    const heading = headingOf(page, box);
    const kind =
      isWhole || (box.isForm && own.fields.length > 0)
        ? kindOf(page, { box, heading, ...own })
        : 'other';
    if (kind !== 'other' || box.isForm) {
      if (own.fields.length + own.buttons.length > 0) found.push({ kind, box, heading, ...own });
    } else if (box.parent >= 0) {
      const around = loose[box.parent]!;
      loose[box.parent] = {
        fields: [...around.fields, ...own.fields],
        buttons: [...around.buttons, ...own.buttons],
      };
    }
  }
  return found;
}

/** How many controls a heading may have around those that it is the heading of. */
const besideMax = 2;

/** The heading of a box, or of those around it that hold nothing else. */
function headingOf({ boxes }: PageInfo, box: BoxInfo): string {
  for (
    let at: BoxInfo | undefined = box;
    at !== undefined && at.size <= box.size + besideMax;
    at = boxes[at.parent]
  )
    if (at.heading !== '') return at.heading;
  return '';
}

interface Candidate extends Loose {
  readonly box: BoxInfo;
  readonly heading: string;
}

function kindOf(page: PageInfo, { box: given, heading, fields, buttons }: Candidate): SectionKind {
  // A form that a script sends names the address of its page, which says nothing of the form.
  const box = pageOf(given.action) === pageOf(page.url) ? { ...given, action: '' } : given;
  const assigned = assignFields(fields, [formOf(box)].concat(page.forms).slice(0, 1)).map(
    ({ meaning }) => meaning,
  );
  const has = (wanted: ReadonlySet<Meaning>) => assigned.some((one) => wanted.has(one));
  const only = (...wanted: readonly Meaning[]) =>
    typed.length > 0 &&
    assigned.length >= typed.length &&
    assigned.every((one) => wanted.includes(one));
  const typed = fields.filter(isTyped);
  const captions = buttons.filter(sends).map((button) => `${captionOf(button)} ${button.label}`);
  const names = fields
    .map((field) => `${field.name} ${field.id} ${field.label} ${field.placeholder} ${field.near}`)
    .join(' ');
  const about = `${box.hint} ${box.action.replace(/^https?:\/\/[^/]+/, '')} ${heading} ${captions.join(' ')}`;
  const leadsOn = buttons.some(
    (button) =>
      sends(button) &&
      (words.continue.test(captionOf(button)) || words.place.test(captionOf(button))),
  );
  const passwords = typed.filter(({ type }) => type === 'password').length;
  if (assigned.includes('cardNumber')) return leadsOn ? 'step' : 'other';
  const offersAccount = fields.some(
    ({ type, label, near }) => type === 'checkbox' && words.accountBox.test(`${label} ${near}`),
  );
  if (
    passwords > 0 &&
    !(offersAccount && leadsOn) &&
    !has(new Set(['addressLine1', 'postalCode', 'city']))
  )
    return accountKind(captions, heading, box, assigned, passwords);
  const isBare = !has(strong) || only('firstName', 'lastName', 'fullName', 'email');
  if (
    box.role === 'search' ||
    (typed.length === 1 &&
      (assigned[0] === 'search' || speaksOf('search', `${names} ${captions.join(' ')}`)) &&
      isBare &&
      !has(person))
  )
    return assigned.some((one) => ['email', 'postalCode', 'quantity', 'coupon'].includes(one))
      ? 'other'
      : 'search';
  if (
    isReview(fields, `${about} ${names}`) &&
    !has(new Set(['addressLine1', 'postalCode', 'city']))
  )
    return 'review';
  if (
    typed.length > 0 &&
    typed.length <= 2 &&
    assigned.every((one) => coupon.has(one)) &&
    (assigned.length > 0 || speaksOf('voucher', `${about} ${names}`))
  )
    return 'voucher';
  if (
    isBare &&
    (assigned.some((one) => one === 'email' || one === 'newsletter') ||
      typed.some(({ type }) => type === 'email')) &&
    typed.length <= 3 &&
    speaksOf('newsletter', about) &&
    !leadsOnFromContact(box)
  )
    return 'newsletter';
  if (only('email', 'newsletter') && box.region === 'footer') return 'newsletter';
  if (
    isBare &&
    fields.some(({ tag }) => tag === 'textarea') &&
    speaksOf('message', `${about} ${names}`)
  )
    return 'message';
  if (assigned.includes('phone') && only('phone', 'fullName', 'firstName') && !leadsOn)
    return 'call-back';
  if (
    typed.length > 0 &&
    assigned.every((one) => place.has(one)) &&
    assigned.some((one) => one !== 'city') &&
    speaksOf('estimate', about)
  )
    return 'estimate';
  if (
    typed.length > 0 &&
    typed.length <= 3 &&
    speaksOf('lookUp', `${about} ${page.heading}`) &&
    isBare
  )
    return 'look-up';
  const isChoice = fields.some(
    ({ type, groupLabel, name, section }) =>
      type === 'radio' &&
      (words.shippingMethod.test(`${groupLabel} ${name} ${section}`) ||
        words.paymentMethod.test(`${groupLabel} ${name} ${section}`)),
  );
  if (
    !isChoice &&
    buttons.filter(sends).length <= 1 &&
    isPreference(box, fields, assigned, `${about} ${names}`)
  )
    return 'preference';
  const isBuyers =
    assigned.length > 0 && !assigned.every((one) => one === 'quantity' || coupon.has(one));
  return leadsOn && (isBuyers || isChoice) ? 'step' : 'other';
}

/** Some checkouts offer news beside the e-mail address, and call the part by that. */
const leadsOnFromContact = (box: BoxInfo) =>
  /checkout|order|shipping|billing|payment|kasse|bestell|commande|pedido/i.test(
    `${box.hint} ${box.action}`,
  );

function accountKind(
  captions: readonly string[],
  heading: string,
  box: BoxInfo,
  assigned: readonly Meaning[],
  passwords: number,
): SectionKind {
  const saysLogin = captions.some(
    (caption) => words.login.test(caption) && !words.register.test(caption),
  );
  const saysRegister =
    captions.some((caption) => words.register.test(caption)) ||
    speaksOf('register', `${heading} ${box.hint} ${box.action}`);
  const isNew = passwords > 1 || assigned.some((one) => person.has(one));
  if (saysLogin && !isNew) return 'login';
  if (isNew || saysRegister) return 'registration';
  // A part of a larger form, with nothing that says what the password is for: of a new account,
  // most likely.
  return box.isForm || saysLogin ? 'login' : 'other';
}

/** Stars, or the words of a review beside something to write. */
function isReview(fields: readonly FieldInfo[], about: string): boolean {
  const radios = fields.filter(({ type }) => type === 'radio');
  const isStars =
    radios.length >= 4 &&
    radios.every(
      ({ value, label }) => /^[1-9]$|^10$/.test(value) || /^[★☆⭐]+$/.test(label.trim()),
    );
  const isWritten = fields.some(({ tag }) => tag === 'textarea') || isStars;
  return isWritten && (isStars || speaksOf('review', about)) && speaksOf('review', about);
}

/** Lists that change what the shop shows: its currency, its language, what is listed. */
function isPreference(
  box: BoxInfo,
  fields: readonly FieldInfo[],
  assigned: readonly Meaning[],
  about: string,
): boolean {
  const isList =
    fields.every((field) => ['select', 'radio'].includes(field.type)) &&
    assigned.every((one) => one === 'country' || one === 'search');
  // What stands beside the page is none of it, whatever its list is of: record companies in Zen
  // Cart.
  if (isList && /side-?box|side-?bar/i.test(box.hint)) return true;
  return (
    isList &&
    (['aside', 'header', 'footer', 'nav'].includes(box.region) || fields.length === 1) &&
    speaksOf('preference', about)
  );
}

/** What was a form is known as one by those who read forms. */
const formOf = (
  { hint, role, action, method, text, region }: BoxInfo,
  kind?: SectionKind,
): FormInfo => ({
  tag: 'form',
  hint,
  role,
  action,
  method,
  heading: text,
  region,
  kind,
});

/**
 * The page without its foreign sections, and with the other ones as the containers of their fields
 * and buttons. Layers over the page keep theirs: they are closed by their buttons.
 */
export function divide<T extends PageInfo>(page: T): T & SnapshotInfo {
  const sections = findSections(page);
  const foreign = sections.filter(
    (section) =>
      foreignKinds.has(section.kind) && section.box.region !== 'dialog' && !sells(section),
  );
  const gone = new Set(
    foreign.flatMap(({ fields, buttons }) => [...fields, ...buttons]).map(({ ref }) => ref),
  );
  const forms = [...page.forms];
  const containerOf = new Map<number, number>();
  for (const section of sections) {
    const action = actionAround(page, section.box);
    const container = forms.push({ ...formOf(section.box, section.kind), ...action }) - 1;
    for (const { ref } of [...section.fields, ...section.buttons]) containerOf.set(ref, container);
  }
  const kept = <C extends FieldInfo | ButtonInfo>(all: readonly C[]) =>
    all
      .filter(({ ref }) => !gone.has(ref))
      .map((one) =>
        containerOf.has(one.ref) ? { ...one, container: containerOf.get(one.ref)! } : one,
      );
  return { ...page, forms, fields: kept(page.fields), buttons: kept(page.buttons), sections };
}

/**
 * A list to sort by may be the only field of a page full of products, and one of currencies that of
 * a whole cart: what puts something into the cart, or leads from it to the checkout, is never
 * foreign.
 */
const sells = ({ buttons }: Section) =>
  buttons.some((button) =>
    [words.addToCart, words.buyNow, words.checkout, words.place].some((says) =>
      says.test(captionOf(button)),
    ),
  );

/** Where a section within a form is sent. */
function actionAround({ boxes }: PageInfo, box: BoxInfo): { action: string; method: string } {
  for (let at: BoxInfo | undefined = box; at !== undefined; at = boxes[at.parent])
    if (at.isForm) return { action: at.action, method: at.method };
  return { action: '', method: '' };
}
