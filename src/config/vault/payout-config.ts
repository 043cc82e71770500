import type { Secret } from '../../lib/sealing/secret.ts';

/**
 * The companies that the vault may pay out through, in the order of preference. Empty: it pays
 * nobody.
 */
export type PayoutConfig = readonly PayoutProviderConfig[];

export type PayoutProviderConfig =
  | { readonly kind: 'sandbox' }
  | {
      readonly kind: 'column';
      readonly url: string;
      readonly apiKey: Secret;
      readonly bankAccountId: string;
      /** Of the webhook endpoint; during a rotation two. */
      readonly webhookSecrets: readonly Secret[];
    };
