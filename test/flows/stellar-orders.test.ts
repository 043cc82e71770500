import { Asset, Keypair, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assignHeldDeposit, returnHeldDeposit } from '../../src/areas/orders/operator/deposits.ts';
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
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';
import { connectClient, type StellarClient } from '../../src/chains/stellar/testing/client.ts';
import { developmentSecrets } from '../../src/config/development-config.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import type { CallAnswer } from '../harness/http.ts';
import { expectLedgerBalanced } from '../harness/ledger.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// Orders whose money moves on Stellar: supplement, sections 12, 13, 20 and 22.

type Body = CallAnswer['body'];
const chain = 'stellar';
let stack: Stack;
let client: StellarClient;
let issuer: Keypair;
let usdxm: Asset;
beforeAll(async () => {
  stack = await startStack({ vault: true, families: [chain] });
  client = connectClient(stack.urlOf(chain));
  issuer = Keypair.fromRawEd25519Seed(
    Buffer.from(developmentSecrets(stack.dataDir).stellar.treasuryKey.reveal()),
  );
  usdxm = new Asset('USDXM', issuer.publicKey());
  const { projectId } = stack.api;
  await writeOwnSettings(stack.ctx, { projectId, settings: { kycRequired: false } });
  await fundTreasury(stack.ctx, { projectId, chain, token: 'usdxm', amount: '5000' });
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
const token = () => family().resolveToken(chain, { symbol: 'usdxm' });
const held = async (address: string) =>
  (await family().readBalances(address, [await token()]))[0]!.amountMinor;
const heldBy = (key: Keypair) => held(key.publicKey());
const create = (type: 'smart' | 'mpc', owner: string) =>
  call(
    'POST',
    '/2025-06-09/wallets',
    {
      chainType: chain,
      type,
      owner,
      ...(type === 'smart' && { config: { adminSigner: { type: 'api-key' } } }),
    },
    201,
  );
const fund = (address: string, amount: number) =>
  call('POST', `/v1-alpha2/wallets/${address}/balances`, { amount, token: 'usdxm', chain }, 201);

/** An account of somebody's own, with lumens for fees and a thousand dollars. */
async function aPayer(): Promise<Keypair> {
  const payer = await client.newAccount();
  await client.send(payer, [Operation.changeTrust({ asset: usdxm })]);
  await client.send(issuer, [
    Operation.payment({ destination: payer.publicKey(), asset: usdxm, amount: '1000' }),
  ]);
  return payer;
}

/** As the payer's own wallet does it: signs the bytes of the instructions, and sends them. */
async function pay(payer: Keypair, serialized: string): Promise<string> {
  const transaction = TransactionBuilder.fromXdr(
    serialized,
    stellarNetwork('development').passphrase,
  );
  if (!(transaction instanceof Transaction)) throw new Error('A payer gets no fee bump.');
  transaction.sign(payer);
  return client.submit(transaction);
}

async function aMethod(userLocator: string): Promise<string> {
  const made = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: aUsBody({ userLocator }, { accountNumber: '000123456789' }),
  });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.body.paymentMethodId;
}

/** A deposit that no order asked for. */
async function payOtherwise(
  payer: Keypair,
  amountMinor: bigint,
  more: Partial<DepositIntent> = {},
): Promise<string> {
  const { address: recipientAddress } = await requireTreasury(stack.ctx, {
    projectId: stack.api.projectId,
    chainType: chain,
  });
  const intent = {
    chain,
    token: await token(),
    amountMinor,
    payerAddress: payer.publicKey(),
    recipientAddress,
    memo: '7',
    ...more,
  };
  return pay(payer, (await family().deposits!.depositInstructions(intent)).serializedTransaction);
}

/** What became of the deposit of a transaction, once it is on record and final. */
async function depositOf(
  txId: string,
): Promise<{ readonly id: string; readonly use: string; readonly reason: string | null }> {
  const read = async () =>
    (
      await stack.ctx.store.query<{ id: string; use: string; reason: string | null }>({
        text: `select id, use, reason from deposits join order_deposits on deposit_id = id
          where tx_id = $1 and deposits.status = 'final' and (use <> 'held' or posted > 0)`,
        values: [txId],
      })
    ).rows[0];
  await eventually('the deposit is on record', async () => (await read()) !== undefined);
  return (await read())!;
}

const offrampBody = (paymentMethodId: string, payerAddress: string) => ({
  recipient: { paymentMethodId, rail: 'rtp' },
  payment: { method: chain, currency: 'usdxm', payerAddress, receiptEmail: 'payer@example.com' },
  lineItems: {
    currencyLocator: 'fiat:usd',
    executionParameters: { mode: 'exact-in', amount: '100' },
  },
});

/** The bank has the money of an order that was paid, and says so. */
async function untilPaidOut(id: string): Promise<Body> {
  const has = async (event: string) => (await orderEvents(stack, id)).includes(event);
  await eventually('the bank has it', () => has('payout-submitted'));
  await stack.advance(60_000);
  await eventually('the bank has settled it', () => has('payout-settled'));
  return readOrder(stack, id);
}

describe('an offramp order paid on Stellar', () => {
  test('takes a linked account of the person, whose deposit is known by payer and amount, and pays the bank', {
    tags: 'slow',
  }, async () => {
    const owner = 'userId:stellar-offramp';
    const payer = await aPayer();
    const address = payer.publicKey();
    const paymentMethodId = await aMethod(owner);
    const stranger = await stack.call('POST', orders, {
      body: offrampBody(paymentMethodId, address),
    });
    expect([stranger.status, stranger.body.code]).toEqual([
      400,
      'ExternalWalletNotLinkedToUserError',
    ]);
    const { ownership } = await call('PUT', linkOf(owner, address), { chain });
    const proof = Buffer.from(payer.sign(Buffer.from(ownership.verificationChallenge))).toString(
      'base64',
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
            amount: '1000000000',
            memo: expect.stringMatching(/^\d{1,20}$/),
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

  test.each(['smart', 'mpc'] as const)(
    'takes a wallet of type %s, which is sent the instructions as they are and needs no lumens',
    { tags: 'slow' },
    async (type) => {
      const owner = `userId:stellar-${type}`;
      const { address } = await create(type, owner);
      for (const amount of [100, 50]) await fund(address, amount);
      const { order } = await call('POST', orders, offrampBody(await aMethod(owner), address), 201);
      const { serializedTransaction } = order.payment.preparation;
      const contractId = usdxm.contractId(stellarNetwork('development').passphrase);
      const params = {
        transaction: { type: 'serialized-transaction', serializedTransaction, contractId },
      };
      const sent = await call(
        'POST',
        `/2025-06-09/wallets/${address}/transactions`,
        { params },
        201,
      );
      const { status, onChain } = await stack.waitForTransaction(address, sent.id);
      expect(status).toBe('success');
      const done = await untilPaidOut(order.orderId);
      expect(done.payment.received).toMatchObject({ amount: '100', txId: onChain.txId });
      expect(await held(address)).toBe(500_000_000n);
    },
  );
});

// The treasury is a contract, and a call of one has no room for a memo: what names no order by
// payer and amount waits for the operator.
describe('deposits that were not asked for', { tags: 'slow' }, () => {
  async function anOrder(owner: string): Promise<{ payer: Keypair; id: string; body: object }> {
    const payer = await aPayer();
    await call('PUT', linkOf(owner, payer.publicKey()), { chain });
    const body = offrampBody(await aMethod(owner), payer.publicKey());
    const { order } = await call('POST', orders, body, 201);
    return { payer, id: order.orderId, body };
  }
  const decide = (depositId: string) => ({
    projectId: stack.api.projectId,
    depositId,
    note: 'as the payer asked',
  });
  const held = { use: 'held', reason: 'memo-missing' };

  test('a short one waits for the operator; with the rest it pays the order, and what is too much goes back', async () => {
    const { payer, id } = await anOrder('userId:stellar-short');
    const [short, rest] = [
      await depositOf(await payOtherwise(payer, 400_000_000n)),
      await depositOf(await payOtherwise(payer, 750_000_000n)),
    ];
    expect([short, rest]).toMatchObject([held, held]);
    expect((await readOrder(stack, id)).payment.status).toBe('awaiting-payment');
    expect((await assignHeldDeposit(stack.ctx, { ...decide(short.id), orderId: id })).state).toBe(
      'deposit_short',
    );
    await assignHeldDeposit(stack.ctx, { ...decide(rest.id), orderId: id });
    await untilPaidOut(id);
    await eventually('the rest is back', async () => (await heldBy(payer)) === 9_000_000_000n);
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('one of too much, of somebody else or of another token pays nobody’s order, and goes back when the operator says so', async () => {
    const { payer, id } = await anOrder('userId:stellar-strange');
    const other = await aPayer();
    const xlm = await family().resolveToken(chain, { symbol: 'xlm' });
    const strange = await Promise.all([
      payOtherwise(payer, 1_000_000_001n).then(depositOf),
      payOtherwise(other, 1_000_000_000n).then(depositOf),
    ]);
    const lumens = await depositOf(await payOtherwise(payer, 1_000_000_000n, { token: xlm }));
    expect([...strange, lumens]).toMatchObject([held, held, held]);
    expect((await readOrder(stack, id)).payment.status).toBe('awaiting-payment');
    for (const deposit of strange) await returnHeldDeposit(stack.ctx, decide(deposit.id));
    await eventually(
      'both are back',
      async () =>
        (await heldBy(payer)) === 10_000_000_000n && (await heldBy(other)) === 10_000_000_000n,
    );
    await payOtherwise(payer, 1_000_000_000n);
    await untilPaidOut(id);
  });

  test('two orders of a payer for one amount are told apart by nobody: the operator says which one it pays', async () => {
    const { payer, id, body } = await anOrder('userId:stellar-twice');
    const { order } = await call('POST', orders, body, 201);
    const deposit = await depositOf(await payOtherwise(payer, 1_000_000_000n));
    expect(deposit).toMatchObject(held);
    await assignHeldDeposit(stack.ctx, { ...decide(deposit.id), orderId: order.orderId });
    await untilPaidOut(order.orderId);
    expect((await readOrder(stack, id)).payment.status).toBe('awaiting-payment');
  });
});

describe('tokens on Stellar', { tags: 'slow' }, () => {
  test.each(['smart', 'mpc'] as const)(
    'are delivered for a card, to a wallet of type %s that holds nothing yet',
    async (type) => {
      const owner = `userId:stellar-buyer-${type}`;
      const { address: walletAddress } = await create(type, owner);
      await acceptPolicy(stack, owner);
      await startVerification(stack, owner);
      const body = {
        recipient: { walletAddress },
        payment: { method: 'card', receiptEmail: 'buyer@example.com' },
        lineItems: [
          {
            tokenLocator: 'stellar:usdxm',
            executionParameters: { mode: 'exact-in', amount: '25' },
          },
        ],
      };
      const { order } = await call('POST', orders, body, 201);
      expect(order).toMatchObject({
        phase: 'payment',
        payment: { status: 'awaiting-payment' },
        lineItems: [{ chain }],
      });
      await payByCard(stack, order.orderId, sandboxCards.approved.number);
      const delivered = await untilState(stack, order.orderId, 'delivered');
      expect(delivered.lineItems[0].delivery).toMatchObject({
        status: 'completed',
        txId: expect.stringMatching(/^[0-9a-f]{64}$/),
        tokens: [
          {
            symbol: 'usdxm',
            decimals: 7,
            contractId: (await token()).address,
            quantity: expect.any(String),
          },
        ],
      });
      expect(await held(walletAddress)).toBe(
        (await orderRecord(stack, order.orderId)).terms!.receive.amountMinor,
      );
      expect(await clearingBalances(stack, order.orderId)).toEqual({});
    },
  );
});
