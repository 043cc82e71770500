export { createMissingVault, createVaultClient } from './client.ts';
export type { VaultProvider } from './vault.ts';
