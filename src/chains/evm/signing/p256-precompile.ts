import { p256 } from '@noble/curves/nist.js';
import { hexOf } from '../abi/words.ts';
import type { EvmConnection } from '../rpc/connections.ts';

/**
 * Which chains verify P-256 signatures by themselves (RIP-7212, EIP-7951); the others take fifteen
 * times the gas for it.
 */
export interface P256Precompiles {
  /** False also when the node does not tell: then too much gas is planned, never too little. */
  has(connection: EvmConnection): Promise<boolean>;
}

const precompileAddress = '0x0000000000000000000000000000000000000100';

export function createP256Precompiles(): P256Precompiles {
  const known = new Map<number, boolean>();
  return {
    async has(connection) {
      const before = known.get(connection.chainId);
      if (before !== undefined) return before;
      const [result] = await connection.ask([
        {
          method: 'eth_call',
          params: [{ to: precompileAddress, data: hexOf(aRightSignature()) }, 'latest'],
        },
      ]);
      if (!result!.ok) return false;
      const answer = result!.value === `0x${'1'.padStart(64, '0')}`;
      known.set(connection.chainId, answer);
      return answer;
    },
  };
}

/** Hash, r, s, x, y, as the precompile takes them. The key is nobody's. */
function aRightSignature(): Uint8Array {
  const secretKey = new Uint8Array(32).fill(1);
  const hash = new Uint8Array(32).fill(2);
  return Buffer.concat([
    hash,
    p256.sign(hash, secretKey, { prehash: false }),
    p256.getPublicKey(secretKey, false).subarray(1),
  ]);
}
