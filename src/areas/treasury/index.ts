export { bookWithdrawals } from './book-withdrawals.ts';
export { treasuryCommand } from './command.ts';
export { treasuryTransferMachine } from './machine.ts';
export { fundTreasury, readOutflow, withdrawFromTreasury } from './operate.ts';
export { treasuryRules } from './rules.ts';
export {
  prepareSending,
  requireTreasury,
  type SendFromTreasuryInput,
  sendFromTreasury,
} from './send.ts';
export {
  finalizeTreasuryTransfers,
  pickOwnOutcomes,
  recordTreasuryOperations,
  resumeLostTransfers,
  retractTreasuryTransfers,
  settleTreasuryTransfers,
  type TreasuryChange,
  type TreasuryListener,
} from './settle.ts';
export {
  isTransferOf,
  selectTransfer as selectTreasuryTransfer,
  selectTransfers as selectTreasuryTransfers,
  selectTransfersOfSubject,
  type TreasuryTransfer,
} from './store.ts';
export { releaseTransfer, withholdTransfer } from './withhold.ts';
