import { z } from 'zod';
import type { Addresses, ChainFamily, Networks } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { decodeCursor, encodeCursor, placeNumber, placeTime } from '../../lib/cursor.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseTokenLocator } from '../../lib/locator/locator.ts';
import { splitTypes } from '../../lib/locator/move-type.ts';
import { findWallet, selectWalletsAt, type WalletRecord } from '../wallets/index.ts';
import { type ActivityQuery, activityPageSizeDefault } from './schema.ts';
import { type PageFilter, selectPage, type TransferRecord } from './store.ts';
import { type OwnerOf, transferEventView } from './view.ts';

export interface ActivityPage {
  readonly data: readonly JsonObject[];
  readonly nextCursor?: string;
  readonly previousCursor?: string;
}

/** Between two rows, and which way to read from there. */
const placeSchema = z.object({
  at: placeTime,
  nr: placeNumber,
  towards: z.enum(['next', 'previous']),
});

/**
 * A page of what a wallet sent and received on one chain. Cursors stand between rows, so that rows
 * which arrive meanwhile neither shift nor repeat what follows.
 * @throws invalid-locator, wallet-not-found, chain-not-supported, validation-error
 */
export async function listTransfers(
  ctx: RequestCtx,
  input: { walletLocator: string; query: ActivityQuery },
): Promise<ActivityPage> {
  const { query } = input;
  const wallet = await findWallet(ctx, input.walletLocator);
  const { family, chain } = requireChain(ctx, wallet, query.chain);
  const tokens = query.tokens === undefined ? undefined : readTokens(family, chain, query.tokens);
  const [from, to] = [readInstant(query.fromDate), readInstant(query.toDate)];
  if (from && to && from > to)
    throw new ServiceError('validation-error', { message: 'fromDate: is after toDate.' });
  const sort = query.sort ?? 'desc';
  const identity = [
    wallet.id,
    chain,
    query.status,
    sort,
    tokens?.symbols,
    tokens?.keys,
    from?.getTime(),
    to?.getTime(),
  ];
  const cursor =
    query.cursor === undefined ? undefined : decodeCursor(placeSchema, query.cursor, identity);
  const limit = query.limit === undefined ? activityPageSizeDefault : Number(query.limit);
  const backwards = cursor?.towards === 'previous';
  const filter: PageFilter = {
    walletId: wallet.id,
    chain,
    status: query.status === 'successful' ? 'succeeded' : 'failed',
    ...(tokens ? { tokenSymbols: tokens.symbols, tokenKeys: tokens.keys } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(cursor && { beyond: { at: new Date(cursor.at), nr: BigInt(cursor.nr) } }),
    order: backwards === (sort === 'desc') ? 'asc' : 'desc',
    limit: limit + 1,
  };
  const found = await selectPage(ctx.store, filter);
  const hasMore = found.length > limit;
  const records = backwards ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const ownerOf = await readOwners(ctx, family, wallet, records);
  const cursorAt = (record: TransferRecord, towards: 'next' | 'previous') =>
    encodeCursor({ at: record.completedAt.getTime(), nr: record.nr.toString(), towards }, identity);
  const [first, last] = [records[0], records.at(-1)];
  return {
    data: records.map((record) => transferEventView(record, wallet.chainType, ownerOf)),
    ...(last && (backwards || hasMore) ? { nextCursor: cursorAt(last, 'next') } : {}),
    ...(first && (backwards ? hasMore : cursor !== undefined)
      ? { previousCursor: cursorAt(first, 'previous') }
      : {}),
  };
}

function requireChain(
  ctx: RequestCtx,
  wallet: WalletRecord,
  chain: string,
): { family: ChainFamily; chain: string } {
  const family = ctx.chains.familyOfChain(chain);
  if (family.chainType !== wallet.chainType)
    throw new ServiceError('chain-not-supported', {
      message: `chain: the wallet is on ${wallet.chainType}, "${chain}" is not.`,
    });
  return { family, chain: family.requireNetwork(chain).name };
}

const tokensMax = 50;

function readTokens(
  family: Addresses & Networks,
  chain: string,
  list: string,
): { symbols: string[]; keys: string[] } {
  const texts = splitTypes(list);
  if (texts.length > tokensMax)
    throw new ServiceError('validation-error', {
      message: `tokens: at most ${tokensMax} can be named.`,
    });
  const symbols: string[] = [];
  const keys: string[] = [];
  for (const text of texts) {
    const token = parseTokenLocator(text.includes(':') ? text : `${chain}:${text}`);
    if (family.requireNetwork(token.chain).name !== chain)
      throw new ServiceError('validation-error', {
        message: `tokens: "${text}" is on ${token.chain}, but chain is ${chain}.`,
      });
    if (token.by === 'symbol') symbols.push(token.symbol);
    else keys.push(family.canonicalAddress(token.address));
  }
  return { symbols, keys };
}

function readInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

/**
 * Owners of the wallets on the page: all of the project's for a server key, for an end user only
 * the user's own.
 */
async function readOwners(
  ctx: RequestCtx,
  family: Addresses & Networks,
  wallet: WalletRecord,
  records: readonly TransferRecord[],
): Promise<OwnerOf> {
  const keyOf = (address: string) => family.canonicalAddress(address);
  const owners = new Map([[keyOf(wallet.address), wallet.owner]]);
  if (ctx.caller.keyKind === 'server') {
    const keys = new Set(
      records.flatMap((record) => [keyOf(record.sender), keyOf(record.recipient)]),
    );
    for (const other of await selectWalletsAt(ctx.store, family.chainType, [...keys])) {
      if (other.projectId === ctx.caller.projectId) owners.set(keyOf(other.address), other.owner);
    }
  }
  return (address) => owners.get(keyOf(address));
}
