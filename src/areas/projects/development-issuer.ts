import { importJWK, type JWK, SignJWT } from 'jose';
import type { Secret } from '../../lib/sealing/secret.ts';
import type { ProjectsCtx } from './projects.ts';
import { addTrustedIssuer, listTrustedIssuers } from './trusted-issuers.ts';

const keyId = 'development';

export interface DevelopmentKey {
  /** Ed25519. */
  readonly seed: Secret<Uint8Array>;
  readonly publicKey: Uint8Array;
}

/**
 * Makes a project trust JWTs of its local instance: issuer is the project's id, as with self-issued
 * tokens.
 */
export async function ensureDevelopmentIssuer(
  ctx: ProjectsCtx,
  input: { readonly projectId: string; readonly key: DevelopmentKey },
): Promise<void> {
  const issuers = await listTrustedIssuers(ctx, input);
  if (issuers.some((issuer) => issuer.issuer === input.projectId)) return;
  await addTrustedIssuer(ctx, {
    projectId: input.projectId,
    issuer: input.projectId,
    algorithm: 'EdDSA',
    jwks: { keys: [publicJwk(input.key)] },
  });
}

/** An end-user JWT of the local instance. An e-mail counts as verified. */
export async function signDevelopmentToken(
  ctx: ProjectsCtx,
  input: {
    readonly projectId: string;
    readonly key: DevelopmentKey;
    readonly user: string;
    readonly email?: string;
    readonly ttlMs: number;
  },
): Promise<string> {
  const privateKey = await importJWK(
    { ...publicJwk(input.key), d: Buffer.from(input.key.seed.reveal()).toString('base64url') },
    'EdDSA',
  );
  const nowSeconds = Math.floor(ctx.clock.now().getTime() / 1_000);
  return new SignJWT(input.email === undefined ? {} : { email: input.email, email_verified: true })
    .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: 'JWT' })
    .setIssuer(input.projectId)
    .setAudience([ctx.config.serviceDomain])
    .setSubject(input.user)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + Math.floor(input.ttlMs / 1_000))
    .sign(privateKey);
}

function publicJwk(key: DevelopmentKey): JWK {
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(key.publicKey).toString('base64url'),
    kid: keyId,
    alg: 'EdDSA',
    use: 'sig',
  };
}
