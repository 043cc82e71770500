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
import { deleteRetracted, type NewTransfer, upsertTransfers } from './store.ts';

/**
 * Records transfers that ended without moving anything: no chain tells of them. Called by the
 * transactions area in the transaction in which it ends them; telling one twice is the same as
 * once, unless it went through in between. What is no fungible transfer is passed over.
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
    await deleteRetracted(tx, record);
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
  const moved = await readMoved(ctx, sent, transaction);
  if (!moved) return undefined;
  const { token, amountMinor } = moved;
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
    amountMinor,
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

interface Sent {
  readonly tokenLocator: string;
  readonly amount: string;
  readonly recipientAddress: string;
}

function readSendParams(transaction: TransactionRecord): Sent | undefined {
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

/** Of what nobody can send: a contract that is no token any more, or what somebody wrote there. */
const passedOver: readonly string[] = [
  'token-not-supported',
  'invalid-locator',
  'validation-error',
];

/** What cannot be read must not keep its transaction, and those told with it, from ending. */
async function readMoved(
  ctx: Pick<Ctx, 'chains' | 'log'>,
  { tokenLocator, amount }: Sent,
  transaction: TransactionRecord,
): Promise<{ readonly token: ResolvedToken; readonly amountMinor: bigint } | undefined> {
  try {
    const { chain: _chain, ...asked } = parseTokenLocator(tokenLocator);
    const family = ctx.chains.family(transaction.chainType);
    const token = await family.resolveToken(transaction.chain, asked);
    return { token, amountMinor: parseDecimalAmount(amount, token.decimals) };
  } catch (error) {
    if (!(error instanceof ServiceError) || !passedOver.includes(error.code)) throw error;
    ctx.log.warn(
      { err: error, transactionId: transaction.id },
      'a failed transfer is not in the activity: its token or its amount cannot be read',
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
