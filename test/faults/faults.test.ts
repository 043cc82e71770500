import { afterAll, expect, test } from 'vitest';
import { chosenRound } from './chosen-seeds.ts';
import { missingKinds } from './happened.ts';
import { createPlayer, expectNoFindings } from './play-seeds.ts';

// What fails is printed at once, with its seeds, the rules that are broken, and how to play that
// round again:
//   FAULT_SEED=101 npx vitest run test/faults the round that begins with this seed, of any run
//   FAULT_SEED=101 FAULT_ONLY=107,133 npx vitest run test/faults of that round these orders only,
//   with the same troubles
const again = chosenRound(process.env);

const player = createPlayer(console.log);
afterAll(() => player.close(), 60_000);

const title =
  'orders end as they should, and nobody is paid twice, whoever is killed and whatever goes wrong between the parties';

test.skipIf(again !== undefined)(
  `6 ${title}`,
  async () => {
    expectNoFindings(await player.play({ first: 1, last: 6, seedsPerWorld: 6, missing: () => [] }));
  },
  600_000,
);

const { first, last, only } = again ?? { first: 7, last: 120 };

test(`${only?.length ?? last - first + 1} ${title}`, {
  tags: again ? [] : 'slow',
  timeout: 2_400_000,
}, async () => {
  // A run in which nobody met anything would show nothing.
  const missing = again === undefined ? missingKinds : () => [];
  const played = await player.play({
    first,
    last,
    seedsPerWorld: 120,
    missing,
    ...(only && { only }),
  });
  expectNoFindings(played);
  // Nor would one in which everybody ran into the same end.
  if (again === undefined)
    expect(new Set(played.endings.map(({ state }) => state)).size).toBeGreaterThanOrEqual(4);
});
