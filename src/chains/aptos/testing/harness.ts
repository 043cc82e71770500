import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { startAptosChain } from '../../../../devnet/aptos/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log.ts';
import { Secret } from '../../../lib/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import { testToken } from '../config/networks.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import { createAptosFamily } from '../index.ts';

const fundedOctas = 1_000_000_000_000n;
const newSeed = () => new Uint8Array(randomBytes(32));
const addressOf = (seed: Uint8Array) => addressOfEd25519(ed25519.getPublicKey(seed));
const freshAddress = () => addressOf(newSeed());
const nobodyPays = () => {
  throw new Error('Orders take no deposits on Aptos, and nobody approves operations.');
};

/** The family on a local chain of its own, with its relay and its watcher. */
export async function startAptosHarness(): Promise<FamilyHarness> {
  const [chain, database] = await Promise.all([startAptosChain(), startTestDatabase()]);
  const [treasury, ...feePayers] = [newSeed(), newSeed(), newSeed()];
  const usd = freshAddress();
  chain.addAsset(usd, { name: testToken.name, symbol: testToken.symbol.toUpperCase(), decimals: testToken.decimals });
  for (const seed of [treasury!, ...feePayers]) chain.give(readAssetName('0xa'), addressOf(seed), fundedOctas);
  chain.give(usd, addressOf(treasury!), fundedOctas);
  const config = testConfig();
  const family = createAptosFamily({
    config: {
      ...config,
      aptos: {
        ...config.aptos,
        rpcUrl: chain.url,
        feePayerKeys: feePayers.map((seed) => new Secret(seed)),
        treasuryKey: new Secret(treasury!),
        testTokenAddress: usd,
      },
    },
    store: database.store,
    clock: systemClock,
    log: createLogger({ level: (process.env.TEST_LOG ?? 'silent') as 'silent', process: 'test' }),
  });
  return {
    family,
    store: database.store,
    chain: 'aptos',
    walletType: 'mpc',
    testToken: testToken.symbol,
    foreignAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    freshAddress,
    freshTxId: () => `0x${randomBytes(32).toString('hex')}`,
    newPayer: async () => nobodyPays(),
    newSigner: nobodyPays,
    newCustodyKey() {
      const seed = newSeed();
      return { publicKey: ed25519.getPublicKey(seed), sign: async (bytes) => ed25519.sign(bytes, seed) };
    },
    paramsOf: (transaction) => ({ transaction }),
    giveNative: async (address, amountMinor) => chain.give(readAssetName('0xa'), address, amountMinor),
    settle: async () => undefined,
    async close() {
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}
