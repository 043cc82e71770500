import type { Json } from '../../lib/json/json.ts';
import { approvalsView } from '../approvals/index.ts';
import type { SignatureRecord } from './store.ts';

/**
 * The signature object of the interface. Never carries a key `error` unless it failed (supplement,
 * section 19).
 */
export function signatureView(record: SignatureRecord): Record<string, Json | undefined> {
  const { status, error, outputSignature, completedAt } = record;
  return {
    id: record.id,
    chainType: record.chainType,
    walletType: record.walletType,
    type: record.type,
    status,
    params: record.params,
    approvals: approvalsView(record.approvals),
    createdAt: record.createdAt.toISOString(),
    ...(completedAt === undefined ? {} : { completedAt: completedAt.toISOString() }),
    error,
    ...(status === 'success' && outputSignature !== undefined ? { outputSignature } : {}),
  };
}
