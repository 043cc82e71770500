import type { Setting } from '../settings.ts';

/**
 * Settings of Sui: nodes, accounts that pay the fees, what may be spent for them. Part of
 * `settings`.
 */
export const suiSettings = [
  {
    name: 'SUI_RPC_URL',
    whenAbsent: 'the chain `sui` is refused',
    description:
      'Address of a Sui node (gRPC): of mainnet in production, of testnet in staging. A node of another network is refused.',
  },
  {
    name: 'SUI_RPC_SECOND_URL',
    whenAbsent: 'deposits are proven by the first node alone',
    description:
      'Address of a Sui node of another provider: a deposit is paid for once this one has it too, with the balance of the treasury. Not asked for anything else.',
  },
  {
    name: 'SUI_DEPOSIT_ALONE_MAX_USD',
    whenAbsent: '`1000` in production; else no bound',
    description:
      'Deposits of one order on Sui worth more wait for an operator without `SUI_RPC_SECOND_URL`.',
  },
  {
    name: 'SUI_START_CHECKPOINT',
    whenAbsent: 'the checkpoint of its first use',
    description: 'Checkpoint at which the watcher begins with Sui when it never followed it.',
  },
  {
    name: 'SUI_FEE_PAYER_KEYS',
    secret: ['worker'],
    whenAbsent: 'required by worker when Sui is configured',
    description:
      'Ed25519 keys of the accounts that sponsor transactions, with commas between, each as `sui keytool export` writes it (`suiprivkey1…`). Their coins are split and merged as it suits the relay.',
  },
  {
    name: 'SUI_TREASURY_KEY',
    secret: ['worker', 'purser'],
    whenAbsent: 'fee payers are not topped up; no test funding',
    description:
      'Key of the account that tops the fee payers up, and on test networks mints test tokens.',
  },
  {
    name: 'SUI_TREASURY_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Address of `SUI_TREASURY_KEY`, for the api, which does not know the key. Not in production.',
  },
  {
    name: 'SUI_TEST_COIN_TYPE',
    whenAbsent: 'no test funding',
    description:
      'Coin type of the test stablecoin `usdxm` on the test network; its treasury cap is owned by the treasury. Not in production.',
  },
  {
    name: 'SUI_GAS_PRICE_MAX_MIST',
    integer: { fallback: 5_000, min: 1, max: 1_000_000_000_000_000 },
    description:
      'Highest price of gas that is paid, whatever a node says, in MIST for each unit of computation.',
  },
  {
    name: 'SUI_GAS_BUDGET_MAX_MIST',
    integer: { fallback: 50_000_000, min: 5_000_000, max: 1_000_000_000_000_000 },
    description:
      'What one transaction of a wallet may cost at most. Coins that pay for transactions hold twice of it.',
  },
  {
    name: 'SUI_GAS_COINS_MAX',
    integer: { fallback: 200, min: 1, max: 1_000 },
    description:
      'Coins that are kept to pay for transactions: so many operations may wait for approvals or confirmation at once.',
  },
  {
    name: 'SUI_FEE_PAYER_BALANCE_MIN_MIST',
    integer: { fallback: 5_000_000_000, min: 1, max: 1_000_000_000_000_000 },
    description: 'A fee payer with less than this is topped up to twice of it.',
  },
  {
    name: 'SUI_TOP_UP_DAY_MAX_MIST',
    integer: { fallback: 100_000_000_000, min: 0, max: 1_000_000_000_000_000 },
    description:
      'All that fee payers get of the treasury in 24 hours; above it there is an alarm and no top-up.',
  },
  {
    name: 'SUI_RELAY_IN_FLIGHT_MAX',
    integer: { fallback: 64, min: 1, max: 1_000 },
    description: 'Operations of Sui under way at once in one process, at most.',
  },
  {
    name: 'SUI_RELAY_RESEND_AFTER_MS',
    integer: { fallback: 2_000, min: 200, max: 60_000 },
    description:
      'A transaction that no checkpoint has is sent again, the same bytes, after this pause.',
  },
  {
    name: 'SUI_RELAY_LEASE_MS',
    integer: { fallback: 10_000, min: 1_000, max: 300_000 },
    description: 'After this another worker takes over the operations of a worker that died.',
  },
  {
    name: 'SUI_WATCHER_POLL_MS',
    integer: { fallback: 1_000, min: 50, max: 60_000 },
    description: 'Pause between two looks at checkpoints.',
  },
  {
    name: 'SUI_WATCHER_CHECKPOINTS_MAX',
    integer: { fallback: 50, min: 1, max: 500 },
    description: 'Checkpoints that the watcher reads and records in one step, at most.',
  },
  {
    name: 'SUI_RPC_TIMEOUT_MS',
    integer: { fallback: 10_000, min: 500, max: 120_000 },
    description: 'Longest wait for an answer of a Sui node.',
  },
] as const satisfies readonly Setting[];
