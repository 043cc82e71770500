import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeOwnSettings } from '../../src/areas/orders/pricing/index.ts';
import {
  acceptPolicy,
  clearingBalances,
  orderEvents,
  orderRecord,
  payByCard,
  readOrder,
  startVerification,
  untilState,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { fundTreasury, requireTreasury } from '../../src/areas/treasury/index.ts';
import type { DepositIntent } from '../../src/chains/family.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import type { CallAnswer } from '../harness/http.ts';
import { expectLedgerBalanced } from '../harness/ledger.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// Orders that are paid on Sui (supplement, sections 12, 13 and 20; payment.method `sui`), and
// tokens of the Move families that a card buys.

type Body = CallAnswer['body'];
const chain = 'sui';
let stack: Stack;
let client: SuiGrpcClient;
beforeAll(async () => {
  stack = await startStack({ vault: true, families: ['sui', 'aptos'] });
  client = new SuiGrpcClient({ network: 'localnet', baseUrl: stack.urlOf(chain) });
  const { projectId } = stack.api;
  await writeOwnSettings(stack.ctx, { projectId, settings: { kycRequired: false } });
  for (const name of [chain, 'aptos'])
    await fundTreasury(stack.ctx, { projectId, chain: name, token: 'usdxm', amount: '5000' });
});
afterAll(async () => {
  if (!stack) return;
  await expectLedgerBalanced(stack.ctx.store);
  await stack.close();
});

async function call(method: string, path: string, body?: unknown, expected = 200): Promise<Body> {
  const answer = await stack.call(method, path, { body });
  expect([path, answer.status, answer.text]).toEqual([path, expected, expect.any(String)]);
  return answer.body;
}
const orders = '/2022-06-09/orders';
const linkOf = (locator: string, address: string) =>
  `/2025-06-09/users/${encodeURIComponent(locator)}/linked-wallets/${address}`;
const family = () => stack.ctx.chains.familyOfChain(chain);
const usdxm = () => family().resolveToken(chain, { symbol: 'usdxm' });
const held = async (address: string) =>
  (await family().readBalances(address, [await usdxm()]))[0]!.amountMinor;

let count = 0;
async function give(recipientAddress: string, tokens: bigint): Promise<void> {
  const amountMinor = tokens * 1_000_000n;
  await family().funding!.fund({
    chain,
    token: await usdxm(),
    amountMinor,
    recipientAddress,
    reference: `test:${++count}`,
  });
}

/** An account of somebody's own, with money for fees. */
async function aPayer(): Promise<Ed25519Keypair> {
  const payer = new Ed25519Keypair();
  const body = JSON.stringify({ FixedAmountRequest: { recipient: payer.toSuiAddress() } });
  await fetch(`${stack.urlOf(chain)}/v2/gas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await give(payer.toSuiAddress(), 1_000n);
  return payer;
}

/** As the payer's own wallet does it: signs the bytes of the instructions, and sends them. */
async function pay(payer: Ed25519Keypair, serializedTransaction: string): Promise<string> {
  const transaction = Buffer.from(serializedTransaction, 'base64');
  const { signature } = await payer.signTransaction(transaction);
  const done = await client.executeTransaction({ transaction, signatures: [signature] });
  return (done.Transaction ?? done.FailedTransaction).digest;
}

/** A deposit that the order did not ask for. */
async function payOtherwise(
  payer: Ed25519Keypair,
  order: Body,
  intent: Partial<DepositIntent>,
): Promise<string> {
  const { memo, amount } = order.payment.preparation.transactionParameters;
  const { address } = await requireTreasury(stack.ctx, {
    projectId: stack.api.projectId,
    chainType: 'sui',
  });
  const asked = {
    chain,
    token: await usdxm(),
    amountMinor: BigInt(amount),
    payerAddress: payer.toSuiAddress(),
    recipientAddress: address,
  };
  const { serializedTransaction } = await family().deposits!.depositInstructions({
    ...asked,
    memo,
    ...intent,
  });
  return pay(payer, serializedTransaction);
}

async function aMethod(userLocator: string): Promise<string> {
  const made = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: aUsBody({ userLocator }, { accountNumber: '000123456789' }),
  });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.body.paymentMethodId;
}

const offrampBody = (paymentMethodId: string, payerAddress: string, amount = '100') => ({
  recipient: { paymentMethodId, rail: 'rtp' },
  payment: { method: chain, currency: 'usdxm', payerAddress, receiptEmail: 'payer@example.com' },
  lineItems: { currencyLocator: 'fiat:usd', executionParameters: { mode: 'exact-in', amount } },
});

/** The bank has the money of an order that was paid, and says so. */
async function untilPaidOut(id: string): Promise<Body> {
  const has = async (event: string) => (await orderEvents(stack, id)).includes(event);
  await eventually('the bank has it', () => has('payout-submitted'));
  await stack.advance(60_000);
  await eventually('the bank has settled it', () => has('payout-settled'));
  return readOrder(stack, id);
}

describe('an offramp order paid on Sui', () => {
  test('takes a linked account of the person, whose deposit is known by its memo, and pays the bank', {
    tags: 'slow',
  }, async () => {
    const owner = 'userId:sui-offramp';
    const payer = await aPayer();
    const address = payer.toSuiAddress();
    const paymentMethodId = await aMethod(owner);
    const stranger = await stack.call('POST', orders, {
      body: offrampBody(paymentMethodId, address),
    });
    expect([stranger.status, stranger.body.code]).toEqual([
      400,
      'ExternalWalletNotLinkedToUserError',
    ]);
    const { ownership } = await call('PUT', linkOf(owner, address), { chain });
    const { signature: proof } = await payer.signPersonalMessage(
      Buffer.from(ownership.verificationChallenge),
    );
    expect(await call('PUT', linkOf(owner, address), { chain, proof })).toMatchObject({
      ownership: { verified: true },
    });

    const { order } = await call('POST', orders, offrampBody(paymentMethodId, address), 201);
    expect(order).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        method: chain,
        preparation: {
          chain,
          payerAddress: address,
          serializedTransaction: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
          transactionParameters: {
            amount: '100000000',
            memo: expect.stringMatching(/^[0-9a-f]{32}$/),
          },
        },
      },
    });
    const txId = await pay(payer, order.payment.preparation.serializedTransaction);
    const posted = await stack.call('POST', `${orders}/${order.orderId}/payment`, {
      body: { type: 'crypto-tx-id', txId },
    });
    expect([200, 409]).toContain(posted.status);
    expect(await untilPaidOut(order.orderId)).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { amount: '100', currency: 'usdxm', chain, txId } },
      lineItems: [
        { delivery: { status: 'completed', rail: 'rtp', recipient: { paymentMethodId } } },
      ],
    });
    expect(await clearingBalances(stack, order.orderId)).toEqual({});
  });

  test('takes a wallet of the service, which is sent the instructions as they are and needs no SUI', {
    tags: 'slow',
  }, async () => {
    const owner = 'userId:sui-mpc';
    const { address } = await call('POST', '/2025-06-09/wallets', { chainType: chain, owner }, 201);
    await give(address, 150n);
    const { order } = await call('POST', orders, offrampBody(await aMethod(owner), address), 201);
    const { serializedTransaction: transaction } = order.payment.preparation;
    const sent = await call(
      'POST',
      `/2025-06-09/wallets/${address}/transactions`,
      { params: { transaction } },
      201,
    );
    const { status, onChain } = await stack.waitForTransaction(address, sent.id);
    expect(status).toBe('success');
    const done = await untilPaidOut(order.orderId);
    expect(done.payment.received).toMatchObject({ amount: '100', txId: onChain.txId });
    expect(await held(address)).toBe(50_000_000n);
  });

  test('is no way to pay on Aptos, which takes no deposits', async () => {
    const owner = 'userId:aptos-payer';
    const { address } = await call(
      'POST',
      '/2025-06-09/wallets',
      { chainType: 'aptos', owner },
      201,
    );
    const body = offrampBody(await aMethod(owner), address);
    const refused = await call(
      'POST',
      orders,
      { ...body, payment: { ...body.payment, method: 'aptos' } },
      400,
    );
    expect(refused).toMatchObject({
      error: true,
      message: 'Wallets on aptos take no deposits of orders.',
    });
  });

  test('that is paid short waits for the rest, and what is too much goes back', {
    tags: 'slow',
  }, async () => {
    const owner = 'userId:sui-short';
    const payer = await aPayer();
    const address = payer.toSuiAddress();
    await call('PUT', linkOf(owner, address), { chain });
    const { order } = await call('POST', orders, offrampBody(await aMethod(owner), address), 201);
    await payOtherwise(payer, order, { amountMinor: 40_000_000n });
    await untilState(stack, order.orderId, 'deposit_short');
    await payOtherwise(payer, order, { amountMinor: 75_000_000n });
    await untilPaidOut(order.orderId);
    await eventually('the rest is back', async () => (await held(address)) === 900_000_000n);
    expect(await clearingBalances(stack, order.orderId)).toEqual({});
  });
});

describe.each([
  ['sui', /^[1-9A-HJ-NP-Za-km-z]{43,44}$/],
  ['aptos', /^0x[0-9a-f]{64}$/],
])('tokens on %s are delivered', { tags: 'slow' }, (name, txId) => {
  const balanceOf = async (address: string) => {
    const tokens = stack.ctx.chains.familyOfChain(name);
    return (
      await tokens.readBalances(address, [await tokens.resolveToken(name, { symbol: 'usdxm' })])
    )[0]!.amountMinor;
  };

  test('for a card, to a wallet of the buyer', async () => {
    const owner = `userId:${name}-buyer`;
    const { address: walletAddress } = await call(
      'POST',
      '/2025-06-09/wallets',
      { chainType: name, owner },
      201,
    );
    await acceptPolicy(stack, owner);
    await startVerification(stack, owner);
    const body = {
      recipient: { walletAddress },
      payment: { method: 'card', receiptEmail: 'buyer@example.com' },
      lineItems: [
        { tokenLocator: `${name}:usdxm`, executionParameters: { mode: 'exact-in', amount: '8' } },
      ],
    };
    const { order } = await call('POST', orders, body, 201);
    expect(order).toMatchObject({
      phase: 'payment',
      payment: { status: 'awaiting-payment' },
      lineItems: [{ chain: name }],
    });
    await payByCard(stack, order.orderId, sandboxCards.approved.number);
    const delivered = await untilState(stack, order.orderId, 'delivered');
    expect(delivered.lineItems[0].delivery).toMatchObject({
      status: 'completed',
      txId: expect.stringMatching(txId),
      tokens: [{ symbol: 'usdxm', decimals: 6, contractAddress: expect.any(String) }],
    });
    expect(await balanceOf(walletAddress)).toBe(
      (await orderRecord(stack, order.orderId)).terms!.receive.amountMinor,
    );
    expect(await clearingBalances(stack, order.orderId)).toEqual({});
  });
});
