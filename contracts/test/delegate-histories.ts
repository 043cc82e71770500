import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestChain } from './chain.ts';
import { checkWorld } from './delegate-checks.ts';
import { aStep, someRegistrations } from './delegate-steps.ts';
import { aWorld, takeStep } from './delegate-world.ts';

/** Steps between two looks at everything the chain has; what each step did is looked at at once. */
const checkEvery = 5;

/**
 * Plays random histories of 80 steps until this many transactions were made, and holds the chain
 * against the model.
 * @throws AssertionError with the history that broke a rule
 */
export async function playHistories(
  chain: TestChain,
  input: { readonly transactions: number },
): Promise<void> {
  const total = { calls: 0, spends: 0, refusals: 0 };
  // A history has about 60 transactions; the last ones are only played when that is not so.
  const numRuns = Math.ceil(input.transactions / 25);
  await fc.assert(
    fc.asyncProperty(
      someRegistrations,
      fc.array(aStep, { minLength: 80, maxLength: 80 }),
      async (registrations, steps) => {
        if (total.calls >= input.transactions) return;
        const world = await aWorld(chain, registrations);
        for (const [index, step] of steps.entries()) {
          await takeStep(world, step);
          if (index % checkEvery === 0) await checkWorld(world);
        }
        await checkWorld(world);
        for (const name of ['calls', 'spends', 'refusals'] as const)
          total[name] += world.counts[name];
      },
    ),
    { numRuns, endOnFailure: true },
  );
  expect(total.calls).toBeGreaterThanOrEqual(input.transactions);
  // Histories in which nothing runs, or everything does, would prove nothing. Chance gives 10 to 30
  // in 250.
  expect(total.spends, 'transfers under a scope').toBeGreaterThan(input.transactions / 50);
  expect(total.refusals, 'refusals').toBeGreaterThan(input.transactions / 50);
}
