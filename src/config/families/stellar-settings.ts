import type { Setting } from '../settings.ts';

/**
 * Settings of Stellar: nodes, accounts that pay the fees, what may be spent for them. Part of
 * `settings`.
 */
export const stellarSettings = [
  {
    name: 'STELLAR_RPC_URL',
    whenAbsent: 'the chain `stellar` is refused',
    description:
      'Address of a node that speaks Stellar RPC: of the public network in production, of testnet in staging. A node of another network is refused. Wallets need `STELLAR_WALLET_FACTORY_ID` too.',
  },
  {
    name: 'STELLAR_RPC_SECOND_URL',
    whenAbsent: 'deposits are proven by the first node alone',
    description:
      'Address of a Stellar node of another provider: a deposit is paid for once this one has it too, with the balance of the treasury. Not asked for anything else.',
  },
  {
    name: 'STELLAR_DEPOSIT_ALONE_MAX_USD',
    whenAbsent: '`1000` in production; else no bound',
    description:
      'Deposits of one order on Stellar worth more wait for an operator without `STELLAR_RPC_SECOND_URL`.',
  },
  {
    name: 'STELLAR_START_LEDGER',
    whenAbsent: 'the ledger of its first use',
    description: 'Ledger at which the watcher begins with Stellar when it never followed it.',
  },
  {
    name: 'STELLAR_FEE_PAYER_KEYS',
    secret: ['worker'],
    whenAbsent: 'required by worker when Stellar is configured',
    description:
      'Secret keys (`S…`) of the accounts that send transactions and pay their fees, with commas between. Each sends one transaction per ledger.',
  },
  {
    name: 'STELLAR_TREASURY_KEY',
    secret: ['worker', 'purser'],
    whenAbsent: 'fee payers are not topped up; no test funding',
    description:
      'Secret key of the account that tops the fee payers up, and on test networks issues test tokens.',
  },
  {
    name: 'STELLAR_TREASURY_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Address of `STELLAR_TREASURY_KEY`, for the api, which does not know the key. Not in production.',
  },
  {
    name: 'STELLAR_TEST_TOKEN_CONTRACT',
    whenAbsent: 'no test funding',
    description:
      'Contract of the test stablecoin `usdxm` on the test network, an asset that the treasury issues. Not in production.',
  },
  {
    name: 'STELLAR_WALLET_FACTORY_ID',
    whenAbsent: 'no wallets on Stellar',
    description:
      'Where your copy of the wallet factory stands. Addresses of wallets depend on it: never change it.',
  },
  {
    name: 'STELLAR_WALLET_CODE_HASH',
    whenAbsent: 'wallets are not upgraded',
    description:
      'SHA-256 of the wallet code that `upgrade-wallet` puts in place, 64 hexadecimal digits; it must be uploaded.',
  },
  {
    name: 'STELLAR_FEE_MAX_STROOPS',
    integer: { fallback: 20_000_000, min: 100, max: 4_000_000_000 },
    description:
      'Largest fee of one transaction, whatever a node says, rent of what it stores included.',
  },
  {
    name: 'STELLAR_FEE_PAYER_BALANCE_MIN_STROOPS',
    integer: { fallback: 100_000_000, min: 1, max: 1_000_000_000_000 },
    description: 'A fee payer with less than this is topped up to twice of it.',
  },
  {
    name: 'STELLAR_TOP_UP_DAY_MAX_STROOPS',
    integer: { fallback: 10_000_000_000, min: 0, max: 100_000_000_000_000 },
    description:
      'All that fee payers get of the treasury in 24 hours; above it there is an alarm and no top-up.',
  },
  {
    name: 'STELLAR_RELAY_RESEND_AFTER_MS',
    integer: { fallback: 5_000, min: 200, max: 60_000 },
    description:
      'A transaction that no ledger has is sent again, the same bytes, after this pause.',
  },
  {
    name: 'STELLAR_RELAY_LEASE_MS',
    integer: { fallback: 10_000, min: 1_000, max: 300_000 },
    description: 'After this another worker takes over the fee payers of a worker that died.',
  },
  {
    name: 'STELLAR_WATCHER_POLL_MS',
    integer: { fallback: 2_000, min: 50, max: 60_000 },
    description: 'Pause between two looks at closed ledgers.',
  },
  {
    name: 'STELLAR_WATCHER_LEDGERS_MAX',
    integer: { fallback: 20, min: 1, max: 200 },
    description: 'Ledgers that the watcher reads and records in one step, at most.',
  },
  {
    name: 'STELLAR_RPC_TIMEOUT_MS',
    integer: { fallback: 10_000, min: 500, max: 120_000 },
    description: 'Longest wait for an answer of a Stellar node.',
  },
] as const satisfies readonly Setting[];
