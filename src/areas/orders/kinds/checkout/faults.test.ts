import { type Hex, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mineBlocks, readHeight, reorganise } from '../../../../../devnet/index.ts';
import { expectLedgerBalanced } from '../../../../../test/harness/ledger.ts';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { postEntries } from '../../../../ledger/index.ts';
import { sandboxAddresses } from '../../../../providers/screening/sandbox.ts';
import { findDeposit } from '../../../deposits/index.ts';
import { selectTransfersOfSubject, type TreasuryChange } from '../../../treasury/index.ts';
import { followTreasury } from '../../legs/chain-changes.ts';
import { releaseCover } from '../../legs/cover.ts';
import { sendDelivery } from '../../legs/delivery/delivery.ts';
import { leg } from '../../legs/ledger.ts';
import { selectRefundsOfOrder } from '../../legs/refund/store.ts';
import { resolveByClosing, resolveByContinuing, resolveByRefund } from '../../operator/operator.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import type { OrderEvent } from '../../state/machine.ts';
import { lockOrder } from '../../state/store.ts';
import {
  accountBalance,
  clearingBalances,
  onrampChain,
  orderRecord,
  startOnrampStack,
  untilState,
} from '../../testing/onramp-kit.ts';
import { writeOrder } from '../../testing/write-order-kit.ts';

let stack: Stack;
let url: string;
beforeAll(async () => {
  stack = await startOnrampStack();
  url = stack.devnet.urlOf(onrampChain);
}, 120_000);
afterAll(() => stack?.close());
afterEach(() => expectLedgerBalanced(stack.ctx.store));

const wanted = 50_000_000n;

async function heldBy(address: string, symbol = 'usdxm'): Promise<bigint> {
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol });
  return (await family.readBalances(address, [token]))[0]!.amountMinor;
}

/** An order, and the signed transaction that pays it. */
async function anOrder(token: string) {
  const payer = privateKeyToAccount(generatePrivateKey());
  const recipient = privateKeyToAccount(generatePrivateKey()).address;
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const usdxm = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  await stack.setNativeBalance(onrampChain, payer.address, 10n ** 18n);
  const reference = `test:${generatePrivateKey()}`;
  await family.funding!.fund({
    chain: onrampChain,
    token: usdxm,
    amountMinor: wanted,
    recipientAddress: payer.address,
    reference,
  });
  // What was set from outside is of no block: a reorganisation would take it.
  await mineBlocks(url, 2);
  const answer = await stack.call('POST', '/2022-06-09/orders', {
    body: {
      recipient: { walletAddress: recipient },
      payment: { method: onrampChain, currency: 'usdxm', payerAddress: payer.address },
      lineItems: [
        {
          tokenLocator: `${onrampChain}:${token}`,
          executionParameters: { mode: 'exact-in', amount: '50' },
        },
      ],
    },
  });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { orderId: id, payment } = answer.body.order;
  const raw = await payer.signTransaction(
    parseTransaction(payment.preparation.serializedTransaction as Hex) as never,
  );
  const send = () => stack.chainCall<string>(onrampChain, 'eth_sendRawTransaction', [raw]);
  return { id: id as string, payer: payer.address, recipient, send };
}

/** Replaces every block from the deposit's on. */
async function takeBack(depositId: string): Promise<void> {
  const deposit = (await findDeposit(stack.ctx.store, depositId))!;
  await reorganise(url, (await readHeight(url)) - Number(deposit.height) + 1);
  await eventually(
    'it is noticed',
    async () => (await findDeposit(stack.ctx.store, depositId))?.status === 'retracted',
  );
}

/** Where the relay has an operation. */
async function placeOf(operationId: string): Promise<string | undefined> {
  const { rows } = await stack.ctx.store.query<{ place: string }>({
    text: `select status || case when withheld then ' withheld' else '' end as place from evm_operations where operation_id = $1`,
    values: [operationId],
  });
  return rows[0]?.place;
}

test('a refund that is taken together with its deposit is not sent again, until the deposit is there again: then once', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { id, payer, send } = await anOrder('eth');
  await send();
  await untilState(stack, id, 'refunded');
  const [refund] = await selectRefundsOfOrder(stack.ctx.store, id);
  expect(await heldBy(payer)).toBe(wanted);
  await takeBack(refund!.depositId);
  expect((await orderRecord(stack, id)).attention).toContain(refund!.depositId);
  await eventually(
    'the relay has let go of it',
    async () => (await placeOf(refund!.transferId)) === 'held withheld',
  );
  // The payer has what was never (finally) paid, and nothing on top.
  expect(await heldBy(payer)).toBe(wanted);
  await send();
  await eventually(
    'it went back again',
    async () => (await selectRefundsOfOrder(stack.ctx.store, id))[0]?.status === 'final',
  );
  expect(await heldBy(payer)).toBe(wanted);
  expect(await selectRefundsOfOrder(stack.ctx.store, id)).toMatchObject([
    { transferId: refund!.transferId, transfers: 1 },
  ]);
  const { state, attention } = await orderRecord(stack, id);
  expect([state, attention]).toEqual(['refunded', undefined]);
  expect(await clearingBalances(stack, id)).toEqual({});
});

test('tokens that are taken together with their deposit are not delivered again, until the deposit is there again: then once', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { id, payer, recipient, send } = await anOrder('usdc');
  await send();
  await untilState(stack, id, 'delivered');
  const { facts } = await orderRecord(stack, id);
  const delivered = await heldBy(recipient, 'usdc');
  await takeBack(facts.depositId as string);
  expect((await orderRecord(stack, id)).attention).toBeDefined();
  await eventually(
    'the relay has let go of it',
    async () => (await placeOf(facts.deliveryTransferId!)) === 'held withheld',
  );
  expect([await heldBy(recipient, 'usdc'), await heldBy(payer)]).toEqual([0n, wanted]);
  await send();
  await eventually(
    'the tokens are there',
    async () => (await heldBy(recipient, 'usdc')) === delivered,
  );
  expect(await heldBy(payer)).toBe(0n);
});

/** Moves an order as only its flow, the sweep or an operator can. */
const force = (id: string, event: OrderEvent) =>
  stack.ctx.store.transaction(async (tx) => {
    const order = (await lockOrder(tx, { by: 'id', id }))!;
    await changeOrder(stack.ctx, tx, order, { event });
  });
const decided = (id: string) => ({
  projectId: stack.api.projectId,
  orderId: id,
  note: 'looked at',
});
const transfersOf = async (id: string) =>
  (await selectTransfersOfSubject(stack.ctx.store, `order:${id}`)).map(({ status }) => status);

test('an operator cannot refund while a delivery is under way; continuing looks for that one, and it arrives once', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { id, payer, recipient, send } = await anOrder('usdc');
  const delivery = async () => (await orderRecord(stack, id)).facts.deliveryTransferId!;
  await send();
  // The deposit is in a block; nothing that comes after it is, for now.
  await stack.chainCall(onrampChain, 'evm_setAutomine', [false]);
  try {
    await eventually(
      'the delivery is with the chain',
      async () => (await delivery()) && (await placeOf(await delivery())) === 'sent',
    );
    const first = await delivery();
    await force(id, 'attention-needed');
    await expect(resolveByRefund(stack.ctx, decided(id))).rejects.toMatchObject({
      code: 'conflict',
    });
    await resolveByContinuing(stack.ctx, decided(id));
    await eventually(
      'it is looked for again',
      async () => (await orderRecord(stack, id)).state === 'delivering',
    );
    expect(await delivery()).toBe(first);
  } finally {
    await stack.chainCall(onrampChain, 'evm_setAutomine', [true]);
    await mineBlocks(url, 1);
  }
  await untilState(stack, id, 'delivered');
  expect([await transfersOf(id), await selectRefundsOfOrder(stack.ctx.store, id)]).toEqual([
    ['final'],
    [],
  ]);
  const { receive } = (await orderRecord(stack, id)).terms!;
  expect([await heldBy(recipient, 'usdc'), await heldBy(payer)]).toEqual([receive.amountMinor, 0n]);
  expect(await clearingBalances(stack, id)).toEqual({});
});

test.each([
  ['closed by hand', resolveByClosing, 'closed'],
  ['continued', resolveByContinuing, 'delivered'],
] as const)(
  'what arrives of an order that waits for its operator is booked with the news, and once when it is %s',
  async (_, resolve, end) => {
    const { id, recipient, send } = await anOrder('usdc');
    const placed = async () => (await orderRecord(stack, id)).facts.deliveryTransferId;
    const { terms } = await orderRecord(stack, id);
    const { asset, amountMinor } = terms!.receive;
    const treasury = () => accountBalance(stack, `chain:${onrampChain}:treasury`, asset);
    const before = await treasury();
    await send();
    await stack.chainCall(onrampChain, 'evm_setAutomine', [false]);
    try {
      await eventually(
        'the delivery is with the chain',
        async () => (await placed()) && (await placeOf((await placed())!)) === 'sent',
      );
      await force(id, 'attention-needed');
      await expect(resolveByClosing(stack.ctx, decided(id))).rejects.toMatchObject({
        code: 'conflict',
      });
    } finally {
      await stack.chainCall(onrampChain, 'evm_setAutomine', [true]);
      await mineBlocks(url, 1);
    }
    await eventually(
      'the tokens are there',
      async () => (await transfersOf(id)).join() === 'final',
    );
    const { state, facts } = await orderRecord(stack, id);
    expect([state, facts.deliveredMinor, await treasury()]).toEqual([
      'needs_operator',
      amountMinor.toString(),
      before - amountMinor,
    ]);
    expect(await clearingBalances(stack, id)).toEqual({});
    await expect(resolveByRefund(stack.ctx, decided(id))).rejects.toMatchObject({
      code: 'conflict',
    });
    await resolve(stack.ctx, decided(id));
    await untilState(stack, id, end);
    expect([await heldBy(recipient, 'usdc'), await treasury()]).toEqual([
      amountMinor,
      before - amountMinor,
    ]);
    expect(await clearingBalances(stack, id)).toEqual({});
    // The network breaks its own rule: the relay sends the same transfer again, and it is booked
    // once.
    const [transfer] = await selectTransfersOfSubject(stack.ctx.store, `order:${id}`);
    const told = (change: TreasuryChange['change'], at: number) =>
      stack.ctx.store.transaction((tx) => {
        const { projectId, subject } = transfer!;
        return followTreasury(stack.ctx, tx, [
          { transferId: transfer!.id, projectId, subject, change, at: new Date(at) },
        ]);
      });
    await told('reverted-to-pending', Date.now());
    expect((await orderRecord(stack, id)).attention).toContain('took it back');
    await told('final', Date.now() + 1_000);
    expect(await treasury()).toBe(before - amountMinor);
  },
  60_000,
);

test('an operator who refunds what was not sent yet has it refunded and not delivered: who was about to send it finds that out', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { id, payer, recipient, send } = await anOrder('usdc');
  // The list of sanctions is out of reach for this recipient: the delivery is tried again and
  // again.
  const address = JSON.stringify(sandboxAddresses.unavailable);
  await writeOrder(
    stack.ctx.store,
    `update orders set request = jsonb_set(request, '{recipient,walletAddress}', $2) where id = $1`,
    id,
    address,
  );
  await send();
  await eventually(
    'it is about to be sent',
    async () => (await orderRecord(stack, id)).state === 'delivering',
  );
  const before = await orderRecord(stack, id);
  await force(id, 'attention-needed');
  await resolveByRefund(stack.ctx, decided(id));
  await sendDelivery(stack.ctx, {
    ...before,
    request: { ...before.request, recipient: { walletAddress: recipient } },
  });
  await untilState(stack, id, 'refunded');
  expect(await transfersOf(id)).toEqual([]);
  expect([await heldBy(recipient, 'usdc'), await heldBy(payer)]).toEqual([0n, wanted]);
  expect(await clearingBalances(stack, id)).toEqual({});
  // Should it arrive all the same, somebody is told.
  const { projectId, facts } = await orderRecord(stack, id);
  const news = {
    transferId: facts.deliveryTransferId!,
    projectId,
    subject: `order:${id}`,
    change: 'final' as const,
    at: new Date(),
  };
  await stack.ctx.store.transaction((tx) => followTreasury(stack.ctx, tx, [news]));
  expect((await orderRecord(stack, id)).attention).toContain(
    `${news.transferId} has arrived after all`,
  );
});

test('a delivery that was given up and replaced, and arrives against the rule of its network, is told to the operator', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { id, recipient, send } = await anOrder('usdc');
  const placed = async () => (await orderRecord(stack, id)).facts.deliveryTransferId;
  await send();
  await stack.chainCall(onrampChain, 'evm_setAutomine', [false]);
  let first: string | undefined;
  try {
    await eventually(
      'the delivery is with the chain',
      async () => (await placed()) && (await placeOf((await placed())!)) === 'sent',
    );
    first = await placed();
    // As after its failure in a final block.
    await stack.ctx.store.transaction(async (tx) => {
      const order = (await lockOrder(tx, { by: 'id', id }))!;
      await releaseCover(stack.ctx, tx, order, first!);
      const facts = { deliveryTransferId: stack.ctx.ids.uuid(), deliveryRetried: true };
      await noteOrder(stack.ctx, tx, order, { event: 'delivery-retried', facts });
    });
  } finally {
    await stack.chainCall(onrampChain, 'evm_setAutomine', [true]);
    await mineBlocks(url, 1);
  }
  await untilState(stack, id, 'delivered');
  const { receive } = (await orderRecord(stack, id)).terms!;
  expect(await heldBy(recipient, 'usdc')).toBe(2n * receive.amountMinor);
  await eventually('somebody is told', async () =>
    (await orderRecord(stack, id)).attention?.includes(first!),
  );
  expect((await orderRecord(stack, id)).attention).toContain('was given up');
});

test('books that have something else in the place of a delivery stop its order, and not the watching of its chain', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { id, send } = await anOrder('usdc');
  const { terms, projectId, createdAt } = await orderRecord(stack, id);
  await stack.ctx.store.transaction((tx) =>
    postEntries(stack.ctx, tx, [
      {
        projectId,
        orderId: id,
        reference: `order-delivery:${id}`,
        kind: 'delivered',
        effectiveAt: createdAt,
        postings: leg('equity:opening', 'suspense:held', {
          asset: terms!.pay.asset,
          amountMinor: 1n,
        }),
      },
    ]),
  );
  const next = await anOrder('usdc');
  await send();
  await eventually('somebody is told', async () =>
    (await orderRecord(stack, id)).attention?.includes('something else in its place'),
  );
  expect(await transfersOf(id)).toEqual(['final']);
  await next.send();
  await untilState(stack, next.id, 'delivered');
});
