/** @module-tag slow */

import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { expect } from 'vitest';
import { startSolanaChain } from '../../../../devnet/solana/index.ts';
import { mintAccount } from '../../../../devnet/solana/mint-account.ts';
import { describeKilledWorkers } from '../../testing/kills/describe-kills.ts';
import { solanaNetwork } from '../config/networks.ts';
import { nonceBytes, readNonceAccount } from '../operation/layout.ts';
import { readAccounts } from '../operation/node.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { readRent } from '../rpc/calls.ts';
import { createSolanaRpc } from '../rpc/rpc.ts';
import { newAddress } from '../testing/world.ts';

const sol = 1_000_000_000n;
const submit = /sendTransaction$/;

function newKeypair(): Uint8Array {
  const seed = new Uint8Array(randomBytes(32));
  return new Uint8Array([...seed, ...ed25519.getPublicKey(seed)]);
}

const addressOf = (keypair: Uint8Array) => bs58.encode(keypair.subarray(32));
const hexOf = (keypair: Uint8Array) => Buffer.from(keypair).toString('hex');

describeKilledWorkers(async () => {
  const chain = await startSolanaChain({ slotMs: 50 });
  const [treasury, ...feePayers] = [newKeypair(), newKeypair(), newKeypair()];
  const give = (keypair: Uint8Array, lamports: bigint) =>
    chain.setAccount(addressOf(keypair), {
      lamports,
      owner: programs.system,
      data: new Uint8Array(),
    });
  await give(treasury!, 1_000n * sol);
  for (const one of feePayers) await give(one, sol);
  const mint = newAddress();
  await chain.setAccount(mint, mintAccount({ authority: addressOf(treasury!), decimals: 6 }));
  return {
    url: chain.url,
    family: 'solana',
    feePayers: feePayers.map(hexOf),
    feePayerAddresses: feePayers.map(addressOf),
    treasury: hexOf(treasury!),
    testToken: mint,
    wallet: newAddress(),
    feePayerMinor: sol,
    balanceMinMinor: String(2n * sol),
    // Of some dozens of nonces.
    feesMaxMinor: sol / 10n,
    kills: [
      { what: 'the first is not sent', call: submit, count: 1, when: 'before' },
      { what: 'the first is sent, and nobody knows', call: submit, count: 1, when: 'after' },
      { what: 'the second is sent, and nobody knows', call: submit, count: 2, when: 'after' },
      { what: 'a block is read', call: /getBlock$/, count: 3, when: 'after' },
    ],
    /** Nonces are there, their fee payers', and each is paid for once. */
    async check(database) {
      const { rows } = await database.store.query<{ address: string; payer: string }>({
        text: `select address, fee_payer as payer from solana_nonces where status = 'free'`,
      });
      expect(rows.length).toBeGreaterThanOrEqual(12);
      const rpc = createSolanaRpc({ url: chain.url, timeoutMs: 10_000 });
      const connection = { rpc, network: solanaNetwork('development') };
      const found = await readAccounts(
        connection,
        rows.map(({ address }) => address),
      );
      expect(new Set(found.map((account) => account?.lamports))).toEqual(
        new Set([await readRent(connection, nonceBytes)]),
      );
      expect(found.map((account) => readNonceAccount(account)?.authority)).toEqual(
        rows.map(({ payer }) => payer),
      );
      rpc.close();
    },
    stop: () => chain.stop(),
  };
});
