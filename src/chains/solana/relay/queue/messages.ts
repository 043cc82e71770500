import type { Db, Tx } from '../../../../store/types.ts';
import { approvedDigest } from '../../signing/p256-message.ts';
import type { OpenOperation } from './store.ts';

/** SQL of `solana_messages`: what was approved is of one operation. */

/** Operations whose message is theirs from here on; it is another's for those that are missing. */
export async function claimMessages(
  tx: Tx,
  operations: readonly Pick<OpenOperation, 'operationId' | 'message'>[],
): Promise<ReadonlySet<string>> {
  if (operations.length === 0) return new Set();
  const read = operations.flatMap(({ operationId, message }) => {
    const digest = digestOf(message);
    return digest ? [{ operationId, digest }] : [];
  });
  const { rows } = await tx.query<{ operation_id: string }>({
    name: 'solana-messages-claim',
    text: `
      insert into solana_messages as m (digest, operation_id)
      select distinct on (digest) digest, operation_id from unnest($1::bytea[], $2::uuid[]) as c (digest, operation_id) order by digest
      on conflict (digest) do update set operation_id = m.operation_id
      returning operation_id`,
    values: [
      read.map(({ digest }) => Buffer.from(digest)),
      read.map(({ operationId }) => operationId),
    ],
  });
  const owners = new Set(rows.map((row) => row.operation_id));
  return new Set(
    operations
      .filter(({ operationId }) => owners.has(operationId))
      .map(({ operationId }) => operationId),
  );
}

/** Undefined: no message, so that nothing is signed of it. */
function digestOf(message: Uint8Array): Uint8Array | undefined {
  try {
    return approvedDigest(message);
  } catch {
    return undefined;
  }
}

/**
 * Nobody approves for so long: what P-256 keys approved has a deadline, and nonces have moved on.
 */
export async function deleteOldMessages(
  db: Db,
  input: { readonly olderThanDays: number; readonly countMax: number },
): Promise<void> {
  await db.query({
    text: `
      delete from solana_messages where digest in (
        select digest from solana_messages where created_at < now() - $1 * interval '1 day' limit $2)`,
    values: [input.olderThanDays, input.countMax],
  });
}
