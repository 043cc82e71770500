import { AwsClient } from 'aws4fetch';
import { z } from 'zod';
import type { KekConfig } from '../../../config/vault/vault-config.ts';
import { KekError, type KekProvider, requireDataKey, type WrapContext } from '../kek.ts';
import { callKeyService } from './http.ts';

const what = 'AWS KMS';
const encryptedSchema = z.object({ CiphertextBlob: z.base64() });
const decryptedSchema = z.object({ Plaintext: z.base64() });
const refusalSchema = z.looseObject({ __type: z.string().optional() });
/** Error types that mean: this is not what the key wrapped, or not for this context. */
const notAuthentic = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);
const passing = new Set([
  'ThrottlingException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'LimitExceededException',
]);

/**
 * A symmetric key of AWS KMS; the encryption context binds a wrap to its place. Needs kms:Encrypt
 * and kms:Decrypt on it.
 */
export function createAwsKek(config: Extract<KekConfig, { kind: 'aws-kms' }>): KekProvider {
  const { credentials, keyId } = config;
  const client = new AwsClient({
    accessKeyId: credentials.accessKeyId,
    secretAccessKey: credentials.secretAccessKey.reveal(),
    sessionToken: credentials.sessionToken?.reveal(),
    service: 'kms',
    region: config.region,
    retries: 0,
  });
  const call = async <Schema extends z.ZodType>(
    action: string,
    input: object,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const { status, body } = await callKeyService(what, async (signal) => {
      const request = await client.sign(config.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `TrentService.${action}`,
        },
        body: JSON.stringify(input),
      });
      return fetch(request, { signal, redirect: 'error' });
    });
    if (status !== 200) throw refuse(action, status, body);
    const read = schema.safeParse(body);
    if (!read.success)
      throw new KekError(
        'unavailable',
        `${what} answered ${action} with a body that does not fit.`,
      );
    return read.data;
  };

  return {
    kind: 'aws-kms',
    async wrap(dataKey, context) {
      const answer = await call(
        'Encrypt',
        {
          KeyId: keyId,
          Plaintext: Buffer.from(dataKey).toString('base64'),
          EncryptionContext: contextOf(context),
        },
        encryptedSchema,
      );
      return Buffer.from(answer.CiphertextBlob, 'base64');
    },
    async unwrap(wrapped, context) {
      const answer = await call(
        'Decrypt',
        {
          KeyId: keyId,
          CiphertextBlob: Buffer.from(wrapped).toString('base64'),
          EncryptionContext: contextOf(context),
        },
        decryptedSchema,
      );
      return requireDataKey(Buffer.from(answer.Plaintext, 'base64'), what);
    },
  };
}

function contextOf(context: WrapContext): Record<string, string> {
  return {
    service: 'purser-vault',
    purpose: context.purpose,
    project: context.projectId,
    id: context.id,
  };
}

function refuse(action: string, status: number, body: unknown): KekError {
  const type = refusalSchema.safeParse(body).data?.__type?.split('#').at(-1) ?? 'no type';
  if (notAuthentic.has(type))
    return new KekError('not-authentic', `${what} does not open the wrapped key (${type}).`);
  const reason = passing.has(type) ? 'unavailable' : 'refused';
  return new KekError(reason, `${what} refused ${action} with ${status} (${type.slice(0, 100)}).`);
}
