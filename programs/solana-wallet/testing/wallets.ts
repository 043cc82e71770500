import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import {
  createWallet,
  findDelegate,
  findWallet,
  type Setup,
  type WalletAddresses,
  writePlanned,
} from '../index.ts';
import { accountData, mintData, writeToken } from './tokens.ts';
import { keyOf, programAddress, sol, type World } from './world.ts';

/** Wallets and tokens, as tests begin with them. */

/** The same for the same number. */
export function saltOf(number: number): Uint8Array {
  const salt = new Uint8Array(32);
  new DataView(salt.buffer).setUint32(0, number);
  return salt;
}

/** A wallet that is made, with SOL. */
export function openWallet(world: World, setup: Setup, lamports = 10n * sol): WalletAddresses {
  const wallet = findWallet(programAddress, setup);
  world.fund(wallet.vault, lamports);
  expect(world.send([createWallet(wallet, setup, world.payer.address)])).toBe('none');
  return wallet;
}

/** Writes down the delegates that the set-up plans. */
export function writeDelegates(
  world: World,
  wallet: WalletAddresses,
  { delegates }: Pick<Setup, 'delegates'>,
): void {
  const planned = delegates.map((registration) =>
    writePlanned(wallet, registration, {
      account: findDelegate(wallet, registration.key),
      payer: world.payer.address,
    }),
  );
  expect(world.send(planned)).toBe('none');
}

/** Where a token is: its mint, an account of the wallet, and one of somebody else. */
export interface TokenPlaces {
  readonly program: Address;
  readonly mint: Address;
  readonly source: Address;
  readonly destination: Address;
}

/** The same for the same name. */
export function tokenPlaces(program: Address, name: string): TokenPlaces {
  const [mint, source, destination] = ['mint', 'from', 'to'].map(
    (what) => keyOf(`${name} ${what}`).address,
  ) as [Address, Address, Address];
  return { program, mint, source, destination };
}

/** So much of a token is the wallet's, and nothing the other's. */
export function writeTokens(
  world: World,
  { program, mint, source, destination }: TokenPlaces,
  { owner, other, amount }: { owner: Address; other: Address; amount: bigint },
): void {
  writeToken(world, mint, program, mintData());
  writeToken(world, source, program, accountData(mint, owner, amount));
  writeToken(world, destination, program, accountData(mint, other, 0n));
}
