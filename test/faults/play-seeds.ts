import type { Tally } from './happened.ts';
import { playRound } from './run.ts';
import { groupBy } from './sums.ts';
import { createTeller } from './told.ts';
import type { Ending } from './verdict.ts';
import type { FaultWorld } from './world.ts';

/** So many orders at once, disturbed by the same troubles. */
export const seedsPerRound = 100;

/** Plays the seeds from `first` on, in rounds. A round is reproduced by its first seed. @throws Error that names the seeds with which something is wrong */
export async function playSeeds(
  world: FaultWorld,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<Ending[]> {
  const teller = createTeller(world);
  const endings: Ending[] = [];
  for (let from = first; from < first + count; from += seedsPerRound) {
    const seeds = Array.from({ length: Math.min(seedsPerRound, first + count - from) }, (_, index) => from + index);
    endings.push(...(await playRound(world, { seeds, teller })));
  }
  return endings;
}

/** For those who read a run: how orders ended, and what came about. */
export function summarise(endings: readonly Ending[], tally: Tally): string {
  const states = [...groupBy(endings, ({ state }) => state)].map(([state, ones]) => `${state} ${ones.length}`);
  const happened = Object.entries(tally.counts()).map(([what, count]) => `  ${count} × ${what}`);
  return [`${endings.length} orders: ${states.toSorted().join(', ')}`, ...happened].join('\n');
}
