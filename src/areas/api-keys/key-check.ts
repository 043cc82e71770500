import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createTimedCache } from '../../lib/waiting/timed-cache.ts';
import { allowsOrigin } from './allow-lists.ts';
import { hashSecret, readKey, readPublicKey } from './key-format.ts';
import type { KeyWait } from './key-wait.ts';
import { expandScopes } from './scopes.ts';
import { type ApiKey, findKeyBySecret, listClientOrigins } from './store.ts';

/**
 * A revoked key, and every other change of a key or issuer, is noticed by each process within this
 * time.
 */
export const keyCacheMs = 5_000;
const keysCachedMax = 10_000;
const originsMax = 10_000;

/** A key that may call: known, and not revoked. */
export interface CheckedKey extends ApiKey {
  /** As they are checked: `orders` stands for its three. */
  readonly scopeSet: ReadonlySet<string>;
}

export interface KeyCheck {
  /**
   * Checks a key as sent, up to and including revocation (supplement, section 3). Malformed and
   * wrongly signed keys never reach the database; known ones reach it once in {@link keyCacheMs}.
   * @throws unauthorized
   */
  check(text: string | undefined): Promise<CheckedKey>;
  /** True when some active client key allows calls from this origin. */
  isOriginAllowed(origin: string): Promise<boolean>;
  /** As `isOriginAllowed`, from memory only: false when nothing was read yet. */
  isOriginKnown(origin: string): boolean;
}

/**
 * One per process: it holds the caches. With `wait` a key that is not known is waited for, and
 * asked for again by the next call.
 */
export function createKeyCheck(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock'>,
  wait?: KeyWait,
): KeyCheck {
  const expected = {
    environment: ctx.config.environment,
    publicKey: readPublicKey(ctx.config.keySigning.publicKey),
  };
  // A verified key is remembered as the hash of its secret: verifying costs 0.12 ms, and a key
  // never turns invalid by itself.
  const verified = new Map<
    string,
    { readonly id: string; readonly projectId: string; readonly kind: ApiKey['kind'] }
  >();
  const records = createTimedCache<string, CheckedKey | undefined>({
    clock: ctx.clock,
    ttlMs: keyCacheMs,
    sizeMax: keysCachedMax,
    keeps: (record) => record !== undefined || wait === undefined,
    load: async (id) => {
      const secretHash = Buffer.from(id, 'hex');
      const record = await (wait ? wait.find(secretHash) : findKeyBySecret(ctx.store, secretHash));
      return record && { ...record, scopeSet: expandScopes(record.scopes) };
    },
  });
  const origins = createTimedCache<'all', readonly string[]>({
    clock: ctx.clock,
    ttlMs: keyCacheMs,
    sizeMax: 1,
    load: () => listClientOrigins(ctx.store, { now: ctx.clock.now(), limit: originsMax }),
  });

  const verifyOnce = (text: string) => {
    const known = verified.get(text);
    if (known) return known;
    const claims = readKey(text, expected);
    const id = hashSecret(claims.secret).toString('hex');
    const fresh = { id, projectId: claims.projectId, kind: claims.kind };
    if (verified.size >= keysCachedMax) verified.delete(verified.keys().next().value!);
    verified.set(text, fresh);
    return fresh;
  };

  return {
    async check(text) {
      if (!text)
        throw new ServiceError('unauthorized', {
          message: 'The API key is missing: send it in the header X-API-KEY.',
        });
      const claims = verifyOnce(text);
      const cached = records.get(claims.id);
      const record = cached instanceof Promise ? await cached : cached;
      if (!record || record.projectId !== claims.projectId || record.kind !== claims.kind) {
        throw new ServiceError('unauthorized', {
          message:
            wait?.unknown ??
            'The API key is not known to this instance: create one with `purser keys create`.',
        });
      }
      if (record.revokedAt && record.revokedAt <= ctx.clock.now())
        throw new ServiceError('unauthorized', {
          message: 'The API key was revoked: use another one.',
        });
      return record;
    },
    isOriginAllowed: async (origin) => allowsOrigin(await origins.get('all'), origin),
    isOriginKnown: (origin) => allowsOrigin(origins.peek('all') ?? [], origin),
  };
}
