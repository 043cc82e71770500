import { formatAmount } from '../../lib/amount.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { OrderRecord } from './types.ts';

/** `delivery.tokens` of an order that was delivered in tokens; undefined for fiat. */
export function deliveredTokens({ terms, facts }: Pick<OrderRecord, 'terms' | 'facts'>): JsonObject[] | undefined {
  if (!terms || facts.deliveredMinor === undefined) return undefined;
  const { asset, currency, decimals } = terms.receive;
  const [chain, canonical] = asset.split(/:(.*)/s) as [string, string | undefined];
  if (canonical === undefined) return undefined;
  const isNative = canonical === 'native';
  const address = facts.deliveredAddress ?? canonical;
  return [
    {
      locator: `${chain}:${isNative ? currency : address}`,
      // Solana names a token by the hash of its mint, every other family by a contract.
      ...(!isNative && { [chain === 'solana' ? 'mintHash' : 'contractAddress']: address }),
      quantity: formatAmount(BigInt(facts.deliveredMinor), decimals),
      symbol: currency,
      decimals,
    },
  ];
}
