import type { JsonObject } from '../../../lib/json.ts';
import type { AssignedField } from '../fields/assign.ts';
import { fillField, holds } from '../fields/fill.ts';
import { type PageForm, readForm } from '../fields/forms.ts';
import { cardMeanings, type Meaning } from '../fields/meanings.ts';
import { buyerValues } from '../fields/values.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { askOnce, type Run, readPage } from '../run.ts';
import { chooseRadios, tickBoxes } from './choices.ts';

const passesMax = 7;
const contactNames: Readonly<Partial<Record<Meaning, string>>> = {
  email: 'email',
  emailConfirm: 'email',
  firstName: 'fullName',
  lastName: 'fullName',
  fullName: 'fullName',
  phone: 'phone',
  addressLine1: 'addressLine1',
  houseNumber: 'addressLine1',
  addressLine2: 'addressLine2',
  city: 'city',
  state: 'state',
  postalCode: 'postalCode',
  country: 'countryCode',
};
const essential: ReadonlySet<Meaning> = new Set([
  'email',
  'firstName',
  'lastName',
  'fullName',
  'addressLine1',
  'city',
  'postalCode',
  'country',
]);

/** What came of filling a page. */
export interface Filled {
  readonly snapshot: Snapshot;
  readonly form: PageForm;
  readonly meanings: ReadonlySet<Meaning>;
}

/**
 * Fills what a page asks of the buyer: the country first, then what the page shows after it has changed, until every field
 * keeps its value. Card fields are left alone.
 */
export async function fillForm(run: Run, given: Snapshot): Promise<Filled> {
  let snapshot = given;
  const tries = new Map<string, number>();
  const seen = new Set<Meaning>();
  for (let pass = 0; ; pass += 1) {
    const form = readForm(snapshot);
    for (const one of form.fields) seen.add(one.meaning);
    if (pass >= passesMax) return { snapshot, form, meanings: seen };
    await askMissing(run, form);
    const isRadio = await chooseRadios(run, snapshot);
    if (isRadio) {
      snapshot = await readPage(run);
      continue;
    }
    const open = form.fields.filter((one) => isOpen(run, one, form, tries));
    const country = open.find((one) => one.meaning === 'country');
    for (const one of country === undefined ? open : [country]) await fillOne(run, snapshot, one, form, tries);
    const isTicked = await tickBoxes(run, snapshot, form.containers);
    const isAsked = open.length === 0 && (await fillUnknown(run, snapshot, form));
    if (open.length === 0 && !isTicked && !isAsked) return { snapshot, form, meanings: seen };
    snapshot = await readPage(run, { quietMs: country === undefined ? 120 : 200 });
  }
}

const keyOf = ({ field, meaning, purpose }: AssignedField) => `${purpose}/${meaning}/${field.name}/${field.id}/${field.type}`;
const hasHouseNumber = (form: PageForm, purpose: string) =>
  form.fields.some((one) => one.meaning === 'houseNumber' && one.purpose === purpose);

function spellingsOf(run: Run, one: AssignedField, form: PageForm): readonly string[] {
  return buyerValues(one.meaning, run.state.buyer, one.field, hasHouseNumber(form, one.purpose));
}

function isOpen(run: Run, one: AssignedField, form: PageForm, tries: Map<string, number>): boolean {
  if (cardMeanings.has(one.meaning) || one.field.disabled || one.field.readOnly || (tries.get(keyOf(one)) ?? 0) >= 3) return false;
  const spellings = spellingsOf(run, one, form);
  if (spellings.length === 0) return false;
  return !holds(one.field, spellings) || (one.field.invalid && spellings.length > 1);
}

async function fillOne(run: Run, snapshot: Snapshot, one: AssignedField, form: PageForm, tries: Map<string, number>): Promise<void> {
  const count = tries.get(keyOf(one)) ?? 0;
  tries.set(keyOf(one), count + 1);
  const all = spellingsOf(run, one, form);
  // A spelling that the page called invalid is not tried first again.
  const isChoice = one.field.type === 'select' || one.field.tag === 'button' || one.field.hasPopup !== '';
  const spellings = isChoice ? all : [...all.slice(count % all.length), ...all.slice(0, count % all.length)];
  const kept = await fillField(snapshot, one.field, spellings);
  run.log.info({ meaning: one.meaning, score: Math.round(one.score), kept }, 'A field was filled.');
}

/** Whether the shop insists on a field. */
export function isRequired(field: FieldInfo): boolean {
  return (
    field.required ||
    /\*\s*$|\*/.test(field.label) ||
    /\brequired\b|pflichtfeld|obligatoire|obligatorio/i.test(`${field.label} ${field.placeholder}`)
  );
}

/** Asks for what the shop needs and nobody has told: once for the whole page. */
async function askMissing(run: Run, form: PageForm): Promise<void> {
  const missing = form.fields.filter(
    (one) =>
      contactNames[one.meaning] !== undefined &&
      spellingsOf(run, one, form).length === 0 &&
      one.field.value === '' &&
      (isRequired(one.field) || essential.has(one.meaning)) &&
      one.meaning !== 'addressLine2' &&
      !(one.meaning === 'houseNumber' && (run.state.buyer.shipping?.addressLines.length ?? 0) > 0),
  );
  const names = [...new Set(missing.map((one) => contactNames[one.meaning]!))].filter((name) => !run.state.asked.has(`contact/${name}`));
  if (names.length === 0) return;
  const values = await askOnce(run, `contact/${names.join()}`, { kind: 'contact-and-shipping', missing: names });
  for (const name of names) run.state.asked.set(`contact/${name}`, {});
  mergeContact(run, values);
}

/** Takes what the user has told into the buyer of this run. */
export function mergeContact(run: Run, values: JsonObject): void {
  const text = (name: string) => (typeof values[name] === 'string' && values[name] !== '' ? String(values[name]).trim() : undefined);
  const buyer = run.state.buyer;
  const words = text('fullName')?.split(/\s+/) ?? [];
  const old = buyer.shipping;
  const lines = [text('addressLine1') ?? old?.addressLines[0], text('addressLine2') ?? old?.addressLines[1]].filter(
    (line) => line !== undefined,
  );
  const shipping = {
    addressLines: lines,
    locality: text('city') ?? old?.locality ?? '',
    administrativeAreaCode: text('state') ?? old?.administrativeAreaCode,
    postalCode: text('postalCode') ?? old?.postalCode,
    countryCode: text('countryCode') ?? old?.countryCode ?? '',
  };
  run.state.buyer = {
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : (words[0] ?? buyer.firstName),
    lastName: words.length > 0 ? words.at(-1) : buyer.lastName,
    email: text('email') ?? buyer.email,
    phone: text('phone') ?? buyer.phone,
    ...(lines.length > 0 || shipping.countryCode !== '' || shipping.locality !== '' || shipping.postalCode !== undefined
      ? { shipping }
      : {}),
  };
}

const personal: ReadonlySet<Meaning> = new Set(['salutation', 'birthDate', 'taxId']);

/** Required fields that mean nothing known, or something that only the user knows: asked, one by one. */
async function fillUnknown(run: Run, snapshot: Snapshot, form: PageForm): Promise<boolean> {
  const own = form.fields.filter((one) => personal.has(one.meaning)).map((one) => one.field);
  const fields = [...form.unknown, ...own].filter(
    (field) =>
      isRequired(field) &&
      !field.disabled &&
      !field.readOnly &&
      (field.type === 'select' ? !field.options.some((option) => option.selected && option.value !== '') : field.value === ''),
  );
  for (const field of fields) {
    const label = (field.label || field.near || field.placeholder || field.name).slice(0, 120);
    const key = `field/${field.name}/${label}`;
    if (run.state.asked.has(key)) continue;
    const choices = field.options.filter((option) => option.value !== '' && !option.disabled);
    const values =
      choices.length > 0
        ? await askOnce(run, key, {
            kind: 'option-choice',
            question: label,
            options: choices.slice(0, 60).map((option) => ({ value: option.value, title: option.text })),
          })
        : await askOnce(run, key, { kind: 'free-question', question: `The shop asks: “${label}”. What should be entered?` });
    const answer = values['choice'] ?? values['answer'];
    if (typeof answer === 'string') await fillField(snapshot, field, [answer]);
    return true;
  }
  return false;
}
