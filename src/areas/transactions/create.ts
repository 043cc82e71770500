import type { ChainFamily, PreparedOperation, Signer } from '../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { makeFirstApprovals } from '../approvals/index.ts';
import {
  actingSignerView,
  type NewWallet,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';
import { makeFees } from './fees.ts';
import { storeTransaction } from './insert-transaction.ts';
import { transactionMachine } from './machine.ts';
import { findBlockedAddress, sanctionedMessage } from './screening.ts';
import type { TransactionRecord, TransactionSubject } from './store.ts';

export interface CreatePreparedTransactionInput {
  readonly wallet: WalletRecord;
  /** What is signed and sent; nothing of it is checked again. */
  readonly prepared: PreparedOperation;
  /**
   * Who acts: a recovery method (a quorum as a whole) or a delegate, spelled as the caller sent it.
   */
  readonly signer: Signer;
  /** Absent: a transaction of the caller's own. */
  readonly subject?: TransactionSubject;
  /** Of the transaction; the idempotency key's, or a new one, when absent. */
  readonly id?: string;
  /** Addresses to screen beside `prepared.counterparties`. */
  readonly screened?: readonly string[];
  /** Of a transfer: what the answer says about it. */
  readonly sendParams?: JsonObject;
  readonly tokenLocator?: string;
  /**
   * A recipient's wallet to store together with the transaction: a refused transfer leaves none
   * behind.
   */
  readonly recipientWallet?: NewWallet;
  /**
   * What the caller stores in the same database transaction, before the transaction itself; what it
   * throws undoes both. It may run again (40001), so it has no effect outside the database.
   */
  readonly alongside?: (tx: Tx, record: TransactionRecord) => Promise<void>;
  /** Like `alongside`, and last: what holds a lock that everybody waits for. */
  readonly afterwards?: ((tx: Tx) => Promise<void>) | undefined;
}

/**
 * Stores a transaction of an operation that a family has prepared. What an api-key signer or an mpc
 * wallet approves goes to the relay in the same database transaction, signed, or to be signed when it
 * is sent; anybody else is asked for an approval.
 * @throws sanctioned-address, provider-unavailable when nobody can say so, conflict when a call
 *   with the same id has stored it meanwhile; what `alongside` throws
 */
export async function createPreparedTransaction(
  ctx: Ctx & Pick<RequestCtx, 'idempotency'>,
  input: CreatePreparedTransactionInput,
): Promise<TransactionRecord> {
  const { wallet, prepared, signer, alongside } = input;
  const family = ctx.chains.family(wallet.chainType);
  const id = input.id ?? ctx.idempotency?.objectId ?? ctx.ids.uuid();
  const counterparties = [...prepared.counterparties, ...(input.screened ?? [])];
  const [first, { fees, usdPerFeeUnit }] = await orDropped(ctx, family, prepared, () =>
    Promise.all([
      makeFirstApprovals(ctx, {
        family,
        wallet,
        chain: prepared.chain,
        signer,
        message: prepared.message,
        members: prepared.members,
        coSigners: prepared.coSigners,
        signable: prepared.operation,
        row: { table: 'transactions', id },
      }),
      makeFees(ctx, prepared),
      refuseBlocked(ctx, {
        id,
        projectId: wallet.projectId,
        chain: prepared.chain,
        counterparties,
      }),
    ]),
  );
  const record: TransactionRecord = {
    id,
    projectId: wallet.projectId,
    walletId: wallet.id,
    chainType: wallet.chainType,
    walletType: wallet.type,
    chain: prepared.chain,
    subject: input.subject ?? 'transaction',
    status: move(
      transactionMachine,
      '*',
      first.complete ? 'created-approved' : 'created-for-signers',
    ),
    params: { ...prepared.params, ...actingSignerView(wallet, signer) },
    operation: prepared.operation,
    // Who signs with a wallet that shows what it signs needs more than the hash.
    onChain:
      first.complete || prepared.typedData === undefined
        ? prepared.onChain
        : { ...prepared.onChain, typedData: prepared.typedData },
    approvals: first.approvals,
    sendParams: input.sendParams,
    tokenLocator: input.tokenLocator,
    fees,
    preview: prepared.preview,
    ...(first.complete ? {} : { counterparties }),
    usdPerFeeUnit,
    createdAt: ctx.clock.now(),
    validUntil: prepared.validUntil,
  };
  await storeTransaction(ctx, {
    record,
    wallet: toFamilyWallet(wallet),
    given: first.complete ? first.given : undefined,
    recipientWallet: input.recipientWallet,
    alongside: alongside && ((tx) => alongside(tx, record)),
    afterwards: input.afterwards,
  });
  return record;
}

/** What is refused before it is stored holds nothing. */
export async function orDropped<Answer>(
  ctx: Pick<Ctx, 'store'>,
  family: ChainFamily,
  { operation }: PreparedOperation,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    await family.dropOperation?.(ctx.store, operation);
    throw error;
  }
}

async function refuseBlocked(
  ctx: Ctx,
  input: Parameters<typeof findBlockedAddress>[1],
): Promise<void> {
  const blocked = await findBlockedAddress(ctx, input);
  if (blocked !== undefined)
    throw new ServiceError('sanctioned-address', { message: sanctionedMessage(blocked) });
}
