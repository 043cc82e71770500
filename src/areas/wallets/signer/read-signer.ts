import {
  type Addresses,
  type ChainFamily,
  type QuorumSigner,
  requireExtra,
  type Signer,
  type SignerType,
} from '../../../chains/family.ts';
import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Json } from '../../../lib/json/json.ts';
import { parseSignerLocator } from '../../../lib/locator/locator.ts';
import { normalizeEmail } from '../../../lib/people/email.ts';
import { type DelegatedSignerInput, type SignerInput, signerInputSchema } from '../schema.ts';
import { apiKeySigner } from './api-key-signer.ts';
import { emailSigner, phoneSigner } from './contact-signer.ts';
import { deviceLocator, isP256Point, readDeviceKey } from './p256-key.ts';
import { keyIdOf } from './signer-key.ts';

/** What a signer is to be: it decides which types are allowed. */
export type SignerRole = 'admin' | 'member' | 'delegated';

/** Where a signer stands in the body, e.g. `config.adminSigner`: errors begin with it. */
interface SignerPlace {
  readonly place: string;
  readonly role: SignerRole;
}

/**
 * A signer of a body, checked and as it is kept: with its locator, the address of its custody key,
 * what the family adds. Addresses and keys stay as sent, e-mail addresses are normalised; `server:`
 * delegates get the checksum (supplement, section 19).
 * @throws validation-error, invalid-locator, signer-type-not-supported, DEVICE_SIGNER_NOT_SUPPORTED
 */
export async function readSigner(
  ctx: RequestCtx,
  family: ChainFamily,
  input: string | SignerInput,
  { place, role }: SignerPlace,
): Promise<Signer> {
  const named = typeof input === 'string' ? inputOfLocator(input, place) : input;
  requireType(family, named.type, { place, role });
  const signer = family.completeSigner(await makeSigner(ctx, family, named, { place, role }));
  if (typeof input !== 'string') requireOwnLocator(family, signer, input.locator, place);
  return typeof input === 'string' && isEchoed(signer.type)
    ? { ...signer, locator: input }
    : signer;
}

/**
 * Other types have one normal form, which answers carry: the address of an e-mail, the checksum of
 * a server.
 */
function isEchoed(type: SignerType): boolean {
  return type === 'api-key' || type === 'device';
}

/** A locator says everything about a signer but a passkey and a quorum. */
function inputOfLocator(text: string, place: string): SignerInput {
  const locator = parseSignerLocator(text);
  switch (locator.type) {
    case 'passkey':
    case 'quorum':
      throw new ServiceError('validation-error', {
        message: `${place}: a ${locator.type} signer has to be sent as an object with ${locator.type === 'passkey' ? 'id, name and publicKey' : 'threshold and members'}, not as a locator.`,
      });
    case 'device': {
      const publicKey = readDeviceKey(locator.publicKey);
      if (!publicKey) throw offCurve(place, 'the locator');
      return { type: 'device', publicKey };
    }
    case 'email':
    case 'phone':
    case 'external-wallet':
    case 'server':
    case 'api-key':
      return locator as SignerInput;
  }
}

function requireType(family: ChainFamily, type: SignerType, { place, role }: SignerPlace): void {
  const allowed = allowedTypes(family, role);
  if (allowed.includes(type)) return;
  if (type === 'device')
    throw new ServiceError('DEVICE_SIGNER_NOT_SUPPORTED', {
      message:
        role === 'delegated'
          ? `${place}: device signers are not supported on ${family.chainType}.`
          : `${place}: a device signer can only be a delegated signer.`,
    });
  throw new ServiceError('signer-type-not-supported', {
    message: `${place}.type "${type}" is not supported ${role === 'member' ? 'in a quorum' : 'here'} on ${family.chainType}. Use one of: ${allowed.join(', ')}.`,
  });
}

function allowedTypes(family: ChainFamily, role: SignerRole): readonly SignerType[] {
  if (role === 'delegated') return requireExtra(family, 'delegates').delegatedSignerTypes;
  return role === 'admin'
    ? family.adminSignerTypes
    : family.adminSignerTypes.filter((type) => type !== 'quorum');
}

async function makeSigner(
  ctx: RequestCtx,
  family: ChainFamily,
  input: SignerInput,
  at: SignerPlace,
): Promise<Signer> {
  switch (input.type) {
    case 'external-wallet':
    case 'server':
      return addressSigner(family, input, at);
    case 'api-key':
      return requireOwnAddress(family, await apiKeySigner(ctx, family), input.address, at.place);
    case 'email':
      return requireOwnAddress(
        family,
        await emailSigner(ctx, family, input.email),
        input.address,
        at.place,
      );
    case 'phone':
      return requireOwnAddress(
        family,
        await phoneSigner(ctx, family, input.phone),
        input.address,
        at.place,
      );
    case 'passkey': {
      const { id, name, publicKey } = input;
      if (!isP256Point(publicKey)) throw offCurve(at.place, 'publicKey');
      return {
        type: 'passkey',
        locator: `passkey:${id}`,
        id,
        name,
        publicKey,
      };
    }
    case 'device': {
      const { name, publicKey, locator } = input;
      if (!isP256Point(publicKey)) throw offCurve(at.place, 'publicKey');
      const own = deviceLocator(publicKey);
      return {
        type: 'device',
        locator: isSameDevice(locator, own) ? locator : own,
        publicKey,
        name,
      };
    }
    case 'quorum':
      return makeQuorum(ctx, family, input, at.place);
  }
}

function addressSigner(
  family: Addresses,
  input: { type: 'external-wallet' | 'server'; address: string },
  at: SignerPlace,
): Signer {
  const mistake = family.checkAddress(input.address);
  if (mistake !== undefined)
    throw new ServiceError('validation-error', { message: `${at.place}.address: ${mistake}.` });
  const address =
    input.type === 'server' && at.role === 'delegated'
      ? family.formatAddress(input.address)
      : input.address;
  return { type: input.type, locator: `${input.type}:${address}`, address };
}

/**
 * The service holds the key of such a signer and knows its address: one that is sent along can only
 * be the same.
 */
function requireOwnAddress(
  family: Addresses,
  signer: Signer,
  address: string | undefined,
  place: string,
): Signer {
  if (address === undefined) return signer;
  if (
    !family.isAddress(address) ||
    family.canonicalAddress(address) !== family.canonicalAddress(signer.address ?? '')
  )
    throw new ServiceError('validation-error', {
      message: `${place}.address: is not the address of ${signer.locator} in this project, which is ${signer.address}. Leave the address out.`,
    });
  return signer;
}

/**
 * A locator beside the fields is that of an answer: what it names and what is made can only be the
 * same, since elsewhere the locator of the very same object counts. A device may be named by its
 * owner, and a quorum is made anew.
 */
function requireOwnLocator(
  family: ChainFamily,
  signer: Signer,
  locator: string | undefined,
  place: string,
): void {
  if (locator === undefined || signer.type === 'device' || signer.type === 'quorum') return;
  const named = parseSignerLocator(locator);
  if (
    named.type === signer.type &&
    isSameName(family, signer, locator.slice(named.type.length + 1))
  )
    return;
  throw new ServiceError('validation-error', {
    message: `${place}.locator: names another signer than the fields beside it, which are of ${signer.locator}. Leave the locator out.`,
  });
}

function isSameName(family: Addresses, { type, locator, address }: Signer, name: string): boolean {
  const own = locator.slice(type.length + 1);
  if (name === own || (type === 'api-key' && name === '')) return true;
  if (type === 'email') return normalizeEmail(name) === own;
  return (
    address !== undefined &&
    family.isAddress(name) &&
    family.canonicalAddress(name) === family.canonicalAddress(address)
  );
}

/**
 * A caller that names its device itself finds it under that name, in whatever form it writes the
 * key.
 */
function isSameDevice(locator: string | undefined, own: string): locator is string {
  if (!locator?.startsWith('device:')) return false;
  const key = readDeviceKey(locator.slice('device:'.length));
  return key !== undefined && deviceLocator(key) === own;
}

async function makeQuorum(
  ctx: RequestCtx,
  family: ChainFamily,
  input: { threshold: number; members: readonly unknown[] },
  place: string,
): Promise<QuorumSigner> {
  const members: Signer[] = [];
  for (const [index, member] of input.members.entries()) {
    const memberPlace = `${place}.members[${index}]`;
    const parsed = signerInputSchema.safeParse(member);
    if (!parsed.success) throw schemaError(memberPlace, parsed.error.issues[0]);
    members.push(
      await readSigner(ctx, family, parsed.data, { place: memberPlace, role: 'member' }),
    );
  }
  refuseSameKeys(family, members, `${place}.members`);
  if (input.threshold > members.length)
    throw new ServiceError('validation-error', {
      message: `${place}.threshold: must be at most the number of members, ${members.length}.`,
    });
  return {
    type: 'quorum',
    locator: `quorum:${ctx.ids.uuid()}`,
    threshold: input.threshold,
    members: members as unknown as QuorumSigner['members'] & Json,
  };
}

/** One key under two names would count twice where it signs once. @throws validation-error */
export function refuseSameKeys(
  family: ChainFamily,
  signers: readonly Signer[],
  place: string,
): void {
  const seen = new Map<string, number>();
  for (const [index, signer] of signers.entries()) {
    const keyId = keyIdOf(family, signer);
    const first = seen.get(keyId);
    if (first !== undefined)
      throw new ServiceError('validation-error', {
        message: `${place}[${index}]: has the same key as ${place}[${first}]. Leave one out.`,
      });
    seen.set(keyId, index);
  }
}

interface DelegatedInput {
  readonly signer: string | DelegatedSignerInput;
  readonly expiresAt?: string | undefined;
  readonly scopes?: readonly unknown[] | undefined;
}

/**
 * A delegated signer of an answer carries its terms: they count as if they stood beside it, and
 * what says two things is refused.
 * @throws validation-error
 */
export function liftTerms<Input extends DelegatedInput>(
  input: Input,
  place: string,
): Omit<Input, 'signer'> & { readonly signer: string | SignerInput } {
  if (typeof input.signer === 'string') return { ...input, signer: input.signer };
  const { expiresAt, scopes, chains: _, ...signer } = input.signer;
  const own = {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(scopes === undefined ? {} : { scopes }),
  };
  for (const [field, value] of Object.entries(own)) {
    const beside = input[field as keyof DelegatedInput];
    if (beside !== undefined && JSON.stringify(beside) !== JSON.stringify(value))
      throw new ServiceError('validation-error', {
        message: `${place}.${field}: says another thing than ${field} beside the signer. Send it once.`,
      });
  }
  return { ...input, ...own, signer };
}

/** A schema's first complaint as one sentence. */
export function schemaError(
  place: string,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): ServiceError {
  const path = (issue?.path ?? [])
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return new ServiceError('validation-error', {
    message: `${place}${path}: ${issue?.message ?? 'cannot be read'}.`,
  });
}

function offCurve(place: string, field: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `${place}: ${field} is no P-256 key: send the coordinates x and y of a point of the curve as decimal text.`,
  });
}
