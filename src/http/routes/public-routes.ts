import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../../context.ts';
import { type OpenStreams, sendStream } from '../answers/send-stream.ts';
import type { AnswerStream } from './route.ts';

/**
 * Routes without an API key: callbacks of companies, which are signed, and pages that a browser
 * opens. They are no part of the documented interface.
 */
export interface PublicRoute {
  readonly method: 'GET' | 'POST';
  /** Below the base path, with `:name` parameters. */
  readonly path: string;
  /** 256 KiB when absent. */
  readonly bodyLimitBytes?: number;
  readonly handler: (ctx: Ctx, request: PublicRequest) => Promise<PublicAnswer>;
}

export interface PublicRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came; empty without a body. */
  readonly body: Buffer;
  readonly requestId: string;
  /** Who is calling, behind our own proxies. */
  readonly address: string;
}

export interface PublicAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Server-sent events, as they come, instead of a body. */
  readonly stream?: AnswerStream;
}

const bodyLimitBytes = 256 * 1024;

/** Adds them in a scope of their own, where bodies of every type arrive as bytes. */
export function addPublicRoutes(
  server: FastifyInstance,
  ctx: Ctx,
  input: {
    readonly basePath: string;
    readonly routes: readonly PublicRoute[];
    readonly streams: OpenStreams;
  },
): void {
  if (input.routes.length === 0) return;
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
    for (const route of input.routes) {
      scope.route({
        method: route.method,
        url: `${input.basePath}${route.path}`,
        bodyLimit: route.bodyLimitBytes ?? bodyLimitBytes,
        handler: async (request, reply) => {
          const answer = await route.handler(ctx, {
            params: request.params as Record<string, string>,
            query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
            headers: request.headers,
            body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
            requestId: request.id,
            address: request.ip,
          });
          if (answer.stream)
            return sendStream(input.streams, {
              ...answer,
              stream: answer.stream,
              contentType: 'text/event-stream',
              request,
              reply,
            });
          return reply
            .code(answer.status)
            .headers(answer.headers ?? {})
            .send(answer.body ?? '');
        },
      });
    }
  });
}
