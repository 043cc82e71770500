import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingKinds } from './happened.ts';
import { playSeeds, seedsPerRound, summarise } from './play-seeds.ts';
import { type FaultWorld, startFaultWorld } from './world.ts';

/** The first seed of a round that is to be played again. */
const again = process.env.FAULT_SEED === undefined ? undefined : Number(process.env.FAULT_SEED);
const first = again ?? 1;
const count = again === undefined ? 200 : seedsPerRound;

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld();
}, 300_000);
afterAll(() => world?.close(), 60_000);

test(`${count} orders end as they should, and nobody is paid twice, whoever is killed and whatever goes wrong between the parties`, async () => {
  const endings = await playSeeds(world, { first, count });
  console.log(summarise(endings, world.tally));
  // A run in which everybody ran into the same end would show nothing.
  expect(new Set(endings.map(({ state }) => state)).size).toBeGreaterThanOrEqual(4);
  // Nor would one in which nobody met anything.
  if (again === undefined) expect(missingKinds(world.tally)).toEqual([]);
}, 2_400_000);
