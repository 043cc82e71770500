/** Bounds of the relay that no installation needs to turn. Times in milliseconds. */
export const relayLimits = {
  /** Look for work on this beat when nobody wakes us. */
  idlePollMs: 250,
  /** While something is under way. */
  busyPollMs: 50,
  failurePauseMs: 250,
  failurePauseMaxMs: 5_000,
  /** Simulations, sends and looks at once. */
  parallelMax: 8,

  /**
   * A refused operation is simulated again after this long, against a node that may have lagged;
   * two refusals end it.
   */
  refusalPauseMs: 700,
  refusalsMax: 2,
  /** A fee payer that cannot pay, or a budget that is taken up by what is under way. */
  waitPauseMs: 1_500,
  /** With less a fee payer is left out where another has more: the rent of some ten accounts. */
  payerLeastLamports: 20_000_000n,
  /** Another process may have the key. */
  foreignKeyPauseMs: 5_000,
  /** The first look at a sent transaction, and those after it. */
  firstLookMs: 250,
  lookPauseMs: 300,
  lookPauseMaxMs: 2_000,
  /**
   * Looks, this far apart, at which the nonce had moved and nobody knew the transaction, before it
   * counts as lost.
   */
  missPauseMs: 1_500,
  missesMax: 4,
  /** Past its validity by this much a sent operation's nonce is advanced. */
  cancelAfterMs: 5_000,

  /** Units of computation that a message may ask for. */
  unitsMax: 1_400_000n,

  /** Free nonces that are kept ready. */
  noncesReady: 12,
  /** Made in one transaction, and in one round. */
  noncesPerTransaction: 5,
  noncesPerRound: 20,
  /**
   * One that the chain does not have after this long is made once more; then after twice as long,
   * and so on.
   */
  nonceMakeAgainMs: 2_000,
  nonceMakeAgainMaxMs: 120_000,
  nonceLookPauseMs: 400,
  nonceLooksMax: 100,
  keeperBeatMs: 200,
  housekeepingMs: 30_000,
  balanceMs: 5_000,
  /** While no fee payer has money, as far as is known: whoever sent some is not to wait. */
  noBalanceMs: 400,

  keepClosedDays: 7,
  keepMessagesDays: 30,
  deletePerSweepMax: 500,
} as const;
