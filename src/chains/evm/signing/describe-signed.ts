import { decodeFunctionData } from 'viem';
import { addresses, type OperationCall, walletModuleAbi } from '../../../../contracts/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { describeActions, type SaidAction } from '../../family/signing/describe-actions.ts';
import { checksumAddress } from '../abi/words.ts';
import { isAccountCall, readAccountCall } from '../account/stored.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { readOperation } from '../operation/prepared-operation.ts';
import { readTransfer } from '../operation/transfer-calls.ts';
import { isSignatureRequest, readSignatureRequest } from './signature-request.ts';

/**
 * As {@link ChainFamily.describeSigned}. Symbols are those of the service's own list: a token that
 * is not in it is named by its address, and texts that are to be signed are not quoted.
 */
export function describeEvmSigned(networks: readonly EvmNetwork[], value: JsonObject): string {
  if (isSignatureRequest(value)) {
    const { content, chain } = readSignatureRequest(value);
    return 'message' in content
      ? `sign a text of ${[...content.message].length} characters`
      : `sign typed data for ${chain}`;
  }
  const { chain, wallet, calls } = readCalls(value);
  const network = networks.find(({ name }) => name === chain);
  const actions = calls.map((call) => describeCall(network, wallet, call));
  const words = {
    joiner: ', then ',
    more: (count: number) => `make ${count} more calls`,
    nothing: 'make no call',
  };
  return `${describeActions(actions, words)} on ${chain}`;
}

interface Calls {
  readonly chain: string;
  readonly wallet: string;
  readonly calls: readonly OperationCall[];
}

function readCalls(value: JsonObject): Calls {
  if (isAccountCall(value)) {
    const { chain, wallet, to, valueWei, data } = readAccountCall(value);
    return { chain, wallet, calls: [{ to, value: valueWei, data }] };
  }
  const { chain, operation } = readOperation(value);
  return { chain, wallet: operation.wallet, calls: operation.calls };
}

function describeCall(
  network: EvmNetwork | undefined,
  wallet: string,
  call: OperationCall,
): SaidAction {
  const isOwn = (address: string) => call.to.toLowerCase() === address.toLowerCase();
  if (isOwn(addresses.walletModule)) return { text: describeModuleCall(call), matters: true };
  const transfer = readTransfer(call);
  if (transfer) {
    const { token, recipient, amountMinor } = transfer;
    return {
      text: `send ${describeAmount(network, token, amountMinor)} to ${checksumAddress(recipient)}`,
      matters: true,
    };
  }
  if (isOwn(wallet)) return { text: 'change who owns this wallet', matters: true };
  const paid =
    call.value === 0n ? '' : ` and pay it ${describeAmount(network, undefined, call.value)}`;
  return { text: `call the contract ${checksumAddress(call.to)}${paid}`, matters: call.value > 0n };
}

function describeAmount(
  network: EvmNetwork | undefined,
  address: string | undefined,
  amountMinor: bigint,
): string {
  const token =
    address === undefined
      ? network?.native
      : network?.tokens.find((one) => one.address?.toLowerCase() === address.toLowerCase());
  if (token) return `${formatAmount(amountMinor, token.decimals)} ${token.symbol.toUpperCase()}`;
  return `${amountMinor} of the smallest unit of ${address === undefined ? 'the native money' : checksumAddress(address)}`;
}

function describeModuleCall({ data }: OperationCall): string {
  switch (functionOf(data)) {
    case 'addSigner':
      return 'let another signer act for this wallet';
    case 'removeSigner':
      return 'remove a signer of this wallet';
    case 'bumpEpoch':
      return 'end everything that was signed for this wallet, and all its delegated signers';
    default:
      return 'change what signers of this wallet may do';
  }
}

function functionOf(data: OperationCall['data']): string | undefined {
  try {
    return decodeFunctionData({ abi: walletModuleAbi, data }).functionName;
  } catch {
    // No function of the module: the chain refuses it.
    return undefined;
  }
}
