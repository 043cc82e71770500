import type { Address } from 'viem';
import { z } from 'zod';
import { addresses, safeProxyInitCodeHash } from '../../../../contracts/generated.ts';
import {
  encodeWalletSetup,
  ownerAddressOf,
  type SignerKey,
  signerIdOf,
} from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { adminSignerTypes } from '../../family/signing/quorums.ts';
import type {
  Delegate,
  MpcWalletInput,
  Signer,
  SmartWalletInput,
  WalletPlan,
  WalletPlanInput,
} from '../../family.ts';
import { keccakOfHex, keccakOfText } from '../abi/keccak.ts';
import {
  bytesTail,
  checksumAddress,
  type Hex,
  isEvmAddress,
  wordOf,
  wordOfAddress,
} from '../abi/words.ts';
import { addressOfPublicKey } from '../signing/approvals.ts';
import {
  evmDelegatedSignerTypes,
  signerKeyOf,
  storedKeySchema,
  storeSignerKey,
} from './signer-keys.ts';

const saltNonce = z.string().regex(/^0x[0-9a-f]{64}$/);
const seconds = z.int().nonnegative();

/**
 * What deploys a wallet. The set-up decides the address, so wallets of an earlier generation of
 * contracts, which `module` tells, need that generation's contracts for ever: add a row of
 * addresses for it when the contracts change.
 */
const setupSchema = z.discriminatedUnion('form', [
  /** One owner, an address: what most wallets are. */
  z.object({
    form: z.literal('owner'),
    module: z.string(),
    owner: z.string().refine(isEvmAddress),
    saltNonce,
  }),
  /**
   * So many of these owners, each a key that may need a contract in its place, and the first
   * delegates.
   */
  z.object({
    form: z.literal('signers'),
    module: z.string(),
    owners: z.array(storedKeySchema).min(1),
    threshold: z.int().positive(),
    delegates: z.array(z.object({ key: storedKeySchema, validUntil: seconds.optional() })),
    saltNonce,
  }),
  /**
   * The account of a key in custody. It delegates to the code of whatever generation of contracts
   * there is (EIP-7702).
   */
  z.object({ form: z.literal('account') }),
]);
export type WalletSetup = z.output<typeof setupSchema>;
/** Of a wallet that is a contract of its own, a Safe. */
export type SafeSetup = Exclude<WalletSetup, { form: 'account' }>;

/**
 * @throws transaction-invalid the wallet is of an earlier generation of contracts
 * @throws Error when a stored set-up is not one that {@link planEvmWallet} made: a bug
 */
export function readWalletSetup(setup: JsonObject): WalletSetup {
  const module = setup['module'];
  if (typeof module === 'string' && module !== addresses.walletModule)
    throw new ServiceError('transaction-invalid', {
      message: `This wallet was set up with contracts of an earlier version (module ${module}), which this version of the service does not operate. Its owners can act through their Safe directly.`,
    });
  return setupSchema.parse(setup);
}

/**
 * The set-up of a wallet that has owners beside its own key.
 * @throws Error for any other: whoever asks has let one in that has none
 */
export function readSafeSetup(setup: JsonObject): SafeSetup {
  const read = readWalletSetup(setup);
  if (read.form === 'account') throw new Error('An mpc wallet has no owners but its key.');
  return read;
}

/**
 * Where the wallet will be, and what it is made of.
 * @throws signer-type-not-supported, validation-error (a signer that cannot own a wallet, or stands
 * there twice)
 */
export function planEvmWallet(input: WalletPlanInput): WalletPlan {
  return input.type === 'mpc' ? planAccount(input) : planSafe(input);
}

/**
 * The account of the key: nothing is set up, and our code runs there once its key has delegated to
 * it.
 */
function planAccount({ publicKey }: MpcWalletInput): WalletPlan {
  return {
    address: addressOfPublicKey(publicKey),
    setup: { form: 'account' } satisfies WalletSetup,
  };
}

/** The address of the Safe that these signers get for a seed; the same on every chain. */
function planSafe(input: SmartWalletInput): WalletPlan {
  const { recoveryMethods = [] } = input;
  const methods = recoveryMethods.length > 0 ? recoveryMethods : [input.adminSigner];
  const place = (index: number) =>
    recoveryMethods.length > 0 ? `config.recoveryMethods[${index}]` : 'config.adminSigner';
  methods.forEach((signer, index) =>
    requireType(signer, { types: adminSignerTypes, place: place(index), role: 'admin' }),
  );
  const keys = methods.map((signer, index) => signerKeyOf(signer, place(index)));
  requireDistinct(keys, 'config.recoveryMethods');
  const delegates = (input.delegates ?? []).map(planDelegate);
  requireDistinct(
    delegates.map(({ key }) => key),
    'config.delegatedSigners',
  );
  const common = {
    module: addresses.walletModule,
    saltNonce: `0x${keccakOfText(input.creationSeed)}`,
  };
  const [first] = keys;
  const setup: SafeSetup =
    first?.kind === 'ecdsa' && keys.length === 1 && delegates.length === 0
      ? { form: 'owner', owner: checksumAddress(first.address), ...common }
      : { form: 'signers', ...ownersOf(keys), delegates, ...common };
  return { address: checksumAddress(safeAddress(setup)), setup: storeSetup(setup) };
}

function requireType(
  signer: Signer,
  input: { types: readonly string[]; place: string; role: 'admin' | 'delegated' },
): void {
  if (input.types.includes(signer.type)) return;
  throw new ServiceError('signer-type-not-supported', {
    message: `${input.place}: a signer of type "${signer.type}" cannot be ${input.role === 'admin' ? 'the admin signer' : 'a delegated signer'} of an evm wallet here. Use one of: ${input.types.join(', ')}.`,
  });
}

/** One quorum is the Safe's own m of n; several methods are owners of whom each may act alone. */
function ownersOf(keys: readonly SignerKey[]): { owners: SignerKey[]; threshold: number } {
  const [only] = keys;
  if (keys.length === 1 && only?.kind === 'quorum')
    return { owners: [...only.members], threshold: only.threshold };
  return { owners: [...keys], threshold: 1 };
}

function planDelegate(
  { signer, expiresAt, scopes }: Delegate,
  index: number,
): { key: SignerKey; validUntil?: number } {
  const place = `config.delegatedSigners[${index}]`;
  requireType(signer, { types: evmDelegatedSignerTypes, place, role: 'delegated' });
  if (scopes.length > 0)
    throw new ServiceError('validation-error', {
      message: `${place}.scopes: tokens differ from chain to chain, so on evm a signer with scopes is added with POST signers and its chain.`,
    });
  return {
    key: signerKeyOf(signer, place),
    ...(expiresAt === undefined ? {} : { validUntil: secondsOf(expiresAt) }),
  };
}

/** The last whole second that is not after the time: the chain counts both ends in. */
export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

function requireDistinct(keys: readonly SignerKey[], place: string): void {
  if (keys.length < 2) return;
  const ids = keys.map(signerIdOf);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0)
    throw new ServiceError('validation-error', {
      message: `${place}[${twice}]: is the same signer as [${ids.indexOf(ids[twice]!)}].`,
    });
}

function storeSetup(setup: SafeSetup): JsonObject {
  if (setup.form === 'owner') return setup;
  return {
    ...setup,
    owners: setup.owners.map(storeSignerKey),
    delegates: setup.delegates.map(({ key, ...rest }) => ({ ...rest, key: storeSignerKey(key) })),
  };
}

/** The address that owns a Safe for a key: its own, or that of the contract in its place. */
export function ownerOf(key: SignerKey): Address {
  return key.kind === 'ecdsa' ? key.address : ownerAddressOf(key);
}

/** The call of `setup`, without `0x`. */
function initializerOf(setup: SafeSetup): string {
  if (setup.form === 'owner') return spliceOwner(setup.owner);
  return encodeWalletSetup({
    owners: setup.owners.map(ownerOf),
    threshold: BigInt(setup.threshold),
    ownerKeys: setup.owners.filter(({ kind }) => kind !== 'ecdsa'),
    delegates: setup.delegates.map(({ key, validUntil }) => ({
      signer: key,
      validUntil,
      scopes: [],
    })),
  }).slice(2);
}

/**
 * The `deployment` of a batch item: abi.encode(bytes initializer, uint256 saltNonce); nothing where
 * nothing is deployed.
 */
export function encodeWalletDeployment(setup: WalletSetup): Hex {
  if (setup.form === 'account') return '0x';
  return `0x${wordOf(0x40)}${setup.saltNonce.slice(2)}${bytesTail(`0x${initializerOf(setup)}`)}`;
}

const createProxySelector = keccakOfText('createProxyWithNonce(address,bytes,uint256)').slice(0, 8);

/**
 * `factory` and `factoryData` of a user operation: what deploys the wallet; undefined where nothing
 * is deployed.
 */
export function encodeFactoryCall(
  setup: WalletSetup,
): { readonly factory: string; readonly factoryData: Hex } | undefined {
  if (setup.form === 'account') return undefined;
  const initializer = bytesTail(`0x${initializerOf(setup)}`);
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
  if (parts.length !== 2)
    throw new Error('The set-up of a wallet does not name its owner exactly once.');
  return [parts[0]!, parts[1]!];
}

function spliceOwner(owner: string): string {
  return setupHead + owner.slice(2).toLowerCase() + setupTail;
}

const create2Head = `ff${addresses.safeProxyFactory.slice(2).toLowerCase()}`;
const proxyInitCodeHash = safeProxyInitCodeHash.slice(2);

function safeAddress(setup: SafeSetup): string {
  const salt = keccakOfHex(keccakOfHex(initializerOf(setup)) + setup.saltNonce.slice(2));
  return `0x${keccakOfHex(create2Head + salt + proxyInitCodeHash).slice(24)}`;
}
