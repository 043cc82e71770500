import { z } from 'zod';
import type { RequestCtx } from '../../context.ts';
import {
  type AccountBalance,
  type Asset,
  type AssetTrialBalance,
  isAccount,
  type LedgerEntry,
  readAssets,
  readBalances,
  readEntries,
  trialBalance,
} from '../../ledger/index.ts';
import { decodeCursor, encodeCursor, placeText } from '../../lib/cursor.ts';
import { ServiceError } from '../../lib/errors.ts';
import { findOrder } from '../orders/index.ts';
import { decodeEntryCursor, encodeEntryCursor } from './cursor.ts';
import { pageSizeDefault } from './schema.ts';
import { balanceView, entryView, trialBalanceView } from './view.ts';

interface Paging {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * The entries of one order of the project, oldest first; an order that moved no money has none.
 * @throws order-not-found, validation-error
 */
export async function listOrderEntries(
  ctx: RequestCtx,
  input: Paging & { readonly orderId: string },
) {
  const { id: orderId } = await findOrder(ctx, input.orderId.toLowerCase());
  return listEntries(ctx, { ...input, filter: { orderId }, newestFirst: false });
}

/**
 * The entries with a leg on one account of the project, newest first.
 * @throws validation-error for an account outside the grammar
 */
export async function listAccountEntries(
  ctx: RequestCtx,
  input: Paging & { readonly account: string },
) {
  if (!isAccount(input.account))
    throw new ServiceError('validation-error', {
      message: 'account: is no account of the ledger.',
    });
  return listEntries(ctx, { ...input, filter: { account: input.account }, newestFirst: true });
}

interface EntriesInput extends Paging {
  readonly filter: { readonly orderId: string } | { readonly account: string };
  readonly newestFirst: boolean;
}

async function listEntries(ctx: RequestCtx, { filter, newestFirst, ...paging }: EntriesInput) {
  const { projectId } = ctx.caller;
  const identity = [projectId, filter];
  const limit = sizeOf(paging);
  const after =
    paging.cursor === undefined ? undefined : decodeEntryCursor(paging.cursor, identity);
  const found = await readEntries(ctx.store, {
    projectId,
    ...filter,
    newestFirst,
    limit: limit + 1,
    ...(after && { after }),
  });
  const page = found.slice(0, limit);
  const assetOf = await readNames(
    ctx,
    page.flatMap((entry) => entry.postings.map(({ asset }) => asset)),
  );
  const cursorOf = ({ position }: LedgerEntry) => encodeEntryCursor(position, identity);
  return {
    data: page.map((entry) => entryView(entry, assetOf)),
    ...nextOf(found, limit, cursorOf),
  };
}

const accountPlace = z.object({ account: placeText, asset: placeText });

/** Balances of the project's accounts, by account and asset. @throws validation-error */
export async function listAccounts(
  ctx: RequestCtx,
  input: Paging & { readonly prefix?: string | undefined; readonly at?: string | undefined },
) {
  const { projectId } = ctx.caller;
  const identity = [projectId, input.prefix, input.at];
  const limit = sizeOf(input);
  const after =
    input.cursor === undefined ? undefined : decodeCursor(accountPlace, input.cursor, identity);
  const found = await readBalances(ctx.store, {
    projectId,
    limit: limit + 1,
    accountPrefix: input.prefix,
    ...(input.at === undefined ? {} : { at: new Date(input.at) }),
    ...(after && { after }),
  });
  const page = found.slice(0, limit);
  const assetOf = await readNames(
    ctx,
    page.map(({ asset }) => asset),
  );
  const cursorOf = ({ account, asset }: AccountBalance) =>
    encodeCursor({ account, asset }, identity);
  return {
    data: page.map((balance) => balanceView(balance, assetOf)),
    ...nextOf(found, limit, cursorOf),
  };
}

/** Debits and credits of the project per asset. */
export async function readTrialBalance(
  ctx: RequestCtx,
  input: { readonly at?: string | undefined },
) {
  const at = input.at === undefined ? undefined : new Date(input.at);
  const assets = await trialBalance(ctx.store, {
    projectId: ctx.caller.projectId,
    ...(at && { at }),
  });
  const assetOf = await readNames(
    ctx,
    assets.map(({ asset }) => asset),
  );
  return {
    ...(at && { at: at.toISOString() }),
    assets: assets.map((one: AssetTrialBalance) => trialBalanceView(one, assetOf)),
  };
}

async function readNames(
  ctx: RequestCtx,
  assets: readonly string[],
): Promise<(asset: string) => Asset> {
  const known = await readAssets(ctx.store, assets);
  return (asset) => known.get(asset)!;
}

function sizeOf({ limit }: Paging): number {
  return limit === undefined ? pageSizeDefault : Number(limit);
}

/** One row more than the page was asked for: it only says that there is more. */
function nextOf<R>(
  found: readonly R[],
  limit: number,
  cursorOf: (row: R) => string,
): { nextCursor?: string } {
  return found.length > limit ? { nextCursor: cursorOf(found[limit - 1]!) } : {};
}
