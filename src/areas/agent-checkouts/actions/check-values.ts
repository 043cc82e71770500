import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { nameCountry } from '../../../lib/people/country-name.ts';
import type { ActionRecord } from '../types.ts';
import { checkContact } from './action-forms.ts';

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: { email: /^[^@\s]+@[^@\s]+$/, password: true },
});
/**
 * Many countries have none: whoever lives there is asked by shops that do not know it, and leaves
 * it empty.
 */
const mayBeBlank = 'postalCode';
const countriesNamedMax = 20;
const valuesNamedMax = 40;

/**
 * Whether values answer an action, while their user can still mend them: a run that types an empty
 * name loses the purchase.
 * @throws action-schema-mismatch
 */
export function checkValues(
  action: Pick<ActionRecord, 'request' | 'responseSchema'>,
  values: JsonObject,
): void {
  const validate: ValidateFunction = ajv.compile(action.responseSchema);
  // It remembers every schema otherwise, and each action has its own.
  ajv.removeSchema(action.responseSchema);
  const problem = validate(values)
    ? (findBlank(action.responseSchema, values) ??
      (action.request.kind === 'contact-and-shipping' ? checkContact(action, values) : undefined))
    : // Paths and rules only: a value may be a secret.
      (validate.errors ?? [])
        .slice(0, 5)
        .map(
          (error) =>
            refusedCountry(error, values) ??
            `values${error.instancePath.replaceAll('/', '.')} ${wordError(error)}`,
        )
        .join('; ');
  if (problem === undefined) return;
  throw new ServiceError('action-schema-mismatch', {
    message: `The values do not fit the responseSchema of the action: ${problem}.`,
  });
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** What is wanted instead, by the rule that was broken. */
function wordError({ keyword, params }: ErrorObject): string {
  const { type, missingProperty, additionalProperty, allowedValues, allowedValue, format } =
    params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'type':
      return `must be ${typeWords[String(type)] ?? String(type)}`;
    case 'required':
      return `lacks "${String(missingProperty)}"`;
    case 'additionalProperties':
      return `has a field that is not asked for: leave out "${String(additionalProperty).slice(0, 100)}"`;
    case 'enum':
      return `must be one of ${(allowedValues as readonly unknown[])
        .slice(0, valuesNamedMax)
        .map((value) => JSON.stringify(value))
        .join(', ')}`;
    case 'format':
      return format === 'email' ? 'must be an e-mail address' : `must be a ${String(format)}`;
    case 'const':
      return `must be ${JSON.stringify(allowedValue)}`;
    default:
      return 'does not have the form that the responseSchema asks for';
  }
}

/**
 * A country is no secret: whoever lives there should read that it is the shop that does not go
 * there.
 */
function refusedCountry(
  { instancePath, keyword, params }: ErrorObject,
  { countryCode }: JsonObject,
): string | undefined {
  if (instancePath !== '/countryCode' || keyword !== 'enum' || typeof countryCode !== 'string')
    return undefined;
  const offered = (params as { allowedValues: readonly string[] }).allowedValues;
  const list = `${offered.slice(0, countriesNamedMax).join(', ')}${offered.length > countriesNamedMax ? ' and others' : ''}`;
  return `the shop does not deliver to ${nameCountry(countryCode)}: its list of countries offers ${list}`;
}

/**
 * The subset of JSON Schema that forms are written in has no `minLength`. One way to answer without
 * blanks is enough.
 */
function findBlank(
  { properties, required, anyOf }: JsonObject,
  values: JsonObject,
): string | undefined {
  const ways = ((anyOf ?? [{ required }]) as { required?: string[] }[]).map(
    (way) => way.required ?? [],
  );
  const blanks = ways
    .filter((names) => names.every((name) => Object.hasOwn(values, name)))
    .map((names) =>
      names.filter(
        (name) =>
          isBlank(values[name]) && isText((properties as JsonObject)[name]) && name !== mayBeBlank,
      ),
    );
  if (blanks.length === 0 || blanks.some((names) => names.length === 0)) return undefined;
  return blanks[0]!.map((name) => `values.${name} must not be empty`).join('; ');
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
/** Written by the user, not chosen: an option of a shop may well be an empty text. */
const isText = (schema: unknown) =>
  (schema as JsonObject | undefined)?.type === 'string' &&
  !Object.hasOwn(schema as JsonObject, 'enum');
