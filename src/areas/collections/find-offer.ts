import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseTokenLocator, type TokenLocator } from '../../lib/locator/locator.ts';
import { findChain } from './offers.ts';
import { type Offer, selectOffer, selectOpenOffers } from './store.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What a `collectionLocator` names: the id of a registered collection, `<chain>:<contract>`, or
 * `<chain>:<contract>:<tokenId>` of an edition.
 * @throws validation-error, chain-not-supported, token-not-supported when this project sells no
 * such thing
 */
export async function findCollection(
  ctx: Pick<Ctx, 'store' | 'chains'>,
  {
    projectId,
    collectionLocator,
  }: { readonly projectId: string; readonly collectionLocator: string },
): Promise<Offer> {
  if (uuidPattern.test(collectionLocator)) {
    const offer = await selectOffer(ctx.store, { projectId, id: collectionLocator });
    if (offer?.kind === 'mint' && offer.stoppedAt === undefined) return offer;
    throw notSold('lineItems.collectionLocator', `the collection ${collectionLocator}`, 'add');
  }
  const token = parse('lineItems.collectionLocator', collectionLocator);
  const offers =
    token.by === 'symbol' ? [] : await openOffers(ctx, { projectId, token, kind: 'mint' });
  if (offers.length > 1)
    throw new ServiceError('validation-error', {
      message: `lineItems.collectionLocator: this project sells several items of ${collectionLocator}: name one by its id, ${offers.map(({ id, name }) => `${id} (${name})`).join(', ')}.`,
    });
  if (!offers[0]) throw notSold('lineItems.collectionLocator', collectionLocator, 'add');
  return offers[0];
}

/**
 * What a `tokenLocator` with a token id names.
 * @throws chain-not-supported, token-not-supported when this project does not sell it
 */
export async function findTokenOnSale(
  ctx: Pick<Ctx, 'store' | 'chains'>,
  { projectId, tokenLocator }: { readonly projectId: string; readonly tokenLocator: string },
): Promise<Offer> {
  const token = parse('lineItems.tokenLocator', tokenLocator);
  const [offer] =
    token.by === 'symbol' ? [] : await openOffers(ctx, { projectId, token, kind: 'sale' });
  if (!offer) throw notSold('lineItems.tokenLocator', tokenLocator, 'sell');
  return offer;
}

async function openOffers(
  ctx: Pick<Ctx, 'store' | 'chains'>,
  input: {
    readonly projectId: string;
    readonly token: Extract<TokenLocator, { by: 'address' }>;
    readonly kind: Offer['kind'];
  },
): Promise<Offer[]> {
  const { projectId, token, kind } = input;
  const { family, chain } = findChain(ctx, token.chain);
  const tokenKey = family.canonicalAddress(token.address);
  return selectOpenOffers(ctx.store, {
    projectId,
    kind,
    chain,
    tokenKey,
    ...(token.tokenId !== undefined && { tokenId: token.tokenId }),
  });
}

function parse(field: string, text: string): TokenLocator {
  try {
    return parseTokenLocator(text);
  } catch (error) {
    if (error instanceof ServiceError)
      throw new ServiceError('validation-error', { message: `${field}: ${error.message}` });
    throw error;
  }
}

function notSold(field: string, what: string, verb: 'add' | 'sell'): ServiceError {
  return new ServiceError('token-not-supported', {
    message: `${field}: this project does not sell ${what.slice(0, 200)}. Its operator registers what it sells with purser collections ${verb}.`,
  });
}
