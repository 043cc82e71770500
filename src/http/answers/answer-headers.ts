import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../../context.ts';

/** A year, as browsers' lists ask for. */
const strictTransportSeconds = 31_536_000;

/**
 * What every answer carries unless its route says otherwise: it is of the type it names, is kept
 * nowhere, loads nothing, stands in no frame, and says nothing of where a link was; behind https
 * browsers stay there. The one place for it: pages and streams add their own.
 */
export function commonHeaders(ctx: Pick<Ctx, 'config'>): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(ctx.config.api.baseUrl.startsWith('https://') && {
      'strict-transport-security': `max-age=${strictTransportSeconds}`,
    }),
  };
}

export function addAnswerHeaders(server: FastifyInstance, ctx: Pick<Ctx, 'config'>): void {
  const headers = Object.entries(commonHeaders(ctx));
  server.addHook('onSend', (_, reply, payload, done) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) void reply.header(name, value);
    done(null, payload);
  });
}
