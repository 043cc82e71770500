import type { FamilyWallet, PreparedOperation, Signer, SubmittedApproval, TransferIntent } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { move } from '../../machine/machine.ts';
import { type NewWallet, signerView, toFamilyWallet, type WalletRecord } from '../wallets/index.ts';
import { storeTransaction } from './insert-transaction.ts';
import { transactionMachine } from './machine.ts';
import { type Approvals, selectTransaction, selectTransactions, type TransactionRecord } from './store.ts';

export interface CreateTransactionInput {
  readonly wallet: WalletRecord;
  /** `params` of the body; `signer` in it is a locator. */
  readonly params: JsonObject;
  /** Of a transfer: what is meant, and what the answer says about it. */
  readonly transfer?: TransferIntent;
  readonly sendParams?: JsonObject;
  readonly tokenLocator?: string;
  /** A recipient's wallet to store together with the transaction: a refused transfer leaves none behind. */
  readonly recipientWallet?: NewWallet;
}

/**
 * Builds, simulates and stores a transaction. An api-key signer signs at once; anybody else is asked for an approval.
 * @throws transaction-invalid, validation-error, chain-not-supported, insufficient-balance, transaction-simulation-failed
 */
export async function createTransaction(ctx: RequestCtx, input: CreateTransactionInput): Promise<TransactionRecord> {
  const { wallet } = input;
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  // The process of an earlier call with this idempotency key may have died after its commit: then this is its answer.
  const earlier = ctx.idempotency && (await selectTransaction(ctx.store, { walletId: wallet.id, id }));
  if (earlier) return earlier;
  const family = ctx.chains.family(wallet.chainType);
  const { signer: signerLocator, ...params } = input.params;
  const signer = actingSigner(ctx, wallet, signerLocator);
  const familyWallet = toFamilyWallet(wallet);
  const now = ctx.clock.now();
  const prepared = await family.prepareOperation({
    wallet: familyWallet,
    params,
    signer,
    now,
    ...(input.transfer === undefined ? {} : { transfer: input.transfer }),
  });
  const byService = signer.type === 'api-key' ? await approveInCustody(ctx, familyWallet, prepared, signer) : undefined;
  const record: TransactionRecord = {
    id,
    projectId: wallet.projectId,
    walletId: wallet.id,
    chainType: wallet.chainType,
    walletType: wallet.type,
    chain: prepared.chain,
    status: move(transactionMachine, '*', byService ? 'created-approved' : 'created-for-signers'),
    params: { ...prepared.params, signer: signerView(signer) },
    operation: prepared.operation,
    onChain: prepared.onChain,
    approvals: byService ? { pending: [], submitted: [] } : firstApprovals(signer, prepared.message),
    ...(input.sendParams === undefined ? {} : { sendParams: input.sendParams }),
    ...(input.tokenLocator === undefined ? {} : { tokenLocator: input.tokenLocator }),
    fees: { mode: 'project', estimate: prepared.feesEstimate },
    createdAt: now,
    validUntil: prepared.validUntil,
  };
  await storeTransaction(ctx, { record, wallet: familyWallet, approval: byService, recipientWallet: input.recipientWallet });
  return record;
}

function firstApprovals(signer: Signer, message: string): Approvals {
  return { required: 1, pending: [{ signer, message }], submitted: [] };
}

async function approveInCustody(
  ctx: RequestCtx,
  wallet: FamilyWallet,
  prepared: PreparedOperation,
  signer: Signer,
): Promise<SubmittedApproval> {
  const family = ctx.chains.familyOfChain(prepared.chain);
  const keyId = signer['keyId'];
  if (typeof keyId !== 'string') throw new Error(`api-key signer of wallet ${wallet.id} names no custody key`);
  const signature = await ctx.providers.custody.sign(ctx.store, { keyId, bytes: family.custodyDigest(prepared.operation) });
  return family.custodyApproval(signer, signature);
}

/**
 * The signer that a request names, or the admin signer. It keeps the locator that was sent, character by character
 * (supplement, section 19, 4).
 */
function actingSigner(ctx: RequestCtx, wallet: WalletRecord, locator: unknown): Signer {
  const admin = wallet.adminSigner;
  if (locator === undefined) return admin;
  if (typeof locator !== 'string')
    throw new ServiceError('validation-error', { message: 'params.signer: must be a signer locator, e.g. "external-wallet:<address>".' });
  if (!isSameSigner(ctx, wallet, admin, locator)) {
    throw new ServiceError('transaction-invalid', {
      message: `params.signer: is not a signer of this wallet. Leave it out or send "${admin.locator}".`,
    });
  }
  return { ...admin, locator };
}

/** Whether a locator names this signer; addresses are compared in canonical form. */
export function isSameSigner(ctx: RequestCtx, wallet: WalletRecord, signer: Signer, locator: string): boolean {
  if (locator === signer.locator) return true;
  const [type, ...rest] = locator.split(':');
  if (type !== signer.type) return false;
  const value = rest.join(':');
  if (signer.type === 'api-key' && value === '') return true;
  const family = ctx.chains.family(wallet.chainType);
  return (
    signer.address !== undefined && family.isAddress(value) && family.canonicalAddress(value) === family.canonicalAddress(signer.address)
  );
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text that can be an id at all; anything else is simply not found. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}

/** @throws transaction-not-found */
export async function getTransaction(ctx: RequestCtx, input: { wallet: WalletRecord; id: string }): Promise<TransactionRecord> {
  const record = isId(input.id) ? await selectTransaction(ctx.store, { walletId: input.wallet.id, id: input.id }) : undefined;
  if (!record) throw new ServiceError('transaction-not-found');
  return record;
}

const perPageDefault = 10;
const perPageMax = 100;
const offsetMax = 100_000;

/** Newest first. Pages count from 1. @throws validation-error */
export async function listTransactions(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; page?: string; perPage?: string; dateFrom?: string; dateTo?: string },
): Promise<TransactionRecord[]> {
  const limit = Number(input.perPage ?? perPageDefault);
  if (limit > perPageMax) throw new ServiceError('validation-error', { message: `perPage: must be at most ${perPageMax}.` });
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
