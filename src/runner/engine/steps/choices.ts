import { click } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { isGone, setChecked } from '../fields/fill.ts';
import { countryNames } from '../fields/places.ts';
import { hasAmount, pricesIn } from '../money/prices.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { askOnce, fail, type Run, readPage } from '../run.ts';
import { surelyWantedIn, wantedIn } from '../words/wishes.ts';
import { comesAgain, isPlan, plain, words } from '../words/words.ts';
import { leaveExtras } from './buyer/extra-choices.ts';
import { chooseSavedAddress } from './buyer/saved-address.ts';
import { choosePaying, wayIn } from './paying/paying.ts';

/** “Do not create a customer account” names one. */
const accountWord = /account|konto|compte|cuenta|\bconta\b|\btili|účet|účtu/i;

/** In one clause: “No account yet? Sign me up” says more. */
function saysNoAccount(label: string): boolean {
  const isNone = accountWord.test(label)
    ? !accountWord.test(wantedIn(label)) && !/[?!.:;,–—-]\s/.test(label)
    : words.guest.test(label) && !words.login.test(label);
  return isNone && !words.accountBox.test(wantedIn(label));
}

/** And nothing else, so that it may be ticked. */
const saysOnlyNoAccount = (label: string): boolean =>
  accountWord.test(label) &&
  saysNoAccount(label) &&
  !hasAmount(label) &&
  /^(?:do|i|please|ich|je)?$/.test(plain(wantedIn(label)));

type Box = Pick<FieldInfo, 'label' | 'near' | 'name' | 'required' | 'checked'>;

/** What a check box should be; undefined leaves it as it is. */
export function wantedTick(field: Box): boolean | undefined {
  const text = `${field.label} ${field.near} ${field.name}`;
  if (words.sameAddress.test(text)) return true;
  if (words.accountBox.test(text) && !saysNoAccount(field.label))
    return field.required ? undefined : false;
  const isTerms = words.terms.test(field.label || field.near);
  const isMarketing = words.marketing.test(text) && !(field.required && isTerms);
  if (isMarketing) return false;
  if (comesAgain(text) || (words.extra.test(text) && !isTerms)) return false;
  if (isTerms) return true;
  if (field.checked && !field.required && (/\+\s?\d/.test(text) || hasAmount(text))) return false;
  return field.required || saysOnlyNoAccount(field.label) ? true : undefined;
}

/** Ticks what the shop requires and unticks what nobody asked for. */
export async function tickBoxes(
  run: Run,
  snapshot: Snapshot,
  containers: ReadonlySet<number>,
): Promise<boolean> {
  let hasChanged = false;
  for (const field of snapshot.fields) {
    if (await confirmAge(run, snapshot, field)) hasChanged = true;
    const isBox = field.type === 'checkbox' || field.type === 'switch';
    if (!isBox || field.disabled || ['header', 'footer', 'nav'].includes(field.region)) continue;
    if (
      !containers.has(field.container) &&
      !field.required &&
      !field.checked &&
      !words.terms.test(field.label)
    )
      continue;
    const wanted = wantedTick(field);
    if (wanted === undefined || wanted === field.checked) continue;
    if (await setChecked(snapshot, field, wanted)) {
      hasChanged = true;
      run.log.info({ box: field.label.slice(0, 80), ticked: wanted }, 'A box was changed.');
    }
  }
  return hasChanged;
}

/** A box that says how old somebody is: ticked when the user says so. */
async function confirmAge(run: Run, snapshot: Snapshot, field: FieldInfo): Promise<boolean> {
  if (field.type !== 'checkbox' || field.checked || field.disabled || !words.age.test(field.label))
    return false;
  const values = await askOnce(run, `age/${field.label}`, {
    kind: 'option-choice',
    question: `The shop asks you to confirm: “${field.label.slice(0, 160)}”`,
    options: [
      { value: 'yes', title: 'Yes' },
      { value: 'no', title: 'No' },
    ],
  });
  return values['choice'] === 'yes' && setChecked(snapshot, field, true);
}

/** Unticks what a page has ticked and nobody asked for. */
export async function untickExtras(run: Run, snapshot: Snapshot): Promise<boolean> {
  const isUnticked = await setBoxes(run, snapshot, (field) =>
    field.checked && wantedTick(field) === false ? false : undefined,
  );
  return (await leaveExtras(run, snapshot)) || isUnticked;
}

/** A cart is no form of the buyer, but some ask there for what a checkout asks for: the terms. */
export const agreeToTerms = (run: Run, snapshot: Snapshot): Promise<boolean> =>
  setBoxes(run, snapshot, (field) =>
    !field.checked && words.terms.test(field.label) && wantedTick(field) ? true : undefined,
  );

async function setBoxes(
  run: Run,
  snapshot: Snapshot,
  wantedOf: (field: FieldInfo) => boolean | undefined,
): Promise<boolean> {
  let hasChanged = false;
  for (const field of snapshot.fields) {
    const isBox = field.type === 'checkbox' || field.type === 'switch';
    const wanted = isBox && !field.disabled ? wantedOf(field) : undefined;
    if (wanted === undefined) continue;
    hasChanged = (await setChecked(snapshot, field, wanted)) || hasChanged;
    run.log.info({ box: field.label.slice(0, 80), ticked: wanted }, 'A box was changed.');
  }
  return hasChanged;
}

/** Ways of delivery that name countries count only for those. */
function forCountry(
  fields: readonly FieldInfo[],
  textOf: (field: FieldInfo) => string,
  code: string | undefined,
): readonly FieldInfo[] {
  if (code === undefined) return fields;
  const names = countryNames(code).filter((name) => name.length > 3 || name === code);
  const named = fields.filter((field) =>
    names.some((name) =>
      new RegExp(`(?<!\\p{L})${name.replace(/[.()]/g, '\\$&')}(?!\\p{L})`, 'u').test(textOf(field)),
    ),
  );
  return named.length > 0 ? named : fields;
}

/** How a delivery is called where nothing says that it is one. */
const deliveryTime =
  /\bdays?\b|tomorrow|overnight|courier|express|next[- ]day|same[- ]day|standard (?:shipping|delivery|mail)|by post|\bmail\b|werktag|kurier|jours?\b|coursier|días?\b|mensajer|giorni|corriere|dagen|koerier|\b(?:dhl|ups|fedex|usps|dpd|gls|hermes)\b/i;

type RadioKind =
  | 'address'
  | 'shipping'
  | 'payment'
  | 'account'
  | 'purchase'
  | 'extra'
  | 'verify'
  | 'other';

/**
 * Radio buttons of checkouts: the cheapest delivery (or the express one that was asked for),
 * payment by card, no account. `refused`: the forms that the shop gave back; what stands open in
 * them is asked for, required or not.
 */
export async function chooseRadios(
  run: Run,
  snapshot: Snapshot,
  refused?: ReadonlySet<number>,
): Promise<boolean> {
  const groups = new Map<number, FieldInfo[]>();
  for (const field of snapshot.fields)
    if (field.type === 'radio' && !field.disabled)
      groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  for (const members of groups.values()) {
    refuseTwo(run, members);
    const [{ container }] = members as [FieldInfo];
    const wanted = await wantedRadio(
      run,
      members,
      refused?.has(container) === true || isHeldBack(snapshot, container),
    );
    if (wanted === undefined || wanted.checked) continue;
    if ((await setChecked(snapshot, wanted, true)) || (await isGone(snapshot, wanted))) return true;
  }
  return false;
}

/** A button that sends the form and cannot be pressed waits for something that is still open. */
const isHeldBack = ({ buttons }: Snapshot, container: number) =>
  buttons.some(
    (button) => button.container === container && button.type === 'submit' && button.disabled,
  );

/**
 * Two ways of delivery or of paying that are chosen at once are a page that does not know its own
 * choice: which one it sends, nobody can tell. @throws RunStop
 */
function refuseTwo(run: Run, members: readonly FieldInfo[]): void {
  const chosen = members
    .filter((field) => field.checked)
    .map((field) => field.label || field.near || field.value);
  const kind = chosen.length > 1 ? radioKind(members, textsOf(members)) : 'other';
  if (kind === 'shipping' || kind === 'payment')
    fail(
      run,
      `The shop’s page has “${chosen[0]!.slice(0, 60)}” and “${chosen[1]!.slice(0, 60)}” chosen at once.`,
    );
}

/** Whether a page lets one choose a way of delivery by radio buttons. */
export function hasDeliveryRadios(snapshot: Snapshot): boolean {
  const radios = snapshot.fields.filter((field) => field.type === 'radio' && !field.disabled);
  return radios.some((field) => {
    const members = radios.filter((other) => other.group === field.group);
    return (
      words.shippingMethod.test(`${field.groupLabel} ${field.name}`) ||
      (members.length > 1 && members.every((one) => deliveryTime.test(one.label)))
    );
  });
}

/**
 * The way of delivery that is chosen on the page now, by radio buttons or a list; undefined where
 * it shows none.
 */
export function chosenDelivery({ fields }: Snapshot): string | undefined {
  for (const checked of fields.filter((field) => field.type === 'radio' && field.checked)) {
    const members = fields.filter(
      (field) => field.type === 'radio' && field.group === checked.group,
    );
    const textOf = textsOf(members);
    if (radioKind(members, textOf) === 'shipping')
      return saidOnce(textOf(checked), checked).slice(0, 120);
  }
  const list = fields.find(
    (field) => field.type === 'select' && words.shippingMethod.test(field.label || field.near),
  );
  const option = list?.options.find(({ selected, value }) => selected && value !== '');
  return option?.text.trim().slice(0, 120);
}

/**
 * What a radio button says; where its label names no price, the row of a table or list that it
 * stands in says the rest.
 */
function textsOf(members: readonly FieldInfo[]): (field: FieldInfo) => string {
  const own = (field: FieldInfo) =>
    `${field.label} ${field.label === '' ? `${field.near} ${field.value}` : ''}`;
  const rows = new Set(members.map((field) => field.rowText));
  const usesRows =
    rows.size === members.length &&
    members.every(
      (field) => /\d|free|gratis|kostenlos/i.test(field.rowText) && field.rowText.length < 160,
    );
  const isPriced = members.some((field) =>
    /\d[.,]\d\d|free|gratis|kostenlos|gratuit/i.test(own(field)),
  );
  return usesRows && !isPriced ? (field) => `${own(field)} ${field.rowText}` : own;
}

/** The same for people: a row that holds the label as well says it all. */
export function saidOnce(
  text: string,
  { label, rowText }: Pick<FieldInfo, 'label' | 'rowText'>,
): string {
  const isWhole = text.includes(rowText) && label !== '' && plain(rowText).includes(plain(label));
  return (isWhole ? rowText : text).replace(/\s+/g, ' ').trim();
}

async function wantedRadio(
  run: Run,
  members: readonly FieldInfo[],
  isRefused: boolean,
): Promise<FieldInfo | undefined> {
  const textOf = textsOf(members);
  const address = chooseSavedAddress(run, members, textOf);
  if (address !== undefined) return address;
  const kind = radioKind(members, textOf);
  const open = members.filter((field) => !words.soldOut.test(textOf(field)));
  // Which of those that are kept, the list below says.
  if (kind === 'address')
    return (
      open.find(({ checked }) => checked) ??
      open.find((field) => !words.newAddress.test(textOf(field)))
    );
  if (kind === 'payment') return choosePaying(run, open, textOf);
  if (kind === 'account')
    return open.find((field) => words.guest.test(`${textOf(field)} ${field.value}`));
  if (kind === 'purchase') return open.find((field) => words.oneTime.test(textOf(field)));
  if (kind === 'extra') return open.find((field) => words.none.test(textOf(field).trim()));
  if (kind === 'verify') return verifiedAddress(run, open, textOf);
  if (kind === 'shipping') {
    const fits = forCountry(open, textOf, run.state.buyer.shipping?.countryCode).filter(
      (field) => !run.state.refusedDelivery.has(textOf(field)),
    );
    const chosen = chooseShipping(fits.map(textOf), run.task.request ?? '');
    const found = chosen === undefined ? undefined : fits[chosen];
    if (found !== undefined) {
      run.state.delivery = saidOnce(textOf(found), found).slice(0, 120);
      run.state.deliveryText = textOf(found);
    }
    return found;
  }
  if (members.some((field) => field.checked)) return undefined;
  const isRequired =
    isRefused ||
    members.some((field) => field.required) ||
    /[*＊]|必須/.test(members[0]!.groupLabel);
  if (!isRequired) return undefined;
  if (open.length === 1) return open[0];
  const question =
    members[0]!.groupLabel ||
    members[0]!.name ||
    `Which one: ${open
      .map((field) => textOf(field).trim())
      .join(' / ')
      .slice(0, 120)}?`;
  const values = await askOnce(run, `radio/${question}`, {
    kind: 'option-choice',
    question,
    options: open.map((field, index) => ({ value: String(index), title: textOf(field).trim() })),
  });
  return open[Number(values['choice'])];
}

const addressWord =
  /address|adresse|anschrift|direcci|indirizzo|\badres|morada|endereco|住所|お届け先/;

function radioKind(members: readonly FieldInfo[], textOf: (field: FieldInfo) => string): RadioKind {
  const about = plain(`${members[0]!.groupLabel} ${members[0]!.name} ${members[0]!.section}`);
  const texts = members.map(textOf);
  const count = (test: RegExp) => texts.filter((text) => test.test(text)).length;
  if (count(words.guest) > 0 && (count(words.login) > 0 || count(words.register) > 0))
    return 'account';
  if (count(words.oneTime) > 0 && texts.some(isPlan)) return 'purchase';
  const own = `${members[0]!.groupLabel} ${members[0]!.name}`;
  if (count(words.newAddress) > 0 && texts.every((text) => addressWord.test(plain(text))))
    return 'address';
  if (count(words.suggested) > 0 && count(words.entered) > 0) return 'verify';
  if (count(words.none) > 0 && (words.extra.test(about) || count(words.extra) > 0)) return 'extra';
  const isWay = (text: string) =>
    wayIn(text) !== undefined || (words.card.test(text) && !words.giftCard.test(text));
  if (
    words.paymentMethod.test(own) ||
    texts.every(isWay) ||
    (count(words.card) > 0 &&
      count(
        /paypal|invoice|rechnung|klarna|bank|apple|google|cash|on delivery|nachnahme|virement|transfer|überweisung|vorkasse|lastschrift|sepa|bonifico|contrassegno|ideal|bancontact|振込|代引|コンビニ|reembolso|che(?:que|ck)\b|twint|boleto|pix\b/i,
      ) > 0)
  )
    return 'payment';
  if (words.shippingMethod.test(own) && !/address|adresse|direcc/i.test(own)) return 'shipping';
  if (
    count(
      /standard|express|next[- ]day|days|werktag|jours|días|free|kostenlos|gratuit|gratis|pick ?up|courier|dhl|ups|fedex|post/i,
    ) > 0 &&
    (words.shippingMethod.test(about) ||
      count(/\d[.,]\d\d|free|kostenlos|gratuit|gratis/i) === texts.length)
  )
    return 'shipping';
  if (texts.length > 1 && count(deliveryTime) === texts.length) return 'shipping';
  if (count(words.pickup) > 0 && count(words.home) > 0 && members.length <= 4) return 'shipping';
  if (words.paymentMethod.test(about) && count(words.card) > 0) return 'payment';
  return 'other';
}

/** What the shop has found when it is the same house in the same place, else what was typed. */
function verifiedAddress(
  run: Run,
  open: readonly FieldInfo[],
  textOf: (field: FieldInfo) => string,
): FieldInfo | undefined {
  const { shipping } = run.state.buyer;
  const suggested = open.find((field) => words.suggested.test(textOf(field)));
  const entered = open.find((field) => words.entered.test(textOf(field)) && field !== suggested);
  const text = plain(suggested === undefined ? '' : textOf(suggested));
  const numbers = (shipping?.addressLines[0] ?? '').match(/\d+/g) ?? [];
  const isSame =
    numbers.every((one) => text.includes(one)) &&
    (shipping?.postalCode === undefined ||
      text.replace(/\s/g, '').includes(plain(shipping.postalCode).replace(/\s/g, ''))) &&
    text.includes(plain(shipping?.locality ?? ''));
  return isSame ? suggested : (entered ?? suggested);
}

/**
 * The cheapest way of delivery that brings it home; the cheapest express one when the request asks
 * for it.
 */
export function chooseShipping(texts: readonly string[], request: string): number | undefined {
  const wanted = surelyWantedIn(request);
  const wantsExpress = words.express.test(wanted);
  const wantsPickup = words.pickup.test(wanted);
  const rows = texts.map((text, index) => {
    const [price] = pricesIn(text, { expected: 'USD', pageCurrency: undefined });
    const bare = /(\d+)[.,](\d{2})(?!\d)/.exec(text);
    const isFree = /\bfree\b|kostenlos|gratis|gratuit|versandfrei|offert/i.test(text);
    const amount =
      price?.amountMinor ?? (bare ? BigInt(bare[1]! + bare[2]!) : isFree ? 0n : undefined);
    return {
      index,
      amount: amount ?? (texts.length === 1 ? 0n : 1_000_000_000n),
      isExpress: words.express.test(text),
      isPickup: words.pickup.test(text),
    };
  });
  const home = rows.filter((row) => row.isPickup === wantsPickup);
  const usable = home.length > 0 ? home : rows;
  const express = usable.filter((row) => row.isExpress);
  const pool = wantsExpress && express.length > 0 ? express : usable;
  return pool.toSorted((a, b) =>
    a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : a.index - b.index,
  )[0]?.index;
}

/** Home or pick-up where they are tabs or tiles instead of radio buttons. */
export async function chooseDeliveryTab(run: Run, snapshot: Snapshot): Promise<boolean> {
  const wantsPickup = words.pickup.test(surelyWantedIn(run.task.request ?? ''));
  const switches = snapshot.buttons.filter(
    (button) =>
      !['header', 'footer', 'nav'].includes(button.region) &&
      (button.href === '' || button.role === 'tab') &&
      (button.role !== '' || button.pressed !== '' || button.expanded !== '') &&
      captionOf(button).length < 90,
  );
  for (const pickup of switches.filter((button) => words.pickup.test(captionOf(button)))) {
    const home = switches.find(
      (button) =>
        button.parent === pickup.parent &&
        !words.pickup.test(captionOf(button)) &&
        words.home.test(captionOf(button)),
    );
    const wanted = wantsPickup ? pickup : home;
    const key = `tab/${captionOf(wanted ?? pickup)}`;
    if (
      wanted === undefined ||
      wanted.disabled ||
      wanted.pressed === 'true' ||
      wanted.expanded === 'true' ||
      run.state.asked.has(key)
    )
      continue;
    run.state.asked.set(key, {});
    if (await click(run, snapshot, wanted.ref)) return true;
  }
  return false;
}

/** Payment by card where the ways to pay are tabs or headings instead of radio buttons. */
export async function openCardTab(run: Run, snapshot: Snapshot): Promise<Snapshot | undefined> {
  const tab = snapshot.buttons.find((button) => {
    const text = captionOf(button);
    const isSwitch =
      button.role === 'tab' ||
      button.expanded === 'false' ||
      button.pressed === 'false' ||
      button.tag === 'summary' ||
      words.paymentMethod.test(button.groupLabel);
    return (
      isSwitch &&
      button.expanded !== 'true' &&
      button.pressed !== 'true' &&
      text.length < 50 &&
      words.card.test(text) &&
      !words.giftCard.test(text) &&
      !button.disabled &&
      button.href === ''
    );
  });
  if (tab === undefined || !(await click(run, snapshot, tab.ref))) return undefined;
  return readPage(run);
}
