import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { z } from 'zod';
import {
  findWallet,
  type Group,
  limits,
  type Registration,
  type Setup,
  type SignerKey,
  type WalletAddresses,
} from '../../../../programs/solana-wallet/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { adminSignerTypes, singleDelegateTypes } from '../../family/signing/quorums.ts';
import type { Signer, SmartWalletInput, WalletPlan } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { registrationOf } from './registration.ts';
import { requireRoom } from './room.ts';
import { groupOf, invalid, requireCounts, requireDistinct } from './signer-keys.ts';
import type { WalletProgram } from './types.ts';

/**
 * A smart wallet is a set-up of the wallet program: its address follows from that, and nothing is
 * deployed.
 */

/**
 * As {@link ChainFamily.planWallet}, of smart wallets.
 * @throws signer-type-not-supported, validation-error
 */
export function planSmartWallet(
  { program, cluster }: WalletProgram,
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
    return registrationOf(delegate, at);
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
  const setup: Setup = { salt: saltOf(cluster, input.creationSeed), groups, delegates };
  const addresses = findWallet(program, setup);
  requireRoom(addresses, setup, place);
  return { address: addresses.vault, setup: storeSetup(program, setup) };
}

function requireType(signer: Signer, types: readonly string[], place: string, role: string): void {
  if (types.includes(signer.type)) return;
  throw new ServiceError('signer-type-not-supported', {
    message: `${place}: a signer of type "${signer.type}" cannot be ${role} of a solana wallet here. Use one of: ${types.join(', ')}.`,
  });
}

function saltOf(cluster: string, creationSeed: string): Uint8Array {
  return new Uint8Array(
    createHash('sha256').update(`solana wallet of ${cluster}\0${creationSeed}`).digest(),
  );
}

/** A smart wallet as its stored set-up says. */
export interface SmartWallet {
  readonly setup: Setup;
  readonly addresses: WalletAddresses;
}

const address = z.custom<Address>(
  (value) => typeof value === 'string' && checkSolanaAddress(value) === undefined,
);
const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
    .transform((text) => new Uint8Array(Buffer.from(text, 'hex')));
const integer = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const key: z.ZodType<SignerKey> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ed25519'), address }),
  z.object({ kind: z.enum(['device', 'passkey']), key: hex(33) }),
]);
const group: z.ZodType<Group> = z.object({ threshold: z.int(), members: z.array(key) });
const scope = z.object({
  mint: address.optional(),
  limit: integer.optional(),
  interval: integer,
  recipients: z.array(address),
});
const registration: z.ZodType<Registration> = z.object({
  key,
  expiresAt: integer,
  scopes: z.array(scope),
});
const storedSchema = z.object({
  program: address,
  salt: hex(32),
  groups: z.array(group),
  delegates: z.array(registration),
});

function storeSetup(program: Address, { salt, groups, delegates }: Setup): JsonObject {
  return {
    program,
    salt: Buffer.from(salt).toString('hex'),
    groups: groups.map(({ threshold, members }) => ({ threshold, members: members.map(storeKey) })),
    delegates: delegates.map(({ key: ofDelegate, expiresAt, scopes }) => ({
      key: storeKey(ofDelegate),
      expiresAt: expiresAt.toString(),
      scopes: scopes.map(({ mint, limit, interval, recipients }) => ({
        mint,
        ...(limit === undefined ? {} : { limit: limit.toString() }),
        interval: interval.toString(),
        recipients: [...recipients],
      })),
    })),
  };
}

function storeKey(of: SignerKey): JsonObject {
  return of.kind === 'ed25519'
    ? { kind: of.kind, address: of.address }
    : { kind: of.kind, key: Buffer.from(of.key).toString('hex') };
}

/** Reading one takes a few hash rounds: the wallets in use are kept. */
const known = new Map<string, SmartWallet>();
const knownMax = 2_000;

/** @throws Error when the set-up is not one of {@link planSmartWallet}, or another wallet's */
export function readSmartSetup(wallet: {
  readonly address: string;
  readonly setup: JsonObject;
}): SmartWallet {
  const found = known.get(wallet.address);
  if (found) return found;
  const { program, ...setup } = storedSchema.parse(wallet.setup);
  const addresses = findWallet(program, setup);
  if (addresses.vault !== wallet.address)
    throw new Error(
      `The set-up of ${wallet.address} is that of ${addresses.vault}: it was changed.`,
    );
  if (known.size >= knownMax) known.delete(known.keys().next().value!);
  known.set(wallet.address, { setup, addresses });
  return { setup, addresses };
}
