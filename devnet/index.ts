export {
  type Devnet,
  type DevnetNode,
  type DevnetOptions,
  removeDevnet,
  startDevnet,
} from './devnet.ts';
export { DevnetError, type Log } from './errors.ts';
export { type Anvil, type AnvilOptions, startAnvil } from './evm/anvil.ts';
export { readPendingTime } from './evm/anvil-clock.ts';
export { type EvmChainName, type EvmChainsOptions, evmChains } from './evm/chains.ts';
export { type FundedAccount, type GenesisPlan, prepareGenesis } from './evm/genesis.ts';
export { type GenesisInput, planGenesis, testStablecoinAddress } from './evm/genesis-plan.ts';
export {
  advanceTime,
  mineBlocks,
  readHeight,
  reorganise,
  restoreSnapshot,
  takeSnapshot,
} from './evm/reorg.ts';
export { completeLocalConfig, planLocalFamilies } from './families.ts';
export { catchUp, type LocalChain, type LocalNode } from './local-chain.ts';
export {
  createDatabaseIfMissing,
  type Postgres,
  type PostgresOptions,
  removePostgres,
  startPostgres,
} from './postgres.ts';
