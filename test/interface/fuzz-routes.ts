import fc from 'fast-check';
import { z } from 'zod';
import { renderOpenApi } from '../../src/http/pages/openapi.ts';
import type { AnyRoute } from '../../src/http/routes/route.ts';
import { type CallAnswer, type TestApi } from '../harness/http.ts';
import {
  type ArbitraryOptions,
  anyText,
  arbitraryOf,
  type JsonSchema,
  mostlyRequired,
  mutate,
  namedValue,
} from './schema-arbitrary.ts';

export interface FuzzOptions extends Pick<ArbitraryOptions, 'knownTexts' | 'knownValues'> {
  /** Calls per route. */
  readonly runCount: number;
  /** Repeats a run that found something. */
  readonly seed?: number;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: JsonSchema;
  }[];
  readonly body?: JsonSchema;
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: { readonly 'application/json'?: { readonly schema: JsonSchema } } }
    >
  >;
}

interface Call {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly key: 'server' | 'client' | 'none' | 'wrong';
  readonly jwt: boolean;
  readonly idempotencyKey: string | undefined;
}

/**
 * Drives every operation of the OpenAPI document of `routes` with random and mutated input.
 * @throws when an answer is 5xx, has a status that the document does not list, or does not fit the
 * schema it gives
 */
export async function fuzzRoutes(
  api: TestApi,
  routes: readonly AnyRoute[],
  options: FuzzOptions,
): Promise<void> {
  const document = renderOpenApi(routes);
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, JsonSchema>>;
  const jwt = await api.userJwt('alice', { email: 'alice@example.com', email_verified: true });
  for (const operation of listOperations(document as unknown as Document)) {
    const checkAnswer = answerCheckOf(operation, schemas);
    const property = fc.asyncProperty(callOf(operation, { ...options, schemas }), async (call) =>
      checkAnswer(await send(api, operation, call, jwt)),
    );
    await fc
      .assert(property, {
        numRuns: options.runCount,
        seed: options.seed,
        endOnFailure: true,
        includeErrorInReport: true,
      })
      .catch((error: Error) => {
        throw new Error(`${operation.method} ${operation.path}: ${error.message}`);
      });
  }
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: Operation['parameters'];
            readonly requestBody?: {
              readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
            };
            readonly responses: Operation['responses'];
          }
        >
      >
    >
  >;
}

function listOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json'].schema,
      responses: operation.responses,
    })),
  );
}

function callOf(operation: Operation, options: ArbitraryOptions): fc.Arbitrary<Call> {
  const inPlace = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place);
  const valueOf = ({ name, schema }: Operation['parameters'][number]) =>
    namedValue(
      name,
      fc.oneof(schema ? arbitraryOf(schema, options) : anyText(options), anyText(options)),
      options,
    ).map(String);
  const path = fc.record(
    Object.fromEntries(
      inPlace('path').map((parameter) => [
        parameter.name,
        valueOf(parameter).filter((value) => value !== ''),
      ]),
    ),
  );
  const query = mostlyRequired(
    Object.fromEntries(inPlace('query').map((parameter) => [parameter.name, valueOf(parameter)])),
    {
      required: inPlace('query')
        .filter((parameter) => parameter.required)
        .map((parameter) => parameter.name),
      options,
    },
  );
  const fitting = operation.body ? arbitraryOf(operation.body, options) : fc.constant(undefined);
  const body = operation.body
    ? fc.oneof(
        { weight: 6, arbitrary: fitting },
        { weight: 3, arbitrary: mutate(fitting as never, options) },
        { weight: 1, arbitrary: fc.constantFrom('{', '', 'null', '[]', '"x"') },
      )
    : fitting;
  return fc.record({
    path,
    query,
    body,
    key: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom('server', 'client') },
      { weight: 1, arbitrary: fc.constantFrom('none', 'wrong') },
    ),
    jwt: fc.oneof(
      { weight: 5, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    idempotencyKey: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('a', 'b', ' ', 'x'.repeat(300)) },
    ),
  }) as fc.Arbitrary<Call>;
}

async function send(
  api: TestApi,
  operation: Operation,
  call: Call,
  jwt: string,
): Promise<CallAnswer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encode(call.path[name] ?? 'x'),
  );
  const query = new URLSearchParams(call.query).toString();
  const key = {
    server: api.serverKey,
    client: api.clientKey,
    none: null,
    wrong: `${api.serverKey.slice(0, -4)}zzzz`,
  }[call.key];
  return api.call(operation.method, `${path}${query === '' ? '' : `?${query}`}`, {
    key,
    jwt: call.jwt ? jwt : undefined,
    body: call.body,
    headers:
      call.idempotencyKey === undefined || operation.method !== 'POST'
        ? {}
        : { 'x-idempotency-key': call.idempotencyKey },
  });
}

/**
 * Halves of surrogate pairs have no encoding, and a path part of dots would be resolved by the
 * client.
 */
function encode(text: string): string {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E%2E%2E') : encoded;
}

function answerCheckOf(
  operation: Operation,
  schemas: Readonly<Record<string, JsonSchema>>,
): (answer: CallAnswer) => void {
  const checks = new Map(
    Object.entries(operation.responses).map(([status, response]) => {
      const schema = response.content?.['application/json']?.schema;
      return [Number(status), schema && readJsonSchema(schema, schemas)] as const;
    }),
  );
  return (answer) => {
    const told = `${answer.status} ${answer.text.slice(0, 500)}`;
    if (answer.status >= 500) throw new Error(`answered ${told}`);
    if (!checks.has(answer.status))
      throw new Error(`answered ${told}, and the document does not list that status`);
    const check = checks.get(answer.status);
    if (!check) {
      if (answer.text !== '') throw new Error(`answered ${told}, and the document gives no body`);
      return;
    }
    if (!(answer.headers.get('content-type') ?? '').startsWith('application/json'))
      throw new Error(`answered ${told} as ${answer.headers.get('content-type')}`);
    const result = check.safeParse(answer.body);
    if (!result.success)
      throw new Error(`answered ${told}, which does not fit: ${result.error.message}`);
    if (/\n {4}at |node_modules|\.ts:\d/.test(answer.text))
      throw new Error(`answered with a stack trace: ${told}`);
  };
}

/**
 * The schema of the document itself is what answers are held against: so the document is tested
 * too.
 */
function readJsonSchema(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  );
  return z.fromJSONSchema(JSON.parse(text));
}
