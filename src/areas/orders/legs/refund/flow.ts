import type { ResolvedToken } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { databaseStep, defineFlow, effectStep } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { findDeposit } from '../../../deposits/index.ts';
import { selectTreasuryTransfer, sendFromTreasury } from '../../../treasury/index.ts';
import { selectOrder } from '../../state/store.ts';
import { refuteDeposits } from '../deposit/proof.ts';
import { failRefund, isCovered, markSent, stopRefund } from './follow.ts';
import {
  type ChainRefund,
  isSetAside,
  lockRefund,
  requireSealedRefund,
  selectRefund,
} from './store.ts';

type RefundState = { readonly refundId: string };
type Refusal = { readonly code: string; readonly message: string };

/** Refusals that another try would meet again. */
const finalRefusals: ReadonlySet<string> = new Set([
  'sanctioned-address',
  'invalid-recipient',
  'token-not-supported',
  'chain-not-supported',
]);

/** Somebody wrote the refund, or made another of it. */
const notSetAside: Refusal = {
  code: 'not-set-aside',
  message: 'The ledger has not set its money aside: nobody has decided to send it.',
};

/**
 * About a day of tries: an empty treasury or a node that is down is somebody's to mend meanwhile.
 */
const retry = { attemptsMax: 300, baseMs: 500, delayMsMax: 5 * 60_000 };
const lookAgainMs = 3_600_000;

/** Sends one refund: one transfer at a time, whose id is stored before it is asked for. */
export const orderRefundFlow = defineFlow<RefundState, Ctx>({
  kind: 'order-refund',
  version: 1,
  firstStep: 'send',
  steps: {
    send: effectStep<RefundState, { readonly transferId: string }, Refusal | undefined, Ctx>({
      retry,
      timeoutMs: 60_000,
      prepare: async (ctx, tx, { state }) => {
        const refund = await lockRefund(tx, { id: state.refundId });
        if (refund?.status !== 'pending') return { goto: 'watch' };
        if (await isCovered(tx, refund)) {
          if (await isSetAside(tx, refund)) return { intent: { transferId: refund.transferId } };
          await failRefund(ctx, tx, refund, notSetAside);
          return { goto: 'watch' };
        }
        // Nothing is set aside for a deposit that is gone: it may come again.
        // Of one that was handed over already the reorganisation's own news have decided.
        if (!(await selectTreasuryTransfer(tx, refund.transferId)))
          await stopRefund(ctx, tx, refund);
        return { goto: 'watch', runAt: new Date(ctx.clock.now().getTime() + lookAgainMs) };
      },
      perform: async (ctx, { state }, { data }) => {
        const refund = await selectRefund(ctx.store, state.refundId);
        if (refund?.status !== 'pending' || refund.transferId !== data.transferId) return undefined;
        return (
          (await refuseChanged(ctx, refund)) ??
          (await refuseUnproven(ctx, refund)) ??
          send(ctx, refund)
        );
      },
      record: async (ctx, tx, { state }, refusal, { data }) => {
        const refund = await lockRefund(tx, { id: state.refundId });
        if (refund?.status !== 'pending' || refund.transferId !== data.transferId)
          return { goto: 'watch' };
        // A try that was given up for lost may have handed it over since it was refused; from here
        // on the lock keeps that out.
        if (await selectTreasuryTransfer(tx, refund.transferId)) await markSent(ctx, tx, refund);
        else if (refusal) await failRefund(ctx, tx, refund, refusal);
        return { goto: 'watch' };
      },
    }),
    watch: databaseStep<RefundState, Ctx>({
      run: async (ctx, tx, { state }) => {
        const refund = await selectRefund(tx, state.refundId);
        if (refund?.status === 'pending') return { goto: 'send' };
        if (!refund || refund.status === 'final') return { done: true };
        // A failed one waits for its operator.
        return { goto: 'watch', runAt: new Date(ctx.clock.now().getTime() + lookAgainMs) };
      },
    }),
  },
  onDead: async (ctx, tx, { state }, error) => {
    const refund = await lockRefund(tx, { id: state.refundId });
    if (refund?.status !== 'pending') return;
    if (await selectTreasuryTransfer(tx, refund.transferId)) await markSent(ctx, tx, refund);
    else await failRefund(ctx, tx, refund, { code: 'upstream-error', message: error });
  },
});

/** Whoever writes the table is sent nothing. */
async function refuseChanged(ctx: Ctx, refund: ChainRefund): Promise<Refusal | undefined> {
  try {
    await requireSealedRefund(ctx.store, refund);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return { code: 'row-changed', message: error.message };
    throw error;
  }
}

/** What never came is not sent back either. */
async function refuseUnproven(ctx: Ctx, refund: ChainRefund): Promise<Refusal | undefined> {
  const deposit = await findDeposit(ctx.store, refund.depositId);
  const order =
    refund.orderId === undefined
      ? undefined
      : await selectOrder(ctx.store, { by: 'id', id: refund.orderId });
  const unproven = deposit && (await refuteDeposits(ctx, order, [deposit]));
  return unproven === undefined
    ? undefined
    : { code: 'deposit-unproven', message: `The deposits ${unproven}.` };
}

async function send(ctx: Ctx, refund: ChainRefund): Promise<Refusal | undefined> {
  const { transferId, projectId, id, chain, amountMinor, recipient } = refund;
  const subject = `refund:${id}`;
  try {
    await sendFromTreasury(ctx, {
      transferId,
      projectId,
      subject,
      chain,
      token: tokenOf(refund),
      amountMinor,
      recipientAddress: recipient,
      isWanted: async (tx) => {
        const now = await lockRefund(tx, { id });
        if (now) await requireSealedRefund(tx, now);
        return (
          now?.status === 'pending' &&
          now.transferId === transferId &&
          (await isSetAside(tx, now)) &&
          isCovered(tx, now)
        );
      },
    });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && finalRefusals.has(error.code))
      return { code: error.code, message: error.message };
    throw error;
  }
}

function tokenOf({ chain, asset, decimals }: ChainRefund): ResolvedToken {
  const address = asset.slice(chain.length + 1);
  const token = { chain, locator: asset, decimals };
  return address === 'native' ? { ...token, locator: chain } : { ...token, address };
}
