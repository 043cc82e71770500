import type { ChainFamily, ResolvedToken, Tokens } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseNftWalletLocator } from '../../lib/locator/locator.ts';
import { PublicFetchError } from '../../lib/net/public-fetch.ts';
import { type Holding, selectHoldings } from '../activity/index.ts';
import { tokenAddressField } from '../token-address.ts';
import { findWallet } from '../wallets/index.ts';
import { readMetadata } from './metadata.ts';
import { type NftsQuery, nftsPerPageDefault } from './schema.ts';
import { type CachedMetadata, type NftMetadata, selectMetadata, upsertMetadata } from './store.ts';

const freshMs = 24 * 60 * 60 * 1_000;
/** What could not be read is tried again sooner. */
const retryMs = 10 * 60 * 1_000;
/** For all documents of a page; what is late has no metadata in this answer. */
const documentsTimeoutMs = 8_000;
const documentsAtOnce = 8;

/**
 * The collectibles that a wallet of the project holds on one chain, the latest first, as its
 * watched transfers tell. Metadata is what the contract names, read with bounds and kept for a day;
 * a failure to read it fails nothing else.
 * @throws invalid-locator, chain-not-supported, wallet-not-found
 */
export async function listNfts(
  ctx: RequestCtx,
  input: { walletLocator: string; query: NftsQuery },
): Promise<JsonObject[]> {
  const locator = parseNftWalletLocator(input.walletLocator);
  const family = ctx.chains.familyOfChain(locator.chain);
  const { name: chain } = family.requireNetwork(locator.chain);
  const wallet = await findWallet(ctx, locator.address);
  if (wallet.chainType !== family.chainType)
    throw new ServiceError('chain-not-supported', {
      message: `The wallet is on ${wallet.chainType}, "${locator.chain}" is not.`,
    });
  const limit = Number(input.query.perPage ?? nftsPerPageDefault);
  const holdings = await selectHoldings(ctx.store, {
    walletId: wallet.id,
    chain,
    limit,
    offset: (Number(input.query.page ?? 1) - 1) * limit,
  });
  const metadata = await metadataOf(ctx, family, chain, holdings);
  return holdings.map((holding) => ({
    chain,
    [tokenAddressField(family.chainType)]: holding.tokenAddress,
    tokenId: holding.tokenId,
    amount: holding.amountMinor.toString(),
    metadata: { ...metadata.get(keyOf(holding)) },
  }));
}

function keyOf({ tokenKey, tokenId }: { tokenKey: string; tokenId: string }): string {
  return `${tokenKey}:${tokenId}`;
}

async function metadataOf(
  ctx: RequestCtx,
  family: ChainFamily,
  chain: string,
  holdings: readonly Holding[],
): Promise<ReadonlyMap<string, NftMetadata>> {
  const cached = new Map(
    (await selectMetadata(ctx.store, chain, holdings)).map((entry) => [keyOf(entry), entry]),
  );
  const now = ctx.clock.now().getTime();
  const isFresh = (entry: CachedMetadata | undefined) =>
    entry !== undefined && now - entry.checkedAt.getTime() < (entry.metadata ? freshMs : retryMs);
  const read = await readAll(
    ctx,
    family,
    chain,
    holdings.filter((holding) => !isFresh(cached.get(keyOf(holding)))),
  );
  await upsertMetadata(ctx.store, chain, read);
  return new Map(
    [...cached.values(), ...read].flatMap((entry) =>
      entry.metadata ? [[keyOf(entry), entry.metadata] as const] : [],
    ),
  );
}

async function readAll(
  ctx: RequestCtx,
  family: ChainFamily,
  chain: string,
  holdings: readonly Holding[],
): Promise<CachedMetadata[]> {
  if (holdings.length === 0) return [];
  const uris = await readUris(ctx, family, chain, holdings);
  if (!uris) return [];
  const endAt = performance.now() + documentsTimeoutMs;
  const checkedAt = ctx.clock.now();
  const entries: CachedMetadata[] = [];
  let next = 0;
  const readNext = async () => {
    for (let index = next++; index < holdings.length; index = next++) {
      const timeoutMs = Math.floor(endAt - performance.now());
      // What there was no time to try is not marked as tried.
      if (timeoutMs <= 0) return;
      const { tokenKey, tokenId } = holdings[index]!;
      const metadata = await readOne(ctx, uris[index], timeoutMs);
      entries.push({ tokenKey, tokenId, checkedAt, ...(metadata ? { metadata } : {}) });
    }
  };
  await Promise.all(Array.from({ length: documentsAtOnce }, readNext));
  return entries;
}

async function readUris(
  ctx: RequestCtx,
  family: Tokens,
  chain: string,
  holdings: readonly Holding[],
): Promise<(string | undefined)[] | undefined> {
  const tokens = holdings.map(
    (holding): ResolvedToken => ({
      chain,
      locator: holding.tokenLocator,
      address: holding.tokenAddress,
      tokenId: holding.tokenId,
      decimals: 0,
    }),
  );
  try {
    return await family.readMetadataUris(tokens);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    ctx.log.warn({ err: error, chain }, 'metadata of collectibles cannot be read now');
    return undefined;
  }
}

/**
 * Local chains name no place on the internet that they mean: there only what the contract itself
 * holds is read.
 */
async function readOne(
  ctx: RequestCtx,
  uri: string | undefined,
  timeoutMs: number,
): Promise<NftMetadata | undefined> {
  if (uri === undefined) return undefined;
  try {
    return await readMetadata(uri, { remote: ctx.config.environment !== 'development', timeoutMs });
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error;
    ctx.log.info({ reason: error.message }, 'metadata of a collectible cannot be read');
    return undefined;
  }
}
