/** Bounds of the relay's upkeep that no installation needs to turn. Times in milliseconds. */
export const upkeepLimits = {
  /** Between two looks at coins and accounts. */
  beatMs: 250,
  failurePauseMs: 250,
  failurePauseMaxMs: 5_000,
  /** Accounts are listed so often; while none has money, as far as is known, more often. */
  balanceMs: 5_000,
  noBalanceMs: 500,
  housekeepingMs: 30_000,

  /** Free coins that are kept ready. */
  coinsReady: 12,
  /** Made in one transaction. */
  coinsPerTransactionMax: 24,
  /** Coins of an account that one transaction joins; the network takes 256 to pay with. */
  joinedMax: 100,
  /** Coins whose versions are read at once. */
  looksMax: 100,
  /**
   * A coin that seems not to have changed, or to be gone, is believed so after this long: a node
   * may lag.
   */
  unchangedMs: 5_000,

  /** What a transaction of an account for itself costs at most. */
  ownBudgetMist: 50_000_000n,
  /** The same bytes are sent again after this pause. */
  ownResendMs: 2_000,
  /** Looks at which a transaction was superseded before it counts as lost: a node may lag. */
  lostLooksMax: 3,
  /**
   * One that is under way for longer holds up its own account alone: a coin of it may be locked
   * until the epoch ends.
   */
  ownStuckMs: 15_000,
} as const;
