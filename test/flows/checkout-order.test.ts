import { encodeFunctionData, erc20Abi, type Hex, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideRefundRequest } from '../../src/areas/orders/legs/refund/requests.ts';
import { readOwnSettings, writeOwnSettings } from '../../src/areas/orders/pricing/index.ts';
import {
  accountBalance,
  clearingBalances,
  onrampChain,
  orderRecord,
  readOrder,
  startOnrampStack,
  untilState,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { fundTreasury } from '../../src/areas/treasury/index.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import type { Stack } from '../harness/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const aRecipient = () => privateKeyToAccount(generatePrivateKey()).address;

/** An ordinary account, with native money for gas, and with tokens where said so. */
async function aPayer({
  tokens = '100',
  wei = 10n ** 18n,
}: {
  readonly tokens?: string;
  readonly wei?: bigint;
} = {}) {
  const account = privateKeyToAccount(generatePrivateKey());
  await stack.setNativeBalance(onrampChain, account.address, wei);
  if (tokens !== '0') await give(account.address, tokens);
  return account;
}

async function give(recipientAddress: string, tokens: string) {
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  const amountMinor = BigInt(tokens) * 10n ** BigInt(token.decimals);
  await family.funding!.fund({
    chain: onrampChain,
    token,
    amountMinor,
    recipientAddress,
    reference: `test:${generatePrivateKey()}`,
  });
}

function body(input: {
  readonly recipient?: object;
  readonly payerAddress?: string;
  readonly token?: string;
  readonly amount?: string;
}) {
  return {
    recipient: input.recipient ?? { walletAddress: aRecipient() },
    payment: {
      method: onrampChain,
      currency: 'usdxm',
      ...(input.payerAddress !== undefined && { payerAddress: input.payerAddress }),
    },
    lineItems: [
      {
        tokenLocator: `${onrampChain}:${input.token ?? 'usdc'}`,
        executionParameters: { mode: 'exact-in', amount: input.amount ?? '20' },
      },
    ],
  };
}

async function create(input: Parameters<typeof body>[0]) {
  const answer = await stack.call('POST', '/2022-06-09/orders', { body: body(input) });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return { id: answer.body.order.orderId as string, order: answer.body.order };
}

/** Signs and sends the transaction of the deposit instructions, as the payer's wallet would. */
async function pay(
  account: ReturnType<typeof privateKeyToAccount>,
  order: { payment: { preparation: { serializedTransaction: string } } },
) {
  const { serializedTransaction } = order.payment.preparation;
  const signed = await account.signTransaction(
    parseTransaction(serializedTransaction as Hex) as never,
  );
  return stack.chainCall<string>(onrampChain, 'eth_sendRawTransaction', [signed]);
}

/** What an address has of the token that pays. */
async function heldBy(address: string): Promise<bigint> {
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  return (await family.readBalances(address, [token]))[0]!.amountMinor;
}

const statusOf = async (id: string) => (await readOrder(stack, id)).payment.status;

test('tokens are bought with other tokens: instructions, deposit, delivery, and even books', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer();
  const walletAddress = aRecipient();
  const { id, order } = await create({ recipient: { walletAddress }, payerAddress: payer.address });
  expect(order).toMatchObject({
    phase: 'payment',
    payment: {
      status: 'awaiting-payment',
      method: onrampChain,
      currency: 'usdxm',
      preparation: {
        chain: onrampChain,
        payerAddress: payer.address,
        transactionParameters: { amount: '20000000', memo: expect.any(String) },
      },
    },
  });
  const txId = await pay(payer, order);
  const delivered = await untilState(stack, id, 'delivered');
  expect(delivered).toMatchObject({
    phase: 'completed',
    payment: {
      status: 'completed',
      received: { amount: '20', currency: 'usdxm', chain: onrampChain, txId },
    },
    lineItems: [
      {
        delivery: {
          status: 'completed',
          txId: expect.any(String),
          tokens: [expect.objectContaining({ symbol: 'usdc' })],
        },
      },
    ],
  });
  // With the checksum of its letters, as wallets show it.
  expect(delivered.lineItems[0].delivery.tokens[0].contractAddress).toMatch(/[A-F]/);
  expect(await clearingBalances(stack, id)).toEqual({});
  const { receive } = (await orderRecord(stack, id)).terms!;
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdc' });
  expect((await family.readBalances(walletAddress, [token]))[0]!.amountMinor).toBe(
    receive.amountMinor,
  );
});

test('to somebody known by e-mail goes into a wallet that is made for them', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer();
  const { id, order } = await create({
    recipient: { email: 'gift@example.com' },
    payerAddress: payer.address,
  });
  await pay(payer, order);
  await untilState(stack, id, 'delivered');
  const wallet = await stack.call('GET', '/2025-06-09/wallets/email:gift@example.com:evm:smart');
  expect((await orderRecord(stack, id)).facts.recipientAddress).toBe(wallet.body.address);
});

test('without a payer has requires-crypto-payer-address, and instructions once it has one', async () => {
  const { id, order } = await create({});
  expect(order).toMatchObject({
    phase: 'payment',
    payment: { status: 'requires-crypto-payer-address' },
  });
  const payer = await aPayer();
  const patched = await stack.call('PATCH', `/2022-06-09/orders/${id}`, {
    body: { payment: { method: onrampChain, currency: 'usdxm', payerAddress: payer.address } },
  });
  expect([patched.status, patched.text]).toEqual([200, expect.any(String)]);
  expect(patched.body.payment).toMatchObject({
    status: 'awaiting-payment',
    preparation: { payerAddress: payer.address },
  });
});

test('a payer with too little has crypto-payer-insufficient-funds until the balance has risen', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer({ tokens: '0' });
  const { id, order } = await create({ payerAddress: payer.address });
  expect(order.payment.status).toBe('crypto-payer-insufficient-funds');
  await give(payer.address, '50');
  await eventually('it may be paid', async () => (await statusOf(id)) === 'awaiting-payment');
});

test('a payer without gas has crypto-payer-insufficient-funds-for-gas until there is some', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer({ wei: 0n });
  const { id, order } = await create({ payerAddress: payer.address });
  expect(order.payment.status).toBe('crypto-payer-insufficient-funds-for-gas');
  await stack.setNativeBalance(onrampChain, payer.address, 10n ** 18n);
  await eventually('it may be paid', async () => (await statusOf(id)) === 'awaiting-payment');
});

test('without a recipient has requires-recipient; an item that is not offered says so', async () => {
  const payer = await aPayer();
  const { order } = await create({ recipient: {}, payerAddress: payer.address });
  expect(order).toMatchObject({
    phase: 'quote',
    quote: { status: 'requires-recipient' },
    payment: { status: 'requires-quote' },
  });
  const { body: created } = await stack.call('POST', '/2022-06-09/orders', {
    body: {
      ...body({}),
      lineItems: [
        {
          tokenLocator: `${onrampChain}:0x70997970C51812dc3A010C7d01b50e0d17dc79C8`,
          executionParameters: { mode: 'exact-in', amount: '5' },
        },
      ],
    },
  });
  expect(created.order).toMatchObject({
    phase: 'quote',
    quote: { status: 'all-line-items-unavailable' },
    lineItems: [
      {
        quote: {
          status: 'item-unavailable',
          unavailabilityReason: { code: expect.any(String), message: expect.any(String) },
        },
      },
    ],
  });
});

test('what the treasury cannot deliver goes back to the payer', { tags: 'slow' }, async () => {
  const payer = await aPayer();
  const treasuryBefore = await accountBalance(stack, 'suspense:held', 'usd');
  const { id, order } = await create({ payerAddress: payer.address, token: 'eth', amount: '50' });
  await pay(payer, order);
  const refunded = await untilState(stack, id, 'refunded');
  expect(refunded).toMatchObject({
    phase: 'completed',
    payment: {
      status: 'refunded',
      refunded: { amount: '50', currency: 'usdxm' },
      failureReason: { code: 'unknown', retryPolicy: 'new-order' },
    },
    lineItems: [{ delivery: { status: 'failed' } }],
  });
  expect(await clearingBalances(stack, id)).toEqual({});
  expect(await accountBalance(stack, 'suspense:held', 'usd')).toBe(treasuryBefore);
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  expect((await family.readBalances(payer.address, [token]))[0]!.amountMinor).toBe(100_000_000n);
});

test('that nobody pays expires; a PATCH makes a new quote of it, which can be paid', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer();
  const { id } = await create({ payerAddress: payer.address });
  await stack.advance(11 * 60_000);
  expect(await untilState(stack, id, 'quote_expired')).toMatchObject({
    phase: 'quote',
    quote: { status: 'expired' },
  });
  const items = await stack.call('PATCH', `/2022-06-09/orders/${id}`, { body: { lineItems: [] } });
  expect([items.status, items.body.code]).toEqual([409, 'order-not-editable']);
  const { payment } = body({ payerAddress: payer.address });
  const patched = await stack.call('PATCH', `/2022-06-09/orders/${id}`, { body: { payment } });
  expect([patched.status, patched.text]).toEqual([200, expect.any(String)]);
  expect(patched.body).toMatchObject({
    phase: 'payment',
    quote: { status: 'valid' },
    payment: { status: 'awaiting-payment' },
  });
  await pay(payer, patched.body);
  await untilState(stack, id, 'delivered');
  expect(await clearingBalances(stack, id)).toEqual({});
});

test('a delivered order that is paid back by agreement sends the deposit back to whoever made it, once', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer();
  const { id, order } = await create({ payerAddress: payer.address });
  await pay(payer, order);
  const { lineItems } = await untilState(stack, id, 'delivered');
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
  const refunded = await untilState(stack, id, 'refunded');
  expect(refunded).toMatchObject({
    phase: 'completed',
    payment: {
      status: 'refunded',
      refunded: { amount: '20', currency: 'usdxm', chain: onrampChain, txId: expect.any(String) },
    },
    lineItems: [{ delivery: { status: 'completed', txId: lineItems[0].delivery.txId } }],
  });
  expect((await stack.call('GET', `/unstable/orders/${id}/refunds`)).body).toMatchObject([
    { status: 'refund-request-completed' },
  ]);
  expect(await clearingBalances(stack, id)).toEqual({});
  expect(await heldBy(payer.address)).toBe(100_000_000n);
});

/** An order of several tokens, `exact-in` in what the payer pays for each. */
async function createMany(
  payerAddress: string,
  items: readonly { readonly token: string; readonly amount: string }[],
  recipient: object = { walletAddress: aRecipient() },
) {
  const lineItems = items.map(({ token, amount }) => ({
    tokenLocator: `${onrampChain}:${token}`,
    executionParameters: { mode: 'exact-in', amount },
  }));
  const answer = await stack.call('POST', '/2022-06-09/orders', {
    body: { ...body({ payerAddress, recipient }), lineItems },
  });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return { id: answer.body.order.orderId as string, order: answer.body.order };
}

const listed = async (query: string) =>
  (await stack.call('GET', `/2022-06-09/orders?${query}`)).body.data.map(
    ({ orderId }: { orderId: string }) => orderId,
  );

test('several line items are paid by one deposit and delivered each, and one of them can be paid back', async () => {
  const payer = await aPayer();
  const { id, order } = await createMany(payer.address, [
    { token: 'usdc', amount: '20' },
    { token: 'usdxm', amount: '10' },
  ]);
  expect(order.payment.preparation.transactionParameters.amount).toBe('30000000');
  expect(order.quote.totalPrice).toEqual({ amount: '30', currency: 'usdxm' });
  expect(
    order.lineItems.map((item: any) => [item.tokenLocator, item.quote.totalPrice.amount]),
  ).toEqual([
    [`${onrampChain}:usdc`, '20'],
    [`${onrampChain}:usdxm`, '10'],
  ]);
  await fundTreasury(stack.ctx, {
    projectId: stack.api.projectId,
    chain: onrampChain,
    token: 'usdxm',
    amount: '1000',
  });
  await pay(payer, order);
  const delivered = await untilState(stack, id, 'delivered');
  const txIds = delivered.lineItems.map(({ delivery }: any) => delivery.txId);
  // Both may go in one batch of the relay.
  expect(txIds).toEqual([expect.stringMatching(/^0x/), expect.stringMatching(/^0x/)]);
  expect(
    delivered.lineItems.map(({ delivery }: any) => [delivery.status, delivery.tokens[0].symbol]),
  ).toEqual([
    ['completed', 'usdc'],
    ['completed', 'usdxm'],
  ]);
  expect(await clearingBalances(stack, id)).toEqual({});
  const refunds = `/unstable/orders/${id}/refunds`;
  expect(
    (await stack.call('POST', refunds, { body: { lineItem: 2, reason: 'no such item' } })).status,
  ).toBe(400);
  for (const lineItem of [1, 0])
    expect(
      (await stack.call('POST', refunds, { body: { lineItem, reason: 'broken' } })).status,
    ).toBe(201);
  const decision = {
    projectId: stack.api.projectId,
    orderId: id,
    decision: 'accepted',
    note: 'agreed',
  } as const;
  const decide = (lineItem?: number) => decideRefundRequest(stack.ctx, { ...decision, lineItem });
  await expect(decide()).rejects.toThrow('name one with --item');
  await decide(1);
  await expect(decide(0)).rejects.toThrow('Another refund of the order is under way');
  expect(await untilState(stack, id, 'refunded')).toMatchObject({
    phase: 'completed',
    payment: { status: 'refunded', refunded: { amount: '10', currency: 'usdxm' } },
    lineItems: [
      { delivery: { status: 'completed', txId: txIds[0] } },
      { delivery: { status: 'completed', txId: txIds[1] } },
    ],
  });
  expect(await listed(`deliveryStatus=partial-delivery&orderId=${id}`)).toEqual([id]);
  // The other one, too: then nothing of the payment is left here.
  await decide();
  await eventually(
    'all is paid back',
    async () => (await readOrder(stack, id)).payment.refunded.amount === '30',
  );
  expect((await untilState(stack, id, 'refunded')).payment.status).toBe('refunded');
  expect(await listed(`deliveryStatus=delivered&paymentStatus=refunded&orderId=${id}`)).toEqual([
    id,
  ]);
  expect(await clearingBalances(stack, id)).toEqual({});
  expect(await heldBy(payer.address)).toBe(100_000_000n);
});

test('when one line item cannot be delivered, its price goes back, the others arrive, and the order is partial-delivery', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer();
  const walletAddress = aRecipient();
  // The treasury has none of the second token.
  const { id, order } = await createMany(
    payer.address,
    [
      { token: 'usdc', amount: '20' },
      { token: 'eth', amount: '10' },
    ],
    { walletAddress },
  );
  await pay(payer, order);
  const ended = await untilState(stack, id, 'refunded');
  expect(ended).toMatchObject({
    phase: 'completed',
    payment: {
      status: 'refunded',
      received: { amount: '30' },
      refunded: { amount: '10', currency: 'usdxm' },
      totalPaid: { amount: '30' },
    },
    lineItems: [
      { delivery: { status: 'completed', txId: expect.any(String) } },
      { delivery: { status: 'failed' } },
    ],
  });
  expect(ended.lineItems[1].delivery.tokens).toBeUndefined();
  expect(
    await listed(`deliveryStatus=partial-delivery&paymentStatus=refunded&orderId=${id}`),
  ).toEqual([id]);
  expect(await listed(`deliveryStatus=delivered,failed&orderId=${id}`)).toEqual([]);
  expect(await clearingBalances(stack, id)).toEqual({});
  expect(await heldBy(payer.address)).toBe(80_000_000n);
});

test('goods that somebody sends need a physical address: requires-physical-address until the recipient has one', {
  tags: 'slow',
}, async () => {
  const payer = await aPayer();
  const { projectId } = stack.api;
  const settings = await readOwnSettings(stack.ctx, projectId);
  await writeOwnSettings(stack.ctx, {
    projectId,
    settings: { ...settings, shippedTokens: ['usdc'] },
  });
  const walletAddress = aRecipient();
  const { id, order } = await create({ payerAddress: payer.address, recipient: { walletAddress } });
  expect(order).toMatchObject({
    phase: 'quote',
    quote: { status: 'requires-physical-address' },
    payment: { status: 'requires-quote' },
    lineItems: [{ quote: { status: 'requires-recipient' } }],
  });
  const physicalAddress = {
    name: 'Ada',
    line1: '1 Main St',
    city: 'Reno',
    stateOrRegion: 'NV',
    postalCode: '89501',
    country: 'US',
  };
  const patched = await stack.call('PATCH', `/2022-06-09/orders/${id}`, {
    body: { recipient: { walletAddress, physicalAddress } },
  });
  expect(patched.body).toMatchObject({
    phase: 'payment',
    quote: { status: 'valid' },
    payment: { status: 'awaiting-payment' },
    lineItems: [{ delivery: { recipient: { walletAddress, physicalAddress } } }],
  });
  await pay(payer, patched.body);
  await untilState(stack, id, 'delivered');
  expect((await stack.call('GET', `/unstable/orders/${id}/tracking`)).body).toEqual([]);
  await writeOwnSettings(stack.ctx, { projectId, settings });
});

test('of several line items none may be unavailable, and all are of one network', async () => {
  const refused = async (tokens: readonly string[]) => {
    const lineItems = tokens.map((tokenLocator) => ({
      tokenLocator,
      executionParameters: { mode: 'exact-in', amount: '10' },
    }));
    const answer = await stack.call('POST', '/2022-06-09/orders', {
      body: { ...body({}), lineItems },
    });
    return [answer.status, answer.body.code];
  };
  const unknown = `${onrampChain}:0x${'12'.repeat(20)}`;
  expect(await refused([`${onrampChain}:usdc`, unknown])).toEqual([400, 'token-not-supported']);
  expect(await refused([`${onrampChain}:usdc`, 'ethereum-sepolia:usdc'])).toEqual([
    400,
    'validation-error',
  ]);
});

test('a posted transaction that failed on its chain is told with its reason: too little money, or another one', {
  tags: 'slow',
}, async () => {
  const postTx = (id: string, txId: string) =>
    stack.call('POST', `/2022-06-09/orders/${id}/payment`, {
      body: { type: 'crypto-tx-id', txId },
    });
  const failureOf = (id: string, code: string) =>
    eventually(code, async () => {
      const { payment } = await readOrder(stack, id);
      return payment.failureReason?.code === code && payment;
    });
  const payer = await aPayer({ tokens: '20' });
  const { id, order } = await create({ payerAddress: payer.address });
  // The money goes elsewhere after the instructions were made; what they say then fails when it
  // runs.
  const instructions = parseTransaction(order.payment.preparation.serializedTransaction as Hex);
  const send = async (more: object, nonce: number) => {
    const signed = await payer.signTransaction({
      ...instructions,
      gas: 200_000n,
      nonce,
      ...more,
    } as never);
    return stack.chainCall<string>(onrampChain, 'eth_sendRawTransaction', [signed]);
  };
  const elsewhere = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [aRecipient(), 20_000_000n],
  });
  const first = instructions.nonce ?? 0;
  await send({ data: elsewhere }, first);
  const reverted = await send({}, first + 1);
  expect((await postTx(id, reverted)).status).toBe(200);
  expect(await failureOf(id, 'insufficient-funds')).toMatchObject({
    status: 'awaiting-payment',
    failureReason: { retryPolicy: 'retry' },
  });
  // It is nobody's now, and the order still takes a deposit that arrives.
  await give(payer.address, '20');
  expect(await heldBy(payer.address)).toBe(20_000_000n);
  const outOfGas = await send({ gas: 30_000n }, first + 2);
  expect((await postTx(id, outOfGas)).status).toBe(200);
  expect((await failureOf(id, 'unknown')).failureReason.retryPolicy).toBe('retry');
  const good = await send({}, first + 3);
  expect((await postTx(id, good)).status).toBe(200);
  expect((await untilState(stack, id, 'delivered')).payment).toMatchObject({
    status: 'completed',
    received: { txId: good },
  });
});

test('a posted transaction that is not the order’s is let go: the order that it pays may post it', {
  tags: 'slow',
}, async () => {
  const [payer, stranger] = [await aPayer(), await aPayer()];
  const [mine, theirs] = [
    await create({ payerAddress: payer.address }),
    await create({ payerAddress: stranger.address }),
  ];
  const postTx = (id: string, txId: string) =>
    stack.call('POST', `/2022-06-09/orders/${id}/payment`, {
      body: { type: 'crypto-tx-id', txId },
    });
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  const { txId } = await family.funding!.fund({
    chain: onrampChain,
    token,
    amountMinor: 1n,
    recipientAddress: payer.address,
    reference: `test:${generatePrivateKey()}`,
  });
  expect((await postTx(theirs.id, txId)).status).toBe(200);
  await eventually(
    'it is told',
    async () =>
      (await readOrder(stack, theirs.id)).payment.failureReason?.code === 'tx-id-not-found',
  );
  expect((await readOrder(stack, theirs.id)).payment.status).toBe('awaiting-payment');
  expect((await postTx(mine.id, txId)).status).toBe(200);
});
