import {
  formatTransaction,
  type RpcTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from 'viem';
import type { Db } from '../../../../store/types.ts';
import { keccak256 } from '../../abi/keccak.ts';
import { bytesOf, type Hex, hexOf } from '../../abi/words.ts';
import type { ChainState } from '../state.ts';

/**
 * The bytes of a transaction of ours as the chain has them, where those that are stored are others.
 * Its hash and the signature of one of our keys stand for them, not the node's word.
 * @returns undefined where the node does not have them, refuses to tell, or tells others
 * @throws RpcTransportError
 */
export async function readChainBytes(
  { rpc, keys }: Pick<ChainState, 'rpc' | 'keys'>,
  hash: Hex,
): Promise<Buffer | undefined> {
  const answer = await rpc.batch([{ method: 'eth_getTransactionByHash', params: [hash] }]);
  const told = answer[0]!;
  const raw = told.ok && told.value !== null ? serialized(told.value) : undefined;
  if (raw === undefined || hexOf(keccak256(bytesOf(raw))) !== hash) return undefined;
  const sender = await recoverTransactionAddress({ serializedTransaction: raw });
  return keys.has(sender.toLowerCase() as Hex) ? Buffer.from(bytesOf(raw)) : undefined;
}

/** Undefined of what is no transaction. */
function serialized(told: unknown): TransactionSerialized | undefined {
  try {
    const { r, s, v, yParity, input, gasPrice, ...tx } = formatTransaction(told as RpcTransaction);
    const signed = { ...tx, data: input, ...(tx.type === 'legacy' && { gasPrice }) };
    return serializeTransaction(
      signed as never,
      {
        r,
        s,
        ...(tx.type === 'legacy' ? { v } : { yParity: yParity ?? Number(v) }),
      } as never,
    ) as TransactionSerialized;
  } catch {
    return undefined;
  }
}

/** Puts the bytes of an attempt back. */
export async function storeBytes(db: Db, { hash, raw }: { hash: Hex; raw: Buffer }): Promise<void> {
  await db.query({
    name: 'evm-relay-store-bytes',
    text: 'update evm_attempts set raw = $2 where hash = $1',
    values: [hash, raw],
  });
}
