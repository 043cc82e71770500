import type { FamilyWallet, SubmittedApproval } from '../../chains/family.ts';
import type { Chains } from '../../chains/registry.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createMicroBatcher, isItemFault, type MicroBatcher } from '../../store/micro-batch.ts';
import { isUniqueViolation } from '../../store/pg-errors.ts';
import type { Store, Tx } from '../../store/types.ts';
import { insertWallets, type NewWallet } from '../wallets/index.ts';
import { insertTransactions, type TransactionRecord } from './store.ts';

export interface NewTransaction {
  readonly record: TransactionRecord;
  readonly wallet: FamilyWallet;
  /**
   * Present when nobody needs to be asked: the operation goes to the relay in the same database
   * transaction.
   */
  readonly given: readonly SubmittedApproval[] | undefined;
  readonly recipientWallet?: NewWallet | undefined;
  /** What else is stored with it, all or nothing, before the transaction itself. */
  readonly alongside?: ((tx: Tx) => Promise<void>) | undefined;
  /** Like `alongside`, as the last statements. */
  readonly afterwards?: ((tx: Tx) => Promise<void>) | undefined;
}

/**
 * The recipient got a wallet of another address while the transfer was prepared: it has to be
 * prepared again.
 */
export class RecipientAppeared extends ServiceError {
  constructor() {
    super('conflict', {
      message: 'The wallet of the recipient was created at the same time: send the transfer again.',
    });
  }
}

/** Transactions that arrive together share one commit. */
const batchers = new WeakMap<Store, MicroBatcher<NewTransaction, void>>();

/**
 * Stores a transaction and, when it is approved already, hands it to the relay: both or neither.
 * @throws conflict when a call with the same idempotency key has stored it meanwhile
 */
export function storeTransaction(
  ctx: Pick<Ctx, 'store' | 'chains'>,
  item: NewTransaction,
): Promise<void> {
  return addToBatch(ctx, item).catch((error: unknown) => {
    throw isUniqueViolation(error, 'transactions_pkey')
      ? new ServiceError('conflict', {
          message:
            'A call with the same idempotency key is storing this transaction: repeat the call.',
          cause: error,
        })
      : error;
  });
}

async function addToBatch(ctx: Pick<Ctx, 'store' | 'chains'>, item: NewTransaction): Promise<void> {
  if (item.alongside || item.afterwards) {
    await storeTransactions(ctx.store, ctx.chains, [item]);
    return;
  }
  let batcher = batchers.get(ctx.store);
  if (!batcher) {
    batcher = createMicroBatcher({
      maxItems: 64,
      // Two at once keep the database busy; with more, each would carry fewer.
      concurrency: 2,
      run: (items) => storeTransactions(ctx.store, ctx.chains, items),
      runAloneAfter: (error) => error instanceof RecipientAppeared || isItemFault(error),
    });
    batchers.set(ctx.store, batcher);
  }
  await batcher.add(item);
}

async function storeTransactions(
  store: Store,
  chains: Chains,
  items: readonly NewTransaction[],
): Promise<void[]> {
  await store.transaction(async (tx) => {
    const recipients = items.flatMap(({ recipientWallet }) => recipientWallet ?? []);
    if (recipients.length > 0 && (await insertWallets(tx, recipients)).size < recipients.length)
      throw new RecipientAppeared();
    for (const { alongside } of items) await alongside?.(tx);
    await insertTransactions(
      tx,
      items.map((item) => item.record),
    );
    for (const family of chains.families) {
      const approved = items.flatMap(({ record, wallet, given }) =>
        given && record.chainType === family.chainType
          ? [
              {
                operationId: record.id,
                subject: record.subject,
                projectId: record.projectId,
                wallet,
                chain: record.chain,
                operation: record.operation,
                approvals: given,
              },
            ]
          : [],
      );
      if (approved.length > 0) await family.submitOperations(tx, approved);
    }
    for (const { afterwards } of items) await afterwards?.(tx);
  });
  return items.map(() => undefined);
}
