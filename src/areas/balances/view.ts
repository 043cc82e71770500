import type { ChainType, TokenBalance } from '../../chains/family.ts';
import { formatAmount, multiplyPrice } from '../../lib/amount.ts';
import type { JsonObject } from '../../lib/json.ts';
import { tokenAddressField } from '../token-address.ts';

/**
 * The object form. `natives` are of the same token on one or more chains, never empty: their balance is the sum. `tokens`
 * may hold natives of other chains, which have no address.
 */
export function balancesObjectView(
  natives: readonly TokenBalance[],
  tokens: readonly TokenBalance[],
  prices: ReadonlyMap<string, string>,
): JsonObject {
  const first = natives[0]!.token;
  return {
    nativeToken: {
      ...balanceFields({ token: first, amountMinor: sumOf(natives) }, prices),
      chains: Object.fromEntries(natives.map(({ token, amountMinor }) => [token.chain, amountMinor.toString()])),
    },
    tokens: tokens.map((balance) => ({
      ...balanceFields(balance, prices),
      ...(balance.token.address === undefined ? {} : { address: balance.token.address }),
      chain: balance.token.chain,
    })),
  };
}

function balanceFields({ token, amountMinor }: TokenBalance, prices: ReadonlyMap<string, string>): JsonObject {
  const price = token.symbol === undefined ? undefined : prices.get(token.symbol.toLowerCase());
  return {
    ...(token.symbol === undefined ? {} : { symbol: token.symbol }),
    decimals: token.decimals,
    balance: amountMinor.toString(),
    ...(price === undefined ? {} : { balanceUSD: multiplyPrice(amountMinor, token.decimals, price) }),
  };
}

/** The list form: one entry per token, with its chains. Tokens of one symbol whose decimals differ stay apart. */
export function balancesListView(balances: readonly TokenBalance[], chainType: ChainType): JsonObject[] {
  const groups = new Map<string, TokenBalance[]>();
  for (const balance of balances) {
    const { token } = balance;
    const key =
      token.symbol === undefined || token.tokenId !== undefined ? token.locator : `${token.symbol.toLowerCase()}|${token.decimals}`;
    // Two contracts of one symbol on one chain must not share an entry: one of them would vanish.
    const fits = groups.get(key)?.every((other) => other.token.chain !== token.chain);
    const groupKey = groups.has(key) && !fits ? `${key}|${token.locator}` : key;
    groups.set(groupKey, [...(groups.get(groupKey) ?? []), balance]);
  }
  return [...groups.values()].map((group) => listEntry(group, chainType));
}

function listEntry(group: readonly TokenBalance[], chainType: ChainType): JsonObject {
  const { symbol, name, decimals } = group[0]!.token;
  const rawAmount = sumOf(group);
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(name === undefined ? {} : { name }),
    decimals,
    amount: formatAmount(rawAmount, decimals),
    rawAmount: rawAmount.toString(),
    chains: Object.fromEntries(
      group.map(({ token, amountMinor }) => [
        token.chain,
        {
          locator: token.locator,
          amount: formatAmount(amountMinor, decimals),
          rawAmount: amountMinor.toString(),
          ...(token.address === undefined ? {} : { [tokenAddressField(chainType)]: token.address }),
        },
      ]),
    ),
  };
}

function sumOf(balances: readonly TokenBalance[]): bigint {
  return balances.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
