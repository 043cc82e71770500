import type { Json, JsonObject } from '../../lib/json/json.ts';
import { approvalsView } from '../approvals/index.ts';
import type { TransactionRecord } from './store.ts';

/**
 * The transaction object of the interface. Never carries a key `error` unless it failed
 * (supplement, section 19).
 */
export function transactionView(record: TransactionRecord): Record<string, Json | undefined> {
  return {
    id: record.id,
    chainType: record.chainType,
    walletType: record.walletType,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
    ...(record.completedAt === undefined ? {} : { completedAt: record.completedAt.toISOString() }),
    params: withCall(record.params),
    onChain: record.onChain,
    approvals: approvalsView(record.approvals),
    error: record.error,
    fees: record.fees,
    preview: record.preview,
    sendParams: record.sendParams,
  };
}

/**
 * The only call stands beside the list under its own name too; of several there is none that could
 * stand for all.
 */
function withCall(params: JsonObject): JsonObject {
  const { calls } = params;
  return Array.isArray(calls) && calls.length === 1
    ? { ...params, call: calls[0] as Json }
    : params;
}
