import type { Address } from 'viem';
import { z } from 'zod';
import { addresses, safeProxyInitCodeHash } from '../../../contracts/generated.ts';
import { encodeWalletSetup } from '../../../contracts/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Signer, SignerType, WalletPlan, WalletPlanInput } from '../family.ts';
import { keccakOfHex, keccakOfText } from './keccak.ts';
import { bytesTail, checksumAddress, type Hex, isEvmAddress, wordOf, wordOfAddress } from './words.ts';

/** Signers that may be the admin of a smart wallet: each of them is one address that signs with ECDSA. */
export const evmAdminSignerTypes = ['external-wallet', 'server', 'api-key'] as const satisfies readonly SignerType[];

/**
 * What deploys a wallet: the owners of its Safe, and the module, by which the generation of contracts is known. The set-up
 * decides the address, so wallets of an earlier generation need that generation's contracts for ever: add a row of addresses
 * for it when the contracts change, before this literal becomes a choice.
 */
const setupSchema = z.object({
  module: z.literal(addresses.walletModule),
  owners: z.array(z.string().refine(isEvmAddress)).length(1),
  threshold: z.literal(1),
  saltNonce: z.string().regex(/^0x[0-9a-f]{64}$/),
});
export type WalletSetup = z.output<typeof setupSchema>;

/** @throws Error when a stored set-up is not one that {@link planEvmWallet} made: a bug */
export function readWalletSetup(setup: unknown): WalletSetup {
  return setupSchema.parse(setup);
}

/**
 * The address of the Safe that one owner gets for a seed; the same on every chain.
 * @throws signer-type-not-supported, validation-error (an address that cannot own a wallet)
 */
export function planEvmWallet(input: WalletPlanInput): WalletPlan {
  const owner = readOwner(input.adminSigner);
  const saltNonce = keccakOfText(input.creationSeed);
  return {
    address: checksumAddress(safeAddress(owner, saltNonce)),
    setup: {
      module: addresses.walletModule,
      owners: [checksumAddress(owner)],
      threshold: 1,
      saltNonce: `0x${saltNonce}`,
    } satisfies WalletSetup,
  };
}

/** The `deployment` of a batch item: abi.encode(bytes initializer, uint256 saltNonce). */
export function encodeWalletDeployment(setup: WalletSetup): Hex {
  const initializer = spliceOwner(setup.owners[0]!);
  return `0x${wordOf(0x40)}${setup.saltNonce.slice(2)}${bytesTail(`0x${initializer}`)}`;
}

const createProxySelector = keccakOfText('createProxyWithNonce(address,bytes,uint256)').slice(0, 8);

/** `factory` and `factoryData` of a user operation: what deploys the wallet. */
export function encodeFactoryCall(setup: WalletSetup): { readonly factory: string; readonly factoryData: Hex } {
  const initializer = bytesTail(`0x${spliceOwner(setup.owners[0]!)}`);
  return {
    factory: addresses.safeProxyFactory,
    factoryData: `0x${createProxySelector}${wordOfAddress(addresses.safeSingleton)}${wordOf(0x60)}${setup.saltNonce.slice(2)}${initializer}`,
  };
}

/** The only part of the set-up call that differs between wallets of one owner is the owner. */
const placeholderOwner: Address = '0x00000000000000000000000000000000decaf001';
const [setupHead, setupTail] = splitOnce(
  encodeWalletSetup({ owners: [placeholderOwner], threshold: 1n }).slice(2),
  placeholderOwner.slice(2),
);

function splitOnce(text: string, separator: string): readonly [string, string] {
  const parts = text.split(separator);
  if (parts.length !== 2) throw new Error('The set-up of a wallet does not name its owner exactly once.');
  return [parts[0]!, parts[1]!];
}

function spliceOwner(owner: string): string {
  return setupHead + owner.slice(2).toLowerCase() + setupTail;
}

const create2Head = `ff${addresses.safeProxyFactory.slice(2).toLowerCase()}`;
const proxyInitCodeHash = safeProxyInitCodeHash.slice(2);

function safeAddress(owner: string, saltNonce: string): string {
  const salt = keccakOfHex(keccakOfHex(spliceOwner(owner)) + saltNonce);
  return `0x${keccakOfHex(create2Head + salt + proxyInitCodeHash).slice(24)}`;
}

/** No key signs for these, or everybody's does: the module as an owner would let anybody act. */
const unusableOwners: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  ...Object.values(addresses).map((address) => address.toLowerCase()),
]);

function readOwner(signer: Signer): Hex {
  if (!evmAdminSignerTypes.some((type) => type === signer.type)) {
    throw new ServiceError('signer-type-not-supported', {
      message: `A signer of type "${signer.type}" cannot be the admin signer of an evm wallet here. Use one of: ${evmAdminSignerTypes.join(', ')}.`,
    });
  }
  const address = signer.address ?? '';
  if (!isEvmAddress(address))
    throw new ServiceError('validation-error', { message: 'config.adminSigner.address: must be 0x and 40 hex characters.' });
  if (unusableOwners.has(address.toLowerCase())) {
    throw new ServiceError('validation-error', {
      message:
        'config.adminSigner.address: nobody holds a key of this address, so the wallet could never be used. Send the address of your signer.',
    });
  }
  return address;
}
