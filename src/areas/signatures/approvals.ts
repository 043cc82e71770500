import { factsOf } from '../../chains/families.ts';
import type { ChainType, Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import {
  type ApprovalInput,
  type ApprovalTarget,
  acceptEmptyList,
  applyApprovals,
  checkApprovals,
  findAskedSigner,
  givenApprovals,
} from '../approvals/index.ts';
import { findTransactionAsking } from '../transactions/index.ts';
import {
  resolveActingSigner,
  selectWalletById,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';
import { assembleNow, assemblyGraceMs } from './assemble.ts';
import { signatureMachine } from './machine.ts';
import { isId } from './signatures.ts';
import {
  lockSignature,
  type SignatureRecord,
  selectSignature,
  selectSignaturesAsking,
  signatureSubject,
  updateApprovals,
} from './store.ts';

interface SubmitInput {
  readonly wallet: WalletRecord;
  readonly id: string;
  readonly approvals: readonly ApprovalInput[];
}

/**
 * Takes approvals, all or none. The last one makes the wallet's signature; of an operation it hands
 * it to the relay in the same database transaction.
 * @throws signature-not-found, validation-error, signer-not-approver, invalid-signature,
 *   approvals-complete, approval-window-closed, signer-expired, signer-scope-violation
 */
export async function submitSignatureApprovals(
  ctx: RequestCtx,
  input: SubmitInput,
): Promise<SignatureRecord> {
  const { wallet } = input;
  const key = { walletId: wallet.id, id: input.id };
  const seen = isId(input.id) ? await selectSignature(ctx.store, key) : undefined;
  if (!seen) throw new ServiceError('signature-not-found');
  if (input.approvals.length === 0) {
    acceptEmptyList(targetOf(wallet, seen));
    return seen;
  }
  // Signatures are checked before the row is locked: they depend on nothing that can change.
  const { added } = applyApprovals(ctx, targetOf(wallet, seen), input.approvals);
  const row = { table: 'signatures', id: seen.id } as const;
  await checkApprovals(
    ctx,
    {
      family: ctx.chains.family(seen.chainType),
      wallet,
      chain: seen.chain,
      signable: seen.signable,
      row,
    },
    added,
  );
  if (!seen.isOperation) await refuseFormerSigner(ctx, wallet, seen);
  const approved = await ctx.store.transaction(async (tx) => {
    const current = await lockSignature(tx, key);
    if (!current) throw new ServiceError('signature-not-found');
    return storeApprovals(ctx, tx, { ...input, current });
  });
  return approved.status === 'pending' && !approved.isOperation
    ? assembleNow(ctx, wallet, approved)
    : approved;
}

/**
 * A delegated signer may be gone, or have got scopes, since it was asked: its signature would be
 * none of the wallet's. Of an operation the chain says so itself.
 * @throws signer-not-approver, signer-expired, signer-scope-violation
 */
async function refuseFormerSigner(
  ctx: RequestCtx,
  wallet: WalletRecord,
  { params, chain }: SignatureRecord,
): Promise<void> {
  const { locator } = params['signer'] as { locator: string };
  const { delegate } = await resolveActingSigner(ctx, wallet, locator, chain).catch(
    (error: unknown) => {
      if (!(error instanceof ServiceError && error.code === 'transaction-invalid')) throw error;
      throw new ServiceError('signer-not-approver', {
        message: `${locator} may not act on ${chain} any more.`,
        cause: error,
      });
    },
  );
  if (delegate && delegate.scopes.length > 0)
    throw new ServiceError('signer-scope-violation', {
      message: `${locator} has scopes by now and cannot sign for the wallet.`,
    });
}

async function storeApprovals(
  ctx: RequestCtx,
  tx: Tx,
  input: SubmitInput & { current: SignatureRecord },
): Promise<SignatureRecord> {
  const { current, wallet } = input;
  const { approvals, complete } = applyApprovals(ctx, targetOf(wallet, current), input.approvals);
  const status = move(signatureMachine, current.status, complete ? 'approved' : 'approved-in-part');
  const given = givenApprovals(approvals);
  const next: SignatureRecord = {
    ...current,
    status,
    approvals,
    ...(complete && current.isOperation
      ? { outputSignature: factsOf(current.chainType).outputOf(given) }
      : {}),
    ...(complete && !current.isOperation
      ? { assembleAt: new Date(ctx.clock.now().getTime() + assemblyGraceMs) }
      : {}),
  };
  await updateApprovals(tx, current.status, next);
  if (complete && current.isOperation) {
    await ctx.chains.family(current.chainType).submitOperations(tx, [
      {
        operationId: current.id,
        subject: signatureSubject,
        projectId: current.projectId,
        wallet: toFamilyWallet(wallet),
        chain: current.chain,
        operation: current.signable,
        approvals: given,
      },
    ]);
  }
  return next;
}

/** A pending approval, and what it belongs to. */
export interface PendingApprovalPlace {
  readonly kind: 'transaction' | 'signature';
  readonly id: string;
  /** With the id of its custody key. */
  readonly signer: Signer;
  readonly chainType: ChainType;
  readonly chain: string;
  /** After this it cannot be approved any more. */
  readonly validUntil: Date;
  /** The family's own value behind `message`, as `custodyDigest` takes it. */
  readonly signable: JsonObject;
}

/**
 * Whether `message` is, at this moment, what this signer of the wallet is asked to sign, as itself
 * or as a member of a quorum, and for what. Undefined: it is not, so nobody may sign it in the
 * signer's name.
 */
export async function findPendingApproval(
  ctx: RequestCtx,
  input: { walletId: string; signerLocator: string; message: string },
): Promise<PendingApprovalPlace | undefined> {
  const { walletId, signerLocator, message } = input;
  const wallet = await selectWalletById(ctx.store, walletId);
  if (!wallet) return undefined;
  const transaction = await findTransactionAsking(ctx, { wallet, signerLocator, message });
  if (transaction) return { kind: 'transaction', ...transaction };
  for (const record of await selectSignaturesAsking(ctx.store, {
    walletId,
    message,
    now: ctx.clock.now(),
  })) {
    const signer = findAskedSigner(ctx, targetOf(wallet, record), input);
    const { id, chainType, chain, validUntil, signable } = record;
    if (signer) return { kind: 'signature', id, signer, chainType, chain, validUntil, signable };
  }
  return undefined;
}

export function targetOf(wallet: WalletRecord, record: SignatureRecord): ApprovalTarget {
  const { status, approvals, validUntil } = record;
  return { noun: 'signature', wallet, status, approvals, validUntil };
}
