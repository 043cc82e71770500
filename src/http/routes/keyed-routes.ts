import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import type { Caller, Ctx } from '../../context.ts';
import type { RouteAuth } from './route.ts';

/**
 * A route beside the documented interface that asks for an API key. What it does, it does through
 * the interface, with the key and the user token of its caller.
 */
export interface KeyedRoute {
  /** From the root. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  readonly bodyLimitBytes: number;
  readonly handler: (ctx: Ctx, request: KeyedRequest) => Promise<KeyedAnswer>;
}

export interface KeyedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; undefined without one. */
  readonly body: unknown;
  readonly caller: Caller;
  /** Aborted once the caller has gone or the answer is late. */
  readonly signal: AbortSignal;
  /**
   * Calls the interface as this caller: same key, same user, same place. Nothing that a request
   * passes through is left out.
   */
  call(input: InterfaceCall): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  }>;
}

export interface InterfaceCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `{base_url}`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KeyedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Any key may come in: what it may do is asked at every call of the interface. */
export const keyedAuth: RouteAuth = { keys: 'both', user: 'optional', scopes: [] };
/** Who is calling, and from where. */
const passedOn = [
  'x-api-key',
  'authorization',
  'origin',
  'x-app-identifier',
  'x-extension-id',
] as const;

export function addKeyedRoutes(
  server: FastifyInstance,
  ctx: Ctx,
  input: {
    readonly basePath: string;
    readonly routes: readonly KeyedRoute[];
    readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  },
): void {
  for (const route of input.routes) {
    server.route({
      method: [...route.methods],
      url: route.path,
      bodyLimit: route.bodyLimitBytes,
      onRequest: input.admit,
      handler: async (request, reply) => {
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const answer = await route.handler(ctx, {
          method: request.method,
          headers: request.headers,
          body: request.body,
          caller: request.caller!,
          signal: gone.signal,
          call: (call) => callInterface(server, `${input.basePath}${call.path}`, { call, request }),
        });
        if (reply.sent) return reply;
        return reply
          .code(answer.status)
          .headers({
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
            ...answer.headers,
          })
          .send(answer.body);
      },
    });
  }
}

async function callInterface(
  server: FastifyInstance,
  url: string,
  input: { readonly call: InterfaceCall; readonly request: FastifyRequest },
) {
  const { call, request } = input;
  const identity = passedOn.flatMap((name) =>
    request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
  );
  const options: InjectOptions = {
    method: call.method,
    url,
    remoteAddress: request.ip,
    headers: {
      ...call.headers,
      ...Object.fromEntries(identity),
      'x-request-id': request.id,
      'content-type': 'application/json',
    },
    ...(call.body !== undefined && { payload: JSON.stringify(call.body) }),
  };
  const answer = await server.inject(options);
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.payload === '' ? undefined : (JSON.parse(answer.payload) as unknown),
  };
}
