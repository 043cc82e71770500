import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { DepositStatus } from './machine.ts';
import {
  type DepositRecord,
  selectDeposit,
  selectDeposits,
  updateOrder,
  updateResolution,
} from './store.ts';

const depositsPageMax = 500;

export interface ListDepositsInput {
  readonly projectId: string;
  readonly status?: DepositStatus;
  /** Only those that no order has taken and no operator has ended. */
  readonly unmatchedOnly?: boolean;
  /** 1 to 500. */
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** A page of a project's deposits, newest first. @throws validation-error */
export async function listDeposits(
  db: Db,
  input: ListDepositsInput,
): Promise<{ readonly deposits: readonly DepositRecord[]; readonly nextCursor?: string }> {
  const limit = Math.min(Math.max(1, input.limit), depositsPageMax);
  if (input.cursor !== undefined && !/^\d{1,18}$/.test(input.cursor))
    throw new ServiceError('validation-error', {
      message: 'cursor: is not one of an earlier answer.',
    });
  const { projectId, status, unmatchedOnly } = input;
  const found = await selectDeposits(db, {
    projectId,
    status,
    unmatchedOnly,
    ...(input.cursor === undefined ? {} : { before: BigInt(input.cursor) }),
    limit: limit + 1,
  });
  const deposits = found.slice(0, limit);
  return {
    deposits,
    ...(found.length > limit ? { nextCursor: deposits.at(-1)!.nr.toString() } : {}),
  };
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Undefined when there is none; text that is no id at all is simply not found. */
export async function findDeposit(db: Db, id: string): Promise<DepositRecord | undefined> {
  return uuidPattern.test(id) ? selectDeposit(db, id) : undefined;
}

/**
 * As {@link findDeposit}, and a reorganisation that takes the deposit is waited for, or waits until
 * the transaction ends.
 */
export async function lockDeposit(tx: Tx, id: string): Promise<DepositRecord | undefined> {
  return uuidPattern.test(id) ? selectDeposit(tx, id, 'for update') : undefined;
}

/**
 * Gives a deposit to an order; to the same order again is once.
 * @throws conflict when another order has it, or it has ended otherwise
 */
export async function assignDeposit(
  tx: Tx,
  input: { readonly depositId: string; readonly orderId: string },
): Promise<DepositRecord> {
  const assigned = await updateOrder(tx, input);
  if (!assigned)
    throw new ServiceError('conflict', {
      message: `The deposit ${input.depositId} has another order, or an end already.`,
    });
  return assigned;
}

/**
 * Ends a deposit that no order takes, in the operator's words, e.g. `returned`; the same again is
 * once.
 * @throws conflict when an order has it, or it has another end
 */
export async function resolveDeposit(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  input: { readonly depositId: string; readonly resolution: string; readonly note?: string },
): Promise<DepositRecord> {
  const { depositId, resolution, note } = input;
  const resolved = await updateResolution(tx, { depositId, resolution, note, at: ctx.clock.now() });
  if (!resolved)
    throw new ServiceError('conflict', {
      message: `The deposit ${depositId} has an order, or another end already.`,
    });
  return resolved;
}
