import fc from 'fast-check';

/** A JSON schema as OpenAPI documents carry it. */
export type JsonSchema = Readonly<Record<string, unknown>>;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ArbitraryOptions {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Texts that mean something to the service: locators, chain names, addresses. */
  readonly knownTexts: readonly string[];
  /** Values that get far, by the name of a parameter or field, wherever it is. */
  readonly knownValues: Readonly<Record<string, readonly Json[]>>;
}

const depthMax = 5;

/** What has broken services before. */
const nastyTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '😀',
  'ß',
  'İ',
  "' or 1=1; --",
  '"; drop table wallets; --',
  '$(id)',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  '%',
  '%00',
  '%zz',
  '%252e',
  '\r\nx-evil: 1',
  '\n{"level":60}',
  ':',
  '::',
  ':::',
  'a:b:c:d:e',
  '0x',
  '0xzz',
  `0x${'f'.repeat(64)}`,
  '9'.repeat(80),
  '0.000000000000000000000000001',
  '1,5',
  '٣',
  'x'.repeat(2_000),
];

/**
 * Values that mostly fit the schema. Patterns are met by known texts, or not at all: the service
 * has to bear both.
 */
export function arbitraryOf(
  schema: JsonSchema,
  options: ArbitraryOptions,
  depth = 0,
): fc.Arbitrary<Json> {
  const reference = refName(schema);
  if (reference !== undefined)
    return depth > depthMax
      ? fc.constant({})
      : arbitraryOf(options.schemas[reference] ?? {}, options, depth + 1);
  if ('const' in schema) return fc.constant(schema.const as Json);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]));
  const choices = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  if (choices && choices.length > 0)
    return fc.oneof(...choices.map((choice) => arbitraryOf(choice, options, depth + 1)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textOf(schema, options);
    case 'integer':
      return fc.integer({
        min: (schema.minimum as number | undefined) ?? -5,
        max: Math.min((schema.maximum as number | undefined) ?? 1_000, 1_000_000),
      });
    case 'number':
      return fc.oneof(
        fc.integer({ min: 0, max: 200 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf((schema.items ?? {}) as JsonSchema, options, depth + 1), {
        maxLength: 3,
      });
    case 'object':
      return objectOf(schema, options, depth);
    default:
      return anyJson(options);
  }
}

/** Mostly a known value of that name, where there is one. */
export function namedValue(
  name: string,
  other: fc.Arbitrary<Json>,
  options: ArbitraryOptions,
): fc.Arbitrary<Json> {
  const known = Object.hasOwn(options.knownValues, name) ? options.knownValues[name]! : [];
  return known.length === 0
    ? other
    : fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: other },
      );
}

/** The same value with something wrong in it: another type, a field less, a field more. */
export function mutate(value: fc.Arbitrary<Json>, options: ArbitraryOptions): fc.Arbitrary<Json> {
  return fc
    .tuple(value, fc.nat(), anyJson(options), fc.constantFrom('replace', 'remove', 'add'))
    .map(([original, where, other, how]) => {
      const copy = structuredClone(original);
      const places = listPlaces(copy);
      if (places.length === 0) return other;
      const { parent, key } = places[where % places.length]!;
      if (how === 'remove') delete (parent as Record<string, Json>)[key];
      else
        (parent as Record<string, Json>)[
          how === 'add' && !Array.isArray(parent) ? `${key}X` : key
        ] = other;
      return copy;
    });
}

/** Any text, often one that means something or has broken something. */
export function anyText(options: Pick<ArbitraryOptions, 'knownTexts'>): fc.Arbitrary<string> {
  const known = options.knownTexts.length > 0 ? options.knownTexts : ['known'];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: fc.constantFrom(...nastyTexts) },
    { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.constantFrom(...known), { minLength: 2, maxLength: 4 })
        .map((parts) => parts.join(':')),
    },
  );
}

function anyJson(options: ArbitraryOptions): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 4, arbitrary: anyText(options) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e308, -0, 2 ** 53, [], {}, [[]], {
        error: true,
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  );
}

function textOf(schema: JsonSchema, options: ArbitraryOptions): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.oneof(fc.uuid(), anyText(options));
  if (schema.format === 'date-time')
    return fc.oneof(
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
        .map((date) => date.toISOString()),
      anyText(options),
    );
  if (schema.format === 'email') return fc.oneof(fc.emailAddress(), anyText(options));
  if (typeof schema.pattern === 'string')
    return fc.oneof(
      fc.stringMatching(new RegExp(schema.pattern), { size: 'small' }),
      anyText(options),
    );
  return anyText(options);
}

function objectOf(
  schema: JsonSchema,
  options: ArbitraryOptions,
  depth: number,
): fc.Arbitrary<Json> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (depth > depthMax) return fc.constant({});
  const required = ((schema.required ?? []) as readonly string[]).filter(
    (name) => name in properties,
  );
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      namedValue(name, arbitraryOf(property, options, depth + 1), options),
    ]),
  );
  if (Object.keys(properties).length > 0) return mostlyRequired(fields, { required, options });
  return fc.dictionary(
    anyText(options).filter((name) => name !== '__proto__'),
    anyJson(options),
    { maxKeys: 3 },
  ) as fc.Arbitrary<Json>;
}

/**
 * Optional fields are left out more often than not, since each is a chance to be refused before the
 * rules are reached; those with known values get far and are mostly there.
 */
export function mostlyRequired(
  fields: Readonly<Record<string, fc.Arbitrary<Json>>>,
  input: { readonly required: readonly string[]; readonly options: ArbitraryOptions },
): fc.Arbitrary<Record<string, Json>> {
  const absent = fc.constant(undefined);
  const entries = Object.entries(fields).map(([name, value]) => {
    const present = value.map((one) => [name, one] as const);
    if (input.required.includes(name)) return present;
    return fc.oneof(
      { weight: 2, arbitrary: absent },
      { weight: Object.hasOwn(input.options.knownValues, name) ? 4 : 1, arbitrary: present },
    );
  });
  return fc
    .tuple(...entries)
    .map((list) => Object.fromEntries(list.filter((entry) => entry !== undefined)));
}

function listPlaces(value: Json): { parent: Json[] | { [key: string]: Json }; key: string }[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, below]) => [
    { parent: value, key },
    ...listPlaces(below),
  ]);
}

function refName(schema: JsonSchema): string | undefined {
  return typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
}
