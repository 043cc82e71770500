import type { ChainFamily, Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Approvals, PendingApproval, QuorumEntry } from '../approvals/index.ts';
import { findTransactionAsking } from '../transactions/index.ts';
import { isSameSigner, type WalletRecord } from '../wallets/index.ts';

/** An approval that a signer is asked for at this moment. */
export interface AskedApproval {
  readonly family: ChainFamily;
  /** With the id of its custody key. */
  readonly signer: Signer;
  /** The family's own value that is approved. */
  readonly signable: JsonObject;
}

interface AskedInput {
  readonly wallet: WalletRecord;
  readonly signerLocator: string;
  readonly message: string;
}

/** The pending approval of a transaction or signature of this wallet that this signer gives by signing this message. */
export async function findAskedApproval(ctx: RequestCtx, input: AskedInput): Promise<AskedApproval | undefined> {
  const transaction = await findTransactionAsking(ctx, input);
  if (!transaction) return undefined;
  return {
    family: ctx.chains.family(transaction.chainType),
    signer: signerAsked(ctx, input, transaction.approvals),
    signable: transaction.operation,
  };
}

function signerAsked(ctx: RequestCtx, { wallet, signerLocator, message }: AskedInput, approvals: Approvals): Signer {
  const entry = approvals.pending
    .flatMap((one: PendingApproval | QuorumEntry): readonly PendingApproval[] =>
      'quorumApprovals' in one ? one.quorumApprovals.pending : [one],
    )
    .find((one) => one.message === message && isSameSigner(ctx, wallet, one.signer, signerLocator));
  if (!entry) throw new Error(`the approval of ${signerLocator} was found and is not there`);
  return entry.signer;
}
