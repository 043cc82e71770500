import type { Address } from '@solana/kit';
import { z } from 'zod';
import {
  findWallet,
  limits,
  type Scope,
  type Setup,
  type WalletAddresses,
} from '../../../../programs/solana-wallet/index.ts';
import {
  methodPlace,
  planSetup,
  setupReader,
  storedScope,
  storedSetup,
  storeSetup,
} from '../../family/smart-wallets/setups.ts';
import type { SmartWalletInput, WalletPlan } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { registrationOf } from './registration.ts';
import { requireRoom } from './room.ts';
import { groupOf } from './signer-keys.ts';
import type { WalletProgram } from './types.ts';

/**
 * A smart wallet is a set-up of the wallet program: its address follows from that, and nothing is
 * deployed.
 */

const rules = { chain: 'solana', limits, groupOf, registrationOf };

/**
 * As {@link ChainFamily.planWallet}, of smart wallets.
 * @throws signer-type-not-supported, validation-error
 */
export function planSmartWallet(
  { program, cluster }: WalletProgram,
  input: SmartWalletInput,
): WalletPlan {
  const setup: Setup = planSetup(rules, cluster, input);
  const addresses = findWallet(program, setup);
  requireRoom(addresses, setup, methodPlace(input));
  return { address: addresses.vault, setup: { program, ...storeSetup(setup) } };
}

/** A smart wallet as its stored set-up says. */
export interface SmartWallet {
  readonly setup: Setup;
  readonly addresses: WalletAddresses;
}

const address = z.custom<Address>(
  (value) => typeof value === 'string' && checkSolanaAddress(value) === undefined,
);
const digitsMax = 20;
const scope: z.ZodType<Scope> = z.object({
  mint: address.optional(),
  ...storedScope(address, digitsMax),
});
const storedSchema = z.object({
  program: address,
  ...storedSetup({ address, keyBytes: 33, digitsMax, scope }),
});

/** @throws Error when the set-up is not one of {@link planSmartWallet}, or another wallet's */
export const readSmartSetup = setupReader((stored): { address: string; wallet: SmartWallet } => {
  const { program, ...setup } = storedSchema.parse(stored);
  const addresses = findWallet(program, setup);
  return { address: addresses.vault, wallet: { setup, addresses } };
});
