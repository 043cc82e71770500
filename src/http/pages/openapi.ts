import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ErrorCode, errorTable } from '../../lib/errors.ts';
import { describeEvents, type EventDescription } from '../reference/events.ts';
import { addExamples, readExamples } from '../reference/examples.ts';
import { packageVersion } from '../reference/shipped.ts';
import { tagDescriptions } from '../reference/tags.ts';
import type { AnyRoute, ErrorFamily } from '../routes/route.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

const description = `Wallets, delegated signers, transactions, signatures, users, orders, payment methods and agent checkouts.

Every call carries an API key in the header \`X-API-KEY\`. A client-side key (\`ck_…\`) acts for an end user, whose JWT goes into
\`Authorization: Bearer …\`. Any POST may carry \`x-idempotency-key\` (1 to 255 printable ASCII characters): the same key with the
same body gives the stored answer for 30 days, so a call whose answer was lost can be repeated without doing it twice.
Every answer carries \`x-request-id\`.`;

const errorSchema = z
  .looseObject({ error: z.literal(true), message: z.string(), code: z.string().optional() })
  .meta({
    id: 'Error',
    description: 'A refusal. `message` says what to do, `code` is for programs.',
  });
const simulationErrorSchema = z
  .looseObject({
    error: z.looseObject({ reason: z.string(), message: z.string() }),
    message: z.string(),
  })
  .meta({
    id: 'SimulationError',
    description: 'The simulation of the transaction failed; nothing was sent to the chain.',
  });
const agentErrorSchema = z
  .looseObject({
    statusCode: z.number(),
    error: z.string(),
    message: z.string(),
    code: z.string().optional(),
  })
  .meta({
    id: 'AgentError',
    description: 'A refusal of the agent checkout routes. `error` is the phrase of the status.',
  });

/** Every code that any route may answer, whatever it declares itself. */
function generalErrors(route: AnyRoute): ErrorCode[] {
  const codes: ErrorCode[] = [
    'unauthorized',
    'forbidden',
    'rate-limited',
    'internal-error',
    'provider-unavailable',
  ];
  if (route.auth.scopes.length > 0 || route.auth.serverScopes) codes.push('forbidden-scope');
  if (route.auth.keys !== 'server' && route.auth.user !== 'none') {
    if (route.auth.user === 'required') codes.push('not-authorized');
    codes.push(
      'ERROR_JWT_INVALID',
      'not-authorized.jwt-invalid',
      'not-authorized.jwt-expired',
      'not-authorized.jwt-decryption',
      'not-authorized.jwt-identifier',
    );
  }
  if (route.params || route.query || route.body || route.method === 'POST')
    codes.push('validation-error');
  if (route.body) codes.push('invalid-json', 'payload-too-large', 'unsupported-media-type');
  if (route.method === 'POST') codes.push('idempotency-key-reused', 'idempotency-key-in-progress');
  if (route.family === 'O') codes.push('timeout');
  return codes;
}

/** The schema that the body of a refusal fits. */
function errorSchemaOf(family: ErrorFamily, status: number, code?: string): z.ZodType {
  if (family === 'A') return agentErrorSchema;
  return status === 422 && (code === undefined || code === 'transaction-simulation-failed')
    ? z.union([errorSchema, simulationErrorSchema])
    : errorSchema;
}

export interface OpenApiOptions {
  readonly baseUrl?: string;
  /** Bodies that are sent to receivers. */
  readonly events?: readonly EventDescription[];
}

/**
 * OpenAPI 3.1 of the routes: everything a caller needs to know, from the same schemas that check
 * the requests.
 */
export function renderOpenApi(
  routes: readonly AnyRoute[],
  options: OpenApiOptions = {},
): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([A-Za-z]\w*)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  const examples = readExamples();
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Purser',
        version: packageVersion(),
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.baseUrl ?? '/api' }],
      tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
        name,
        ...(tagDescriptions[name] && { description: tagDescriptions[name] }),
      })),
      paths,
      ...(options.events && { webhooks: describeEvents(options.events, examples) }),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-KEY',
            description:
              'Server-side (`sk_…`) or client-side (`ck_…`) key. The words beside it are the scopes of which the key needs one.',
          },
          userJwt: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'JWT of the end user by an issuer that the project trusts; with client-side keys.',
          },
        },
      },
    },
    { allowEmptySchema: { unknown: true, any: true, custom: true }, override: openAnswers },
  );
  addExamples(document, examples);
  return document;
}

/**
 * Answers may get new fields at any time, so their objects are open unless they are declared
 * strict.
 */
const openAnswers: NonNullable<NonNullable<Parameters<typeof createDocument>[1]>['override']> = ({
  jsonSchema,
  zodSchema,
  io,
}) => {
  const isStrict = zodSchema instanceof z.ZodObject && zodSchema.def.catchall instanceof z.ZodNever;
  if (io === 'output' && jsonSchema.additionalProperties === false && !isStrict)
    delete jsonSchema.additionalProperties;
};

function describeOperation(route: AnyRoute): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: describeAccess(route),
    tags: [route.tag],
    security: securityOf(route),
    requestParams: {
      ...(pathParamNames(route).length > 0 && {
        path: (route.params ?? textParams(route)) as z.ZodObject,
      }),
      ...(route.query && { query: route.query as z.ZodObject }),
      ...(route.method === 'POST' && { header: idempotencyHeader }),
      ...(route.headers && { header: route.headers as z.ZodObject }),
    },
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { 'application/json': { schema: route.body } },
      },
    }),
    responses: { ...describeAnswers(route), ...describeRefusals(route) },
  };
}

const idempotencyHeader = z.object({
  'x-idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Repeating the call with the same key and body gives the first answer again.'),
});

function describeAccess(route: AnyRoute): string {
  const keys = {
    server: 'A server-side key.',
    client: 'A client-side key.',
    both: 'A server-side or a client-side key.',
  }[route.auth.keys];
  const user =
    route.auth.keys === 'server'
      ? ''
      : {
          required: ' A client-side key comes with the JWT of the end user.',
          optional: ' A client-side key may come with the JWT of the end user.',
          none: '',
        }[route.auth.user];
  const scopes =
    route.auth.scopes.length === 0
      ? ''
      : ` Scope ${route.auth.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  const serverScopes = route.auth.serverScopes
    ? ` A server-side key needs the scope ${route.auth.serverScopes.map((scope) => `\`${scope}\``).join(' or ')}.`
    : '';
  return `${route.description ? `${route.description}\n\n` : ''}${keys}${user}${scopes}${serverScopes}`;
}

/** Alternatives: the key alone, or with the user's JWT. */
function securityOf(route: AnyRoute): Record<string, string[]>[] {
  const alone = { apiKey: [...route.auth.scopes] };
  const withUser = { ...alone, userJwt: [] };
  const takesUser = route.auth.keys !== 'server' && route.auth.user !== 'none';
  if (!takesUser) return [alone];
  return route.auth.keys === 'client' && route.auth.user === 'required'
    ? [withUser]
    : [alone, withUser];
}

function describeAnswers(route: AnyRoute): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, answer]) => [
      status,
      {
        description: answer.description,
        ...(answer.bytes && {
          content: { [answer.bytes]: { schema: { type: 'string' as const, format: 'binary' } } },
        }),
        ...(answer.schema && {
          content: {
            'application/json': { schema: answer.schema },
            ...(answer.streams && { [answer.streams]: { schema: { type: 'string' as const } } }),
          },
        }),
      },
    ]),
  );
}

function describeRefusals(route: AnyRoute): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...route.errors, ...generalErrors(route)])) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .filter(([status]) => !(status in route.responses))
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
          content: {
            'application/json': {
              schema: errorSchemaOf(
                route.family,
                status,
                codes.includes('transaction-simulation-failed')
                  ? 'transaction-simulation-failed'
                  : 'other',
              ),
            },
          },
        },
      ]),
  );
}

function pathParamNames(route: AnyRoute): string[] {
  return [...route.path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => name!);
}

function textParams(route: AnyRoute): z.ZodObject {
  return z.object(Object.fromEntries(pathParamNames(route).map((name) => [name, z.string()])));
}
