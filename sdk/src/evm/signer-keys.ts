import { integerOf, word } from './abi.ts';
import { contracts } from './constants.ts';
import { create2Address, type Hex, isAddress, keccak } from './hash.ts';

/** A signer as the contracts know it. Coordinates are of the curve P-256. */
export type SignerKey =
  | { readonly kind: 'ecdsa'; readonly address: Hex }
  | { readonly kind: 'p256' | 'webauthn'; readonly x: bigint; readonly y: bigint }
  | { readonly kind: 'quorum'; readonly threshold: number; readonly members: readonly SignerKey[] };

type Fields = Readonly<Record<string, unknown>>;

const custodyTypes: readonly unknown[] = ['api-key', 'email', 'phone'];
const rawPointBytes = 65;

/** A signer by its locator: what names its key. Others stand for nothing that could be checked. */
function fieldsOfLocator(locator: string): Fields {
  const type = locator.split(':', 1)[0]!;
  const value = locator.slice(type.length + 1);
  if (type === 'external-wallet' || type === 'server') return { type, address: value };
  if (type !== 'device') return { type };
  const raw = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
  if (raw.length !== rawPointBytes)
    throw new TypeError(
      'a device is named by the 65 bytes of its public key, or sent as an object',
    );
  const coordinate = (at: number) =>
    [...raw.subarray(at, at + 32)].reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return { type, publicKey: { x: coordinate(1), y: coordinate(33) } };
}

export function fieldsOf(signer: unknown): Fields {
  if (typeof signer === 'string') return fieldsOfLocator(signer);
  if (typeof signer !== 'object' || signer === null) throw new TypeError('it is no signer');
  return signer as Fields;
}

/** True when its key is in other hands than the service's; a quorum when one of its members is. */
export function hasOwnKey(signer: unknown): boolean {
  const { type, members } = fieldsOf(signer);
  return type === 'quorum'
    ? Array.isArray(members) && members.some(hasOwnKey)
    : !custodyTypes.includes(type);
}

/**
 * The key of a signer as it was sent. Of one whose key the service keeps, only the service knows
 * the address: `answered` is the signer as it says.
 * @throws TypeError when its key is not known from what was sent
 */
export function signerKeyOf(signer: unknown, answered?: unknown): SignerKey {
  const { type, address, publicKey, threshold, members } = fieldsOf(signer);
  if (type === 'quorum') {
    const known = (answered as Fields | undefined)?.['members'];
    const keys = (members as unknown[]).map((member, at) =>
      signerKeyOf(member, Array.isArray(known) ? known[at] : undefined),
    );
    return { kind: 'quorum', threshold: Number(threshold), members: keys };
  }
  if (type === 'passkey' || type === 'device') {
    const { x, y } = (publicKey ?? {}) as Fields;
    return { kind: type === 'device' ? 'p256' : 'webauthn', x: integerOf(x), y: integerOf(y) };
  }
  const named = custodyTypes.includes(type)
    ? (answered as Fields | undefined)?.['address']
    : address;
  if (!isAddress(named))
    throw new TypeError(`a signer of type "${String(type)}" has no address that is known here`);
  return { kind: 'ecdsa', address: named };
}

/** The id that a signer is registered under at the wallet module. */
export function signerIdOf(key: SignerKey): Hex {
  return keccak(encodeKey(key));
}

/** Kind and key; of passkeys the contracts ask that the person was verified. */
function encodeKey(key: SignerKey): string {
  if (key.kind === 'ecdsa') return `01${key.address.slice(2).toLowerCase()}`;
  if (key.kind !== 'quorum')
    return key.kind === 'p256'
      ? `02${word(key.x)}${word(key.y)}`
      : `03${word(key.x)}${word(key.y)}01`;
  const ids = key.members.map((member) => signerIdOf(member).slice(2)).sort();
  return `04${byte(key.threshold)}${byte(ids.length)}${ids.join('')}`;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

/** The address that owns a Safe for a key: its own, or that of the small contract in its place. */
export function ownerAddressOf(key: SignerKey): Hex {
  if (key.kind === 'ecdsa') return key.address;
  const code = `0x61004d3d81600a3d39f3363d3d373d3d3d363d73${contracts.signerOwner.slice(2)}5af43d82803e903d91602b57fd5bf3${signerIdOf(key).slice(2)}`;
  return create2Address(contracts.signerOwnerFactory, `0x${word(0n)}`, keccak(code));
}
