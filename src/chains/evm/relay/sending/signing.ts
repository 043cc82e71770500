import { signRecoverable } from 'tiny-secp256k1';
import type { SignedAuthorizationList } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { parseTransaction } from 'viem/utils';
import type { Secret } from '../../../../lib/sealing/secret.ts';
import { keccak256 } from '../../abi/keccak.ts';
import { encodeRlpList, type RlpItem } from '../../abi/rlp.ts';
import { bytesOf, type Hex, hexOf } from '../../abi/words.ts';
import { delegationTuple, type SignedDelegation } from '../../wallet/delegation.ts';
import type { Fees } from '../types.ts';

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
  /** Delegations that it takes along: it is of type 4 then (EIP-7702), on whatever chain. */
  readonly delegations?: readonly SignedDelegation[];
}

export interface SignedTx {
  readonly hash: Hex;
  readonly raw: Buffer;
}

export function createSigningAccount(key: Secret<Hex>): SigningAccount {
  return { address: privateKeyToAddress(key.reveal()).toLowerCase() as Hex, key };
}

/**
 * Signs with a deterministic nonce (RFC 6979): the same content and fee give the same bytes.
 * Encoded here and not by the generic library, which takes eight times as long for a batch; a test
 * holds the two together.
 */
export async function signTx(
  account: SigningAccount,
  content: TxContent,
  fees: Fees,
): Promise<SignedTx> {
  const { chainId } = content;
  const delegations = content.delegations ?? [];
  const isLegacy = fees.legacy && delegations.length === 0;
  const fields = isLegacy ? legacyFields(content, fees) : dynamicFeeFields(content, fees);
  if (delegations.length > 0) fields.push(delegations.map(delegationTuple));
  const typed = (all: readonly RlpItem[]) =>
    Buffer.concat([Buffer.of(delegations.length > 0 ? 0x04 : 0x02), encodeRlpList(all)]);
  const unsigned = isLegacy ? encodeRlpList([...fields, BigInt(chainId), 0n, 0n]) : typed(fields);
  // libsecp256k1 as WebAssembly, as in custody: 0.2 ms instead of 1 to 5.
  const { signature, recoveryId } = signRecoverable(
    keccak256(unsigned),
    bytesOf(account.key.reveal()),
  );
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map((part) =>
    BigInt(hexOf(part)),
  );
  const parity = BigInt(recoveryId);
  const signed = [...fields, isLegacy ? BigInt(chainId) * 2n + 35n + parity : parity, r!, s!];
  const raw = isLegacy ? encodeRlpList(signed) : typed(signed);
  return { hash: hexOf(keccak256(raw)), raw };
}

/** What the key of an account signs of a transaction of type 2 (EIP-1559): these bytes' hash. */
export function unsignedBytes(content: TxContent, fees: Omit<Fees, 'legacy'>): Buffer {
  return Buffer.concat([
    Buffer.of(0x02),
    encodeRlpList(dynamicFeeFields(content, { ...fees, legacy: false })),
  ]);
}

/** The same with a signature: r, s, v with v 27 or 28. */
export function signedBytesOf(
  content: TxContent,
  fees: Omit<Fees, 'legacy'>,
  signature: Uint8Array,
): SignedTx {
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)].map((part) =>
    BigInt(hexOf(part)),
  );
  const fields = dynamicFeeFields(content, { ...fees, legacy: false });
  const parity = BigInt(signature[64]! - 27);
  const raw = Buffer.concat([Buffer.of(0x02), encodeRlpList([...fields, parity, r!, s!])]);
  return { hash: hexOf(keccak256(raw)), raw };
}

/** EIP-155. */
function legacyFields(content: TxContent, fees: Fees): RlpItem[] {
  return [
    content.nonce,
    fees.maxFeeWei,
    content.gasLimit,
    bytesOf(content.to),
    content.valueWei,
    content.data,
  ];
}

/** EIP-1559, with an empty access list. */
function dynamicFeeFields(content: TxContent, fees: Fees): RlpItem[] {
  return [
    BigInt(content.chainId),
    content.nonce,
    fees.tipWei,
    fees.maxFeeWei,
    content.gasLimit,
    bytesOf(content.to),
    content.valueWei,
    content.data,
    [],
  ];
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
    ...(tx.type === 'eip7702' && { delegations: tx.authorizationList.map(readDelegation) }),
  };
}

function readDelegation({
  chainId,
  nonce,
  r,
  s,
  yParity,
}: SignedAuthorizationList[number]): SignedDelegation {
  const word = (hex: Hex) => hex.slice(2).padStart(64, '0');
  return {
    chainId,
    nonce: BigInt(nonce),
    signature: `0x${word(r)}${word(s)}${(27 + (yParity ?? 0)).toString(16)}`,
  };
}
