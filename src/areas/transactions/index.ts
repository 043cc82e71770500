export { selectTransactionChains } from './chains.ts';
export { RecipientAppeared } from './insert-transaction.ts';
export { transactionMachine } from './machine.ts';
export { transactionSchema } from './schema.ts';
export { closeApprovalWindows, settleOperations } from './settle.ts';
export type { TransactionRecord } from './store.ts';
export { createTransaction, getTransaction } from './transactions.ts';
export { transactionView } from './view.ts';
