import type { Environment } from '../../../context.ts';
import type { LinkedChain, Linking, TxIdRead } from '../facts.ts';

/**
 * Of families with one name for both of their networks: the environment decides which is meant
 * (supplement, section 20).
 */
export function oneName(
  name: string,
  references: { readonly main: string; readonly test: string },
): Linking['findChain'] {
  return (asked: string, environment: Environment): LinkedChain | undefined =>
    asked === name
      ? {
          testnet: environment !== 'production',
          reference: environment === 'production' ? references.main : references.test,
        }
      : undefined;
}

/**
 * Ids that are 32 bytes in hexadecimal behind `0x`, which has no case; what begins otherwise is
 * taken as it is.
 */
export function readHexTxId(text: string): TxIdRead {
  if (!/^0x/i.test(text)) return { txId: text };
  return /^0x[0-9a-f]{64}$/i.test(text)
    ? { txId: text.toLowerCase() }
    : { mistake: 'must be 0x and 64 hexadecimal digits' };
}
