import { readOutsideBooks } from './books.ts';
import { disturb, disturbGates, killAll, planTroubles } from './disturb.ts';
import { describePlan, type Plan, planOf } from './plan.ts';
import { carryCallbacks } from './postbag.ts';
import { letPass, untilAllRun, untilIdle } from './quiet.ts';
import { type MadeOrder, playPlan } from './scripts.ts';
import type { Teller } from './told.ts';
import { type Ending, judge } from './verdict.ts';
import type { FaultWorld } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Past the quotes, the waits of banks, and the 60 days in which ACH may come back. */
const aftermathMs = [12 * minuteMs, hourMs, 12 * hourMs, 3 * dayMs, 8 * dayMs, 25 * dayMs, 40 * dayMs];

/** So long troubles last, and about so often one comes. */
const troublesMs = { forMs: 10_000, everyMs: 800 };
/** Orders are created within this time. */
const startsWithinMs = 6_000;

export interface Round {
  /** One order each, all at once. The first one also says what goes wrong. */
  readonly seeds: readonly number[];
  readonly teller: Teller;
}

/**
 * Plays a round: orders by their seeds, while the first seed's troubles happen; then peace, and ninety days.
 * @throws Error that names every seed with which something is wrong, and how to play the round again
 */
export async function playRound(world: FaultWorld, { seeds, teller }: Round): Promise<Ending[]> {
  const first = seeds[0]!;
  const plans = seeds.map((seed) => planOf(seed, startsWithinMs));
  const troubles = planTroubles(first, troublesMs);
  const postbag = carryCallbacks(world, first);
  const calmGates = disturbGates(world, first);
  try {
    const disturbing = disturb(world, troubles);
    const playing = Promise.allSettled(plans.map((plan) => playPlan(world, plan)));
    await disturbing;
    await killAll(world);
    calmGates();
    postbag.calm();
    const orders = madeOrders(plans, await playing);
    world.orderCount += orders.length;
    await untilAllRun(world);
    await endPeacefully(world, orders, teller);
    return await judge(world, { orders, books: await readOutsideBooks(world), told: teller.told() });
  } catch (error) {
    const again = `FAULT_SEED=${first} npx vitest run test/faults`;
    const done = troubles.map(({ atMs, what, awayMs }) => `  ${atMs} ms: ${what}${awayMs > 0 ? `, for ${awayMs} ms` : ''}`);
    throw new Error(
      `Round of the seeds ${first} to ${seeds.at(-1)}; again: ${again}\n${String(error)}\n\nThe troubles:\n${done.join('\n')}`,
      { cause: error },
    );
  } finally {
    calmGates();
    await postbag.stop();
  }
}

function madeOrders(plans: readonly Plan[], played: readonly PromiseSettledResult<MadeOrder>[]): MadeOrder[] {
  const failures = played.flatMap((one, index) =>
    one.status === 'rejected' ? [`${describePlan(plans[index]!)}: ${String(one.reason)}`] : [],
  );
  if (failures.length > 0) throw new Error(`payers who could not go on:\n${failures.join('\n')}`);
  return played.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function endPeacefully(world: FaultWorld, orders: readonly MadeOrder[], teller: Teller): Promise<void> {
  await untilIdle(world);
  for (const [index, ms] of aftermathMs.entries()) {
    await teller.readOn();
    await letPass(world, ms);
    await untilIdle(world);
    if (index > 0) continue;
    await Promise.all(orders.map((order) => order.later?.()));
    await untilIdle(world);
  }
  await teller.readOn();
}
