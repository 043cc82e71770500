import { createHash } from 'node:crypto';
import { type Address, getAddressEncoder } from '@solana/kit';

/** What a wallet's address commits to, in the program's bytes. */

export type SignerKey =
  | { readonly kind: 'ed25519'; readonly address: Address }
  /** `key`: the 33 bytes of the compressed point. */
  | { readonly kind: 'device' | 'passkey'; readonly key: Uint8Array };

/** So many of the members act as the admin. */
export interface Group {
  readonly threshold: number;
  readonly members: readonly SignerKey[];
}

export interface Setup {
  readonly salt: Uint8Array;
  /** Each acts as the admin alone: 1 to 8, with at most 16 members in all. */
  readonly groups: readonly Group[];
  /**
   * Up to 8. They can be written down by anybody, without an approval, until the admin changes
   * them.
   */
  readonly delegates: readonly Registration[];
}

export interface Scope {
  /** Absent: SOL. */
  readonly mint?: Address;
  /** In the smallest unit; absent: none. */
  readonly limit?: bigint;
  /** Seconds after which a limit begins anew; 0: never. */
  readonly interval: bigint;
  /** Empty: anybody. At most 4. */
  readonly recipients: readonly Address[];
}

export interface Registration {
  readonly key: SignerKey;
  /** Seconds since 1970; 0: none. */
  readonly expiresAt: bigint;
  /** Empty: anything but this program. At most 4. */
  readonly scopes: readonly Scope[];
}

export const limits = {
  members: 16,
  groups: 8,
  delegates: 8,
  scopes: 4,
  recipients: 4,
  amount: 2n ** 64n - 2n,
  interval: 2n ** 40n,
};

const encoder = getAddressEncoder();
const system = '11111111111111111111111111111111' as Address;
const keyKinds = { ed25519: 0, device: 1, passkey: 2 } as const;
const noLimit = 0xffff_ffff_ffff_ffffn;

export function encodeSetup({ salt, groups, delegates }: Setup): Uint8Array {
  const encoded = groups.flatMap(({ threshold, members }) => [
    threshold,
    members.length,
    ...members.flatMap((key) => [...storedKey(key)]),
  ]);
  const hashes = delegates.flatMap((one) => [
    ...createHash('sha256').update(encodeRegistration(one)).digest(),
  ]);
  return new Uint8Array([...salt, groups.length, delegates.length, ...encoded, ...hashes]);
}

/** Kind and key as the program keeps them. */
export function storedKey(key: SignerKey): Uint8Array {
  return new Uint8Array([
    keyKinds[key.kind],
    ...(key.kind === 'ed25519' ? [...encoder.encode(key.address), 0] : key.key),
  ]);
}

export function encodeRegistration({ key, expiresAt, scopes }: Registration): Uint8Array {
  return new Uint8Array([
    ...storedKey(key),
    ...u64(expiresAt),
    scopes.length,
    ...scopes.flatMap(encodeScope),
  ]);
}

function encodeScope({ mint, limit, interval, recipients }: Scope): number[] {
  const keys = recipients.flatMap((key) => [...encoder.encode(key)]);
  return [
    ...encoder.encode(mint ?? system),
    ...u64(limit ?? noLimit),
    ...u64(interval),
    recipients.length,
    ...keys,
  ];
}

export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}
