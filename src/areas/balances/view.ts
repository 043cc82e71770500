import type { ChainType, TokenBalance } from '../../chains/family.ts';
import { formatAmount, multiplyPrice } from '../../lib/amount.ts';
import type { JsonObject } from '../../lib/json.ts';

/** Under which name the interface gives a token's address (supplement, section 10). */
export function tokenAddressField(chainType: ChainType): 'contractAddress' | 'mintHash' | 'contractId' {
  if (chainType === 'solana') return 'mintHash';
  return chainType === 'stellar' ? 'contractId' : 'contractAddress';
}

/**
 * The object form. The native balance is the sum over the chains that share the first chain's native token; natives of
 * other chains stand among the tokens. `natives` is never empty.
 */
export function balancesObjectView(natives: readonly TokenBalance[], tokens: readonly TokenBalance[], prices: ReadonlyMap<string, string>): JsonObject {
  const first = natives[0]!.token;
  const isSame = ({ token }: TokenBalance) => token.symbol === first.symbol && token.decimals === first.decimals;
  const summed = natives.filter(isSame);
  return {
    nativeToken: { ...balanceFields({ token: first, amountMinor: sumOf(summed) }, prices), chains: Object.fromEntries(summed.map(({ token, amountMinor }) => [token.chain, amountMinor.toString()])) },
    tokens: [...natives.filter((native) => !isSame(native)), ...tokens].map((balance) => ({
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
    const key = token.symbol === undefined || token.tokenId !== undefined ? token.locator : `${token.symbol.toLowerCase()}|${token.decimals}`;
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
