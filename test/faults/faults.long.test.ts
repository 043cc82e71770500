import { afterAll, test } from 'vitest';
import { chosenPart } from './chosen-seeds.ts';
import { missingHappenings } from './happened.ts';
import { createPlayer, expectNoFindings } from './play-seeds.ts';

// After each hundred seeds the run says how far it is, how long that took, and how the orders
// ended. A round with findings prints them at once, with the command that plays it again, and the
// run goes on in a new world; it fails at its end. It can be played in parts:
//   FAULT_FROM=1001 FAULT_TO=2000 npx vitest run --config vitest.long.config.ts test/faults
// Parts begin and end with a round (…01 to …00). That each happening comes about is asked of every
// 500 seeds: parts shorter than that only say what did.
const seedCount = 5_000;
const seedsPerWorld = 500;
/** After those of `npm test`. */
const { first, last } = chosenPart(process.env, { first: 1_001, last: 1_000 + seedCount });

const player = createPlayer(console.log);
afterAll(() => player.close(), 60_000);

test(`${last - first + 1} orders end as they should, and nobody is paid twice, whoever is killed and whatever goes wrong between the parties`, async () => {
  const played = await player.play({
    first,
    last,
    seedsPerWorld,
    missing: (tally, seeds) => (seeds < seedsPerWorld ? [] : missingHappenings(tally)),
  });
  expectNoFindings(played);
}, 21_600_000);
