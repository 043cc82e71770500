import { recover } from 'tiny-secp256k1';
import { parseTransaction } from 'viem/utils';
import { keccak256 } from '../abi/keccak.ts';
import { bytesOf, type Hex, hexOf } from '../abi/words.ts';
import { type TxContent, unsignedBytes } from '../relay/sending/signing.ts';
import type { Fees } from '../relay/types.ts';

/** Transactions of type 2 (EIP-1559), read. */

export interface DecodedTx {
  readonly content: TxContent;
  readonly fees: Omit<Fees, 'legacy'>;
}

/** @throws Error when the bytes are no such transaction, or carry more */
export function decodeUnsigned(bytes: Uint8Array): DecodedTx {
  const tx = parseTransaction(hexOf(bytes));
  if (tx.type !== 'eip1559') throw new Error(`it is of type ${tx.type}`);
  if (tx.r !== undefined) throw new Error('it is signed already');
  return decodedOf(tx);
}

/**
 * A signed transaction, with who signed it, in lower case.
 * @throws Error when the bytes are no such transaction, or nobody signed them
 */
export function decodeSigned(raw: Uint8Array): DecodedTx & { readonly sender: Hex } {
  const tx = parseTransaction(hexOf(raw));
  if (tx.type !== 'eip1559') throw new Error(`it is of type ${tx.type}`);
  if (tx.r === undefined || tx.s === undefined) throw new Error('it is not signed');
  const decoded = decodedOf(tx);
  const digest = keccak256(unsignedBytes(decoded.content, decoded.fees));
  const compact = Buffer.concat(
    [tx.r, tx.s].map((part) => bytesOf(`0x${part.slice(2).padStart(64, '0')}`)),
  );
  const point = recover(digest, compact, tx.yParity === 1 ? 1 : 0, false);
  if (point === null) throw new Error('nobody signed it');
  return { ...decoded, sender: hexOf(keccak256(point.subarray(1)).subarray(12)) };
}

function decodedOf(tx: {
  readonly chainId: number;
  readonly nonce?: number | undefined;
  readonly to?: Hex | null | undefined;
  readonly value?: bigint | undefined;
  readonly data?: Hex | undefined;
  readonly gas?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
}): DecodedTx {
  if (tx.to === undefined || tx.to === null) throw new Error('it calls nobody');
  return {
    content: {
      chainId: tx.chainId,
      nonce: BigInt(tx.nonce ?? 0),
      to: tx.to.toLowerCase() as Hex,
      valueWei: tx.value ?? 0n,
      data: bytesOf(tx.data ?? '0x'),
      gasLimit: tx.gas ?? 0n,
    },
    fees: { maxFeeWei: tx.maxFeePerGas ?? 0n, tipWei: tx.maxPriorityFeePerGas ?? 0n },
  };
}
