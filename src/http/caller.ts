import type { IncomingHttpHeaders } from 'node:http';
import {
  allowsOrigin,
  allowsValue,
  type CheckedKey,
  createKeyCheck,
  type KeyCheck,
  type KeyWait,
} from '../areas/api-keys/index.ts';
import {
  createHashUser,
  createUserJwtCheck,
  type HashUser,
  type JwtUser,
  type UserJwtCheck,
} from '../areas/projects/index.ts';
import type { Caller, Ctx } from '../context.ts';
import { ServiceError } from '../lib/errors.ts';
import type { RouteAuth } from './routes/route.ts';

export interface Authenticator {
  readonly keys: KeyCheck;
  /** Whose key it is. @throws unauthorized */
  recognise(headers: IncomingHttpHeaders): Promise<CheckedKey>;
  /** Checks the place that the key is used from. @throws forbidden */
  checkPlace(key: CheckedKey, headers: IncomingHttpHeaders): void;
  /**
   * Finds out who is calling and whether they may call this route (supplement, section 3).
   * @throws forbidden, forbidden-scope, and the codes of end-user JWTs
   */
  identify(key: CheckedKey, headers: IncomingHttpHeaders, auth: RouteAuth): Promise<Caller>;
}

/** One per server: it holds the caches of keys, issuers and key sets. */
export function createAuthenticator(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  {
    keyWait,
    hashUser = createHashUser(ctx),
  }: { readonly keyWait?: KeyWait; readonly hashUser?: HashUser } = {},
): Authenticator {
  const keys = createKeyCheck(ctx, keyWait);
  const jwts = createUserJwtCheck(ctx, hashUser);
  return {
    keys,
    recognise: (headers) => keys.check(readHeader(headers, 'x-api-key')),
    checkPlace,
    async identify(key, headers, auth) {
      checkKind(key, auth);
      checkScopes(key, auth);
      const user =
        key.kind === 'client' && auth.user !== 'none'
          ? await identifyUser(jwts, key, headers, auth)
          : undefined;
      return {
        projectId: key.projectId,
        environment: ctx.config.environment,
        keyKind: key.kind,
        keyId: key.id,
        scopes: key.scopeSet,
        user: user?.user,
        verifiedEmail: user?.verifiedEmail,
        ...(key.kind === 'client' && readOrderSecret(headers)),
        clientName: readHeader(headers, 'x-client-name')?.toLowerCase(),
      };
    },
  };
}

function checkKind(key: CheckedKey, auth: RouteAuth): void {
  if (auth.keys === 'both' || auth.keys === key.kind) return;
  const wanted =
    auth.keys === 'server' ? 'a server-side API key (sk_…)' : 'a client-side API key (ck_…)';
  throw new ServiceError('forbidden', { message: `This route needs ${wanted}.` });
}

function checkScopes(key: CheckedKey, auth: RouteAuth): void {
  for (const scopes of [auth.scopes, key.kind === 'server' ? (auth.serverScopes ?? []) : []]) {
    if (scopes.length === 0 || scopes.some((scope) => key.scopeSet.has(scope))) continue;
    throw new ServiceError('forbidden-scope', {
      message: `The API key lacks the scope ${scopes.join(' or ')}: use a key that carries it.`,
    });
  }
}

/**
 * Where a client key is used from. Headers that are absent are not asked for: only browsers send
 * `Origin`, only apps and extensions the other two. A server key is bound to places only if it
 * names some.
 */
function checkPlace(key: CheckedKey, headers: IncomingHttpHeaders): void {
  const { origin } = headers;
  if (
    origin !== undefined &&
    isBound(key, key.allowedOrigins) &&
    !allowsOrigin(key.allowedOrigins, origin)
  ) {
    throw new ServiceError('forbidden', {
      message:
        'The API key does not allow calls from this Origin: add it to the allowed origins of the key.',
    });
  }
  const appId = readHeader(headers, 'x-app-identifier');
  if (
    appId !== undefined &&
    isBound(key, key.allowedAppIds) &&
    !allowsValue(key.allowedAppIds, appId)
  ) {
    throw new ServiceError('forbidden', {
      message:
        'The API key does not allow this x-app-identifier: add it to the allowed apps of the key.',
    });
  }
  const extensionId = readHeader(headers, 'x-extension-id');
  if (
    extensionId !== undefined &&
    isBound(key, key.allowedExtensionIds) &&
    !allowsValue(key.allowedExtensionIds, extensionId)
  ) {
    throw new ServiceError('forbidden', {
      message:
        'The API key does not allow this x-extension-id: add it to the allowed extensions of the key.',
    });
  }
}

function isBound(key: CheckedKey, allowed: readonly string[]): boolean {
  return key.kind === 'client' || allowed.length > 0;
}

/** Callers send an order's client secret raw: a header of one word (supplement, section 2). */
function readOrderSecret({ authorization }: IncomingHttpHeaders): Pick<Caller, 'orderSecret'> {
  const orderSecret = /^ *([A-Za-z0-9_-]{20,200}) *$/.exec(authorization ?? '')?.[1];
  return orderSecret === undefined ? {} : { orderSecret };
}

/** A header without `Bearer` is an order's client secret, which is none of an end user. */
async function identifyUser(
  jwts: UserJwtCheck,
  key: CheckedKey,
  headers: IncomingHttpHeaders,
  auth: RouteAuth,
): Promise<JwtUser | undefined> {
  const { authorization } = headers;
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token) return jwts.check(key.projectId, token);
  if (auth.user === 'optional') return undefined;
  const message =
    authorization === undefined
      ? 'No authentication header was provided: with a client-side key send the JWT of the end user as "Authorization: Bearer <jwt>".'
      : 'The Authorization header is not of the form "Bearer <jwt>": send the JWT of the end user.';
  throw new ServiceError('not-authorized', { message });
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
