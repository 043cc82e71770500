import { afterAll, test } from 'vitest';
import { shareOfNumbers } from '../harness/long-share.ts';
import { missingHappenings } from './happened.ts';
import { createPlayer, expectNoFindings, seedsPerRound } from './play-seeds.ts';

// After each hundred seeds the run says how far it is, how long that took, and how the orders
// ended. A round with findings prints them at once, with the command that plays it again, and the
// run goes on in a new world; it fails at its end. A share is whole rounds (…01 to …00). That each
// happening comes about is asked of every 500 seeds: shares shorter than that only say what did.
const seedCount = 5_000;
const seedsPerWorld = 500;
/** After those of `npm test`. */
const seeds = shareOfNumbers({ first: 1_001, count: seedCount, multiple: seedsPerRound });
const [first, last] = [seeds[0]!, seeds.at(-1)!];

const player = createPlayer(console.log);
afterAll(() => player.close(), 60_000);

test(`${seeds.length} orders end as they should, and nobody is paid twice, whoever is killed and whatever goes wrong between the parties`, async () => {
  const played = await player.play({
    first,
    last,
    seedsPerWorld,
    missing: (tally, seeds) => (seeds < seedsPerWorld ? [] : missingHappenings(tally)),
  });
  expectNoFindings(played);
}, 21_600_000);
