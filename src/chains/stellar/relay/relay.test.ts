/** @module-tag slow */

import { Keypair, Operation, xdr } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Authorization,
  deployAndCallEncoded,
  invocationOf,
  transfer,
} from '../../../../contracts/stellar/index.ts';
import { createJsonRpc, type RpcParams } from '../../../lib/net/json-rpc.ts';
import type { FamilyWallet, PreparedOperation } from '../../family.ts';
import { lateSent } from '../../testing/late-sent.ts';
import { invokeOperation } from '../operation/simulate.ts';
import { messageOf, readOperation } from '../operation/stored.ts';
import { readTransaction } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { completeEntry } from '../signing/approvals.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import { ed25519Signer } from '../testing/smart.ts';
import { openWorld, type World } from '../testing/world.ts';
import { recordChannels } from './channels.ts';
import { createStellarNetwork } from './network.ts';
import { readApproved, readTransactionBytes } from './transaction.ts';

const owner = ed25519Signer();
let world: World;
let node: LyingNode;
let lying: StellarConnection;
let wallet: FamilyWallet;

beforeAll(async () => {
  world = await openWorld({ channels: 2 });
  node = await startLyingNode(world.chain.node.url);
  lying = {
    network: world.network,
    rpc: createJsonRpc<RpcParams>({ url: node.url, timeoutMs: 5_000, readMethods: /^get/ }),
  };
  wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 1_000n });
});
afterAll(async () => {
  lying?.rpc.close();
  node?.close();
  await world?.close();
});
beforeEach(() => node.tellTruth());

const aTransfer = async (amount = 1n, of = wallet) => {
  const to = world.freshAddress();
  const prepared = await world.prepareTransfer(of, owner, { amount, to });
  return { to, prepared, id: await world.submit(of, prepared, [owner]) };
};
const rowOf = async (id: string) => {
  const { rows } = await world.database.store.query<{
    operation: never;
    raw: Buffer | null;
    tx_id: string;
    status: string;
  }>({
    text: 'select operation, raw, tx_id, status from operation_intents where operation_id = $1',
    values: [id],
  });
  return rows[0]!;
};
const transferOf = (to: string, amount: bigint) =>
  transfer(world.chain.token, { from: wallet.address, to, amount });
/** What the owner signs himself, with the nonce of an operation. */
function entryFor(prepared: PreparedOperation, authorization: Authorization) {
  const operation = { ...readOperation(prepared.operation), authorization };
  return completeEntry(operation, [owner.approve({ message: messageOf(authorization) })]);
}
/** The call that an entry allows, by somebody else. */
const callOf = (entry: ReturnType<typeof entryFor>) => {
  const { function: called } = entry.rootInvocation;
  if (called.type !== 'sorobanAuthorizedFunctionTypeContractFn')
    throw new TypeError('It is no call.');
  return Operation.invokeHostFunction({
    func: xdr.HostFunction.hostFunctionTypeInvokeContract(called.contractFn),
    auth: [entry],
  });
};
/** A node to which something else comes before the first transaction that it is sent. */
function overtaken(first: () => Promise<unknown>): { connect: () => Promise<StellarConnection> } {
  let before: Promise<unknown> | undefined;
  const { rpc } = world.connection;
  const request: typeof rpc.request = async (method, params) => {
    if (method === 'sendTransaction') await (before ??= first());
    return rpc.request(method, params);
  };
  return { connect: async () => ({ network: world.network, rpc: { ...rpc, request } }) };
}
const withLies = { connect: async () => lying };

describe('the relay of Stellar', () => {
  it('sends the same bytes until their last ledger has passed, and only then others', async () => {
    const sent: string[] = [];
    node.lie('sendTransaction', (result, params) => {
      sent.push(params['transaction'] as string);
      return result;
    });
    const { id, to } = await aTransfer();
    // Nothing that is sent arrives.
    const dropping = await startLyingNode('http://127.0.0.1:9');
    const droppingRpc = createJsonRpc<RpcParams>({
      url: dropping.url,
      timeoutMs: 500,
      readMethods: /^get/,
    });
    const half: StellarConnection = {
      network: world.network,
      rpc: {
        ...lying.rpc,
        request: (method, params) => {
          if (method === 'sendTransaction')
            sent.push((params as { transaction: string }).transaction);
          return (method === 'sendTransaction' ? droppingRpc : world.connection.rpc).request(
            method,
            params,
          );
        },
      },
    };
    const settings = { inFlightMax: 20, resendAfterMs: 200, leaseMs: 5_000 };
    const first = await world.start({ connect: async () => half, settings });
    await world.until(() => sent.length >= 3, 'three sendings');
    await first.stop();
    expect(new Set(sent).size).toBe(1);
    await world.chain.node.advanceTime(5 * 20);
    const second = await world.start({ ...withLies, settings });
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
    await second.stop();
    expect(new Set(sent).size).toBe(2);
    expect(await world.balance(to)).toBe(1n);
    droppingRpc.close();
    dropping.close();
  });

  it('whose node forgets a transaction that ran looks for the mark that it left, and moves nothing a second time', async () => {
    const { id, to } = await aTransfer(5n);
    node.lie('getTransaction', (result) => ({
      ...result,
      status: 'NOT_FOUND',
      latestLedger: 4_000_000,
    }));
    const relay = await world.start(withLies);
    const outcome = await world.outcomeOf(id);
    await relay.stop();
    expect(outcome).toMatchObject({
      status: 'success',
      onChain: { txId: (await rowOf(id)).tx_id },
    });
    expect(await world.balance(to)).toBe(5n);
  });

  it('tells nothing as done because its nonce is used: the owner signed something else with it, and sent that first', async () => {
    const { id, to, prepared } = await aTransfer(5n);
    const other = world.freshAddress();
    const { authorization } = readOperation(prepared.operation);
    const instead = { ...authorization, invocation: invocationOf(transferOf(other, 1n)) };
    const relay = await world.start(
      overtaken(() => world.chain.run(callOf(entryFor(prepared, instead)))),
    );
    const outcome = await world.outcomeOf(id);
    await relay.stop();
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('something else with the nonce') },
    });
    expect([await world.balance(to), await world.balance(other)]).toEqual([0n, 1n]);
  });

  it('tells which transaction ran where somebody who saw the entry sent it himself', async () => {
    const { id, to, prepared } = await aTransfer(5n);
    const entry = entryFor(prepared, readOperation(prepared.operation).authorization);
    const relay = await world.start(overtaken(() => world.chain.run(callOf(entry))));
    const outcome = await world.outcomeOf(id);
    await relay.stop();
    expect(outcome.status).toBe('success');
    const txId = outcome.onChain['txId'] as string;
    expect(txId).not.toBe((await rowOf(id)).tx_id);
    expect(await readTransaction(world.connection, txId)).toMatchObject({ status: 'SUCCESS' });
    expect(await world.balance(to)).toBe(5n);
  });

  it('tells what ran before it was sent at all as done', async () => {
    const { id, to, prepared } = await aTransfer(5n);
    await world.chain.run(
      callOf(entryFor(prepared, readOperation(prepared.operation).authorization)),
    );
    const relay = await world.start();
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'success',
      onChain: { txId: expect.any(String) },
    });
    await relay.stop();
    expect(await world.balance(to)).toBe(5n);
  });

  it('tells what the service approved itself as failed once nobody can have it run any more', async () => {
    const key = ed25519Signer('api-key');
    const poor = await world.aWallet({ adminSigner: key.signer }, { tokens: 5n });
    const to = world.freshAddress();
    const prepared = [
      await world.prepareTransfer(poor, key, { amount: 5n, to }),
      await world.prepareTransfer(poor, key, { amount: 5n, to }),
    ];
    const ids = await Promise.all(prepared.map((one) => world.submit(poor, one, [key])));
    const relay = await world.start(withLies);
    await world.until(
      () => world.outcomes.some(({ operationId }) => ids.includes(operationId)),
      'the first',
    );
    const tries = node.count('simulateTransaction');
    await world.until(
      () => node.count('simulateTransaction') > tries + 3,
      'more tries than others have',
    );
    const told = () => world.outcomes.filter(({ operationId }) => ids.includes(operationId));
    expect(told().map(({ status }) => status)).toEqual(['success']);
    await world.chain.node.advanceTime(1_000);
    await world.until(() => told().length === 2, 'the second');
    expect(told()[1]).toMatchObject({ status: 'failed' });
    await relay.stop();
  });

  it('gives the accounts back of what failed in a ledger, while it waits to tell it', async () => {
    const key = ed25519Signer('api-key');
    const [failing, drains]: [string[], (() => Promise<unknown>)[]] = [[], []];
    // As many as there are accounts that send; their wallets are empty when they arrive.
    for (const _ of world.channels) {
      const poor = await world.aWallet({ adminSigner: key.signer }, { tokens: 5n });
      const prepared = await world.prepareTransfer(poor, key, {
        amount: 5n,
        to: world.freshAddress(),
      });
      const operation = readOperation(prepared.operation);
      const { authorization, call, deployment } = operation;
      const instead = { ...authorization, nonce: authorization.nonce + 1_000n };
      const entry = completeEntry({ ...operation, authorization: instead }, [
        key.approve({ message: messageOf(instead) }),
      ]);
      const { factory, setup } = deployment!;
      drains.push(() =>
        world.chain.run(invokeOperation(deployAndCallEncoded(factory, setup, call), [entry])),
      );
      failing.push(await world.submit(poor, prepared, [key]));
    }
    const drainAll = async () => {
      await world.until(
        async () =>
          (await Promise.all(failing.map(rowOf))).every(({ tx_id: txId }) => txId !== null),
        'transactions',
      );
      for (const drain of drains) await drain();
    };
    const relay = await world.start(overtaken(drainAll));
    for (const id of failing) {
      const isFailed = async () => {
        const { tx_id: txId } = await rowOf(id);
        return txId !== null && (await readTransaction(world.connection, txId)).status === 'FAILED';
      };
      await world.until(isFailed, 'a failure');
    }
    const { id, to } = await aTransfer();
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
    expect(await world.balance(to)).toBe(1n);
    const told = () => world.outcomes.filter(({ operationId }) => failing.includes(operationId));
    expect(told()).toEqual([]);
    await world.chain.node.advanceTime(1_000);
    await world.until(() => told().length === failing.length, 'the failures');
    expect(told().map(({ status }) => status)).toEqual(failing.map(() => 'failed'));
    await relay.stop();
  });

  it('tells what a node refuses after it has said so several times, and pays nothing', async () => {
    const poor = await world.aWallet({ adminSigner: owner.signer }, { tokens: 5n });
    const [first, second] = [await aTransfer(5n, poor), await aTransfer(5n, poor)];
    const relay = await world.start(withLies);
    const outcomes = [await world.outcomeOf(first.id), await world.outcomeOf(second.id)];
    await relay.stop();
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['failed', 'success']);
    const failed = outcomes.find(({ status }) => status === 'failed')!;
    expect(failed).toMatchObject({
      costMinor: expect.any(BigInt),
      error: { message: expect.stringMatching(/error 10|refused/) },
    });
  });

  it('pays no more than was estimated, whatever a node names', async () => {
    const { id, to } = await aTransfer();
    node.lie('getFeeStats', (result) => ({
      ...result,
      sorobanInclusionFee: { p50: '900000000000', p90: '900000000000' },
    }));
    const relay = await world.start(withLies);
    const { costMinor } = await world.outcomeOf(id);
    await relay.stop();
    expect(costMinor).toBeLessThanOrEqual(20_000_000n);
    expect(await world.balance(to)).toBe(1n);
    const row = await rowOf(id);
    expect(readTransactionBytes(row.raw!, world.network.passphrase).maxFee).toBeLessThanOrEqual(
      readApproved(row.operation).operation.costMax,
    );
    node.lie('simulateTransaction', (result) => ({
      ...result,
      transactionData: undefined,
      error: 'HostError: no',
    }));
    await expect(world.prepareTransfer(wallet, owner, { amount: 1n, to })).resolves.toBeDefined();
  });

  it('takes no bytes for an operation that are not its own', async () => {
    const { db, network, connect, channels } = {
      db: world.database.store,
      network: world.network,
      connect: world.connect,
      channels: world.channels,
    };
    await recordChannels(
      db,
      network.name,
      channels.map(({ address }) => address),
    );
    const late = createStellarNetwork({ db, network, connect, channels });
    const [one, other] = [await aTransfer(), await aTransfer()];
    const [oneRow, otherRow] = [await rowOf(one.id), await rowOf(other.id)];
    const built = await late.build(oneRow.operation, { ...lateSent, operationId: one.id });
    if (built === 'later' || !('bytes' in built)) throw new Error('not built');
    const { raw, txId } = await late.complete(
      oneRow.operation,
      built.bytes,
      new Uint8Array(),
      lateSent,
    );
    expect(late.identify(oneRow.operation, raw)).toBe(txId);
    expect(() => late.identify(otherRow.operation, raw)).toThrow('something else');
    await expect(
      late.complete(otherRow.operation, built.bytes, new Uint8Array(), lateSent),
    ).rejects.toThrow('something else');
    expect(() => late.identify(oneRow.operation, raw.slice(0, -10))).toThrow();
    const stranger = createStellarNetwork({ db, network, connect, channels: [] });
    await expect(
      stranger.complete(oneRow.operation, built.bytes, new Uint8Array(), lateSent),
    ).rejects.toThrow('No key of');
    expect(await stranger.build(otherRow.operation, { ...lateSent, operationId: other.id })).toBe(
      'later',
    );
    const relay = await world.start();
    for (const { id } of [one, other]) expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
  });

  it('whose accounts do not exist yet keeps operations waiting for them', async () => {
    const key = Keypair.random();
    const channel = {
      address: key.publicKey(),
      sign: (transaction: Parameters<(typeof world.channels)[0]['sign']>[0]) =>
        transaction.sign(key),
    };
    const { id } = await aTransfer();
    const relay = await world.start({ channels: [channel] });
    await world.until(async () => (await rowOf(id)).status === 'queued', 'a turn');
    await world.chain.friendbot(channel.address);
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
    await relay.stop();
  });
});
