import type { JsonObject } from '../lib/json/json.ts';
import type { Tx } from '../store/types.ts';
import type { FlowDefinition, JobsCtx } from './flows/flow.ts';
import { startFlow, wakeFlow } from './start.ts';

/**
 * As `wakeFlow`, for a flow that may have done its work: it begins again at its first step, under
 * the same key. One that failed, is dead or was cancelled stays so, since a person is to look at
 * it.
 */
export async function wakeOrRestartFlow<S extends JsonObject, C>(
  ctx: JobsCtx,
  tx: Tx,
  definition: FlowDefinition<S, C>,
  input: { readonly projectId: string; readonly key: string; readonly state: S },
): Promise<void> {
  if (await wakeFlow(ctx, tx, definition, input.key)) return;
  const { rowCount } = await tx.query({
    name: 'jobs-restart',
    text: `update flows set status = 'active', finished_at = null, step = $3, version = $4, state = $5, attempts = 0, intent = null,
             run_at = $6, updated_at = $6, fence = fence + 1, lease_until = null, last_error = null
           where kind = $1 and key = $2 and status = 'done'`,
    values: [
      definition.kind,
      input.key,
      definition.firstStep,
      definition.version,
      JSON.stringify(input.state),
      ctx.clock.now(),
    ],
  });
  // Tells the workers too. Rows of flows that ended long ago are removed.
  if (rowCount > 0) await wakeFlow(ctx, tx, definition, input.key);
  else await startFlow(ctx, tx, definition, input);
}
