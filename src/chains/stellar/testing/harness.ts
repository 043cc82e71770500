import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { Keypair, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { contractAddress } from '../../../../contracts/stellar/testing/world.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { developmentStellar } from '../../../config/families/development-stellar.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import { stellarNetwork } from '../config/networks.ts';
import { createStellarFamily } from '../index.ts';
import { openGround } from './ground.ts';
import { ed25519Signer } from './smart.ts';

const feePayerLumens = '300';
const newSeed = () => new Uint8Array(randomBytes(32));
/** A contract's: it holds what it is sent, without reserves and trust lines. */
const freshAddress = () => contractAddress(randomBytes(8).toString('hex'));

/**
 * The family with its relay and its watcher, on a local chain of its own or, by
 * `npm run contract-suite`, on an operator's test network.
 */
export async function startStellarHarness(walletType: 'smart' | 'mpc'): Promise<FamilyHarness> {
  const [ground, database] = await Promise.all([openGround(process.env), startTestDatabase()]);
  const { client, usd } = ground;
  const { passphrase } = stellarNetwork(ground.environment);
  const feePayers = Array.from({ length: 4 }, newSeed);
  for (const seed of feePayers)
    await ground.open(Keypair.fromRawEd25519Seed(Buffer.from(seed)), feePayerLumens);
  const secrets = {
    treasuryKey: new Secret(ground.treasurySeed),
    feePayerKeys: feePayers.map((seed) => new Secret(seed)),
  };
  const stellar = {
    ...developmentStellar(ground.url, secrets),
    testTokenContract: ground.testTokenAddress,
    walletFactoryId: ground.factory,
    watcher: { pollMs: 50, ledgersMax: 20 },
  };
  const config = testConfig();
  const family = createStellarFamily({
    config: {
      ...config,
      environment: ground.environment,
      stellar: { ...config.stellar, ...stellar },
    },
    store: database.store,
    clock: systemClock,
    log: createLogger({ level: (process.env.TEST_LOG ?? 'silent') as 'silent', process: 'test' }),
  });
  return {
    family,
    store: database.store,
    chain: 'stellar',
    walletType,
    testToken: 'usdxm',
    // A contract is paid by a call, which has no room for a memo.
    ...(walletType === 'smart' && { depositsCarryMemos: false }),
    foreignAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    freshAddress,
    freshTxId: () => randomBytes(32).toString('hex'),
    async newPayer() {
      const payer = Keypair.random();
      await ground.open(payer, '5');
      await client.send(payer, [Operation.changeTrust({ asset: usd })]);
      return {
        address: payer.publicKey(),
        async send(serialized) {
          const transaction = TransactionBuilder.fromXdr(serialized, passphrase);
          if (!(transaction instanceof Transaction)) throw new Error('A payer gets no fee bump.');
          transaction.sign(payer);
          return client.submit(transaction);
        },
      };
    },
    newSigner() {
      const { signer, approve } = ed25519Signer();
      return { signer, approve: async (prepared) => approve(prepared) };
    },
    newCustodyKey() {
      const seed = newSeed();
      return {
        publicKey: ed25519.getPublicKey(seed),
        sign: async (bytes) => ed25519.sign(bytes, seed),
      };
    },
    paramsOf: (serializedTransaction) => ({
      transaction: {
        type: 'serialized-transaction',
        serializedTransaction,
        ...(walletType === 'smart' && { contractId: ground.testTokenAddress }),
      },
    }),
    plentyNativeMinor: ground.plentyNativeMinor!,
    ...(walletType === 'mpc' && { leastNativeMinor: 10_000_000n }),
    giveNative: ground.give,
    letPass: ground.expire,
    settle: async () => undefined,
    async close() {
      await Promise.all([ground.stop(), database.close()]);
    },
  };
}
