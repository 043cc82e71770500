import type { Ctx } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * `lookup`: owners, fingerprints and request hashes. `audit`: the chain of the log. `answers`:
 * stored answers without a user.
 */
const vaultKeyPurposes = ['lookup', 'audit', 'answers'] as const;
export type VaultKeyPurpose = (typeof vaultKeyPurposes)[number];
export type VaultKeys = Readonly<Record<VaultKeyPurpose, Secret<Buffer>>>;

interface Row {
  kek_id: string;
  wrapped: Buffer;
}

/**
 * The vault's own keys, made by whichever process starts first.
 * @throws provider-unavailable, internal-error
 */
export async function loadVaultKeys(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  ring: KeyRing,
): Promise<VaultKeys> {
  const entries: [VaultKeyPurpose, Secret<Buffer>][] = [];
  for (const purpose of vaultKeyPurposes)
    entries.push([purpose, new Secret(await loadKey(ctx, ring, purpose))]);
  return Object.fromEntries(entries) as VaultKeys;
}

export function vaultKeyContext(purpose: string) {
  return { purpose: `vault-${purpose}`, projectId: '-', id: purpose };
}

async function loadKey(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  ring: KeyRing,
  purpose: VaultKeyPurpose,
): Promise<Buffer> {
  const context = vaultKeyContext(purpose);
  let row = await selectKey(ctx, purpose);
  if (!row) {
    const made = await ring.createKey(context);
    await ctx.store.query({
      text: 'insert into vault_keys (purpose, kek_id, wrapped, created_at) values ($1, $2, $3, $4) on conflict do nothing',
      values: [purpose, made.kekId, made.wrapped, ctx.clock.now()],
    });
    made.key.fill(0);
    row = (await selectKey(ctx, purpose))!;
  }
  return ring.unwrap({ kekId: row.kek_id, wrapped: row.wrapped }, context);
}

async function selectKey(
  ctx: Pick<Ctx, 'store'>,
  purpose: VaultKeyPurpose,
): Promise<Row | undefined> {
  const { rows } = await ctx.store.query<Row>({
    text: 'select kek_id, wrapped from vault_keys where purpose = $1',
    values: [purpose],
  });
  return rows[0];
}
