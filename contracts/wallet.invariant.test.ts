import { afterAll, beforeAll, test } from 'vitest';
import { startTestChain, type TestChain } from './test/chain.ts';
import { playWalletHistories } from './test/wallet-histories.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

test('whatever happens in whatever order, each operation runs at most once, only as signed and in its time, and nobody else moves or controls a wallet', async () => {
  await playWalletHistories(chain, { histories: 8, stepsMin: 12, stepsMax: 30 });
}, 120_000);
