import { z } from 'zod';
import { walletParamsSchema } from '../wallets/schema.ts';

export const signerParamsSchema = walletParamsSchema.extend({
  signer: z
    .string()
    .min(1)
    .max(400)
    .describe('Locator of the signer: `email:<email>` or `phone:<E.164 number>`.'),
});

const coordinate = z.string().regex(/^\d{1,78}$/, 'must be a decimal integer as text');
const scalar = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'must be 0x and up to 64 hexadecimal digits');
const message = z
  .string()
  .min(1)
  .max(20_000)
  .describe('`message` of the pending approval of this signer.');

export const requestCodeBodySchema = z
  .strictObject({
    devicePublicKey: z
      .strictObject({ x: coordinate, y: coordinate })
      .describe('P-256 public key of the device that will hold the code, as decimal strings.'),
    message,
  })
  .meta({ id: 'RequestSignerCodeBody' });

export const signerCodeSchema = z
  .looseObject({
    codeId: z.string(),
    sentTo: z.string().describe('Masked, e.g. `a***@example.com`.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'SignerCode' });

export const signWithCodeBodySchema = z
  .strictObject({
    codeId: z.string().min(1).max(100),
    code: z
      .string()
      .regex(/^\d{6}$/, 'must be six digits')
      .optional()
      .describe('From the message. Needed until it was right once; not looked at afterwards.'),
    message,
    nonce: z
      .string()
      .regex(/^[A-Za-z0-9_-]{16,64}$/, 'must be 16 to 64 characters of base64url')
      .describe('Random, for one request only.'),
    deviceSignature: z
      .strictObject({ r: scalar, s: scalar })
      .describe(
        'ECDSA with SHA-256 by the device key over the lines of this request: see the guide.',
      ),
  })
  .meta({ id: 'SignWithCodeBody' });
export type SignWithCodeBody = z.output<typeof signWithCodeBodySchema>;

export const codeSignatureSchema = z
  .looseObject({
    signature: z
      .string()
      .describe('To be posted as `signature` of the approval, under the locator of this signer.'),
    sessionExpiresAt: z.iso
      .datetime()
      .describe('Until then the device signs without another code.'),
  })
  .meta({ id: 'SignerCodeSignature' });
