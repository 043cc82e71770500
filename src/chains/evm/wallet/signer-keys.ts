import { z } from 'zod';
import { addresses, type SignerKey, signerIdOf } from '../../../../contracts/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { adminSignerTypes, checkQuorum, invalid } from '../../family/signing/quorums.ts';
import { isQuorum, type QuorumSigner, type Signer, type SignerType } from '../../family.ts';
import { type Hex, isEvmAddress } from '../abi/words.ts';
import { readP256Key } from '../signing/p256.ts';

/**
 * Signers as the contracts know them: an address, a P-256 key, a passkey, or so many of several.
 */

export const evmDelegatedSignerTypes = [
  ...adminSignerTypes,
  'device',
] as const satisfies readonly SignerType[];

/** True for signers that are one address which signs with ECDSA. */
export function isAddressSigner(signer: Signer): boolean {
  return signer.type !== 'passkey' && signer.type !== 'device' && signer.type !== 'quorum';
}

/**
 * The key of a signer.
 * @param place where it stands in the request, for messages: `config.adminSigner`
 * @throws validation-error no address or key that could sign, a quorum that could not
 */
export function signerKeyOf(signer: Signer, place = 'signer'): SignerKey {
  if (isQuorum(signer)) return quorumKeyOf(signer, place);
  if (isAddressSigner(signer)) return { kind: 'ecdsa', address: readSignerAddress(signer, place) };
  const point = readP256Key(signer['publicKey']);
  if (!point)
    throw invalid(`${place}.publicKey`, 'must be {x, y} of a P-256 public key, as decimal text');
  return signer.type === 'device'
    ? { kind: 'p256', ...point }
    : { kind: 'webauthn', ...point, requireUserVerification: true };
}

function quorumKeyOf(quorum: QuorumSigner, place: string): SignerKey {
  checkQuorum(quorum, place);
  const { threshold, members } = quorum;
  const keys = members.map((member, index) => signerKeyOf(member, `${place}.members[${index}]`));
  const ids = keys.map(signerIdOf);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  // The contract counts every key once, so fewer than it seems could never be enough.
  if (twice >= 0)
    throw invalid(
      `${place}.members[${twice}]`,
      `has the same key as members[${ids.indexOf(ids[twice]!)}]`,
    );
  return { kind: 'quorum', threshold, members: keys };
}

/** No key signs for these, or everybody's does: the module as an owner would let anybody act. */
const unusableAddresses: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  ...Object.values(addresses).map((address) => address.toLowerCase()),
]);

function readSignerAddress({ address = '' }: Signer, place: string): Hex {
  if (!isEvmAddress(address)) throw invalid(`${place}.address`, 'must be 0x and 40 hex characters');
  if (unusableAddresses.has(address.toLowerCase()))
    throw invalid(
      `${place}.address`,
      'nobody holds a key of this address, so it could never sign. Send the address of your signer',
    );
  return address;
}

const integer = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
const address = z.custom<Hex>((value) => typeof value === 'string' && isEvmAddress(value));

const storedKeySchema: z.ZodType<SignerKey> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ecdsa'), address }),
    z.object({ kind: z.literal('p256'), x: integer, y: integer }),
    z.object({
      kind: z.literal('webauthn'),
      x: integer,
      y: integer,
      requireUserVerification: z.boolean(),
    }),
    z.object({ kind: z.literal('quorum'), threshold: z.int(), members: z.array(storedKeySchema) }),
  ]),
);

/** A key as it stands in stored JSON; {@link storeSignerKey} makes it. */
export { storedKeySchema };

export function storeSignerKey(key: SignerKey): JsonObject {
  if (key.kind === 'ecdsa') return { kind: key.kind, address: key.address };
  if (key.kind === 'quorum')
    return { kind: key.kind, threshold: key.threshold, members: key.members.map(storeSignerKey) };
  const point = { x: key.x.toString(), y: key.y.toString() };
  return key.kind === 'p256'
    ? { kind: key.kind, ...point }
    : { kind: key.kind, ...point, requireUserVerification: key.requireUserVerification };
}
