import { afterAll, beforeAll, test } from 'vitest';
import { shareOfNumbers } from '../test/harness/long-share.ts';
import { startTestChain, type TestChain } from './test/chain.ts';
import { playHistories } from './test/delegate-histories.ts';

const chainCount = 20;
const transactionsPerChain = 5_000;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

/**
 * A node keeps all that ever happened: it is started anew now and then, and whatever stopped the
 * run says which seed it had.
 */
test.each(shareOfNumbers({ first: 1, count: chainCount }))(
  'in 100,000 random calls by several actors no delegate spends above its limit in any window, nobody but the admin changes a signer, and nothing that was ended runs (part %i of 20)',
  async () => {
    await playHistories(chain, { transactions: transactionsPerChain });
    await chain.stop();
    chain = await startTestChain();
  },
);
