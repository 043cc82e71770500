import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Delegate, Signer } from '../capabilities/signers.ts';
import type { SmartWalletInput } from '../capabilities/wallets.ts';
import { adminSignerTypes, invalid, singleDelegateTypes } from '../signing/quorums.ts';
import type { Registration, Scope } from './registrations.ts';
import { type Group, requireDistinct, type SignerKey } from './signer-keys.ts';

/** What the address of a smart wallet follows from: nothing is deployed when one is created. */

export interface SetupRules<Key extends SignerKey, OneScope extends Scope> {
  readonly chain: string;
  /** `members` are of all groups together. */
  readonly limits: {
    readonly groups: number;
    readonly members: number;
    readonly delegates: number;
  };
  groupOf(signer: Signer, place: string): Group<Key>;
  registrationOf(delegate: Delegate, place: string): Registration<Key, OneScope>;
}

export interface Setup<Key extends SignerKey = SignerKey, OneScope extends Scope = Scope> {
  /** 32 bytes. */
  readonly salt: Uint8Array;
  /** Each acts as the admin alone. */
  readonly groups: readonly Group<Key>[];
  readonly delegates: readonly Registration<Key, OneScope>[];
}

/** Where a recovery method stands in a request. */
export const methodPlace =
  ({ recoveryMethods }: SmartWalletInput) =>
  (index: number): string =>
    recoveryMethods ? `config.recoveryMethods[${index}]` : 'config.adminSigner';

/**
 * @param network a wallet of one is at another address on another: `mainnet`
 * @throws signer-type-not-supported, validation-error
 */
export function planSetup<Key extends SignerKey, OneScope extends Scope>(
  { chain, limits, groupOf, registrationOf }: SetupRules<Key, OneScope>,
  network: string,
  input: SmartWalletInput,
): Setup<Key, OneScope> {
  const methods = input.recoveryMethods ?? [input.adminSigner];
  const place = methodPlace(input);
  const requireType = (
    { type }: Signer,
    types: readonly string[],
    { at, role }: { at: string; role: string },
  ) => {
    if (types.includes(type)) return;
    throw new ServiceError('signer-type-not-supported', {
      message: `${at}: a signer of type "${type}" cannot be ${role} of a ${chain} wallet here. Use one of: ${types.join(', ')}.`,
    });
  };
  for (const [index, signer] of methods.entries())
    requireType(signer, adminSignerTypes, { at: place(index), role: 'the admin signer' });
  const groups = methods.map((signer, index) => groupOf(signer, place(index)));
  requireDistinct(
    groups.flatMap(({ members }) => (members.length === 1 ? members : [])),
    'config.recoveryMethods',
  );
  const members = groups.reduce((sum, group) => sum + group.members.length, 0);
  if (groups.length > limits.groups || members > limits.members)
    throw invalid(
      'config.recoveryMethods',
      `a wallet on ${chain} has at most ${limits.groups} of them, with ${limits.members} members in all`,
    );
  const delegates = (input.delegates ?? []).map((delegate, index) => {
    const at = `config.delegatedSigners[${index}]`;
    requireType(delegate.signer, singleDelegateTypes, { at, role: 'a delegated signer' });
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
  const named = `${chain} wallet of ${network}\0${input.creationSeed}`;
  const salt = new Uint8Array(createHash('sha256').update(named).digest());
  return { salt, groups, delegates };
}

const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
    .transform((text) => new Uint8Array(Buffer.from(text, 'hex')));

/** @param digitsMax of amounts and times */
const integer = (digitsMax: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digitsMax}}$`))
    .transform(BigInt);

/** Of a scope as {@link storeSetup} stores it, beside its token. */
export const storedScope = <Address extends string>(
  address: z.ZodType<Address>,
  digitsMax: number,
) => ({
  limit: integer(digitsMax).optional(),
  interval: integer(digitsMax),
  recipients: z.array(address),
});

/**
 * What {@link storeSetup} stores.
 * @param rules `address`: that a key signs for; `keyBytes`: of a point
 */
export function storedSetup<Address extends string, OneScope extends Scope>({
  address,
  keyBytes,
  digitsMax,
  scope,
}: {
  readonly address: z.ZodType<Address>;
  readonly keyBytes: number;
  readonly digitsMax: number;
  readonly scope: z.ZodType<OneScope>;
}) {
  const key = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ed25519'), address }),
    z.object({ kind: z.enum(['device', 'passkey']), key: hex(keyBytes) }),
  ]);
  const group = z.object({ threshold: z.int(), members: z.array(key) });
  const registration = z.object({ key, expiresAt: integer(digitsMax), scopes: z.array(scope) });
  return { salt: hex(32), groups: z.array(group), delegates: z.array(registration) };
}

export function storeSetup({ salt, groups, delegates }: Setup): JsonObject {
  return {
    salt: Buffer.from(salt).toString('hex'),
    groups: groups.map(({ threshold, members }) => ({ threshold, members: members.map(storeKey) })),
    delegates: delegates.map(({ key, expiresAt, scopes }) => ({
      key: storeKey(key),
      expiresAt: expiresAt.toString(),
      scopes: scopes.map(({ limit, interval, recipients, ...token }) => ({
        ...token,
        ...(limit !== undefined && { limit: limit.toString() }),
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

const knownMax = 2_000;

/**
 * Reads the set-ups of wallets, and that each is its wallet's. That takes hashes and encodings: the
 * wallets in use are kept.
 */
export function setupReader<Wallet>(
  read: (setup: JsonObject) => { readonly address: string; readonly wallet: Wallet },
): (wallet: { readonly address: string; readonly setup: JsonObject }) => Wallet {
  const known = new Map<string, Wallet>();
  return ({ address: expected, setup }) => {
    const found = known.get(expected);
    if (found) return found;
    const { address, wallet } = read(setup);
    if (address !== expected)
      throw new Error(`The set-up of ${expected} is that of ${address}: it was changed.`);
    if (known.size >= knownMax) known.delete(known.keys().next().value!);
    known.set(expected, wallet);
    return wallet;
  };
}
