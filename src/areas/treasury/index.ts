export { bookWithdrawals } from './book-withdrawals.ts';
export { type TreasuryCommandInput, treasuryCommand } from './command.ts';
export { type TreasuryTransferStatus, treasuryTransferMachine } from './machine.ts';
export { fundTreasury, readOutflow, readTreasuryBalances, withdrawalSubject, withdrawFromTreasury } from './operate.ts';
export { prepareSending, requireTreasury, type SendFromTreasuryInput, sendFromTreasury } from './send.ts';
export {
  finalizeTreasuryTransfers,
  recordTreasuryOperations,
  retractTreasuryTransfers,
  settleTreasuryTransfers,
  type TreasuryChange,
  type TreasuryListener,
} from './settle.ts';
export {
  selectTransfer as selectTreasuryTransfer,
  selectTransfers as selectTreasuryTransfers,
  selectTransfersOfSubject,
  type TreasuryTransfer,
} from './store.ts';
export { releaseTransfer, type Withholding, withholdTransfer } from './withhold.ts';
