import { chainTypes } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parseTokenLocator, type TokenLocator } from '../../../lib/locator/locator.ts';
import type { PricedItem } from './price-order.ts';
import type { OrderSettings } from './settings.ts';
import type { Side } from './terms.ts';

/** A token that orders can be about. */
export interface TokenSide extends Side {
  readonly chain: string;
  readonly name: string;
}

/** Why an item cannot be had: `unavailabilityReason` of the answer. */
export interface Unavailable {
  readonly code: string;
  readonly message: string;
  /** What it is, where that is known. */
  readonly item?: PricedItem;
}

type SidesCtx = Pick<Ctx, 'chains'>;

/**
 * The token a deposit is made in.
 * @throws payment-method-not-supported, chain-not-supported, token-not-supported
 */
export async function readPaidToken(
  ctx: SidesCtx,
  payment: { readonly method: string; readonly currency: string },
  settings: OrderSettings,
): Promise<TokenSide> {
  const chain = requireChain(ctx, payment.method);
  const found = settings.tokens.includes(payment.currency)
    ? await resolveSymbol(ctx, chain, payment.currency)
    : undefined;
  if (found) return found;
  const offered = await offeredOn(ctx, chain, settings);
  const advice =
    offered.length === 0
      ? 'This project takes no deposits there: name another chain'
      : `Use one of: ${offered.join(', ')}`;
  throw new ServiceError('token-not-supported', {
    message: `payment.currency: "${payment.currency}" is not taken on ${chain}. ${advice}.`,
  });
}

/**
 * The token that is delivered, or why it cannot be had here.
 * @throws validation-error the locator cannot be read, chain-not-supported, token-not-supported
 * there is no such token
 */
export async function readBoughtToken(
  ctx: SidesCtx,
  locator: string,
  settings: OrderSettings,
): Promise<TokenSide | Unavailable> {
  const token = parseLocator(locator);
  const family = ctx.chains.familyOfChain(token.chain);
  const chain = family.requireNetwork(token.chain).name;
  if (token.by === 'symbol') {
    if (settings.tokens.includes(token.symbol)) {
      const found = await resolveSymbol(ctx, chain, token.symbol);
      if (found) return found;
    }
    // Refuses what nobody has on that chain.
    await family.resolveToken(chain, { symbol: token.symbol });
    return notOffered(token.symbol, chain);
  }
  // Contracts name themselves as they like: only the addresses of known tokens count.
  for (const symbol of settings.tokens) {
    const known = await resolveSymbol(ctx, chain, symbol);
    if (known?.asset === `${chain}:${family.canonicalAddress(token.address)}`) return known;
  }
  return notOffered(token.address, chain);
}

/**
 * @throws payment-method-not-supported no network of this instance, chain-not-supported one of
 * another environment
 */
export function requireChain(ctx: SidesCtx, method: string): string {
  const isKnown = ctx.chains.families.some((family) =>
    family.networks.some((network) => network.name === method),
  );
  if (!isKnown)
    throw new ServiceError('payment-method-not-supported', {
      message: (chainTypes as readonly string[]).includes(method)
        ? `payment.method: not implemented: this version takes no deposits on ${method}.`
        : `payment.method: "${method.slice(0, 60)}" is neither "card" nor a chain on which this instance takes deposits.`,
    });
  return ctx.chains.familyOfChain(method).requireNetwork(method).name;
}

async function resolveSymbol(
  ctx: SidesCtx,
  chain: string,
  symbol: string,
): Promise<TokenSide | undefined> {
  const family = ctx.chains.familyOfChain(chain);
  try {
    const { address, decimals, name } = await family.resolveToken(chain, { symbol });
    const asset = `${chain}:${address === undefined ? 'native' : family.canonicalAddress(address)}`;
    return { currency: symbol, asset, decimals, chain, name: name ?? symbol.toUpperCase() };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'token-not-supported') return undefined;
    throw error;
  }
}

async function offeredOn(ctx: SidesCtx, chain: string, settings: OrderSettings): Promise<string[]> {
  const found = await Promise.all(
    settings.tokens.map((symbol) => resolveSymbol(ctx, chain, symbol)),
  );
  return found.flatMap((side) => (side ? [side.currency] : []));
}

function parseLocator(text: string): TokenLocator {
  try {
    return parseTokenLocator(text);
  } catch (error) {
    if (error instanceof ServiceError)
      throw new ServiceError('validation-error', {
        message: `lineItems.tokenLocator: ${error.message}`,
      });
    throw error;
  }
}

function notOffered(what: string, chain: string): Unavailable {
  return {
    code: 'token-not-offered',
    message: `The token ${what.slice(0, 60)} on ${chain} is not sold here.`,
  };
}
