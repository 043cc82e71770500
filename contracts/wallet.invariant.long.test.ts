import { afterAll, beforeAll, test } from 'vitest';
import { shareOfNumbers } from '../test/harness/long-share.ts';
import { startTestChain, type TestChain } from './test/chain.ts';
import { playWalletHistories } from './test/wallet-histories.ts';

const chainCount = 20;
const historiesPerChain = 100;
const stepsPerHistory = 50;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

/** A node keeps all that ever happened: each part has a new one. */
test.each(shareOfNumbers({ first: 1, count: chainCount }))(
  'in 100,000 random steps by several actors each operation runs at most once, only as signed and in its time, and nobody else moves or controls a wallet (part %i of 20)',
  async () => {
    await playWalletHistories(chain, {
      histories: historiesPerChain,
      stepsMin: stepsPerHistory,
      stepsMax: stepsPerHistory,
    });
    await chain.stop();
    chain = await startTestChain();
  },
);
