import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { answerPageUrl } from './answer-page/url.ts';
import type { ActionRecord, CheckoutRecord, ProgressItem } from './types.ts';

export interface CheckoutParts {
  readonly progress: readonly ProgressItem[];
  /** The open one. */
  readonly action: ActionRecord | undefined;
  /** The live page, for its user only. */
  readonly browser?: JsonObject | undefined;
}

/** A checkout as its user sees it (supplement, section 15). */
export function checkoutView(
  ctx: Pick<Ctx, 'config'>,
  record: CheckoutRecord,
  { progress, action, browser }: CheckoutParts,
): JsonObject {
  return {
    id: record.id,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    target: record.target,
    constraints: record.constraints,
    metadata: record.metadata,
    status: record.status,
    progressItems: progress.map(({ createdAt, ...item }) => ({
      ...item,
      createdAt: createdAt.toISOString(),
    })),
    ...(record.status === 'awaiting_user_action' &&
      action && { pendingUserAction: actionView(ctx, action) }),
    ...(browser && { browser }),
    receipt: record.receipt,
    failure: record.failure,
  };
}

function actionView(ctx: Pick<Ctx, 'config'>, action: ActionRecord): JsonObject {
  const { id, request, message, responseSchema, expiresAt } = action;
  const url = answerPageUrl(ctx.config, action.checkoutId);
  return {
    id,
    kind: request.kind,
    message,
    responseSchema,
    expiresAt: expiresAt.toISOString(),
    ...(url !== undefined && { url }),
  };
}
