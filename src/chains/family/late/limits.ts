/** Bounds of the relay of intents that no installation needs to turn. Times in milliseconds. */
export const lateLimits = {
  /** Look for work on this beat when nobody wakes us. */
  idlePollMs: 250,
  /** While something is under way. */
  busyPollMs: 50,
  failurePauseMs: 250,
  failurePauseMaxMs: 5_000,
  /** Operations that are built, sent or looked for at once. */
  parallelMax: 8,

  /**
   * What could not be built, signed or looked for waits so long, then twice as long, and so on, for
   * as long as it is valid.
   */
  againPauseMs: 500,
  againPauseMaxMs: 8_000,
  /** Something that it needs is taken: a budget by what is under way, a coin by a lease. */
  waitPauseMs: 1_000,
  /** The first look at a sent transaction, and those after it. */
  firstLookMs: 250,
  lookPauseMs: 300,
  lookPauseMaxMs: 2_000,
  /**
   * Looks, so far apart, at which it was gone, before it counts as lost: a node may lag, or lie.
   */
  gonePauseMs: 1_500,
  goneLooksMax: 3,

  /** Refusals, so far apart, of what is to be built, before they count: a node may lag. */
  refusedPauseMs: 1_000,
  refusalsMax: 3,

  housekeepingMs: 30_000,
  keepSettledDays: 7,
  deletePerSweepMax: 500,
} as const;
