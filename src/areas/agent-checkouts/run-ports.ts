import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { ArmRequest, BrowserState, RunEnd, StepEvidence, UserActionAnswer, UserActionRequest } from '../../runner/types.ts';
import { runSteps } from '../../runner/types.ts';
import type { Tx } from '../../store/types.ts';
import { saveBrowserState } from '../browser-profiles/index.ts';
import { keySealer } from '../users/index.ts';
import { openAction } from './actions.ts';
import { forgetAnswer, selectAction } from './actions-store.ts';
import { changeCheckout } from './change-checkout.ts';
import { moneyView } from './money.ts';
import { answerContext } from './respond.ts';
import { capOf } from './runs.ts';
import { countPictures, insertStep, markArmed, type RunHold, selectApproval, setStep } from './runs-store.ts';
import { insertProgress, lockCheckout, selectUnknownPurchase } from './store.ts';
import type { CheckoutRecord } from './types.ts';

/** What every call of a runner may be answered instead: stop. */
export type RunStop = { readonly stop: 'lost' | 'cancelled' };
type Outcome<T> = RunStop | { readonly done: T };

const picturesMax = 60;
const pictureBytesMax = 512 * 1024;

/**
 * Does something for the runner that holds the run. One that has lost it, or whose user has cancelled before the paying click, is
 * told to stop and changes nothing.
 */
async function asHolder<T>(ctx: Ctx, hold: RunHold, work: (tx: Tx, record: CheckoutRecord) => Promise<T>): Promise<Outcome<T>> {
  return ctx.store.transaction(async (tx) => {
    const record = await lockCheckout(tx, hold.checkoutId);
    if (!record || record.endedAt || record.fence !== hold.fence) return { stop: 'lost' };
    if (record.cancelAskedAt && !record.armedAt) return { stop: 'cancelled' };
    return { done: await work(tx, record) };
  });
}

/** A step is done; the log has it before the next one begins. Steps never go back once the run is armed. */
export function recordStep(ctx: Ctx, hold: RunHold, evidence: StepEvidence): Promise<Outcome<void>> {
  return asHolder(ctx, hold, async (tx, record) => {
    await insertStep(tx, record.id, evidence);
    if (!record.armedAt || isAfter(evidence.step, record.step)) await setStep(tx, { id: record.id, step: evidence.step });
  });
}

const isAfter = (step: StepEvidence['step'], other: StepEvidence['step']) => runSteps.indexOf(step) > runSteps.indexOf(other);

/** A masked picture for the step log; too many or too large ones are left out. */
export function addPicture(
  ctx: Ctx,
  hold: RunHold,
  input: { readonly evidence: StepEvidence; readonly jpeg: Buffer },
): Promise<Outcome<void>> {
  return asHolder(ctx, hold, async (tx, record) => {
    if (input.jpeg.length > pictureBytesMax || (await countPictures(tx, record.id)) >= picturesMax) return;
    await insertStep(tx, record.id, input.evidence, input.jpeg);
  });
}

export function addProgress(ctx: Ctx, hold: RunHold, item: { readonly title: string; readonly message?: string }): Promise<Outcome<void>> {
  return asHolder(ctx, hold, (tx, record) => insertProgress(tx, record.id, [{ type: 'step', ...item, createdAt: ctx.clock.now() }]));
}

/** Asks the user. The answer is fetched by {@link takeAnswer} with the id. */
export function askUser(ctx: Ctx, hold: RunHold, request: UserActionRequest): Promise<Outcome<{ readonly actionId: string }>> {
  return asHolder(ctx, hold, async (tx, record) => ({ actionId: (await openAction(ctx, tx, record, request)).id }));
}

/** The answer, once there is one; it is forgotten here as it is handed out. */
export function takeAnswer(ctx: Ctx, hold: RunHold, actionId: string): Promise<Outcome<UserActionAnswer | undefined>> {
  return asHolder(ctx, hold, async (tx, record) => {
    const action = await selectAction(tx, { checkoutId: record.id, id: actionId });
    if (!action || action.status === 'open') return undefined;
    if (action.status === 'expired' || action.status === 'superseded') return { action: 'expired' };
    if (!action.sealedAnswer) return { action: 'expired' };
    const answer = keySealer(ctx.config).open(action.sealedAnswer, answerContext(action, record.projectId));
    await forgetAnswer(tx, { id: action.id, at: ctx.clock.now() });
    return JSON.parse(answer.toString()) as UserActionAnswer;
  });
}

/**
 * Gives the one permit for the paying click. False: it was given before, so whoever asks only looks what became of it.
 * @throws ServiceError when the total is not what the user approved, is above the cap, or the item's earlier purchase is unknown
 */
export function armRun(ctx: Ctx, hold: RunHold, request: ArmRequest): Promise<Outcome<boolean>> {
  return asHolder(ctx, hold, async (tx, record) => {
    if (record.armedAt) return false;
    const { total, origin, sources } = request;
    const cap = capOf(record);
    if (total.currency !== cap.currency || total.amountMinor > cap.amountMinor)
      throw new ServiceError('conflict', { message: 'The total is above the cap of the checkout.' });
    const approved = await selectApproval(tx, record.id);
    if (
      !approved ||
      approved.currency !== total.currency ||
      BigInt(approved.amountMinor) !== total.amountMinor ||
      approved.origin !== origin
    )
      throw new ServiceError('conflict', { message: 'The user has not approved this total at this shop.' });
    if (await selectUnknownPurchase(tx, { personId: record.userId, itemKey: record.itemKey }))
      throw new ServiceError('conflict', { message: 'An earlier purchase of this item may have been placed.' });
    await markArmed(tx, { id: record.id, at: ctx.clock.now(), armed: { ...moneyView(total), origin, sources: [...sources] } });
    return true;
  });
}

/** Keeps what the browser learned; false when somebody else has saved since the run began, or the profile was deleted. */
export async function saveRunState(ctx: Ctx, hold: RunHold, state: BrowserState): Promise<Outcome<boolean>> {
  const held = await asHolder(ctx, hold, async (_, record) => record);
  if ('stop' in held) return held;
  const { browserProfileId, profileVersion } = held.done;
  if (browserProfileId === undefined || profileVersion === undefined) return { done: false };
  return { done: await saveBrowserState(ctx, { profileId: browserProfileId, versionBefore: profileVersion, state }) };
}

/** How the run ended, by the runner that holds it. A cancelled run ends here, too. */
export async function endRun(ctx: Ctx, hold: RunHold, end: RunEnd): Promise<RunStop | { readonly done: true }> {
  return ctx.store.transaction(async (tx) => {
    const record = await lockCheckout(tx, hold.checkoutId);
    if (!record || record.endedAt || record.fence !== hold.fence) return { stop: 'lost' };
    const at = ctx.clock.now().toISOString();
    if (end.outcome === 'succeeded') {
      const { total, merchantOrderId, confirmationUrl, confirmationText } = end;
      const evidence = {
        ...(confirmationUrl !== undefined && { confirmationUrl }),
        ...(confirmationText !== undefined && { confirmationText }),
      };
      await changeCheckout(ctx, tx, record, {
        event: 'succeeded',
        set: {
          step: 'settled',
          outcome: 'placed',
          receipt: { total: moneyView(total), capturedAt: at, ...(merchantOrderId !== undefined && { merchantOrderId }), evidence },
        },
        progress: [{ type: 'step', title: 'Bought' }],
      });
      return { done: true };
    }
    // What was never armed was never placed, whatever the runner fears.
    const outcome = end.placed === 'unknown' && record.armedAt ? 'unknown' : 'not-placed';
    if (end.outcome === 'cancelled' && outcome === 'not-placed') {
      await changeCheckout(ctx, tx, record, { event: 'cancelled', set: { outcome }, progress: [{ type: 'step', title: 'Cancelled' }] });
      return { done: true };
    }
    const { reason, message } =
      end.outcome === 'failed' ? end : { reason: 'automation_failed' as const, message: 'It was cancelled too late.' };
    await changeCheckout(ctx, tx, record, {
      event: 'failed',
      set: {
        outcome,
        failure: {
          reason,
          message:
            outcome === 'unknown'
              ? `${message} Nobody knows whether the shop has the order: it is not bought again before that is decided.`
              : message,
          failedAt: at,
        },
      },
      progress: [{ type: 'step', title: 'Failed', message }],
    });
    return { done: true };
  });
}
