import type { Secret } from '../../../lib/sealing/secret.ts';
import { decrypt, encrypt, NotAuthentic } from '../aead.ts';
import { contextBytes, dataKeyBytes, KekError, type KekProvider } from '../kek.ts';

/**
 * A key of 32 bytes from the settings, mostly from a file: wraps with AES-256-GCM in this process.
 */
export function createFileKek(key: Secret<Uint8Array>): KekProvider {
  if (key.reveal().length !== dataKeyBytes)
    throw new Error(`A key-encryption key has ${dataKeyBytes} bytes.`);
  return {
    kind: 'file',
    wrap: async (dataKey, context) => encrypt(key.reveal(), dataKey, contextBytes(context)),
    unwrap: async (wrapped, context) => {
      try {
        return decrypt(key.reveal(), wrapped, contextBytes(context));
      } catch (error) {
        if (error instanceof NotAuthentic)
          throw new KekError(
            'not-authentic',
            'The wrapped key does not open with this key-encryption key.',
            error,
          );
        throw error;
      }
    },
  };
}
