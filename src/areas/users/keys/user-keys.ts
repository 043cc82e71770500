import { createHmac } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { Ctx } from '../../../context.ts';
import { createSealer, type Sealer } from '../../../lib/sealing/seal.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { Store } from '../../../store/types.ts';
import { insertLookupKey, selectLookupKey } from './key-store.ts';

const keyBytes = 32;
const projectsCachedMax = 10_000;

/** A key that is sealed, as a row keeps it. */
export interface SealedKey {
  readonly sealedKey: Buffer;
  readonly sealedBy: string;
}

const sealers = new WeakMap<Config['keyEncryptionKeys'], Sealer>();

/** What seals the keys of users: the service's key-encryption keys. */
export function keySealer({ keyEncryptionKeys }: Pick<Config, 'keyEncryptionKeys'>): Sealer {
  let sealer = sealers.get(keyEncryptionKeys);
  if (!sealer) {
    sealer = createSealer(keyEncryptionKeys);
    sealers.set(keyEncryptionKeys, sealer);
  }
  return sealer;
}

interface KeyOwner {
  readonly id: string;
  readonly projectId: string;
}

export const userKeyContext = ({ id, projectId }: KeyOwner) => ({
  purpose: 'user-key',
  projectId,
  id,
  version: 1,
});
export const lookupKeyContext = (projectId: string) => ({
  purpose: 'user-lookup-key',
  projectId,
  id: projectId,
  version: 1,
});

/** A new key for a user, and what is sealed with it. */
export function makeUserKey(
  ctx: Pick<Ctx, 'config' | 'ids'>,
  owner: KeyOwner,
): SealedKey & { readonly sealer: Sealer } {
  const sealing = keySealer(ctx.config);
  const key = ctx.ids.bytes(keyBytes);
  return {
    sealedKey: sealing.seal(key, userKeyContext(owner)),
    sealedBy: sealing.keyId,
    sealer: sealerOf(key),
  };
}

/**
 * What opens the data of a user.
 * @throws SealError when the key-encryption key is not configured
 */
export function openUserKey(
  ctx: Pick<Ctx, 'config'>,
  owner: KeyOwner & { readonly sealedKey: Buffer },
): Sealer {
  return sealerOf(keySealer(ctx.config).open(owner.sealedKey, userKeyContext(owner)));
}

function sealerOf(key: Uint8Array): Sealer {
  return createSealer([{ id: 'user', key: new Secret(key) }]);
}

const lookupKeys = new WeakMap<Store, Map<string, Secret<Buffer>>>();

/**
 * A function that turns values of a project into keyed hashes, which are equal where the values
 * are: so rows are found by personal data that the database does not hold in readable form.
 */
export async function loadHasher(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  projectId: string,
): Promise<(kind: string, value: string) => Buffer> {
  const key = await loadLookupKey(ctx, projectId);
  return (kind, value) => createHmac('sha256', key.reveal()).update(`${kind}\n${value}`).digest();
}

async function loadLookupKey(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  projectId: string,
): Promise<Secret<Buffer>> {
  let cached = lookupKeys.get(ctx.store);
  if (!cached) lookupKeys.set(ctx.store, (cached = new Map()));
  const known = cached.get(projectId);
  if (known) return known;
  const sealed =
    (await selectLookupKey(ctx.store, projectId)) ?? (await createLookupKey(ctx, projectId));
  const key = new Secret(keySealer(ctx.config).open(sealed, lookupKeyContext(projectId)));
  if (cached.size >= projectsCachedMax) cached.delete(cached.keys().next().value!);
  cached.set(projectId, key);
  return key;
}

/** Of several first calls one row wins, and all use its key. */
async function createLookupKey(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  projectId: string,
): Promise<Buffer> {
  const sealing = keySealer(ctx.config);
  const sealedKey = sealing.seal(ctx.ids.bytes(keyBytes), lookupKeyContext(projectId));
  await insertLookupKey(ctx.store, {
    projectId,
    sealedKey,
    sealedBy: sealing.keyId,
    createdAt: ctx.clock.now(),
  });
  return (await selectLookupKey(ctx.store, projectId))!;
}
