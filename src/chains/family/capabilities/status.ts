// How a family's relay and watchers go: for readiness, metrics and the command line.

/** How the relaying of one chain goes. */
export interface ChainRelayStatus {
  readonly chain: string;
  /** Operations waiting to be sent, and sent but not confirmed. */
  readonly queued: number;
  readonly inFlight: number;
  readonly oldestQueuedMs: number;
  /** Sent and in no block, where one transaction has several operations. */
  readonly pendingTransactions?: number;
  /** What transactions cost in the last hour, in the native token's smallest unit. */
  readonly spentHourMinor: bigint;
  /** Why the chain as a whole does not work as it should. */
  readonly alarm?: string;
  readonly accounts: readonly RelayAccount[];
}

/** An account that pays the fees. */
export interface RelayAccount {
  readonly address: string;
  /** e.g. `executor`, `treasury`. */
  readonly role: string;
  /** In the native token's smallest unit; undefined before the first look. */
  readonly balanceMinor?: bigint;
  /** The process that signs with it. */
  readonly leasedBy?: string;
  /** Why it does not work at the moment. */
  readonly alarm?: string;
}

export interface Running {
  /** Finishes the step under way, then stops. */
  stop(): Promise<void>;
}

/**
 * How the following of one network goes. One that nobody reads any more shows as silent: no watcher
 * can stop quietly.
 */
export interface WatchStatus {
  readonly chain: string;
  /** Blocks (or ledgers) the node told of that are not read yet. */
  readonly lagBlocks: bigint;
  /** Since the node last answered a watcher. */
  readonly silentMs: number;
  /** False: no worker follows the network at the moment. */
  readonly followed: boolean;
  /** True: silent for longer than any restart takes. */
  readonly stalled: boolean;
  /** Why the network cannot be read, and since when. */
  readonly failure?: string;
  readonly failingSince?: Date;
  /** The last time that history changed deeper than it may: transfers of that time need a look. */
  readonly alarm?: string;
  readonly alarmAt?: Date;
}
