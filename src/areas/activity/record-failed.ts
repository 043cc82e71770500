import type { ChainFamily, ResolvedToken } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseTokenLocator } from '../../lib/locator/locator.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import type { Tx } from '../../store/types.ts';
import type { TransactionRecord } from '../transactions/index.ts';
import { selectWalletById, type WalletRecord } from '../wallets/index.ts';
import { announceTransfers } from './record.ts';
import { type NewTransfer, upsertTransfers } from './store.ts';

/**
 * Records transfers that ended without moving anything: no chain tells of them. Called by the
 * transactions area in the transaction in which it ends them; telling one twice is the same as
 * once. What is no fungible transfer is passed over.
 * @throws upstream-error when a token cannot be looked up now: nothing is recorded, tell again
 */
export async function recordFailedTransfers(
  ctx: Pick<Ctx, 'chains' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  transactions: readonly TransactionRecord[],
): Promise<void> {
  for (const transaction of transactions) {
    const wallet = await selectUnchanged(tx, transaction.walletId);
    const record = wallet && (await toFailedRecord(ctx, transaction, wallet));
    if (!record) continue;
    const isNew = await upsertTransfers(tx, [record]);
    if (isNew.has(record.id))
      await announceTransfers(ctx, tx, ctx.chains.family(wallet.chainType), [wallet], [record]);
  }
}

/** A wallet that was changed raises its alarm, and has no line: what else ends is told all the same. */
async function selectUnchanged(tx: Tx, id: string): Promise<WalletRecord | undefined> {
  try {
    return await selectWalletById(tx, id);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

async function toFailedRecord(
  ctx: Pick<Ctx, 'chains' | 'clock' | 'ids' | 'log'>,
  transaction: TransactionRecord,
  wallet: WalletRecord,
): Promise<NewTransfer | undefined> {
  const sent = readSendParams(transaction);
  if (!sent) return undefined;
  const family = ctx.chains.family(transaction.chainType);
  const token = await resolveKnownToken(ctx, sent.tokenLocator, transaction);
  if (!token) return undefined;
  const { txId, explorerLink } = transaction.onChain;
  return {
    id: ctx.ids.uuid(),
    walletId: wallet.id,
    direction: 'out',
    seenId: `failed:${transaction.id}`,
    status: 'failed',
    chain: transaction.chain,
    ...placeOf(family, token),
    ...(token.symbol === undefined ? {} : { tokenSymbol: token.symbol.toLowerCase() }),
    tokenDecimals: token.decimals,
    amountMinor: parseDecimalAmount(sent.amount, token.decimals),
    sender: wallet.address,
    recipient: sent.recipientAddress,
    ...(typeof txId === 'string' ? { txId } : {}),
    ...(typeof txId === 'string' && typeof explorerLink === 'string' ? { explorerLink } : {}),
    transactionId: transaction.id,
    error: errorView(transaction),
    completedAt: transaction.completedAt ?? ctx.clock.now(),
  };
}

/**
 * The token by its contract, spelled as the watcher does, so that both ends of one token's
 * transfers read alike.
 */
function placeOf(
  family: ChainFamily,
  token: ResolvedToken,
): Pick<NewTransfer, 'tokenLocator' | 'tokenAddress' | 'tokenKey'> {
  if (token.address === undefined) return { tokenLocator: token.locator };
  const tokenKey = family.canonicalAddress(token.address);
  const listed = family
    .requireNetwork(token.chain)
    .tokens.find(
      ({ address }) => address !== undefined && family.canonicalAddress(address) === tokenKey,
    );
  const tokenAddress = listed?.address ?? tokenKey;
  return { tokenLocator: `${token.chain}:${tokenAddress}`, tokenAddress, tokenKey };
}

function readSendParams(
  transaction: TransactionRecord,
): { tokenLocator: string; amount: string; recipientAddress: string } | undefined {
  const token = transaction.sendParams?.token;
  const params = transaction.sendParams?.params as JsonObject | undefined;
  if (
    typeof token !== 'string' ||
    typeof params?.amount !== 'string' ||
    typeof params.recipientAddress !== 'string'
  )
    return undefined;
  return { tokenLocator: token, amount: params.amount, recipientAddress: params.recipientAddress };
}

/** A contract that is no token any more must not keep its transactions from ending. */
async function resolveKnownToken(
  ctx: Pick<Ctx, 'chains' | 'log'>,
  locator: string,
  transaction: TransactionRecord,
): Promise<ResolvedToken | undefined> {
  const { chain: _chain, ...token } = parseTokenLocator(locator);
  try {
    return await ctx.chains.family(transaction.chainType).resolveToken(transaction.chain, token);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'token-not-supported') throw error;
    ctx.log.warn(
      { err: error, transactionId: transaction.id },
      'a failed transfer is not in the activity: its token is gone',
    );
    return undefined;
  }
}

function errorView(transaction: TransactionRecord): JsonObject {
  const { error } = transaction;
  if (!error) return { message: 'The transfer failed.', reason: 'unknown' };
  return {
    message: error.message,
    reason: error.reason,
    ...(error.revert === undefined ? {} : { revert: error.revert }),
    ...(error.logs === undefined ? {} : { logs: error.logs }),
  };
}
