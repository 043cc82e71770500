import type { Db } from '../../../store/types.ts';

/**
 * SQL of `sui_object_leases`: objects of wallets that a transaction takes which may be anywhere.
 */

export interface ObjectLease {
  readonly chain: string;
  readonly operationId: string;
  readonly objectIds: readonly string[];
}

/** All of them or none. False: another operation has one. */
export async function leaseObjects(
  db: Db,
  { chain, operationId, objectIds }: ObjectLease,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sui-objects-lease',
    text: `
      insert into sui_object_leases (chain, object_id, operation_id)
      select $1, id, $3 from unnest($2::text[]) as id order by id
      on conflict (chain, object_id) do update set operation_id = excluded.operation_id
      where sui_object_leases.operation_id = excluded.operation_id`,
    values: [chain, objectIds, operationId],
  });
  if (rowCount === objectIds.length) return true;
  await endObjectLeases(db, [operationId]);
  return false;
}

/** Of these, those that another operation has. */
export async function selectLeased(
  db: Db,
  { chain, operationId, objectIds }: ObjectLease,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ object_id: string }>({
    name: 'sui-objects-leased',
    text: 'select object_id from sui_object_leases where chain = $1 and object_id = any($2::text[]) and operation_id <> $3',
    values: [chain, objectIds, operationId],
  });
  return new Set(rows.map(({ object_id: id }) => id));
}

export async function endObjectLeases(db: Db, operationIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'sui-objects-end-leases',
    text: 'delete from sui_object_leases where operation_id = any($1::uuid[])',
    values: [operationIds],
  });
}
