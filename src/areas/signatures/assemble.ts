import { requireExtra, type SubmittedApproval } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move, statesBefore } from '../../machine/machine.ts';
import { givenApprovals } from '../approvals/index.ts';
import { selectWalletById, toFamilyWallet, type WalletRecord } from '../wallets/index.ts';
import { signatureMachine } from './machine.ts';
import { type SignatureRecord, selectSignature } from './store.ts';
import {
  claimUnassembled,
  endSignatures,
  postponeAssembly,
  type UnassembledSignature,
} from './store-ends.ts';

/**
 * From complete approvals to the wallet's signature. A family may have to ask its node for it, so
 * it is made outside of database transactions: at once by the process that took the last approval,
 * else by a worker.
 */

/** How long the process that took the last approval has before a worker does its work. */
export const assemblyGraceMs = 10_000;
const leaseMs = 60_000;
const attemptsMax = 12;
const retryMs = 2_000;
const retryMsMax = 5 * 60_000;
const takenMax = 20;

/** The wallet's signature. @throws upstream-error and what the family throws */
export function makeSignature(
  ctx: Ctx,
  wallet: WalletRecord,
  record: SignatureRecord,
): Promise<string> {
  return requireExtra(ctx.chains.family(record.chainType), 'signatures').completeSignature(
    toFamilyWallet(wallet),
    record.signable,
    approvalsOf(record),
  );
}

/** True for what may be gone at the next try: a node or a company that does not answer. */
export function isOutage(error: unknown): boolean {
  return error instanceof ServiceError && error.status >= 500;
}

/**
 * Ends an approved request, or leaves it to the worker when that cannot be done now; answers how it
 * stands.
 */
export async function assembleNow(
  ctx: Ctx,
  wallet: WalletRecord,
  record: SignatureRecord,
): Promise<SignatureRecord> {
  try {
    return await assemble(ctx, wallet, record);
  } catch (error) {
    ctx.log.warn(
      { err: error, signatureId: record.id },
      'an approved signature is not assembled yet; a worker tries again',
    );
    return record;
  }
}

async function assemble(
  ctx: Ctx,
  wallet: WalletRecord,
  record: SignatureRecord,
): Promise<SignatureRecord> {
  const outputSignature = await makeSignature(ctx, wallet, record);
  const at = ctx.clock.now();
  const status = move(signatureMachine, 'pending', 'assembled');
  const ended = await endSignatures(ctx.store, {
    from: statesBefore(signatureMachine, 'assembled'),
    isOperation: false,
    ends: [{ id: record.id, status, outputSignature, at }],
  });
  if (ended.length === 1) return { ...record, status, outputSignature, completedAt: at };
  return (await selectSignature(ctx.store, { walletId: record.walletId, id: record.id })) ?? record;
}

/**
 * ScheduledJob: assembles what was approved by a process that could not finish it; answers how many it
 * ended.
 */
export async function assembleSignatures(ctx: Ctx): Promise<number> {
  const taken = await claimUnassembled(ctx.store, {
    now: ctx.clock.now(),
    leaseMs,
    limit: takenMax,
  });
  const ended = await Promise.all(taken.map((one) => assembleTaken(ctx, one)));
  return ended.filter(Boolean).length;
}

async function assembleTaken(ctx: Ctx, taken: UnassembledSignature): Promise<boolean> {
  try {
    const record = await selectSignature(ctx.store, { walletId: taken.walletId, id: taken.id });
    const wallet = await selectWalletById(ctx.store, taken.walletId);
    if (!record || !wallet) throw new Error(`signature ${taken.id} or its wallet is gone`);
    return (await assemble(ctx, wallet, record)).status === 'success';
  } catch (error) {
    ctx.log.warn(
      { err: error, signatureId: taken.id, attempt: taken.attempts },
      'an approved signature could not be assembled',
    );
    if (taken.attempts < attemptsMax) {
      const waitMs = Math.min(retryMs * 2 ** (taken.attempts - 1), retryMsMax);
      await postponeAssembly(ctx.store, {
        id: taken.id,
        until: new Date(ctx.clock.now().getTime() + waitMs),
      });
      return false;
    }
    await failAssembly(ctx, taken.id);
    return true;
  }
}

async function failAssembly(ctx: Ctx, id: string): Promise<void> {
  await endSignatures(ctx.store, {
    from: statesBefore(signatureMachine, 'not-assembled'),
    isOperation: false,
    ends: [
      {
        id,
        status: move(signatureMachine, 'pending', 'not-assembled'),
        error: {
          reason: 'build_failed',
          message: 'The signature could not be made from its approvals: create the request again.',
        },
        at: ctx.clock.now(),
      },
    ],
  });
}

function approvalsOf(record: SignatureRecord): readonly SubmittedApproval[] {
  return record.given.length > 0 ? record.given : givenApprovals(record.approvals);
}
