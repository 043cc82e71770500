/** A local chain of any family, as the devnet knows it. It is started at its first use. */
export interface LocalChain {
  /** Chain name of the interface, e.g. `base-sepolia`. */
  readonly name: string;
  /** Where wallets name the network by a number. */
  readonly chainId?: number;
  /**
   * Starts the node, with what the chain is to hold before its first use.
   * @throws DevnetError one sentence
   */
  start(): Promise<LocalNode>;
  /** Deletes what the chain has kept; it does not run. */
  reset(): Promise<void>;
  /** Whether a node that outlived a killed process still works on it: it is taken over at once. */
  hasOrphan(): boolean;
}

/** The node of a local chain, while it runs. */
export interface LocalNode {
  /** On 127.0.0.1; another port after each start. */
  readonly url: string;
  /** Resolves when the node is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /** Writes the chain's state to disk now. */
  save(): Promise<void>;
  /** The chain's time, in seconds since 1970. */
  time(): Promise<number>;
  /** Moves the chain's time on, with a block at the new time. */
  advanceTime(seconds: number): Promise<void>;
  /** Saves and ends it. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Moves a node on to the service's time, to the second; one that is there already is left alone.
 */
export async function catchUp(
  node: Pick<LocalNode, 'time' | 'advanceTime'>,
  now: Date,
): Promise<void> {
  const behindS = Math.floor(now.getTime() / 1000) - (await node.time());
  if (behindS > 0) await node.advanceTime(behindS);
}
