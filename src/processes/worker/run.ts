import { startRunnerGateway } from '../../areas/agent-checkouts/index.ts';
import { chainEntrances } from '../../areas/chain-entrances.ts';
import { flows as flowDefinitions } from '../../areas/flows.ts';
import { scheduledJobs } from '../../areas/scheduled-jobs.ts';
import { createEventFeed, createSender } from '../../areas/webhooks/index.ts';
import type { Ctx } from '../../context.ts';
import { runScheduledJobs } from '../../jobs/every.ts';
import { createWorker, defaultRetention } from '../../jobs/index.ts';
import type { Running } from '../lifecycle.ts';

export interface RunningWorker extends Running {
  /** Where runners of agent checkouts ask; absent where none is configured. */
  readonly runnerGatewayPort?: number;
}

/**
 * Runs durable work until it is stopped: flows, scheduled jobs, webhooks, each chain family's relay and
 * watchers, and the gateway for runners.
 */
export async function runWorker(ctx: Ctx): Promise<RunningWorker> {
  const gateway =
    ctx.config.runnerGateway && (await startRunnerGateway(ctx, ctx.config.runnerGateway));
  if (!gateway) ctx.log.info('no runner is configured (RUNNER_PUBLIC_KEY): agent checkouts wait');
  const families = await Promise.all(
    ctx.chains.families.map((family) => family.run(chainEntrances(ctx, family))),
  );
  const flows = createWorker(ctx, { flows: flowDefinitions, retention: defaultRetention });
  flows.start();
  const [feed, sender] = [createEventFeed(ctx), createSender(ctx)];
  feed.start();
  sender.start();
  const jobsRunning = runScheduledJobs(scheduledJobs(ctx), ctx.log);
  ctx.log.info({ worker: flows.name }, 'the worker runs');
  return {
    name: 'worker',
    ...(gateway && { runnerGatewayPort: gateway.port }),
    stop: async () => {
      await gateway?.stop();
      await jobsRunning.stop();
      await feed.stop();
      await Promise.all([flows.stop(), sender.stop()]);
      await Promise.all(families.map((family) => family.stop()));
    },
  };
}
