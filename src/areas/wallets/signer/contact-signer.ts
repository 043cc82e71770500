import { parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js';
import type { ChainFamily, CustodyKeys, Signer } from '../../../chains/family.ts';
import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { normalizeEmail } from '../../../lib/people/email.ts';
import { hashForProject } from '../../../providers/custody/project-secret.ts';

/** What a person is reached at, in its one form. */
export interface Identity {
  readonly type: 'email' | 'phone';
  /** Normalised e-mail address, or E.164 number. */
  readonly value: string;
}

/**
 * The custody signer of an e-mail address: the project's one key for it on the family's curve, made
 * at the first call. Two spellings of one address are one signer; `email` and `locator` carry the
 * normalised form.
 * @throws validation-error; signer-type-not-supported where this instance sends no e-mails
 */
export async function emailSigner(
  ctx: RequestCtx,
  family: ChainFamily,
  email: string,
): Promise<Signer> {
  requireChannel(ctx.config.messaging.email.kind, { type: 'email', setting: 'EMAIL' });
  return (await signerOf(ctx, family, readEmail(email))).signer;
}

/**
 * The custody signer of an E.164 phone number, like {@link emailSigner}.
 * @throws validation-error, signer-type-not-supported
 */
export async function phoneSigner(
  ctx: RequestCtx,
  family: ChainFamily,
  phone: string,
): Promise<Signer> {
  requireChannel(ctx.config.messaging.sms.kind, { type: 'phone', setting: 'SMS' });
  return (await signerOf(ctx, family, readPhone(phone))).signer;
}

/** @throws validation-error */
export function readEmail(text: string): Identity {
  const value = normalizeEmail(text);
  if (value === undefined)
    throw new ServiceError('validation-error', {
      message: 'email: is not an e-mail address that codes can be sent to.',
    });
  return { type: 'email', value };
}

/**
 * A number must arrive in the one form it has, because answers echo it and its key hangs on it: no
 * white space, no trunk prefix behind the country code.
 * @throws validation-error
 */
export function readPhone(text: string): Identity {
  const parsed = text.length <= 40 ? parsePhoneNumber(text) : undefined;
  if (!parsed?.isPossible())
    throw new ServiceError('validation-error', {
      message: 'phone: is not a possible phone number. Write it as E.164, e.g. +14155550123.',
    });
  if (parsed.number !== text)
    throw new ServiceError('validation-error', {
      message: `phone: write this number as E.164: ${parsed.number}.`,
    });
  return { type: 'phone', value: parsed.number };
}

/** A wallet whose signer can never be sent a code would be locked for good. */
function requireChannel(
  kind: string,
  { type, setting }: { readonly type: string; readonly setting: string },
): void {
  if (kind === 'off')
    throw new ServiceError('signer-type-not-supported', {
      message: `Signers of type "${type}" are not available on this instance, because it sends them no codes (${setting} is off). Use another type.`,
    });
}

/** The signer of an identity, with the id of its custody key and what that key is for. */
export async function signerOf(
  ctx: RequestCtx,
  family: CustodyKeys,
  identity: Identity,
): Promise<{ readonly signer: Signer & { readonly keyId: string }; readonly purpose: string }> {
  const { projectId } = ctx.caller;
  const { type, value } = identity;
  const purpose = await keyPurposeOf(ctx, projectId, identity);
  const { keyId, publicKey } = await ctx.providers.custody.ensureKey(ctx.store, {
    projectId,
    curve: family.custodyCurve,
    purpose,
  });
  const address = family.addressOfPublicKey(publicKey);
  return { signer: { type, locator: `${type}:${value}`, [type]: value, address, keyId }, purpose };
}

/**
 * Names the key of an identity without saying whose it is: 130 bits of a keyed hash, as many as a
 * purpose can hold.
 */
async function keyPurposeOf(
  ctx: RequestCtx,
  projectId: string,
  identity: Identity,
): Promise<string> {
  const hash = await hashForProject(ctx, {
    projectId,
    purpose: 'signer-key',
    parts: [identity.type, identity.value],
  });
  return `${identity.type}-${toBase32(hash).slice(0, 26)}`;
}

const base32Digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 in lower case without padding: a purpose has no capitals. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let heldBits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    heldBits += 8;
    for (; heldBits >= 5; heldBits -= 5) text += base32Digits[(held >> (heldBits - 5)) & 31];
    held &= (1 << heldBits) - 1;
  }
  return text;
}
