import type { Ctx } from '../../../context.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { takeOverKinds } from '../../../runner/link/wire.ts';
import type { ActionRecord, CheckoutRecord } from '../types.ts';
import { liveToken } from './token.ts';

/** Below the base path. */
export const livePagePath = '/live/agent-checkouts';

export type LivePermission = 'view' | 'control';

/** Whether the user may answer the open question in the live picture. */
export function isTakeOver(kind: ActionRecord['request']['kind'] | undefined): boolean {
  return kind !== undefined && takeOverKinds.includes(kind);
}

/**
 * The live page while there is a browser to see; for the user only, since whoever has the address
 * may look.
 */
export function browserView(
  ctx: Pick<Ctx, 'config'>,
  record: CheckoutRecord,
  action: ActionRecord | undefined,
): JsonObject | undefined {
  if (record.status !== 'running' && record.status !== 'awaiting_user_action') return undefined;
  const mayControl = record.status === 'awaiting_user_action' && isTakeOver(action?.request.kind);
  const permissions: LivePermission[] = mayControl ? ['view', 'control'] : ['view'];
  return { embedUrl: livePageUrl(ctx, record), permissions };
}

/**
 * Relative to the service's origin. The token stands behind the `#`: no server and no log gets it.
 */
export function livePageUrl(
  ctx: Pick<Ctx, 'config'>,
  record: Pick<CheckoutRecord, 'id' | 'createdAt'>,
): string {
  return `${new URL(ctx.config.api.baseUrl).pathname}${livePagePath}/${record.id}#${liveToken(ctx.config, record)}`;
}
