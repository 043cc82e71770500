import type { Ctx } from '../../context.ts';
import { defineFlow, effectStep, type StepResult, startFlow } from '../../jobs/index.ts';
import { type Inquiry, isNotTaken } from '../../providers/kyc/kyc.ts';
import type { Tx } from '../../store/types.ts';
import { endOf, requireKyc, settleReview, submitReview } from './reviews.ts';
import { selectReview, selectReviewsOfUsers, setInquiry } from './store.ts';

/** No personal data: the flow is kept longer than a person may want. */
type ReviewState = { readonly reviewId: string; readonly polls: number };

/** Long enough for a company that is down over a long weekend. */
const retry = { attemptsMax: 600, baseMs: 1_000, delayMsMax: 10 * 60_000 };
const timeoutMs = 60_000;
const pollMsMin = 1_000;
const pollMsMax = 15 * 60_000;
/** A review that no company ends in this time ends as expired. */
const reviewMsMax = 60 * 24 * 60 * 60_000;

/**
 * One review, from handing it to the company to what the company said. A callback wakes it; without
 * any it looks by itself.
 */
export const identityReviewFlow = defineFlow<ReviewState, Ctx>({
  kind: 'identity-review',
  version: 1,
  firstStep: 'submit',
  steps: {
    submit: effectStep<
      ReviewState,
      Record<string, never>,
      Awaited<ReturnType<typeof submitReview>>,
      Ctx
    >({
      retry,
      timeoutMs,
      prepare: async (_, tx, { state }) => {
        const review = await selectReview(tx, state.reviewId);
        if (review?.status !== 'active') return { done: true };
        return review.inquiryId === undefined ? { intent: {} } : { goto: 'watch' };
      },
      perform: (ctx, { state }, _, signal) => submitReview(ctx, state.reviewId, signal),
      record: async (ctx, tx, flow, answer) => {
        const { state } = flow;
        if (!answer) return { done: true };
        if (isNotTaken(answer)) {
          ctx.log.error(
            { reviewId: state.reviewId, reason: answer.notTaken },
            'the identity company did not take a review',
          );
          await settleReview(ctx, tx, { reviewId: state.reviewId, end: { status: 'failed' } });
          return { done: true };
        }
        const known = await setInquiry(tx, { reviewId: state.reviewId, inquiryId: answer.id });
        if (!known && !(await selectReview(tx, state.reviewId))) {
          // The person was erased while the company took the inquiry: it forgets it too.
          const { name: provider } = requireKyc(ctx);
          const key = `${provider}/${answer.id}`;
          await startFlow(ctx, tx, identityRedactFlow, {
            projectId: flow.projectId,
            key,
            state: { provider, inquiryId: answer.id },
          });
          return { done: true };
        }
        return goOn(ctx, tx, state, answer);
      },
    }),
    watch: effectStep<ReviewState, { inquiryId: string }, Inquiry, Ctx>({
      retry,
      timeoutMs,
      prepare: async (ctx, tx, { state }) => {
        const review = await selectReview(tx, state.reviewId);
        if (review?.status !== 'active' || review.inquiryId === undefined) return { done: true };
        if (
          ctx.clock.now().getTime() - review.createdAt.getTime() < reviewMsMax &&
          review.provider === requireKyc(ctx).name
        )
          return { intent: { inquiryId: review.inquiryId } };
        await settleReview(ctx, tx, { reviewId: state.reviewId, end: { status: 'expired' } });
        return { done: true };
      },
      perform: (ctx, _, { data }, signal) => requireKyc(ctx).readInquiry(data.inquiryId, signal),
      record: (ctx, tx, { state }, inquiry) => goOn(ctx, tx, state, inquiry),
    }),
  },
  onDead: async (ctx, tx, { state }) => {
    ctx.log.error(
      { reviewId: state.reviewId },
      'an identity review was given up: the identity company could not be reached for days',
    );
    await settleReview(ctx, tx, { reviewId: state.reviewId, end: { status: 'failed' } });
  },
});

async function goOn(
  ctx: Ctx,
  tx: Tx,
  state: ReviewState,
  inquiry: Inquiry,
): Promise<StepResult<ReviewState>> {
  const end = endOf(inquiry);
  if (end) {
    await settleReview(ctx, tx, { reviewId: state.reviewId, end });
    return { done: true };
  }
  const waitMs = Math.min(pollMsMax, pollMsMin * 2 ** Math.min(state.polls, 20));
  return {
    goto: 'watch',
    state: { ...state, polls: state.polls + 1 },
    runAt: new Date(ctx.clock.now().getTime() + waitMs),
  };
}

type RedactState = { readonly inquiryId: string; readonly provider: string };

/** Makes the company forget a person who was erased here. */
export const identityRedactFlow = defineFlow<RedactState, Ctx>({
  kind: 'identity-redact',
  version: 1,
  firstStep: 'redact',
  steps: {
    redact: effectStep<RedactState, Record<string, never>, undefined, Ctx>({
      retry,
      timeoutMs,
      prepare: async (ctx, _, { state }) => {
        const { name } = requireKyc(ctx);
        if (name === state.provider) return { intent: {} };
        return {
          fail: `the inquiry is with ${state.provider}, and the company is ${name} now: have it redacted there by hand`,
        };
      },
      perform: async (ctx, { state }, _, signal) =>
        requireKyc(ctx)
          .redactInquiry(state.inquiryId, signal)
          .then(() => undefined),
      record: async () => ({ done: true }),
    }),
  },
});

/**
 * Has the company forget every inquiry of users who are being erased. To be called in the
 * transaction that erases them.
 * @returns how many inquiries
 */
export async function redactPerson(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  input: { readonly projectId: string; readonly userIds: readonly string[] },
): Promise<number> {
  const inquiries = (await selectReviewsOfUsers(tx, input.userIds)).flatMap(
    ({ provider, inquiryId }) => (inquiryId === undefined ? [] : [{ provider, inquiryId }]),
  );
  for (const { provider, inquiryId } of inquiries)
    await startFlow(ctx, tx, identityRedactFlow, {
      projectId: input.projectId,
      key: `${provider}/${inquiryId}`,
      state: { provider, inquiryId },
    });
  return inquiries.length;
}
