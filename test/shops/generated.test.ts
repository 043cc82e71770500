import { beforeAll, expect, it } from 'vitest';
import type { Played } from './play.ts';
import { seedsOf } from './seeds.ts';
import { playSeeds } from './world.ts';

/** Together they have every class of the three hundred of `npm run test:long`. */
const fast = [
  5, 7, 15, 18, 23, 29, 31, 51, 52, 66, 76, 82, 89, 95, 116, 121, 130, 152, 158, 193, 207, 249,
];
const seeds = seedsOf(process.env.SHOP_SEED) ?? fast;

let played: readonly Played[] = [];
beforeAll(async () => {
  played = await playSeeds(seeds, { atOnce: 4 });
}, 690_000);

it.each(seeds)(
  'the customer of the shop of seed %i gets what is wished, or a true reason (SHOP_SEED plays it again)',
  (seed) => {
    const one = played.find((other) => other.seed === seed)!;
    expect(['right', 'refused'], JSON.stringify(one)).toContain(one.verdict);
  },
);
