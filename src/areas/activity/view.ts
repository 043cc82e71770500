import type { ChainType } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import { tokenAddressField } from '../token-address.ts';
import type { NewTransfer } from './store.ts';

/** Owner of the wallet at a canonical address, as far as the reader may know it. */
export type OwnerOf = (address: string) => string | undefined;

/** The activity event of the interface (supplement, section 10). */
export function transferEventView(
  record: NewTransfer,
  chainType: ChainType,
  ownerOf: OwnerOf,
): JsonObject {
  return {
    type: `wallets.transfer.${record.direction}`,
    ...transferDataView(record, chainType, ownerOf),
  };
}

/** The same without its type: the data of the domain event (supplement, section 16). */
export function transferDataView(
  record: NewTransfer,
  chainType: ChainType,
  ownerOf: OwnerOf,
): JsonObject {
  const party = (address: string): JsonObject => {
    const owner = ownerOf(address);
    return {
      address,
      chain: record.chain,
      locator: `${record.chain}:${address}`,
      owner,
    };
  };
  return {
    status: record.status,
    sender: party(record.sender),
    recipient: party(record.recipient),
    token: {
      locator: record.tokenLocator,
      amount: formatAmount(record.amountMinor, record.tokenDecimals),
      rawAmount: record.amountMinor.toString(),
      symbol: record.tokenSymbol,
      decimals: record.tokenDecimals,
      type: 'fungible',
      chain: record.chain,
      ...(record.tokenAddress === undefined
        ? {}
        : { [tokenAddressField(chainType)]: record.tokenAddress }),
    },
    transferId: record.transactionId ?? record.id,
    completedAt: record.completedAt.toISOString(),
    ...(record.txId === undefined
      ? {}
      : {
          onChain: {
            txId: record.txId,
            explorerLink: record.explorerLink,
          },
        }),
    error: record.error,
  };
}
