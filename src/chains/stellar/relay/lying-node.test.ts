/** @module-tag slow */

import { setTimeout as delay } from 'node:timers/promises';
import { Account, Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJsonRpc, type RpcParams } from '../../../lib/net/json-rpc.ts';
import type { FamilyWallet } from '../../family.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import { ed25519Signer } from '../testing/smart.ts';
import { openWorld, type World } from '../testing/world.ts';

const owner = ed25519Signer();
type Answer = Record<string, unknown>;
let world: World;
let node: LyingNode;
let lying: StellarConnection;
let wallet: FamilyWallet;
/** A success that the chain has, of another transfer. */
let success: Answer;
/** What the node was sent and did not pass on. */
let swallowed: string[] = [];

beforeAll(async () => {
  world = await openWorld({ channels: 2 });
  node = await startLyingNode(world.chain.node.url);
  lying = {
    network: world.network,
    rpc: createJsonRpc<RpcParams>({ url: node.url, timeoutMs: 5_000, readMethods: /^get/ }),
  };
  wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 1_000n });
  node.lie('getTransaction', (result) => {
    if (result['status'] === 'SUCCESS') success = result;
    return result;
  });
  const relay = await world.start({ connect: async () => lying });
  // The first one makes the wallet, and costs more than those that come.
  for (let nr = 0; nr < 2; nr++) {
    const { id } = await aTransfer();
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
  }
  await relay.stop();
});
afterAll(async () => {
  lying?.rpc.close();
  node?.close();
  await world?.close();
});
beforeEach(() => {
  node.tellTruth();
  swallowed = [];
});

async function aTransfer() {
  const to = world.freshAddress();
  const prepared = await world.prepareTransfer(wallet, owner, { amount: 7n, to });
  return { to, id: await world.submit(wallet, prepared, [owner]) };
}

/** What a node says that takes a transaction. */
const taken = {
  status: 'PENDING',
  hash: '00'.repeat(32),
  latestLedger: 5,
  latestLedgerCloseTime: '1',
};

const settings = { inFlightMax: 20, resendAfterMs: 200, leaseMs: 5_000 };
const told = (id: string) => world.outcomes.filter(({ operationId }) => operationId === id);

describe('a node that lies', () => {
  const lies: [string, (ledger: number) => Answer][] = [
    ['the success of another transaction', () => success],
    ['the failure of another transaction', () => ({ ...success, status: 'FAILED' })],
    [
      'a success of these very bytes that no ledger has',
      (ledger) => ({ ...success, envelopeXdr: swallowed.at(-1), ledger }),
    ],
    [
      'a failure of these very bytes that no ledger has',
      (ledger) => ({ ...success, status: 'FAILED', envelopeXdr: swallowed.at(-1), ledger }),
    ],
  ];
  it.each(lies)(
    'and tells %s is not believed: nothing is told before it is there, and it happens once',
    async (_, lie) => {
      const { id, to } = await aTransfer();
      node.lie('sendTransaction', { answer: taken });
      const relay = await world.start({ connect: async () => keeping, settings });
      await world.until(() => swallowed.length > 0, 'a transaction that was sent');
      node.lie('getTransaction', (result) => lie(Number(result['latestLedger'])));
      const looks = node.count('getTransaction');
      await world.until(() => node.count('getTransaction') > looks + 5, 'some looks');
      await delay(200);
      expect(told(id)).toEqual([]);
      expect(await world.balance(to)).toBe(0n);
      node.tellTruth();
      expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
      expect(told(id)).toHaveLength(1);
      expect(await world.balance(to)).toBe(7n);
      await relay.stop();
    },
  );

  it('and tells a payment that has happened as failed is not believed: the list of the ledger has it', async () => {
    const payer = world.aKeyWallet();
    await world.chain.friendbot(payer.address);
    const friend = Keypair.random().publicKey();
    await world.chain.friendbot(friend);
    const before = await world.balance(friend, world.native);
    const builder = new TransactionBuilder(new Account(payer.address, '7'), {
      fee: '100',
      networkPassphrase: world.network.passphrase,
    }).addOperation(Operation.payment({ destination: friend, asset: Asset.native(), amount: '1' }));
    const serializedTransaction = builder.setTimeout(60).build().toXdr();
    const params = { transaction: { type: 'serialized-transaction', serializedTransaction } };
    const prepared = await world.prepare(payer, params, { signer: payer.adminSigner });
    node.lie('getTransaction', (result) =>
      result['status'] === 'SUCCESS' ? { ...result, status: 'FAILED' } : result,
    );
    const relay = await world.start({ connect: async () => lying, settings });
    const id = await world.submit(payer, prepared, []);
    const paid = async () => (await world.balance(friend, world.native)) > before;
    await world.until(paid, 'the payment');
    const looks = node.count('getTransactions');
    await world.until(() => node.count('getTransactions') > looks + 1, 'looks into the list');
    expect(told(id)).toEqual([]);
    node.tellTruth();
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
    expect((await world.balance(friend, world.native)) - before).toBe(10_000_000n);
    await relay.stop();
  });
});

/** As `lying`, and what is sent is noted. */
const keeping: StellarConnection = {
  get network() {
    return lying.network;
  },
  get rpc() {
    return {
      ...lying.rpc,
      request: ((method, params) => {
        if (method === 'sendTransaction')
          swallowed.push((params as { transaction: string }).transaction);
        return lying.rpc.request(method, params);
      }) as typeof lying.rpc.request,
    };
  },
};
