import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  findWallet,
  type Group,
  limits,
  type Registration,
  type Setup,
  type SignerKey,
} from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { encodeStrKey } from '../../../lib/locator/strkey.ts';
import { adminSignerTypes, invalid, singleDelegateTypes } from '../../family/signing/quorums.ts';
import type { Signer, SmartWalletInput, WalletPlan } from '../../family.ts';
import { checkStellarAddress } from '../addresses.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readStellarAddress } from '../strkey.ts';
import { registrationOf } from './registration.ts';
import { groupOf, requireCounts, requireDistinct } from './signer-keys.ts';

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
  const methods = input.recoveryMethods ?? [input.adminSigner];
  const place = (index: number) =>
    input.recoveryMethods ? `config.recoveryMethods[${index}]` : 'config.adminSigner';
  methods.forEach((signer, index) =>
    requireType(signer, adminSignerTypes, place(index), 'the admin signer'),
  );
  const groups = methods.map((signer, index) => groupOf(signer, place(index)));
  const singles = groups
    .filter(({ members }) => members.length === 1)
    .flatMap(({ members }) => members);
  requireDistinct(singles, 'config.recoveryMethods');
  requireCounts(groups);
  const delegates = (input.delegates ?? []).map((delegate, index) => {
    const at = `config.delegatedSigners[${index}]`;
    requireType(delegate.signer, singleDelegateTypes, at, 'a delegated signer');
    return registrationOf(network, delegate, at);
  });
  requireDistinct(
    delegates.map(({ key }) => key),
    'config.delegatedSigners',
  );
  if (delegates.length > limits.delegates)
    throw invalid(
      'config.delegatedSigners',
      `are at most ${limits.delegates} when a wallet is created`,
    );
  const setup: Setup = { salt: saltOf(network, input.creationSeed), groups, delegates };
  const address = findWallet(setup, { factory, networkPassphrase: network.passphrase });
  return { address, setup: storeSetup({ network, factory }, setup) };
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

function requireType(signer: Signer, types: readonly string[], place: string, role: string): void {
  if (types.includes(signer.type)) return;
  throw new ServiceError('signer-type-not-supported', {
    message: `${place}: a signer of type "${signer.type}" cannot be ${role} of a stellar wallet here. Use one of: ${types.join(', ')}.`,
  });
}

function saltOf({ kind }: StellarNetwork, creationSeed: string): Uint8Array {
  return new Uint8Array(
    createHash('sha256').update(`stellar wallet of ${kind}\0${creationSeed}`).digest(),
  );
}

/** A smart wallet as its stored set-up says. */
export interface SmartWallet {
  readonly address: string;
  readonly factory: string;
  readonly setup: Setup;
}

const isAddress = (text: string) => checkStellarAddress(text) === undefined;
const addressSchema = z.string().refine(isAddress);
const contractSchema = z.string().refine((text) => readStellarAddress(text)?.kind === 'C');
const accountSchema = z.string().refine((text) => readStellarAddress(text)?.kind === 'G');
const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
    .transform((text) => new Uint8Array(Buffer.from(text, 'hex')));
const integer = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);
const keySchema: z.ZodType<SignerKey> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ed25519'), address: accountSchema }),
  z.object({ kind: z.enum(['device', 'passkey']), key: hex(65) }),
]);
const groupSchema: z.ZodType<Group> = z.object({ threshold: z.int(), members: z.array(keySchema) });
const scopeSchema = z.object({
  token: contractSchema,
  limit: integer.optional(),
  interval: integer,
  recipients: z.array(addressSchema),
});
const registrationSchema: z.ZodType<Registration> = z.object({
  key: keySchema,
  expiresAt: integer,
  scopes: z.array(scopeSchema),
});
const storedSchema = z.object({
  factory: contractSchema,
  passphrase: z.string(),
  salt: hex(32),
  groups: z.array(groupSchema),
  delegates: z.array(registrationSchema),
});

function storeSetup(
  { network, factory }: WalletFactory,
  { salt, groups, delegates }: Setup,
): JsonObject {
  return {
    factory,
    passphrase: network.passphrase,
    salt: Buffer.from(salt).toString('hex'),
    groups: groups.map(({ threshold, members }) => ({ threshold, members: members.map(storeKey) })),
    delegates: delegates.map(({ key, expiresAt, scopes }) => ({
      key: storeKey(key),
      expiresAt: expiresAt.toString(),
      scopes: scopes.map(({ token, limit, interval, recipients }) => ({
        token,
        ...(limit === undefined ? {} : { limit: limit.toString() }),
        interval: interval.toString(),
        recipients: [...recipients],
      })),
    })),
  };
}

function storeKey(key: SignerKey): JsonObject {
  return key.kind === 'ed25519'
    ? { kind: key.kind, address: key.address }
    : { kind: key.kind, key: Buffer.from(key.key).toString('hex') };
}

/** Reading one takes hashes and encodings: the wallets in use are kept. */
const known = new Map<string, SmartWallet>();
const knownMax = 2_000;

/** @throws Error when the set-up is not one of {@link planSmartWallet}, or another wallet's */
export function readSmartSetup(wallet: {
  readonly address: string;
  readonly setup: JsonObject;
}): SmartWallet {
  const found = known.get(wallet.address);
  if (found) return found;
  const { factory, passphrase, ...setup } = storedSchema.parse(wallet.setup);
  const address = findWallet(setup, { factory, networkPassphrase: passphrase });
  if (address !== wallet.address)
    throw new Error(`The set-up of ${wallet.address} is that of ${address}: it was changed.`);
  if (known.size >= knownMax) known.delete(known.keys().next().value!);
  known.set(wallet.address, { address, factory, setup });
  return { address, factory, setup };
}
