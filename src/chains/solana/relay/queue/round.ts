import { randomUUID } from 'node:crypto';
import { inParallel } from '../../../../lib/waiting/in-parallel.ts';
import { afterFailedTry } from '../../../family/late/failed-try.ts';
import { claimDue, type GivenBack, giveBack, selectOpenCosts } from '../../../family/late/queue.ts';
import { sortByBudget } from '../../../family/spending/sort-by-budget.ts';
import { idOfWire } from '../../operation/message.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import { relayLimits } from '../limits.ts';
import type { RelayDeps } from '../types.ts';
import { expired, lost, publishOutcomes } from './outcomes.ts';
import { type Step, signAndSend } from './send.ts';
import { type OpenOperation, solanaOperations } from './store.ts';
import { watch } from './watch.ts';

/**
 * One round of a chain's relay: what is due is claimed, and goes one step further. Answers how many
 * there were.
 */
export async function relayRound(deps: RelayDeps, connection: SolanaConnection): Promise<number> {
  const token = randomUUID();
  const operations = await claimDue(deps.store, solanaOperations, {
    chain: deps.chain,
    token,
    forMs: deps.settings.leaseMs,
    limit: deps.settings.inFlightMax,
    identify: ({ message }, raw) => idOfWire(raw, message),
  });
  if (operations.length === 0) return 0;
  const now = deps.clock.now();
  const queued = operations.filter(({ status }) => status === 'queued');
  const live = queued.filter(({ validUntil }) => validUntil > now);
  const late = queued.filter(({ validUntil }) => validUntil <= now);
  const { within, waiting, over } = await sortByBudget(deps.store, live, {
    chain: deps.chain,
    bounds: deps.bounds,
    kind: 'fees',
    unit: 'lamports',
    readOpen: (projectIds) =>
      selectOpenCosts(deps.store, solanaOperations, { chain: deps.chain, token, projectIds }),
  });
  const [sent, watched] = await Promise.all([
    inParallel(within, relayLimits.parallelMax, (operation) =>
      attempt(deps, connection, operation, () => signAndSend(deps, connection, token, operation)),
    ),
    watch(
      deps,
      connection,
      operations.filter(({ status }) => status === 'sent'),
    ).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'sent transactions could not be looked for; trying again');
      return [];
    }),
  ]);
  const steps = [...sent, ...watched].filter((step) => step !== undefined);
  const ended = [
    ...late.map((operation) => lost(connection.network, operation, expired, now)),
    ...[...over].map(([operation, sentence]) => lost(connection.network, operation, sentence, now)),
    ...steps.flatMap((step) => ('ended' in step ? [step.ended] : [])),
  ];
  await publishOutcomes(deps, token, ended);
  const spoken = new Set(ended.map(({ operation }) => operation.operationId));
  const paused = new Map<string, GivenBack>(
    [
      ...steps.flatMap((step) => ('postponed' in step ? [step.postponed] : [])),
      ...waiting.map(waitForBudget),
    ].map((one) => [one.operationId, one]),
  );
  // Whatever nobody spoke of is looked at once more.
  for (const { operationId } of operations)
    if (!spoken.has(operationId) && !paused.has(operationId))
      paused.set(operationId, { operationId, pauseMs: relayLimits.waitPauseMs });
  await giveBack(deps.store, solanaOperations, token, [...paused.values()]);
  return operations.length;
}

function waitForBudget({ operationId }: OpenOperation): GivenBack {
  return { operationId, pauseMs: relayLimits.waitPauseMs };
}

async function attempt(
  { log, clock }: RelayDeps,
  { network }: SolanaConnection,
  operation: OpenOperation,
  work: () => Promise<Step>,
): Promise<Step> {
  try {
    return await work();
  } catch (error) {
    // What is signed is the message, which stands in the operation.
    const next = afterFailedTry(log, operation, error, { buildsAnew: false });
    if ('refused' in next) return { ended: lost(network, operation, next.refused, clock.now()) };
    return { postponed: { operationId: operation.operationId, ...next } };
  }
}
