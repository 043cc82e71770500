import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import { z } from 'zod';
import {
  planGenesis,
  prepareGenesis,
  startAnvil,
  testStablecoinAddress,
} from '../../../devnet/index.ts';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase } from '../../../test/harness/database.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/log/log.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import {
  describeChainFamily,
  type FamilyHarness,
  familyParts,
  mpcParts,
} from '../family.contract.ts';
import type { WalletType } from '../family.ts';
import { checksumAddress, hexOf } from './abi/words.ts';
import { createEvmFamily } from './index.ts';
import { createRpc } from './rpc/rpc.ts';

const chain = 'base-sepolia';

async function startHarness(walletType: WalletType): Promise<FamilyHarness> {
  const [node, database] = await Promise.all([
    startAnvil({ chainId: 84_532, log: () => undefined }),
    startTestDatabase(),
  ]);
  const [treasuryKey, ...executorKeys] = [
    generatePrivateKey(),
    generatePrivateKey(),
    generatePrivateKey(),
  ];
  const minter = privateKeyToAddress(treasuryKey!);
  const funded = [treasuryKey!, ...executorKeys].map((key) => ({
    address: privateKeyToAddress(key),
    wei: 10n ** 21n,
  }));
  await prepareGenesis(node.url, planGenesis({ tokens: [], minter, funded }));
  const config = testConfig();
  const family = createEvmFamily({
    config: {
      ...config,
      evm: {
        ...config.evm,
        rpcUrls: new Map([[chain, node.url]]),
        treasuryKey: new Secret(treasuryKey!),
        executorKeys: executorKeys.map((key) => new Secret(key)),
        testTokenAddress: testStablecoinAddress(minter),
      },
    },
    store: database.store,
    clock: systemClock,
    log: createLogger({ level: 'silent', process: 'test' }),
  });
  const rpc = createRpc({ url: node.url, timeoutMs: 10_000 });

  return {
    family,
    store: database.store,
    chain,
    chainWithoutNode: 'optimism-sepolia',
    walletType,
    testToken: 'usdxm',
    foreignAddress: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    freshAddress: () => checksumAddress(hexOf(randomBytes(20))),
    freshTxId: () => hexOf(randomBytes(32)),
    async newPayer() {
      const account = privateKeyToAccount(generatePrivateKey());
      return {
        address: account.address,
        async send(serialized) {
          const raw = await account.signTransaction(
            parseTransaction(serialized as Hex) as TransactionSerializableEIP1559,
          );
          const txId = z.string().parse(await rpc.request('eth_sendRawTransaction', [raw]));
          await expect
            .poll(async () => (await rpc.request('eth_getTransactionReceipt', [txId])) !== null, {
              timeout: 20_000,
            })
            .toBe(true);
          return txId;
        },
      };
    },
    paramsOf(transaction) {
      if (walletType === 'smart') return { calls: [{ transaction }], chain };
      const { to, data = '0x' } = parseTransaction(transaction as Hex);
      return { call: { to: to!, data }, chain };
    },
    newSigner() {
      const account = privateKeyToAccount(generatePrivateKey());
      const signer = {
        type: 'external-wallet',
        locator: `external-wallet:${account.address}`,
        address: account.address,
      } as const;
      return {
        signer,
        approve: async (prepared) => ({
          signer,
          signature: await account.signMessage({ message: { raw: prepared.message as Hex } }),
        }),
      };
    },
    newCustodyKey() {
      const secretKey = secp256k1.utils.randomSecretKey();
      return {
        publicKey: secp256k1.getPublicKey(secretKey, false),
        async sign(digest) {
          const signature = secp256k1.sign(digest, secretKey, {
            prehash: false,
            format: 'recovered',
          });
          return Buffer.concat([signature.subarray(1), Buffer.from([signature[0]! + 27])]);
        },
      };
    },
    giveNative: async (address, amountMinor) =>
      void (await rpc.request('anvil_setBalance', [address, `0x${amountMinor.toString(16)}`])),
    settle: async () => undefined,
    async close() {
      rpc.close();
      await Promise.all([node.stop(), database.close()]);
    },
  };
}

describeChainFamily('evm, smart wallets', () => startHarness('smart'), familyParts);
describeChainFamily('evm, mpc wallets', () => startHarness('mpc'), mpcParts);
