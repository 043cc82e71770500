import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findShipped } from '../../config/folders.ts';
import { ServiceError } from '../../lib/errors.ts';
import { renderDocsPage } from '../pages/docs-page.ts';
import { pageHeaders } from '../pages/html.ts';
import type { OpenApiDocument } from '../pages/openapi.ts';
import { renderErrorsPage } from './errors-page.ts';
import type { EventDescription } from './events.ts';
import { picturesPath } from './examples.ts';
import { listGuides, renderGuide, renderGuideList } from './guides.ts';
import { readBundle, renderReferencePage, startScript } from './reference-page.ts';
import { renderSandboxesPage, type SandboxValues } from './sandboxes-page.ts';

export interface ReferenceOptions {
  /** Bodies of webhooks. */
  readonly events: readonly EventDescription[];
  /** Of the stand-ins that this instance has. */
  readonly sandboxes: readonly SandboxValues[];
}

interface ReferenceInput {
  readonly baseUrl: string;
  readonly document: () => OpenApiDocument;
  readonly reference: ReferenceOptions | undefined;
  /** What "try it" is filled with for this visitor. */
  readonly keyFor: (request: FastifyRequest) => string | undefined;
}

/** The documentation. Everything is read and made when it is first asked for. */
export function addReferenceRoutes(server: FastifyInstance, input: ReferenceInput): void {
  const { baseUrl, document, reference, keyFor } = input;
  let plain: string | undefined;
  const sendPlain = (_: FastifyRequest, reply: FastifyReply) =>
    reply.headers(pageHeaders).send((plain ??= renderDocsPage(document())));
  server.get('/docs/plain', sendPlain);
  if (!reference) {
    server.get('/docs', sendPlain);
    return;
  }

  let bundle: ReturnType<typeof readBundle> | undefined;
  const readOnce = () => (bundle ??= readBundle());
  const script = {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'max-age=3600',
  };
  const picture = {
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'cache-control': 'max-age=3600',
  };
  server.get('/docs', async (request, reply) => {
    if (!(await readOnce())) return sendPlain(request, reply);
    const page = renderReferencePage({ baseUrl, key: keyFor(request) });
    return reply.headers(page.headers).send(page.html);
  });
  server.get('/docs/reference.js', async (_, reply) => {
    const packed = await readOnce();
    if (!packed) throw new ServiceError('route-not-found');
    return reply.headers({ ...script, 'content-encoding': 'gzip' }).send(packed);
  });
  server.get('/docs/start.js', (_, reply) => reply.headers(script).send(startScript));
  server.get('/docs/errors', (_, reply) => reply.headers(pageHeaders).send(renderErrorsPage()));
  server.get('/docs/sandboxes', (_, reply) =>
    reply.headers(pageHeaders).send(renderSandboxesPage(reference.sandboxes)),
  );
  server.get('/docs/guides', (_, reply) => reply.headers(pageHeaders).send(renderGuideList()));
  server.get<{ Params: { name: string } }>('/docs/guides/:name', async (request, reply) => {
    const page = await renderGuide(request.params.name);
    if (page === undefined)
      throw new ServiceError('route-not-found', {
        message: 'There is no such guide: /docs/guides lists them.',
      });
    return reply.headers(pageHeaders).send(page);
  });
  server.get<{ Params: { name: string } }>('/docs/examples/:name', (request, reply) => {
    const { name } = request.params;
    const found = /^\w{1,80}\.jpg$/.test(name) ? findShipped(`${picturesPath}/${name}`) : undefined;
    if (found === undefined) throw new ServiceError('route-not-found');
    return reply.headers(picture).send(readFileSync(found));
  });
  server.get('/llms.txt', (_, reply) =>
    reply.header('content-type', 'text/plain; charset=utf-8').send(listForModels(baseUrl)),
  );
}

/** What a language model should read, as llmstxt.org has it. */
function listForModels(baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  const guides = listGuides().map(
    ([title, group]) =>
      `### ${title}\n\n${group.map((guide) => `- [${guide.title}](${origin}/docs/guides/${guide.name})`).join('\n')}\n`,
  );
  return `# Purser

> Self-hosted wallets, orders and agent checkouts. The interface is at ${baseUrl}; each call carries an API key in X-API-KEY.

## Reference

- [OpenAPI 3.1](${origin}/openapi.json): every operation, with a recorded request and answer
- [The same as a page](${origin}/docs/plain)
- [Errors](${origin}/docs/errors): every code and what to do
- [Sandboxes](${origin}/docs/sandboxes): values that make the stand-ins do something

## Guides

${guides.join('\n')}
`;
}
