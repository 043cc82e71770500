import { afterAll, beforeAll, expect, it } from 'vitest';
import { fundTreasury } from '../../src/areas/treasury/index.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';

// A client that has read interface.md finishes orders where identity verification is on: it knows
// `preparation.kyc`, the message beside it, and what the address there shows a person. Nobody tells
// the service anything another way.

const chain = 'base-sepolia';
const token = 'usdxm';
/** A picture of one pixel. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true });
  // What is sold has to be there: `purser treasury fund`.
  await fundTreasury(stack.ctx, { projectId: stack.api.projectId, chain, token, amount: '5000' });
}, 180_000);
afterAll(() => stack?.close());

async function call(expected: number, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await stack.call(method, path, body === undefined ? {} : { body });
  expect([`${method} ${path}`, answer.status, answer.text]).toEqual([
    `${method} ${path}`,
    expected,
    expect.any(String),
  ]);
  return answer.body;
}

async function aWallet(owner: string): Promise<string> {
  const body = {
    chainType: 'evm',
    type: 'smart',
    owner,
    config: { adminSigner: { type: 'api-key' } },
  };
  return (await call(201, 'POST', '/2025-06-09/wallets', body)).address;
}

const createOnramp = async (walletAddress: string, amount: string) =>
  (
    await call(201, 'POST', '/2022-06-09/orders', {
      recipient: { walletAddress },
      payment: { method: 'card', receiptEmail: 'payer@example.com' },
      lineItems: [
        { tokenLocator: `${chain}:${token}`, executionParameters: { mode: 'exact-in', amount } },
      ],
    })
  ).order as Body;

/** Reads the order as clients do, with time passing between. */
async function poll(orderId: string, done: (order: Body) => boolean): Promise<Body> {
  let order: Body;
  for (let turn = 0; turn < 100; turn++) {
    order = await call(200, 'GET', `/2022-06-09/orders/${orderId}`);
    if (done(order)) return order;
    await stack.advance(2_500);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the order has not got there: ${JSON.stringify(order)}`);
}

/**
 * What a browser does with a link and its forms: begins, keeps the cookie, ticks every box, sends
 * the form back.
 */
async function fillIn(address: string, values: Readonly<Record<string, string>>): Promise<void> {
  const reach = (url: URL) => new URL(url.pathname + url.search, stack.api.baseUrl);
  let url = reach(new URL(address));
  let cookie = '';
  let page = await (await fetch(url)).text();
  const session = /name="session" value="([^"]+)"/.exec(page)?.[1];
  if (session !== undefined) {
    const begun = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ session }),
      redirect: 'manual',
    });
    cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
    url = reach(new URL(begun.headers.get('location')!, url));
    page = await (await fetch(url, { headers: { cookie } })).text();
  }
  const ticked = [...page.matchAll(/type="checkbox" name="([^"]+)"/g)].map(
    ([, name]) => [name!, 'on'] as const,
  );
  const body = new URLSearchParams({ ...values, ...Object.fromEntries(ticked) });
  const sent = await fetch(url, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
  expect([sent.status, sent.status === 303 ? '' : await sent.text()]).toEqual([303, '']);
}

const enterName = (order: Body) =>
  fillIn(order.payment.preparation.kyc.url, { firstName: 'Nina', lastName: 'Miller' });
const eligibilityOf = async (locator: string): Promise<Record<string, string>> => {
  const { eligibility } = await call(
    200,
    'GET',
    `/2025-06-09/users/${locator}/identity-verification`,
  );
  return Object.fromEntries(eligibility.map(({ type, status }: Body) => [type, status]));
};
const isPayable = ({ payment }: Body) => payment.status === 'awaiting-payment';
const kyc = {
  provider: 'sandbox',
  inquiryId: expect.any(String),
  sessionToken: expect.any(String),
  environmentId: expect.any(String),
};
const policy = {
  display: 'show-checkbox',
  type: 'svc-privacy-policy',
  url: expect.stringMatching(/^http/),
};

it('an onramp of a person who has given nothing says what to do, waits for it, and is paid and delivered after it', async () => {
  const locator = 'userId:nina';
  const address = await aWallet(locator);
  const created = await createOnramp(address, '25');
  expect(created).toMatchObject({
    phase: 'payment',
    payment: {
      status: 'requires-kyc',
      preparation: { kyc, message: expect.stringContaining('preparation.kyc.url') },
    },
    legal: { requirements: [policy] },
  });
  expect(
    (
      await fetch(
        created.legal.requirements[0].url.replace(
          /^http:\/\/[^/]+/,
          new URL(stack.api.baseUrl).origin,
        ),
      )
    ).status,
  ).toBe(200);
  // Nobody is verified by waiting.
  await stack.advance(60_000);
  const waiting = await poll(created.orderId, () => true);
  expect(waiting.payment).toEqual(created.payment);
  expect(Object.values(await eligibilityOf(locator))).not.toContain('verified');

  await enterName(created);
  const ready = await poll(created.orderId, isPayable);
  expect(ready.legal.requirements).toEqual([]);
  expect(ready.payment.preparation).not.toHaveProperty('kyc');
  expect(await eligibilityOf(locator)).toMatchObject({
    'onramp-light': 'verified',
    onramp: 'not-started',
    offramp: 'not-started',
  });

  await fillIn(ready.payment.preparation.card.url, {
    number: '4242424242424242',
    expiry: '12/34',
    cvc: '123',
  });
  const done = await poll(created.orderId, ({ phase }) => phase === 'completed');
  expect(done).toMatchObject({
    payment: { status: 'completed' },
    lineItems: [{ delivery: { status: 'completed' } }],
  });
}, 120_000);

it('an offramp of a person who has given nothing is paid out after the same', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const locator = 'userId:olga';
  const address = await aWallet(locator);
  await call(201, 'POST', `/v1-alpha2/wallets/${address}/balances`, { amount: 50, token, chain });
  const bankAddress = {
    line1: '1 Main Street',
    city: 'Springfield',
    stateOrRegion: 'CA',
    postalCode: '90210',
    country: 'US',
  };
  const method = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: {
      type: 'bank-account-us',
      userLocator: locator,
      bankAccount: {
        accountNumber: '000123456789',
        routingNumber: '021000021',
        accountType: 'checking',
        bankName: 'Example Bank',
        bankAddress,
        currency: 'usd',
        country: 'US',
        entityType: 'individual',
        billing: { name: 'Olga Miller', phone: '+14155550123', address: bankAddress },
      },
    },
  });
  const { order: created } = await call(201, 'POST', '/2022-06-09/orders', {
    recipient: { paymentMethodId: method.body.paymentMethodId, rail: 'rtp' },
    payment: {
      method: chain,
      currency: token,
      payerAddress: address,
      receiptEmail: 'olga@example.com',
    },
    lineItems: {
      currencyLocator: 'fiat:usd',
      executionParameters: { mode: 'exact-in', amount: '10' },
    },
  });
  expect(created).toMatchObject({
    phase: 'payment',
    payment: {
      status: 'requires-kyc',
      preparation: { kyc, message: expect.stringContaining('privacy policy') },
    },
    legal: { requirements: [policy] },
  });
  await enterName(created);
  const ready = await poll(created.orderId, isPayable);
  expect(ready.legal.requirements).toEqual([]);
  await call(201, 'POST', `/2025-06-09/wallets/${address}/transactions`, {
    params: { chain, calls: [{ transaction: ready.payment.preparation.serializedTransaction }] },
  });
  const done = await poll(created.orderId, ({ phase }) => phase === 'completed');
  expect(done).toMatchObject({
    payment: { status: 'completed' },
    lineItems: [{ delivery: { status: 'completed', rail: 'rtp' } }],
  });
});

it('a client that sends what the message names instead needs no page: the order goes on by itself', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const locator = 'userId:petra';
  const created = await createOnramp(await aWallet(locator), '1500');
  const { message } = created.payment.preparation;
  for (const named of [
    'PUT …/legal-documents',
    'userDetails',
    'kycData',
    'POST …/documents',
    'PUT …/identity-verification',
  ])
    expect(message).toContain(named);
  // Whoever holds the secret of an order for somebody else's wallet reads it too.
  expect(message).not.toContain(locator);
  expect(message).not.toContain('proof-of-address');
  const user = `/2025-06-09/users/${locator}`;
  await call(200, 'PUT', `${user}/legal-documents`, {
    type: 'svc-privacy-policy',
    acceptedAt: new Date().toISOString(),
  });
  const asked = await poll(created.orderId, ({ legal }) => legal.requirements.length === 0);
  expect(asked.payment.status).toBe('requires-kyc');
  await call(200, 'PUT', user, {
    userDetails: {
      firstName: 'Petra',
      lastName: 'Miller',
      dateOfBirth: '1990-05-04',
      countryOfResidence: 'DE',
    },
    kycData: {
      email: 'petra@example.com',
      phoneNumber: '+4915112345678',
      nationality: 'DE',
      addressOfResidence: { line1: 'Hauptstrasse 1', city: 'Berlin', postalCode: '10115' },
      identityDocument: { type: 'passport', number: 'C01X00T47', issuingCountryCode: 'DE' },
    },
  });
  // All but the picture is there: still nobody is verified for so much.
  await stack.advance(60_000);
  expect((await eligibilityOf(locator)).onramp).not.toBe('verified');
  await call(201, 'POST', `${user}/documents`, { documentType: 'id-passport', content: picture });
  await call(200, 'PUT', `${user}/identity-verification`);
  await poll(created.orderId, isPayable);
  expect(await eligibilityOf(locator)).toEqual({
    onramp: 'verified',
    'onramp-light': 'verified',
    offramp: 'requires-data',
    'offramp-light': 'verified',
    'regulated-transfer': 'requires-data',
  });
});

it('where the data has come, the order starts the check by itself', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const locator = 'userId:quinn';
  const created = await createOnramp(await aWallet(locator), '20');
  const user = `/2025-06-09/users/${locator}`;
  await call(200, 'PUT', `${user}/legal-documents`, {
    type: 'svc-privacy-policy',
    acceptedAt: new Date().toISOString(),
  });
  await call(200, 'PUT', user, {
    userDetails: {
      firstName: 'Quinn',
      lastName: 'Miller',
      dateOfBirth: '1990-05-04',
      countryOfResidence: 'DE',
    },
  });
  const ready = await poll(created.orderId, isPayable);
  expect(ready.payment.preparation).not.toHaveProperty('message');
});

it('a name and an accepted policy verify nobody for a large order: the sandbox asks for the rest, and covers what was asked for', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const locator = 'userId:rosa';
  const user = `/2025-06-09/users/${locator}`;
  const address = await aWallet(locator);
  await call(200, 'PUT', `${user}/legal-documents`, {
    type: 'svc-privacy-policy',
    acceptedAt: new Date().toISOString(),
  });
  await call(200, 'PUT', user, {
    userDetails: {
      firstName: 'Rosa',
      lastName: 'Miller',
      dateOfBirth: '1990-05-04',
      countryOfResidence: 'DE',
    },
  });
  const created = await createOnramp(address, '1500');
  expect(created).toMatchObject({
    payment: { status: 'requires-kyc', preparation: { kyc } },
    legal: { requirements: [] },
  });
  await stack.advance(60_000);
  const waiting = await poll(created.orderId, () => true);
  expect(waiting.payment).toEqual(created.payment);
  expect(Object.values(await eligibilityOf(locator))).not.toContain('verified');
  await enterName(created);
  await poll(created.orderId, isPayable);
  expect(await eligibilityOf(locator)).toEqual({
    onramp: 'verified',
    'onramp-light': 'verified',
    offramp: 'not-started',
    'offramp-light': 'verified',
    'regulated-transfer': 'not-started',
  });
});
