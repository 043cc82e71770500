import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { KeyRing } from './key-ring.ts';

/** The data key of one user in one project, as the database keeps it. */
export interface UserKey {
  readonly id: string;
  readonly projectId: string;
  readonly kekId: string;
  readonly wrapped: Buffer;
}

export interface UserKeys {
  /** The user's key, made at the first use. `ownerRef` is the keyed hash of the locator. */
  ensure(input: { readonly projectId: string; readonly ownerRef: Buffer }): Promise<UserKey>;
  /**
   * Runs `work` with the data key in the clear. The row of the key must have been read for this
   * very use.
   */
  use<T>(key: UserKey, work: (dataKey: Buffer) => T): Promise<T>;
  /** Forgets unwrapped keys: for tests, and when the process stops. */
  forget(): void;
}

type UserKeysCtx = Pick<Ctx, 'store' | 'clock' | 'ids'>;

/**
 * An unwrapped key stays in memory this long: with a key service, unwrapping is a call over the
 * network.
 */
export const dataKeyCacheMs = 60_000;
const dataKeysCachedMax = 1_000;
const purpose = 'user-key';

interface Row {
  id: string;
  project_id: string;
  kek_id: string;
  wrapped: Buffer;
}
/** To be read with a `where` that leaves destroyed keys out. */
export const userKeyColumns = 'k.id as key_id, k.project_id as key_project_id, k.kek_id, k.wrapped';
export interface UserKeyColumns {
  key_id: string;
  key_project_id: string;
  kek_id: string;
  wrapped: Buffer;
}
export function readUserKey(row: UserKeyColumns): UserKey {
  return { id: row.key_id, projectId: row.key_project_id, kekId: row.kek_id, wrapped: row.wrapped };
}

export function userKeyContext(key: Pick<UserKey, 'id' | 'projectId'>) {
  return { purpose, projectId: key.projectId, id: key.id };
}

/** One per process: it holds the keys that were unwrapped lately. */
export function createUserKeys(ctx: UserKeysCtx, ring: KeyRing): UserKeys {
  const unwrapped = new Map<string, { readonly key: Buffer; readonly untilMs: number }>();
  const drop = (id: string) => {
    unwrapped.get(id)?.key.fill(0);
    unwrapped.delete(id);
  };
  const keep = (id: string, key: Buffer) => {
    drop(id);
    if (unwrapped.size >= dataKeysCachedMax) drop(unwrapped.keys().next().value!);
    unwrapped.set(id, { key, untilMs: ctx.clock.now().getTime() + dataKeyCacheMs });
  };

  return {
    async ensure({ projectId, ownerRef }) {
      const known = await findUserKey(ctx.store, { projectId, ownerRef });
      if (known) return known;
      const id = ctx.ids.uuid();
      const made = await ring.createKey(userKeyContext({ id, projectId }));
      const { rowCount } = await ctx.store.query({
        name: 'user-key-insert',
        // A name that nobody has told about is a person of its own.
        text: `with made as (
                 insert into user_keys (id, project_id, owner_ref, kek_id, wrapped, created_at) values ($1, $2, $3, $4, $5, $6)
                 on conflict (project_id, owner_ref) where destroyed_at is null do nothing returning id, project_id, owner_ref),
               person as (
                 insert into persons (id) select id from made
                 where not exists (select 1 from owners o where o.project_id = made.project_id and o.owner_ref = made.owner_ref)),
               owner as (
                 insert into owners (project_id, owner_ref, person_id) select project_id, owner_ref, id from made on conflict do nothing)
               select id from made`,
        values: [id, projectId, ownerRef, made.kekId, made.wrapped, ctx.clock.now()],
      });
      if (rowCount > 0) {
        keep(id, made.key);
        return { id, projectId, kekId: made.kekId, wrapped: made.wrapped };
      }
      made.key.fill(0);
      const stored = await findUserKey(ctx.store, { projectId, ownerRef });
      if (!stored)
        throw new ServiceError('conflict', {
          message: 'The user was erased at the same time: retry if that was not meant.',
        });
      return stored;
    },
    async use(key, work) {
      const cached = unwrapped.get(key.id);
      if (cached && cached.untilMs > ctx.clock.now().getTime()) return work(cached.key);
      const fresh = await ring.unwrap(key, userKeyContext(key));
      keep(key.id, fresh);
      return work(fresh);
    },
    forget: () => [...unwrapped.keys()].forEach(drop),
  };
}

async function findUserKey(
  db: Db,
  input: { readonly projectId: string; readonly ownerRef: Buffer },
): Promise<UserKey | undefined> {
  const { rows } = await db.query<Row>({
    name: 'user-key-of-owner',
    text: 'select id, project_id, kek_id, wrapped from user_keys where project_id = $1 and owner_ref = $2 and destroyed_at is null',
    values: [input.projectId, input.ownerRef],
  });
  return (
    rows[0] && {
      id: rows[0].id,
      projectId: rows[0].project_id,
      kekId: rows[0].kek_id,
      wrapped: rows[0].wrapped,
    }
  );
}

/**
 * Destroys the keys of these owners, whose sealed records nobody can open from then on.
 * @returns their ids
 */
export async function destroyUserKeys(
  tx: Tx,
  input: { readonly projectId: string; readonly ownerRefs: readonly Buffer[]; readonly at: Date },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'user-keys-destroy',
    text: `update user_keys set wrapped = null, kek_id = null, owner_ref = null, destroyed_at = $3
           where project_id = $1 and owner_ref = any($2::bytea[]) and destroyed_at is null returning id`,
    values: [input.projectId, input.ownerRefs, input.at],
  });
  return rows.map((row) => row.id);
}
