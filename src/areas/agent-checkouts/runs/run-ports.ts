import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type {
  ArmRequest,
  BrowserState,
  RunEnd,
  StepEvidence,
  UserActionAnswer,
  UserActionRequest,
} from '../../../runner/types.ts';
import { runSteps } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { saveBrowserState } from '../../browser-profiles/index.ts';
import { keySealer } from '../../users/index.ts';
import { openAction, takenLifeMs } from '../actions/actions.ts';
import {
  closeAction,
  forgetTakenAnswers,
  noteTaken,
  selectAction,
  selectActionByKey,
  selectOpenActions,
} from '../actions/actions-store.ts';
import { answerContext } from '../actions/respond.ts';
import { addCardLetter, findSavedCard } from '../cards/saved-card.ts';
import { changeCheckout } from '../change-checkout.ts';
import { moneyView } from '../money.ts';
import { makeReceipt } from '../steps/receipt.ts';
import { insertPicture } from '../steps/step-pictures.ts';
import { lockCheckout, requireUnchanged } from '../store.ts';
import type { ActionRecord, CheckoutRecord } from '../types.ts';
import { requireApproval } from './run-approval.ts';
import {
  countPictures,
  insertRunProgress,
  insertStep,
  markArmed,
  markOrdered,
  type RunHold,
  selectArmed,
  setStep,
} from './runs-store.ts';

/** What every call of a runner may be answered instead: stop. */
export type RunStop = { readonly stop: 'lost' | 'cancelled' };
export type Outcome<T> = RunStop | { readonly done: T };

const picturesMax = 60;
const pictureBytesMax = 512 * 1024;

/**
 * Does something for the runner that holds the run. One that has lost it, or whose user has
 * cancelled before the paying click, is told to stop and changes nothing; `isTooLate`: it has
 * something to say that no cancelling undoes.
 */
export async function asHolder<T>(
  ctx: Ctx,
  hold: RunHold,
  work: (tx: Tx, record: CheckoutRecord) => Promise<T>,
  isTooLate = false,
): Promise<Outcome<T>> {
  return ctx.store.transaction(async (tx) => {
    const record = await lockCheckout(tx, hold.checkoutId);
    if (!record || record.endedAt || record.fence !== hold.fence) return { stop: 'lost' };
    if (record.cancelAskedAt && !record.armedAt && !isTooLate) return { stop: 'cancelled' };
    return { done: await work(tx, record) };
  });
}

/**
 * A step is done; the log has it before the next one begins. Steps never go back once the run is
 * armed. A step behind the permit of a run that never got one means that the shop has placed an
 * order by itself: it locks the item as the permit does.
 */
export function recordStep(
  ctx: Ctx,
  hold: RunHold,
  evidence: StepEvidence,
): Promise<Outcome<void>> {
  const isBehindPermit = isAfter(evidence.step, 'fill-card');
  return asHolder(
    ctx,
    hold,
    async (tx, record) => {
      await insertStep(tx, record.id, evidence);
      await forgetTakenAnswers(tx, record.id);
      if (isBehindPermit && !record.armedAt)
        await markOrdered(tx, { id: record.id, at: ctx.clock.now() });
      if (!record.armedAt || isAfter(evidence.step, record.step))
        await setStep(tx, { id: record.id, step: evidence.step });
    },
    isBehindPermit,
  );
}

const isAfter = (step: StepEvidence['step'], other: StepEvidence['step']) =>
  runSteps.indexOf(step) > runSteps.indexOf(other);

/** A masked picture for the step log, sealed; too many or too large ones are left out. */
export function addPicture(
  ctx: Ctx,
  hold: RunHold,
  input: { readonly evidence: StepEvidence; readonly jpeg: Buffer },
): Promise<Outcome<void>> {
  return asHolder(ctx, hold, async (tx, record) => {
    if (input.jpeg.length > pictureBytesMax || (await countPictures(tx, record.id)) >= picturesMax)
      return;
    await insertPicture(ctx, tx, record, input);
  });
}

export function addProgress(
  ctx: Ctx,
  hold: RunHold,
  item: { readonly title: string; readonly message?: string },
): Promise<Outcome<void>> {
  return asHolder(ctx, hold, (tx, record) =>
    insertRunProgress(tx, record.id, { ...item, at: ctx.clock.now() }),
  );
}

/**
 * Asks the user. The answer is fetched by {@link claimAnswer} with the id. `key` is the run's own
 * name of this question: asked again under it, because an answer was lost, it is the same question.
 * @throws conflict when another question is open, internal-error when the checkout was changed
 * behind the service
 */
export function askUser(
  ctx: Ctx,
  hold: RunHold,
  request: UserActionRequest,
  key?: string,
): Promise<Outcome<{ readonly actionId: string }>> {
  return asHolder(ctx, hold, async (tx, record) => {
    requireUnchanged(tx, record);
    const asked =
      key === undefined
        ? undefined
        : await selectActionByKey(tx, { checkoutId: record.id, requestKey: key });
    if (asked) return { actionId: asked.id };
    if (record.status === 'awaiting_user_action')
      throw new ServiceError('conflict', { message: 'Another question to the user is open.' });
    return { actionId: (await openAction(ctx, tx, record, request, key)).id };
  });
}

/**
 * The answer, once there is one. It goes to one hold, which may take it again for a moment in case
 * it was lost on its way; as soon as the run goes on it is forgotten.
 */
export async function claimAnswer(
  ctx: Ctx,
  hold: RunHold,
  actionId: string,
): Promise<Outcome<UserActionAnswer | undefined>> {
  const taken = await asHolder(ctx, hold, async (tx, record) => {
    const action = await selectAction(tx, { checkoutId: record.id, id: actionId });
    if (!action || action.status === 'open') return undefined;
    const answer = await openAnswer(ctx, tx, { action, record, hold });
    const card = await findSavedCard(tx, { record, action, answer });
    return { answer, card };
  });
  if ('stop' in taken) return taken;
  const { answer, card } = taken.done ?? {};
  return { done: card ? await addCardLetter(ctx, card) : answer };
}

async function openAnswer(
  ctx: Ctx,
  tx: Tx,
  {
    action,
    record,
    hold,
  }: { readonly action: ActionRecord; readonly record: CheckoutRecord; readonly hold: RunHold },
): Promise<UserActionAnswer> {
  if (action.status === 'expired' || action.status === 'superseded') return { action: 'expired' };
  const at = ctx.clock.now();
  const isTaken =
    action.takenAt &&
    (action.takenBy !== hold.fence || at.getTime() - action.takenAt.getTime() > takenLifeMs);
  if (!action.sealedAnswer || isTaken) return { action: 'expired' };
  const answer = keySealer(ctx.config).open(
    action.sealedAnswer,
    answerContext(action, record.projectId),
  );
  await noteTaken(tx, { id: action.id, at, by: hold.fence });
  return JSON.parse(answer.toString()) as UserActionAnswer;
}

/**
 * Gives the one permit for the paying click. False: it was given before, so whoever asks only looks
 * what became of it. `key` is the run's own name of this request: sent again by the same hold under
 * it, because the answer was lost and so nobody has clicked, it is the same permit.
 * @throws ServiceError when the total is not what the user approved, is above the cap, or the
 * item's earlier purchase is unknown
 */
export function armRun(
  ctx: Ctx,
  hold: RunHold,
  request: ArmRequest,
  key?: string,
): Promise<Outcome<boolean>> {
  return asHolder(ctx, hold, async (tx, record) => {
    if (record.armedAt)
      return key !== undefined && isSamePermit(await selectArmed(tx, record.id), hold, key);
    await requireApproval(tx, record, request);
    const { total, origin, sources } = request;
    const armed = {
      ...moneyView(total),
      origin,
      sources: [...sources],
      fence: hold.fence.toString(),
      ...(key !== undefined && { key }),
    };
    await markArmed(tx, { id: record.id, at: ctx.clock.now(), armed });
    return true;
  });
}

function isSamePermit(
  armed: { readonly key?: string; readonly fence?: string } | undefined,
  hold: RunHold,
  key: string,
): boolean {
  return armed?.key === key && armed.fence === hold.fence.toString();
}

/**
 * Keeps what the browser learned; false when somebody else has saved since the run began, or the
 * profile was deleted.
 */
export async function saveRunState(
  ctx: Ctx,
  hold: RunHold,
  state: BrowserState,
): Promise<Outcome<boolean>> {
  const held = await asHolder(ctx, hold, async (_, record) => record);
  if ('stop' in held) return held;
  const { browserProfileId, profileVersion } = held.done;
  if (browserProfileId === undefined || profileVersion === undefined) return { done: false };
  return {
    done: await saveBrowserState(ctx, {
      profileId: browserProfileId,
      versionBefore: profileVersion,
      state,
    }),
  };
}

/**
 * How the run ended, by the runner that holds it. A cancelled run ends here, too. Told twice,
 * because an answer was lost, it is done.
 */
export async function endRun(
  ctx: Ctx,
  hold: RunHold,
  end: RunEnd,
): Promise<RunStop | { readonly done: true }> {
  return ctx.store.transaction(async (tx) => {
    const found = await lockCheckout(tx, hold.checkoutId);
    if (!found || found.fence !== hold.fence) return { stop: 'lost' };
    if (found.endedAt) return hasEndedLike(found, end) ? { done: true } : { stop: 'lost' };
    const record = await dropQuestion(ctx, tx, found);
    const now = ctx.clock.now();
    const at = now.toISOString();
    if (end.outcome === 'succeeded') {
      const receipt = await makeReceipt(ctx, tx, {
        ...end,
        checkoutId: record.id,
        capturedAt: now,
      });
      await changeCheckout(ctx, tx, record, {
        event: 'succeeded',
        set: { step: 'settled', outcome: 'placed', receipt },
        progress: [{ type: 'step', title: 'Bought' }],
      });
      return { done: true };
    }
    // What was neither permitted nor seen in the shop was never placed, whatever the runner fears.
    const outcome = end.placed === 'unknown' && record.armedAt ? 'unknown' : 'not-placed';
    if (end.outcome === 'cancelled' && outcome === 'not-placed') {
      await changeCheckout(ctx, tx, record, {
        event: 'cancelled',
        set: { outcome },
        progress: [{ type: 'step', title: 'Cancelled' }],
      });
      return { done: true };
    }
    const { reason, message } =
      end.outcome === 'failed'
        ? end
        : { reason: 'automation_failed' as const, message: 'It was cancelled too late.' };
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

/**
 * A run may end while its user is asked: its browser was lost meanwhile, and the next one found the
 * order.
 */
async function dropQuestion(ctx: Ctx, tx: Tx, record: CheckoutRecord): Promise<CheckoutRecord> {
  const open = (await selectOpenActions(tx, [record.id])).get(record.id);
  if (open) await closeAction(tx, { id: open.id, status: 'superseded', at: ctx.clock.now() });
  return record.status === 'awaiting_user_action'
    ? changeCheckout(ctx, tx, record, { event: 'superseded' })
    : record;
}

/** A run that was cancelled too late has failed. */
function hasEndedLike(record: CheckoutRecord, end: RunEnd): boolean {
  return (
    record.status === end.outcome || (record.status === 'failed' && end.outcome === 'cancelled')
  );
}
