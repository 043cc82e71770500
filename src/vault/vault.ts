import { createHmac } from 'node:crypto';
import type { Ctx, RequestCtx } from '../context.ts';
import { lengthPrefixed } from '../lib/sealing/length-prefixed.ts';
import { type AuditLog, createAuditLog } from './audit/audit.ts';
import type { Kek } from './keys/kek.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { createUserKeys, type UserKeys } from './keys/user-keys.ts';
import { loadVaultKeys, type VaultKeys } from './keys/vault-keys.ts';
import { createMemoryScrubber, type MemoryScrubber } from './scrub-memory.ts';

/** What only the vault process has. */
export interface Vault {
  readonly ring: KeyRing;
  readonly keys: VaultKeys;
  readonly userKeys: UserKeys;
  readonly audit: AuditLog;
  /** To be told whenever a number is in memory. */
  readonly scrubber: MemoryScrubber;
  /**
   * Keyed hash (32 bytes) of parts that belong to a project: the same parts in another project give
   * another one.
   */
  fingerprint(projectId: string, parts: readonly string[]): Buffer;
  /**
   * Rails on which some provider of the allow-list pays accounts of a type. Absent while nobody
   * knows: all of the type.
   */
  readonly payableRails?: (type: string) => readonly string[];
}

export interface VaultCtx extends Ctx {
  readonly vault: Vault;
}

export type VaultRequestCtx = RequestCtx & VaultCtx;

/**
 * Opens the vault: its own keys are unwrapped once, so a wrong key-encryption key is noticed at the
 * start.
 * @throws provider-unavailable the key service is away; internal-error the key does not open what
 * is there
 */
export async function openVault(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids'>,
  keks: readonly Kek[],
): Promise<Vault> {
  const ring = createKeyRing(keks);
  const keys = await loadVaultKeys(ctx, ring);
  return {
    ring,
    keys,
    userKeys: createUserKeys(ctx, ring),
    audit: createAuditLog(ctx, keys.audit),
    scrubber: createMemoryScrubber(),
    fingerprint(projectId, parts) {
      const bytes = lengthPrefixed([projectId, ...parts]);
      const hash = createHmac('sha256', keys.lookup.reveal()).update(bytes).digest();
      bytes.fill(0);
      return hash;
    },
  };
}
