import type { PreparedOperation, Signer, TransferIntent } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import {
  type NewWallet,
  resolveActingSigner,
  selectWalletsAt,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';
import { createPreparedTransaction, orDropped } from './create.ts';
import {
  selectTransaction,
  selectTransactions,
  selectTransactionsById,
  type TransactionRecord,
} from './store.ts';

export interface CreateTransactionInput {
  readonly wallet: WalletRecord;
  /** `params` of the body; `signer` in it is a locator. */
  readonly params: JsonObject;
  /** Of a transfer: what is meant, and what the answer says about it. */
  readonly transfer?: TransferIntent;
  readonly sendParams?: JsonObject;
  readonly tokenLocator?: string;
  /**
   * A recipient's wallet to store together with the transaction: a refused transfer leaves none
   * behind.
   */
  readonly recipientWallet?: NewWallet;
}

/**
 * Builds, simulates and stores a transaction. An api-key signer signs at once; anybody else is
 * asked for an approval.
 * @throws transaction-invalid, validation-error, chain-not-supported, insufficient-balance,
 *   transaction-simulation-failed, signer-expired, signer-scope-violation, sanctioned-address
 */
export async function createTransaction(
  ctx: RequestCtx,
  input: CreateTransactionInput,
): Promise<TransactionRecord> {
  const { wallet, transfer } = input;
  // The process of an earlier call with this idempotency key may have died after its commit: then
  // this is its answer.
  const earlier =
    ctx.idempotency &&
    (await selectTransaction(ctx.store, { walletId: wallet.id, id: ctx.idempotency.objectId }));
  if (earlier) return earlier;
  const { signer: signerLocator, ...params } = input.params;
  const chain = typeof params['chain'] === 'string' ? params['chain'] : undefined;
  const { signer, delegate } = await resolveActingSigner(ctx, wallet, signerLocator, chain);
  const family = ctx.chains.family(wallet.chainType);
  const prepared = await family.prepareOperation({
    wallet: toFamilyWallet(wallet),
    params,
    signer,
    delegate,
    now: ctx.clock.now(),
    transfer,
  });
  await orDropped(ctx, family, prepared, () => refuseKeyless(ctx, wallet, prepared));
  return createPreparedTransaction(ctx, {
    wallet,
    prepared,
    signer,
    screened: [wallet.address, ...(transfer === undefined ? [] : [transfer.recipientAddress])],
    sendParams: input.sendParams,
    tokenLocator: input.tokenLocator,
    recipientWallet: input.recipientWallet,
  });
}

/** @throws validation-error when an mpc wallet of the same project signs beside the wallet */
async function refuseKeyless(
  ctx: RequestCtx,
  { projectId, chainType }: WalletRecord,
  { coSigners = [] }: PreparedOperation,
): Promise<void> {
  const family = ctx.chains.family(chainType);
  const addressKeyOf = ({ address }: Signer) => family.canonicalAddress(address ?? '');
  const wallets = await selectWalletsAt(ctx.store, chainType, coSigners.map(addressKeyOf));
  const waiting = coSigners.find((signer) =>
    wallets.some(
      (one) =>
        one.projectId === projectId &&
        one.type === 'mpc' &&
        family.canonicalAddress(one.address) === addressKeyOf(signer),
    ),
  );
  if (waiting)
    throw new ServiceError('validation-error', {
      message: `params.requiredSigners: "${waiting.locator}" is a wallet of type "mpc": the service holds its key, which signs for that wallet's own transactions alone, so that nobody could approve this one. Leave its part out of params.transaction, and create it as a transaction of that wallet.`,
    });
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text that can be an id at all; anything else is simply not found. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}

/** @throws transaction-not-found */
export async function getTransaction(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; id: string },
): Promise<TransactionRecord> {
  const record = isId(input.id)
    ? await selectTransaction(ctx.store, { walletId: input.wallet.id, id: input.id })
    : undefined;
  if (!record) throw new ServiceError('transaction-not-found');
  return record;
}

/** Transactions of a wallet by id, in any order; unknown ids are left out. At most 1,000. */
export async function getTransactionsById(
  ctx: Pick<RequestCtx, 'store'>,
  input: { walletId: string; ids: readonly string[] },
): Promise<TransactionRecord[]> {
  return input.ids.length === 0
    ? []
    : selectTransactionsById(ctx.store, { ...input, ids: input.ids.slice(0, idsMax) });
}

const idsMax = 1_000;
const perPageDefault = 10;
const perPageMax = 100;
const offsetMax = 100_000;

/** Newest first. Pages count from 1. @throws validation-error */
export async function listTransactions(
  ctx: RequestCtx,
  input: {
    wallet: WalletRecord;
    page?: string;
    perPage?: string;
    dateFrom?: string;
    dateTo?: string;
  },
): Promise<TransactionRecord[]> {
  const limit = Number(input.perPage ?? perPageDefault);
  if (limit > perPageMax)
    throw new ServiceError('validation-error', {
      message: `perPage: must be at most ${perPageMax}.`,
    });
  const offset = (Number(input.page ?? 1) - 1) * limit;
  if (offset > offsetMax)
    throw new ServiceError('validation-error', {
      message: `page: goes at most ${offsetMax} transactions deep. Narrow the list with dateFrom and dateTo.`,
    });
  return selectTransactions(ctx.store, {
    walletId: input.wallet.id,
    ...(input.dateFrom === undefined ? {} : { from: new Date(input.dateFrom) }),
    ...(input.dateTo === undefined ? {} : { to: new Date(input.dateTo) }),
    limit,
    offset,
  });
}
