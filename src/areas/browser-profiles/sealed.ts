import type { Ctx } from '../../context.ts';
import type { Sealer } from '../../lib/sealing/seal.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { BrowserState } from '../../runner/types.ts';
import { keySealer } from '../users/index.ts';

const keyBytes = 32;

interface Place {
  readonly id: string;
  readonly projectId: string;
  /** Whose it is. */
  readonly userId: string;
}

/**
 * A sealed key opens for its own profile only, and only while that is its user's: a profile holds
 * what somebody is logged in with.
 */
export const keyContext = ({ id, projectId, userId }: Place) => ({
  purpose: 'browser-profile-key',
  projectId,
  id: `${userId}/${id}`,
  version: 1,
});
const labelContext = ({ id, projectId }: Place, version: number) => ({
  purpose: 'browser-profile-label',
  projectId,
  id,
  version,
});
const stateContext = ({ id, projectId }: Place, version: number) => ({
  purpose: 'browser-profile-state',
  projectId,
  id,
  version,
});

/**
 * A new key for a profile: everything of it is sealed with this key, and destroying the key
 * destroys everything.
 */
export function makeProfileKey(
  ctx: Pick<Ctx, 'config' | 'ids'>,
  place: Place,
): { sealedKey: Buffer; sealedBy: string; sealer: Sealer } {
  const sealing = keySealer(ctx.config);
  const key = ctx.ids.bytes(keyBytes);
  return {
    sealedKey: sealing.seal(key, keyContext(place)),
    sealedBy: sealing.keyId,
    sealer: sealerOf(key),
  };
}

/**
 * @throws SealError when the key-encryption key is not configured, or the profile is another user's
 * than it was made for
 */
export function openProfileKey(
  ctx: Pick<Ctx, 'config'>,
  place: Place & { readonly sealedKey: Buffer },
): Sealer {
  return sealerOf(keySealer(ctx.config).open(place.sealedKey, keyContext(place)));
}

function sealerOf(key: Uint8Array): Sealer {
  return createSealer([{ id: 'profile', key: new Secret(key) }]);
}

export function sealLabel(sealer: Sealer, place: Place, version: number, label: string): Buffer {
  return sealer.seal(Buffer.from(label), labelContext(place, version));
}

export function openLabel(sealer: Sealer, place: Place, version: number, sealed: Buffer): string {
  return sealer.open(sealed, labelContext(place, version)).toString();
}

export function sealState(
  sealer: Sealer,
  place: Place,
  version: number,
  state: BrowserState,
): Buffer {
  return sealer.seal(Buffer.from(JSON.stringify(state)), stateContext(place, version));
}

export function openState(
  sealer: Sealer,
  place: Place,
  version: number,
  sealed: Buffer,
): BrowserState {
  return JSON.parse(sealer.open(sealed, stateContext(place, version)).toString()) as BrowserState;
}
