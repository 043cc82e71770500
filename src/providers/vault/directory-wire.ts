import { z } from 'zod';

/**
 * API keys (by the hash of their secret part) and issuers as the main side tells the vault about
 * them.
 */

const list = z.array(z.string().max(300)).max(500);
const instant = z.iso.datetime();

const directoryKeySchema = z.strictObject({
  id: z.uuid(),
  projectId: z.uuid(),
  kind: z.enum(['server', 'client']),
  name: z.string().max(200),
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  hint: z.string().max(20),
  scopes: list,
  allowedOrigins: list,
  allowedAppIds: list,
  allowedExtensionIds: list,
  createdAt: instant,
  revokedAt: instant.nullable(),
  rotatedFrom: z.uuid().nullable(),
});
const directoryIssuerSchema = z.strictObject({
  id: z.uuid(),
  projectId: z.uuid(),
  issuer: z.string().max(500),
  audiences: list,
  algorithm: z.enum(['RS256', 'ES256', 'EdDSA']),
  jwksUrl: z.string().max(500).nullable(),
  jwks: z.looseObject({ keys: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  rules: z.strictObject({
    namespace: z.string().max(64),
    vouchesForEmail: z.boolean(),
    types: list,
    ageMaxSeconds: z.number().int().positive(),
  }),
  createdAt: instant,
});
const changesSchema = z.strictObject({
  keys: z.array(directoryKeySchema).max(1_000),
  issuers: z.array(directoryIssuerSchema).max(1_000),
  removedIssuers: z.array(z.uuid()).max(1_000),
});
export type DirectoryChanges = z.output<typeof changesSchema>;

const version = z.string().regex(/^\d{1,18}$/);
/**
 * Changes after version `from` up to `to`. It is accepted when the copy stands at `from` of this
 * epoch, or when it begins the copy anew. Once `to` is `latest`, the copy is complete as of now; a
 * push without changes says just that.
 */
export const directoryPushSchema = z.strictObject({
  epoch: z.uuid(),
  reset: z.boolean(),
  from: version,
  to: version,
  /** Version of the main side now. */
  latest: version,
  ...changesSchema.shape,
});
export type DirectoryPush = z.output<typeof directoryPushSchema>;

/** Where the vault's copy stands. */
export const directoryPlaceSchema = z.object({
  epoch: z.uuid().nullable(),
  version,
  accepted: z.boolean(),
});
export type DirectoryPlace = z.output<typeof directoryPlaceSchema>;
