import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519.js';
import { Address, Asset, Keypair, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { addressValue, amountValue } from '../../../../contracts/stellar/index.ts';
import { contractAddress } from '../../../../contracts/stellar/testing/world.ts';
import { startStellarChain } from '../../../../devnet/stellar/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { developmentStellar, factorySalt, stellarContracts, testAssetCode } from '../../../config/development-stellar.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log.ts';
import { Secret } from '../../../lib/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import { stellarNetwork } from '../config/networks.ts';
import { createStellarFamily } from '../index.ts';
import { connectClient } from './client.ts';
import { ed25519Signer } from './smart.ts';

const fundedStroops = 10n ** 14n;
const newSeed = () => new Uint8Array(randomBytes(32));
const keyOf = (seed: Uint8Array) => Keypair.fromRawEd25519Seed(Buffer.from(seed));
/** A contract's: it holds what it is sent, without reserves and trust lines. */
const freshAddress = () => contractAddress(randomBytes(8).toString('hex'));

/** The family on a local chain of its own, with its relay and its watcher. */
export async function startStellarHarness(): Promise<FamilyHarness> {
  const [chain, database] = await Promise.all([startStellarChain({ ledgerMs: 500 }), startTestDatabase()]);
  const [treasury, bank, ...feePayers] = Array.from({ length: 6 }, () => new Secret(newSeed()));
  const stellar = developmentStellar(chain.url, { treasuryKey: treasury!, feePayerKeys: feePayers });
  const { passphrase, nativeContract } = stellarNetwork('development');
  const [issuer, giver] = [keyOf(treasury!.reveal()), keyOf(bank!.reveal())];
  const usd = new Asset(testAssetCode, issuer.publicKey());
  for (const key of [treasury!, ...feePayers]) chain.fund(keyOf(key.reveal()).publicKey(), fundedStroops);
  chain.fund(giver.publicKey(), 8n * 10n ** 18n);
  for (const asset of [Asset.native(), usd]) chain.run(issuer, Operation.createStellarAssetContract({ asset }));
  for (const file of [stellarContracts.wallet, stellarContracts.factory])
    chain.run(issuer, Operation.uploadContractWasm({ wasm: readFileSync(file) }));
  const [wasmHash, salt] = [factorySalt(), factorySalt()];
  chain.run(issuer, Operation.createCustomContract({ address: new Address(issuer.publicKey()), wasmHash, salt }));
  const client = connectClient(chain.url);
  const config = testConfig();
  const family = createStellarFamily({
    config: { ...config, stellar: { ...config.stellar, ...stellar, watcher: { pollMs: 50, ledgersMax: 20 } } },
    store: database.store,
    clock: systemClock,
    log: createLogger({ level: (process.env.TEST_LOG ?? 'silent') as 'silent', process: 'test' }),
  });
  return {
    family,
    store: database.store,
    chain: 'stellar',
    walletType: 'smart',
    testToken: 'usdxm',
    depositsCarryMemos: false,
    foreignAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    freshAddress,
    freshTxId: () => randomBytes(32).toString('hex'),
    async newPayer() {
      const payer = await client.newAccount();
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
      return { publicKey: ed25519.getPublicKey(seed), sign: async (bytes) => ed25519.sign(bytes, seed) };
    },
    paramsOf: (serializedTransaction) => ({
      transaction: { type: 'serialized-transaction', serializedTransaction, contractId: usd.contractId(passphrase) },
    }),
    async giveNative(address, amountMinor) {
      const args = [addressValue(giver.publicKey()), addressValue(address), amountValue(amountMinor)];
      await client.invoke(giver, Operation.invokeContractFunction({ contract: nativeContract, function: 'transfer', args }));
    },
    settle: async () => undefined,
    async close() {
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}
