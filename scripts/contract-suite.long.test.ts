import { randomBytes } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SuiChain, startSuiChain } from '../devnet/sui/local.ts';
import { run } from './run-contract-suite.ts';

// As contract-suite.test.ts, which runs the first family.
const key = Ed25519Keypair.fromSecretKey(new Uint8Array(randomBytes(32)));
const type = `0x${'7b'.repeat(32)}::any::ANY`;
let chain: SuiChain;
beforeAll(async () => {
  chain = await startSuiChain();
  chain.addCurrency({ type, decimals: 6, symbol: 'ANY', name: 'Somebody’s dollar', minter: key.toSuiAddress() });
  // As much as the guide says, for two runs.
  chain.fund(`0x${'7c'.repeat(32)}`, key.toSuiAddress(), { type: '0x2::sui::SUI', amount: 25_000_000_000n });
});
afterAll(() => chain?.stop());

it('the suite of Sui passes, twice, against a network that it did not start', async () => {
  const env = { CONTRACT_SUITE_TREASURY_KEY: key.getSecretKey(), CONTRACT_SUITE_TEST_TOKEN: type };
  for (let times = 0; times < 2; times++) {
    const { code, output } = await run(['--chain', 'sui', '--against', chain.url], env);
    expect([code, output]).toEqual([0, expect.stringMatching(/\d+ passed/)]);
  }
});
