import type { ChainFamily, ResolvedToken, TokenBalance } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { parseTokenLocator, parseTokenSymbol, type TokenLocator } from '../../lib/locator.ts';
import { findWallet } from '../wallets/index.ts';
import { selectDefaultChains } from './default-chains.ts';
import type { BalancesQuery } from './schema.ts';
import { balancesListView, balancesObjectView } from './view.ts';

const tokensMax = 50;
const chainsMax = 30;
/** Balances that one request may name, tokens times chains; defaults come on top and never lead to a refusal. */
const balancesMax = 300;

/**
 * What a wallet holds of the tokens asked for, zeros included. Without `chains` it covers those that this wallet used, and
 * those of the token locators; where every token is a locator, only these. A caller with a client name gets the list form,
 * which holds the tokens asked for; others the object form, which always has the native token of the first chain.
 * @throws invalid-locator, wallet-not-found, chain-not-supported, token-not-supported, validation-error, upstream-error,
 *   provider-unavailable
 */
export async function readWalletBalances(
  ctx: RequestCtx,
  input: { walletLocator: string; query: BalancesQuery },
): Promise<JsonObject | JsonObject[]> {
  const wallet = await findWallet(ctx, input.walletLocator);
  const family = ctx.chains.family(wallet.chainType);
  const asked = readTokens(input.query.tokens);
  const named = input.query.chains === undefined ? chainsOfTokens(family, asked) : readChains(family, input.query.chains);
  checkCount(asked, named);
  // Whoever names the chain of every token has said which chains are meant.
  const isDefault = input.query.chains === undefined && asked.some((token) => token.chain === undefined);
  const chains = isDefault ? [...new Set([...(await selectDefaultChains(ctx, family, wallet.id)), ...named])] : named;
  const resolved = nativeFirst(await resolveTokens(family, asked, chains));
  if (ctx.caller.clientName !== undefined) return balancesListView(await family.readBalances(wallet.address, resolved), wallet.chainType);
  const natives = await resolveNatives(family, chains);
  const tokens = resolved.filter((token) => token.address !== undefined || !natives.some((native) => native.chain === token.chain));
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
    if (text === '')
      throw new ServiceError('invalid-locator', {
        message: 'tokens: an entry between the commas is empty. Send symbols or token locators, e.g. tokens=eth,usdc.',
      });
    return { by: 'symbol', symbol: parseTokenSymbol(text) };
  });
}

function readChains(family: ChainFamily, list: string): string[] {
  const names = list.split(',').map((text) => text.trim());
  if (names.length > chainsMax) throw new ServiceError('validation-error', { message: `chains: at most ${chainsMax} can be named.` });
  return [...new Set(names.map((name) => family.requireNetwork(name).name))];
}

function chainsOfTokens(family: ChainFamily, asked: readonly AskedToken[]): string[] {
  return [...new Set(asked.flatMap((token) => (token.chain === undefined ? [] : [family.requireNetwork(token.chain).name])))];
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
async function resolveNatives(family: ChainFamily, chains: readonly string[]): Promise<ResolvedToken[]> {
  const { symbol, decimals } = family.requireNetwork(chains[0]!).native;
  const same = chains.filter((chain) => {
    const { native } = family.requireNetwork(chain);
    return native.symbol === symbol && native.decimals === decimals;
  });
  return Promise.all(same.map((chain) => family.resolveToken(chain, { symbol })));
}

/** @throws token-not-supported when a token is on none of the chains; one that is on some is read there */
async function resolveTokens(family: ChainFamily, asked: readonly AskedToken[], chains: readonly string[]): Promise<ResolvedToken[]> {
  const resolved = await Promise.all(
    asked.map((token) => (token.chain === undefined ? resolveSymbol(family, token.symbol, chains) : resolveLocated(family, token, chains))),
  );
  const unique = new Map(
    resolved
      .flat()
      .map((token) => [
        `${token.chain}|${token.address === undefined ? '' : family.canonicalAddress(token.address)}|${token.tokenId ?? ''}`,
        token,
      ]),
  );
  return [...unique.values()];
}

async function resolveLocated(family: ChainFamily, token: TokenLocator, chains: readonly string[]): Promise<ResolvedToken[]> {
  const chain = family.requireNetwork(token.chain).name;
  if (!chains.includes(chain))
    throw new ServiceError('validation-error', {
      message: `tokens: a token is on ${chain}, which is not among chains: add it there or leave chains out.`,
    });
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
  throw new ServiceError('token-not-supported', {
    message: `tokens: "${symbol}" is not known on ${chains.join(', ')}. Name its chain in chains, or the token by <chain>:<address>.`,
  });
}

function nativeFirst(tokens: readonly ResolvedToken[]): ResolvedToken[] {
  return [...tokens.filter((token) => token.address === undefined), ...tokens.filter((token) => token.address !== undefined)];
}

async function readPrices(ctx: RequestCtx, balances: readonly TokenBalance[]): Promise<ReadonlyMap<string, string>> {
  return ctx.providers.pricing.pricesUsd([...new Set(balances.flatMap(({ token }) => token.symbol?.toLowerCase() ?? []))]);
}
