import type { ChainType, ResolvedToken, TokenBalance } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { formatAmount, multiplyPrice } from '../../lib/money/amount.ts';
import { tokenAddressField } from '../token-address.ts';

/** US dollars per unit of a token as a decimal; undefined where it has none. */
export type PriceOf = (token: ResolvedToken) => string | undefined;

export interface BalancesObject {
  /** Of the same token on one or more chains, never empty: their balance is the sum. */
  readonly natives: readonly TokenBalance[];
  /**
   * May hold natives of other chains, and tokens that a chain does not have: neither has an
   * address.
   */
  readonly tokens: readonly TokenBalance[];
  readonly unknownSymbols: readonly string[];
  readonly priceOf: PriceOf;
}

/** The object form. */
export function balancesObjectView({
  natives,
  tokens,
  unknownSymbols,
  priceOf,
}: BalancesObject): JsonObject {
  const first = natives[0]!.token;
  return {
    nativeToken: {
      ...balanceFields({ token: first, amountMinor: sumOf(natives) }, priceOf),
      chains: Object.fromEntries(
        natives.map(({ token, amountMinor }) => [token.chain, amountMinor.toString()]),
      ),
    },
    tokens: tokens.map((balance) => ({
      ...balanceFields(balance, priceOf),
      ...(balance.token.address === undefined ? {} : { address: balance.token.address }),
      chain: balance.token.chain,
    })),
    ...(unknownSymbols.length === 0 ? {} : { unknownSymbols: [...unknownSymbols] }),
  };
}

function balanceFields({ token, amountMinor }: TokenBalance, priceOf: PriceOf): JsonObject {
  const price = priceOf(token);
  return {
    symbol: token.symbol,
    decimals: token.decimals,
    balance: amountMinor.toString(),
    ...(price === undefined
      ? {}
      : { balanceUSD: multiplyPrice(amountMinor, token.decimals, price) }),
  };
}

/**
 * The list form: one entry per token, with its chains. Tokens of one symbol whose decimals differ
 * stay apart, and so does whatever only calls itself like a listed one. Its shape has no other place for a symbol that nobody knows than an entry on no
 * chain.
 */
export function balancesListView(
  balances: readonly TokenBalance[],
  {
    chainType,
    isListed,
    unknownSymbols = [],
  }: {
    readonly chainType: ChainType;
    readonly isListed: (token: ResolvedToken) => boolean;
    readonly unknownSymbols?: readonly string[];
  },
): JsonObject[] {
  const groups = new Map<string, TokenBalance[]>();
  for (const balance of balances) {
    const { token } = balance;
    const key =
      token.symbol === undefined || token.tokenId !== undefined || !isListed(token)
        ? token.locator
        : `${token.symbol.toLowerCase()}|${token.decimals}`;
    // Two contracts of one symbol on one chain must not share an entry: one of them would vanish.
    const fits = groups.get(key)?.every((other) => other.token.chain !== token.chain);
    const groupKey = groups.has(key) && !fits ? `${key}|${token.locator}` : key;
    groups.set(groupKey, [...(groups.get(groupKey) ?? []), balance]);
  }
  return [
    ...[...groups.values()].map((group) => listEntry(group, chainType)),
    ...unknownSymbols.map((symbol) => ({
      symbol,
      decimals: 0,
      amount: '0',
      rawAmount: '0',
      chains: {},
    })),
  ];
}

function listEntry(group: readonly TokenBalance[], chainType: ChainType): JsonObject {
  const { symbol, name, decimals } = group[0]!.token;
  const rawAmount = sumOf(group);
  return {
    symbol,
    name,
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
