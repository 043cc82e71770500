import { z } from 'zod';
import type { RequestCtx } from '../../../context.ts';
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { StepEvidence } from '../../../runner/types.ts';
import type { Db } from '../../../store/types.ts';
import { getCheckout } from '../checkouts.ts';
import { livePageUrl } from '../live/browser-view.ts';
import { isPictureKept } from './picture-retention.ts';
import { readStepPicture } from './step-pictures.ts';

const stepPageSizeDefault = 50;

/** A line of the step log. */
export interface LoggedStep {
  readonly nr: number;
  readonly evidence: StepEvidence;
  readonly hasPicture: boolean;
}

/** Oldest first. */
export async function selectStepLog(
  db: Db,
  input: { readonly checkoutId: string; readonly afterNr: number; readonly limit: number },
): Promise<LoggedStep[]> {
  const { rows } = await db.query<{ nr: number; evidence: StepEvidence; has_picture: boolean }>({
    name: 'agent-steps-log',
    text: `select nr, evidence, picture is not null as has_picture from agent_checkout_steps
           where checkout_id = $1 and nr > $2 order by nr limit $3`,
    values: [input.checkoutId, input.afterNr, input.limit],
  });
  return rows.map(({ nr, evidence, has_picture }) => ({ nr, evidence, hasPicture: has_picture }));
}

export function stepView({ nr, evidence, hasPicture }: LoggedStep): JsonObject {
  const { step, at, url, detail } = evidence;
  return { nr, step, at, ...(url !== undefined && { url }), ...(detail && { detail }), hasPicture };
}

/** Behind a step, as its column takes it. */
const placeSchema = z.object({ nr: z.int32().min(1) });

/**
 * What a run did, oldest first; with the address of the page that replays it once the checkout is
 * over.
 * @throws not-authorized, checkout-not-found, validation-error for a cursor of another list
 */
export async function listSteps(
  ctx: RequestCtx,
  input: {
    readonly id: string;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<JsonObject> {
  const checkout = await getCheckout(ctx, input.id);
  const limit = input.limit ?? stepPageSizeDefault;
  const query = ['agent-checkout-steps', checkout.id];
  const place =
    input.cursor === undefined ? undefined : decodeCursor(placeSchema, input.cursor, query);
  const rows = await selectStepLog(ctx.store, {
    checkoutId: checkout.id,
    afterNr: place?.nr ?? 0,
    limit: limit + 1,
  });
  const steps = rows.slice(0, limit);
  const isMore = rows.length > limit;
  return {
    data: steps.map(stepView),
    nextCursor: isMore ? encodeCursor({ nr: steps.at(-1)!.nr }, query) : null,
    ...(checkout.endedAt &&
      isPictureKept(ctx, checkout.endedAt) && { replayUrl: livePageUrl(ctx, checkout) }),
  };
}

/** @throws not-authorized, checkout-not-found, picture-not-found */
export async function getStepPicture(
  ctx: RequestCtx,
  input: { readonly id: string; readonly nr: number },
): Promise<Buffer> {
  const checkout = await getCheckout(ctx, input.id);
  const picture = await readStepPicture(ctx, { checkoutId: checkout.id, nr: input.nr });
  if (!picture) throw new ServiceError('picture-not-found');
  return picture;
}
