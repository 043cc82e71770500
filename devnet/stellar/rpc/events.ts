import { Address, xdr } from '@stellar/stellar-sdk/base';
import type { Chain, TransactionRecord } from '../ledger/chain.ts';
import { invalid } from './errors.ts';

export interface EventFilter {
  readonly type?: string;
  readonly contractIds?: readonly string[];
  readonly topics?: readonly (readonly string[])[];
}

export interface EventsQuery {
  readonly startLedger?: number;
  readonly endLedger?: number;
  readonly filters: readonly EventFilter[];
  readonly cursor?: string;
  readonly limit: number;
}

const filtersMax = 5;

/** What sorts events: ledger, transaction, operation, and the event in it. */
const idOf = (ledger: number, index: number) =>
  `${((BigInt(ledger) << 32n) | (1n << 12n) | 1n).toString().padStart(19, '0')}-${index.toString().padStart(10, '0')}`;

export function events(
  chain: Chain,
  { startLedger, endLedger, filters, cursor, limit }: EventsQuery,
): object {
  if (filters.length > filtersMax) throw invalid(`At most ${filtersMax} filters are taken.`);
  if ((startLedger === undefined) === (cursor === undefined))
    throw invalid('Give either startLedger or pagination.cursor.');
  if (startLedger !== undefined && (startLedger < 1 || startLedger > chain.sequence + 1))
    throw invalid(
      `startLedger must be within the ledger range: ${chain.oldestLedger} - ${chain.sequence}`,
    );
  const found: { readonly id: string }[] = [];
  let last = idOf(chain.sequence, 0);
  scan: for (const record of chain.records) {
    if (
      record.ledger < (startLedger ?? 0) ||
      record.ledger >= (endLedger ?? Number.POSITIVE_INFINITY)
    )
      continue;
    for (const [index, text] of record.events.entries()) {
      const id = idOf(record.ledger, index);
      if (cursor !== undefined && id <= cursor) continue;
      const event = xdr.ContractEvent.fromXdr(text, 'base64');
      if (filters.length > 0 && !filters.some((filter) => isMatch(event, filter))) continue;
      found.push({ id, ...describe(event, record) });
      last = id;
      if (found.length >= limit) break scan;
    }
  }
  return { events: found, cursor: found.length > 0 ? last : (cursor ?? last), ...retention(chain) };
}

function retention(chain: Chain) {
  return {
    latestLedger: chain.sequence,
    oldestLedger: chain.oldestLedger,
    latestLedgerCloseTime: String(chain.closeTime),
    oldestLedgerCloseTime: String(chain.records[0]?.closeTime ?? chain.closeTime),
  };
}

const contractOf = ({ contractId }: xdr.ContractEvent) =>
  contractId ? Address.contract(contractId.value).toString() : '';

function describe(event: xdr.ContractEvent, record: TransactionRecord) {
  const { topics, data } = event.body.v0;
  return {
    type: event.type.name,
    ledger: record.ledger,
    ledgerClosedAt: new Date(record.closeTime * 1000).toISOString().replace('.000', ''),
    contractId: contractOf(event),
    transactionIndex: 1,
    operationIndex: 0,
    inSuccessfulContractCall: true,
    txHash: record.hash,
    topic: topics.map((topic) => topic.toXdr('base64')),
    value: data.toXdr('base64'),
  };
}

function isMatch(
  event: xdr.ContractEvent,
  { type, contractIds = [], topics = [] }: EventFilter,
): boolean {
  if (type && event.type.name !== type) return false;
  if (contractIds.length > 0 && !contractIds.includes(contractOf(event))) return false;
  const own = event.body.v0.topics.map((topic) => topic.toXdr('base64'));
  return topics.length === 0 || topics.some((pattern) => matchesTopics(own, pattern));
}

/** `*` is any one, `**` at the end any number. */
function matchesTopics(own: readonly string[], pattern: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '**';
  const segments = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? own.length < segments.length : own.length !== segments.length) return false;
  return segments.every((segment, index) => segment === '*' || segment === own[index]);
}
