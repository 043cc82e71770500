import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shareOfNumbers } from '../harness/long-share.ts';
import { report, rightPercentOf } from './report.ts';
import { seedsOf } from './seeds.ts';
import { playSeeds } from './world.ts';

const all = 300;
const replayed = seedsOf(process.env.SHOP_SEED);
const seeds = replayed ?? shareOfNumbers({ first: 1, count: all });

it(`in ${seeds.length} generated shops nothing is bought that was not wished and nothing untrue is said`, async () => {
  const played = await playSeeds(seeds, {
    atOnce: 4,
    onPlayed: (one) => {
      // Each end as it comes, for whoever mends the engine meanwhile.
      if (process.env.SHOP_REPORT)
        appendFileSync(process.env.SHOP_REPORT, `${JSON.stringify(one)}\n`);
    },
  });
  process.stdout.write(`${report(played)}\n\n`);
  const bad = played.filter(({ verdict }) => verdict === 'wrong' || verdict === 'false');
  expect(bad.map(({ seed, verdict, why }) => ({ seed, verdict, why }))).toEqual([]);
  // In a share one question more is a percent or two.
  if (!replayed)
    expect(rightPercentOf(played)).toBeGreaterThanOrEqual(seeds.length === all ? 95 : 90);
});
