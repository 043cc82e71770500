import { afterFailover, noteHere, remembered } from '../../store/remembered.ts';
import { isFitting, rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import type { Db, Tx } from '../../store/types.ts';

/**
 * Counters of limits, and what each order took of them, carry seals: who writes the database cannot
 * lower one. An earlier counter that is put back has a lower version than a process has seen, or than
 * what was taken of it; a use that is put back after it was returned has its bit in the counter. One
 * of a counter that was deleted is none of the counter that stands in its place.
 */

/** A counter as its row has it. */
export interface CounterRow {
  readonly id: string;
  readonly project_id: string;
  readonly subject: string;
  readonly period: string;
  readonly used_cents: string;
  readonly version: number;
  readonly returned: Buffer;
  readonly mac: string | null;
}

/** What an order took of a counter. */
export interface UseRow {
  readonly id: string;
  readonly counter_id: string;
  readonly order_id: string;
  readonly project_id: string;
  readonly subject: string;
  readonly period: string;
  readonly cents: string;
  readonly version: number;
  readonly mac: string | null;
}

export const counterColumns = 'id, project_id, subject, period, used_cents, version, returned, mac';
export const useColumns =
  'id, counter_id, order_id, project_id, subject, period, cents, version, mac';

export function sealedCounter(row: Omit<CounterRow, 'mac'>): SealedRow {
  const { id, project_id: projectId, subject, period, version, returned } = row;
  const usedCents = BigInt(row.used_cents).toString();
  return {
    table: 'order_limit_usage',
    id,
    fields: { projectId, subject, period, usedCents, version, returned },
  };
}

export function sealedUse(row: Omit<UseRow, 'mac'>): SealedRow {
  const { id, counter_id: counterId, order_id: orderId, project_id: projectId } = row;
  const { subject, period, version } = row;
  const cents = BigInt(row.cents).toString();
  return {
    table: 'order_limit_uses',
    id,
    fields: { counterId, orderId, projectId, subject, period, cents, version },
  };
}

export const sealedLimitUsage: SealedTable = {
  table: 'order_limit_usage',
  columns: counterColumns,
  toSealed: sealedCounter,
};

export const sealedLimitUses: SealedTable = {
  table: 'order_limit_uses',
  columns: useColumns,
  toSealed: sealedUse,
};

/** Longer than any period. */
const rememberedMs = 40 * 24 * 3_600_000;

interface CounterKey {
  readonly project_id: string;
  readonly subject: string;
  readonly period: string;
}

const nameOf = ({ project_id, subject, period }: CounterKey) =>
  `order-limits:${project_id} ${subject} ${period}`;

/** The version that this process has seen of a counter; 0 where it has seen none. */
export function seenVersion(db: Db, key: CounterKey, now: Date): bigint {
  return remembered(db, { key: nameOf(key), now });
}

/**
 * @param seen before the row was read, or while it is locked
 * @returns why a counter is not believed; undefined when it is
 */
export function problemOfCounter(db: Db, row: CounterRow, seen: bigint): string | undefined {
  const problem = rowMacsOf(db).problemOf(sealedCounter(row), row.mac);
  if (problem !== undefined) return problem;
  return BigInt(row.version) < seen
    ? `this process has seen it go on since: an earlier version was put back; ${afterFailover}`
    : undefined;
}

/** @returns why a use gives nothing back to a counter that is believed; undefined when it does */
export function problemOfUse(use: UseRow, counter: CounterRow): string | undefined {
  const taken = `what order ${use.order_id} took`;
  if (use.counter_id !== counter.id)
    return `${taken} was of the counter ${use.counter_id}, which was deleted`;
  if (use.version > counter.version)
    return `${taken} is not in it: an earlier version was put back`;
  return isReturned(counter, use.version)
    ? `${taken} of it was given back before, and was put back`
    : undefined;
}

/** Remembers where a counter stands once that is durable. */
export function rememberCounter(
  tx: Tx,
  counter: CounterKey & { readonly version: number },
  now: Date,
): void {
  tx.afterCommit(() =>
    noteHere(tx, {
      key: nameOf(counter),
      now,
      until: new Date(now.getTime() + rememberedMs),
      value: BigInt(counter.version),
    }),
  );
}

/** Whether what was taken at this version was given back. */
export function isReturned({ returned }: Pick<CounterRow, 'returned'>, version: number): boolean {
  return ((returned[version >> 3] ?? 0) & (1 << (version & 7))) !== 0;
}

/** With the bit of a version set. */
export function withReturned(returned: Buffer, version: number): Buffer {
  const longer = Buffer.alloc(Math.max(returned.length, (version >> 3) + 1));
  returned.copy(longer);
  longer[version >> 3]! |= 1 << (version & 7);
  return longer;
}

/** A use that the service wrote; another one raises its alarm. */
export function isGenuineUse(db: Db, row: UseRow): boolean {
  return isFitting(rowMacsOf(db), sealedUse(row), row.mac);
}
