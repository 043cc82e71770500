import { afterAll, beforeAll, expect, test } from 'vitest';
import { playRound } from './run.ts';
import { createTeller } from './told.ts';
import { type FaultWorld, startFaultWorld } from './world.ts';

const only = process.env.FAULT_SEED === undefined ? undefined : Number(process.env.FAULT_SEED);
const perRound = 6;
const rounds = only === undefined ? 1 : 1;

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld();
}, 180_000);
afterAll(() => world?.close(), 60_000);

test('offramp orders whose worker is killed again and again end as they should, and nobody is paid twice', async () => {
  const teller = createTeller(world);
  for (let round = 0; round < rounds; round++) {
    const first = only ?? 1 + round * perRound;
    const seeds = Array.from({ length: perRound }, (_, index) => first + index);
    const endings = await playRound(world, {
      seeds,
      kinds: ['offramp'],
      startsWithinMs: 4_000,
      troubles: { forMs: 8_000, everyMs: 1_500, only: ['kill the worker'] },
      gates: false,
      teller,
    });
    expect(endings.length).toBe(perRound);
    console.log(endings.map(({ made, state, attention }) => `${made.plan.seed} ${made.plan.kind} ${state} ${attention ?? ''}`).join('\n'));
  }
}, 900_000);
