import { afterAll, beforeAll, expect, it } from 'vitest';
import { shareOfNumbers } from '../harness/long-share.ts';
import { planCount, planOf } from './plan.ts';
import { playPlan } from './play.ts';
import { type RunFaultWorld, startRunFaultWorld } from './world.ts';

let world: RunFaultWorld;
beforeAll(async () => {
  world = await startRunFaultWorld();
}, 240_000);
afterAll(() => world?.close());

it.each(shareOfNumbers({ first: 0, count: planCount }).map(planOf))(
  'a $victim that is killed after “$step” in the shop $shop (seed $seed)',
  async (plan) => {
    const played = await playPlan(world, plan).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${world.output()}`, { cause: error });
    });
    expect(played).toMatchObject({ wrong: [] });
  },
  240_000,
);
