import { randomBytes } from 'node:crypto';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import { createSuiFamily } from '../index.ts';
import { readCoinType } from '../operation/transfer-program.ts';
import { openGround } from './ground.ts';

const newId = () => normalizeSuiAddress(randomBytes(32).toString('hex'));

/**
 * The family with its relay and its watcher, on a local chain of its own or, by
 * `npm run contract-suite`, on an operator's test network.
 */
export async function startSuiHarness(): Promise<FamilyHarness> {
  const [ground, database] = await Promise.all([openGround(process.env), startTestDatabase()]);
  const config = testConfig();
  const family = createSuiFamily({
    config: {
      ...config,
      environment: ground.environment,
      sui: {
        ...config.sui,
        rpcUrl: ground.url,
        feePayerKeys: ground.feePayerSeeds.map((seed) => new Secret(seed)),
        treasuryKey: new Secret(ground.treasurySeed),
        testCoinType: ground.testTokenAddress,
      },
    },
    store: database.store,
    clock: systemClock,
    log: createLogger({
      level: (process.env['TEST_LOG'] ?? 'silent') as 'silent',
      process: 'test',
    }),
  });
  const client = new SuiGrpcClient({ network: 'localnet', baseUrl: ground.url });
  return {
    family,
    store: database.store,
    chain: 'sui',
    walletType: 'mpc',
    testToken: 'usdxm',
    isTokenAddress: (text) => readCoinType(text) === text,
    foreignAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    freshAddress: newId,
    freshTxId: () => bs58.encode(randomBytes(32)),
    async newPayer() {
      const payer = new Ed25519Keypair();
      return {
        address: payer.toSuiAddress(),
        async send(serialized) {
          const transaction = Buffer.from(serialized, 'base64');
          const { signature } = await payer.signTransaction(transaction);
          const done = await client.executeTransaction({ transaction, signatures: [signature] });
          const { digest } = done.Transaction ?? done.FailedTransaction;
          await client.waitForTransaction({ digest });
          return digest;
        },
      };
    },
    newSigner() {
      throw new Error('Wallets on sui have no signers beside their keys.');
    },
    newCustodyKey() {
      const seed = new Uint8Array(randomBytes(32));
      return {
        publicKey: ed25519.getPublicKey(seed),
        sign: async (bytes) => ed25519.sign(bytes, seed),
      };
    },
    paramsOf: (transaction) => ({ transaction }),
    giveNative: ground.give,
    ...(ground.plentyNativeMinor !== undefined && { plentyNativeMinor: ground.plentyNativeMinor }),
    settle: async () => undefined,
    async close() {
      await Promise.all([ground.stop(), database.close()]);
    },
  };
}
