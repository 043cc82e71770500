import { z } from 'zod';
import type { Ctx, RequestCtx } from '../../context.ts';
import { createRateLimiter, type RateLimiter } from '../../http/rate-limit.ts';
import type { PublicAnswer, PublicRequest, PublicRoute } from '../../http/routes/public-routes.ts';
import { ServiceError } from '../../lib/errors.ts';
import { findActingWallet, type WalletRecord } from '../wallets/index.ts';
import { type ApprovalLink, readLink } from './link.ts';
import { pagePath } from './make-link.ts';

/** A call of the page: what its link opens, and nothing else. */
export interface LinkCall {
  readonly link: ApprovalLink;
  readonly wallet: WalletRecord;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

const bodyLimitBytes = 64 * 1_024;
const limiters = new WeakMap<Ctx, RateLimiter>();

export function readRoute(
  path: string,
  answer: (ctx: RequestCtx, call: LinkCall) => Promise<unknown>,
): PublicRoute {
  return {
    method: 'GET',
    path: `${pagePath}/:projectId/api${path}`,
    handler: async (ctx, request) => {
      const opened = await openLink(ctx, request, 'reads');
      return json(200, await answer(opened.ctx, opened.call));
    },
  };
}

export function writeRoute<Body>(
  path: string,
  schema: z.ZodType<Body>,
  answer: (ctx: RequestCtx, call: LinkCall & { readonly body: Body }) => Promise<unknown>,
): PublicRoute {
  return {
    method: 'POST',
    path: `${pagePath}/:projectId/api${path}`,
    bodyLimitBytes,
    handler: async (ctx, request) => {
      if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
        throw new ServiceError('unsupported-media-type');
      const opened = await openLink(ctx, request, 'writes');
      return json(
        201,
        await answer(opened.ctx, { ...opened.call, body: readBody(schema, request.body) }),
      );
    },
  };
}

/**
 * The link stands in a header that no other page can set and that no browser adds by itself. It
 * counts on the page of its own project alone: that page says who may frame it.
 * @throws not-authorized, forbidden, rate-limited
 */
async function openLink(
  ctx: Ctx,
  request: PublicRequest,
  bucket: 'reads' | 'writes',
): Promise<{ ctx: RequestCtx; call: LinkCall }> {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new ServiceError('forbidden', { message: 'This is for the approval page alone.' });
  const token = /^bearer +(\S{1,1000}) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const link = token === undefined ? undefined : readLink(ctx.config, token);
  if (!link || link.projectId !== request.params.projectId)
    throw new ServiceError('not-authorized', {
      message: 'This link opens nothing here: it is not complete, or for another page.',
    });
  if (link.expiresAt <= ctx.clock.now())
    throw new ServiceError('not-authorized', {
      message: 'This link has run out: ask for another one where you got it.',
    });
  const { projectId } = link;
  let limiter = limiters.get(ctx);
  if (!limiter) limiters.set(ctx, (limiter = createRateLimiter(ctx)));
  // A bucket of its own for each object: whoever has a link stops nobody else.
  await limiter.take(
    {
      projectId,
      keyKind: 'client',
      user: { kind: 'userId', value: `approval-link:${link.objectId}` },
    },
    bucket,
  );
  const inside: RequestCtx = {
    ...ctx,
    log: ctx.log.child({ requestId: request.requestId }),
    requestId: request.requestId,
    caller: {
      projectId,
      environment: ctx.config.environment,
      keyKind: 'server',
      keyId: 'approval-link',
      scopes: new Set<string>(),
      // Balances in the list form.
      clientName: 'approval-page',
    },
  };
  const wallet = await findActingWallet(inside, link.walletAddress);
  return { ctx: inside, call: { link, wallet, params: request.params, query: request.query } };
}

/**
 * What the link names, by the names of the interface in the path.
 * @throws forbidden for anything else
 */
export function requireOwn(
  { link, params }: Pick<LinkCall, 'link' | 'params'>,
  kind: ApprovalLink['kind'],
): void {
  const isOwn =
    link.kind === kind &&
    params.objectId === link.objectId &&
    params.walletLocator === link.walletAddress;
  if (!isOwn)
    throw new ServiceError('forbidden', {
      message: `This link is for the ${link.kind} ${link.objectId}, and for nothing else.`,
    });
}

/** Numbers of any length are text in JSON. */
function json(status: number, body: unknown): PublicAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  };
}

function readBody<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ServiceError('invalid-json');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`,
  );
  throw new ServiceError('validation-error', { message: problems.join('; ') });
}
