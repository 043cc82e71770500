import { Address, hash, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk/base';

/** What a wallet's address commits to, as the contracts read it. */

export type SignerKey =
  | { readonly kind: 'ed25519'; readonly address: string }
  /** `key`: the 65 bytes of the point that is not compressed. Devices are delegates only. */
  | { readonly kind: 'device' | 'passkey'; readonly key: Uint8Array };

/** So many of the members act as the admin. */
export interface Group {
  readonly threshold: number;
  readonly members: readonly SignerKey[];
}

export interface Scope {
  /** The token's contract. */
  readonly token: string;
  /** In the smallest unit; absent: none. */
  readonly limit?: bigint;
  /** Seconds after which a limit begins anew; 0: never. */
  readonly interval: bigint;
  /** Accounts and contracts; empty: anybody. */
  readonly recipients: readonly string[];
}

export interface Registration {
  readonly key: SignerKey;
  /** Seconds since 1970, the first in which it ended; 0: never. */
  readonly expiresAt: bigint;
  /** Empty: anything but the wallet itself, and creating contracts. */
  readonly scopes: readonly Scope[];
}

export interface Setup {
  /** 32 bytes. */
  readonly salt: Uint8Array;
  /** Each acts as the admin alone. */
  readonly groups: readonly Group[];
  readonly delegates: readonly Registration[];
}

/** `members` are of all groups together. */
export const limits = {
  groups: 8,
  members: 16,
  delegates: 8,
  scopes: 8,
  recipients: 16,
  amount: 2n ** 127n - 1n,
  time: 2n ** 64n - 1n,
};

const keyKinds = { ed25519: 0, device: 1, passkey: 2 } as const;
const { scvBytes, scvU32, scvU64, scvVec, scvVoid } = xdr.ScVal;

/** Kind and key as the contract keeps them; what it finds a delegate by. */
export function storedKey(key: SignerKey): Uint8Array {
  const bare = key.kind === 'ed25519' ? StrKey.decodeEd25519PublicKey(key.address) : key.key;
  return new Uint8Array([keyKinds[key.kind], ...bare]);
}

/** What {@link storedKey} was made of. @throws TypeError for bytes of another kind */
export function readStoredKey(stored: Uint8Array): SignerKey {
  const kind = (['ed25519', 'device', 'passkey'] as const).find(
    (one) => keyKinds[one] === stored[0],
  );
  if (kind === undefined) throw new TypeError(`There are no keys of kind ${stored[0]}.`);
  const key = stored.slice(1);
  return kind === 'ed25519' ? { kind, address: StrKey.encodeEd25519PublicKey(key) } : { kind, key };
}

/** Members of a group as the contract counts them: a set-up lists them in this order. */
export function orderedMembers({ members }: Group): SignerKey[] {
  return members.toSorted((one, other) => Buffer.compare(storedKey(one), storedKey(other)));
}

export function setupValue({ salt, groups, delegates }: Setup): xdr.ScVal {
  return scvVec([
    scvBytes(salt),
    scvVec(groups.map(groupValue)),
    scvVec(delegates.map((one) => scvVec(registrationValues(one)))),
  ]);
}

/** Key, expiry, scopes. */
export function registrationValues({ key, expiresAt, scopes }: Registration): xdr.ScVal[] {
  return [keyValue(key), scvU64(expiresAt), scvVec(scopes.map(scopeValue))];
}

export function keyValue(key: SignerKey): xdr.ScVal {
  return scvBytes(storedKey(key));
}

export function addressValue(address: string): xdr.ScVal {
  return new Address(address).toScVal();
}

export function amountValue(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' });
}

/**
 * The wallet's address: a contract id of the factory and the hash of the set-up, on this network.
 */
export function findWallet(
  setup: Setup,
  { factory, networkPassphrase }: { factory: string; networkPassphrase: string },
): string {
  const salt = hash(setupValue(setup).toXDR());
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: new xdr.Hash(hash(Buffer.from(networkPassphrase))),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({
          address: new Address(factory).toScAddress(),
          salt,
        }),
      ),
    }),
  );
  return StrKey.encodeContract(hash(preimage.toXDR()));
}

function groupValue(group: Group): xdr.ScVal {
  return scvVec([scvU32(group.threshold), scvVec(orderedMembers(group).map(keyValue))]);
}

function scopeValue({ token, limit, interval, recipients }: Scope): xdr.ScVal {
  return scvVec([
    addressValue(token),
    limit === undefined ? scvVoid() : amountValue(limit),
    scvU64(interval),
    scvVec(recipients.map(addressValue)),
  ]);
}
