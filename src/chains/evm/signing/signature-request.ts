import { hashMessage } from 'viem';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import { keccakOfHex, keccakOfText } from '../abi/keccak.ts';
import { readTypedData } from '../abi/typed-data.ts';
import { type Hex, isEvmAddress, wordOf, wordOfAddress } from '../abi/words.ts';
import { type Authority, storeAuthority, storedAuthoritySchema } from '../wallet/authority.ts';

/** What the wallet is asked to sign, as the caller sent it. */
export type SignatureContent = { readonly message: string } | { readonly typedData: JsonObject };

/**
 * A message or typed data that a wallet is to sign, as the service stores it until its signers
 * have.
 */
export interface StoredSignatureRequest {
  readonly content: SignatureContent;
  readonly chain: string;
  readonly chainId: number;
  readonly wallet: Hex;
  readonly authority: Authority;
  /** True: the signer's own signature is asked for, not the wallet's. */
  readonly own: boolean;
}

/** With the hashes of what it holds: they are computed whenever it is read, and never stored. */
export interface SignatureRequest extends StoredSignatureRequest {
  /** What is signed. */
  readonly hash: Hex;
  /** What `hash` is the hash of, for owners that are contracts. */
  readonly preimage: Hex;
}

const requestSchema = z.object({
  kind: z.literal('signature'),
  content: z.union([
    z.strictObject({ message: z.string() }),
    z.strictObject({ typedData: z.custom<JsonObject>() }),
  ]),
  chain: z.string(),
  chainId: z.int(),
  wallet: z.custom<Hex>((value) => typeof value === 'string' && isEvmAddress(value)),
  authority: storedAuthoritySchema,
  own: z.boolean(),
});

/**
 * What was stored a moment ago is handed on as the same object: then it need not be hashed again.
 */
const justStored = new WeakMap<JsonObject, SignatureRequest>();

/**
 * @returns the value to store, and the request with its hashes
 * @throws validation-error when the typed data is none of EIP-712
 */
export function storeSignatureRequest(request: StoredSignatureRequest): {
  readonly value: JsonObject;
  readonly request: SignatureRequest;
} {
  const { authority, ...rest } = request;
  const storedAuthority = storeAuthority(authority);
  const value: JsonObject = {
    kind: 'signature',
    ...rest,
    ...(storedAuthority === undefined ? {} : { authority: storedAuthority }),
  };
  const hashed = withHashes(request);
  justStored.set(value, hashed);
  return { value, request: hashed };
}

/** True for {@link storeSignatureRequest}'s value, false for a stored operation. */
export function isSignatureRequest(value: JsonObject): boolean {
  return value['kind'] === 'signature';
}

/**
 * @throws Error when the value is not one of {@link storeSignatureRequest}: a bug, or it was
 * changed
 */
export function readSignatureRequest(value: JsonObject): SignatureRequest {
  const known = justStored.get(value);
  if (known) return known;
  const { kind: _, authority, ...request } = requestSchema.parse(value);
  return withHashes({ ...request, authority });
}

function withHashes(request: StoredSignatureRequest): SignatureRequest {
  const { content, chain, chainId, wallet, own } = request;
  const hash =
    'message' in content
      ? hashMessage(content.message)
      : readTypedData(content.typedData, { name: chain, chainId }).hash;
  const preimage = walletMessagePreimage(chainId, wallet, hash);
  return { ...request, preimage, hash: own ? hash : `0x${keccakOfHex(preimage.slice(2))}` };
}

const domainTypeHash = keccakOfText('EIP712Domain(uint256 chainId,address verifyingContract)');
const messageTypeHash = keccakOfText('SafeMessage(bytes message)');

/**
 * What a wallet's signers sign so that the wallet has signed a hash: the Safe's own message type,
 * bound to wallet and chain. `walletMessageTypedData` of the contracts says the same in the generic
 * way.
 */
function walletMessagePreimage(chainId: number, wallet: string, hash: Hex): Hex {
  const domain = keccakOfHex(domainTypeHash + wordOf(chainId) + wordOfAddress(wallet));
  return `0x1901${domain}${keccakOfHex(messageTypeHash + keccakOfHex(hash.slice(2)))}`;
}
