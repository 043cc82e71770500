/** @module-tag slow */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { planOf } from './plan.ts';
import { playPlan } from './play.ts';
import { type RunFaultWorld, startRunFaultWorld } from './world.ts';

const again = process.env.RUN_FAULT_SEED;
const seeds = again === undefined ? [36, 10, 11] : again.split(',').map(Number);

let world: RunFaultWorld;
beforeAll(async () => {
  world = await startRunFaultWorld();
}, 240_000);
afterAll(() => world?.close());

it.each(seeds.map(planOf))(
  'a $victim that is killed after “$step” in the shop $shop leaves one order at most, and the truth about it (seed $seed)',
  async (plan) => {
    const played = await playPlan(world, plan).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${world.output()}`, { cause: error });
    });
    expect(played).toMatchObject({ wrong: [] });
  },
  240_000,
);
