import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import type { Operator, Passkey } from './store.ts';

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(4_096);
// Nothing of them is looked at, so nothing of them is kept: what browsers or others say here may be
// anything.
const extensions = z
  .unknown()
  .optional()
  .transform(() => ({}));

/** What a browser says of a passkey that was used, as far as it is looked at. */
export const assertionSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: extensions,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

/** What a browser says of a passkey that was made. */
export const registrationSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: extensions,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

export type Assertion = z.infer<typeof assertionSchema>;
export type Registration = z.infer<typeof registrationSchema>;

/** The page that passkeys are made and used on. */
export function placeOf({ console }: Pick<Config, 'console'>): {
  readonly origin: string;
  readonly rpId: string;
} {
  if (!console) throw new Error('the console is off');
  const { origin, hostname } = new URL(console.url);
  return { origin, rpId: hostname };
}

/**
 * Whether a passkey of the operator has signed exactly this challenge, on the console's page, by
 * somebody who was recognised by the device. Counters are not kept: synced passkeys count none, and
 * no challenge counts twice.
 * @param challenge base64url
 */
export async function isSignedBy(
  config: Pick<Config, 'console'>,
  {
    operator,
    challenge,
    assertion,
  }: { readonly operator: Operator; readonly challenge: string; readonly assertion: Assertion },
): Promise<boolean> {
  const passkey = operator.passkeys.find(({ id }) => id === assertion.id);
  if (!passkey) return false;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { origin, rpId } = placeOf(config);
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: assertion as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: 0,
      },
      requireUserVerification: true,
    });
    return verified;
  } catch {
    // Whatever is wrong with it is said by an exception of the library.
    return false;
  }
}

/**
 * The passkey that was made for this challenge on the console's page; undefined when it was not.
 */
export async function readRegistration(
  config: Pick<Config, 'console'>,
  {
    registration,
    challenge,
    at,
  }: { readonly registration: Registration; readonly challenge: string; readonly at: Date },
): Promise<Passkey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { origin, rpId } = placeOf(config);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: registration as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    });
    if (!verified || !registrationInfo) return undefined;
    const { id, publicKey } = registrationInfo.credential;
    const transports = registration.response.transports ?? [];
    return {
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      transports,
      addedAt: at.toISOString(),
    };
  } catch {
    return undefined;
  }
}
