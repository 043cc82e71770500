export const chainTypes = ['aptos', 'evm', 'solana', 'stellar', 'sui'] as const;
export type ChainType = (typeof chainTypes)[number];

/**
 * A network as data. Finality is in the network's own terms, so that callers only ask `isFinal`.
 */
export interface Network {
  /** Chain name of the interface, e.g. `base-sepolia`. */
  readonly name: string;
  readonly chainType: ChainType;
  readonly testnet: boolean;
  /** Where wallets name the network by a number (EIP-155) in what they sign. */
  readonly chainId?: number;
  readonly native: { readonly symbol: string; readonly decimals: number };
  readonly explorerUrl?: string;
  /**
   * True where delegated signers can be removed by this name; absent: on every network of the
   * family.
   */
  readonly signerRemoval?: boolean;
  readonly tokens: readonly Token[];
}

export interface Token {
  /** Lower-case symbol, e.g. `usdc`. */
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Contract, mint or asset address; absent for the native token. */
  readonly address?: string;
}

/** Which networks there are, and which of them this instance serves. */
export interface Networks {
  readonly chainType: ChainType;
  readonly networks: readonly Network[];
  /**
   * The network for a chain name of a request.
   * @throws chain-not-supported unknown name, another environment, or no RPC configured (the
   * message names the setting)
   */
  requireNetwork(chain: string): Network;
}
