import { type PaymentMethodType, paymentMethodTypes } from '../../providers/vault/wire.ts';

export { type PaymentMethodType, paymentMethodTypes };
export type BankAccountType = Exclude<PaymentMethodType, 'card'>;

/** Payout rails per scheme (supplement, section 14); the first is the default. */
export const railsOfType = {
  'bank-account-us': ['ach', 'wire', 'rtp'],
  'bank-account-mx-clabe': ['spei'],
  'bank-account-co': ['ach'],
  'bank-account-sepa-iban': ['sepa', 'sepa-instant', 'swift'],
  card: [],
} as const satisfies Record<PaymentMethodType, readonly string[]>;

export const accountTypes = ['checking', 'savings'] as const;
export type AccountType = (typeof accountTypes)[number];

export type PostalAddress = {
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly stateOrRegion?: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
};

export type Billing = {
  readonly name: string;
  /** E.164. */
  readonly phone?: string;
  readonly address: PostalAddress;
};

/** What leaves the vault with a payout and is shown to nobody. */
export type AccountSecrets =
  | {
      readonly type: 'bank-account-us';
      readonly routingNumber: string;
      readonly accountNumber: string;
      readonly accountType: AccountType;
    }
  | { readonly type: 'bank-account-mx-clabe'; readonly clabe: string }
  | {
      readonly type: 'bank-account-co';
      readonly bankCode: string;
      readonly accountNumber: string;
      readonly accountType: AccountType;
      readonly nationalDocument: string;
    }
  | { readonly type: 'bank-account-sepa-iban'; readonly iban: string; readonly bic?: string }
  | { readonly type: 'card'; readonly number: string };

/** What answers show of a bank account, beside the rails. */
export type BankAccountDetails = {
  readonly accountSuffix: string;
  readonly routingNumber?: string;
  readonly bankCode?: string;
  readonly bic?: string;
  readonly accountType?: AccountType;
  readonly bankName?: string;
  readonly bankAddress?: PostalAddress;
  readonly currency: string;
  readonly country: string;
  readonly entityType: EntityType;
  readonly billing: Billing;
};

export type CardDetails = {
  readonly brand: string;
  readonly last4: string;
  readonly expiration: { readonly month: string; readonly year: string };
  readonly billing: Billing;
  readonly fundingType: string;
  readonly bin: string;
  readonly country: string;
};

export const entityTypes = ['individual', 'business'] as const;
export type EntityType = (typeof entityTypes)[number];

/** The sealed column that answers are made of. */
export interface Details {
  /** Locator of the user, as callers wrote it. */
  readonly userLocator: string;
  readonly displayName: string;
  readonly bankAccount?: BankAccountDetails;
  readonly card?: CardDetails;
}

/** A payment method that was checked and not stored yet. */
export interface CheckedAccount {
  readonly type: PaymentMethodType;
  /** What makes two accounts the same, within the type. */
  readonly identity: readonly string[];
  readonly secrets: AccountSecrets;
  readonly details: Omit<Details, 'userLocator'>;
}
