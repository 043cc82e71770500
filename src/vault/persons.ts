import { ServiceError } from '../lib/errors.ts';
import type { Db, Tx } from '../store/types.ts';

/**
 * Who is one person. A person is what payment methods belong to; its row is the lock that
 * everything about it takes first. Names are kept as keyed hashes only.
 */

const lockAttemptsMax = 10;

/**
 * Holds everything else about the persons of these data keys back until the transaction ends.
 * @returns the person of each key, by the key's id
 * @throws conflict when a key was destroyed meanwhile
 */
export async function lockPersonsOfKeys(
  tx: Tx,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(keyIds)];
  return lockUntilStable(tx, async () => {
    const { rows: locked } = await tx.query<{ id: string }>({
      name: 'persons-lock-of-keys',
      text: `select p.id from persons p where p.id in (
               select o.person_id from user_keys k join owners o on o.project_id = k.project_id and o.owner_ref = k.owner_ref
               where k.id = any($1::uuid[]) and k.destroyed_at is null)
             order by p.id for update`,
      values: [wanted],
    });
    const { rows } = await tx.query<{ key_id: string; person_id: string }>({
      name: 'persons-of-keys',
      text: `select k.id as key_id, o.person_id from user_keys k join owners o on o.project_id = k.project_id and o.owner_ref = k.owner_ref
             where k.id = any($1::uuid[]) and k.destroyed_at is null`,
      values: [wanted],
    });
    if (rows.length < wanted.length)
      throw new ServiceError('conflict', {
        message: 'The user was erased at the same time: retry if that was not meant.',
      });
    return {
      locked: locked.map(({ id }) => id),
      found: new Map(rows.map((row) => [row.key_id, row.person_id])),
    };
  });
}

/**
 * The same for the persons of some names.
 * @returns the person of each name that has one, by the hash as hex
 */
export async function lockPersonsOfOwners(
  tx: Tx,
  input: OwnerRefs,
): Promise<ReadonlyMap<string, string>> {
  return lockUntilStable(tx, async () => {
    const { rows: locked } = await tx.query<{ id: string }>({
      name: 'persons-lock-of-owners',
      text: `select id from persons where id in (select person_id from owners where project_id = $1 and owner_ref = any($2::bytea[]))
             order by id for update`,
      values: [input.projectId, input.ownerRefs],
    });
    return { locked: locked.map(({ id }) => id), found: await selectPersons(tx, input) };
  });
}

export interface OwnerRefs {
  readonly projectId: string;
  readonly ownerRefs: readonly Buffer[];
}

async function selectPersons(db: Db, input: OwnerRefs): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ ref: string; person_id: string }>({
    name: 'persons-of-owners',
    text: `select encode(owner_ref, 'hex') as ref, person_id from owners where project_id = $1 and owner_ref = any($2::bytea[])`,
    values: [input.projectId, input.ownerRefs],
  });
  return new Map(rows.map((row) => [row.ref, row.person_id]));
}

interface Attempt {
  readonly locked: readonly string[];
  readonly found: ReadonlyMap<string, string>;
}

/**
 * Persons may have become one while we waited for the lock: then the one that stayed is locked too.
 */
async function lockUntilStable(
  tx: Tx,
  attempt: () => Promise<Attempt>,
): Promise<ReadonlyMap<string, string>> {
  for (let tries = 1; tries <= lockAttemptsMax; tries++) {
    const { locked, found } = await attempt();
    const missed = [...found.values()].filter((person) => !locked.includes(person));
    if (missed.length === 0) return found;
    // A name that was given out anew while its former person was erased has no row to lock.
    await tx.query({
      name: 'persons-heal',
      text: 'insert into persons (id) select distinct id from unnest($1::uuid[]) as id order by id on conflict do nothing',
      values: [missed],
    });
  }
  throw new ServiceError('conflict');
}

/**
 * Names that nobody has yet become those of the person of the other names, else of `newId`. They
 * are taken in one order everywhere.
 */
export async function insertOwners(
  tx: Tx,
  input: OwnerRefs & { readonly newId: string },
): Promise<void> {
  const known = await selectPersons(tx, input);
  if (input.ownerRefs.every((ref) => known.has(ref.toString('hex')))) return;
  const personId = [...known.values()].sort()[0] ?? input.newId;
  await tx.query({
    name: 'persons-insert',
    text: 'insert into persons (id) values ($1) on conflict do nothing',
    values: [personId],
  });
  await tx.query({
    name: 'owners-insert',
    text: `insert into owners (project_id, owner_ref, person_id) select $1, r, $3 from unnest($2::bytea[]) as r order by r
           on conflict do nothing`,
    values: [input.projectId, input.ownerRefs, personId],
  });
}

/** Makes locked persons the same as another locked one. */
export async function movePersons(
  tx: Tx,
  input: { readonly from: readonly string[]; readonly to: string },
): Promise<void> {
  await tx.query({
    name: 'owners-move',
    text: 'update owners set person_id = $2 where person_id = any($1::uuid[])',
    values: [input.from, input.to],
  });
  await tx.query({
    name: 'persons-delete',
    text: 'delete from persons where id = any($1::uuid[])',
    values: [input.from],
  });
}

/** Every name of locked persons. */
export async function selectOwnerRefs(tx: Tx, personIds: readonly string[]): Promise<Buffer[]> {
  const { rows } = await tx.query<{ owner_ref: Buffer }>({
    name: 'owners-of-persons',
    text: 'select owner_ref from owners where person_id = any($1::uuid[])',
    values: [personIds],
  });
  return rows.map((row) => row.owner_ref);
}

/** Forgets locked persons and their names. */
export async function deletePersons(tx: Tx, personIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'owners-delete',
    text: 'delete from owners where person_id = any($1::uuid[])',
    values: [personIds],
  });
  await tx.query({
    name: 'persons-delete',
    text: 'delete from persons where id = any($1::uuid[])',
    values: [personIds],
  });
}

/**
 * Notes that the main side told of a person; holds its erasure back.
 * @returns false once it was erased
 */
export async function notePerson(
  tx: Tx,
  input: { readonly projectId: string; readonly personRef: Buffer },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'told-person',
    text: `insert into told_persons as told (project_id, person_ref) values ($1, $2)
           on conflict (project_id, person_ref) do update set person_ref = excluded.person_ref where told.erased_at is null`,
    values: [input.projectId, input.personRef],
  });
  return rowCount > 0;
}

/** Nothing that was told before, and is still on its way, joins these persons' names again. */
export async function noteErasedPersons(
  tx: Tx,
  input: { readonly projectId: string; readonly personRefs: readonly Buffer[]; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'told-persons-erased',
    text: `insert into told_persons (project_id, person_ref, erased_at) select $1, r, $3 from unnest($2::bytea[]) as r order by r
           on conflict (project_id, person_ref) do update set erased_at = excluded.erased_at`,
    values: [input.projectId, input.personRefs, input.at],
  });
}

/**
 * Counts methods that were wiped with these persons.
 * @returns how many there are with those of earlier calls, of the person of whom there are most
 */
export async function countErasedMethods(
  tx: Tx,
  input: {
    readonly projectId: string;
    readonly personRefs: readonly Buffer[];
    readonly erased: number;
  },
): Promise<number> {
  const { rows } = await tx.query<{ erased_methods: number }>({
    name: 'told-persons-erased-methods',
    text: `update told_persons set erased_methods = erased_methods + $3 where project_id = $1 and person_ref = any($2::bytea[])
           returning erased_methods`,
    values: [input.projectId, input.personRefs, input.erased],
  });
  return Math.max(input.erased, ...rows.map((row) => row.erased_methods));
}
