import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';

/**
 * Which checkouts go with the users who are erased: their rows are deleted with the users'.
 * @returns their ids
 * @throws conflict while one of them may be buying
 */
export async function forgetCheckouts(
  tx: Tx,
  input: { readonly userIds: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await tx.query<{ id: string; busy: boolean }>({
    text: `select id, ended_at is null and status <> 'queued' as busy from agent_checkouts where user_id = any($1::uuid[]) order by id for update`,
    values: [input.userIds],
  });
  const busy = rows.find((row) => row.busy);
  if (busy)
    throw new ServiceError('conflict', {
      message: `Checkout ${busy.id} of the user is under way: cancel it, and erase the user when it has ended.`,
    });
  return rows.map(({ id }) => id);
}
