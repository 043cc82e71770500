import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../context.ts';
import { renderDocsPage } from './docs-page.ts';
import { createReadinessCheck } from './health.ts';
import { html, pageHeaders, renderPage } from './html.ts';
import { renderOpenApi } from './openapi.ts';
import type { AnyRoute } from './route.ts';

export interface SystemRoutesOptions {
  readonly routes: readonly AnyRoute[];
  /** Folder of the migrations that `/ready` asks for; those of the main database when absent. */
  readonly migrationsFolder?: string;
  /** What `GET /` says, as plain text. */
  readonly homePage?: string;
}

/** What is served beside the interface: health, readiness, the OpenAPI document and two pages. None asks for a key. */
export function addSystemRoutes(server: FastifyInstance, ctx: Ctx, options: SystemRoutesOptions): void {
  const once = memoize(() => renderOpenApi(options.routes, { baseUrl: ctx.config.api.baseUrl }));
  const documentText = memoize(() => JSON.stringify(once()));
  const docsPage = memoize(() => renderDocsPage(once()));
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
    reply.headers({ 'content-type': json, 'access-control-allow-origin': '*' }).send(documentText()),
  );
  server.get('/docs', (_, reply) => reply.headers(pageHeaders).send(docsPage()));
  server.get('/', (_, reply) => reply.headers(pageHeaders).send(renderHomePage(ctx, options.homePage)));
}

function renderHomePage(ctx: Ctx, text: string | undefined): string {
  return renderPage(
    'Purser',
    html`
<h1>Purser</h1>
<p>This is a ${ctx.config.environment} instance. Its interface is at <code>${ctx.config.api.baseUrl}</code>; <a href="/docs">/docs</a> says what it can do.</p>
${text !== undefined && html`<pre>${text}</pre>`}`,
  );
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
