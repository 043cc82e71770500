import { request as httpRequest } from 'node:http';
import { z } from 'zod';
import type { TestApi } from '../../test/harness/http.ts';
import type { RequestCtx } from '../context.ts';
import { type ErrorCode, ServiceError } from '../lib/errors.ts';
import { type AnyRoute, type ErrorFamily, type RouteAuth, route } from './routes/route.ts';

/** Routes that only the tests of this folder serve. */

export const openAuth: RouteAuth = { keys: 'both', user: 'optional', scopes: ['wallets.read'] };

const thingSchema = z.looseObject({ id: z.string(), name: z.string() });

/** Creates nothing and answers 201; `run` decides otherwise. */
export function createRoute(
  run: (ctx: RequestCtx, body: { name: string }) => Promise<{ status: number; body?: unknown }>,
  overrides: Partial<AnyRoute> = {},
): AnyRoute {
  const made = route({
    method: 'POST',
    path: '/2025-06-09/things',
    operationId: 'createThing',
    summary: 'Create a thing',
    tag: 'Things',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.create'] },
    body: z.strictObject({
      name: z.string().max(100),
      tags: z.array(z.string()).optional(),
      nested: z.unknown().optional(),
    }),
    responses: {
      200: { description: 'There already.', schema: thingSchema },
      201: { description: 'Created.', schema: thingSchema },
    },
    errors: [],
    handler: (ctx, { body }) => run(ctx, body),
  });
  return { ...made, ...overrides };
}

/** Answers what it was called with. */
export const echoRoute = route({
  method: 'GET',
  path: '/2025-06-09/things/:thing',
  operationId: 'getThing',
  summary: 'Read a thing',
  tag: 'Things',
  family: 'W',
  auth: openAuth,
  params: z.object({ thing: z.string().max(1_500) }),
  query: z.object({ page: z.string().regex(/^\d+$/, 'must be a whole number').optional() }),
  responses: { 200: { description: 'The thing.', schema: z.looseObject({ thing: z.string() }) } },
  errors: [],
  handler: async (ctx, { params, query }) => ({
    status: 200,
    body: { thing: params.thing, query, caller: { ...ctx.caller, scopes: undefined } },
  }),
});

/** Refuses with `code`, or throws what is no refusal. */
export function failingRoute(
  family: ErrorFamily,
  fail: ErrorCode | (() => unknown),
  name = 'fails',
): AnyRoute {
  return route({
    method: 'GET',
    path: `/unstable/${family.toLowerCase()}/${name}`,
    operationId: `${name}${family}`,
    summary: 'Fail',
    tag: 'Failures',
    family,
    auth: openAuth,
    responses: {},
    errors: [],
    handler: async () => {
      throw typeof fail === 'string' ? new ServiceError(fail) : fail();
    },
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  readonly body: any;
}

/** A call whose path, headers and body go out exactly as given: `fetch` would mend them. */
export function rawCall(
  api: TestApi,
  input: { method: string; path: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<RawAnswer> {
  const url = new URL(api.baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        method: input.method,
        path: input.path,
        headers: { 'x-api-key': api.serverKey, ...input.headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: text.startsWith('{') ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(input.body);
  });
}
