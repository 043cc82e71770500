import type {
  Addresses,
  ChainFamily,
  Networks,
  ResolvedToken,
  TokenBalance,
  Tokens,
} from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import {
  parseTokenLocator,
  parseTokenSymbol,
  type TokenLocator,
} from '../../lib/locator/locator.ts';
import { splitTypes } from '../../lib/locator/move-type.ts';
import { findWallet } from '../wallets/index.ts';
import { selectDefaultChains } from './default-chains.ts';
import type { BalancesQuery } from './schema.ts';
import { balancesListView, balancesObjectView, type PriceOf } from './view.ts';

const tokensMax = 50;
const chainsMax = 30;
/**
 * Balances that one request may name, tokens times chains; defaults come on top and never lead to a
 * refusal.
 */
const balancesMax = 300;

/**
 * What a wallet holds of the tokens asked for, zeros included, also of those that a chain does not
 * have. Without `chains` it covers those that this wallet used, and those of the token locators;
 * where every token is a locator, only these. A caller with a client name gets the list form, which
 * holds the tokens asked for; others the object form, which has the native tokens too. Symbols that
 * nobody knows are named, unless nothing else was asked for.
 * @throws invalid-locator, wallet-not-found, chain-not-supported, token-not-supported,
 *   validation-error, upstream-error, provider-unavailable
 */
export async function readWalletBalances(
  ctx: RequestCtx,
  input: { walletLocator: string; query: BalancesQuery },
): Promise<JsonObject | JsonObject[]> {
  const wallet = await findWallet(ctx, input.walletLocator);
  const family = ctx.chains.family(wallet.chainType);
  const asked = readTokens(input.query.tokens);
  const named =
    input.query.chains === undefined
      ? chainsOfTokens(family, asked)
      : readChains(family, input.query.chains);
  checkCount(asked, named);
  // Whoever names the chain of every token has said which chains are meant.
  const isDefault =
    input.query.chains === undefined && asked.some((token) => token.chain === undefined);
  const chains = isDefault
    ? [...new Set([...(await selectDefaultChains(ctx, family, wallet.id)), ...named])]
    : named;
  const resolved = await resolveTokens(ctx, family, { asked, chains });
  const tokens = nativeFirst(resolved.tokens);
  if (ctx.caller.clientName !== undefined)
    return balancesListView(
      [...(await family.readBalances(wallet.address, tokens)), ...resolved.lacking],
      {
        chainType: wallet.chainType,
        isListed: (token) => isListed(family, token),
        unknownSymbols: resolved.unknownSymbols,
      },
    );
  const natives = await resolveNatives(family, chains);
  const isNative = (token: ResolvedToken) =>
    token.address === undefined && natives.some(({ chain }) => chain === token.chain);
  const others = tokens.filter((token) => !isNative(token));
  const unasked = (await resolveOtherNatives(family, chains, natives)).filter(
    ({ chain }) => !others.some((token) => token.address === undefined && token.chain === chain),
  );
  const read = await family.readBalances(wallet.address, [...natives, ...others, ...unasked]);
  const lacking = resolved.lacking.filter(({ token }) => token.symbol !== natives[0]!.symbol);
  const [firstUnasked, firstOther] = [natives.length + others.length, natives.length];
  return balancesObjectView({
    natives: read.slice(0, firstOther),
    tokens: [...read.slice(firstOther, firstUnasked), ...lacking, ...read.slice(firstUnasked)],
    unknownSymbols: resolved.unknownSymbols,
    priceOf: await readPrices(ctx, family, [...read, ...lacking]),
  });
}

/** The list form of one token on one chain, as test funding answers it. */
export async function readTokenBalance(
  family: Addresses & Networks & Tokens,
  address: string,
  token: ResolvedToken,
): Promise<JsonObject[]> {
  return balancesListView(await family.readBalances(address, [token]), {
    chainType: family.chainType,
    isListed: (one) => isListed(family, one),
  });
}

interface AskedSymbol {
  readonly symbol: string;
  /** Absent: on every chain. */
  readonly chain?: string;
}

/** A token as the caller named it: on one chain, or a symbol on every chain. */
type AskedToken =
  | TokenLocator
  | { readonly by: 'symbol'; readonly symbol: string; readonly chain?: undefined };

function readTokens(list: string): AskedToken[] {
  const texts = [...new Set(splitTypes(list))];
  if (texts.length > tokensMax)
    throw new ServiceError('validation-error', {
      message: `tokens: at most ${tokensMax} can be named.`,
    });
  return texts.map((text): AskedToken => {
    if (text.includes(':')) return parseTokenLocator(text);
    if (text === '')
      throw new ServiceError('invalid-locator', {
        message:
          'tokens: an entry between the commas is empty. Send symbols or token locators, e.g. tokens=eth,usdc.',
      });
    return { by: 'symbol', symbol: parseTokenSymbol(text) };
  });
}

function readChains(family: Networks, list: string): string[] {
  const names = list.split(',').map((text) => text.trim());
  if (names.length > chainsMax)
    throw new ServiceError('validation-error', {
      message: `chains: at most ${chainsMax} can be named.`,
    });
  return [...new Set(names.map((name) => family.requireNetwork(name).name))];
}

function chainsOfTokens(family: Networks, asked: readonly AskedToken[]): string[] {
  return [
    ...new Set(
      asked.flatMap((token) =>
        token.chain === undefined ? [] : [family.requireNetwork(token.chain).name],
      ),
    ),
  ];
}

/** Counts only what the caller named: a symbol on each named chain, a locator once. */
function checkCount(asked: readonly AskedToken[], named: readonly string[]): void {
  const symbolCount = asked.filter((token) => token.chain === undefined).length;
  const count = symbolCount * named.length + asked.length - symbolCount;
  if (count > balancesMax)
    throw new ServiceError('validation-error', {
      message: `At most ${balancesMax} balances can be read at once: name fewer tokens or chains.`,
    });
}

/** The native token of the first chain, on each chain that has the same. */
async function resolveNatives(
  family: Networks & Tokens,
  chains: readonly string[],
): Promise<ResolvedToken[]> {
  const { symbol, decimals } = family.requireNetwork(chains[0]!).native;
  const same = chains.filter((chain) => {
    const { native } = family.requireNetwork(chain);
    return native.symbol === symbol && native.decimals === decimals;
  });
  return Promise.all(same.map((chain) => family.resolveToken(chain, { symbol })));
}

/** Those of the chains whose native token is another one. */
function resolveOtherNatives(
  family: Networks & Tokens,
  chains: readonly string[],
  natives: readonly ResolvedToken[],
): Promise<ResolvedToken[]> {
  const others = chains.filter((chain) => !natives.some((native) => native.chain === chain));
  return Promise.all(
    others.map((chain) =>
      family.resolveToken(chain, { symbol: family.requireNetwork(chain).native.symbol }),
    ),
  );
}

interface Resolved {
  readonly tokens: readonly ResolvedToken[];
  /**
   * Tokens that are known elsewhere, on chains that do not have them: nobody can hold them there.
   */
  readonly lacking: readonly TokenBalance[];
  /** As they were named. */
  readonly unknownSymbols: readonly string[];
}

/** @throws token-not-supported an address without a token, or symbols of which none is known */
async function resolveTokens(
  ctx: RequestCtx,
  family: ChainFamily,
  { asked, chains }: { asked: readonly AskedToken[]; chains: readonly string[] },
): Promise<Resolved> {
  const found = await Promise.all(
    asked.map((token) =>
      token.by === 'symbol'
        ? resolveSymbol(
            ctx,
            family,
            token,
            token.chain === undefined ? chains : [chainOf(family, token, chains)],
          )
        : resolveAddress(family, token, chains),
    ),
  );
  const unknownSymbols = found.flatMap(({ unknownSymbols: unknown }) => unknown);
  if (unknownSymbols.length === asked.length)
    throw new ServiceError('token-not-supported', {
      message: `tokens: ${unknownSymbols.map((symbol) => `"${symbol}"`).join(', ')} ${unknownSymbols.length === 1 ? 'is' : 'are'} not known on any network here. Send other symbols, e.g. "usdc", or name a token by <chain>:<address>.`,
    });
  const tokens = found.flatMap((one) => one.tokens);
  const lacking = found.flatMap((one) => one.lacking);
  return {
    tokens: [...new Map(tokens.map((token) => [keyOf(family, token), token])).values()],
    lacking: [...new Map(lacking.map((balance) => [balance.token.locator, balance])).values()],
    unknownSymbols,
  };
}

function keyOf(family: Addresses, { chain, address, tokenId }: ResolvedToken): string {
  return `${chain}|${address === undefined ? '' : family.canonicalAddress(address)}|${tokenId ?? ''}`;
}

function chainOf(family: Networks, token: TokenLocator, chains: readonly string[]): string {
  const chain = family.requireNetwork(token.chain).name;
  if (!chains.includes(chain))
    throw new ServiceError('validation-error', {
      message: `tokens: a token is on ${chain}, which is not among chains: add it there or leave chains out.`,
    });
  return chain;
}

async function resolveAddress(
  family: ChainFamily,
  token: TokenLocator,
  chains: readonly string[],
): Promise<Resolved> {
  return {
    tokens: [await family.resolveToken(chainOf(family, token, chains), token)],
    lacking: [],
    unknownSymbols: [],
  };
}

/** A symbol on each of these chains. */
async function resolveSymbol(
  ctx: RequestCtx,
  family: ChainFamily,
  { symbol, chain: named }: AskedSymbol,
  chains: readonly string[],
): Promise<Resolved> {
  const results = await Promise.allSettled(
    chains.map((chain) => family.resolveToken(chain, { symbol })),
  );
  const tokens: ResolvedToken[] = [];
  const without: string[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') tokens.push(result.value);
    else if (isUnknownToken(result.reason)) without.push(chains[index]!);
    else throw result.reason;
  }
  const decimals = tokens[0]?.decimals ?? findDecimals(ctx, family, symbol.toLowerCase());
  if (decimals === undefined)
    return {
      tokens,
      lacking: [],
      unknownSymbols: [named === undefined ? symbol : `${named}:${symbol}`],
    };
  const lacking = without.map((chain) => {
    const token = {
      chain,
      locator: `${chain}:${symbol.toLowerCase()}`,
      symbol: symbol.toLowerCase(),
      decimals,
    };
    return { token, amountMinor: 0n };
  });
  return { tokens, lacking, unknownSymbols: [] };
}

function isUnknownToken(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'token-not-supported';
}

/**
 * Decimals of a symbol on the first network of this environment that has it, used by this instance
 * or not.
 */
function findDecimals(
  { caller }: RequestCtx,
  { networks }: ChainFamily,
  symbol: string,
): number | undefined {
  const isTest = caller.environment !== 'production';
  const listed = networks.flatMap((network) =>
    network.testnet === isTest ? [network.native, ...network.tokens] : [],
  );
  return listed.find((token) => token.symbol === symbol)?.decimals;
}

function nativeFirst(tokens: readonly ResolvedToken[]): ResolvedToken[] {
  return [
    ...tokens.filter((token) => token.address === undefined),
    ...tokens.filter((token) => token.address !== undefined),
  ];
}

/**
 * Whether the network's list has it: a symbol says nothing of a token that anybody may have made,
 * also where only another network has one of that name.
 */
function isListed(family: Addresses & Networks, { chain, address }: ResolvedToken): boolean {
  if (address === undefined) return true;
  const key = family.canonicalAddress(address);
  return family
    .requireNetwork(chain)
    .tokens.some((token) => token.address && family.canonicalAddress(token.address) === key);
}

/** US dollars per unit of a token, of those that are listed. */
async function readPrices(
  ctx: RequestCtx,
  family: Addresses & Networks,
  balances: readonly TokenBalance[],
): Promise<PriceOf> {
  const symbolOf = (token: ResolvedToken) =>
    isListed(family, token) ? token.symbol?.toLowerCase() : undefined;
  const prices = await ctx.providers.pricing.pricesUsd([
    ...new Set(balances.flatMap(({ token }) => symbolOf(token) ?? [])),
  ]);
  return (token) => prices.get(symbolOf(token) ?? '');
}
