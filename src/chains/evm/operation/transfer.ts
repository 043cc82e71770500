import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { TransferIntent } from '../../family.ts';
import { checkEvmAddress } from '../abi/words.ts';
import type { EvmConnections } from '../rpc/connections.ts';
import { createEvmCollections } from '../tokens/collections.ts';

/** Calls of transfers, in the form that a caller would send them (supplement, section 6). */

interface FunctionEntry {
  readonly [field: string]: string | readonly { readonly name: string; readonly type: string }[];
  readonly name: string;
}

const parameter = (name: string, type: string) => ({ name, type });
const functionEntry = (
  name: string,
  inputs: readonly { name: string; type: string }[],
  outputs: readonly { name: string; type: string }[] = [],
): FunctionEntry => ({ type: 'function', name, stateMutability: 'nonpayable', inputs, outputs });

const erc20Transfer = functionEntry(
  'transfer',
  [parameter('to', 'address'), parameter('amount', 'uint256')],
  [parameter('', 'bool')],
);
const erc721Transfer = functionEntry('safeTransferFrom', [
  parameter('from', 'address'),
  parameter('to', 'address'),
  parameter('tokenId', 'uint256'),
]);
const erc1155Transfer = functionEntry('safeTransferFrom', [
  parameter('from', 'address'),
  parameter('to', 'address'),
  parameter('id', 'uint256'),
  parameter('amount', 'uint256'),
  parameter('data', 'bytes'),
]);

/**
 * As {@link ChainFamily.transferParams}.
 * @throws invalid-recipient, token-not-supported (an id of a contract of neither standard)
 */
export async function evmTransferParams(
  connections: EvmConnections,
  intent: TransferIntent,
): Promise<JsonObject> {
  const { token, amountMinor, recipientAddress, wallet, chain } = intent;
  if (!isEvmRecipient(recipientAddress))
    throw new ServiceError('invalid-recipient', {
      message: `The recipient "${recipientAddress.slice(0, 80)}" ${checkEvmAddress(recipientAddress) ?? 'is an address that nobody can use'}.`,
    });
  if (recipientAddress.toLowerCase() === token.address?.toLowerCase())
    throw new ServiceError('invalid-recipient', {
      message:
        "The recipient is the token's own contract, where it would be lost. Send the address of the person or contract that is to have it.",
    });
  const call =
    token.address === undefined
      ? { to: recipientAddress, value: amountMinor.toString(), data: '0x' }
      : token.tokenId === undefined
        ? callOf(token.address, erc20Transfer, [recipientAddress, amountMinor.toString()])
        : await idTransfer(connections, {
            chain,
            address: token.address,
            tokenId: token.tokenId,
            from: wallet.address,
            to: recipientAddress,
            amountMinor,
          });
  return wallet.type === 'mpc' ? { call, chain } : { calls: [call], chain };
}

function callOf(address: string, entry: FunctionEntry, args: readonly string[]): JsonObject {
  return { address, functionName: entry.name, abi: [entry], args };
}

async function idTransfer(
  connections: EvmConnections,
  input: {
    chain: string;
    address: string;
    tokenId: string;
    from: string;
    to: string;
    amountMinor: bigint;
  },
): Promise<JsonObject> {
  const { chain, address, tokenId, from, to, amountMinor } = input;
  const standard = await createEvmCollections(connections).readStandard(chain, address);
  if (standard === 'erc721') return callOf(address, erc721Transfer, [from, to, tokenId]);
  if (standard === 'erc1155')
    return callOf(address, erc1155Transfer, [from, to, tokenId, amountMinor.toString(), '0x']);
  throw new ServiceError('token-not-supported', {
    message: `The contract ${address} on "${chain}" has no tokens with ids: it is neither ERC-721 nor ERC-1155.`,
  });
}

const zeroAddress = '0x0000000000000000000000000000000000000000';

/** An address without a mistyped checksum, and not the zero address, where tokens are lost. */
export function isEvmRecipient(text: string): boolean {
  return checkEvmAddress(text) === undefined && text.toLowerCase() !== zeroAddress;
}
