/** Bounds of the relay that no installation needs to turn. Times in milliseconds. */
export const relayLimits = {
  /**
   * Look for work on this beat when nobody wakes us; while there is work the flush time of the
   * configuration counts.
   */
  idlePollMs: 250,
  /**
   * After a batch that held this share (one eighth) of the largest, the next gathers this many
   * times the flush time.
   */
  busyBatchShare: 8,
  busyFlushFactor: 4,
  /** Held operations are looked at on this beat. */
  reviveMs: 250,
  /** A chain without open work is left alone after this long, and its leases are given back. */
  chainIdleMs: 60_000,
  /** Beats of looking at the chain: fast after something was sent, slower while nothing changes. */
  pulseMinMs: 25,
  /** While many operations arrive: the batches that landed meanwhile are confirmed together. */
  pulseBusyMs: 75,
  pulseMaxMs: 1_000,
  /** Balances are read again after this long. */
  balanceAgeMs: 5_000,
  /** Pause after a failure of database or node, doubled up to the longest. */
  failurePauseMs: 250,
  failurePauseMaxMs: 5_000,
  /** Batches of one chain that are simulated, stored and sent at once by one process. */
  preparationsMax: 3,

  /**
   * A refused operation is simulated again after this long, against a node that may have lagged;
   * two refusals end it.
   */
  refusalPauseMs: 1_000,
  refusalsMax: 2,
  /**
   * A simulation without an answer says nothing about an operation; after this many it is simulated
   * alone.
   */
  unknownsBeforeAlone: 3,
  unknownPauseMs: 500,
  unknownPauseMaxMs: 30_000,
  /** Batches that landed without carrying an operation before it is given up. */
  triesMax: 5,

  /**
   * Transactions in which an operation may be refused that had run in simulation; one that burned
   * more than half of its cap had all.
   */
  itemRefusalsMax: 2,
  /** While a budget is taken up by what is under way, more of it waits this long. */
  budgetPauseMs: 1_000,

  /**
   * Gas of a transaction: EIP-7825 allows 2^24, and no batch may need more than three quarters of a
   * block.
   */
  batchGasMax: 16_777_216n,
  /** Nodes refuse transactions of over 128 KiB. */
  batchBytesMax: 120_000,
  /** Bytes of stored transactions sent again in one request. */
  rebroadcastBytesMax: 1_000_000,
  blockShareNumerator: 3n,
  blockShareDenominator: 4n,

  /**
   * A tip is at most this many times what was usual in the last hours, or this share of the largest
   * that is allowed.
   */
  tipMultipleMax: 5n,
  tipFloorShare: 20n,
  /** What is usual is noted and read on this beat. */
  usualTipMs: 60_000,
  /** Fees are read again after this long. */
  feeAgeMs: 1_000,

  /**
   * A landed transaction is not called final before this age: a node killed hard forgets its last
   * seconds.
   */
  finalAgeMs: 15_000,
  /**
   * A landed transaction that is still there after this long is final whatever its depth: idle
   * chains make no blocks.
   */
  finalAgeMaxMs: 3_600_000,
  /**
   * The nonce is used but no receipt shows up: a foreign transaction took it, once this long has
   * passed.
   */
  displacedAfterMs: 5_000,
  /** The final height is asked for again after this long. */
  finalReadMs: 2_000,
  displacedAfterMaxMs: 60_000,
  /**
   * The account is behind what we know to have landed for this long before its transactions are
   * sent again.
   */
  behindAfterMs: 400,
  /**
   * What a reorganisation took is not sent again before the watcher has seen it too, for this long
   * at most.
   */
  unnoticedMaxMs: 30_000,
  /**
   * A count of an account's transactions that is news has to be told on two looks this far apart …
   */
  nonceLooksApartMs: 400,
  /** … and may be beyond what was handed out by no more than this. */
  nonceJumpMax: 64n,
  /** Beat of looking at the chain while an account is in doubt. */
  pulseDoubtMs: 100,
  /** Sends that one look at the chain handles. */
  receiptsPerPulseMax: 200,
  /** How many stored transactions are sent again at once. */
  rebroadcastMax: 64,

  /** A failed top-up or treasury call is tried again after this long, this often. */
  treasuryPauseMs: 30_000,
  treasuryTriesMax: 5,
  /** An alarm is logged again after this long. */
  alarmRepeatMs: 60_000,

  /**
   * Search for an operation executed by somebody else: before the operation's creation, and at most
   * this many ranges.
   */
  searchMarginMs: 600_000,
  searchRangesMax: 20,
  /**
   * Past the end of its validity by this much chain time an operation in an open transaction counts
   * as dead.
   */
  expiryMarginMs: 60_000,
  /** Expired operations settled in one go. */
  expiredPerSweepMax: 200,
  sweepMs: 5_000,
  /**
   * A treasury's transfer that does not run is looked at again after `unknownPauseMaxMs`, doubled up
   * to this; how one ended, after two seconds, doubled up to it as well. An alarm lasts longer.
   */
  transferPauseMaxMs: 120_000,
  /** A treasury's transfer that nobody can tell of this long after its validity is an alarm. */
  transferLateMs: 3_600_000,

  /**
   * Closed rows are kept this long, for a chain that forgets and for questions, and deleted this
   * many at a time.
   */
  keepClosedDays: 7,
  deletePerSweepMax: 500,
  cleanupMs: 600_000,
} as const;

/** Gas that an executor must be able to pay for to get work at all: a handful of transfers. */
export const worthwhileGas = 600_000n;
