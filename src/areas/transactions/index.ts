export { RecipientAppeared } from './insert-transaction.ts';
export { createTransaction, getTransaction } from './transactions.ts';
export { transactionSchema } from './schema.ts';
export { closeApprovalWindows, settleOperations } from './settle.ts';
export { transactionView } from './view.ts';
export { selectTransactionChains } from './chains.ts';
export type { TransactionRecord } from './store.ts';
export { transactionMachine } from './machine.ts';
