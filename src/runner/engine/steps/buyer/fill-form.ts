import { nameCountry } from '../../../../lib/people/country-name.ts';
import type { AssignedField } from '../../fields/assign.ts';
import { findChoice } from '../../fields/choose.ts';
import { fillField, holds } from '../../fields/fill.ts';
import { type PageForm, readForm } from '../../fields/forms.ts';
import { cardMeanings, type Meaning } from '../../fields/meanings.ts';
import { pieceOf } from '../../fields/parts.ts';
import { countryNames, isCountry } from '../../fields/places.ts';
import { buyerValues } from '../../fields/values.ts';
import type { FieldInfo, Snapshot } from '../../page/snapshot.ts';
import { askOnce, fail, originOf, type Run, readPage } from '../../run.ts';
import { plain } from '../../words/words.ts';
import { chooseDeliveryTab, chooseRadios, tickBoxes } from '../choices.ts';
import { takeBackCounted } from '../counted.ts';
import { settleAccount } from '../login/account.ts';
import { askMissing, isRequired, realOptions } from './ask-missing.ts';
import { chooseDeliveryList } from './delivery-lists.ts';
import { leaveExtras } from './extra-choices.ts';
import { chooseListedAddress } from './saved-address.ts';

const passesMax = 7;
const triesMax = 3;
/** What came of filling a page. */
export interface Filled {
  readonly snapshot: Snapshot;
  readonly form: PageForm;
  readonly meanings: ReadonlySet<Meaning>;
}

/**
 * Fills what a page asks of the buyer: the country first, then what the page shows after it has
 * changed, until every field keeps its value. Card fields are left alone. `isRefused`: the shop
 * gave this page back, so what it left open is asked for too.
 */
export async function fillForm(
  run: Run,
  given: Snapshot,
  { isRefused = false } = {},
): Promise<Filled> {
  let snapshot = given;
  const tries = new Map<string, number>();
  const seen = new Set<Meaning>();
  for (let pass = 0; ; pass += 1) {
    const form = readForm(snapshot);
    for (const one of form.fields) seen.add(one.meaning);
    if (pass >= passesMax) return { snapshot, form, meanings: seen };
    await askMissing(run, form, (one) => spellingsOf(run, one, form));
    const isRadio =
      (await chooseListedAddress(run, snapshot)) ||
      (await chooseDeliveryTab(run, snapshot)) ||
      (await chooseDeliveryList(run, snapshot, form)) ||
      (await chooseRadios(run, snapshot, isRefused ? form.containers : undefined));
    if (isRadio) {
      snapshot = await readPage(run);
      continue;
    }
    const open = form.fields.filter((one) => isOpen(run, one, form, tries));
    const country = open.find((one) => one.meaning === 'country');
    for (const one of country === undefined ? open : [country])
      await fillOne(run, snapshot, one, form, tries);
    const isTicked =
      (await tickBoxes(run, snapshot, form.containers)) || (await leaveExtras(run, snapshot));
    const isAsked =
      open.length === 0 &&
      ((await settleAccount(run, snapshot, form, isRefused)) ||
        (await fillUnknown(run, snapshot, form, isRefused)));
    if (open.length === 0) refuseCountry(run, form);
    if (open.length === 0 && !isTicked && !isAsked) return { snapshot, form, meanings: seen };
    const before = snapshot;
    snapshot = await readPage(run, { quietMs: country === undefined ? 120 : 200 });
    const wrong =
      country === undefined
        ? await takeBackCounted(run, { before, after: snapshot, filled: open })
        : undefined;
    if (wrong !== undefined) {
      tries.set(keyOf(wrong), triesMax);
      snapshot = await readPage(run);
    }
  }
}

/**
 * The shop's list of countries does not have the buyer's: whatever else it shows as chosen is
 * another place. Asked when the list had its time to change.
 * @throws RunStop
 */
function refuseCountry(run: Run, form: PageForm): void {
  const code = run.state.buyer.shipping?.countryCode ?? '';
  const box = form.fields.find(
    (one) => one.meaning === 'country' && one.purpose === 'shipping',
  )?.field;
  if (code === '' || box?.type !== 'select' || findChoice(box.options, countryNames(code)) >= 0)
    return;
  // A list in a language that is not known says nothing.
  const options = realOptions(box);
  if (
    options.filter((option) => isCountry(option.value) || isCountry(option.text)).length * 2 <=
    options.length
  )
    return;
  fail(
    run,
    `The shop does not deliver to ${nameCountry(code)}: its list of countries does not offer it.`,
  );
}

const keyOf = ({ field, meaning, purpose }: AssignedField) =>
  `${purpose}/${meaning}/${field.name}/${field.id}/${field.type}`;
const besides = (form: PageForm, purpose: string): ReadonlySet<Meaning> =>
  new Set(form.fields.filter((one) => one.purpose === purpose).map((one) => one.meaning));

function spellingsOf(run: Run, one: AssignedField, form: PageForm): readonly string[] {
  const whole = buyerValues(one.meaning, run.state.buyer, one.field, besides(form, one.purpose));
  return one.part === undefined ? whole : pieceOf(whole, one.part);
}

function isOpen(run: Run, one: AssignedField, form: PageForm, tries: Map<string, number>): boolean {
  if (
    cardMeanings.has(one.meaning) ||
    one.field.disabled ||
    one.field.readOnly ||
    (tries.get(keyOf(one)) ?? 0) >= triesMax
  )
    return false;
  const spellings = spellingsOf(run, one, form);
  if (spellings.length === 0) return false;
  return !holds(one.field, spellings) || (one.field.invalid && spellings.length > 1);
}

/**
 * A browser warns people of a secure page whose form goes out in clear; nobody is there to be
 * warned.
 * @throws RunStop
 */
function refuseInClear(run: Run, snapshot: Snapshot, field: FieldInfo): void {
  const action = snapshot.forms[field.container]?.action ?? '';
  if (!snapshot.url.startsWith('https:') || !action.startsWith('http:')) return;
  fail(
    run,
    `The shop would send what is typed here without TLS, to ${originOf(action)}: nothing was filled in.`,
  );
}

async function fillOne(
  run: Run,
  snapshot: Snapshot,
  one: AssignedField,
  form: PageForm,
  tries: Map<string, number>,
): Promise<void> {
  refuseInClear(run, snapshot, one.field);
  const count = tries.get(keyOf(one)) ?? 0;
  tries.set(keyOf(one), count + 1);
  const all = spellingsOf(run, one, form);
  // A spelling that the page called invalid is not tried first again.
  const isChoice =
    one.field.type === 'select' || one.field.tag === 'button' || one.field.hasPopup !== '';
  const spellings = isChoice
    ? all
    : [...all.slice(count % all.length), ...all.slice(0, count % all.length)];
  const onTaken = () => tries.set(keyOf(one), triesMax);
  const kept = await fillField(snapshot, one.field, spellings, {
    about: placeAbout(run, one.meaning),
    onTaken,
  });
  run.log.info({ meaning: one.meaning, score: Math.round(one.score), kept }, 'A field was filled.');
}

/** What else is known of the place of an address line or a postal code. */
function placeAbout(run: Run, meaning: Meaning): readonly string[] {
  const { shipping } = run.state.buyer;
  if (shipping === undefined || (meaning !== 'addressLine1' && meaning !== 'postalCode')) return [];
  const [line1 = ''] = shipping.addressLines;
  return [meaning === 'postalCode' ? line1 : (shipping.postalCode ?? ''), shipping.locality].filter(
    (text) => text !== '',
  );
}

const personal: ReadonlySet<Meaning> = new Set(['salutation', 'birthDate', 'taxId']);

/**
 * Required fields that mean nothing known, or something that only the user knows: asked, one by
 * one.
 */
async function fillUnknown(
  run: Run,
  snapshot: Snapshot,
  form: PageForm,
  isRefused: boolean,
): Promise<boolean> {
  const own = form.fields.filter((one) => personal.has(one.meaning)).map((one) => one.field);
  const fields = [...form.unknown, ...own].filter(
    (field) =>
      (isRequired(field) || (isRefused && isNamedIn(snapshot.alerts, field))) &&
      !field.disabled &&
      !field.readOnly &&
      field.type !== 'password' &&
      (field.type === 'select'
        ? !field.options.some((option) => option.selected && option.value !== '')
        : field.value === ''),
  );
  for (const field of fields) {
    const label = (
      [...new Set([field.label || field.near, field.placeholder])].filter(Boolean).join(' – ') ||
      field.name ||
      unnamedOf(field)
    ).slice(0, 120);
    const key = `field/${field.name}/${label}`;
    if (run.state.asked.has(key)) continue;
    const choices = field.options.filter((option) => option.value !== '' && !option.disabled);
    const values =
      choices.length > 0
        ? await askOnce(run, key, {
            kind: 'option-choice',
            question: label,
            options: choices
              .slice(0, 60)
              .map((option) => ({ value: option.value, title: option.text })),
          })
        : await askOnce(run, key, {
            kind: 'free-question',
            question: `The shop asks: “${label}”. What should be entered?`,
          });
    const answer = values['choice'] ?? values['answer'];
    if (typeof answer === 'string') await fillField(snapshot, field, [answer]);
    return true;
  }
  return false;
}

const unnamedOf = ({ section }: FieldInfo) =>
  section === '' ? 'a field without a name' : `a field of “${section.slice(0, 80)}”`;

/** Whether the shop's complaint names a field, by what stands at it. */
function isNamedIn(alerts: readonly string[], field: FieldInfo): boolean {
  if (field.invalid) return true;
  const names = [field.label, field.near, field.placeholder]
    .map((text) => plain(text).replace(/[\s:*]+$/, ''))
    .filter((text) => text.length > 2);
  return alerts.some((alert) => names.some((name) => plain(alert).includes(name)));
}
