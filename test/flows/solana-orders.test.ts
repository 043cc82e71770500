import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aSolanaWallet, type SolanaKey } from '../../src/areas/linked-wallets/test-kit.ts';
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
import {
  fundTreasury,
  requireTreasury,
  withdrawFromTreasury,
} from '../../src/areas/treasury/index.ts';
import type { DepositIntent } from '../../src/chains/family.ts';
import { messageBytesOf, writeTransaction } from '../../src/chains/solana/operation/message.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import type { CallAnswer } from '../harness/http.ts';
import { expectLedgerBalanced } from '../harness/ledger.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// Orders whose money moves on Solana: supplement, sections 12, 13, 20 and 22.

type Body = CallAnswer['body'];
const chain = 'solana';
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true, families: ['solana'] });
  const { projectId } = stack.api;
  await writeOwnSettings(stack.ctx, { projectId, settings: { kycRequired: false } });
  for (const token of ['usdc', 'usdxm'])
    await fundTreasury(stack.ctx, { projectId, chain, token, amount: '5000' });
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
const people = (locator: string, below = '') =>
  `/2025-06-09/users/${encodeURIComponent(locator)}${below}`;
const linkOf = (locator: string, address: string) => people(locator, `/linked-wallets/${address}`);
const family = () => stack.ctx.chains.familyOfChain(chain);

async function held(address: string, symbol = 'usdxm'): Promise<bigint> {
  const token = await family().resolveToken(chain, { symbol });
  return (await family().readBalances(address, [token]))[0]!.amountMinor;
}

let count = 0;
const lamports = 100_000_000;
async function give(recipientAddress: string, tokens: bigint, symbol = 'usdxm'): Promise<void> {
  const token = await family().resolveToken(chain, { symbol });
  const amountMinor = tokens * 1_000_000n;
  await family().funding!.fund({
    chain,
    token,
    amountMinor,
    recipientAddress,
    reference: `test:${++count}`,
  });
}

/** An account of somebody's own, with money for fees. */
async function aPayer(tokens = 1_000n): Promise<SolanaKey> {
  const payer = aSolanaWallet();
  await stack.chainCall(chain, 'requestAirdrop', [payer.address, lamports]);
  if (tokens > 0n) await give(payer.address, tokens);
  return payer;
}

/** As the payer's own wallet does it: signs the bytes of the instructions, and sends them. */
async function pay(payer: SolanaKey, serializedTransaction: string): Promise<string> {
  const message = messageBytesOf(serializedTransaction);
  const signature = Buffer.from(await payer.signBytes(message), 'base64');
  const wire = Buffer.from(writeTransaction(message, { [payer.address]: signature })).toString(
    'base64',
  );
  return stack.chainCall(chain, 'sendTransaction', [
    wire,
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ]);
}

/** A deposit that the order did not ask for. */
async function payOtherwise(
  payer: SolanaKey,
  order: Body,
  intent: Partial<DepositIntent>,
): Promise<string> {
  const { memo, amount } = order.payment.preparation.transactionParameters;
  const [token, { address }] = await Promise.all([
    family().resolveToken(chain, { symbol: 'usdxm' }),
    treasury(),
  ]);
  const asked = {
    chain,
    token,
    amountMinor: BigInt(amount),
    payerAddress: payer.address,
    recipientAddress: address,
    memo,
  };
  const { serializedTransaction } = await family().deposits!.depositInstructions({
    ...asked,
    ...intent,
  });
  return pay(payer, serializedTransaction);
}
const treasury = () =>
  requireTreasury(stack.ctx, { projectId: stack.api.projectId, chainType: 'solana' });

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

describe('an offramp order paid on Solana', () => {
  test('takes a linked account of the person, whose deposit is known by its memo, and pays the bank', async () => {
    const owner = 'userId:sol-offramp';
    const payer = await aPayer();
    const paymentMethodId = await aMethod(owner);
    const stranger = await stack.call('POST', orders, {
      body: offrampBody(paymentMethodId, payer.address),
    });
    expect([stranger.status, stranger.body.code]).toEqual([
      400,
      'ExternalWalletNotLinkedToUserError',
    ]);
    const { ownership } = await call('PUT', linkOf(owner, payer.address), { chain });
    expect(ownership).toEqual({
      verified: false,
      verificationChallenge: expect.stringContaining(`Solana account:\n${payer.address}\n`),
    });
    const wrong = await aSolanaWallet().sign(ownership.verificationChallenge);
    await call('PUT', linkOf(owner, payer.address), { chain, proof: wrong }, 400);
    const proof = await payer.sign(ownership.verificationChallenge);
    expect(await call('PUT', linkOf(owner, payer.address), { chain, proof })).toMatchObject({
      ownership: { verified: true },
    });

    const { order } = await call('POST', orders, offrampBody(paymentMethodId, payer.address), 201);
    expect(order).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        method: chain,
        preparation: {
          chain,
          payerAddress: payer.address,
          serializedTransaction: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]+$/),
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

  test.each(['smart', 'mpc'])(
    'takes a %s wallet of the service, which is sent the instructions as they are',
    { tags: 'slow' },
    async (type) => {
      const owner = `userId:sol-${type}`;
      const config = { adminSigner: { type: 'api-key' }, delegatedSigners: [] };
      const { address } = await call(
        'POST',
        '/2025-06-09/wallets',
        { chainType: chain, type, owner, ...(type === 'smart' && { config }) },
        201,
      );
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
    },
  );

  test('of another person’s wallet is refused', async () => {
    const { address } = await call(
      'POST',
      '/2025-06-09/wallets',
      { chainType: chain, type: 'mpc', owner: 'userId:sol-mallory' },
      201,
    );
    const wrong = await stack.call('POST', orders, {
      body: offrampBody(await aMethod('userId:sol-victim'), address),
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'payer-wallet-mismatch']);
  });
});

describe('deposits that were not asked for', { tags: 'slow' }, () => {
  async function aPaidOrder(): Promise<{ payer: SolanaKey; order: Body; id: string }> {
    const owner = `userId:sol-deposit-${++count}`;
    const payer = await aPayer();
    await call('PUT', linkOf(owner, payer.address), { chain });
    const { order } = await call(
      'POST',
      orders,
      offrampBody(await aMethod(owner), payer.address),
      201,
    );
    return { payer, order, id: order.orderId };
  }

  test('a short one waits for the rest, and goes back when the price has ended', async () => {
    const { payer, order, id } = await aPaidOrder();
    await payOtherwise(payer, order, { amountMinor: 40_000_000n });
    expect(await untilState(stack, id, 'deposit_short')).toMatchObject({
      payment: { status: 'awaiting-payment', failureReason: { code: expect.any(String) } },
    });
    await stack.advance(11 * 60_000);
    expect(await untilState(stack, id, 'refunded')).toMatchObject({
      payment: { status: 'refunded', refunded: { amount: '40' } },
    });
    expect(await held(payer.address)).toBe(1_000_000_000n);
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('the rest of a short one completes it, and what is too much goes back', async () => {
    const { payer, order, id } = await aPaidOrder();
    await payOtherwise(payer, order, { amountMinor: 40_000_000n });
    await untilState(stack, id, 'deposit_short');
    await payOtherwise(payer, order, { amountMinor: 75_000_000n });
    await untilPaidOut(id);
    await eventually('the rest is back', async () => (await held(payer.address)) === 900_000_000n);
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('one that comes soon after the price has ended is honoured while the price covers it', async () => {
    const { payer, order, id } = await aPaidOrder();
    await stack.advance(11 * 60_000);
    await untilState(stack, id, 'quote_expired');
    await payOtherwise(payer, order, {});
    await untilPaidOut(id);
    expect(await orderEvents(stack, id)).toEqual(
      expect.arrayContaining(['deposit-late', 'honoured']),
    );
  });

  test('one that comes long after the price has ended goes back', async () => {
    const { payer, order, id } = await aPaidOrder();
    await stack.advance(75 * 60_000);
    await untilState(stack, id, 'quote_expired');
    await payOtherwise(payer, order, {});
    expect(await untilState(stack, id, 'refunded')).toMatchObject({
      payment: { refunded: { amount: '100', currency: 'usdxm' } },
    });
    expect(await held(payer.address)).toBe(1_000_000_000n);
  });

  test('one of another token, or of somebody else, is nobody’s payment: an operator finds it', async () => {
    const { payer, order, id } = await aPaidOrder();
    const other = await aPayer();
    await give(payer.address, 200n, 'usdc');
    const usdc = await family().resolveToken(chain, { symbol: 'usdc' });
    const txIds = [
      await payOtherwise(payer, order, { token: usdc }),
      await payOtherwise(other, order, {}),
    ];
    const unmatched = async () => {
      const { rows } = await stack.ctx.store.query<{ tx_id: string }>({
        text: 'select tx_id from deposits where order_id is null and tx_id = any($1)',
        values: [txIds],
      });
      return rows.length === 2;
    };
    await eventually('both are on record', unmatched);
    expect((await readOrder(stack, id)).payment.status).toBe('awaiting-payment');
    await payOtherwise(payer, order, {});
    await untilPaidOut(id);
  });
});

describe('tokens on Solana are delivered', () => {
  test.each([
    ['exact-in', '25', 'smart'],
    ['exact-out', '20', 'smart'],
    ['exact-in', '20', 'mpc'],
  ])(
    'for a card (%s, %s, %s), to a wallet of the buyer that has no account for them',
    { tags: 'slow' },
    async (mode, amount, type) => {
      const owner = `userId:sol-buyer-${mode}-${type}`;
      const config = { adminSigner: { type: 'api-key' }, delegatedSigners: [] };
      const { address: walletAddress } = await call(
        'POST',
        '/2025-06-09/wallets',
        { chainType: chain, type, owner, ...(type === 'smart' && { config }) },
        201,
      );
      await acceptPolicy(stack, owner);
      await startVerification(stack, owner);
      const body = {
        recipient: { walletAddress },
        payment: { method: 'card', receiptEmail: 'buyer@example.com' },
        lineItems: [{ tokenLocator: 'solana:usdc', executionParameters: { mode, amount } }],
      };
      const { order } = await call('POST', orders, body, 201);
      expect(order).toMatchObject({
        phase: 'payment',
        payment: { status: 'awaiting-payment' },
        lineItems: [{ chain }],
      });
      await payByCard(stack, order.orderId, sandboxCards.approved.number);
      const delivered = await untilState(stack, order.orderId, 'delivered');
      const { address } = await family().resolveToken(chain, { symbol: 'usdc' });
      expect(delivered.lineItems[0].delivery).toMatchObject({
        status: 'completed',
        txId: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/),
        tokens: [
          {
            locator: `solana:${address}`,
            symbol: 'usdc',
            decimals: 6,
            mintHash: address,
            quantity: expect.any(String),
          },
        ],
      });
      expect(await held(walletAddress, 'usdc')).toBe(
        (await orderRecord(stack, order.orderId)).terms!.receive.amountMinor,
      );
      expect(await clearingBalances(stack, order.orderId)).toEqual({});
    },
  );

  test('for other tokens on Solana, to somebody known by e-mail, for whom a wallet is made', {
    tags: 'slow',
  }, async () => {
    const payer = await aPayer(100n);
    const body = {
      recipient: { email: 'sol-gift@example.com' },
      payment: { method: chain, currency: 'usdxm', payerAddress: payer.address },
      lineItems: [
        { tokenLocator: 'solana:usdc', executionParameters: { mode: 'exact-in', amount: '20' } },
      ],
    };
    const { order } = await call('POST', orders, body, 201);
    expect(order.payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: { payerAddress: payer.address },
    });
    const txId = await pay(payer, order.payment.preparation.serializedTransaction);
    const delivered = await untilState(stack, order.orderId, 'delivered');
    expect(delivered.payment.received).toMatchObject({ amount: '20', txId });
    const wallet = await call('GET', '/2025-06-09/wallets/email:sol-gift@example.com:solana:smart');
    expect(await held(wallet.address, 'usdc')).toBe(
      (await orderRecord(stack, order.orderId)).terms!.receive.amountMinor,
    );
  });

  test('to a payer without tokens or without SOL for fees only once there are some', async () => {
    const poor = aSolanaWallet();
    const payment = { method: chain, currency: 'usdxm', payerAddress: poor.address };
    const lineItems = [
      { tokenLocator: 'solana:usdc', executionParameters: { mode: 'exact-in', amount: '20' } },
    ];
    const { order } = await call(
      'POST',
      orders,
      { recipient: { walletAddress: aSolanaWallet().address }, payment, lineItems },
      201,
    );
    expect(order.payment.status).toBe('crypto-payer-insufficient-funds');
    await give(poor.address, 30n);
    const statusOf = async () => (await readOrder(stack, order.orderId)).payment.status;
    await eventually(
      'fees are missing',
      async () => (await statusOf()) === 'crypto-payer-insufficient-funds-for-gas',
    );
    await stack.chainCall(chain, 'requestAirdrop', [poor.address, lamports]);
    await eventually('it may be paid', async () => (await statusOf()) === 'awaiting-payment');
  });
});

test('the treasury sends to its operator, signed by its key when it is sent, and the books say so when the block is final', {
  tags: 'slow',
}, async () => {
  const recipient = aSolanaWallet().address;
  const { projectId } = stack.api;
  const transferId = stack.ctx.ids.uuid();
  const { address: wallet } = await treasury();
  const rowsOf = async () => {
    const { rows } = await stack.ctx.store.query({
      text: `select status, signatures, signature, raw from solana_operations where wallet = $1 order by created_at desc limit 1`,
      values: [wallet],
    });
    return rows;
  };
  await stack.withoutWorker(async () => {
    await withdrawFromTreasury(stack.ctx, {
      projectId,
      chain,
      token: 'usdc',
      amount: '12.5',
      transferId,
      recipientAddress: recipient,
    });
    const unsigned = { status: 'queued', signatures: {}, signature: null, raw: null };
    expect(await rowsOf()).toEqual([unsigned]);
  });
  await eventually('it is booked', async () => {
    const { rows } = await stack.ctx.store.query({
      text: 'select 1 from ledger_entries where reference = $1',
      values: [`withdrawal:${transferId}`],
    });
    return rows.length === 1;
  });
  expect(await held(recipient, 'usdc')).toBe(12_500_000n);
  expect(await rowsOf()).toMatchObject([
    { signature: expect.any(String), raw: expect.any(Buffer) },
  ]);
});
