import type { CustodyProvider } from './custody/custody.ts';
import type { PricingProvider } from './pricing/pricing.ts';

/** The companies this process talks to: one of each kind, chosen by configuration. */
export interface Providers {
  readonly custody: CustodyProvider;
  readonly pricing: PricingProvider;
}
