import type { Setting } from '../settings.ts';

/** Settings of the EVM chains: nodes, executors, what may be spent for gas. Part of `settings`. */
export const evmSettings = [
  {
    name: 'EVM_RPC_URL_*',
    whenAbsent: 'the chain is refused',
    description:
      'Address of a node of one chain: the chain name in capitals, `_` for `-`, as in `EVM_RPC_URL_BASE_SEPOLIA`. Main networks in production, test networks elsewhere.',
  },
  {
    name: 'EVM_RPC_SECOND_URL_*',
    whenAbsent: 'deposits are proven by the first node alone',
    description:
      'Address of a node of another provider: a deposit is paid for once this one has it too, with the balance of the treasury, and a transfer of the treasury that does not run has failed once this one says so too. Not asked for anything else.',
  },
  {
    name: 'EVM_DEPOSIT_ALONE_MAX_USD',
    whenAbsent: '`1000` in production; else no bound',
    description:
      'Deposits of one order worth more wait for an operator on chains without `EVM_RPC_SECOND_URL_*`.',
  },
  {
    name: 'EVM_START_BLOCK_*',
    whenAbsent: 'the block of its first use',
    description: 'Block at which the watcher begins with a chain that it never followed.',
  },
  {
    name: 'EVM_WITHOUT_DELEGATION',
    whenAbsent: 'as the network has announced it',
    description:
      'Chain names, with commas between, whose nodes do not know EIP-7702: accounts of mpc wallets send by themselves there, with gas that executors give them.',
  },
  {
    name: 'EVM_EXECUTOR_KEYS',
    secret: ['worker'],
    whenAbsent: 'required by worker when a chain is configured',
    description:
      'Private keys of the accounts that send batches, with commas between: 0x and 64 hexadecimal digits each. Each sends on every chain.',
  },
  {
    name: 'EVM_TREASURY_KEY',
    secret: ['worker', 'purser'],
    whenAbsent: 'executors are not topped up; no test funding',
    description:
      'Private key of the account that tops the executors up, and on test networks mints test tokens.',
  },
  {
    name: 'EVM_TREASURY_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Address of `EVM_TREASURY_KEY`, for the api, which does not know the key. Not in production.',
  },
  {
    name: 'EVM_TEST_TOKEN_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Where the test stablecoin `usdxm` stands on the test networks. Not in production.',
  },
  {
    name: 'EVM_RELAY_BATCH_SIZE_MAX',
    integer: { fallback: 50, min: 1, max: 200 },
    description: 'Operations in one batch, at most.',
  },
  {
    name: 'EVM_RELAY_FLUSH_AFTER_MS',
    integer: { fallback: 25, min: 0, max: 10_000 },
    description:
      'A batch that is not full is sent when its oldest operation has waited this long; under load up to four times that.',
  },
  {
    name: 'EVM_RELAY_IN_FLIGHT_MAX',
    integer: { fallback: 16, min: 1, max: 64 },
    description: 'Unconfirmed batches of one executor on one chain, at most.',
  },
  {
    name: 'EVM_RELAY_BUMP_AFTER_MS',
    integer: { fallback: 15_000, min: 500, max: 600_000 },
    description: 'Age at which the fee of an unconfirmed batch is raised.',
  },
  {
    name: 'EVM_RELAY_LEASE_MS',
    integer: { fallback: 10_000, min: 1_000, max: 300_000 },
    description: 'After this another worker takes over the executors of a worker that died.',
  },
  {
    name: 'EVM_EXECUTOR_BALANCE_MIN_WEI',
    fallback: '20000000000000000',
    description: 'An executor with less than this is topped up to twice of it.',
  },
  {
    name: 'EVM_FEE_MAX_WEI_*',
    whenAbsent: '500 gwei where gas is paid in ETH, 100 in BNB, 1000 in AVAX; else 10000',
    description:
      'Largest fee per gas on one chain, whatever its node says. Above it nothing is sent, and there is an alarm.',
  },
  {
    name: 'EVM_TIP_MAX_WEI_*',
    whenAbsent: '20 gwei where gas is paid in ETH or BNB, 100 in AVAX; else 2000',
    description:
      'Largest tip per gas on one chain. It is also at most five times what was usual in the last hours.',
  },
  {
    name: 'EVM_SPENDING_ALARM_WEI_*',
    whenAbsent: 'half of `EVM_GAS_PROJECT_DAY_MAX_WEI_*`',
    description:
      'More than this for gas in one hour on one chain is an alarm. In wei; `1000000000000000000` is one ETH.',
  },
  {
    name: 'EVM_TOP_UP_DAY_MAX_WEI_*',
    whenAbsent: 'twice `EVM_GAS_PROJECT_DAY_MAX_WEI_*`',
    description:
      'What executors get from the treasury in 24 hours on one chain, at most, and again what accounts of mpc wallets get from executors. Above it there is an alarm instead.',
  },
  {
    name: 'EVM_ACCOUNT_TOP_UP_MAX_WEI_*',
    whenAbsent: 'a fiftieth of the default of `EVM_GAS_PROJECT_DAY_MAX_WEI_*`',
    description:
      'What the account of an mpc wallet gets for the gas of one operation, at most, on a chain without EIP-7702. What would burn more is refused.',
  },
  {
    name: 'EVM_GAS_PROJECT_DAY_MAX_WEI_*',
    whenAbsent:
      '1 ETH, 5 BNB or 100 AVAX where gas is paid in it; else 5000 of the native token; 1000 times that in development',
    description:
      'What the operations of one project may cost in a day (UTC) on one chain. `purser gas set` says otherwise for a project.',
  },
  {
    name: 'EVM_GAS_OWNER_DAY_MAX_WEI_*',
    whenAbsent: 'a twentieth of that',
    description:
      'The same for the wallets of one owner. `purser gas set` says otherwise for a project.',
  },
  {
    name: 'EVM_WATCHER_POLL_MS',
    integer: { fallback: 1_000, min: 50, max: 60_000 },
    description: 'Pause between two looks at a chain.',
  },
  {
    name: 'EVM_WATCHER_BLOCK_RANGE_MAX',
    integer: { fallback: 1_000, min: 1, max: 100_000 },
    description: 'Blocks asked for in one call, at most: what the nodes allow.',
  },
  {
    name: 'EVM_RPC_TIMEOUT_MS',
    integer: { fallback: 10_000, min: 500, max: 120_000 },
    description: 'Longest wait for an answer of a node.',
  },
] as const satisfies readonly Setting[];
