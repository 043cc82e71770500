import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aPng } from '../../src/areas/users/test-kit.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { sandboxNames } from '../../src/providers/kyc/sandbox.ts';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import type { CallAnswer } from '../harness/http.ts';
import { expectLedgerBalanced } from '../harness/ledger.ts';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true });
}, 180_000);
afterAll(async () => {
  if (!stack) return;
  await expectLedgerBalanced(stack.ctx.store);
  await stack.close();
});

type Body = CallAnswer['body'];
const people = (locator: string, below = '') =>
  `/2025-06-09/users/${encodeURIComponent(locator)}${below}`;

async function call(method: string, path: string, body?: unknown, expected = 200): Promise<Body> {
  const answer = await stack.call(method, path, { body });
  expect([path, answer.status, answer.text]).toEqual([path, expected, expect.any(String)]);
  return answer.body;
}

async function aUser(userId: string, firstName = userId): Promise<string> {
  const locator = `userId:${userId}`;
  await call('PUT', people(locator), aPerson({ firstName, email: `${userId}@example.com` }));
  const acceptedAt = new Date(stack.ctx.clock.now().getTime() - 1_000).toISOString();
  await call('PUT', people(locator, '/legal-documents'), {
    type: 'svc-privacy-policy',
    acceptedAt,
  });
  for (const documentType of ['id-passport', 'proof-of-address'])
    await call(
      'POST',
      people(locator, '/documents'),
      { documentType, content: aPng.toString('base64') },
      201,
    );
  return locator;
}

async function aMethod(userLocator: string): Promise<string> {
  const made = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: aUsBody({ userLocator }, { accountNumber: '000123456789' }),
  });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.body.paymentMethodId;
}

async function fund(address: string, tokens: bigint): Promise<void> {
  const family = stack.ctx.chains.familyOfChain(chain);
  const token = await family.resolveToken(chain, { symbol: 'usdxm' });
  await family.funding!.fund({
    chain,
    token,
    amountMinor: tokens * 1_000_000n,
    recipientAddress: address,
    reference: `test:${address}`,
  });
  await stack.setNativeBalance(chain, address, 10n ** 18n);
}

const orderBody = (paymentMethodId: string, payerAddress: string, rail?: string) => ({
  recipient: { paymentMethodId, ...(rail && { rail }) },
  payment: { method: chain, currency: 'usdxm', payerAddress, receiptEmail: 'payer@example.com' },
  lineItems: {
    currencyLocator: 'fiat:usd',
    executionParameters: { mode: 'exact-in', amount: '100' },
  },
});

const read = (orderId: string) => call('GET', `/2022-06-09/orders/${orderId}`);
async function until(
  orderId: string,
  what: string,
  check: (order: Body) => boolean,
): Promise<Body> {
  let last: Body;
  return eventually(what, async () => check((last = await read(orderId))) && last, 30_000).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(last)}`);
    },
  );
}

test('a person is verified while the order waits, pays from an ordinary account, and has the money at the bank', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const owner = await aUser('grace', sandboxNames.page);
  const account = privateKeyToAccount(generatePrivateKey());
  await fund(account.address, 1_000n);
  const paymentMethodId = await aMethod(owner);

  const stranger = await stack.call('POST', '/2022-06-09/orders', {
    body: orderBody(paymentMethodId, account.address),
  });
  expect([stranger.status, stranger.body.code]).toEqual([
    400,
    'ExternalWalletNotLinkedToUserError',
  ]);
  await call('PUT', people(owner, `/linked-wallets/${account.address}`), { chain });
  const unknown = await stack.call('POST', '/2022-06-09/orders', {
    body: orderBody(paymentMethodId, account.address, 'sepa'),
  });
  expect([unknown.status, unknown.body.code]).toEqual([400, 'rail-not-supported']);
  expect(unknown.body.message).toContain('active; supported: ach, wire, rtp');

  const created = await call(
    'POST',
    '/2022-06-09/orders',
    orderBody(paymentMethodId, account.address, 'rtp'),
    201,
  );
  const { orderId } = created.order;
  expect(created.order).toMatchObject({
    phase: 'payment',
    payment: { status: 'requires-kyc', preparation: { kyc: { inquiryId: expect.any(String) } } },
  });

  await enterName(created.order, 'Grace');
  const ready = await until(
    orderId,
    'verified',
    (order) => order.payment.status === 'awaiting-payment',
  );
  const { serializedTransaction, transactionParameters } = ready.payment.preparation;
  expect(ready.payment.preparation).toMatchObject({ chain, payerAddress: account.address });
  expect(transactionParameters).toEqual({
    amount: '100000000',
    memo: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  const signed = await account.signTransaction(
    parseTransaction(serializedTransaction as Hex) as TransactionSerializableEIP1559,
  );
  const txId = await stack.chainCall<string>(chain, 'eth_sendRawTransaction', [signed]);
  const posted = await stack.call('POST', `/2022-06-09/orders/${orderId}/payment`, {
    body: { type: 'crypto-tx-id', txId },
  });
  expect([200, 409]).toContain(posted.status);

  await until(orderId, 'paid', (order) => order.payment.status === 'completed');
  await eventually('the bank has it', async () =>
    (await events(orderId)).includes('payout-submitted'),
  );
  await stack.advance(60_000);
  const done = await until(
    orderId,
    'at the bank',
    (order) => order.lineItems[0].delivery.status === 'completed',
  );
  expect(done).toMatchObject({
    phase: 'completed',
    payment: { status: 'completed', received: { amount: '100', currency: 'usdxm', chain, txId } },
    lineItems: [{ delivery: { status: 'completed', rail: 'rtp', recipient: { paymentMethodId } } }],
  });
});

test('a smart wallet of the service pays with the memo in a nested call, another person’s does not, and the payer is told of a transaction that is not there', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const owner = 'userId:heidi';
  await aUser('heidi');
  await call('PUT', people(owner, '/identity-verification'));
  await eventually('verified', async () => {
    const { eligibility } = await call('GET', people(owner, '/identity-verification'));
    return eligibility.every((entry: { status: string }) => entry.status === 'verified');
  });
  const paymentMethodId = await aMethod(owner);
  const wallet = async (of: string) =>
    (
      await call(
        'POST',
        '/2025-06-09/wallets',
        {
          chainType: 'evm',
          type: 'smart',
          owner: of,
          config: { adminSigner: { type: 'api-key' } },
        },
        201,
      )
    ).address as string;
  const [payer, other] = [await wallet(owner), await wallet('userId:mallory')];
  const wrong = await stack.call('POST', '/2022-06-09/orders', {
    body: orderBody(paymentMethodId, other),
  });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'payer-wallet-mismatch']);
  await fund(payer, 1_000n);
  const created = await call('POST', '/2022-06-09/orders', orderBody(paymentMethodId, payer), 201);
  const { orderId, payment } = created.order;
  expect(payment.status).toBe('awaiting-payment');

  await call('POST', `/2022-06-09/orders/${orderId}/payment`, {
    type: 'crypto-tx-id',
    txId: `0x${'12'.repeat(32)}`,
  });
  await stack.advance(6 * 60_000);
  await until(
    orderId,
    'not found',
    (order) => order.payment.failureReason?.code === 'tx-id-not-found',
  );

  const { to, data } = parseTransaction(payment.preparation.serializedTransaction as Hex);
  const sent = await call(
    'POST',
    `/2025-06-09/wallets/${payer}/transactions`,
    { params: { chain, calls: [{ to, data, value: '0' }] } },
    201,
  );
  expect((await stack.waitForTransaction(payer, sent.id)).status).toBe('success');
  await until(orderId, 'paid', (order) => order.payment.status === 'completed');
  await eventually('the bank has it', async () =>
    (await events(orderId)).includes('payout-submitted'),
  );
  await stack.advance(7 * 24 * 3_600_000);
  const done = await until(
    orderId,
    'at the bank',
    (order) => order.lineItems[0].delivery.status === 'completed',
  );
  expect(done.lineItems[0].delivery.rail).toBe('ach');
  expect(done.payment).not.toHaveProperty('failureReason');
});

test('an mpc wallet of the service pays with one call, which is the deposit itself', {
  tags: 'slow',
}, async () => {
  const owner = await aUser('judy');
  await call('PUT', people(owner, '/identity-verification'));
  await eventually('verified', async () => {
    const { eligibility } = await call('GET', people(owner, '/identity-verification'));
    return eligibility.every((entry: { status: string }) => entry.status === 'verified');
  });
  const asked = { chainType: 'evm', type: 'mpc', owner };
  const { address: payer } = await call('POST', '/2025-06-09/wallets', asked, 201);
  await fund(payer, 150n);
  const body = orderBody(await aMethod(owner), payer);
  const { orderId, payment } = (await call('POST', '/2022-06-09/orders', body, 201)).order;
  expect(payment.status).toBe('awaiting-payment');
  const { to, data } = parseTransaction(payment.preparation.serializedTransaction as Hex);
  const params = { chain, call: { to, data } };
  const sent = await call('POST', `/2025-06-09/wallets/${payer}/transactions`, { params }, 201);
  const { status, onChain } = await stack.waitForTransaction(payer, sent.id);
  expect(status).toBe('success');
  const paid = await until(orderId, 'paid', (order) => order.payment.status === 'completed');
  expect(paid.payment.received).toMatchObject({ amount: '100', txId: onChain.txId });
});

test('a person who is refused does not pay', { tags: 'slow', timeout: 60_000 }, async () => {
  const owner = await aUser('ivan', sandboxNames.page);
  const account = privateKeyToAccount(generatePrivateKey());
  await call('PUT', people(owner, `/linked-wallets/${account.address}`), { chain });
  const { order } = await call(
    'POST',
    '/2022-06-09/orders',
    orderBody(await aMethod(owner), account.address),
    201,
  );
  // A check may outlive the price, which then is nobody's promise any more.
  await stack.advance(11 * 60_000);
  const waiting = await until(
    order.orderId,
    'without a price',
    ({ quote }) => quote.status === 'expired',
  );
  expect(waiting).toMatchObject({ phase: 'payment', payment: { status: 'requires-kyc' } });
  await enterName(order, sandboxNames.refuse);
  const refused = await until(
    order.orderId,
    'refused',
    ({ payment }) => payment.status === 'failed-kyc',
  );
  expect(refused).toMatchObject({
    phase: 'completed',
    quote: { status: 'expired' },
    payment: { failureReason: { code: 'kyc-rejected', retryPolicy: 'none' } },
  });
  expect(JSON.stringify(refused)).not.toContain('serializedTransaction');
});

/**
 * What the person does on the page of the identity company; the order's flow looks from time to
 * time what came of it.
 */
async function enterName(order: Body, firstName: string): Promise<void> {
  const { inquiryId } = order.payment.preparation.kyc;
  const { locator } = order.lineItems[0].delivery.recipient;
  await stack.ctx.providers.kyc!.sandbox!.submitPage(inquiryId, {
    firstName,
    lastName: 'Example',
    given: [],
  });
  const hasEnded = async () => {
    await stack.advance(5_000);
    const { eligibility } = await call('GET', people(locator, '/identity-verification'));
    return eligibility.some(
      ({ status }: { status: string }) => status === 'verified' || status === 'rejected',
    );
  };
  await expect.poll(hasEnded, { timeout: 20_000, interval: 250 }).toBe(true);
  await stack.advance(60_000);
}

async function events(orderId: string): Promise<string[]> {
  const { rows } = await stack.ctx.store.query<{ event: string }>({
    text: 'select event from order_moves where order_id = $1 order by nr',
    values: [orderId],
  });
  return rows.map(({ event }) => event);
}
