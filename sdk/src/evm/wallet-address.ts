import { encodeParameters, parametersOf } from './abi.ts';
import { contracts, functions, proxyInitCodeHash } from './constants.ts';
import { create2Address, type Hex, keccak, keccakOfText, selectorOf } from './hash.ts';
import { hasOwnKey, ownerAddressOf, signerIdOf, signerKeyOf } from './signer-keys.ts';

/** `config` of a smart wallet on evm, as it is sent. */
export interface WalletConfig {
  readonly adminSigner?: unknown;
  readonly recoveryMethods?: readonly unknown[];
  readonly delegatedSigners?: readonly { readonly signer: unknown; readonly expiresAt?: string }[];
  readonly creationSeed?: string;
}

const zeroAddress: Hex = '0x0000000000000000000000000000000000000000';
const forever = 2 ** 48 - 1;

/**
 * True when the owners' keys, or some of them, are the caller's: then the address can be told from
 * them.
 */
export function isDerivable({ adminSigner, recoveryMethods = [] }: WalletConfig): boolean {
  return (recoveryMethods.length > 0 ? recoveryMethods : [adminSigner]).some(
    (method) => method !== undefined && hasOwnKey(method),
  );
}

/**
 * The address of the wallet that these signers own, deployed or not, on every chain (CREATE2 of
 * Safe 1.4.1).
 * @param answered `config` of the wallet as the service answered it: addresses of keys that the
 * service keeps are taken from there
 * @throws TypeError without a seed, or when a signer's key is not known from what was sent
 */
export function walletAddressOf(config: WalletConfig, answered: WalletConfig = {}): Hex {
  const { adminSigner, recoveryMethods = [], delegatedSigners = [], creationSeed } = config;
  if (creationSeed === undefined)
    throw new TypeError('the address of a wallet needs its creationSeed');
  const keys =
    recoveryMethods.length > 0
      ? recoveryMethods.map((method, at) =>
          signerKeyOf(method, answered.recoveryMethods?.[at] ?? answered.adminSigner),
        )
      : [signerKeyOf(adminSigner, answered.adminSigner)];
  const [only] = keys;
  const isQuorum = keys.length === 1 && only?.kind === 'quorum';
  const owners = isQuorum ? only.members : keys;
  const delegates = delegatedSigners.map(({ signer, expiresAt }, at) => [
    signerIdOf(signerKeyOf(signer, answered.delegatedSigners?.[at])),
    0,
    expiresAt === undefined ? forever : Math.floor(Date.parse(expiresAt) / 1000),
    [],
  ]);
  const keyIds = owners.filter(({ kind }) => kind !== 'ecdsa').map(signerIdOf);
  const setUp = encodeCall(functions.setUp, [keyIds, delegates]);
  const initializer = encodeCall(functions.setup, [
    owners.map(ownerAddressOf),
    isQuorum ? only.threshold : 1,
    contracts.walletSetup,
    setUp,
    contracts.signatureHandler,
    zeroAddress,
    0,
    zeroAddress,
  ]);
  const salt = keccak(keccak(initializer) + keccakOfText(creationSeed).slice(2));
  return create2Address(contracts.safeProxyFactory, salt, proxyInitCodeHash);
}

/** Calldata of a function by its signature. @throws TypeError */
export function encodeCall(signature: string, args: readonly unknown[]): Hex {
  return `${selectorOf(signature)}${encodeParameters(parametersOf(signature), args)}`;
}
