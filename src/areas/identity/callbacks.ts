import type { IncomingHttpHeaders } from 'node:http';
import type { Ctx } from '../../context.ts';
import type { PublicAnswer, PublicRoute } from '../../http/routes/public-routes.ts';
import { wakeFlow } from '../../jobs/index.ts';
import type { CallbackRefusal, KycCallback } from '../../providers/kyc/kyc.ts';
import type { Db } from '../../store/types.ts';
import { identityReviewFlow } from './flow.ts';
import {
  deleteOldCallbacks,
  insertCallback,
  type ReviewRow,
  selectReview,
  selectReviewByInquiry,
} from './store.ts';

/**
 * What became of a callback. All but the refusals are answered with 200: the company need not send
 * it again.
 */
export type CallbackOutcome = 'woken' | 'repeated' | 'unknown' | 'off' | CallbackRefusal;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const callbacksKeptMs = 30 * 24 * 60 * 60_000;
const callbacksPerPrune = 10_000;

/**
 * Takes news of an inquiry. Only that there is news is used: the review's flow asks the company how
 * the inquiry stands, so it makes no difference in which order callbacks come, or how often.
 */
export async function receiveKycCallback(
  ctx: Ctx,
  input: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
): Promise<CallbackOutcome> {
  const { kyc } = ctx.providers;
  if (!kyc) return 'off';
  const now = ctx.clock.now();
  const callback = kyc.readCallback({ ...input, now });
  if ('refused' in callback) {
    ctx.log.warn(
      { provider: kyc.name, reason: callback.refused },
      'a callback of the identity company was refused',
    );
    return callback.refused;
  }
  const outcome = await ctx.store.transaction(async (tx): Promise<CallbackOutcome> => {
    const review = await findReview(tx, kyc.name, callback);
    // Not remembered: it may be about an inquiry whose id is just being stored. The flow looks by
    // itself then.
    if (!review) return 'unknown';
    if (!(await insertCallback(tx, { provider: kyc.name, eventId: callback.eventId, now })))
      return 'repeated';
    await wakeFlow(ctx, tx, identityReviewFlow, review.id);
    return 'woken';
  });
  if (outcome === 'unknown')
    ctx.log.info({ provider: kyc.name }, 'a callback is about an inquiry that is not known here');
  return outcome;
}

async function findReview(
  db: Db,
  provider: string,
  callback: KycCallback,
): Promise<ReviewRow | undefined> {
  const byInquiry = await selectReviewByInquiry(db, { provider, inquiryId: callback.inquiryId });
  if (byInquiry || callback.reference === undefined || !uuidPattern.test(callback.reference))
    return byInquiry;
  const byReference = await selectReview(db, callback.reference);
  return byReference?.provider === provider && byReference.inquiryId === undefined
    ? byReference
    : undefined;
}

/** Forgets callbacks of a month ago. For the worker. */
export async function pruneIdentityCallbacks(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - callbacksKeptMs);
  await deleteOldCallbacks(ctx.store, { before, limit: callbacksPerPrune });
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const answers: Readonly<Record<CallbackOutcome, PublicAnswer>> = {
  woken: { status: 200, headers: json, body: '{"received":true}' },
  repeated: { status: 200, headers: json, body: '{"received":true}' },
  unknown: { status: 200, headers: json, body: '{"received":true}' },
  off: refusal(404, 'No identity company is configured here.'),
  'wrong-signature': refusal(401, 'The signature of the callback is missing or wrong.'),
  'outside-window': refusal(
    401,
    'The callback is signed for another time: it is taken within five minutes.',
  ),
  malformed: refusal(400, 'The callback cannot be read.'),
};

function refusal(status: number, message: string): PublicAnswer {
  return { status, headers: json, body: JSON.stringify({ error: true, message }) };
}

/** Where the company sends its callbacks. */
export const kycCallbackRoute: PublicRoute = {
  method: 'POST',
  path: '/callbacks/identity',
  // Companies send the whole inquiry along, with all that belongs to it.
  bodyLimitBytes: 1024 * 1024,
  handler: async (ctx, { headers, body }) =>
    answers[await receiveKycCallback(ctx, { headers, body })],
};
