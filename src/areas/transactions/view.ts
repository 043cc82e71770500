import type { Json } from '../../lib/json.ts';
import { approvalsView } from '../approvals/index.ts';
import type { TransactionRecord } from './store.ts';

/** The transaction object of the interface. Never carries a key `error` unless it failed (supplement, section 19). */
export function transactionView(record: TransactionRecord): Record<string, Json | undefined> {
  return {
    id: record.id,
    chainType: record.chainType,
    walletType: record.walletType,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
    ...(record.completedAt === undefined ? {} : { completedAt: record.completedAt.toISOString() }),
    params: record.params,
    onChain: record.onChain,
    approvals: approvalsView(record.approvals),
    ...(record.error === undefined ? {} : { error: record.error }),
    fees: record.fees,
    ...(record.preview === undefined ? {} : { preview: record.preview }),
    ...(record.sendParams === undefined ? {} : { sendParams: record.sendParams }),
  };
}
