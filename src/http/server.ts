import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { CheckedKey, KeyWait } from '../areas/api-keys/index.ts';
import type { HashUser } from '../areas/projects/index.ts';
import type { Caller, Ctx } from '../context.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/log/log.ts';
import { createLogHash, type LogHash } from '../lib/log/log-hash.ts';
import { addAnswerHeaders, commonHeaders } from './answers/answer-headers.ts';
import { allowedMethods, answerHeaders, preflightHeaders } from './answers/cors.ts';
import { AnswerTimeout, formatError, readError } from './answers/error-answer.ts';
import type { StoredAnswers } from './answers/idempotency.ts';
import { createOpenStreams, type OpenStreams } from './answers/send-stream.ts';
import { type Authenticator, createAuthenticator } from './caller.ts';
import { watchConnections } from './close-server.ts';
import { parseJsonBody } from './json-body.ts';
import { lingerOverBodies } from './linger.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { answerClientError, readRequestId } from './raw-http.ts';
import type { HomePage } from './reference/home-page.ts';
import type { ReferenceOptions } from './reference/routes.ts';
import { addKeyedRoutes, type KeyedRoute, keyedAuth } from './routes/keyed-routes.ts';
import { createPathIndex, type PathIndex } from './routes/paths.ts';
import { addPublicRoutes, type PublicRoute } from './routes/public-routes.ts';
import type { AnyRoute, ErrorFamily, RouteAuth } from './routes/route.ts';
import { serveRoute } from './routes/serve-route.ts';
import { addSocketRoutes, type SocketRoute } from './routes/socket-routes.ts';
import { addSystemRoutes } from './routes/system-routes.ts';
import { wipeReceivedBodies } from './wipe-body.ts';

export interface ServerOptions {
  readonly routes: readonly AnyRoute[];
  /** Callbacks and pages, which ask for no key. */
  readonly publicRoutes?: readonly PublicRoute[];
  /** WebSockets, which ask for no key either. */
  readonly socketRoutes?: readonly SocketRoute[];
  /** Below `/console`, where the configuration says that there is one. */
  readonly consoleRoutes?: readonly PublicRoute[];
  /** What is served beside the interface to whoever has a key. */
  readonly keyedRoutes?: readonly KeyedRoute[];
  /** Path under which the routes live; `/api` when absent. */
  readonly basePath?: string;
  /** Refuses to send answers that do not fit their schema; for tests and development. */
  readonly checkAnswers?: boolean;
  /** Longest time from a request's first byte to its answer. */
  readonly handlerTimeoutMs?: number;
  /** Longest time in which nothing moves on a connection whose request is being answered. */
  readonly stalledMs?: number;
  /** How the answers of idempotent calls are kept; readable when absent. */
  readonly storedAnswers?: StoredAnswers;
  /** Asked before any caller is let in. @throws ServiceError when nobody can be let in now */
  readonly checkOpen?: () => Promise<void>;
  /** Where API keys are a copy that somebody else brings up to date. */
  readonly keyWait?: KeyWait;
  /** How users who were signed out are kept; by the project's secret when absent. */
  readonly hashUser?: HashUser;
  /**
   * Gives every request an id of its own whatever `x-request-id` says: where nobody's text may get
   * into a log.
   */
  readonly ownRequestIds?: boolean;
  /** Folder of the migrations that `/ready` asks for; those of the main database when absent. */
  readonly migrationsFolder?: string;
  /** What `GET /` says in development: the composition root knows what it started. */
  readonly home?: HomePage;
  /** The documentation with all its parts; absent: a page without scripts. */
  readonly reference?: ReferenceOptions;
  /** Told of each finished request, for metrics. `route` is the pattern, never the path. */
  readonly onFinished?: (visit: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly durationMs: number;
  }) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Known earlier than its caller, and of callers who are refused; for the log. */
    apiKey: Pick<CheckedKey, 'id' | 'projectId'> | undefined;
    /** Code of the refusal, for the log. */
    refusedWith: string | undefined;
    /** Its answer says that there is nothing: its line is for debugging. */
    isIdle: boolean;
    answerTimer: NodeJS.Timeout | undefined;
  }
  interface FastifyContextConfig {
    served?: AnyRoute;
  }
}

const bodyLimitBytes = 1_024 * 1_024;
const handlerTimeoutMs = 30_000;
/** Time to receive a whole request, headers and body. */
const receiveTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
/** Longer than a handler may take, and than the pause between two signs of life of a stream. */
const stalledMs = 60_000;
/** Longer than any locator; the schema of a route decides what is too long. */
const paramLengthMax = 8_192;

interface Parts {
  readonly ctx: Ctx;
  readonly options: ServerOptions;
  readonly basePath: string;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly paths: PathIndex;
  readonly requestLog: Logger;
  readonly logHash: LogHash;
  readonly streams: OpenStreams;
}

/**
 * The interface as an HTTP server, not listening yet. `server.listen` and `closeServer` are the
 * caller's.
 */
export function createServer(ctx: Ctx, options: ServerOptions): FastifyInstance {
  const parts: Parts = {
    ctx,
    options,
    basePath: options.basePath ?? '/api',
    authenticator: createAuthenticator(ctx, options),
    limiter: createRateLimiter(ctx),
    paths: createPathIndex(options.routes),
    // Its fields are fixed and none is secret; searching each line for secrets would cost two
    // thirds of it.
    requestLog: ctx.log.child({}, { formatters: { log: (fields) => fields } }),
    logHash: createLogHash(ctx.config.keyEncryptionKeys),
    streams: createOpenStreams(),
  };
  const server = Fastify({
    // One line per request is written below; the logger of the framework would cost a child per
    // request.
    logger: false,
    genReqId: (request) =>
      options.ownRequestIds
        ? ctx.ids.uuid()
        : readRequestId(request.headers['x-request-id'], ctx.ids),
    // Said as a function: a bare number is taken for none.
    trustProxy: (_, hop) => hop < ctx.config.api.trustedProxies,
    bodyLimit: bodyLimitBytes,
    requestTimeout: receiveTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Whoever does not read what it asked for would hold its connection, and its place among the
    // streams, for ever.
    connectionTimeout: options.stalledMs ?? stalledMs,
    // A 5xx is fatal to existing clients: what still arrives during a shutdown is served.
    return503OnClosing: false,
    // `POST /unstable/agent-checkouts/` of the interface is the route without its slash, and so is
    // every other one.
    routerOptions: { maxParamLength: paramLengthMax, ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, commonHeaders(ctx)),
    frameworkErrors: (error, request, reply) => {
      // No hook runs for what has no route.
      void reply.headers({ ...commonHeaders(ctx), 'x-request-id': request.id });
      sendError(parts, { error, request, reply });
      writeRequestLine(parts, request, reply);
    },
  });
  watchConnections(server);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('apiKey', undefined);
  server.decorateRequest('refusedWith', undefined);
  server.decorateRequest('isIdle', false);
  server.decorateRequest('answerTimer', undefined);
  addBodyParser(server);
  addAnswerHeaders(server, ctx);
  const timeoutMs = options.handlerTimeoutMs ?? handlerTimeoutMs;
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    request.answerTimer = setTimeout(answerLate, timeoutMs, parts, request, reply);
    if (request.is404) await answerUnrouted(parts, request, reply);
  });
  server.addHook('onResponse', (request, reply, done) => {
    clearTimeout(request.answerTimer);
    writeRequestLine(parts, request, reply);
    done();
  });
  // Streams end before the server waits for what is under way: their readers come back to another
  // process.
  server.addHook('preClose', async () => parts.streams.endAll());
  server.setErrorHandler((error, request, reply) => sendError(parts, { error, request, reply }));
  server.setNotFoundHandler((_, reply) => reply);
  for (const route of options.routes) addRoute(server, parts, route);
  addPublicRoutes(server, ctx, {
    basePath: parts.basePath,
    routes: options.publicRoutes ?? [],
    streams: parts.streams,
  });
  if (options.consoleRoutes && ctx.config.console)
    addPublicRoutes(server, ctx, {
      basePath: '/console',
      routes: options.consoleRoutes,
      streams: parts.streams,
    });
  addSocketRoutes(server, ctx, { basePath: parts.basePath, routes: options.socketRoutes ?? [] });
  addKeyedRoutes(server, ctx, {
    basePath: parts.basePath,
    routes: options.keyedRoutes ?? [],
    // Each call that it makes counts for itself.
    admit: (request, reply) =>
      admitRequest(parts, { auth: keyedAuth, bucket: 'reads', request, reply }),
  });
  addSystemRoutes(server, ctx, options);
  return server;
}

function addRoute(server: FastifyInstance, parts: Parts, route: AnyRoute): void {
  const options = {
    checkAnswers: parts.options.checkAnswers ?? false,
    storedAnswers: parts.options.storedAnswers,
    streams: parts.streams,
  };
  server.route({
    method: route.method,
    url: `${parts.basePath}${route.path}`,
    config: { served: route },
    bodyLimit: route.bodyLimitBytes ?? bodyLimitBytes,
    onRequest: (request, reply) =>
      admitRequest(parts, {
        auth: route.auth,
        bucket: route.method === 'GET' ? 'reads' : 'writes',
        request,
        reply,
      }),
    handler: (request, reply) =>
      serveRoute(parts.ctx, options, { route, caller: request.caller!, request, reply }),
  });
}

/** Key, place, kind, scope, user, rate limit: all before a byte of the body is read. */
async function admitRequest(
  parts: Parts,
  call: {
    auth: RouteAuth;
    bucket: 'reads' | 'writes';
    request: FastifyRequest;
    reply: FastifyReply;
  },
): Promise<void> {
  const { auth, bucket, request, reply } = call;
  const { authenticator, limiter } = parts;
  const { origin } = request.headers;
  if (origin !== undefined && authenticator.keys.isOriginKnown(origin))
    reply.headers(answerHeaders(origin));
  await parts.options.checkOpen?.();
  const key = await authenticator.recognise(request.headers);
  request.apiKey = key;
  try {
    authenticator.checkPlace(key, request.headers);
  } catch (error) {
    reply.removeHeader('access-control-allow-origin');
    throw error;
  }
  if (origin !== undefined && key.kind === 'client') reply.headers(answerHeaders(origin));
  request.caller = await authenticator.identify(key, request.headers, auth);
  reply.headers(await limiter.take(request.caller, bucket));
}

/** Preflights, wrong methods and unknown paths. */
async function answerUnrouted(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = pathBelow(parts.basePath, request.url);
  const routes = path === undefined ? [] : parts.paths.match(path);
  if (routes.length === 0)
    throw new ServiceError('route-not-found', {
      message: `There is no route ${request.method} at this path. See /docs for what there is.`,
    });
  if (request.method !== 'OPTIONS') {
    const message = routes
      .map(({ elsewhere }) => elsewhere?.[request.method]?.(parts.ctx))
      .find((text) => text !== undefined);
    throw new ServiceError('method-not-allowed', {
      headers: { allow: allowedMethods(routes) },
      ...(message !== undefined && { message }),
    });
  }
  const headers = await preflightHeaders(parts.authenticator.keys, {
    origin: request.headers.origin,
    asked: request.headers['access-control-request-headers'],
    routes,
  });
  return reply.code(204).headers(headers).send();
}

function sendError(
  parts: Parts,
  failed: { error: unknown; request: FastifyRequest; reply: FastifyReply },
): void {
  const { request, reply } = failed;
  const family = familyOf(parts, request);
  const error = readError(failed.error, family);
  const answer = formatError(error, family);
  request.refusedWith = error.code;
  if (answer.status >= 500)
    parts.ctx.log.error(
      {
        requestId: request.id,
        route: request.routeOptions.url,
        code: error.code,
        err: error.cause ?? error,
      },
      'request failed',
    );
  void reply
    .code(answer.status)
    .headers(answer.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(answer.body));
}

/**
 * The framework's own time-out makes and aborts a controller for each request, a twelfth of what a
 * read costs.
 */
function answerLate(parts: Parts, request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.sent) sendError(parts, { error: new AnswerTimeout(), request, reply });
}

function familyOf(parts: Parts, request: FastifyRequest): ErrorFamily {
  return (
    request.routeOptions.config?.served?.family ??
    parts.paths.familyOf(pathBelow(parts.basePath, request.url) ?? '')
  );
}

/**
 * One line: who called from where, also when refused; the route's pattern, never its path or query,
 * which may name people.
 */
function writeRequestLine(parts: Parts, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
  const durationMs = Math.round(reply.elapsedTime * 10) / 10;
  const status = reply.statusCode;
  const user = request.caller?.user;
  parts.options.onFinished?.({ method: request.method, route, status, durationMs });
  parts.requestLog[request.isIdle ? 'debug' : 'info'](
    {
      requestId: request.id,
      method: request.method,
      route,
      status,
      durationMs,
      code: request.refusedWith,
      projectId: request.apiKey?.projectId,
      keyId: request.apiKey?.id,
      user: user && parts.logHash('user', `${user.kind}:${user.value}`),
      address: parts.logHash('address', request.ip),
    },
    'request',
  );
}

/** JSON is the only content type. An empty body is none, whatever its content type says. */
function addBodyParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        throw new ServiceError('unsupported-media-type', {
          message: 'Send the body without Content-Encoding.',
        });
      done(null, parseJsonBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    } finally {
      // A copy of what arrived; what is kept of it is in the parsed value.
      (bytes as Buffer).fill(0);
    }
  });
  wipeReceivedBodies(server);
  lingerOverBodies(server);
}

/**
 * The path below the base path, without query and the slash at its end, as the router reads it;
 * undefined for other paths.
 */
function pathBelow(basePath: string, url: string): string | undefined {
  const path = url.split('?', 1)[0]!.replace(/\/$/, '');
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
