import { TransactionBuilder, type xdr } from '@stellar/stellar-sdk/base';
import type { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { RpcParams } from '../../../lib/net/json-rpc.ts';
import { nodeError } from '../../family/nodes/node-error.ts';
import type { StellarNetwork } from '../config/networks.ts';
import type { StellarConnection } from './connections.ts';
import {
  type ChainEvent,
  type DoneTransaction,
  entriesSchema,
  eventsSchema,
  type FoundTransaction,
  feeStatsSchema,
  foundTransactionSchema,
  type ListedTransaction,
  latestLedgerSchema,
  type Sent,
  type Simulation,
  sentSchema,
  simulationSchema,
  transactionsSchema,
} from './schemas.ts';

/**
 * The calls of a node that the family makes. Each throws upstream-error or provider-unavailable
 * unless it says otherwise.
 */

const keysPerCall = 200;

/** One call whose answer is as the schema says. */
async function read<Schema extends z.ZodType>(
  { rpc, network }: StellarConnection,
  {
    method,
    params,
    schema,
  }: { readonly method: string; readonly params: RpcParams; readonly schema: Schema },
): Promise<z.infer<Schema>> {
  const value = await rpc.request(method, params).catch((error: unknown) => {
    throw nodeError(error, network.name);
  });
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  throw new ServiceError('upstream-error', {
    message: `The node of "${network.name}" answered ${method} in a form that is not known: retry later.`,
    cause: error,
  });
}

/** The ledger that was closed last; its time in seconds since 1970 where the node tells it. */
export async function readLatestLedger(
  connection: StellarConnection,
): Promise<z.infer<typeof latestLedgerSchema>> {
  return read(connection, { method: 'getLatestLedger', params: null, schema: latestLedgerSchema });
}

export interface LedgerEntry {
  readonly data: xdr.LedgerEntryData;
  /** The last ledger in which an entry of a contract lives; before the latest: it is archived. */
  readonly liveUntil?: number;
  /** The ledger that wrote it last, where the node tells it. */
  readonly modified?: number;
}

export interface LedgerEntries {
  /** In the order asked; undefined where there is none. */
  readonly entries: readonly (LedgerEntry | undefined)[];
  /** The oldest ledger that the answers are of. */
  readonly latestLedger: number;
}

/** State of the chain: accounts, trust lines, data of contracts. */
export async function readEntries(
  connection: StellarConnection,
  keys: readonly xdr.LedgerKey[],
): Promise<LedgerEntries> {
  const texts = keys.map((key) => key.toXdr('base64'));
  const answers = await Promise.all(
    chunk([...new Set(texts)], keysPerCall).map((some) =>
      read(connection, {
        method: 'getLedgerEntries',
        params: { keys: some },
        schema: entriesSchema,
      }),
    ),
  );
  const found = new Map<string, LedgerEntry>();
  for (const { entries } of answers)
    for (const {
      key,
      xdr: data,
      liveUntilLedgerSeq: liveUntil,
      lastModifiedLedgerSeq: modified,
    } of entries ?? [])
      found.set(key, {
        data,
        ...(liveUntil != null && { liveUntil }),
        ...(modified != null && { modified }),
      });
  return {
    entries: texts.map((text) => found.get(text)),
    latestLedger: Math.min(...answers.map((answer) => answer.latestLedger)),
  };
}

/**
 * What transactions bid at the moment to be taken up, beside the fee of their resources: median and
 * 90th percentile, in stroops.
 */
export async function readFeeStats(
  connection: StellarConnection,
): Promise<z.infer<typeof feeStatsSchema>> {
  return read(connection, { method: 'getFeeStats', params: null, schema: feeStatsSchema });
}

/**
 * Runs a transaction without sending it.
 * @param envelope base64; its signatures do not count
 * @param authMode `record`: finds out what has to be authorised; `enforce`: checks the entries that
 * it has
 */
export async function simulate(
  connection: StellarConnection,
  envelope: string,
  authMode: 'record' | 'record_allow_nonroot' | 'enforce',
): Promise<Simulation> {
  return read(connection, {
    method: 'simulateTransaction',
    params: { transaction: envelope, authMode },
    schema: simulationSchema,
  });
}

/** Sends a signed transaction, base64; what becomes of it is not known by the answer. */
export async function send(connection: StellarConnection, envelope: string): Promise<Sent> {
  return read(connection, {
    method: 'sendTransaction',
    params: { transaction: envelope },
    schema: sentSchema,
  });
}

/** @param hash hexadecimal, in lower case */
export async function readTransaction(
  connection: StellarConnection,
  hash: string,
): Promise<FoundTransaction> {
  return read(connection, {
    method: 'getTransaction',
    params: { hash },
    schema: foundTransactionSchema,
  });
}

/**
 * False: the node answered another transaction than the one asked for, and said nothing of this
 * one.
 */
export function isTransaction(
  { passphrase }: Pick<StellarNetwork, 'passphrase'>,
  { envelopeXdr }: Pick<DoneTransaction, 'envelopeXdr'>,
  hash: string,
): boolean {
  return (
    Buffer.from(TransactionBuilder.fromXdr(envelopeXdr, passphrase).hash()).toString('hex') === hash
  );
}

/** From a ledger on, or after what an earlier answer ended with. */
export type Begin = { readonly startLedger: number } | { readonly cursor: string };

export interface TransactionPage {
  readonly transactions: readonly ListedTransaction[];
  readonly cursor: string;
  readonly latestLedger: number;
  /** What is older the node has forgotten. */
  readonly oldestLedger: number;
}

/** Transactions in the order of the chain, failed ones too. @param limit 200 at most */
export async function readTransactions(
  connection: StellarConnection,
  begin: Begin,
  limit: number,
): Promise<TransactionPage> {
  const params =
    'cursor' in begin
      ? { pagination: { cursor: begin.cursor, limit } }
      : { ...begin, pagination: { limit } };
  return read(connection, { method: 'getTransactions', params, schema: transactionsSchema });
}

export interface EventQuery {
  readonly begin: Begin;
  /** Without it up to the latest; not with a cursor. */
  readonly endLedger?: number;
  /**
   * Addresses of contracts; each topic as XDR in base64, `*` for any one, `**` for the rest. 5 of
   * each at most.
   */
  readonly filters: readonly {
    readonly contractIds?: readonly string[];
    readonly topics?: readonly (readonly string[])[];
  }[];
  /** 10,000 at most. */
  readonly limit: number;
}

export interface EventPage {
  readonly events: readonly ChainEvent[];
  readonly cursor: string;
  readonly latestLedger: number;
}

/** Events of contracts in the order of the chain, of successful transactions only. */
export async function readEvents(
  connection: StellarConnection,
  { begin, endLedger, filters, limit }: EventQuery,
): Promise<EventPage> {
  const pagination = 'cursor' in begin ? { cursor: begin.cursor, limit } : { limit };
  const range =
    'cursor' in begin
      ? {}
      : { startLedger: begin.startLedger, ...(endLedger !== undefined && { endLedger }) };
  const params = {
    ...range,
    filters: filters.map((filter) => ({ type: 'contract', ...filter })),
    pagination,
  };
  return read(connection, { method: 'getEvents', params, schema: eventsSchema });
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
