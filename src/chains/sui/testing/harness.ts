import { randomBytes } from 'node:crypto';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { startSuiChain } from '../../../../devnet/sui/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log.ts';
import { Secret } from '../../../lib/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import { suiCoinType } from '../config/networks.ts';
import { createSuiFamily } from '../index.ts';
import { readCoinType } from '../operation/transfer-program.ts';
import { createSigningAccount } from '../relay/keys.ts';
import { usd } from './bed.ts';

const fundedMist = 1_000_000_000_000n;
const newId = () => normalizeSuiAddress(randomBytes(32).toString('hex'));
const newSeed = () => new Secret(new Uint8Array(randomBytes(32)));

/** The family on a local chain of its own, with its relay and its watcher. */
export async function startSuiHarness(): Promise<FamilyHarness> {
  const [chain, database] = await Promise.all([startSuiChain(), startTestDatabase()]);
  const [treasuryKey, feePayerKeys] = [newSeed(), [newSeed(), newSeed()]];
  const give = (owner: string, amount: bigint) => chain.fund(newId(), owner, { type: suiCoinType, amount });
  for (const key of [treasuryKey, ...feePayerKeys]) give(createSigningAccount(key).address, fundedMist);
  chain.addCurrency({ type: usd, decimals: 6, symbol: 'USDXM', name: 'Test USD', minter: createSigningAccount(treasuryKey).address });
  const config = testConfig();
  const family = createSuiFamily({
    config: { ...config, sui: { ...config.sui, rpcUrl: chain.url, feePayerKeys, treasuryKey, testCoinType: usd } },
    store: database.store,
    clock: systemClock,
    log: createLogger({ level: (process.env['TEST_LOG'] ?? 'silent') as 'silent', process: 'test' }),
  });
  const client = new SuiGrpcClient({ network: 'localnet', baseUrl: chain.url });
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
          return (done.Transaction ?? done.FailedTransaction).digest;
        },
      };
    },
    newSigner() {
      throw new Error('Wallets on sui have no signers beside their keys.');
    },
    newCustodyKey() {
      const seed = new Uint8Array(randomBytes(32));
      return { publicKey: ed25519.getPublicKey(seed), sign: async (bytes) => ed25519.sign(bytes, seed) };
    },
    paramsOf: (transaction) => ({ transaction }),
    giveNative: async (address, amountMinor) => void give(address, amountMinor),
    settle: async () => undefined,
    async close() {
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}
