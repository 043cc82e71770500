import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { type Authority, storeAuthority, storedAuthoritySchema } from './authority.ts';
import { keccakOfHex, keccakOfText } from './keccak.ts';
import { type Hex, isEvmAddress, wordOf, wordOfAddress } from './words.ts';

/** A message or typed data that a wallet is to sign, as the service stores it until its signers have. */
export interface SignatureRequest {
  /** What is signed. */
  readonly hash: Hex;
  /** What `hash` is the hash of, for owners that are contracts. */
  readonly preimage: Hex;
  readonly chain: string;
  readonly chainId: number;
  readonly wallet: Hex;
  readonly authority: Authority;
  /** True: the signer's own signature is asked for, not the wallet's. */
  readonly own: boolean;
}

const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'));
const requestSchema = z.object({
  kind: z.literal('signature'),
  hash: hex,
  preimage: hex,
  chain: z.string(),
  chainId: z.int(),
  wallet: z.custom<Hex>((value) => typeof value === 'string' && isEvmAddress(value)),
  authority: storedAuthoritySchema,
  own: z.boolean(),
});

export function storeSignatureRequest({ authority, ...request }: SignatureRequest): JsonObject {
  const storedAuthority = storeAuthority(authority);
  return { kind: 'signature', ...request, ...(storedAuthority === undefined ? {} : { authority: storedAuthority }) };
}

/** True for {@link storeSignatureRequest}'s value, false for a stored operation. */
export function isSignatureRequest(value: JsonObject): boolean {
  return value['kind'] === 'signature';
}

/** @throws Error when the value is not one of {@link storeSignatureRequest}: a bug */
export function readSignatureRequest(value: JsonObject): SignatureRequest {
  const { kind: _, authority, ...request } = requestSchema.parse(value);
  return { ...request, authority };
}

const domainTypeHash = keccakOfText('EIP712Domain(uint256 chainId,address verifyingContract)');
const messageTypeHash = keccakOfText('SafeMessage(bytes message)');

/**
 * What a wallet's signers sign so that the wallet has signed a hash: the Safe's own message type, bound to wallet and chain.
 * `walletMessageTypedData` of the contracts says the same in the generic way.
 */
export function walletMessagePreimage(chainId: number, wallet: string, hash: Hex): Hex {
  const domain = keccakOfHex(domainTypeHash + wordOf(chainId) + wordOfAddress(wallet));
  return `0x1901${domain}${keccakOfHex(messageTypeHash + keccakOfHex(hash.slice(2)))}`;
}
