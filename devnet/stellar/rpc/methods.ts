import { xdr } from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import { refused } from '../classic/results.ts';
import type { Envelope } from '../classic/transaction.ts';
import { accountAddress, accountId } from '../ledger/accounts.ts';
import { type Chain, protocol, type TransactionRecord } from '../ledger/chain.ts';
import { codes, invalid, RpcError } from './errors.ts';
import { events } from './events.ts';
import { latestLedger } from './ledger-header.ts';
import { simulate } from './simulate.ts';

export interface RpcContext {
  readonly chain: Chain;
  /** Where the service is reached, for the address of friendbot. */
  readonly url: string;
}

type Method = (context: RpcContext, params: unknown) => unknown;

const keysMax = 200;
const pageMax = 200;
const friendbotStroops = 100_000_000_000n;
const transactionSchema = z.object({
  transaction: z.string(),
  authMode: z.enum(['record', 'enforce', 'record_allow_nonroot', '']).optional(),
});
const paginationSchema = z
  .object({ cursor: z.string().optional(), limit: z.number().int().min(1).max(10_000).optional() })
  .optional();

export const methods: Readonly<Record<string, Method>> = {
  getHealth: ({ chain }) => ({
    status: 'healthy',
    latestLedger: chain.sequence,
    oldestLedger: chain.oldestLedger,
    ledgerRetentionWindow: chain.options.historyMax,
  }),
  getNetwork: ({ chain, url }) => ({
    passphrase: chain.options.networkPassphrase,
    protocolVersion: protocol,
    friendbotUrl: `${url}/friendbot`,
  }),
  getVersionInfo: () => ({
    version: 'local-emulator',
    commitHash: '',
    buildTimestamp: '',
    captiveCoreVersion: 'none: an emulator',
    protocolVersion: protocol,
  }),
  getLatestLedger: ({ chain }) => latestLedger(chain),
  getLedgerEntries: ({ chain }, params) =>
    ledgerEntries(
      chain,
      parse(z.object({ keys: z.array(z.string()).min(1).max(keysMax) }), params).keys,
    ),
  getFeeStats: ({ chain }) => {
    const distribution = feeDistribution();
    return {
      sorobanInclusionFee: distribution,
      inclusionFee: distribution,
      latestLedger: chain.sequence,
    };
  },
  simulateTransaction: ({ chain }, params) => {
    const { transaction, authMode } = parse(transactionSchema, params);
    return simulate(chain, read(chain, transaction), authMode === '' ? undefined : authMode);
  },
  sendTransaction: ({ chain }, params) =>
    send(chain, read(chain, parse(transactionSchema, params).transaction)),
  getTransaction: ({ chain }, params) => {
    const { hash: text } = parse(
      z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/, 'a hash of 64 digits') }),
      params,
    );
    const record = chain.record(text);
    const seen = {
      latestLedger: chain.sequence,
      latestLedgerCloseTime: String(chain.closeTime),
      oldestLedger: chain.oldestLedger,
      oldestLedgerCloseTime: String(chain.records[0]?.closeTime ?? chain.closeTime),
    };
    return record
      ? { ...describe(record), ...seen }
      : { status: 'NOT_FOUND', txHash: text, ...seen };
  },
  getTransactions: ({ chain }, params) => {
    const { startLedger, pagination } = parse(
      z.object({ startLedger: z.number().int().optional(), pagination: paginationSchema }),
      params,
    );
    if ((startLedger === undefined) === (pagination?.cursor === undefined))
      throw invalid('Give either startLedger or pagination.cursor.');
    const after = pagination?.cursor === undefined ? undefined : parseCursor(pagination.cursor);
    const found = chain.records
      .filter(({ ledger }) =>
        after === undefined ? ledger >= startLedger! : positionOf(ledger) > after,
      )
      .slice(0, Math.min(pagination?.limit ?? 50, pageMax));
    return {
      transactions: found.map(describe),
      latestLedger: chain.sequence,
      latestLedgerCloseTimestamp: chain.closeTime,
      oldestLedger: chain.oldestLedger,
      oldestLedgerCloseTimestamp: chain.records[0]?.closeTime ?? chain.closeTime,
      cursor: (found.length > 0
        ? positionOf(found.at(-1)!.ledger)
        : (after ?? positionOf(chain.sequence))
      ).toString(),
    };
  },
  getEvents: ({ chain }, params) => {
    const filter = z.object({
      type: z.string().optional(),
      contractIds: z.array(z.string()).max(5).optional(),
      topics: z.array(z.array(z.string()).max(5)).max(5).optional(),
    });
    const query = z.object({
      startLedger: z.number().int().optional(),
      endLedger: z.number().int().optional(),
      filters: z.array(filter).nullish(),
      pagination: paginationSchema,
    });
    const { startLedger, endLedger, filters, pagination } = parse(query, params);
    const { cursor, limit = 100 } = pagination ?? {};
    return events(chain, {
      startLedger: startLedger || undefined,
      endLedger,
      filters: filters ?? [],
      cursor,
      limit,
    });
  },
  devnet_time: ({ chain }) => chain.closeTime,
  devnet_save: ({ chain }) => {
    chain.save();
    return true;
  },
  devnet_advanceTime: ({ chain }, params) => {
    chain.advanceTime(parse(z.tuple([z.number().int().min(1)]), params)[0]);
    return true;
  },
};

/** @throws RpcError naming the methods there are */
export function methodOf(name: string): Method {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method) return method;
  const known = Object.keys(methods).filter((one) => !one.startsWith('devnet_'));
  throw new RpcError(
    codes.unknownMethod,
    `The local Stellar chain has no method ${name}: it has ${known.join(', ')}.`,
  );
}

function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(params ?? {});
  if (error)
    throw invalid(
      error.issues
        .map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`)
        .join('; '),
    );
  return data as z.output<Schema>;
}

function read(chain: Chain, base64: string): Envelope {
  try {
    return chain.read(base64);
  } catch (error) {
    throw invalid(
      `The transaction cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function ledgerEntries(chain: Chain, keys: readonly string[]): object {
  const entries = keys.flatMap((key) => {
    const parsed = readKey(key);
    if (parsed.type === 'ttl')
      throw invalid('Ends of entries come with the entries: ask for those.');
    const stored = chain.entries.get(parsed.toXdr('base64'));
    const isEnded =
      parsed.type === 'contractData' &&
      parsed.contractData.durability.name === 'temporary' &&
      (stored?.liveUntil ?? 0) < chain.sequence;
    if (!stored || isEnded) return [];
    return [
      {
        key,
        xdr: stored.entry.data.toXdr('base64'),
        lastModifiedLedgerSeq: stored.entry.lastModifiedLedgerSeq,
        ...(stored.liveUntil === undefined ? {} : { liveUntilLedgerSeq: stored.liveUntil }),
      },
    ];
  });
  return { entries, latestLedger: chain.sequence };
}

function readKey(base64: string): xdr.LedgerKey {
  try {
    return xdr.LedgerKey.fromXdr(base64, 'base64');
  } catch {
    throw invalid(`No ledger key: ${base64.slice(0, 60)}`);
  }
}

const positionOf = (ledger: number) => (BigInt(ledger) << 32n) | (1n << 12n);

function parseCursor(text: string): bigint {
  if (!/^\d{1,20}$/.test(text))
    throw invalid('pagination.cursor is a cursor that this method gave.');
  return BigInt(text);
}

function send(chain: Chain, envelope: Envelope): object {
  const text = Buffer.from(envelope.hash).toString('hex');
  const answer = (status: string, more: object = {}) => ({
    status,
    hash: text,
    latestLedger: chain.sequence,
    latestLedgerCloseTime: String(chain.closeTime),
    ...more,
  });
  if (chain.record(text)) return answer('DUPLICATE');
  const refusal = chain.submit(envelope);
  if (refusal) return answer('ERROR', { errorResultXdr: refused(refusal).toXdr('base64') });
  return answer('PENDING');
}

function describe(record: TransactionRecord): object {
  return {
    status: record.status,
    txHash: record.hash,
    ledger: record.ledger,
    createdAt: String(record.closeTime),
    applicationOrder: 1,
    feeBump: record.isFeeBump,
    envelopeXdr: record.envelope,
    resultXdr: record.result,
    resultMetaXdr: record.meta,
    events: { transactionEventsXdr: [], contractEventsXdr: [record.events] },
  };
}

function feeDistribution(): object {
  const levels = [
    'max',
    'min',
    'mode',
    'p10',
    'p20',
    'p30',
    'p40',
    'p50',
    'p60',
    'p70',
    'p80',
    'p90',
    'p95',
    'p99',
  ];
  return {
    ...Object.fromEntries(levels.map((level) => [level, '100'])),
    transactionCount: '0',
    ledgerCount: 0,
  };
}

/** Gives an account its first money. @throws RpcError for an account that exists */
export function friendbot({ chain }: RpcContext, address: string): object {
  let id: ReturnType<typeof accountId>;
  try {
    id = accountId(address);
  } catch {
    throw invalid('addr is the address of an account: G…');
  }
  const made = chain.fundThroughBank(id, friendbotStroops);
  if (!made) throw invalid(`createAccountAlreadyExist: ${accountAddress(id)}`);
  return { hash: made, successful: true };
}
