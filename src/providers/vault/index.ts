export { createMissingVault, createVaultClient, type VaultClientOptions } from './client.ts';
export type { VaultMethodReach, VaultProvider } from './vault.ts';
export type { OwnedPaymentMethod, PaymentMethod, PaymentMethodList } from './wire.ts';
