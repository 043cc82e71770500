/** A token locator resolved on its chain. */
export interface ResolvedToken {
  readonly chain: string;
  readonly locator: string;
  /** Absent for the native token. */
  readonly address?: string;
  readonly tokenId?: string;
  readonly symbol?: string;
  readonly name?: string;
  readonly decimals: number;
}

export interface TokenBalance {
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
}

export interface FinalBalances {
  readonly height: bigint;
  readonly balances: readonly TokenBalance[];
  readonly denied?: readonly {
    readonly token: ResolvedToken;
    readonly amountMinor: bigint | undefined;
  }[];
}

/** Tokens by their locators, and what addresses hold of them. */
export interface Tokens {
  /** @throws token-not-supported unknown symbol, or no token contract at the address */
  resolveToken(
    chain: string,
    token: { symbol: string } | { address: string; tokenId?: string },
  ): Promise<ResolvedToken>;
  /** Every balance asked for, zeros included, in few node calls. @throws upstream-error */
  readBalances(address: string, tokens: readonly ResolvedToken[]): Promise<TokenBalance[]>;
  /**
   * What an address held of tokens of one chain at the last height that was told as final: whatever
   * moved until then has been told, and nothing of it changes any more. Tokens that were not there
   * at that height are left out; undefined where nothing was told as final yet. `denied`: what a
   * second, independent node has there instead, where one is configured and says otherwise;
   * undefined amount: it has no such token. @throws chain-not-supported, upstream-error,
   * provider-unavailable; also when the node keeps no state of that height
   */
  readFinalBalances(input: {
    readonly chain: string;
    readonly address: string;
    readonly tokens: readonly ResolvedToken[];
  }): Promise<FinalBalances | undefined>;
  /**
   * Where the metadata of tokens with an id stands, in their order; undefined where a contract
   * names no place. Such an address is a stranger's text. @throws upstream-error,
   * provider-unavailable
   */
  readMetadataUris(tokens: readonly ResolvedToken[]): Promise<(string | undefined)[]>;
}
