import type { CardProvider } from './card/card.ts';
import type { CardSource } from './card-source/card-source.ts';
import type { CustodyProvider } from './custody/custody.ts';
import type { KycProvider } from './kyc/kyc.ts';
import type { MessagingProvider } from './messaging/messaging.ts';
import type { PricingProvider } from './pricing/pricing.ts';
import type { ScreeningProvider } from './screening/screening.ts';
import type { VaultProvider } from './vault/vault.ts';

/** The companies this process talks to: one of each kind, chosen by configuration. */
export interface Providers {
  readonly custody: CustodyProvider;
  readonly pricing: PricingProvider;
  /** Absent where no project has the product. */
  readonly kyc?: KycProvider;
  readonly messaging: MessagingProvider;
  readonly screening: ScreeningProvider;
  /** Absent where no card payments are taken. */
  readonly card?: CardProvider;
  /** Where the cards of agent checkouts come from; absent where they pay by no card. */
  readonly cardSource?: CardSource;
  /** Keeps account and card numbers; where none is configured it refuses everything. */
  readonly vault: VaultProvider;
}
