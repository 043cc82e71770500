/** @module-tag slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Hex, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectLedgerBalanced } from '../../../../../test/harness/ledger.ts';
import { programArgs } from '../../../../../test/harness/programs.ts';
import type { Stack } from '../../../../../test/harness/stack.ts';
import type { Running } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { createWorker, type FlowDefinition } from '../../../../jobs/index.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import { chainEntrances } from '../../../chain-entrances.ts';
import { fundTreasury, selectTransfersOfSubject } from '../../../treasury/index.ts';
import { checkoutFlow, orderRefundFlow } from '../../index.ts';
import type { FlowsChildInput } from '../../testing/flows-child.ts';
import {
  accountBalance,
  clearingBalances,
  onrampChain,
  orderRecord,
  startOnrampStack,
  untilState,
} from '../../testing/onramp-kit.ts';
import { decideRefundRequest } from './requests.ts';
import { selectRefundsOfOrder } from './store.ts';

/** Relay and watchers run here; the flows run in processes that are killed. */

let stack: Stack;
let chains: readonly Running[] = [];
const children: ChildProcess[] = [];
beforeAll(async () => {
  stack = await startOnrampStack({ worker: false, treasury: '0' });
  const { ctx } = stack;
  chains = await Promise.all(
    ctx.chains.families.map((family) => family.run(chainEntrances(ctx, family))),
  );
  await fundTreasury(ctx, {
    projectId: stack.api.projectId,
    chain: onrampChain,
    token: 'usdc',
    amount: '1000',
  });
}, 120_000);
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  if (!stack) return;
  await Promise.all(chains.map((one) => one.stop()));
  await expectLedgerBalanced(stack.ctx.store);
  await stack.close();
});

const leaseMs = 1_000;
const paid = 20_000_000n;

/** Flows in this process, for what comes before and after the kills. */
function startFlows(): { stop(): Promise<void> } {
  const flows = [checkoutFlow, orderRefundFlow] as unknown as readonly FlowDefinition<
    JsonObject,
    Ctx
  >[];
  const worker = createWorker(stack.ctx, { flows, leaseMs, pollMs: 50 });
  worker.start();
  return worker;
}

/** Flows in a process that kills itself at one of its transactions. */
async function runUntilKilled(kill: FlowsChildInput['kill']): Promise<NodeJS.Signals | null> {
  const { config } = stack.ctx;
  const input: FlowsChildInput = {
    dataDir: stack.dataDir,
    databaseUrl: config.database.url.reveal(),
    rpcUrls: [...config.evm.rpcUrls],
    testTokenAddress: config.evm.testTokenAddress!,
    leaseMs,
    kill,
  };
  const args = [
    ...programArgs('src/areas/orders/testing/flows-child.ts'),
    'run',
    JSON.stringify(input),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

async function heldBy(address: string): Promise<bigint> {
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  return (await family.readBalances(address, [token]))[0]!.amountMinor;
}

/** An order of an ordinary account that has nothing left: its payment is with the chain. */
async function aPaid() {
  const payer = privateKeyToAccount(generatePrivateKey());
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  await stack.setNativeBalance(onrampChain, payer.address, 10n ** 18n);
  const reference = `test:${generatePrivateKey()}`;
  await family.funding!.fund({
    chain: onrampChain,
    token,
    amountMinor: paid,
    recipientAddress: payer.address,
    reference,
  });
  const answer = await stack.call('POST', '/2022-06-09/orders', {
    body: {
      recipient: { walletAddress: privateKeyToAccount(generatePrivateKey()).address },
      payment: { method: onrampChain, currency: 'usdxm', payerAddress: payer.address },
      lineItems: [
        {
          tokenLocator: `${onrampChain}:usdc`,
          executionParameters: { mode: 'exact-in', amount: '20' },
        },
      ],
    },
  });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { orderId, payment } = answer.body.order;
  const raw = await payer.signTransaction(
    parseTransaction(payment.preparation.serializedTransaction as Hex) as never,
  );
  await stack.chainCall(onrampChain, 'eth_sendRawTransaction', [raw]);
  return { id: orderId as string, payer: payer.address };
}

async function aDelivered() {
  const order = await aPaid();
  const worker = startFlows();
  await untilState(stack, order.id, 'delivered');
  await worker.stop();
  return order;
}

test('a refund request that was accepted is paid once, whenever the processes between it and its transfer are killed', async () => {
  const { id, payer } = await aDelivered();
  const asked = await stack.call('POST', `/unstable/orders/${id}/refunds`, {
    body: { lineItem: 0, reason: 'not needed any more' },
  });
  expect([asked.status, asked.text]).toEqual([201, expect.any(String)]);
  await decideRefundRequest(stack.ctx, {
    projectId: stack.api.projectId,
    orderId: id,
    decision: 'accepted',
    note: 'agreed',
  });
  expect(await heldBy(payer)).toBe(0n);
  // Each goes on where the one before was killed, once its lease is over: in the middle of a
  // transaction, or behind its commit.
  const kills = [1, 2, 1, 2].map((at, index) => ({ at, commits: index % 2 === 1 }));
  for (const kill of kills) {
    const transfers =
      (await selectRefundsOfOrder(stack.ctx.store, id))[0]?.status === 'sent' ||
      (await heldBy(payer)) > 0n;
    if (transfers) break;
    expect(await runUntilKilled(kill)).toBe('SIGKILL');
  }
  const worker = startFlows();
  await untilState(stack, id, 'refunded');
  await worker.stop();
  const refunds = await selectRefundsOfOrder(stack.ctx.store, id);
  expect(refunds).toMatchObject([{ status: 'final', transfers: 1, amountMinor: paid }]);
  expect(await selectTransfersOfSubject(stack.ctx.store, `refund:${refunds[0]!.id}`)).toHaveLength(
    1,
  );
  expect(await heldBy(payer)).toBe(paid);
  expect((await stack.call('GET', `/unstable/orders/${id}/refunds`)).body).toMatchObject([
    { status: 'refund-request-completed' },
  ]);
  expect((await orderRecord(stack, id)).attention).toBeUndefined();
  expect(await clearingBalances(stack, id)).toEqual({});
}, 120_000);

test('a delivery is booked when it is final and its order moved afterwards, each once, wherever the processes of the flow are killed', async () => {
  const { id } = await aPaid();
  const { amountMinor, asset } = (await orderRecord(stack, id)).terms!.receive;
  const treasury = () => accountBalance(stack, `chain:${onrampChain}:treasury`, asset);
  const before = await treasury();
  const transfers = async () =>
    (await selectTransfersOfSubject(stack.ctx.store, `order:${id}`)).map(({ status }) => status);
  for (let at = 1; (await transfers()).length === 0; at = (at % 3) + 1)
    expect(await runUntilKilled({ at, commits: at !== 2 })).toBe('SIGKILL');
  // Nobody runs flows: the chain's news alone books it.
  await eventually('it is final', async () => (await transfers()).join() === 'final');
  const booked = await orderRecord(stack, id);
  expect([booked.state, booked.facts.deliveredMinor, await treasury()]).toEqual([
    'delivering',
    amountMinor.toString(),
    before - amountMinor,
  ]);
  expect(await clearingBalances(stack, id)).toEqual({});
  for (const commits of [false, true]) {
    if ((await orderRecord(stack, id)).state !== 'delivering') break;
    expect(await runUntilKilled({ at: 1, commits })).toBe('SIGKILL');
  }
  const worker = startFlows();
  await untilState(stack, id, 'delivered');
  await worker.stop();
  expect([await transfers(), await treasury()]).toEqual([['final'], before - amountMinor]);
  expect((await orderRecord(stack, id)).attention).toBeUndefined();
  expect(await clearingBalances(stack, id)).toEqual({});
}, 120_000);
