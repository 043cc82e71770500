import { endPeacefully } from './aftermath.ts';
import { readOutsideBooks } from './books.ts';
import { disturb, disturbGates, killAll, planTroubles } from './disturb.ts';
import type { MadeOrder } from './payer.ts';
import { describePlan, type Plan, planOf } from './plan.ts';
import { carryCallbacks } from './postbag.ts';
import type { EventReader } from './published-events.ts';
import { untilAllRun } from './quiet.ts';
import { hasTakenAll, planHunts, reorganiseWhen } from './reorganisations.ts';
import { setRules } from './rules.ts';
import { playPlan } from './scripts.ts';
import { type Ending, FindingsError, judge } from './verdict.ts';
import type { FaultWorld } from './world.ts';

/** So long troubles last, and about so often one comes. */
const troublesMs = { forMs: 13_000, everyMs: 700 };
/** Orders are created within this time. */
const startsWithinMs = 9_000;

export interface Round {
  /** Names the round, and says what goes wrong. */
  readonly first: number;
  /** One order each, all at once. */
  readonly seeds: readonly number[];
  readonly teller: EventReader;
}

/**
 * Plays a round: orders by their seeds, while the first seed's troubles happen; then peace, and
 * ninety days.
 * @throws Error that names every seed with which something is wrong, and how to play the round
 * again
 */
export async function playRound(
  world: FaultWorld,
  { first, seeds, teller }: Round,
): Promise<Ending[]> {
  const plans = seeds.map((seed) => planOf(seed, startsWithinMs));
  const troubles = planTroubles(first, troublesMs);
  await setRules(world, first);
  await world.horizon.disturb();
  const postbag = carryCallbacks(world, first);
  const calmGates = disturbGates(world, first);
  world.operator.sitDown(first);
  const over = new AbortController();
  try {
    const reorganising = reorganiseWhen(world, planHunts(first, troublesMs), over.signal);
    // Looked at when the chain is calmed: it may fail before.
    reorganising.catch(() => undefined);
    const playing = Promise.allSettled(plans.map((plan) => playPlan(world, plan)));
    await disturb(world, troubles);
    await killAll(world);
    calmGates();
    postbag.calm();
    const orders = madeOrders(plans, await playing);
    const calmChain = async () => {
      over.abort();
      await reorganising;
      await world.horizon.calm();
    };
    if (hasTakenAll(world.tally)) await calmChain();
    world.orderCount += orders.length;
    await untilAllRun(world);
    await world.operator.stop();
    await endPeacefully(world, { seed: first, orders, teller, postbag, afterQuotes: calmChain });
    return await judge(world, {
      orders,
      books: await readOutsideBooks(world),
      told: teller.told(),
    });
  } catch (error) {
    const done = troubles.map(
      ({ atMs, what, awayMs }) => `  ${atMs} ms: ${what}${awayMs > 0 ? `, for ${awayMs} ms` : ''}`,
    );
    const reason =
      error instanceof FindingsError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    throw new Error(
      `round of the seeds ${seeds[0]} to ${seeds.at(-1)}; again: ${commandFor(first, error)}\n${reason}\n\nThe troubles:\n${done.join('\n')}`,
      { cause: error },
    );
  } finally {
    over.abort();
    calmGates();
    // None of them hides what was found.
    await Promise.allSettled([world.horizon.calm(), world.operator.stop(), postbag.stop()]);
  }
}

/** How to play a round again, and of it only those orders with which something is wrong. */
function commandFor(first: number, error: unknown): string {
  const command = 'npx vitest run test/faults';
  const seeds = error instanceof FindingsError ? error.seeds : [];
  return `FAULT_SEED=${first} ${command}${seeds.length === 0 ? '' : `, or FAULT_SEED=${first} FAULT_ONLY=${seeds.join()} ${command}`}`;
}

function madeOrders(
  plans: readonly Plan[],
  played: readonly PromiseSettledResult<MadeOrder>[],
): MadeOrder[] {
  const failures = played.flatMap((one, index) =>
    one.status === 'rejected' ? [`${describePlan(plans[index]!)}: ${String(one.reason)}`] : [],
  );
  if (failures.length > 0) throw new Error(`payers who could not go on:\n${failures.join('\n')}`);
  return played.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
