import { randomUUID } from 'node:crypto';
import { inParallel } from '../../../lib/waiting/in-parallel.ts';
import type { OperationError } from '../capabilities/entrances.ts';
import { sortByBudget } from '../spending/sort-by-budget.ts';
import { afterFailedTry } from './failed-try.ts';
import { lateLimits } from './limits.ts';
import { type Ended, expired, landed, lost, publishOutcomes, unbuilt } from './outcomes.ts';
import { claimDue, type GivenBack, giveBack, selectOpenCosts, storeSigned } from './queue.ts';
import { type Intent, intents } from './store.ts';
import type { LateRelayDeps } from './types.ts';

type Step = { readonly ended: Ended } | { readonly again: GivenBack };

/**
 * One round of a chain's relay: what is due is claimed, and goes one step further. Answers how many
 * there were.
 */
export async function lateRound(deps: LateRelayDeps): Promise<number> {
  const { store, chain, settings } = deps;
  const token = randomUUID();
  const claimed = await claimDue(store, intents, {
    chain,
    token,
    forMs: settings.leaseMs,
    limit: settings.inFlightMax,
    identify: ({ operation }, raw) => deps.network.identify(operation, raw),
  });
  if (claimed.length === 0) return 0;
  const { within, waiting, over } = await sortByBudget(
    store,
    claimed.filter((intent) => intent.status === 'queued' && !isExpired(deps, intent)),
    {
      chain,
      bounds: deps.bounds,
      unit: deps.unit,
      kind: deps.kind,
      ...(deps.readBudgets && { readBudgets: deps.readBudgets }),
      readOpen: (projectIds) => selectOpenCosts(store, intents, { chain, token, projectIds }),
    },
  );
  const steps = await inParallel(claimed, lateLimits.parallelMax, async (intent): Promise<Step> => {
    const sentence = over.get(intent);
    if (sentence !== undefined) return { ended: lost(deps, intent, sentence) };
    if (waiting.includes(intent)) return again(intent, { pauseMs: lateLimits.waitPauseMs });
    if (intent.status === 'queued' && !within.includes(intent))
      return { ended: lost(deps, intent, expired) };
    return attempt(deps, intent, () =>
      intent.status === 'queued' ? signAndSend(deps, token, intent) : look(deps, intent),
    );
  });
  await publishOutcomes(
    deps,
    token,
    steps.flatMap((step) => ('ended' in step ? [step.ended] : [])),
  );
  await giveBack(
    store,
    intents,
    token,
    steps.flatMap((step) => ('again' in step ? [step.again] : [])),
  );
  return claimed.length;
}

const isExpired = ({ clock }: LateRelayDeps, { validUntil }: Intent) => validUntil <= clock.now();

function again({ operationId }: Intent, how: Omit<GivenBack, 'operationId'>): Step {
  return { again: { operationId, ...how } };
}

async function attempt(
  deps: LateRelayDeps,
  intent: Intent,
  work: () => Promise<Step>,
): Promise<Step> {
  const { operationId, status } = intent;
  try {
    return await work();
  } catch (error) {
    if (status === 'sent') {
      deps.log.warn({ err: error, operationId }, 'an operation could not be looked for');
      // Neither a look that failed nor custody says anything of a transaction being gone.
      return again(intent, { pauseMs: lateLimits.lookPauseMaxMs });
    }
    const next = afterFailedTry(deps.log, intent, error, { buildsAnew: true });
    if ('refused' in next) return { ended: lost(deps, intent, next.refused) };
    return again(intent, next);
  }
}

/** From an approved operation to bytes that are stored, and sent. */
async function signAndSend(deps: LateRelayDeps, token: string, intent: Intent): Promise<Step> {
  const { network, killPoint } = deps;
  const { operationId, operation, projectId, walletId } = intent;
  const built = await network.build(operation, intent);
  if (built === 'later') return again(intent, { pauseMs: lateLimits.waitPauseMs });
  if ('done' in built) return { ended: landed(intent, built.done, deps.clock.now()) };
  if ('refused' in built) return refused(deps, intent, built.refused);
  if ('impossible' in built) return { ended: unbuilt(deps, intent, built.impossible) };
  killPoint?.('before-signature');
  const signature = await deps.signBuilt({ projectId, walletId, operation, built: built.bytes });
  const signed = await network.complete(operation, built.bytes, signature, intent);
  const { txId, raw } = signed;
  killPoint?.('before-store');
  const isStored = await deps.store.transaction(async (tx) => {
    const bytes = { token, operationId, txId, raw, lookAfterMs: lateLimits.firstLookMs };
    if (!(await storeSigned(tx, intents, bytes))) return false;
    await network.stored?.(tx, signed, intent);
    return true;
  });
  if (!isStored) return again(intent, { pauseMs: lateLimits.waitPauseMs });
  killPoint?.('after-store');
  await send(deps, intent, raw);
  killPoint?.('after-broadcast');
  return again(intent, { pauseMs: lateLimits.firstLookMs });
}

/** A node may lag behind what the operation needs, so it is asked several times. */
function refused({ clock }: LateRelayDeps, intent: Intent, error: OperationError): Step {
  const refusals = intent.refusals + 1;
  if (refusals < lateLimits.refusalsMax)
    return again(intent, { pauseMs: lateLimits.refusedPauseMs, refusals });
  const { operationId, subject } = intent;
  const at = clock.now();
  return {
    ended: {
      intent,
      outcome: { operationId, subject, onChain: {}, costMinor: 0n, status: 'failed', error, at },
    },
  };
}

/** An error says nothing about what the node did with it: it is looked for, and sent again. */
async function send(
  { network, log }: LateRelayDeps,
  { operationId }: Intent,
  raw: Uint8Array,
): Promise<void> {
  await network
    .send(raw)
    .catch((error: unknown) =>
      log.warn({ err: error, operationId }, 'a transaction could not be sent; trying again'),
    );
}

/** From sent bytes to their end: they are sent again for as long as the network may take them. */
async function look(deps: LateRelayDeps, intent: Intent): Promise<Step> {
  const { network, settings, clock } = deps;
  const { txId, raw } = intent;
  // Looked at as it was claimed.
  if (txId === null || raw === null) throw new Error('what was sent has its bytes');
  const sent = { txId, raw };
  const found = await network.look(sent, intent);
  if (typeof found === 'object') {
    deps.killPoint?.('after-inclusion');
    return { ended: landed(intent, found, clock.now()) };
  }
  if (found === 'gone' || found === 'stale') return missed(deps, intent, found);
  const isLate = intent.sentAgoMs >= settings.resendAfterMs;
  const isDue = isLate && found === 'pending';
  if (isDue && !intent.withheld) await send(deps, intent, sent.raw);
  return again(intent, {
    pauseMs: isLate ? lateLimits.lookPauseMaxMs : lateLimits.lookPauseMs,
    refusals: 0,
    resent: isDue,
  });
}

/** Told as lost it would be made once more, so the node is asked several times. */
function missed(deps: LateRelayDeps, intent: Intent, found: 'gone' | 'stale'): Step {
  const refusals = intent.refusals + 1;
  if (refusals < lateLimits.goneLooksMax)
    return again(intent, { pauseMs: lateLimits.gonePauseMs, refusals });
  const mayBuild = found === 'stale' && !isExpired(deps, intent) && !intent.withheld;
  return mayBuild
    ? again(intent, { pauseMs: 0, refusals: 0, rebuild: true })
    : { ended: lost(deps, intent, deps.network.goneSentence ?? expired) };
}
