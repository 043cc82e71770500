import { type Hex, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accountBalance,
  clearingBalances,
  onrampChain,
  orderRecord,
  readOrder,
  startOnrampStack,
  untilState,
} from '../../src/areas/orders/onramp-kit.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import type { Stack } from '../harness/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const aRecipient = () => privateKeyToAccount(generatePrivateKey()).address;

/** An ordinary account, with native money for gas, and with tokens where said so. */
async function aPayer({ tokens = '100', wei = 10n ** 18n }: { readonly tokens?: string; readonly wei?: bigint } = {}) {
  const account = privateKeyToAccount(generatePrivateKey());
  await stack.setNativeBalance(onrampChain, account.address, wei);
  if (tokens !== '0') await give(account.address, tokens);
  return account;
}

async function give(recipientAddress: string, tokens: string) {
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  const amountMinor = BigInt(tokens) * 10n ** BigInt(token.decimals);
  await family.fund({ chain: onrampChain, token, amountMinor, recipientAddress, reference: `test:${generatePrivateKey()}` });
}

function body(input: { readonly recipient?: object; readonly payerAddress?: string; readonly token?: string; readonly amount?: string }) {
  return {
    recipient: input.recipient ?? { walletAddress: aRecipient() },
    payment: { method: onrampChain, currency: 'usdxm', ...(input.payerAddress !== undefined && { payerAddress: input.payerAddress }) },
    lineItems: [
      { tokenLocator: `${onrampChain}:${input.token ?? 'usdc'}`, executionParameters: { mode: 'exact-in', amount: input.amount ?? '20' } },
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
  const signed = await account.signTransaction(parseTransaction(serializedTransaction as Hex) as never);
  return stack.chainCall<string>(onrampChain, 'eth_sendRawTransaction', [signed]);
}

const statusOf = async (id: string) => (await readOrder(stack, id)).payment.status;

test('tokens are bought with other tokens: instructions, deposit, delivery, and even books', async () => {
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
    payment: { status: 'completed', received: { amount: '20', currency: 'usdxm', chain: onrampChain, txId } },
    lineItems: [{ delivery: { status: 'completed', txId: expect.any(String), tokens: [expect.objectContaining({ symbol: 'usdc' })] } }],
  });
  expect(await clearingBalances(stack, id)).toEqual({});
  const { receive } = (await orderRecord(stack, id)).terms!;
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdc' });
  expect((await family.readBalances(walletAddress, [token]))[0]!.amountMinor).toBe(receive.amountMinor);
});

test('to somebody known by e-mail goes into a wallet that is made for them', async () => {
  const payer = await aPayer();
  const { id, order } = await create({ recipient: { email: 'gift@example.com' }, payerAddress: payer.address });
  await pay(payer, order);
  await untilState(stack, id, 'delivered');
  const wallet = await stack.call('GET', '/2025-06-09/wallets/email:gift@example.com:evm:smart');
  expect((await orderRecord(stack, id)).facts.recipientAddress).toBe(wallet.body.address);
});

test('without a payer has requires-crypto-payer-address, and instructions once it has one', async () => {
  const { id, order } = await create({});
  expect(order).toMatchObject({ phase: 'payment', payment: { status: 'requires-crypto-payer-address' } });
  const payer = await aPayer();
  const patched = await stack.call('PATCH', `/2022-06-09/orders/${id}`, {
    body: { payment: { method: onrampChain, currency: 'usdxm', payerAddress: payer.address } },
  });
  expect([patched.status, patched.text]).toEqual([200, expect.any(String)]);
  expect(patched.body.payment).toMatchObject({ status: 'awaiting-payment', preparation: { payerAddress: payer.address } });
});

test('a payer with too little has crypto-payer-insufficient-funds until the balance has risen', async () => {
  const payer = await aPayer({ tokens: '0' });
  const { id, order } = await create({ payerAddress: payer.address });
  expect(order.payment.status).toBe('crypto-payer-insufficient-funds');
  await give(payer.address, '50');
  await eventually('it may be paid', async () => (await statusOf(id)) === 'awaiting-payment');
});

test('a payer without gas has crypto-payer-insufficient-funds-for-gas until there is some', async () => {
  const payer = await aPayer({ wei: 0n });
  const { id, order } = await create({ payerAddress: payer.address });
  expect(order.payment.status).toBe('crypto-payer-insufficient-funds-for-gas');
  await stack.setNativeBalance(onrampChain, payer.address, 10n ** 18n);
  await eventually('it may be paid', async () => (await statusOf(id)) === 'awaiting-payment');
});

test('without a recipient has requires-recipient; an item that is not offered says so', async () => {
  const payer = await aPayer();
  const { order } = await create({ recipient: {}, payerAddress: payer.address });
  expect(order).toMatchObject({ phase: 'quote', quote: { status: 'requires-recipient' }, payment: { status: 'requires-quote' } });
  const { body: created } = await stack.call('POST', '/2022-06-09/orders', {
    body: {
      ...body({}),
      lineItems: [{ collectionLocator: `${onrampChain}:0x70997970C51812dc3A010C7d01b50e0d17dc79C8`, callData: { quantity: 1 } }],
    },
  });
  expect(created.order).toMatchObject({
    phase: 'quote',
    quote: { status: 'all-line-items-unavailable' },
    lineItems: [{ quote: { status: 'item-unavailable', unavailabilityReason: { code: expect.any(String), message: expect.any(String) } } }],
  });
});

test('what the treasury cannot deliver goes back to the payer', async () => {
  const payer = await aPayer();
  const treasuryBefore = await accountBalance(stack, 'suspense:held', 'usd');
  const { id, order } = await create({ payerAddress: payer.address, token: 'eth', amount: '50' });
  await pay(payer, order);
  const refunded = await untilState(stack, id, 'refunded');
  expect(refunded).toMatchObject({
    phase: 'completed',
    payment: { status: 'refunded', refunded: { amount: '50', currency: 'usdxm' } },
    lineItems: [{ delivery: { status: 'failed' } }],
  });
  expect(await clearingBalances(stack, id)).toEqual({});
  expect(await accountBalance(stack, 'suspense:held', 'usd')).toBe(treasuryBefore);
  const family = stack.ctx.chains.familyOfChain(onrampChain);
  const token = await family.resolveToken(onrampChain, { symbol: 'usdxm' });
  expect((await family.readBalances(payer.address, [token]))[0]!.amountMinor).toBe(100_000_000n);
});

test('that nobody pays expires', async () => {
  const payer = await aPayer();
  const { id } = await create({ payerAddress: payer.address });
  await stack.advance(11 * 60_000);
  expect(await untilState(stack, id, 'quote_expired')).toMatchObject({ phase: 'quote', quote: { status: 'expired' } });
});
