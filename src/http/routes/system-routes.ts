import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import { createReadinessCheck } from '../health.ts';
import { pageHeaders } from '../pages/html.ts';
import { renderOpenApi } from '../pages/openapi.ts';
import { type HomePage, renderHomePage } from '../reference/home-page.ts';
import { addReferenceRoutes, type ReferenceOptions } from '../reference/routes.ts';
import type { AnyRoute } from './route.ts';

export interface SystemRoutesOptions {
  readonly routes: readonly AnyRoute[];
  /** Folder of the migrations that `/ready` asks for; those of the main database when absent. */
  readonly migrationsFolder?: string;
  /** What `GET /` says of a development instance. */
  readonly home?: HomePage;
  /** Absent: `/docs` is the page without scripts, and nothing is beside it. */
  readonly reference?: ReferenceOptions;
}

/**
 * What is served beside the interface: health, readiness, the OpenAPI document and pages. None asks
 * for a key.
 */
export function addSystemRoutes(
  server: FastifyInstance,
  ctx: Ctx,
  options: SystemRoutesOptions,
): void {
  const { home, reference } = options;
  const document = memoize(() =>
    renderOpenApi(options.routes, {
      baseUrl: ctx.config.api.baseUrl,
      ...(reference && { events: reference.events }),
    }),
  );
  const documentText = memoize(() => JSON.stringify(document()));
  const json = 'application/json; charset=utf-8';
  const checkReadiness = createReadinessCheck(ctx, options.migrationsFolder);

  server.get('/health', (_, reply) => reply.header('content-type', json).send('{"status":"ok"}'));
  server.get('/ready', async (_, reply) => {
    const { ready, checks } = await checkReadiness();
    return reply
      .code(ready ? 200 : 503)
      .header('content-type', json)
      .send(JSON.stringify({ status: ready ? 'ready' : 'not ready', checks }));
  });
  server.get('/openapi.json', (_, reply) =>
    reply
      .headers({ 'content-type': json, 'access-control-allow-origin': '*' })
      .send(documentText()),
  );
  const isDevelopment = ctx.config.environment === 'development';
  const showsKeys = (request: FastifyRequest) => isDevelopment && isOnThisMachine(request);
  const { baseUrl } = ctx.config.api;
  addReferenceRoutes(server, {
    baseUrl,
    document,
    reference,
    keyFor: (request) => (showsKeys(request) ? home?.keys[0]?.[1] : undefined),
  });
  server.get('/', (request, reply) => {
    void reply.headers({ ...pageHeaders, vary: 'Accept', 'cache-control': 'no-store' });
    if (home && !request.headers.accept?.includes('text/html')) {
      return reply.header('content-type', 'text/plain; charset=utf-8').send(`${home.text}\n`);
    }
    return reply.send(
      renderHomePage({
        environment: ctx.config.environment,
        baseUrl,
        home,
        showsKeys: showsKeys(request),
      }),
    );
  });
}

/**
 * Asked by its own address too: a name that somebody else lets point to this machine is none of
 * ours.
 */
function isOnThisMachine(request: FastifyRequest): boolean {
  const isNear = /^(?:::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '');
  const isOwnName = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(
    request.headers.host ?? '',
  );
  return isNear && isOwnName && request.headers['x-forwarded-for'] === undefined;
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
