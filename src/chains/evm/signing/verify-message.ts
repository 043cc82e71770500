import { createClient, custom, hashMessage, isErc6492Signature, recoverAddress } from 'viem';
import { verifyHash } from 'viem/actions';
import type { MessageVerifier } from '../../family.ts';
import { bytesTail, type Hex, wordOf } from '../abi/words.ts';
import { type EvmConnections, nodeError } from '../rpc/connections.ts';
import { RpcError, RpcTransportError } from '../rpc/rpc.ts';

export interface MessageToVerify {
  readonly address: string;
  readonly message: string;
  readonly signature: string;
  readonly chain: string;
}

/** `isValidSignature(bytes32,bytes)`, and what it answers for yes (ERC-1271). */
const selector = '1626ba7e';
const signaturePattern = /^0x(?:[0-9a-fA-F]{2})*$/;
/** In characters; longer than any signature of a smart wallet that a caller could mean. */
const signatureLengthMax = 20_000;
/** Hex digits of a key's signature: 65 bytes, or 64 in the short form. */
const keySignatureLengths: readonly number[] = [132, 130];
/** What nodes say about themselves rather than about the call: internal error, limits. */
const nodeFaults: readonly number[] = [-32603, -32005, -32097];

/**
 * A text signed with `personal_sign` (EIP-191): by the key of the address, which needs no node, or
 * by a smart wallet there (ERC-1271), deployed or not (ERC-6492), which the chain's node is asked
 * about.
 * @returns who verified it; a contract did for this chain only
 * @throws chain-not-supported, provider-unavailable, upstream-error when only the node can tell and
 * it cannot be asked
 */
export async function verifyEvmMessage(
  connections: Pick<EvmConnections, 'rpcOf'>,
  input: MessageToVerify,
): Promise<MessageVerifier | undefined> {
  if (!signaturePattern.test(input.signature) || input.signature.length > signatureLengthMax)
    return undefined;
  const signed = {
    address: input.address as Hex,
    hash: hashMessage(input.message),
    signature: input.signature as Hex,
  };
  if (await isSignedByKey(signed)) return 'key';
  const ask = createAsk(connections.rpcOf(input.chain));
  const answer = isErc6492Signature(signed.signature)
    ? isAcceptedOnceDeployed(ask.request, signed)
    : isAccepted(ask.request, signed);
  const isValid = await answer.catch((error: unknown) => {
    if (error instanceof RpcError) return false;
    throw nodeError(ask.failure() ?? error, input.chain);
  });
  // The library takes every failure of its call for a "no".
  if (!isValid && ask.failure() !== undefined) throw nodeError(ask.failure(), input.chain);
  return isValid ? 'contract' : undefined;
}

interface SignedHash {
  readonly address: Hex;
  readonly hash: Hex;
  readonly signature: Hex;
}

type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

async function isSignedByKey({ address, hash, signature }: SignedHash): Promise<boolean> {
  if (!keySignatureLengths.includes(signature.length)) return false;
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() === address.toLowerCase();
  } catch {
    // Not a point of the curve: no key signed this.
    return false;
  }
}

/** Asks the wallet itself. An address without code answers nothing, which is a no. */
async function isAccepted(
  request: Request,
  { address, hash, signature }: SignedHash,
): Promise<boolean> {
  const data = `0x${selector}${hash.slice(2)}${wordOf(64)}${bytesTail(signature)}`;
  const answer = await request('eth_call', [{ to: address, data }, 'latest']);
  return typeof answer === 'string' && answer.length === 66 && answer.startsWith(`0x${selector}`);
}

/**
 * The signature brings along how the wallet is deployed: it is, inside of the call, and then asked.
 */
async function isAcceptedOnceDeployed(request: Request, signed: SignedHash): Promise<boolean> {
  const provider = {
    request: ({ method, params }: { method: string; params?: unknown }) =>
      request(method, (params ?? []) as unknown[]),
  };
  return verifyHash(createClient({ transport: custom(provider, { retryCount: 0 }) }), signed);
}

/** Passes calls on and remembers when it was the node that failed, and not the call. */
function createAsk(rpc: ReturnType<EvmConnections['rpcOf']>): {
  readonly request: Request;
  failure(): unknown;
} {
  let failure: unknown;
  return {
    request: (method, params) =>
      rpc.request(method, params).catch((error: unknown) => {
        if (error instanceof RpcTransportError || isNodeFault(error)) failure = error;
        throw error;
      }),
    failure: () => failure,
  };
}

function isNodeFault(error: unknown): boolean {
  return (
    error instanceof RpcError &&
    error.data === undefined &&
    nodeFaults.includes(error.code) &&
    !/revert/i.test(error.message)
  );
}
