export { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts';
export { type Devnet, type DevnetChain, type DevnetNode, type DevnetOptions, removeDevnet, startDevnet } from './devnet.ts';
export { DevnetError, type Log } from './errors.ts';
export { type FundedAccount, type GenesisPlan, prepareGenesis } from './genesis.ts';
export { type GenesisInput, planGenesis, testStablecoinAddress } from './genesis-plan.ts';
export { createDatabaseIfMissing, type Postgres, type PostgresOptions, removePostgres, startPostgres } from './postgres.ts';
export { advanceTime, mineBlocks, readHeight, reorganise, restoreSnapshot, takeSnapshot } from './reorg.ts';
