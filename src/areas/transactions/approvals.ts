import type { ChainType, Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { move, statesBefore } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import {
  type ApprovalInput,
  type ApprovalTarget,
  acceptEmptyList,
  applyApprovals,
  applyDecline,
  checkApprovals,
  declinedError,
  findAskedSigner,
  givenApprovals,
} from '../approvals/index.ts';
import { toFamilyWallet, type WalletRecord } from '../wallets/index.ts';
import { transactionMachine } from './machine.ts';
import { findBlockedAddress, sanctionedMessage } from './screening.ts';
import { announceLater, dropOperation } from './settle.ts';
import {
  lockTransaction,
  selectTransaction,
  selectTransactionsAsking,
  settleTransactions,
  type TransactionRecord,
  updateApprovals,
} from './store.ts';
import { isId } from './transactions.ts';

interface SubmitInput {
  readonly wallet: WalletRecord;
  readonly id: string;
  readonly approvals: readonly ApprovalInput[];
}

/**
 * Approvals of other members may arrive while these are checked: as often as a quorum can have
 * members.
 */
const attemptsMax = 20;

/**
 * Takes approvals, all or none; the last one hands the operation to the relay in the same database
 * transaction, unless an address has come onto a sanctions list since: then the transaction fails.
 * @throws transaction-not-found, validation-error, signer-not-approver, invalid-signature,
 *   approval-already-submitted, approvals-complete, approval-window-closed, provider-unavailable
 */
export async function submitApprovals(
  ctx: RequestCtx,
  input: SubmitInput,
): Promise<TransactionRecord> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const record = await trySubmit(ctx, input);
    if (record) return record;
  }
  throw new ServiceError('conflict');
}

/** Undefined: these became the last approvals meanwhile, and the addresses are not screened yet. */
async function trySubmit(
  ctx: RequestCtx,
  input: SubmitInput,
): Promise<TransactionRecord | undefined> {
  const key = { walletId: input.wallet.id, id: input.id };
  const seen = isId(input.id) ? await selectTransaction(ctx.store, key) : undefined;
  if (!seen) throw new ServiceError('transaction-not-found');
  if (input.approvals.length === 0) {
    acceptEmptyList(targetOf(input.wallet, seen));
    return seen;
  }
  // Signatures are checked before the row is locked: they depend on nothing that can change.
  const { added, complete: isLast } = applyApprovals(
    ctx,
    targetOf(input.wallet, seen),
    input.approvals,
  );
  const { chain, operation: signable } = seen;
  const row = { table: 'transactions', id: seen.id } as const;
  await checkApprovals(
    ctx,
    { family: ctx.chains.family(seen.chainType), wallet: input.wallet, chain, signable, row },
    added,
  );
  const blocked = isLast
    ? await findBlockedAddress(ctx, { ...seen, counterparties: seen.counterparties ?? [] })
    : undefined;
  return ctx.store.transaction(async (tx) => {
    const current = await lockTransaction(tx, key);
    if (!current) throw new ServiceError('transaction-not-found');
    const applied = applyApprovals(ctx, targetOf(input.wallet, current), input.approvals);
    if (applied.complete && !isLast) return undefined;
    const approved = { ...current, approvals: applied.approvals };
    if (applied.complete && blocked !== undefined) return storeBlocked(ctx, tx, approved, blocked);
    return storeApproved(ctx, tx, { wallet: input.wallet, approved, complete: applied.complete });
  });
}

async function storeApproved(
  ctx: RequestCtx,
  tx: Tx,
  input: { wallet: WalletRecord; approved: TransactionRecord; complete: boolean },
): Promise<TransactionRecord> {
  const { approved, complete } = input;
  const { id, subject, projectId, chain, operation, approvals } = approved;
  const status = move(
    transactionMachine,
    approved.status,
    complete ? 'approved' : 'approved-in-part',
  );
  await updateApprovals(tx, approved.status, { ...approved, status });
  if (complete) {
    const wallet = toFamilyWallet(input.wallet);
    await ctx.chains.family(approved.chainType).submitOperations(tx, [
      {
        operationId: id,
        subject,
        projectId,
        wallet,
        chain,
        operation,
        approvals: givenApprovals(approvals),
      },
    ]);
  }
  return { ...approved, status };
}

async function storeBlocked(
  ctx: RequestCtx,
  tx: Tx,
  approved: TransactionRecord,
  address: string,
): Promise<TransactionRecord> {
  const { id, status: from } = approved;
  await updateApprovals(tx, from, {
    ...approved,
    status: move(transactionMachine, from, 'approved-in-part'),
  });
  const [failed] = await settleTransactions(tx, statesBefore(transactionMachine, 'blocked'), [
    {
      id,
      status: move(transactionMachine, from, 'blocked'),
      onChain: {},
      fees: {},
      costMinor: 0n,
      error: { reason: 'sanctioned_wallet_address', message: sanctionedMessage(address) },
      at: ctx.clock.now(),
    },
  ]);
  if (!failed) throw new Error(`transaction ${id} left "${from}" while it was locked`);
  await dropOperation(ctx, tx, failed);
  await announceLater(ctx, tx, failed);
  return failed;
}

/**
 * A signer says no. It is asked no more; where nobody else can take its place the transaction has
 * failed.
 * @throws transaction-not-found, signer-not-approver, approval-already-submitted,
 * approvals-complete, approval-window-closed
 */
export async function declineTransaction(
  ctx: RequestCtx,
  input: { readonly wallet: WalletRecord; readonly id: string; readonly signerLocator: string },
): Promise<TransactionRecord> {
  const { wallet, id, signerLocator } = input;
  return ctx.store.transaction(async (tx) => {
    const current = isId(id) ? await lockTransaction(tx, { walletId: wallet.id, id }) : undefined;
    if (!current) throw new ServiceError('transaction-not-found');
    const { approvals, isOver } = applyDecline(ctx, targetOf(wallet, current), signerLocator);
    const asked = { ...current, approvals };
    await updateApprovals(tx, current.status, {
      ...asked,
      status: move(transactionMachine, current.status, 'declined-in-part'),
    });
    if (!isOver) return asked;
    const [failed] = await settleTransactions(tx, statesBefore(transactionMachine, 'declined'), [
      {
        id,
        status: move(transactionMachine, current.status, 'declined'),
        onChain: {},
        fees: {},
        costMinor: 0n,
        error: declinedError('transaction'),
        at: ctx.clock.now(),
      },
    ]);
    if (!failed) throw new Error(`transaction ${id} left "${current.status}" while it was locked`);
    await dropOperation(ctx, tx, failed);
    await announceLater(ctx, tx, failed);
    return failed;
  });
}

/** A transaction that asks a signer for an approval. */
export interface AskingTransaction {
  readonly id: string;
  /** With the id of its custody key. */
  readonly signer: Signer;
  readonly chainType: ChainType;
  readonly chain: string;
  readonly validUntil: Date;
  /** The family's operation. */
  readonly signable: JsonObject;
}

/** The transaction of this wallet that asks this signer to sign this message now. */
export async function findTransactionAsking(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; signerLocator: string; message: string },
): Promise<AskingTransaction | undefined> {
  const { wallet, message } = input;
  for (const record of await selectTransactionsAsking(ctx.store, {
    walletId: wallet.id,
    message,
    now: ctx.clock.now(),
  })) {
    const signer = findAskedSigner(ctx, targetOf(wallet, record), input);
    const { id, chainType, chain, validUntil, operation: signable } = record;
    if (signer) return { id, signer, chainType, chain, validUntil, signable };
  }
  return undefined;
}

function targetOf(wallet: WalletRecord, record: TransactionRecord): ApprovalTarget {
  const { status, approvals, validUntil } = record;
  return { noun: 'transaction', wallet, status, approvals, validUntil };
}
