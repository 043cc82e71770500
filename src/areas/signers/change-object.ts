import type { Ctx } from '../../context.ts';
import type { Json } from '../../lib/json.ts';
import { getSignaturesById, signatureView } from '../signatures/index.ts';
import { getTransactionsById, transactionView } from '../transactions/index.ts';
import type { SignerChange } from './store.ts';

/** The signature request or transaction behind a change, as answers show it. */
export interface ChangeObject {
  readonly status: 'awaiting-approval' | 'pending' | 'success' | 'failed';
  readonly view: Readonly<Record<string, Json | undefined>>;
}

/** The objects of changes of one wallet, by id. */
export async function loadChangeObjects(
  ctx: Pick<Ctx, 'store'>,
  walletId: string,
  changes: readonly Pick<SignerChange, 'id' | 'flow'>[],
): Promise<ReadonlyMap<string, ChangeObject>> {
  const idsOf = (flow: SignerChange['flow']) => changes.filter((change) => change.flow === flow).map(({ id }) => id);
  const [signatures, transactions] = await Promise.all([
    getSignaturesById(ctx, { walletId, ids: idsOf('signature') }),
    getTransactionsById(ctx, { walletId, ids: idsOf('transaction') }),
  ]);
  return new Map([
    ...signatures.map((record) => [record.id, { status: record.status, view: signatureView(record) }] as const),
    ...transactions.map((record) => [record.id, { status: record.status, view: transactionView(record) }] as const),
  ]);
}
