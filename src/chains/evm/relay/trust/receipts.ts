import { parseTransaction } from 'viem/utils';
import { keccak256 } from '../../abi/keccak.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import { type EvmNetwork, starOf } from '../../config/networks.ts';
import type { Receipt } from '../rpc-schemas.ts';

/** What any transaction takes on Ethereum, and each of its bytes at most (EIP-2028). */
const baseGas = 21_000n;
const byteGas = 16n;

/** A transaction that was signed here. */
interface Signed {
  readonly hash: Hex;
  readonly raw: Uint8Array;
}

/** Whether its bytes are those that were signed. */
export const isIntact = ({ hash, raw }: Signed): boolean => hexOf(keccak256(raw)) === hash;

type Priced = Pick<EvmNetwork, 'name' | 'bounds'>;

/**
 * What a rollup may take for the bytes of a transaction, in wei: what a transaction of its own with
 * them takes on Ethereum at its highest fee. Such a fee stands in receipts only, so that nothing
 * that was signed bounds it. Whoever allows more per gas allows more for bytes; who allows less
 * says nothing about Ethereum.
 */
function dataFeeMaxOf(raw: Uint8Array, { feeMaxWei, dataGasMaxWei }: Priced['bounds']): bigint {
  const gas = baseGas + byteGas * BigInt(raw.length);
  return gas * (feeMaxWei > dataGasMaxWei ? feeMaxWei : dataGasMaxWei);
}

/**
 * Why a node's receipt cannot be one of this transaction; undefined where it can. What cannot be is
 * neither believed nor written down as spent.
 */
export function doubtOf(
  signed: Signed,
  { transactionHash, gasUsed, effectiveGasPrice, l1Fee }: Receipt,
  { name, bounds }: Priced,
): string | undefined {
  const { hash, raw } = signed;
  if (!isIntact(signed)) return 'its bytes were changed where they are stored';
  if (transactionHash !== hash) return 'the node tells of another transaction';
  const { gas = 0n, maxFeePerGas, gasPrice } = parseTransaction(hexOf(raw));
  if (gasUsed > gas || (effectiveGasPrice ?? 0n) > (maxFeePerGas ?? gasPrice ?? 0n))
    return 'the node names a cost above what was signed for';
  const dataFeeMax = dataFeeMaxOf(raw, bounds);
  if ((l1Fee ?? 0n) > dataFeeMax)
    return `the node names ${l1Fee} wei for its bytes, and ${dataFeeMax} is the most that is believed (raise EVM_FEE_MAX_WEI_${starOf(name)} if this is the market)`;
  return undefined;
}
