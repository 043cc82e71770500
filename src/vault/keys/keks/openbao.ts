import { z } from 'zod';
import type { KekConfig } from '../../../config/vault/vault-config.ts';
import { contextBytes, KekError, type KekProvider, requireDataKey } from '../kek.ts';
import { callKeyService } from './http.ts';

const what = 'OpenBao';
const encryptedSchema = z.object({
  data: z.object({ ciphertext: z.string().regex(/^vault:v\d+:/) }),
});
const decryptedSchema = z.object({ data: z.object({ plaintext: z.base64() }) });

/** A key of OpenBao's transit engine (aes256-gcm96); associated data binds a wrap to its place. */
export function createOpenBaoKek(config: Extract<KekConfig, { kind: 'openbao' }>): KekProvider {
  const call = async <Schema extends z.ZodType>(
    action: 'encrypt' | 'decrypt',
    input: object,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const url = new URL(`v1/${config.mount}/${action}/${config.keyName}`, config.url);
    const { status, body } = await callKeyService(what, (signal) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-vault-token': config.token.reveal(),
          'x-vault-request': 'true',
        },
        body: JSON.stringify(input),
        redirect: 'error',
        signal,
      }),
    );
    if (status === 400 && action === 'decrypt')
      throw new KekError('not-authentic', `${what} does not open the wrapped key.`);
    if (status !== 200) throw new KekError('refused', `${what} refused ${action} with ${status}.`);
    const read = schema.safeParse(body);
    if (!read.success)
      throw new KekError(
        'unavailable',
        `${what} answered ${action} with a body that does not fit.`,
      );
    return read.data;
  };
  const associated = (bytes: Buffer) => bytes.toString('base64');

  return {
    kind: 'openbao',
    async wrap(dataKey, context) {
      const answer = await call(
        'encrypt',
        {
          plaintext: Buffer.from(dataKey).toString('base64'),
          associated_data: associated(contextBytes(context)),
        },
        encryptedSchema,
      );
      return Buffer.from(answer.data.ciphertext, 'latin1');
    },
    async unwrap(wrapped, context) {
      const ciphertext = Buffer.from(wrapped).toString('latin1');
      if (!/^vault:v\d+:/.test(ciphertext))
        throw new KekError('not-authentic', `The wrapped key is none of ${what}.`);
      const answer = await call(
        'decrypt',
        { ciphertext, associated_data: associated(contextBytes(context)) },
        decryptedSchema,
      );
      return requireDataKey(Buffer.from(answer.data.plaintext, 'base64'), what);
    },
  };
}
