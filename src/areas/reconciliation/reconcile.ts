import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { closeHealed, type Difference, saveFinding, selectOpen } from './differences-store.ts';
import { lookAtCards } from './sides/cards.ts';
import { lookAtClearing } from './sides/clearing.ts';
import { lookAtEntries } from './sides/entries.ts';
import { lookAtDeposits, lookAtTransfers } from './sides/moved-tokens.ts';
import { lookAtPayouts } from './sides/payouts.ts';
import { lookAtTreasuries, treasuryChains } from './sides/treasury-balances.ts';
import { type Position, savePosition, selectPosition, type Walk, walksOf } from './sides/walks.ts';
import { type Comparison, type Finding, isAway, type Looker } from './types.ts';

/** Compares chain, ledger, bank and acquirer, a project at a time. */

export interface ReconcileOptions {
  /**
   * Everything there ever was, instead of what has changed since the last turn and a little of the
   * rest.
   */
  readonly full?: boolean;
  /** Between the two looks at a difference. */
  readonly pauseMs?: number;
  /** More findings than that say the same: something is wrong on the whole. 500 when absent. */
  readonly findingsMax?: number;
}

export interface Turn {
  /** Objects that were looked at. */
  readonly compared: number;
  /** What could not be compared, in sentences for people. */
  readonly skipped: readonly string[];
  /** Differences that are open now and confirmed. */
  readonly differences: readonly Difference[];
}

const lookers: Readonly<Partial<Record<Comparison, Looker>>> = {
  treasury: lookAtTreasuries,
  deposit: lookAtDeposits,
  transfer: lookAtTransfers,
  entry: lookAtEntries,
  payout: lookAtPayouts,
  card: lookAtCards,
  clearing: lookAtClearing,
};

const pauseDefaultMs = 3_000;
/**
 * Pages of what has changed, and of the slow walk over everything, that one turn takes of each
 * walk.
 */
const changedPagesMax = 20;
const slowPagesMax = 1;
/** What was written by transactions that commit late is looked at again. */
const lateMs = 60_000;
const findingsMaxDefault = 500;

interface Progress {
  readonly findingsMax: number;
  compared: number;
  readonly skipped: Set<string>;
  readonly looked: Set<string>;
  readonly findings: Map<string, Finding>;
}

/**
 * Two looks at everything that is due, with a pause before the second, which only looks at what
 * differed in the first.
 */
export async function reconcileProject(
  ctx: Ctx,
  projectId: string,
  options: ReconcileOptions = {},
): Promise<Turn> {
  const { findingsMax = findingsMaxDefault } = options;
  const progress: Progress = {
    findingsMax,
    compared: 0,
    skipped: new Set(),
    looked: new Set(),
    findings: new Map(),
  };
  const open = await selectOpen(ctx.store, projectId);
  const known = open.map(({ comparison, object }) => [comparison, object] as const);
  const chains = (await treasuryChains(ctx, projectId)).map(
    (chain) => ['treasury', chain] as const,
  );
  await look(ctx, progress, { projectId, targets: [...known, ...chains] });
  for (const walk of await walksOf(ctx.store, projectId))
    await takeWalk(ctx, progress, { projectId, walk, full: options.full === true });
  const settled = await lookAgain(ctx, progress, {
    projectId,
    pauseMs: options.pauseMs ?? pauseDefaultMs,
  });
  const healed = open.filter(({ comparison, object, ...rest }) => {
    const wasLooked = settled.looked.has(keyOfObject(comparison, object));
    return wasLooked && !settled.findings.has(keyOf({ comparison, object, ...rest }));
  });
  const differences = await settleFindings(ctx, {
    projectId,
    findings: progress.findings,
    settled: settled.findings,
    healed,
  });
  return { compared: progress.compared, skipped: [...progress.skipped], differences };
}

/** Stores findings and closes what is gone, each told once. @returns what is open and confirmed */
export async function settleFindings(
  ctx: Ctx,
  input: {
    readonly projectId: string | null;
    /** Of the first look, by {@link keyOf}. */
    readonly findings: ReadonlyMap<string, Finding>;
    /** Of the second. */
    readonly settled: ReadonlyMap<string, Finding>;
    readonly healed: readonly Difference[];
  },
): Promise<Difference[]> {
  const { projectId } = input;
  await ctx.store.transaction(async (tx) => {
    for (const [key, finding] of input.settled) {
      const isTwice = isSame(finding, input.findings.get(key));
      const { difference, isNew } = await saveFinding(ctx, tx, { projectId, finding, isTwice });
      if (isNew)
        tx.afterCommit(() =>
          ctx.log.error(logOf(difference), `a difference: ${difference.problem}`),
        );
    }
    const closed = await closeHealed(
      ctx,
      tx,
      input.healed.map(({ id }) => id),
    );
    for (const difference of closed)
      tx.afterCommit(() =>
        ctx.log.warn(logOf(difference), `a difference is gone: ${difference.problem}`),
      );
  });
  return (await selectOpen(ctx.store, projectId)).filter(
    ({ confirmedAt }) => confirmedAt !== undefined,
  );
}

function logOf({
  id,
  projectId,
  comparison,
  object,
  asset,
  expectedMinor,
  foundMinor,
}: Difference) {
  const amounts = { expectedMinor: expectedMinor.toString(), foundMinor: foundMinor.toString() };
  return { differenceId: id, projectId, comparison, object, asset, ...amounts };
}

const keyOfObject = (comparison: Comparison, object: string) => `${comparison} ${object}`;
export const keyOf = ({
  comparison,
  object,
  aspect,
  asset,
}: Pick<Finding, 'comparison' | 'object' | 'aspect' | 'asset'>) =>
  [comparison, object, aspect, asset].join(' ');

function isSame(finding: Finding, before: Finding | undefined): boolean {
  return (
    finding.expectedMinor === before?.expectedMinor && finding.foundMinor === before.foundMinor
  );
}

type Target = readonly [Comparison, string];

/** @returns false when something could not be looked at */
async function look(
  ctx: Ctx,
  progress: Progress,
  { projectId, targets }: { readonly projectId: string; readonly targets: readonly Target[] },
): Promise<boolean> {
  let isComplete = true;
  const byComparison = new Map<Comparison, Set<string>>();
  for (const [comparison, object] of targets)
    if (!progress.looked.has(keyOfObject(comparison, object)))
      byComparison.set(comparison, (byComparison.get(comparison) ?? new Set()).add(object));
  for (const [comparison, objects] of byComparison) {
    const {
      findings,
      unlooked = [],
      beyondReach = [],
      skipped = [],
    } = await lookers[comparison]!(ctx, {
      projectId,
      objects: [...objects],
    });
    const missed = new Set([...unlooked, ...beyondReach]);
    for (const object of objects)
      if (!missed.has(object)) progress.looked.add(keyOfObject(comparison, object));
    keepFindings(progress, findings);
    for (const sentence of skipped) progress.skipped.add(sentence);
    progress.compared += objects.size - missed.size;
    isComplete &&= unlooked.length === 0;
  }
  return isComplete;
}

/** What there is no room for counts as not looked at: it must not be taken for healed. */
function keepFindings(progress: Progress, findings: readonly Finding[]): void {
  for (const finding of findings) {
    if (progress.findings.size < progress.findingsMax) {
      progress.findings.set(keyOf(finding), finding);
      continue;
    }
    progress.looked.delete(keyOfObject(finding.comparison, finding.object));
    progress.skipped.add(`more than ${progress.findingsMax} differences are not told one by one`);
  }
}

/** What differed is looked at once more; without a difference there is nothing to wait for. */
async function lookAgain(
  ctx: Ctx,
  first: Progress,
  { projectId, pauseMs }: { readonly projectId: string; readonly pauseMs: number },
): Promise<Pick<Progress, 'looked' | 'findings'>> {
  if (first.findings.size === 0) return first;
  await pause(pauseMs);
  const second: Progress = { ...first, compared: 0, looked: new Set(), findings: new Map() };
  await look(ctx, second, {
    projectId,
    targets: [...first.findings.values()].map(({ comparison, object }) => [comparison, object]),
  });
  const differed = new Set(
    [...first.findings.values()].map(({ comparison, object }) => keyOfObject(comparison, object)),
  );
  for (const key of first.looked) if (!differed.has(key)) second.looked.add(key);
  return second;
}

async function takeWalk(
  ctx: Ctx,
  progress: Progress,
  {
    projectId,
    walk,
    full,
  }: { readonly projectId: string; readonly walk: Walk; readonly full: boolean },
): Promise<void> {
  try {
    if (full) {
      await takePages(ctx, progress, {
        projectId,
        walk,
        from: walk.start,
        pagesMax: Number.POSITIVE_INFINITY,
      });
      return;
    }
    await takeChanged(ctx, progress, { projectId, walk });
    await takeSlowly(ctx, progress, { projectId, walk });
  } catch (error) {
    if (!isAway(error)) throw error;
    progress.skipped.add(`${walk.name}: ${error.message}`);
  }
}

/** The first turn looks at the last day; what is older is for the slow walk. */
const firstReachMs = 24 * 3_600_000;

async function takeChanged(
  ctx: Ctx,
  progress: Progress,
  { projectId, walk }: { projectId: string; walk: Walk },
): Promise<void> {
  const now = ctx.clock.now();
  const from = (await selectPosition(ctx.store, { projectId, walk: walk.name })) ?? {
    ...walk.start,
    at: new Date(now.getTime() - firstReachMs),
  };
  const { position, isEnd } = await takePages(ctx, progress, {
    projectId,
    walk,
    from,
    pagesMax: changedPagesMax,
  });
  const late = new Date(now.getTime() - lateMs);
  const kept =
    isEnd && position.at > late ? { ...walk.start, at: late > from.at ? late : from.at } : position;
  await savePosition(ctx.store, { projectId, walk: walk.name, position: kept });
}

async function takeSlowly(
  ctx: Ctx,
  progress: Progress,
  { projectId, walk }: { projectId: string; walk: Walk },
): Promise<void> {
  const name = `${walk.name}, all`;
  const from = (await selectPosition(ctx.store, { projectId, walk: name })) ?? walk.start;
  const { position, isEnd } = await takePages(ctx, progress, {
    projectId,
    walk,
    from,
    pagesMax: slowPagesMax,
  });
  await savePosition(ctx.store, {
    projectId,
    walk: name,
    position: isEnd ? walk.start : position,
    ...(isEnd && { endedAt: ctx.clock.now() }),
  });
}

/** Takes pages as long as all of them can be looked at. */
async function takePages(
  ctx: Ctx,
  progress: Progress,
  input: {
    readonly projectId: string;
    readonly walk: Walk;
    readonly from: Position;
    readonly pagesMax: number;
  },
): Promise<{ readonly position: Position; readonly isEnd: boolean }> {
  const { projectId, walk, pagesMax } = input;
  let position = input.from;
  for (let pages = 0; pages < pagesMax; pages++) {
    const { rows } = await walk.page(ctx, { projectId, after: position });
    const isComplete = await look(ctx, progress, {
      projectId,
      targets: rows.flatMap(({ targets }) => targets),
    });
    if (!isComplete) return { position, isEnd: false };
    position = rows.at(-1) ?? position;
    if (rows.length < walk.pageSize)
      return { position: { at: position.at, id: position.id }, isEnd: true };
  }
  return { position: { at: position.at, id: position.id }, isEnd: false };
}
