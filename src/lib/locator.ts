import type { ChainType, WalletType } from '../chains/family.ts';

export const userKinds = ['email', 'userId', 'phoneNumber', 'twitter', 'x'] as const;
export type UserKind = (typeof userKinds)[number];

/** A user as a locator names it; `value` is normalised for comparison (e-mail: supplement, section 1). */
export interface UserLocator {
  readonly kind: UserKind;
  readonly value: string;
}
export type PlaceholderForWalletTypes = [ChainType, WalletType];
