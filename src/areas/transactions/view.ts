import type { Json } from '../../lib/json.ts';
import { signerView } from '../wallets/index.ts';
import type { Approvals, TransactionRecord } from './store.ts';

function approvalsView(approvals: Approvals): Json {
  return {
    ...(approvals.required === undefined ? {} : { required: approvals.required }),
    pending: approvals.pending.map(({ signer, message }) => ({ signer: signerView(signer), message })),
    submitted: approvals.submitted.map(({ signer, message, signature, metadata, submittedAt }) => ({
      signature,
      submittedAt,
      signer: signerView(signer),
      message,
      ...(metadata === undefined ? {} : { metadata }),
    })),
  };
}

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
    ...(record.sendParams === undefined ? {} : { sendParams: record.sendParams }),
  };
}
