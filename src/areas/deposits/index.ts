export {
  assignDeposit,
  findDeposit,
  listDeposits,
  lockDeposit,
  resolveDeposit,
} from './deposits.ts';
export { depositMachine } from './machine.ts';
export { expectOperatorFunds, operatorFunds } from './operator-funds.ts';
export {
  type DepositChange,
  type DepositListener,
  finalizeDeposits,
  recordDeposits,
  retractDeposits,
} from './record.ts';
export { type DepositRecord, selectDepositsOfOrder } from './store.ts';
