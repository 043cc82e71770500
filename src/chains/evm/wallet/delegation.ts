import { recover } from 'tiny-secp256k1';
import { addresses } from '../../../../contracts/generated.ts';
import { keccak256 } from '../abi/keccak.ts';
import { encodeRlpList, type RlpItem } from '../abi/rlp.ts';
import { bytesOf, type Hex, hexOf } from '../abi/words.ts';

/**
 * Delegations of accounts (EIP-7702): the key of an account signs that the code of a contract is to
 * run as the account, and anybody may take that along in a transaction of type 4. Ours always name
 * this one contract and one chain, so what is signed can do no more than make the account what its
 * wallet is.
 */

/**
 * What the key is asked to sign for a chain; only valid while the account's transaction count is
 * `nonce`.
 */
export interface Delegation {
  readonly chainId: number;
  readonly nonce: bigint;
}

export interface SignedDelegation extends Delegation {
  /** r, s, v with v 27 or 28. */
  readonly signature: Hex;
}

const target = bytesOf(addresses.delegatedAccount);
const marker = '0xef0100';

/** The code of an account that delegated to ours. */
export const delegatedCode: Hex =
  `${marker}${addresses.delegatedAccount.slice(2).toLowerCase()}` as Hex;

/** What `eth_call` is told so that accounts which will delegate do so already. */
export function delegatedAccounts(
  wallets: readonly string[],
): Record<string, { readonly code: Hex }> {
  return Object.fromEntries(
    wallets.map((wallet) => [wallet.toLowerCase(), { code: delegatedCode }]),
  );
}

/**
 * Gas that each delegation of a transaction costs before anything runs, whether or not it takes
 * effect.
 */
export const delegationGas = 25_000n;

/**
 * What a delegation adds to the bytes of a transaction, at most: chain id, address, count, parity,
 * r and s.
 */
export const delegationBytesMax = 110;

function fieldsOf({ chainId, nonce }: Delegation): RlpItem[] {
  return [BigInt(chainId), target, nonce];
}

/** What the account's key signs. The leading 5 is of no transaction, message or typed data. */
export function delegationDigest(delegation: Delegation): Uint8Array {
  return keccak256(Buffer.concat([Buffer.of(0x05), encodeRlpList(fieldsOf(delegation))]));
}

/** The entry in the list of a transaction of type 4. */
export function delegationTuple(signed: SignedDelegation): RlpItem[] {
  const { r, s, parity } = partsOf(signed.signature);
  return [...fieldsOf(signed), parity, r, s];
}

/** The same as a node takes it beside a call. */
export function delegationJson(signed: SignedDelegation): Record<string, string> {
  const { r, s, parity } = partsOf(signed.signature);
  const quantity = (value: bigint) => `0x${value.toString(16)}`;
  const { chainId, nonce } = signed;
  return {
    chainId: quantity(BigInt(chainId)),
    address: addresses.delegatedAccount.toLowerCase(),
    nonce: quantity(nonce),
    yParity: quantity(parity),
    r: quantity(r),
    s: quantity(s),
  };
}

function partsOf(signature: Hex): { r: bigint; s: bigint; parity: bigint } {
  const [r, s] = [signature.slice(2, 66), signature.slice(66, 130)].map((word) =>
    BigInt(`0x${word}`),
  );
  return { r: r!, s: s!, parity: BigInt(`0x${signature.slice(130, 132)}`) - 27n };
}

/** The account whose key signed it; undefined when no key did. In lower case. */
export function delegatorOf(signed: SignedDelegation): string | undefined {
  const bytes = bytesOf(signed.signature);
  const parity = (bytes[64] ?? 0) - 27;
  if (bytes.length !== 65 || (parity !== 0 && parity !== 1)) return undefined;
  try {
    const point = recover(delegationDigest(signed), bytes.subarray(0, 64), parity, false);
    return point === null ? undefined : hexOf(keccak256(point.subarray(1)).subarray(12));
  } catch {
    // No point of the curve has these numbers: nobody signed this.
    return undefined;
  }
}

/** What an account needs so that it runs our code. */
export interface AccountState {
  readonly delegated: boolean;
  /**
   * That a delegation has to name: of one that took effect already, the one that made it, for the
   * case that it is undone.
   */
  readonly nonce: bigint;
}

/**
 * From what a node says of an account; undefined when code stands there that no key can replace.
 */
export function readAccountState(code: string, transactionCount: bigint): AccountState | undefined {
  const known = code.toLowerCase();
  if (known === delegatedCode && transactionCount > 0n)
    return { delegated: true, nonce: transactionCount - 1n };
  return known === '0x' || known.startsWith(marker)
    ? { delegated: false, nonce: transactionCount }
    : undefined;
}
