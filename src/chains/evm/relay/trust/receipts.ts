import { parseTransaction } from 'viem/utils';
import { keccak256 } from '../../abi/keccak.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import type { Receipt } from '../rpc-schemas.ts';

/** What any transaction takes on Ethereum, and each of its bytes at most (EIP-2028). */
const baseGas = 21_000n;
const byteGas = 16n;

/** A transaction that was signed here. */
interface Signed {
  readonly hash: Hex;
  readonly raw: Uint8Array;
}

/**
 * What a rollup may take for the bytes of a transaction, in wei: what a transaction of its own with
 * them takes on Ethereum, at the highest fee of the network's settings. Such a fee stands in
 * receipts only, so that nothing that was signed bounds it.
 */
function dataFeeMaxOf(raw: Uint8Array, feeMaxWei: bigint): bigint {
  return (baseGas + byteGas * BigInt(raw.length)) * feeMaxWei;
}

/**
 * Why a node's receipt cannot be one of this transaction; undefined where it can. What cannot be is
 * neither believed nor written down as spent.
 */
export function doubtOf(signed: Signed, receipt: Receipt, feeMaxWei: bigint): string | undefined {
  const { hash, raw } = signed;
  if (hexOf(keccak256(raw)) !== hash) return 'its bytes were changed where they are stored';
  if (receipt.transactionHash !== hash) return 'the node tells of another transaction';
  const { gas = 0n, maxFeePerGas, gasPrice } = parseTransaction(hexOf(raw));
  if (
    receipt.gasUsed > gas ||
    (receipt.effectiveGasPrice ?? 0n) > (maxFeePerGas ?? gasPrice ?? 0n) ||
    (receipt.l1Fee ?? 0n) > dataFeeMaxOf(raw, feeMaxWei)
  )
    return 'the node names a cost above what was signed for';
  return undefined;
}
