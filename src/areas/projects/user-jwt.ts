import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Ctx } from '../../context.ts';
import { machineClock } from '../../lib/clock.ts';
import { type ErrorCode, ServiceError } from '../../lib/errors.ts';
import { makeUserLocator, type UserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import { boundResponse } from '../../lib/net/bounded-body.ts';
import { normalizeEmail } from '../../lib/people/email.ts';
import { createTimedCache } from '../../lib/waiting/timed-cache.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import { tokenTypeOf } from './issuer-rules.ts';
import { type HashUser, selectSignOut } from './sign-outs.ts';
import type { ListedIssuer, TrustedIssuer } from './store.ts';
import { listTrustedIssuers } from './trusted-issuers.ts';

export interface JwtUser {
  readonly user: UserLocator;
  /** Only when the issuer says that the user controls the address. Normalised. */
  readonly verifiedEmail?: string;
}

export interface UserJwtCheck {
  /**
   * Checks an end-user JWT of a project (supplement, section 3).
   * @throws ERROR_JWT_INVALID, not-authorized.jwt-invalid, not-authorized.jwt-expired,
   *   not-authorized.jwt-decryption, not-authorized.jwt-identifier, provider-unavailable when the
   *   issuer's key set cannot be fetched
   */
  check(projectId: string, token: string): Promise<JwtUser>;
}

const skewSeconds = 60;
const tokenLengthMax = 8_192;
/**
 * A verified token is taken as it is for this long: verifying costs more than the rest of a
 * request.
 */
const verifiedMs = 60_000;
const verifiedTokensMax = 2_000;
const issuerCacheMs = 5_000;
/** A user who was signed out is refused after so long at the latest. */
const signOutCacheMs = 5_000;
const usersCachedMax = 10_000;
const projectsCachedMax = 10_000;
const keySetsCachedMax = 1_000;
const keySetTimeoutMs = 5_000;
/**
 * A key set is fetched again when it is this old, or when a `kid` is missing, though not within the
 * cool-down.
 */
const keySetAgeMaxMs = 10 * 60_000;
const keySetCooldownMs = 30_000;
const keySetBytesMax = 256 * 1_024;

/** One per process: it holds the key sets. */
export function createUserJwtCheck(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  hashUser: HashUser,
): UserJwtCheck {
  const signOuts = createTimedCache({
    clock: ctx.clock,
    ttlMs: signOutCacheMs,
    sizeMax: usersCachedMax,
    load: async (key: string) => {
      const [projectId, user] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
      return {
        signOut: await selectSignOut(ctx.store, projectId, await hashUser(projectId, user)),
      };
    },
  });
  const issuersOf = createTimedCache({
    clock: ctx.clock,
    ttlMs: issuerCacheMs,
    sizeMax: projectsCachedMax,
    load: (projectId: string) => listTrustedIssuers(ctx, { projectId }),
  });
  const keySets = new Map<string, JWTVerifyGetKey>();
  const keySetOf = (issuer: TrustedIssuer) => {
    const known = keySets.get(issuer.id);
    if (known) return known;
    if (keySets.size >= keySetsCachedMax) keySets.delete(keySets.keys().next().value!);
    const made = issuer.jwks ? createLocalJWKSet(issuer.jwks) : createRemoteKeySet(issuer.jwksUrl!);
    keySets.set(issuer.id, made);
    return made;
  };

  // Tokens that the instance itself issues live in its time; other issuers know nothing of a clock
  // that is moved here.
  const timeOf = (projectId: string, issuer: string) =>
    (issuer === projectId ? ctx.clock : machineClock(ctx.clock)).now();
  const verify = async (projectId: string, token: string) => {
    const issuers = await issuersOf.get(projectId);
    const issuer = findIssuer(issuers, token);
    if (issuer.sealProblem)
      throw rowMacsOf(ctx.store).refuse(
        { table: 'trusted_issuers', id: issuer.id },
        issuer.sealProblem,
      );
    const now = timeOf(projectId, issuer.issuer);
    const claims = await verifyToken({ token, issuer, keySet: keySetOf(issuer), now });
    const { issuedAtMs, endsAtMs } = readSession(claims, issuer, now);
    return {
      user: readUser(claims, issuer, issuers),
      issuerId: issuer.id,
      issuer: issuer.issuer,
      issuedAtMs,
      endsAtMs,
    };
  };
  const verified = createTimedCache({
    clock: ctx.clock,
    ttlMs: verifiedMs,
    sizeMax: verifiedTokensMax,
    load: (key: string) => verify(key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)),
  });

  const requireSignedIn = async (
    projectId: string,
    { user, issuer, issuedAtMs }: Awaited<ReturnType<typeof verify>>,
  ) => {
    const names = [
      user.user,
      ...(user.verifiedEmail === undefined ? [] : [makeUserLocator('email', user.verifiedEmail)]),
    ];
    for (const name of names) {
      const { signOut } = await signOuts.get(`${projectId} ${locatorKeyOf(name)}`);
      if (!signOut) continue;
      const notBefore = issuer === projectId ? signOut.notBefore : signOut.machineNotBefore;
      if (issuedAtMs === undefined || issuedAtMs < notBefore.getTime())
        throw refuse(
          'not-authorized.jwt-expired',
          'The user was signed out after this JWT was issued: sign in again.',
        );
    }
  };

  return {
    async check(projectId, token) {
      const known = await verified.get(`${projectId} ${token}`);
      const isTrusted = (await issuersOf.get(projectId)).some(
        (issuer) => issuer.id === known.issuerId && !issuer.sealProblem,
      );
      const isFresh = isTrusted && timeOf(projectId, known.issuer).getTime() < known.endsAtMs;
      const session = isFresh ? known : await verify(projectId, token);
      await requireSignedIn(projectId, session);
      return session.user;
    },
  };
}

/**
 * When a session began, if the token says so, and when it ends: at `exp`, or when it is too old.
 */
function readSession(
  { iat, exp }: JWTPayload,
  { rules }: TrustedIssuer,
  now: Date,
): { readonly issuedAtMs: number | undefined; readonly endsAtMs: number } {
  const nowSeconds = now.getTime() / 1_000;
  const ends = Math.min(exp!, (iat ?? exp!) + rules.ageMaxSeconds);
  if (ends + skewSeconds <= nowSeconds)
    throw refuse(
      'not-authorized.jwt-expired',
      `The JWT is older than sessions of its issuer may be, ${rules.ageMaxSeconds} s: sign in again.`,
    );
  if (iat === undefined && exp! > nowSeconds + rules.ageMaxSeconds + skewSeconds)
    throw refuse(
      'not-authorized.jwt-invalid',
      `The JWT has no "iat" and ends later than sessions of its issuer may last, ${rules.ageMaxSeconds} s from now.`,
    );
  return {
    issuedAtMs: iat === undefined ? undefined : iat * 1_000,
    endsAtMs: (ends + skewSeconds) * 1_000,
  };
}

function createRemoteKeySet(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: keySetTimeoutMs,
    cacheMaxAge: keySetAgeMaxMs,
    cooldownDuration: keySetCooldownMs,
    [customFetch]: fetchBounded,
  });
}

/** Fetches a key set and gives up beyond {@link keySetBytesMax}. */
async function fetchBounded(...[url, options]: Parameters<typeof fetch>): Promise<Response> {
  return boundResponse(await fetch(url, options), keySetBytesMax);
}

/** Which issuer a token claims to be of, before anything is trusted. */
function findIssuer(issuers: readonly ListedIssuer[], token: string): ListedIssuer {
  if (token.length > tokenLengthMax)
    throw refuse(
      'not-authorized.jwt-invalid',
      `The JWT is longer than ${tokenLengthMax} characters.`,
    );
  const partCount = token.split('.').length;
  if (partCount === 5) throw refuse('not-authorized.jwt-decryption');
  let claimed: { alg?: unknown; typ?: unknown; iss?: unknown };
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    claimed = { alg, typ, iss: decodeJwt(token).iss };
  } catch (cause) {
    throw refuse(
      'not-authorized.jwt-invalid',
      'The JWT is malformed: it has three base64url parts, the first two of them JSON.',
      cause,
    );
  }
  const issuer = issuers.find((one) => one.issuer === claimed.iss);
  if (!issuer) {
    const hint =
      issuers.length === 0
        ? 'This project trusts no issuer yet: add one with `purser issuers add`.'
        : 'Its `iss` claim is none of the issuers this project trusts.';
    throw refuse('not-authorized.jwt-invalid', `The JWT is not accepted. ${hint}`);
  }
  if (claimed.alg !== issuer.algorithm)
    throw refuse(
      'not-authorized.jwt-invalid',
      `The JWT is not signed with ${issuer.algorithm}, the algorithm that is pinned for its issuer.`,
    );
  if (!issuer.rules.types.includes(tokenTypeOf(claimed.typ)))
    throw refuse(
      'not-authorized.jwt-invalid',
      `The JWT is of another type (typ) than ${issuer.rules.types.join(' or ')}: send the token of a sign-in.`,
    );
  return issuer;
}

async function verifyToken(input: {
  token: string;
  issuer: TrustedIssuer;
  keySet: JWTVerifyGetKey;
  now: Date;
}): Promise<JWTPayload> {
  const { token, issuer, keySet, now } = input;
  try {
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: [issuer.algorithm],
      issuer: issuer.issuer,
      audience: [...issuer.audiences],
      requiredClaims: ['exp'],
      clockTolerance: skewSeconds,
      currentDate: now,
    });
    return payload;
  } catch (error) {
    throw explainFailure(error, token);
  }
}

function explainFailure(error: unknown, token: string): ServiceError {
  if (error instanceof errors.JWTExpired) return refuse('not-authorized.jwt-expired');
  if (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    const { kid } = decodeProtectedHeader(token);
    const named =
      typeof kid === 'string'
        ? `"${kid.replaceAll(/[^\x20-\x7e]|["\\]/g, '?').slice(0, 100)}"`
        : '(none given)';
    return refuse(
      'ERROR_JWT_INVALID',
      `The signing key of the JWT, kid ${named}, is not in the JWKS of its issuer (ERROR_JWT_INVALID).`,
    );
  }
  if (error instanceof errors.JWTClaimValidationFailed)
    return refuse(
      'not-authorized.jwt-invalid',
      `The JWT is not accepted: its claim "${error.claim}" is ${error.reason === 'missing' ? 'missing' : 'wrong'}.`,
    );
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refuse('not-authorized.jwt-invalid', 'The signature of the JWT does not verify.');
  if (
    error instanceof errors.JWKSTimeout ||
    !(error instanceof errors.JOSEError) ||
    error.code === 'ERR_JOSE_GENERIC' ||
    error instanceof errors.JWKSInvalid
  ) {
    return new ServiceError('provider-unavailable', {
      message: 'The key set of the issuer of the JWT cannot be read: retry later.',
      headers: { 'retry-after': '30' },
      cause: error,
    });
  }
  return refuse('not-authorized.jwt-invalid', undefined, error);
}

function readUser(
  claims: JWTPayload,
  { rules }: TrustedIssuer,
  issuers: readonly TrustedIssuer[],
): JwtUser {
  const { sub, email, email_verified: emailVerified } = claims;
  if (typeof sub !== 'string' || sub === '') throw refuse('not-authorized.jwt-identifier');
  const isOthers = issuers.some(
    (other) => other.rules.namespace !== '' && sub.startsWith(`${other.rules.namespace}|`),
  );
  if (rules.namespace === '' && isOthers)
    throw refuse(
      'not-authorized.jwt-identifier',
      'The `sub` claim of the JWT begins with the namespace of another issuer of this project.',
    );
  const isVouchedFor = rules.vouchesForEmail && emailVerified === true && typeof email === 'string';
  const name = rules.namespace === '' ? sub : `${rules.namespace}|${sub}`;
  return {
    user: readSubject(name),
    verifiedEmail: isVouchedFor ? normalizeEmail(email) : undefined,
  };
}

function readSubject(sub: string): UserLocator {
  try {
    return makeUserLocator('userId', sub);
  } catch (cause) {
    throw refuse(
      'not-authorized.jwt-identifier',
      'The `sub` claim of the JWT cannot be a user id: it has 1 to 255 printable characters.',
      cause,
    );
  }
}

function refuse(code: ErrorCode, message?: string, cause?: unknown): ServiceError {
  return new ServiceError(code, { message, cause });
}
