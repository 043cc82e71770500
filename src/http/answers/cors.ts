import type { KeyCheck } from '../../areas/api-keys/index.ts';
import type { AnyRoute } from '../routes/route.ts';

const preflightAgeSeconds = 600;
const requestHeaders =
  'content-type, x-api-key, authorization, x-client-name, x-client-version, x-app-identifier, x-extension-id, x-idempotency-key, x-request-id';
const askedPattern = /^[A-Za-z0-9-]+(?: *, *[A-Za-z0-9-]+){0,49}$/;
const exposedHeaders =
  'x-request-id, ratelimit, ratelimit-policy, retry-after, idempotency-replayed';

/**
 * Headers of a preflight. It carries no key, so the origin is allowed when some client key allows
 * it; the call itself is checked against its own key.
 */
export async function preflightHeaders(
  keys: KeyCheck,
  input: { origin: string | undefined; asked: string | undefined; routes: readonly AnyRoute[] },
): Promise<Record<string, string>> {
  const allow = allowedMethods(input.routes);
  const clientRoutes = input.routes.filter((route) => route.auth.keys !== 'server');
  if (input.origin === undefined || clientRoutes.length === 0) return { allow };
  if (!(await keys.isOriginAllowed(input.origin))) return { allow, vary: 'Origin' };
  return {
    allow,
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-origin': input.origin,
    'access-control-allow-methods': allowedMethods(clientRoutes),
    // Browsers' own clients add headers of theirs; those that nobody reads do no harm.
    'access-control-allow-headers': askedPattern.test(input.asked ?? '')
      ? input.asked!
      : requestHeaders,
    'access-control-max-age': String(preflightAgeSeconds),
  };
}

/** Headers that let a browser on this origin, which the caller found allowed, read an answer. */
export function answerHeaders(origin: string): Record<string, string> {
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  };
}

/** Value of `Allow`. */
export function allowedMethods(routes: readonly AnyRoute[]): string {
  const methods = new Set<string>(routes.map((route) => route.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
