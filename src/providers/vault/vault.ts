import type { z } from 'zod';
import type {
  OwnedPaymentMethod,
  PaymentMethod,
  PaymentMethodList,
  PaymentMethodType,
} from './wire.ts';

/** Which payment method, and within whose: `owners` absent reaches every user of the project. */
export interface VaultMethodReach {
  readonly projectId: string;
  readonly id: string;
  /** Owner keys: user locators in their one form, e.g. `userId:alice`. */
  readonly owners?: readonly string[];
}

/**
 * The vault as the main side sees it: tokens and what may be shown, never a number. Every call
 * refuses with `provider-unavailable` while the vault is away: wait and repeat it.
 */
export interface VaultProvider {
  /** @throws payment-method-not-found, provider-unavailable */
  getPaymentMethod(input: VaultMethodReach): Promise<OwnedPaymentMethod>;
  /** @throws validation-error the cursor is none of the vault's, provider-unavailable */
  listPaymentMethods(input: {
    readonly projectId: string;
    readonly owners: readonly string[];
    readonly type?: PaymentMethodType;
    readonly limit?: number;
    readonly cursor?: string;
  }): Promise<PaymentMethodList>;
  /** @throws payment-method-not-found, validation-error, conflict, provider-unavailable */
  updatePaymentMethod(
    input: VaultMethodReach & {
      readonly actor: string;
      readonly change: {
        readonly default?: boolean;
        readonly billing?: object;
        readonly billingOf?: 'bankAccount' | 'card';
      };
    },
  ): Promise<PaymentMethod>;
  /** @throws payment-method-not-found, provider-unavailable */
  deletePaymentMethod(input: VaultMethodReach & { readonly actor: string }): Promise<void>;
  /**
   * Destroys the keys of a person's owners; repeating it is harmless. The worker and the command
   * line may, the API may not.
   * @throws provider-unavailable
   */
  eraseUser(input: {
    readonly projectId: string;
    readonly owners: readonly string[];
    readonly actor: string;
  }): Promise<{ readonly erased: number }>;
  /**
   * Any other operation of the vault, by name, e.g. a payout.
   * @throws provider-unavailable the vault is away, upstream-error it answered what nobody expects,
   * and the operation's own codes
   */
  ask<Schema extends z.ZodType>(
    operation: string,
    input: unknown,
    answer: Schema,
  ): Promise<z.output<Schema>>;
}
