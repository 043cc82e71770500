import { z } from 'zod';

/**
 * The words of schemas that bring none of their own. They follow the name of the field, e.g.
 * "body.owner: must be text, and is a number", and say what is wanted: callers read them in
 * `validation-error`. Values are never shown, since one may be a secret.
 */

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  nan: 'not a number',
};

const formatWords: Readonly<Record<string, string>> = {
  url: 'a whole address, e.g. https://example.com/path',
  email: 'an e-mail address',
  uuid: 'a UUID, e.g. 5f0c954e-3a1c-4f0e-8f5e-6a0a3a3f3c11',
  datetime: 'an instant in ISO 8601, e.g. 2026-01-15T12:00:00Z',
  date: 'a date, e.g. 2026-01-15',
  base64: 'base64',
  base64url: 'base64url',
  starts_with: 'text with the beginning that its documentation names',
  ends_with: 'text with the end that its documentation names',
  includes: 'text that contains what its documentation names',
};

const valuesShownMax = 40;

/** What a value should be, for one issue of a schema. */
function wordIssue(issue: z.core.$ZodRawIssue): string {
  const wanted = wantedOf(issue);
  if (wanted === undefined) return wordRest(issue);
  if (issue.input === undefined) return `is missing: send ${wanted}`;
  return issue.code === 'invalid_type'
    ? `must be ${wanted}, and is ${nameType(issue.input)}`
    : `must be ${wanted}`;
}

/** What is to be sent, as a noun; undefined where the issue is about something else. */
function wantedOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected as string] ?? String(issue.expected);
    case 'invalid_value':
      return listValues(issue.values as readonly unknown[]);
    case 'invalid_format':
      return formatWords[issue.format as string] ?? 'in the form that its documentation names';
    case 'not_multiple_of':
      return `a multiple of ${String(issue.divisor)}`;
    default:
      return undefined;
  }
}

function wordRest(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'too_small':
      return wordBound(issue.origin as string, {
        bound: issue.minimum as number,
        isInclusive: issue.inclusive !== false,
        isLeast: true,
      });
    case 'too_big':
      return wordBound(issue.origin as string, {
        bound: issue.maximum as number,
        isInclusive: issue.inclusive !== false,
        isLeast: false,
      });
    case 'unrecognized_keys': {
      const keys = (issue.keys as readonly string[])
        .slice(0, 5)
        .map((key) => JSON.stringify(key.slice(0, 100)));
      return `has ${keys.length > 1 ? 'fields that are' : 'a field that is'} not known: leave out ${keys.join(', ')}`;
    }
    case 'invalid_key':
      return 'has a name that is not allowed';
    case 'invalid_union':
      return wordUnion(issue);
    default:
      return 'is not what its documentation asks for';
  }
}

function wordBound(
  origin: string,
  {
    bound,
    isInclusive,
    isLeast,
  }: { readonly bound: number; readonly isInclusive: boolean; readonly isLeast: boolean },
): string {
  const unit =
    origin === 'string'
      ? 'character'
      : origin === 'array' || origin === 'set'
        ? 'entry'
        : origin === 'map'
          ? 'field'
          : undefined;
  if (unit === undefined)
    return `must be ${isInclusive ? (isLeast ? 'at least' : 'at most') : isLeast ? 'more than' : 'less than'} ${bound}`;
  if (isLeast && bound === 1) return 'must not be empty';
  const units = bound === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`;
  return `must have ${isLeast ? 'at least' : 'at most'} ${bound} ${units}`;
}

/**
 * Of the forms that a value may have, what is wrong with the one that came closest; else which
 * kinds there are.
 */
function wordUnion(issue: z.core.$ZodRawIssue): string {
  const options = issue.options as readonly unknown[] | undefined;
  if (options !== undefined && options.length > 0)
    return `${issue.input === undefined ? 'is missing: send' : 'must be'} ${listValues(options)}`;
  const forms = (issue.errors ?? []) as readonly (readonly z.core.$ZodIssue[])[];
  // A form whose very type is another one was not meant.
  const isMeant = (one: readonly z.core.$ZodIssue[]) =>
    one.every(({ path, code }) => path.length > 0 || code !== 'invalid_type');
  const [closest] = forms
    .filter((one) => one.length > 0 && isMeant(one))
    .sort((a, b) => a.length - b.length);
  if (closest)
    return closest
      .map(({ path, message }) =>
        path.length === 0 ? message : `${path.map(String).join('.')} ${message}`,
      )
      .join('; ');
  const kinds = new Set(
    forms
      .flat()
      .flatMap((one) =>
        one.code === 'invalid_type' ? [typeWords[one.expected] ?? one.expected] : [],
      ),
  );
  if (kinds.size === 0) return 'is not what its documentation asks for';
  if (issue.input === undefined) return `is missing: send ${[...kinds].join(' or ')}`;
  return `must be ${[...kinds].join(' or ')}, and is ${nameType(issue.input)}`;
}

function listValues(values: readonly unknown[]): string {
  const shown = values
    .slice(0, valuesShownMax)
    .map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)));
  const more = values.length > shown.length ? ' and others' : '';
  return shown.length === 1 ? shown[0]! : `one of ${shown.join(', ')}${more}`;
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeWords[typeof value] ?? typeof value;
}

/** Has every schema of this process speak like this. */
export function setSchemaWords(): void {
  z.config({ localeError: wordIssue });
}
