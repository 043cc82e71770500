import { afterAll, beforeAll, test } from 'vitest';
import { startTestChain, type TestChain } from './test/chain.ts';
import { playHistories } from './test/delegate-histories.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

test('in 125 random calls by several actors no delegate spends above its limit in any window, nobody but the admin changes a signer, and nothing that was ended runs', async () => {
  await playHistories(chain, { transactions: 125 });
}, 300_000);
