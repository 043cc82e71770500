import {
  type Addresses,
  type ChainFamily,
  type CollectionStandard,
  type Collections,
  collectionStandards,
  type Tokens,
} from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseTokenLocator } from '../../lib/locator/locator.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import { fiatCurrencies, fiatDecimals, isFiat } from '../../lib/money/fiat.ts';
import { requireTreasury } from '../treasury/index.ts';
import { toFamilyWallet } from '../wallets/index.ts';
import { insertOffer, type Offer } from './store.ts';

/** What an operator offers: checked on the chain before anybody can order it. */

const nameLengthMax = 200;
const descriptionLengthMax = 2_000;
const urlLengthMax = 2_000;
const supplyLimit = 1_000_000_000;
const perOrderDefault = 10;

/** What is said about an offer, beside what it is. */
export interface OfferTerms {
  readonly projectId: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly imageUrl?: string | undefined;
  /** Absent: free. */
  readonly price?: { readonly amount: string; readonly currency: string } | undefined;
  readonly supplyMax?: number | undefined;
  readonly perOrderMax?: number | undefined;
  readonly perRecipientMax?: number | undefined;
}

export interface AddCollectionInput extends OfferTerms {
  readonly chain: string;
  readonly address: string;
  /** What the contract says of itself, when absent. */
  readonly standard?: string | undefined;
  /** Of an edition. */
  readonly tokenId?: string | undefined;
  /** A signature; the first of the usual ones that works, when absent. */
  readonly mintFunction?: string | undefined;
  /** Arguments of one mint, for the trial: those that callers send. */
  readonly callData?: JsonObject | undefined;
}

/**
 * Registers a collection of which orders mint new items. The treasury's wallet mints one in a
 * simulation first.
 * @throws validation-error, chain-not-supported, token-not-supported,
 * transaction-simulation-failed, conflict
 */
export async function addCollection(ctx: Ctx, input: AddCollectionInput): Promise<Offer> {
  const { family, collections, chain } = findChain(ctx, input.chain);
  const { address, tokenId, callData } = input;
  const problem = family.checkAddress(address);
  if (problem !== undefined) throw invalid(`The contract ${problem}.`);
  if (tokenId !== undefined) requireTokenId({ chain, address, tokenId });
  const standard = await readStandard(collections, { chain, address, asked: input.standard });
  if (standard === 'erc1155' && tokenId === undefined)
    throw invalid('Editions (ERC-1155) have ids: name the one that is minted.');
  if (standard === 'erc721' && tokenId !== undefined)
    throw invalid('A new item of an ERC-721 collection gets its id when it is minted: name none.');
  const mintFunction = await findMintFunction(ctx, {
    family,
    collections,
    projectId: input.projectId,
    candidates:
      input.mintFunction === undefined ? collections.mintFunctions(standard) : [input.mintFunction],
    mint: {
      chain,
      address,
      standard,
      quantity: 1n,
      ...(tokenId !== undefined && { tokenId }),
      ...(callData && { callData }),
    },
  });
  const mintedMax = collections.mintedMax(mintFunction);
  const perOrderMax = input.perOrderMax ?? Math.min(perOrderDefault, mintedMax);
  if (perOrderMax > mintedMax)
    throw invalid(
      `One order can have at most ${mintedMax} items by "${mintFunction}": lower the limit per order.`,
    );
  return storeOffer(ctx, {
    ...(await describe(family, {
      chain,
      address,
      tokenId: tokenId ?? '0',
      terms: { ...input, perOrderMax },
    })),
    kind: 'mint',
    standard,
    mintFunction,
    ...(tokenId !== undefined && { tokenId }),
  });
}

export interface SellTokenInput extends OfferTerms {
  /** `<chain>:<contract>:<tokenId>`. */
  readonly tokenLocator: string;
}

/**
 * Registers a token that the treasury holds, to be sold: once, or as many as there are of an
 * edition.
 * @throws validation-error, invalid-locator, chain-not-supported, token-not-supported, conflict
 */
export async function sellToken(ctx: Ctx, input: SellTokenInput): Promise<Offer> {
  const locator = parseTokenLocator(input.tokenLocator);
  if (locator.by !== 'address' || locator.tokenId === undefined)
    throw invalid('Name the token as <chain>:<contract>:<tokenId>.');
  const { family, collections, chain } = findChain(ctx, locator.chain);
  const { address, tokenId } = locator;
  const standard = await readStandard(collections, { chain, address, asked: undefined });
  const supplyMax = input.supplyMax ?? 1;
  if (standard === 'erc721' && supplyMax !== 1)
    throw invalid('There is one token of an id of ERC-721: leave the supply out.');
  const token = await family.resolveToken(chain, { address, tokenId });
  const treasury = await requireTreasury(ctx, {
    projectId: input.projectId,
    chainType: family.chainType,
  });
  const [held] = await family.readBalances(treasury.address, [token]);
  if (held!.amountMinor < BigInt(supplyMax))
    throw invalid(
      `The treasury ${treasury.address} holds ${held!.amountMinor} of ${input.tokenLocator}, and ${supplyMax} are to be sold: send them there first.`,
    );
  const described = await describe(family, {
    chain,
    address,
    tokenId,
    terms: {
      ...input,
      supplyMax,
      perOrderMax: Math.min(input.perOrderMax ?? perOrderDefault, supplyMax),
    },
  });
  return storeOffer(ctx, { ...described, kind: 'sale', standard, tokenId });
}

type NewOffer = Omit<Offer, 'id' | 'createdAt' | 'taken'>;

async function storeOffer(ctx: Ctx, offer: NewOffer): Promise<Offer> {
  const made = { ...offer, id: ctx.ids.uuid(), createdAt: ctx.clock.now() };
  if (await insertOffer(ctx.store, made)) return { ...made, taken: 0 };
  throw new ServiceError('conflict', {
    message:
      'The same is offered already: stop that first (purser collections list, purser collections stop <id>).',
  });
}

/** @throws chain-not-supported also where the family sells no collectibles */
export function findChain(
  ctx: Pick<Ctx, 'chains'>,
  named: string,
): { readonly family: ChainFamily; readonly collections: Collections; readonly chain: string } {
  const family = ctx.chains.familyOfChain(named);
  const { name: chain } = family.requireNetwork(named);
  if (!family.collections)
    throw new ServiceError('chain-not-supported', {
      message: `Collectibles on "${chain}" are not sold here.`,
    });
  return { family, collections: family.collections, chain };
}

async function readStandard(
  collections: Collections,
  {
    chain,
    address,
    asked,
  }: { readonly chain: string; readonly address: string; readonly asked: string | undefined },
): Promise<CollectionStandard> {
  const known = collectionStandards.find((standard) => standard === asked);
  if (asked !== undefined && !known)
    throw invalid(`The standard is one of ${collectionStandards.join(', ')}.`);
  const found = await collections.readStandard(chain, address);
  if (!found)
    throw new ServiceError('token-not-supported', {
      message: `The contract ${address} on "${chain}" says of itself (ERC-165) neither that it is ERC-721 nor ERC-1155.`,
    });
  if (known && known !== found)
    throw invalid(`The contract says that it is ${found}, not ${known}.`);
  return found;
}

/**
 * Orders name an edition by its id: there is one way to write it, so that one edition has one
 * supply.
 */
function requireTokenId({
  chain,
  address,
  tokenId,
}: {
  readonly chain: string;
  readonly address: string;
  readonly tokenId: string;
}): void {
  try {
    parseTokenLocator(`${chain}:${address}:${tokenId}`);
  } catch (error) {
    if (error instanceof ServiceError)
      throw invalid(
        'The id of an edition is a whole number below 2^256, with decimal digits and no leading zeros.',
      );
    throw error;
  }
}

interface Trial {
  readonly family: ChainFamily;
  readonly collections: Collections;
  readonly projectId: string;
  readonly candidates: readonly string[];
  readonly mint: Omit<
    Parameters<Collections['mintParams']>[0],
    'mintFunction' | 'recipientAddress'
  >;
}

/**
 * The first function by which the treasury can mint, as a simulation says.
 * @throws transaction-simulation-failed, transaction-invalid
 */
async function findMintFunction(
  ctx: Ctx,
  { family, collections, projectId, candidates, mint }: Trial,
): Promise<string> {
  const treasury = await requireTreasury(ctx, { projectId, chainType: family.chainType });
  const wallet = toFamilyWallet(treasury);
  const refusals: string[] = [];
  for (const mintFunction of candidates) {
    const params = collections.mintParams({
      ...mint,
      mintFunction,
      recipientAddress: treasury.address,
    });
    try {
      const { preview } = await family.prepareOperation({
        wallet,
        params,
        signer: treasury.adminSigner,
        now: ctx.clock.now(),
      });
      if (bringsItem(preview, `${mint.chain}:${mint.address}:`)) return mintFunction;
      refusals.push(`${mintFunction}: it runs, and no item comes out of it.`);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      refusals.push(`${mintFunction}: ${error.message}`);
    }
  }
  throw new ServiceError('transaction-simulation-failed', {
    message: `The treasury ${treasury.address} cannot mint: make it the owner or a minter of ${mint.address}, or name the function that mints (--mint). ${refusals.join(' ')}`,
  });
}

/** A node that does not tell what would move says so in a note; then that it runs has to do. */
function bringsItem(preview: JsonObject | undefined, locatorStart: string): boolean {
  const { balanceChanges, note } = (preview ?? {}) as {
    readonly balanceChanges?: readonly JsonObject[];
    readonly note?: string;
  };
  if (note !== undefined || !balanceChanges) return true;
  return balanceChanges.some(
    ({ token, rawAmount }) =>
      String(token).toLowerCase().startsWith(locatorStart.toLowerCase()) &&
      /^[1-9]/.test(String(rawAmount)),
  );
}

/** What is said about an offer, checked; where nothing is said, what the contract says. */
async function describe(
  family: Addresses & Tokens,
  input: {
    readonly chain: string;
    readonly address: string;
    readonly tokenId: string;
    readonly terms: OfferTerms & { readonly perOrderMax: number };
  },
): Promise<Omit<NewOffer, 'kind' | 'standard'>> {
  const { chain, address, tokenId, terms } = input;
  const { projectId, description, imageUrl, supplyMax, perOrderMax, perRecipientMax } = terms;
  const { name: ownName, symbol } = await family.resolveToken(chain, { address, tokenId });
  const price = readPrice(terms.price);
  for (const [what, count] of Object.entries({
    supply: supplyMax,
    'limit per order': perOrderMax,
    'limit per recipient': perRecipientMax,
  }))
    if (count !== undefined && (!Number.isInteger(count) || count < 1 || count > supplyLimit))
      throw invalid(`The ${what} is a whole number from 1 to ${supplyLimit}.`);
  if (
    imageUrl !== undefined &&
    (imageUrl.length > urlLengthMax || !/^(?:https:\/\/|ipfs:\/\/|data:image\/)\S+$/.test(imageUrl))
  )
    throw invalid('The image is an address that begins with https://, ipfs:// or data:image/.');
  const name = readText('name', terms.name ?? ownName ?? 'Collectible', nameLengthMax);
  return {
    projectId,
    chain,
    tokenKey: family.canonicalAddress(address),
    address: family.formatAddress(address),
    name,
    ...(description !== undefined && {
      description: readText('description', description, descriptionLengthMax),
    }),
    ...(imageUrl !== undefined && { imageUrl }),
    ...(symbol !== undefined && { symbol }),
    ...(price && { price }),
    ...(supplyMax !== undefined && { supplyMax }),
    perOrderMax,
    ...(perRecipientMax !== undefined && { perRecipientMax }),
  };
}

function readText(what: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (
    trimmed === '' ||
    trimmed.length > lengthMax ||
    /[\p{Cc}\p{Cs}]/u.test(trimmed.replaceAll('\n', ''))
  )
    throw invalid(`The ${what} is a text of 1 to ${lengthMax} printable characters.`);
  return trimmed;
}

function readPrice(price: OfferTerms['price']): Offer['price'] {
  if (!price) return undefined;
  const currency = price.currency.toLowerCase();
  if (!isFiat(currency))
    throw invalid(`The currency of a price is one of ${fiatCurrencies.join(', ')}.`);
  if (parseDecimalAmount(price.amount, fiatDecimals(currency)) === 0n)
    throw invalid('A price of 0 is none: say that the item is free.');
  return { amount: price.amount, currency };
}

function invalid(message: string): ServiceError {
  return new ServiceError('validation-error', { message });
}
