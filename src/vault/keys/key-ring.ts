import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';
import { dataKeyBytes, type Kek, KekError, type WrapContext } from './kek.ts';

/** A data key as the database keeps it. */
export interface WrappedKey {
  readonly kekId: string;
  readonly wrapped: Buffer;
}

/** The key-encryption keys that are live: the first wraps, all unwrap. */
export interface KeyRing {
  /** Id of the key-encryption key that wraps. */
  readonly currentId: string;
  readonly ids: readonly string[];
  /** A new data key and its wrapped form. @throws provider-unavailable, internal-error */
  createKey(context: WrapContext): Promise<WrappedKey & { readonly key: Buffer }>;
  /** @throws provider-unavailable, internal-error */
  unwrap(key: WrappedKey, context: WrapContext): Promise<Buffer>;
  /**
   * The same data key under the current key-encryption key.
   * @throws provider-unavailable, internal-error
   */
  rewrap(key: WrappedKey, context: WrapContext): Promise<WrappedKey>;
}

/** @throws Error when there is no key, or an id is used twice */
export function createKeyRing(keks: readonly Kek[]): KeyRing {
  const [current] = keks;
  if (!current) throw new Error('The vault needs at least one key-encryption key.');
  const byId = new Map(keks.map((kek) => [kek.id, kek]));
  if (byId.size < keks.length)
    throw new Error('Two key-encryption keys of the vault have the same id.');

  const wrap = async (key: Buffer, context: WrapContext) => ({
    kekId: current.id,
    wrapped: await explain(current.id, () => current.provider.wrap(key, context)),
  });
  const unwrap = async (key: WrappedKey, context: WrapContext) => {
    const kek = byId.get(key.kekId);
    if (!kek)
      throw new ServiceError('internal-error', {
        cause: new Error(
          `A key is wrapped by the key-encryption key "${key.kekId}", which is not configured. Configured: ${[...byId.keys()].join(', ')}.`,
        ),
      });
    return explain(kek.id, () => kek.provider.unwrap(key.wrapped, context));
  };

  return {
    currentId: current.id,
    ids: [...byId.keys()],
    async createKey(context) {
      const key = randomBytes(dataKeyBytes);
      return { key, ...(await wrap(key, context)) };
    },
    unwrap,
    async rewrap(key, context) {
      if (key.kekId === current.id) return key;
      const dataKey = await unwrap(key, context);
      try {
        return await wrap(dataKey, context);
      } finally {
        dataKey.fill(0);
      }
    },
  };
}

/**
 * A key service that is away is a reason to come again; everything else is for the operator's log.
 */
async function explain<T>(id: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof KekError && cause.reason === 'unavailable')
      throw new ServiceError('provider-unavailable', {
        message: 'The key service of the vault is not available: retry later.',
        headers: { 'retry-after': '5' },
        cause,
      });
    throw new ServiceError('internal-error', {
      cause: new Error(`The key-encryption key "${id}" of the vault cannot be used.`, { cause }),
    });
  }
}
