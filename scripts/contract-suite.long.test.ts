import { randomBytes } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStellarChain } from '../devnet/stellar/local.ts';
import { type SuiChain, startSuiChain } from '../devnet/sui/local.ts';
import { run } from './run-contract-suite.ts';

// As contract-suite.test.ts, which runs the first family.
const key = Ed25519Keypair.fromSecretKey(new Uint8Array(randomBytes(32)));
const type = `0x${'7b'.repeat(32)}::any::ANY`;
let chain: SuiChain;
beforeAll(async () => {
  chain = await startSuiChain();
  chain.addCurrency({
    type,
    decimals: 6,
    symbol: 'ANY',
    name: 'Somebody’s dollar',
    minter: key.toSuiAddress(),
  });
  // As much as the guide says, for two runs.
  chain.fund(`0x${'7c'.repeat(32)}`, key.toSuiAddress(), {
    type: '0x2::sui::SUI',
    amount: 25_000_000_000n,
  });
});
afterAll(() => chain?.stop());

it('the suite of Sui passes, twice, against a network that it did not start', async () => {
  const env = { CONTRACT_SUITE_TREASURY_KEY: key.getSecretKey(), CONTRACT_SUITE_TEST_TOKEN: type };
  for (let times = 0; times < 2; times++) {
    const { code, output } = await run(['--chain', 'sui', '--against', chain.url], env);
    expect([code, output]).toEqual([0, expect.stringMatching(/\d+ passed/)]);
  }
});

it('the suite of Stellar passes, twice, against a network that it did not start', async () => {
  // A failed payment of custody is told after 150 ledgers: these close faster than any network's.
  const stellar = await startStellarChain({ ledgerMs: 100 });
  const treasury = Keypair.random();
  const asset = new Asset('USDXM', treasury.publicKey());
  stellar.fund(treasury.publicKey(), 10n ** 11n);
  for (const one of [Asset.native(), asset])
    stellar.run(treasury, Operation.createStellarAssetContract({ asset: one }));
  const env = {
    CONTRACT_SUITE_TREASURY_KEY: treasury.secret(),
    CONTRACT_SUITE_TEST_TOKEN: asset.contractId('Standalone Network ; February 2017'),
  };
  for (let times = 0; times < 2; times++) {
    const { code, output } = await run(['--chain', 'stellar', '--against', stellar.url], env);
    expect([code, output]).toEqual([0, expect.stringMatching(/\d+ passed/)]);
  }
  await stellar.stop();
});
