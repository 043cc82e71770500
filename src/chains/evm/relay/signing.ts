import { parseTransaction, serializeTransaction } from 'viem/utils';
import { privateKeyToAddress, sign } from 'viem/accounts';
import type { TransactionSerializable } from 'viem';
import type { Secret } from '../../../lib/secret.ts';
import { keccak256 } from '../keccak.ts';
import { bytesOf, hexOf, type Hex } from '../words.ts';
import type { Fees } from './types.ts';

/** An account of the service: its address (lower case) and the key that signs for it. */
export interface SigningAccount {
  readonly address: Hex;
  readonly key: Secret<Hex>;
}

/** A transaction without its fee. */
export interface TxContent {
  readonly chainId: number;
  readonly nonce: bigint;
  readonly to: Hex;
  readonly valueWei: bigint;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
}

export interface SignedTx {
  readonly hash: Hex;
  readonly raw: Buffer;
}

export function createSigningAccount(key: Secret<Hex>): SigningAccount {
  return { address: privateKeyToAddress(key.reveal()).toLowerCase() as Hex, key };
}

/** Signs with a deterministic nonce (RFC 6979): the same content and fee give the same bytes. */
export async function signTx(account: SigningAccount, content: TxContent, fees: Fees): Promise<SignedTx> {
  const tx = serializable(content, fees);
  const digest = hexOf(keccak256(bytesOf(serializeTransaction(tx))));
  const signature = await sign({ hash: digest, privateKey: account.key.reveal() });
  const raw = bytesOf(serializeTransaction(tx, signature));
  return { hash: hexOf(keccak256(raw)), raw };
}

/** What an earlier attempt carries, to sign it with another fee. */
export function readTxContent(raw: Uint8Array, chainId: number): TxContent {
  const tx = parseTransaction(hexOf(raw));
  return {
    chainId: tx.chainId ?? chainId,
    nonce: BigInt(tx.nonce ?? 0),
    to: tx.to!,
    valueWei: tx.value ?? 0n,
    data: bytesOf((tx as { data?: Hex }).data ?? '0x'),
    gasLimit: tx.gas ?? 0n,
  };
}

function serializable(content: TxContent, fees: Fees): TransactionSerializable {
  const common = {
    chainId: content.chainId,
    nonce: Number(content.nonce),
    to: content.to,
    value: content.valueWei,
    gas: content.gasLimit,
    data: hexOf(content.data),
  };
  if (fees.legacy) return { ...common, type: 'legacy', gasPrice: fees.maxFeeWei };
  return { ...common, type: 'eip1559', maxFeePerGas: fees.maxFeeWei, maxPriorityFeePerGas: fees.tipWei };
}
