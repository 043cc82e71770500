import { z } from 'zod';
import { findWallet, limits, type Scope, type Setup } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { encodeStrKey } from '../../../lib/locator/strkey.ts';
import {
  planSetup,
  setupReader,
  storedScope,
  storedSetup,
  storeSetup,
} from '../../family/smart-wallets/setups.ts';
import type { Delegate, SmartWalletInput, WalletPlan } from '../../family.ts';
import { checkStellarAddress } from '../addresses.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readStellarAddress } from '../strkey.ts';
import { registrationOf } from './registration.ts';
import { groupOf } from './signer-keys.ts';

/**
 * A smart wallet is a set-up of the wallet contract: its address follows from that and the factory,
 * and nothing is deployed.
 */

export interface WalletFactory {
  readonly network: StellarNetwork;
  /** The factory's contract. */
  readonly factory: string;
}

/**
 * As {@link ChainFamily.planWallet}, of smart wallets.
 * @throws signer-type-not-supported, validation-error
 */
export function planSmartWallet(
  { network, factory }: WalletFactory,
  input: SmartWalletInput,
): WalletPlan {
  const rules = {
    chain: network.name,
    limits,
    groupOf,
    registrationOf: (delegate: Delegate, place: string) => registrationOf(network, delegate, place),
  };
  const setup: Setup = planSetup(rules, network.kind, input);
  const { passphrase } = network;
  const address = findWallet(setup, { factory, networkPassphrase: passphrase });
  return { address, setup: { factory, passphrase, ...storeSetup(setup) } };
}

/** A wallet that is its key: a classic account. @param publicKey 32 bytes */
export function planAccount(publicKey: Uint8Array): WalletPlan {
  return { address: addressOfPublicKey(publicKey), setup: {} };
}

/** The address of an account is its key. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  if (publicKey.length !== 32)
    throw new Error(`An Ed25519 key has 32 bytes, this has ${publicKey.length}.`);
  return encodeStrKey({ kind: 'G', bytes: publicKey });
}

export function noWalletFactory(): ServiceError {
  return new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
    message:
      'This instance has no wallet factory on stellar: its operator deploys it and sets STELLAR_WALLET_FACTORY_ID. Use "mpc".',
  });
}

/** A smart wallet as its stored set-up says. */
export interface SmartWallet {
  readonly address: string;
  readonly factory: string;
  readonly setup: Setup;
}

const address = z.string().refine((text) => checkStellarAddress(text) === undefined);
const contract = z.string().refine((text) => readStellarAddress(text)?.kind === 'C');
const account = z.string().refine((text) => readStellarAddress(text)?.kind === 'G');
const digitsMax = 39;
const scope: z.ZodType<Scope> = z.object({ token: contract, ...storedScope(address, digitsMax) });
const storedSchema = z.object({
  factory: contract,
  passphrase: z.string(),
  ...storedSetup({ address: account, keyBytes: 65, digitsMax, scope }),
});

/** @throws Error when the set-up is not one of {@link planSmartWallet}, or another wallet's */
export const readSmartSetup = setupReader((stored): { address: string; wallet: SmartWallet } => {
  const { factory, passphrase, ...setup } = storedSchema.parse(stored);
  const found = findWallet(setup, { factory, networkPassphrase: passphrase });
  return { address: found, wallet: { address: found, factory, setup } };
});
