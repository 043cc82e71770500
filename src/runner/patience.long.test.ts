import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunWorld, startRunWorld } from './testing/run-world.ts';
import { buySlowly } from './testing/slow-shop.ts';

// The real limits: what `patience.test.ts` shows with short ones.
let world: RunWorld;
beforeEach(async () => {
  world = await startRunWorld();
});
afterEach(() => world.close());

for (const sending of ['form', 'script'] as const) {
  it.each([25, 60, 85])(
    `an order sent by a ${sending} and answered after %i s is confirmed, sent once, in one browser`,
    async (seconds) => {
      const { run, ...truth } = await buySlowly(world, { sending, afterMs: seconds * 1_000 });
      expect(truth).toEqual({ orders: 1, requests: 1 });
      expect(run).toMatchObject({
        end: { outcome: 'succeeded', merchantOrderId: 'ORD-1001' },
        armed: 1,
      });
      expect(run.asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    },
  );

  it(`an order sent by a ${sending} and never answered is asked of the user`, async () => {
    const { run, ...truth } = await buySlowly(
      world,
      { sending },
      {
        answer: ({ kind }) => (kind === 'confirm-outcome' ? { outcome: 'not-placed' } : undefined),
      },
    );
    expect(truth).toEqual({ orders: 1, requests: 1 });
    expect(run).toMatchObject({ end: { outcome: 'failed', placed: 'no' }, armed: 1 });
    expect(run.asked.map(({ kind }) => kind)).toEqual(['approve-purchase', 'confirm-outcome']);
  });
}
