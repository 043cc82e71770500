import { z } from 'zod';
import { addresses, type SignerKey, signerIdOf } from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { isQuorum, type QuorumSigner, type Signer, type SignerType } from '../../family.ts';
import { type Hex, isEvmAddress } from '../abi/words.ts';
import { readP256Key } from '../signing/p256.ts';

/**
 * Signers as the contracts know them: an address, a P-256 key, a passkey, or so many of several.
 */

export const evmAdminSignerTypes = [
  'external-wallet',
  'server',
  'api-key',
  'email',
  'phone',
  'passkey',
  'quorum',
] as const satisfies readonly SignerType[];
export const evmDelegatedSignerTypes = [
  ...evmAdminSignerTypes,
  'device',
] as const satisfies readonly SignerType[];

/** Which rules of the passkey contract a passkey of this service is verified by. */
const validatorContractVersion = '1';

/** Two members are a quorum, and ten sign in less gas than a batch item may take. */
const quorumMembersMin = 2;
const quorumMembersMax = 10;

/** As {@link ChainFamily.completeSigner}. */
export function completeEvmSigner(signer: Signer): Signer {
  if (isQuorum(signer))
    return {
      ...signer,
      members: signer.members.map(completeEvmSigner) as unknown as QuorumSigner['members'],
    };
  return signer.type === 'passkey' ? { ...signer, validatorContractVersion } : signer;
}

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
    throw new ServiceError('validation-error', {
      message: `${place}.publicKey: must be {x, y} of a P-256 public key, as decimal text.`,
    });
  return signer.type === 'device'
    ? { kind: 'p256', ...point }
    : { kind: 'webauthn', ...point, requireUserVerification: true };
}

function quorumKeyOf({ threshold, members }: QuorumSigner, place: string): SignerKey {
  const refuse = (reason: string) =>
    new ServiceError('validation-error', { message: `${place}${reason}` });
  if (members.length < quorumMembersMin || members.length > quorumMembersMax)
    throw refuse(
      `.members: a quorum has ${quorumMembersMin} to ${quorumMembersMax} members, this one has ${members.length}.`,
    );
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > members.length)
    throw refuse(`.threshold: must be between 1 and ${members.length}, the number of members.`);
  const odd = members.find(({ type }) => type === 'device' || type === 'quorum');
  if (odd) throw refuse(`.members: a signer of type "${odd.type}" cannot be a member of a quorum.`);
  const keys = members.map((member, index) => signerKeyOf(member, `${place}.members[${index}]`));
  const ids = keys.map(signerIdOf);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  // The contract counts every key once, so fewer than it seems could never be enough.
  if (twice >= 0)
    throw refuse(`.members[${twice}]: has the same key as members[${ids.indexOf(ids[twice]!)}].`);
  return { kind: 'quorum', threshold, members: keys };
}

/** No key signs for these, or everybody's does: the module as an owner would let anybody act. */
const unusableAddresses: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  ...Object.values(addresses).map((address) => address.toLowerCase()),
]);

function readSignerAddress({ address = '' }: Signer, place: string): Hex {
  if (!isEvmAddress(address))
    throw new ServiceError('validation-error', {
      message: `${place}.address: must be 0x and 40 hex characters.`,
    });
  if (unusableAddresses.has(address.toLowerCase()))
    throw new ServiceError('validation-error', {
      message: `${place}.address: nobody holds a key of this address, so it could never sign. Send the address of your signer.`,
    });
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
