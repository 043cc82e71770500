import { createHash } from 'node:crypto';
import type { SealedRow, SealedTable } from '../../../store/row-mac.ts';

/**
 * A table of operations that a relay sends: what is sealed of each (what is sent, for whom, and
 * whose budget it takes), and how far it is, which may change without a seal.
 */

/** What each operation of a queue has, whatever is sent for it. */
export interface Queued {
  readonly operationId: string;
  readonly projectId: string;
  readonly owner: string;
  readonly chain: string;
  /** In the smallest unit of the native token. */
  readonly costMax: bigint;
  readonly validUntil: Date;
}

/** How far one is. */
export interface HowFar {
  readonly status: 'queued' | 'sent';
  readonly withheld: boolean;
  /** Answers in a row that it cannot be built, would fail, or is gone. */
  readonly refusals: number;
  /** Tries in a row that had no answer; once sent, looks at which nobody knew it. */
  readonly misses: number;
  readonly txId: string | null;
  readonly raw: Uint8Array | null;
  /** Since the bytes were sent last; 0 before. */
  readonly sentAgoMs: number;
}

export type ColumnType = 'uuid' | 'text' | 'jsonb' | 'numeric' | 'timestamptz' | 'bytea';

interface QueueTable<Item extends Queued> {
  readonly table: string;
  /** What is sealed, by field; columns have the same names in snake case. */
  readonly types: Readonly<Record<keyof Item & string, ColumnType>>;
  /** Where the id of the transaction stands that was sent. */
  readonly txIdColumn: string;
  /** NOTIFY channel that wakes idle relays; the payload is the chain, behind this. */
  readonly channel: string;
  readonly payload?: string;
}

/** A queue, as {@link openQueue} makes it of its table. */
export interface Queue<Item extends Queued> extends Required<QueueTable<Item>> {
  readonly sealed: SealedTable;
  /** Relays of this process. */
  readonly wakes: Set<() => void>;
}

export const columnOf = (field: string) =>
  field.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);

export function openQueue<Item extends Queued>(queue: QueueTable<Item>): Queue<Item> {
  const { table, types } = queue;
  const columns = Object.keys(types).map((field) => `${columnOf(field)} as "${field}"`);
  return {
    payload: '',
    ...queue,
    wakes: new Set(),
    sealed: {
      table,
      idColumn: 'operation_id',
      columns: `${columns.join(', ')}, mac`,
      toSealed: (row: StoredRow) => toSealed(queue, row),
      resume: 'run_at = now()',
    },
  };
}

/** As the database gives it, or as it is given to the database. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly mac: string | null };

export function toSealed<Item extends Queued>(
  { table, types }: QueueTable<Item>,
  row: object,
): SealedRow {
  const values = row as Readonly<Record<string, unknown>>;
  const { operationId: _, ...fields } = types as Readonly<Record<string, ColumnType>>;
  return {
    table,
    id: values['operationId'] as string,
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, type]) => [field, sealedOf(type, values[field])]),
    ),
  };
}

function sealedOf(type: ColumnType, value: unknown): unknown {
  // What is absent stands in no seal.
  if (value === null) return undefined;
  if (type === 'numeric') return String(value);
  return type === 'bytea'
    ? createHash('sha256')
        .update(value as Uint8Array)
        .digest()
    : value;
}

export function parameterOf(type: ColumnType, value: unknown): unknown {
  if (value === undefined) return null;
  if (type === 'numeric') return String(value);
  if (type === 'jsonb') return JSON.stringify(value);
  return type === 'bytea' ? Buffer.from(value as Uint8Array) : value;
}

function fieldOf(type: ColumnType, value: unknown): unknown {
  if (value === null) return undefined;
  if (type === 'numeric') return BigInt(value as string);
  return type === 'bytea' ? new Uint8Array(value as Buffer) : value;
}

export function readRow<Item extends Queued>(
  { types }: Queue<Item>,
  row: StoredRow & HowFar,
): Item & HowFar {
  const { status, withheld, refusals, misses, txId, raw, sentAgoMs } = row;
  const fields = Object.entries<ColumnType>(types).map(
    ([field, type]) => [field, fieldOf(type, row[field])] as const,
  );
  return {
    // Each field is of the type that its column is declared with.
    ...(Object.fromEntries(fields) as unknown as Item),
    status,
    withheld,
    refusals,
    misses,
    txId,
    raw: raw && new Uint8Array(raw),
    sentAgoMs: Number(sentAgoMs ?? 0),
  };
}
