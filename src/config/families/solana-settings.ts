import type { Setting } from '../settings.ts';

/**
 * Settings of Solana: nodes, accounts that pay the fees, what may be spent for them. Part of
 * `settings`.
 */
export const solanaSettings = [
  {
    name: 'SOLANA_RPC_URL',
    whenAbsent: 'the chain `solana` is refused',
    description:
      'Address of a Solana node: of mainnet in production, of devnet in staging. A node of another cluster is refused.',
  },
  {
    name: 'SOLANA_RPC_SECOND_URL',
    whenAbsent: 'deposits are proven by the first node alone',
    description:
      'Address of a Solana node of another provider: a deposit is paid for once this one has it too, with the balance of the treasury. Not asked for anything else.',
  },
  {
    name: 'SOLANA_DEPOSIT_ALONE_MAX_USD',
    whenAbsent: '`1000` in production; else no bound',
    description:
      'Deposits of one order on Solana worth more wait for an operator without `SOLANA_RPC_SECOND_URL`.',
  },
  {
    name: 'SOLANA_START_SLOT',
    whenAbsent: 'the slot of its first use',
    description: 'Slot at which the watcher begins with Solana when it never followed it.',
  },
  {
    name: 'SOLANA_FEE_PAYER_KEYS',
    secret: ['worker'],
    whenAbsent: 'required by worker when Solana is configured',
    description:
      'Keypairs of the accounts that pay the fees of transactions, with commas between: 64 bytes each, as base58 or as the list of numbers that `solana-keygen` writes.',
  },
  {
    name: 'SOLANA_TREASURY_KEY',
    secret: ['worker', 'purser'],
    whenAbsent: 'fee payers are not topped up; no test funding',
    description:
      'Keypair of the account that tops the fee payers up, and on test clusters mints test tokens.',
  },
  {
    name: 'SOLANA_TREASURY_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Address of `SOLANA_TREASURY_KEY`, for the api, which does not know the key. Not in production.',
  },
  {
    name: 'SOLANA_TEST_TOKEN_MINT',
    whenAbsent: 'no test funding',
    description:
      'Mint of the test stablecoin `usdxm` on the test cluster; its mint authority is the treasury. Not in production.',
  },
  {
    name: 'SOLANA_WALLET_PROGRAM_ID',
    whenAbsent: 'no smart wallets on Solana',
    description:
      'Where your copy of the wallet program, which is not externally audited, stands. Addresses of wallets depend on it: never change it.',
  },
  {
    name: 'SOLANA_PRIORITY_FEE_MAX_MICRO_LAMPORTS',
    integer: { fallback: 200_000, min: 0, max: 1_000_000_000 },
    description:
      'Largest priority fee per compute unit, whatever a node says, in millionths of a lamport.',
  },
  {
    name: 'SOLANA_NONCES_MAX',
    integer: { fallback: 500, min: 1, max: 100_000 },
    description:
      'Nonce accounts at most, each with a deposit of 0.00144768 SOL: so many operations may wait for approvals or confirmation at once.',
  },
  {
    name: 'SOLANA_FEE_PAYER_BALANCE_MIN_LAMPORTS',
    integer: { fallback: 100_000_000, min: 1, max: 100_000_000_000 },
    description: 'A fee payer with less than this is topped up to twice of it.',
  },
  {
    name: 'SOLANA_TOP_UP_DAY_MAX_LAMPORTS',
    integer: { fallback: 10_000_000_000, min: 0, max: 1_000_000_000_000_000 },
    description:
      'All that fee payers get of the treasury in 24 hours; above it there is an alarm and no top-up.',
  },
  {
    name: 'SOLANA_RELAY_IN_FLIGHT_MAX',
    integer: { fallback: 64, min: 1, max: 1_000 },
    description: 'Unconfirmed transactions of one fee payer, at most.',
  },
  {
    name: 'SOLANA_RELAY_RESEND_AFTER_MS',
    integer: { fallback: 2_000, min: 200, max: 60_000 },
    description: 'An unconfirmed transaction is sent again, the same bytes, after this pause.',
  },
  {
    name: 'SOLANA_RELAY_LEASE_MS',
    integer: { fallback: 10_000, min: 1_000, max: 300_000 },
    description: 'After this another worker takes over the fee payers of a worker that died.',
  },
  {
    name: 'SOLANA_WATCHER_POLL_MS',
    integer: { fallback: 1_000, min: 50, max: 60_000 },
    description: 'Pause between two looks at finalized blocks.',
  },
  {
    name: 'SOLANA_WATCHER_BLOCKS_MAX',
    integer: { fallback: 50, min: 1, max: 500 },
    description: 'Blocks that the watcher reads and records in one step, at most.',
  },
  {
    name: 'SOLANA_RPC_TIMEOUT_MS',
    integer: { fallback: 10_000, min: 500, max: 120_000 },
    description: 'Longest wait for an answer of a Solana node.',
  },
] as const satisfies readonly Setting[];
