import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { renewalRound } from './chain.ts';
import type { ChainState } from './state.ts';

it('renewals of a relay that stops, and has no account left, let everything else have its turn', async () => {
  const stopping = new AbortController();
  stopping.abort();
  const state = {
    deps: { config: { relay: { leaseMs: 30_000 } } },
    stopping,
    claims: new Map(),
    accounts: new Map(),
  };
  let rounds = 0;
  let isOver = false;
  const renewing = (async () => {
    while (!isOver && rounds < 10_000) {
      await renewalRound(state as unknown as ChainState);
      rounds += 1;
    }
  })();
  await nextTurn();
  isOver = true;
  await renewing;
  expect(rounds).toBeLessThan(10);
});
