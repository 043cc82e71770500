import type { Ctx } from '../../context.ts';
import { machineClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import {
  type DirectoryPlace,
  type DirectoryPush,
  directoryPushSchema,
} from '../../providers/vault/directory-wire.ts';
import type { Db, Tx } from '../../store/types.ts';
import { type AnyInternalOperation, internalOperation } from './internal-operation.ts';

/**
 * The vault's own copy of API keys and issuers. The worker keeps it up to date within a second;
 * when nobody has done so for this long, a revoked key could still be in it, and the vault lets
 * nobody in.
 */
export const directoryAgeMaxMs = 120_000;
/** The age is read again from the database this often. */
const ageCacheMs = 1_000;
const retryAfterSeconds = 5;

export const directoryOperations: readonly AnyInternalOperation[] = [
  internalOperation({
    name: 'directory.push',
    peers: ['worker'],
    input: directoryPushSchema,
    run: (ctx, input) => applyPush(ctx, input),
    isIdle: (answer, input) =>
      (answer as DirectoryPlace).accepted && isConfirmation(input as DirectoryPush),
  }),
];

/** Nothing has changed, and the vault is told so. */
const isConfirmation = ({ reset, from, to }: DirectoryPush): boolean => !reset && from === to;

/** Takes a page of changes, when it follows on what is there. */
export async function applyPush(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  input: DirectoryPush,
): Promise<DirectoryPlace> {
  return ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<{ epoch: string | null; version: string }>({
      text: 'select epoch, version from directory_state where id = 1 for update',
    });
    const at = rows[0]!;
    const follows = at.epoch === input.epoch && at.version === input.from;
    if (!input.reset && !follows) return { epoch: at.epoch, version: at.version, accepted: false };
    if (input.reset)
      for (const table of ['api_keys', 'trusted_issuers'])
        await tx.query({ text: `delete from ${table}` });
    await applyChanges(tx, input);
    await tx.query({
      text: 'update directory_state set epoch = $1, version = $2, confirmed_at = case when $3 then $4::timestamptz when $5 then null else confirmed_at end where id = 1',
      values: [
        input.epoch,
        input.to,
        input.to === input.latest,
        machineClock(ctx.clock).now(),
        input.reset,
      ],
    });
    return { epoch: input.epoch, version: input.to, accepted: true };
  });
}

async function applyChanges(
  tx: Tx,
  { keys, issuers, removedIssuers }: DirectoryPush,
): Promise<void> {
  for (const id of removedIssuers)
    await tx.query({ text: 'delete from trusted_issuers where id = $1', values: [id] });
  for (const key of keys) {
    await tx.query({
      name: 'directory-key',
      text: `insert into api_keys (id, project_id, kind, name, secret_hash, hint, scopes, allowed_origins, allowed_app_ids,
               allowed_extension_ids, created_at, revoked_at, rotated_from)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             on conflict (id) do update set name = excluded.name, scopes = excluded.scopes, allowed_origins = excluded.allowed_origins,
               allowed_app_ids = excluded.allowed_app_ids, allowed_extension_ids = excluded.allowed_extension_ids,
               revoked_at = excluded.revoked_at`,
      values: [
        key.id,
        key.projectId,
        key.kind,
        key.name,
        Buffer.from(key.secretHash, 'hex'),
        key.hint,
        key.scopes,
        key.allowedOrigins,
        key.allowedAppIds,
        key.allowedExtensionIds,
        key.createdAt,
        key.revokedAt,
        key.rotatedFrom,
      ],
    });
  }
  for (const issuer of issuers) await upsertIssuer(tx, issuer);
}

async function upsertIssuer(tx: Tx, issuer: DirectoryPush['issuers'][number]): Promise<void> {
  // Removed and added anew under another id, both in one page: the older row goes first.
  await tx.query({
    text: 'delete from trusted_issuers where project_id = $1 and issuer = $2 and id <> $3',
    values: [issuer.projectId, issuer.issuer, issuer.id],
  });
  await tx.query({
    name: 'directory-issuer',
    text: `insert into trusted_issuers (id, project_id, issuer, audiences, algorithm, jwks_url, jwks, rules, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (id) do update set audiences = excluded.audiences, algorithm = excluded.algorithm,
             jwks_url = excluded.jwks_url, jwks = excluded.jwks, rules = excluded.rules`,
    values: [
      issuer.id,
      issuer.projectId,
      issuer.issuer,
      issuer.audiences,
      issuer.algorithm,
      issuer.jwksUrl,
      issuer.jwks === null ? null : JSON.stringify(issuer.jwks),
      JSON.stringify(issuer.rules),
      issuer.createdAt,
    ],
  });
}

/**
 * For the server: refuses everybody while the copy is not known to be complete.
 * @throws provider-unavailable
 */
export function createDirectoryGuard(
  ctx: Pick<Ctx, 'store' | 'clock' | 'log'>,
): () => Promise<void> {
  let checked: { readonly atMs: number; readonly confirmedAtMs: number } | undefined;
  const clock = machineClock(ctx.clock);
  const isFresh = () =>
    checked !== undefined && clock.now().getTime() - checked.confirmedAtMs <= directoryAgeMaxMs;
  return async () => {
    const nowMs = clock.now().getTime();
    if (checked && Math.abs(nowMs - checked.atMs) <= ageCacheMs && isFresh()) return;
    checked = { atMs: nowMs, confirmedAtMs: await readConfirmedMs(ctx.store) };
    if (isFresh()) return;
    throw new ServiceError('provider-unavailable', {
      message:
        'The vault has not heard from the service lately and cannot check API keys: retry later.',
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  };
}

async function readConfirmedMs(db: Db): Promise<number> {
  const { rows } = await db.query<{ confirmed_at: Date | null }>({
    name: 'directory-confirmed',
    text: 'select confirmed_at from directory_state where id = 1',
  });
  return rows[0]?.confirmed_at?.getTime() ?? Number.NEGATIVE_INFINITY;
}
