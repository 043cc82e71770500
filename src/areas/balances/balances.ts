import type { ChainFamily, ChainType, ResolvedToken, TokenBalance } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { parseTokenLocator, type TokenLocator } from '../../lib/locator.ts';
import { findWallet } from '../wallets/index.ts';
import type { BalancesQuery } from './schema.ts';
import { balancesListView, balancesObjectView } from './view.ts';

const tokensMax = 50;
const chainsMax = 30;
/** Tokens times chains of one request. */
const balancesMax = 300;

/** Read where no chain is named and none was used yet. */
const defaultChains: Partial<Record<ChainType, { production: string; test: string }>> = {
  evm: { production: 'base', test: 'base-sepolia' },
  solana: { production: 'solana', test: 'solana' },
  stellar: { production: 'stellar', test: 'stellar' },
};

/**
 * What a wallet holds of the tokens asked for, zeros included. Without `chains` it covers the networks that this instance
 * uses: in development those used so far, in production every configured one; with a token locator its chain too.
 * A caller with a client name gets the list form, which holds the tokens asked for; others the object form, which always
 * has the native token.
 * @throws invalid-locator, wallet-not-found, chain-not-supported, token-not-supported, validation-error, upstream-error,
 *   provider-unavailable
 */
export async function readWalletBalances(ctx: RequestCtx, input: { walletLocator: string; query: BalancesQuery }): Promise<JsonObject | JsonObject[]> {
  const wallet = await findWallet(ctx, input.walletLocator);
  const family = ctx.chains.family(wallet.chainType);
  const asked = readTokens(input.query.tokens);
  const chains = input.query.chains === undefined ? await chainsToRead(ctx, family, asked) : readChains(family, input.query.chains);
  if (ctx.caller.clientName !== undefined) {
    const tokens = nativeFirst(await resolveTokens(family, asked, chains));
    return balancesListView(await family.readBalances(wallet.address, tokens), wallet.chainType);
  }
  const natives = await Promise.all(chains.map((chain) => family.resolveToken(chain, { symbol: family.requireNetwork(chain).native.symbol })));
  const tokens = (await resolveTokens(family, asked, chains)).filter((token) => token.address !== undefined);
  const balances = await family.readBalances(wallet.address, [...natives, ...tokens]);
  return balancesObjectView(balances.slice(0, natives.length), balances.slice(natives.length), await readPrices(ctx, balances));
}

/** The list form of one token on one chain, as test funding answers it. */
export async function readTokenBalance(family: ChainFamily, address: string, token: ResolvedToken): Promise<JsonObject[]> {
  return balancesListView(await family.readBalances(address, [token]), family.chainType);
}

/** A token as the caller named it: on one chain, or a symbol on every chain. */
type AskedToken = TokenLocator | { readonly by: 'symbol'; readonly symbol: string; readonly chain?: undefined };

function readTokens(list: string): AskedToken[] {
  const texts = [...new Set(list.split(',').map((text) => text.trim()))];
  if (texts.length > tokensMax) throw new ServiceError('validation-error', { message: `tokens: at most ${tokensMax} can be named.` });
  return texts.map((text): AskedToken => {
    if (text.includes(':')) return parseTokenLocator(text);
    // The grammar of a symbol is that of a locator; the chain is put in front only to read it.
    const { symbol } = parseSymbol(text);
    return { by: 'symbol', symbol };
  });
}

function parseSymbol(text: string): { symbol: string } {
  const token = parseTokenLocator(`any:${text}`);
  if (token.by !== 'symbol') throw new ServiceError('invalid-locator', { message: `tokens: "${text.slice(0, 64)}" is an address without its chain: send <chain>:<address>.` });
  return token;
}

function readChains(family: ChainFamily, list: string): string[] {
  const names = list.split(',').map((text) => text.trim());
  if (names.length > chainsMax) throw new ServiceError('validation-error', { message: `chains: at most ${chainsMax} can be named.` });
  return [...new Set(names.map((name) => family.requireNetwork(name).name))];
}

async function chainsToRead(ctx: RequestCtx, family: ChainFamily, asked: readonly AskedToken[]): Promise<string[]> {
  const named = asked.flatMap((token) => (token.chain === undefined ? [] : [family.requireNetwork(token.chain).name]));
  // Whoever names the chain of every token has said which chains are meant.
  if (named.length === asked.length) return [...new Set(named)];
  const used = (await family.chainsInUse()).slice(0, chainsMax);
  const fallback = defaultChains[family.chainType]?.[ctx.caller.environment === 'production' ? 'production' : 'test'];
  const chains = used.length > 0 || fallback === undefined ? used : [family.requireNetwork(fallback).name];
  if (chains.length + named.length === 0) throw new ServiceError('validation-error', { message: 'chains: name the chains to read, e.g. chains=base-sepolia.' });
  return [...new Set([...chains, ...named])];
}

/** @throws token-not-supported when a token is on none of the chains; one that is on some is read there */
async function resolveTokens(family: ChainFamily, asked: readonly AskedToken[], chains: readonly string[]): Promise<ResolvedToken[]> {
  if (asked.length * chains.length > balancesMax) throw new ServiceError('validation-error', { message: `At most ${balancesMax} balances can be read at once: name fewer tokens or chains.` });
  const resolved = await Promise.all(asked.map((token) => (token.chain === undefined ? resolveSymbol(family, token.symbol, chains) : resolveLocated(family, token, chains))));
  const unique = new Map(resolved.flat().map((token) => [`${token.chain}|${token.address === undefined ? '' : family.canonicalAddress(token.address)}|${token.tokenId ?? ''}`, token]));
  return [...unique.values()];
}

async function resolveLocated(family: ChainFamily, token: TokenLocator, chains: readonly string[]): Promise<ResolvedToken[]> {
  const chain = family.requireNetwork(token.chain).name;
  if (!chains.includes(chain)) throw new ServiceError('validation-error', { message: `tokens: a token is on ${chain}, which is not among chains: add it there or leave chains out.` });
  return [await family.resolveToken(chain, token)];
}

async function resolveSymbol(family: ChainFamily, symbol: string, chains: readonly string[]): Promise<ResolvedToken[]> {
  const results = await Promise.allSettled(chains.map((chain) => family.resolveToken(chain, { symbol })));
  const found: ResolvedToken[] = [];
  for (const result of results) {
    if (result.status === 'fulfilled') found.push(result.value);
    else if (!(result.reason instanceof ServiceError) || result.reason.code !== 'token-not-supported') throw result.reason;
  }
  if (found.length > 0) return found;
  throw new ServiceError('token-not-supported', { message: `tokens: "${symbol}" is not known on ${chains.join(', ')}. Name a token by <chain>:<address>.` });
}

function nativeFirst(tokens: readonly ResolvedToken[]): ResolvedToken[] {
  return [...tokens.filter((token) => token.address === undefined), ...tokens.filter((token) => token.address !== undefined)];
}

async function readPrices(ctx: RequestCtx, balances: readonly TokenBalance[]): Promise<ReadonlyMap<string, string>> {
  return ctx.providers.pricing.pricesUsd([...new Set(balances.flatMap(({ token }) => token.symbol?.toLowerCase() ?? []))]);
}
