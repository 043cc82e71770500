/** @module-tag slow */

import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AptosChain, startAptosChain } from '../devnet/aptos/local.ts';
import { addressOfEd25519 } from '../src/chains/aptos/encoding/addresses.ts';
import { run } from './run-contract-suite.ts';

const seed = randomBytes(32);
const token = `0x${'7a'.repeat(32)}`;
let chain: AptosChain;
beforeAll(async () => {
  chain = await startAptosChain();
  const treasury = addressOfEd25519(ed25519.getPublicKey(new Uint8Array(seed)));
  chain.addAsset(token, { name: 'Somebody’s dollar', symbol: 'ANY', decimals: 6 });
  for (const asset of [`0x${'a'.padStart(64, '0')}`, token])
    chain.give(asset, treasury, 10n ** 14n);
});
afterAll(() => chain?.stop());

it('the suite of a family passes against a network that it did not start', async () => {
  const env = {
    CONTRACT_SUITE_TREASURY_KEY: `ed25519-priv-0x${seed.toString('hex')}`,
    CONTRACT_SUITE_TEST_TOKEN: token,
  };
  const { code, output } = await run(['--chain', 'aptos', '--against', chain.url], env);
  expect([code, output]).toEqual([0, expect.stringMatching(/\d+ passed/)]);
});

it.each([
  [['--chain', 'aptos'], {}, 'npm run contract-suite -- --chain'],
  [
    ['--chain', 'venus', '--against', 'http://127.0.0.1:1'],
    {},
    'no suite against other networks for "venus"',
  ],
  [['--chain', 'aptos', '--against', 'nowhere'], {}, '--against is the address of a node'],
  [
    ['--chain', 'aptos', '--against', 'http://127.0.0.1:1'],
    { CONTRACT_SUITE_TREASURY_KEY: 'x' },
    'CONTRACT_SUITE_TEST_TOKEN is not set',
  ],
])('what is missing or wrong is said in a sentence: %j', async (args, env, sentence) => {
  const { code, output } = await run(args, env);
  expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
});
