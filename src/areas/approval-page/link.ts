import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import type { Secret } from '../../lib/sealing/secret.ts';

/**
 * What a link opens: one object of one wallet, for one of those who are asked to approve it, until
 * then.
 */
export interface ApprovalLink {
  readonly kind: 'transaction' | 'signature';
  readonly projectId: string;
  readonly walletAddress: string;
  readonly objectId: string;
  /** Hash of the signer's locator: an address of somebody has no place in a link. */
  readonly signerHash: string;
  readonly expiresAt: Date;
}

type Keys = Pick<Config, 'keyEncryptionKeys'>;

const kinds = ['transaction', 'signature'] as const;
const payloadSchema = z.tuple([
  z.literal(1),
  z.enum(kinds),
  z.uuid(),
  z.string().max(200),
  z.uuid(),
  z.string().length(22),
  z.int(),
]);
const tokenPattern = /^([\w-]{40,800})\.([\w-]{43})$/;

/**
 * Behind the `#` of the page's address, which browsers keep to themselves. It is derived and
 * nowhere stored.
 */
export function sealLink({ keyEncryptionKeys }: Keys, link: ApprovalLink): string {
  const { kind, projectId, walletAddress, objectId, signerHash, expiresAt } = link;
  const fields = [
    1,
    kind,
    projectId,
    walletAddress,
    objectId,
    signerHash,
    Math.floor(expiresAt.getTime() / 1_000),
  ];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${payload}.${mac(keyEncryptionKeys[0]!.key, payload).toString('base64url')}`;
}

/**
 * Without a look into the database, so that guessing costs it nothing.
 * @returns undefined for a token that was not made here
 */
export function readLink({ keyEncryptionKeys }: Keys, token: string): ApprovalLink | undefined {
  const [, payload, given] = tokenPattern.exec(token) ?? [];
  if (payload === undefined || given === undefined) return undefined;
  const bytes = Buffer.from(given, 'base64url');
  if (!keyEncryptionKeys.some(({ key }) => timingSafeEqual(mac(key, payload), bytes)))
    return undefined;
  const [, kind, projectId, walletAddress, objectId, signerHash, expiresAtSeconds] =
    payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  return {
    kind,
    projectId,
    walletAddress,
    objectId,
    signerHash,
    expiresAt: new Date(expiresAtSeconds * 1_000),
  };
}

/** 128 bits, 22 characters. */
export function hashSigner(locator: string): string {
  return createHash('sha256').update(locator).digest().subarray(0, 16).toString('base64url');
}

/** A key of its own for each purpose: what seals is never what signs. */
function mac(key: Secret<Uint8Array>, payload: string): Buffer {
  const own = createHmac('sha256', key.reveal()).update('links of approval pages, 1').digest();
  return createHmac('sha256', own).update(payload).digest();
}
