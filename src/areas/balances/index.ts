export { readTokenBalance, readWalletBalances } from './balances.ts';
export { readBalancesInUse } from './in-use.ts';
