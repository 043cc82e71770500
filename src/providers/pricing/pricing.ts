/** Prices of tokens and fiat currencies. */
export interface PricingProvider {
  /**
   * US dollar price of one whole token, or of one unit of a fiat currency, as a decimal string, by
   * lower-case symbol or code; what has no price is absent. Never throws for an outage of the price
   * source: it answers what it knows.
   */
  pricesUsd(symbols: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
