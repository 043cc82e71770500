import type { JsonObject } from '../../../../lib/json/json.ts';
import type { AssignedField } from '../../fields/assign.ts';
import { holds } from '../../fields/fill.ts';
import type { PageForm } from '../../fields/forms.ts';
import type { Meaning } from '../../fields/meanings.ts';
import { countryNames, needsRegion, regionCodeOf } from '../../fields/places.ts';
import type { FieldInfo, OptionInfo } from '../../page/snapshot.ts';
import { askOnce, type Run } from '../../run.ts';

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
const placeNames: readonly string[] = ['addressLine1', 'city', 'postalCode', 'state'];

const textsOf = (field: FieldInfo) =>
  `${field.label === '' ? field.near : field.label} ${field.placeholder}`;

/** Whether the shop insists on a field. */
export function isRequired(field: FieldInfo): boolean {
  return (
    field.required ||
    /[*＊]/.test(textsOf(field)) ||
    /\brequired\b|pflichtfeld|obligatoire|obligatorio|obbligatorio|verplicht|obrigat[oó]rio|必須/i.test(
      textsOf(field),
    )
  );
}

const isOptional = (field: FieldInfo) =>
  /optional|facultati|opcional|facoltativ|optioneel|任意|if applicable|falls/i.test(textsOf(field));

const prompt =
  /^(?:[-–—.…*\s]*$|[-–—\s]*(?:(?:please )?(?:select|choose|pick)|bitte|auswählen|wähl|choisi|sélectionn|veuillez|selecc?ion|elige|elija|escoge|scegli|kies|maak een|escolh|選択|都道府県|(?:state|province|region|county|bundesland|provincia|estado)s?\b\W*$))/i;

/** Nothing chosen yet: an empty value or a row such as `Select a state`. */
function isEmpty(field: FieldInfo): boolean {
  if (field.value === '') return true;
  if (field.type === 'select')
    return prompt.test(field.options.find((option) => option.selected)?.text ?? '');
  return (field.tag === 'button' || field.hasPopup !== '') && prompt.test(field.value);
}

/** What a list offers beside the row that asks to choose. */
export const realOptions = (field: FieldInfo): readonly OptionInfo[] =>
  field.options.filter(
    (option) => option.value !== '' && !option.disabled && !prompt.test(option.text),
  );

/**
 * Asks for what the shop needs and nobody has told: once for the whole page. `spellings` are what
 * is known for a field.
 */
export async function askMissing(
  run: Run,
  form: PageForm,
  spellings: (one: AssignedField) => readonly string[],
): Promise<void> {
  const missing = form.fields.filter(
    (one) =>
      contactNames[one.meaning] !== undefined &&
      spellings(one).length === 0 &&
      isEmpty(one.field) &&
      (isRequired(one.field) || essential.has(one.meaning) || isRegionWanted(run, one, form)) &&
      one.meaning !== 'addressLine2' &&
      !(one.meaning === 'houseNumber' && (run.state.buyer.shipping?.addressLines.length ?? 0) > 0),
  );
  const found = [...new Set(missing.map((one) => contactNames[one.meaning]!))];
  const offer = found.some((name) => placeNames.includes(name))
    ? openCountry(run, form)
    : undefined;
  const names = [...new Set([...found, ...(offer === undefined ? [] : ['countryCode'])])].filter(
    (name) => !run.state.asked.has(`contact/${name}`),
  );
  if (names.length === 0) return;
  const countries = names.includes('countryCode') ? countriesOf(form) : [];
  const values = await askOnce(run, `contact/${names.join()}`, {
    kind: 'contact-and-shipping',
    missing: names,
    ...(countries.length === 0 ? {} : { countries }),
  });
  // A region that was left out, because the country might have none, is asked for again where that
  // country's form wants it.
  for (const name of names)
    if (name !== 'state' || values[name] !== undefined || !names.includes('countryCode'))
      run.state.asked.set(`contact/${name}`, {});
  mergeContact(run, values, pageCountry(form));
}

/**
 * Asks for what every order needs and nobody has told, where a shop's own interface has no form
 * that says it.
 */
export async function askBuyer(
  run: Run,
  { delivers }: { readonly delivers: boolean },
): Promise<void> {
  const { email, firstName, lastName, shipping } = run.state.buyer;
  const isMissing = (value: string | undefined) => value === undefined || value === '';
  const names = [
    ...(isMissing(email) ? ['email'] : []),
    ...(isMissing(firstName) || isMissing(lastName) ? ['fullName'] : []),
    ...(delivers && isMissing(shipping?.addressLines[0]) ? ['addressLine1'] : []),
    ...(delivers && isMissing(shipping?.locality) ? ['city'] : []),
    ...(delivers && isMissing(shipping?.postalCode) ? ['postalCode'] : []),
    ...(delivers &&
    isMissing(shipping?.administrativeAreaCode) &&
    needsRegion(shipping?.countryCode ?? 'US')
      ? ['state']
      : []),
    ...(delivers && isMissing(shipping?.countryCode) ? ['countryCode'] : []),
  ];
  if (names.length === 0) return;
  mergeContact(
    run,
    await askOnce(run, `contact/${names.join()}`, { kind: 'contact-and-shipping', missing: names }),
  );
  for (const name of names) run.state.asked.set(`contact/${name}`, {});
}

/**
 * Many shops mark no region as required and refuse an order without it. It is asked for once the
 * country is settled: where addresses have one, or where there is a list of them to choose from.
 */
function isRegionWanted(
  run: Run,
  { meaning, field, purpose }: AssignedField,
  form: PageForm,
): boolean {
  if (meaning !== 'state' || field.disabled || isOptional(field)) return false;
  const known = run.state.buyer.shipping?.countryCode ?? '';
  const box = form.fields.find(
    (one) => one.meaning === 'country' && one.purpose === purpose,
  )?.field;
  const isUnsettled = known !== '' && box !== undefined && !holds(box, countryNames(known));
  if (isUnsettled) return false;
  return (
    realOptions(field).length > 0 || needsRegion(known === '' ? (pageCountry(form) ?? '') : known)
  );
}

/**
 * The list of countries that the shop has chosen one of by itself, while nobody has told where the
 * buyer lives.
 */
function openCountry(run: Run, form: PageForm): FieldInfo | undefined {
  if ((run.state.buyer.shipping?.countryCode ?? '') !== '') return undefined;
  const box = countryOf(form);
  return box === undefined || realOptions(box).length < 2 ? undefined : box;
}

const countryOf = (form: PageForm) =>
  form.fields.find((one) => one.meaning === 'country' && one.purpose === 'shipping')?.field;

/** Code of the country that the page shows as chosen, as far as its list has codes. */
function pageCountry(form: PageForm): string | undefined {
  const code = countryOf(form)?.value ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : undefined;
}

/** Codes of the countries that a shop delivers to; none where its list has other values. */
function countriesOf(form: PageForm): readonly string[] {
  const box = countryOf(form);
  const codes = box === undefined ? [] : realOptions(box).map((option) => option.value);
  return codes.every((code) => /^[A-Z]{2}$/.test(code)) ? codes.slice(0, 300) : [];
}

/** Takes what the user has told into the buyer of this run. */
function mergeContact(run: Run, values: JsonObject, countryOfPage?: string): void {
  const text = (name: string) =>
    typeof values[name] === 'string' && values[name] !== ''
      ? String(values[name]).trim()
      : undefined;
  const buyer = run.state.buyer;
  const names = text('fullName')?.split(/\s+/) ?? [];
  const old = buyer.shipping;
  const lines = [
    text('addressLine1') ?? old?.addressLines[0],
    text('addressLine2') ?? old?.addressLines[1],
  ].filter((line) => line !== undefined);
  const told = text('countryCode');
  const countryCode = (told?.length === 2 ? told.toUpperCase() : told) ?? old?.countryCode ?? '';
  const region = text('state');
  const shipping = {
    addressLines: lines,
    locality: text('city') ?? old?.locality ?? '',
    administrativeAreaCode:
      region === undefined
        ? old?.administrativeAreaCode
        : regionCodeOf(countryCode === '' ? (countryOfPage ?? '') : countryCode, region),
    postalCode: text('postalCode') ?? old?.postalCode,
    countryCode,
  };
  run.state.buyer = {
    firstName: names.length > 1 ? names.slice(0, -1).join(' ') : (names[0] ?? buyer.firstName),
    lastName: names.length > 0 ? names.at(-1) : buyer.lastName,
    email: text('email') ?? buyer.email,
    phone: text('phone') ?? buyer.phone,
    ...(lines.length > 0 ||
    shipping.countryCode !== '' ||
    shipping.locality !== '' ||
    shipping.postalCode !== undefined
      ? { shipping }
      : {}),
  };
}
