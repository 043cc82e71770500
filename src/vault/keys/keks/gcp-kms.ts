import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { GcpServiceAccount, KekConfig } from '../../../config/vault/vault-config.ts';
import type { Clock } from '../../../lib/clock.ts';
import { contextBytes, KekError, type KekProvider, requireDataKey } from '../kek.ts';
import { callKeyService } from './http.ts';

const what = 'Google Cloud KMS';
const scope = 'https://www.googleapis.com/auth/cloudkms';
const assertionLifeSeconds = 3_600;
/** A token is fetched again this long before it ends. */
const tokenMarginMs = 60_000;

const tokenSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
});
const encryptedSchema = z.object({ ciphertext: z.base64() });
const decryptedSchema = z.object({ plaintext: z.base64() });

/**
 * A symmetric key of Google Cloud KMS, used as a service account; additional authenticated data
 * binds a wrap to its place.
 */
export function createGcpKek(
  config: Extract<KekConfig, { kind: 'gcp-kms' }>,
  ctx: { readonly clock: Clock },
): KekProvider {
  const tokens = createTokens(config.serviceAccount, ctx.clock);
  const call = async <Schema extends z.ZodType>(
    action: 'encrypt' | 'decrypt',
    input: object,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const url = new URL(`v1/${config.keyName}:${action}`, config.url);
    const send = async () => {
      const token = await tokens.get();
      return callKeyService(what, (signal) =>
        fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(input),
          redirect: 'error',
          signal,
        }),
      );
    };
    let answer = await send();
    if (answer.status === 401) {
      // Revoked or ended early: once more with a new one.
      tokens.drop();
      answer = await send();
    }
    if (answer.status === 400 && action === 'decrypt')
      throw new KekError('not-authentic', `${what} does not open the wrapped key.`);
    if (answer.status !== 200)
      throw new KekError('refused', `${what} refused ${action} with ${answer.status}.`);
    const read = schema.safeParse(answer.body);
    if (!read.success)
      throw new KekError(
        'unavailable',
        `${what} answered ${action} with a body that does not fit.`,
      );
    return read.data;
  };

  return {
    kind: 'gcp-kms',
    async wrap(dataKey, context) {
      const answer = await call(
        'encrypt',
        {
          plaintext: Buffer.from(dataKey).toString('base64'),
          additionalAuthenticatedData: contextBytes(context).toString('base64'),
        },
        encryptedSchema,
      );
      return Buffer.from(answer.ciphertext, 'base64');
    },
    async unwrap(wrapped, context) {
      const answer = await call(
        'decrypt',
        {
          ciphertext: Buffer.from(wrapped).toString('base64'),
          additionalAuthenticatedData: contextBytes(context).toString('base64'),
        },
        decryptedSchema,
      );
      return requireDataKey(Buffer.from(answer.plaintext, 'base64'), what);
    },
  };
}

/** Access tokens for a service account: a signed assertion is exchanged for one (RFC 7523). */
function createTokens(account: GcpServiceAccount, clock: Clock) {
  let held: { readonly token: string; readonly untilMs: number } | undefined;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const nowSeconds = Math.floor(clock.now().getTime() / 1_000);
    const key = await importPKCS8(account.privateKey.reveal(), 'RS256').catch((cause: unknown) => {
      throw new KekError(
        'refused',
        'The private key of the service account cannot be read.',
        cause,
      );
    });
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({
        alg: 'RS256',
        typ: 'JWT',
        ...(account.keyId === undefined ? {} : { kid: account.keyId }),
      })
      .setIssuer(account.email)
      .setAudience(account.tokenUrl)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + assertionLifeSeconds)
      .sign(key);
    const { status, body } = await callKeyService('Google’s token service', (signal) =>
      fetch(account.tokenUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion,
        }),
        redirect: 'error',
        signal,
      }),
    );
    if (status !== 200)
      throw new KekError(
        'refused',
        `Google’s token service refused the service account with ${status}.`,
      );
    const read = tokenSchema.safeParse(body);
    if (!read.success)
      throw new KekError(
        'unavailable',
        'Google’s token service answered with a body that does not fit.',
      );
    held = {
      token: read.data.access_token,
      untilMs: clock.now().getTime() + read.data.expires_in * 1_000 - tokenMarginMs,
    };
    return held.token;
  }

  return {
    async get(): Promise<string> {
      if (held && clock.now().getTime() < held.untilMs) return held.token;
      fetching ??= fetchToken().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    drop: () => {
      held = undefined;
    },
  };
}
