import { chainEntrances } from '../src/areas/chain-entrances.ts';
import { chores } from '../src/areas/chores.ts';
import { flows as flowDefinitions } from '../src/areas/flows.ts';
import { createEventFeed, createSender } from '../src/areas/webhooks/index.ts';
import type { Ctx } from '../src/context.ts';
import { runChores } from '../src/jobs/every.ts';
import { createWorker, defaultRetention } from '../src/jobs/index.ts';
import type { Running } from './lifecycle.ts';

/** Runs durable work until it is stopped: flows, chores, webhooks, and each chain family's relay and watchers. */
export async function runWorker(ctx: Ctx): Promise<Running> {
  const families = await Promise.all(ctx.chains.families.map((family) => family.run(chainEntrances(ctx, family))));
  const flows = createWorker(ctx, { flows: flowDefinitions, retention: defaultRetention });
  flows.start();
  const [feed, sender] = [createEventFeed(ctx), createSender(ctx)];
  feed.start();
  sender.start();
  const choresRunning = runChores(chores(ctx), ctx.log);
  ctx.log.info({ worker: flows.name }, 'the worker runs');
  return {
    name: 'worker',
    stop: async () => {
      await choresRunning.stop();
      await feed.stop();
      await Promise.all([flows.stop(), sender.stop()]);
      await Promise.all(families.map((family) => family.stop()));
    },
  };
}
