import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { expect } from 'vitest';
import { type SolanaChain, startSolanaChain } from '../../../../devnet/solana/index.ts';
import { mintAccount } from '../../../../devnet/solana/mint-account.ts';
import { programPath } from '../../../../programs/solana-wallet/build.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { FamilyHarness } from '../../family.contract.ts';
import type { WalletType } from '../../family.ts';
import { createSolanaFamily } from '../index.ts';
import { messageBytesOf, writeTransaction } from '../operation/message.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { readStatuses } from '../rpc/calls.ts';
import { createSolanaRpc } from '../rpc/rpc.ts';
import { newAddress } from './world.ts';

const fundedLamports = 1_000_000_000_000n;

function newKeypair(): Uint8Array {
  const seed = new Uint8Array(randomBytes(32));
  return new Uint8Array([...seed, ...ed25519.getPublicKey(seed)]);
}

const addressOf = (keypair: Uint8Array) => bs58.encode(keypair.subarray(32));

async function give(chain: SolanaChain, address: string, lamports: bigint): Promise<void> {
  await chain.setAccount(address, { lamports, owner: programs.system, data: new Uint8Array() });
}

/** The family on a local chain of its own, with its relay and its watcher. */
export async function startSolanaHarness(walletType: WalletType): Promise<FamilyHarness> {
  const program = newAddress();
  const [chain, database] = await Promise.all([
    startSolanaChain({ slotMs: 50 }),
    startTestDatabase(),
  ]);
  const [treasury, ...feePayers] = [newKeypair(), newKeypair(), newKeypair()];
  const mint = newAddress();
  for (const keypair of [treasury!, ...feePayers])
    await give(chain, addressOf(keypair), fundedLamports);
  await chain.setAccount(mint, mintAccount({ authority: addressOf(treasury!), decimals: 6 }));
  if (walletType === 'smart') await chain.addProgram(program, readFileSync(programPath));
  const config = testConfig();
  const family = createSolanaFamily({
    config: {
      ...config,
      solana: {
        ...config.solana,
        rpcUrl: chain.url,
        feePayerKeys: feePayers.map((keypair) => new Secret(keypair)),
        treasuryKey: new Secret(treasury!),
        testTokenMint: mint,
        ...(walletType === 'smart' && { walletProgramId: program }),
      },
    },
    store: database.store,
    clock: systemClock,
    log: createLogger({ level: 'silent', process: 'test' }),
  });
  const rpc = createSolanaRpc({ url: chain.url, timeoutMs: 10_000 });
  const connection = {
    rpc,
    network: family.requireNetwork('solana') as Parameters<typeof readStatuses>[0]['network'],
  };
  return {
    family,
    store: database.store,
    chain: 'solana',
    walletType,
    testToken: 'usdxm',
    foreignAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    freshAddress: newAddress,
    freshTxId: () => bs58.encode(randomBytes(64)),
    async newPayer() {
      const keypair = newKeypair();
      return {
        address: addressOf(keypair),
        async send(serialized) {
          const message = messageBytesOf(serialized);
          const signature = ed25519.sign(message, keypair.subarray(0, 32));
          const wire = writeTransaction(message, { [addressOf(keypair)]: signature });
          await rpc.request('sendTransaction', [
            Buffer.from(wire).toString('base64'),
            { encoding: 'base64', preflightCommitment: 'confirmed' },
          ]);
          const txId = bs58.encode(signature);
          const isThere = async () =>
            (await readStatuses(connection, { signatures: [txId], history: true }))[0] !== null;
          await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
          return txId;
        },
      };
    },
    newSigner() {
      const keypair = newKeypair();
      const address = addressOf(keypair);
      const signer = {
        type: 'external-wallet',
        locator: `external-wallet:${address}`,
        address,
      } as const;
      return {
        signer,
        async approve(prepared) {
          if (!('onChain' in prepared)) throw new Error('It signs no messages.');
          const message = messageBytesOf(prepared.onChain['transaction'] as string);
          return { signer, signature: bs58.encode(ed25519.sign(message, keypair.subarray(0, 32))) };
        },
      };
    },
    newCustodyKey() {
      const seed = new Uint8Array(randomBytes(32));
      return {
        publicKey: ed25519.getPublicKey(seed),
        sign: async (digest) => ed25519.sign(digest, seed),
      };
    },
    paramsOf: (transaction) => ({ transaction }),
    namingMembers: (params, requiredSigners) => ({ ...params, requiredSigners }),
    leastNativeMinor: 890_880n,
    giveNative: (address, amountMinor) => give(chain, address, amountMinor),
    settle: async () => undefined,
    async close() {
      rpc.close();
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}
