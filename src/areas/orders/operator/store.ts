import type { Db } from '../../../store/types.ts';
import type { OrderState } from '../state/machine.ts';

export interface OrderLine {
  readonly id: string;
  readonly kind: string;
  readonly state: OrderState;
  readonly attention: string | null;
  readonly updatedAt: Date;
  readonly deadlineAt: Date | null;
}

/**
 * Orders of a project for its operator, newest first: those in one state, those that wait for the operator or say that they need
 * attention, whatever their state, or all.
 */
export async function selectOrderLines(
  db: Db,
  input: { readonly projectId: string; readonly state?: string | undefined; readonly waitingOnly: boolean; readonly limit: number },
): Promise<OrderLine[]> {
  const { rows } = await db.query<OrderLine>({
    text: `select id, kind, state, attention, updated_at as "updatedAt", deadline_at as "deadlineAt" from orders
      where project_id = $1 and ($2::text is null or state = $2)
        ${input.waitingOnly ? "and (state in ('on_hold', 'needs_operator') or attention is not null)" : ''}
      order by created_at desc, id desc limit $3`,
    values: [input.projectId, input.state ?? null, input.limit],
  });
  return rows;
}
