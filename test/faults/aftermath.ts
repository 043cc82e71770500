import { diceOf } from './dice.ts';
import type { MadeOrder } from './payer.ts';
import type { Postbag } from './postbag.ts';
import type { EventReader } from './published-events.ts';
import { letPass, untilAllRun, untilIdle } from './quiet.ts';
import type { FaultWorld } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/**
 * Past the quotes, the waits of banks, the decisions of disputes, the 60 days in which ACH may come
 * back, and a return after that.
 */
const stepsMs = [
  12 * minuteMs,
  hourMs,
  12 * hourMs,
  3 * dayMs,
  8 * dayMs,
  25 * dayMs,
  27 * dayMs,
  27 * dayMs,
];
/** From here on nothing new begins that needs days. */
const lastStep = 6;
/** An operator who gets the same matters back again and again goes home. */
const looksMax = 12;

export interface Aftermath {
  readonly seed: number;
  readonly orders: readonly MadeOrder[];
  readonly teller: EventReader;
  readonly postbag: Postbag;
  /** When late payers have paid, and what came short has gone back. */
  readonly afterQuotes: () => Promise<void>;
}

/**
 * The providers are well, nobody loses an answer, and time passes until everything has ended that
 * ends by itself or by the operator.
 */
export async function endPeacefully(
  world: FaultWorld,
  { seed, orders, teller, postbag, afterQuotes }: Aftermath,
): Promise<void> {
  const dice = diceOf(seed ^ 0xaf7e);
  const settle = async () => {
    await postbag.flush();
    await untilIdle(world);
    for (let looks = 0; looks < looksMax && (await world.operator.look()) > 0; looks++)
      await untilIdle(world);
  };
  await settle();
  for (const [index, ms] of stepsMs.entries()) {
    if (index === lastStep) world.cards.calm();
    await teller.readOn();
    await letPass(world, ms);
    if (index === 0) await Promise.all(orders.map((order) => order.later?.()));
    // Even now somebody dies, as the news of banks and acquirers come, and the operator decides.
    const killed = dice.percent(30)
      ? killOne(world, dice.pick(['worker', 'api'] as const))
      : undefined;
    await settle();
    await killed;
    if (killed) {
      await untilAllRun(world);
      await settle();
    }
    if (index === 0) await afterQuotes();
  }
  await teller.readOn();
}

function killOne({ parts, database }: FaultWorld, name: 'worker' | 'api'): Promise<void> {
  return parts[name].kill({ whileAway: () => database.endLeases(name) });
}
