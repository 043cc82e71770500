import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { AptosNetwork } from '../config/networks.ts';
import { assetName, isApt } from '../tokens/assets.ts';
import { functionName, type PlainTransfer, readPlainTransfer } from './calls.ts';
import { readOperation } from './stored.ts';

const nameLengthMax = 160;

/**
 * As `Operations.describeSigned`, of the bytes alone. A token that is not listed is named by its
 * address or type.
 */
export function describeAptosSigned(network: AptosNetwork, value: JsonObject): string {
  const { chain, call } = readOperation(value);
  const plain = readPlainTransfer(call);
  if (!plain) return `call ${shorten(functionName(call))} on ${chain}`;
  return `send ${describeAmount(network, plain)} to ${plain.recipient} on ${chain}`;
}

function describeAmount(network: AptosNetwork, { asset, amountMinor }: PlainTransfer): string {
  const token = isApt(asset)
    ? network.native
    : network.tokens.find(({ address }) => address === assetName(asset));
  return token
    ? `${formatAmount(amountMinor, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amountMinor} of the smallest unit of ${shorten(assetName(asset), 90)}`;
}

function shorten(text: string, lengthMax = nameLengthMax): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}
