/** Prices of tokens in fiat. */
export interface PricingProvider {
  /**
   * US dollar price of one whole token as a decimal string, by lower-case symbol; a symbol without a price is absent.
   * Never throws for an outage of the price source: it answers what it knows.
   */
  pricesUsd(symbols: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
