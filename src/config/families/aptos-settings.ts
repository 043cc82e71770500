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
    secret: true,
    whenAbsent: 'required by worker when Aptos is configured',
    description:
      'Ed25519 private keys of the accounts that pay the fees of transactions, with commas between: 64 hexadecimal digits each, with or without `ed25519-priv-` and `0x` in front.',
  },
  {
    name: 'APTOS_TREASURY_KEY',
    secret: true,
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
    whenAbsent: '`20000`',
    description: 'Units of gas that one transaction may use, at most.',
  },
  {
    name: 'APTOS_GAS_UNIT_PRICE_MAX_OCTAS',
    whenAbsent: '`1000`',
    description: 'Largest price of a unit of gas, whatever a node says, in octas.',
  },
  {
    name: 'APTOS_FEE_PAYER_BALANCE_MIN_OCTAS',
    whenAbsent: '`100000000`',
    description: 'A fee payer with less than this is topped up to twice of it.',
  },
  {
    name: 'APTOS_TOP_UP_DAY_MAX_OCTAS',
    whenAbsent: '`10000000000`',
    description:
      'All that fee payers get of the treasury in 24 hours; above it there is an alarm and no top-up.',
  },
  {
    name: 'APTOS_RELAY_IN_FLIGHT_MAX',
    whenAbsent: '`64`',
    description: 'Operations that one worker has under way, at most.',
  },
  {
    name: 'APTOS_RELAY_RESEND_AFTER_MS',
    whenAbsent: '`2000`',
    description: 'An unconfirmed transaction is sent again, the same bytes, after this pause.',
  },
  {
    name: 'APTOS_RELAY_LEASE_MS',
    whenAbsent: '`10000`',
    description: 'After this another worker takes over the operations of a worker that died.',
  },
  {
    name: 'APTOS_WATCHER_POLL_MS',
    whenAbsent: '`1000`',
    description: 'Pause between two looks at new versions.',
  },
  {
    name: 'APTOS_WATCHER_VERSIONS_MAX',
    whenAbsent: '`99`',
    description: 'Versions that the watcher reads and records in one step, at most.',
  },
  {
    name: 'APTOS_RPC_TIMEOUT_MS',
    whenAbsent: '`10000`',
    description: 'Longest wait for an answer of an Aptos node.',
  },
] as const satisfies readonly Setting[];
