import { afterAll, expect, test } from 'vitest';
import { missingHappenings } from './happened.ts';
import { playSeeds, summarise } from './play-seeds.ts';
import { type FaultWorld, startFaultWorld } from './world.ts';

const seedCount = 5_000;
/** A world forgets nothing of its rounds: it is made anew before it grows old. */
const seedsPerWorld = 500;

let world: FaultWorld | undefined;
afterAll(() => world?.close(), 60_000);

test(`${seedCount} orders end as they should, and nobody is paid twice, whoever is killed and whatever goes wrong between the parties`, async () => {
  // After those of `npm test`.
  for (let first = 1_001; first <= 1_000 + seedCount; first += seedsPerWorld) {
    world = await startFaultWorld();
    const endings = await playSeeds(world, { first, count: seedsPerWorld });
    console.log(summarise(endings, world.tally));
    expect(endings.length).toBe(seedsPerWorld);
    expect(missingHappenings(world.tally)).toEqual([]);
    await world.close();
    world = undefined;
  }
}, 7_200_000);
