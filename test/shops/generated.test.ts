import { beforeAll, describe, expect, it } from 'vitest';
import type { Played } from './play.ts';
import { seedsOf } from './seeds.ts';
import { playSeeds } from './world.ts';

const chosen = seedsOf(process.env.SHOP_SEED);
/** With the others they have every class of the three hundred of `npm run test:long`. */
const first = chosen ?? [5, 23, 52, 76, 89, 121, 193, 207];
const others = chosen ? [] : [7, 15, 18, 29, 31, 51, 66, 82, 95, 116, 130, 152, 158, 249];

function playAll(seeds: readonly number[]): void {
  let played: readonly Played[] = [];
  beforeAll(async () => {
    played = await playSeeds(seeds, { atOnce: 4 });
  }, 1_290_000);

  it.each(seeds)('of seed %i gets what is wished, or a true reason', (seed) => {
    const one = played.find((other) => other.seed === seed)!;
    expect(['right', 'refused'], JSON.stringify(one)).toContain(one.verdict);
  });
}

describe('the customer of the shop (SHOP_SEED plays it again)', () => {
  playAll(first);
});

describe.runIf(others.length > 0)(
  'the customer of one more shop (SHOP_SEED plays it again)',
  { tags: 'slow' },
  () => playAll(others),
);
