import { createHmac } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import { createSealer, type SealContext, type Sealer } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Db, Store, Tx } from '../../store/types.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';

/**
 * A random secret per project for keyed hashes of what people are recognised by. It lies sealed in
 * `project_secrets`: who has the database alone cannot try all phone numbers or codes against a
 * hash.
 */

export interface ProjectSecretCtx {
  readonly config: Pick<Config, 'keyEncryptionKeys'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface SecretRow {
  readonly project_id: string;
  readonly sealed_secret: Buffer;
}

const secretBytes = 32;
const cacheSizeMax = 1_000;
const cacheTtlMs = 60_000;
const caches = new WeakMap<Store, KeyCache<Secret<Uint8Array>>>();

/**
 * HMAC-SHA256 (32 bytes) of the parts under the project's secret. The same for ever, also after the
 * key-encryption key was rotated. `purpose` keeps hashes of different things apart.
 * @throws SealError when no configured key-encryption key opens the secret
 */
export async function hashForProject(
  ctx: ProjectSecretCtx,
  input: {
    readonly projectId: string;
    readonly purpose: string;
    readonly parts: readonly string[];
  },
): Promise<Buffer> {
  const secret = await projectSecret(ctx, input.projectId);
  const hmac = createHmac('sha256', secret.reveal());
  for (const part of [input.purpose, ...input.parts]) {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hmac.update(length).update(bytes);
  }
  return hmac.digest();
}

async function projectSecret(
  ctx: ProjectSecretCtx,
  projectId: string,
): Promise<Secret<Uint8Array>> {
  let cache = caches.get(ctx.store);
  if (!cache)
    caches.set(
      ctx.store,
      (cache = createKeyCache({ clock: ctx.clock, sizeMax: cacheSizeMax, ttlMs: cacheTtlMs })),
    );
  const held = cache.get(projectId);
  if (held) return held;
  const sealer = createSealer(ctx.config.keyEncryptionKeys);
  const row =
    (await selectSecret(ctx.store, projectId)) ?? (await insertSecret(ctx, projectId, sealer));
  const secret = new Secret<Uint8Array>(
    new Uint8Array(sealer.open(row.sealed_secret, contextOf(projectId))),
  );
  cache.set(projectId, secret);
  return secret;
}

async function selectSecret(db: Db, projectId: string): Promise<SecretRow | undefined> {
  const { rows } = await db.query<SecretRow>({
    name: 'project-secret-by-project',
    text: 'select project_id, sealed_secret from project_secrets where project_id = $1',
    values: [projectId],
  });
  return rows[0];
}

/** The first of several callers makes it; the others read theirs. */
async function insertSecret(
  ctx: ProjectSecretCtx,
  projectId: string,
  sealer: Sealer,
): Promise<SecretRow> {
  const secret = ctx.ids.bytes(secretBytes);
  try {
    await ctx.store.query({
      name: 'project-secret-insert',
      text: `insert into project_secrets (project_id, sealed_secret, sealed_by, created_at)
        values ($1, $2, $3, $4) on conflict (project_id) do nothing`,
      values: [projectId, sealer.seal(secret, contextOf(projectId)), sealer.keyId, ctx.clock.now()],
    });
  } finally {
    secret.fill(0);
  }
  const row = await selectSecret(ctx.store, projectId);
  if (!row)
    throw new Error(`The secret of project ${projectId} is gone right after it was stored.`);
  return row;
}

/** One batch of moving secrets to the first key-encryption key. @returns how many were moved */
export async function rewrapProjectSecrets(
  tx: Tx,
  sealer: Sealer,
  batchSizeMax: number,
): Promise<number> {
  const { rows } = await tx.query<SecretRow>({
    text: 'select project_id, sealed_secret from project_secrets where sealed_by <> $1 order by sealed_by, project_id limit $2 for update',
    values: [sealer.keyId, batchSizeMax],
  });
  if (rows.length === 0) return 0;
  await tx.query({
    text: `update project_secrets set sealed_secret = moved.sealed_secret, sealed_by = $3
      from unnest($1::uuid[], $2::bytea[]) as moved (project_id, sealed_secret) where project_secrets.project_id = moved.project_id`,
    values: [
      rows.map((row) => row.project_id),
      rows.map((row) => sealer.rewrap(row.sealed_secret, contextOf(row.project_id))),
      sealer.keyId,
    ],
  });
  return rows.length;
}

function contextOf(projectId: string): SealContext {
  return { purpose: 'project-secret', projectId, id: projectId, version: 1 };
}
