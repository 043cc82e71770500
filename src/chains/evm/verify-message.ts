import { createClient, custom, hashMessage, recoverAddress } from 'viem';
import { verifyHash } from 'viem/actions';
import type { EvmConnections } from './connections.ts';
import { nodeError } from './connections.ts';
import { RpcError, RpcTransportError } from './rpc.ts';
import type { Hex } from './words.ts';

export interface MessageToVerify {
  readonly address: string;
  readonly message: string;
  readonly signature: string;
  readonly chain: string;
}

const signaturePattern = /^0x(?:[0-9a-fA-F]{2})+$/;
/** Longer than any signature of a smart wallet that a caller could mean. */
const signatureLengthMax = 20_000;

/**
 * A text signed with `personal_sign` (EIP-191): by the key of the address, which needs no node, or by a smart wallet there
 * (ERC-1271), deployed or not (ERC-6492), which the chain's node is asked about.
 * @throws chain-not-supported, provider-unavailable, upstream-error when only the node can tell and it cannot be asked
 */
export async function verifyEvmMessage(connections: Pick<EvmConnections, 'rpcOf'>, input: MessageToVerify): Promise<boolean> {
  if (!signaturePattern.test(input.signature) || input.signature.length > signatureLengthMax) return false;
  const signature = input.signature as Hex;
  const hash = hashMessage(input.message);
  if (await isSignedByKey(input.address, hash, signature)) return true;
  const rpc = connections.rpcOf(input.chain);
  // The library takes every failure of the call for a "no": the node's own failures are kept apart here.
  let failure: unknown;
  const client = createClient({
    transport: custom(
      {
        request: ({ method, params }: { method: string; params?: unknown }) =>
          rpc.request(method, (params ?? []) as readonly unknown[]).catch((error: unknown) => {
            if (error instanceof RpcTransportError || (error instanceof RpcError && isNodeFault(error))) failure = error;
            throw error;
          }),
      },
      { retryCount: 0 },
    ),
  });
  const isValid = await verifyHash(client, { address: input.address as Hex, hash, signature }).catch((error: unknown) => {
    failure ??= error;
    return false;
  });
  if (!isValid && failure !== undefined) throw nodeError(failure, input.chain);
  return isValid;
}

async function isSignedByKey(address: string, hash: Hex, signature: Hex): Promise<boolean> {
  if (signature.length !== 132 && signature.length !== 130) return false;
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() === address.toLowerCase();
  } catch {
    // Not a point of the curve: no key signed this.
    return false;
  }
}

/** Internal errors and limits; a reverted call is an answer. */
function isNodeFault(error: RpcError): boolean {
  return error.data === undefined && [-32603, -32005, -32097].includes(error.code) && !/revert/i.test(error.message);
}
