import { factsOfChain } from '../../../chains/families.ts';
import { formatAmount } from '../../../lib/amount.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { PricedItem } from '../pricing/index.ts';
import type { OrderRecord, OrderTerms } from './types.ts';

/** Items of a collection, each with its id. Those of an order that an operator has closed may be known by their number alone. */
function deliveredItems({ terms, facts }: Pick<OrderRecord, 'facts'> & { readonly terms: OrderTerms }): JsonObject[] {
  const { asset } = terms.receive;
  const symbol = (facts.item as PricedItem | undefined)?.symbol?.toLowerCase();
  const chain = asset.slice(0, asset.indexOf(':'));
  const contractAddress = facts.deliveredAddress ?? asset.slice(chain.length + 1);
  const common = { contractAddress, ...(symbol !== undefined && { symbol }), decimals: 0 };
  const tokens = facts.deliveredTokens ?? [];
  if (tokens.length === 0) return [{ locator: `${chain}:${contractAddress}`, quantity: facts.deliveredMinor ?? '0', ...common }];
  return tokens.map(({ tokenId, quantity }) => ({ locator: `${chain}:${contractAddress}:${tokenId}`, tokenId, quantity, ...common }));
}

/** `delivery.tokens` of an order that was delivered in tokens; undefined for fiat. */
export function deliveredTokens({ terms, facts }: Pick<OrderRecord, 'terms' | 'facts'>): JsonObject[] | undefined {
  if (!terms || facts.deliveredMinor === undefined) return undefined;
  const { asset, currency, decimals } = terms.receive;
  const [chain, canonical] = asset.split(/:(.*)/s) as [string, string | undefined];
  if (canonical === undefined) return undefined;
  if (terms.collectible) return deliveredItems({ terms, facts });
  const isNative = canonical === 'native';
  const address = facts.deliveredAddress ?? canonical;
  return [
    {
      locator: `${chain}:${isNative ? currency : address}`,
      ...(!isNative && { [factsOfChain(chain).tokenAddressField]: address }),
      quantity: formatAmount(BigInt(facts.deliveredMinor), decimals),
      symbol: currency,
      decimals,
    },
  ];
}
