import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import { testToken } from '../config/networks.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import { createAptosFamily } from '../index.ts';
import { openGround } from './ground.ts';

/** What each fee payer begins with, in octas. */
const feePayerOctas = 200_000_000n;
const newSeed = () => new Uint8Array(randomBytes(32));
const addressOf = (seed: Uint8Array) => addressOfEd25519(ed25519.getPublicKey(seed));
const freshAddress = () => addressOf(newSeed());
const nobodyPays = () => {
  throw new Error('Orders take no deposits on Aptos, and nobody approves operations.');
};

/**
 * The family with its relay and its watcher, on a local chain of its own or, by
 * `npm run contract-suite`, on an operator's test network.
 */
export async function startAptosHarness(): Promise<FamilyHarness> {
  const [ground, database] = await Promise.all([openGround(process.env), startTestDatabase()]);
  const feePayers = [newSeed(), newSeed()];
  for (const seed of feePayers) await ground.give(addressOf(seed), feePayerOctas);
  const config = testConfig();
  const family = createAptosFamily({
    config: {
      ...config,
      environment: ground.environment,
      aptos: {
        ...config.aptos,
        rpcUrl: ground.url,
        feePayerKeys: feePayers.map((seed) => new Secret(seed)),
        treasuryKey: new Secret(ground.treasurySeed),
        testTokenAddress: ground.testTokenAddress,
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
      return {
        publicKey: ed25519.getPublicKey(seed),
        sign: async (bytes) => ed25519.sign(bytes, seed),
      };
    },
    paramsOf: (transaction) => ({ transaction }),
    giveNative: ground.give,
    settle: async () => undefined,
    async close() {
      await Promise.all([ground.stop(), database.close()]);
    },
  };
}
