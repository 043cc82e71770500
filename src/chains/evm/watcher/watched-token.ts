/** A fungible token whose Transfer events are followed. */
export interface WatchedToken {
  readonly address: string;
  readonly symbol?: string;
  readonly name?: string;
  readonly decimals: number;
}
