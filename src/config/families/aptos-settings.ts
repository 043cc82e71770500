import type { Setting } from '../settings.ts';

/**
 * Settings of Aptos: its node, accounts that pay the fees, what may be spent for them. Part of
 * `settings`.
 */
export const aptosSettings = [
  {
    name: 'APTOS_RPC_URL',
    whenAbsent: 'the chain `aptos` is refused',
    description:
      'Address of the REST API of an Aptos full node, with or without `/v1`: of mainnet in production, of testnet in staging. A node of another network is refused.',
  },
  {
    name: 'APTOS_START_VERSION',
    whenAbsent: 'the version of its first use',
    description: 'Ledger version at which the watcher begins with Aptos when it never followed it.',
  },
  {
    name: 'APTOS_FEE_PAYER_KEYS',
    secret: ['worker'],
    whenAbsent: 'required by worker when Aptos is configured',
    description:
      'Ed25519 private keys of the accounts that pay the fees of transactions, with commas between: 64 hexadecimal digits each, with or without `ed25519-priv-` and `0x` in front.',
  },
  {
    name: 'APTOS_TREASURY_KEY',
    secret: ['worker', 'purser'],
    whenAbsent: 'fee payers are not topped up; no test funding',
    description:
      'Private key of the account that tops the fee payers up, and on test networks holds the test tokens.',
  },
  {
    name: 'APTOS_TREASURY_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Address of `APTOS_TREASURY_KEY`, for the api, which does not know the key. Not in production.',
  },
  {
    name: 'APTOS_TEST_TOKEN_ADDRESS',
    whenAbsent: 'no test funding',
    description:
      'Fungible asset that is the test stablecoin `usdxm` on the test network; the treasury holds some to give. Not in production.',
  },
  {
    name: 'APTOS_GAS_AMOUNT_MAX',
    integer: { fallback: 20_000, min: 10, max: 2_000_000 },
    description: 'Units of gas that one transaction may use, at most.',
  },
  {
    name: 'APTOS_GAS_UNIT_PRICE_MAX_OCTAS',
    integer: { fallback: 1_000, min: 100, max: 10_000_000 },
    description: 'Largest price of a unit of gas, whatever a node says, in octas.',
  },
  {
    name: 'APTOS_FEE_PAYER_BALANCE_MIN_OCTAS',
    integer: { fallback: 100_000_000, min: 1, max: 100_000_000_000 },
    description: 'A fee payer with less than this is topped up to twice of it.',
  },
  {
    name: 'APTOS_TOP_UP_DAY_MAX_OCTAS',
    integer: { fallback: 10_000_000_000, min: 0, max: 1_000_000_000_000_000 },
    description:
      'All that fee payers get of the treasury in 24 hours; above it there is an alarm and no top-up.',
  },
  {
    name: 'APTOS_RELAY_IN_FLIGHT_MAX',
    integer: { fallback: 64, min: 1, max: 1_000 },
    description: 'Operations that one worker has under way, at most.',
  },
  {
    name: 'APTOS_RELAY_RESEND_AFTER_MS',
    integer: { fallback: 2_000, min: 200, max: 60_000 },
    description: 'An unconfirmed transaction is sent again, the same bytes, after this pause.',
  },
  {
    name: 'APTOS_RELAY_LEASE_MS',
    integer: { fallback: 10_000, min: 1_000, max: 300_000 },
    description: 'After this another worker takes over the operations of a worker that died.',
  },
  {
    name: 'APTOS_WATCHER_POLL_MS',
    integer: { fallback: 1_000, min: 50, max: 60_000 },
    description: 'Pause between two looks at new versions.',
  },
  {
    name: 'APTOS_WATCHER_VERSIONS_MAX',
    integer: { fallback: 99, min: 1, max: 99 },
    description: 'Versions that the watcher reads and records in one step, at most.',
  },
  {
    name: 'APTOS_RPC_TIMEOUT_MS',
    integer: { fallback: 10_000, min: 500, max: 120_000 },
    description: 'Longest wait for an answer of an Aptos node.',
  },
] as const satisfies readonly Setting[];
