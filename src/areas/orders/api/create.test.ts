import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey } from '../../api-keys/index.ts';
import { setProductEnabled } from '../../identity/index.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { userErase } from '../../operator/people/erase-user.ts';
import { eraseUser } from '../../users/index.ts';
import { forgetOrders } from '../state/erase.ts';
import { selectOrder } from '../state/store.ts';
import {
  type OrdersWorld,
  ordersPath as path,
  refused,
  startOrdersWorld,
} from '../testing/orders-kit.ts';
import { writeOrder } from '../testing/write-order-kit.ts';

let world: OrdersWorld;
let stack: OrdersWorld['stack'];
let wallet: string;
let account: string;
beforeAll(async () => {
  world = await startOrdersWorld();
  ({ stack, wallet, account } = world);
}, 180_000);
afterAll(() => stack?.close());
beforeEach(() => world.settings({}));

const settings: OrdersWorld['settings'] = (...given) => world.settings(...given);
const create: OrdersWorld['create'] = (...given) => world.create(...given);
const created: OrdersWorld['created'] = (...given) => world.created(...given);
const offramp: OrdersWorld['offramp'] = (...given) => world.offramp(...given);
const onramp: OrdersWorld['onramp'] = (...given) => world.onramp(...given);
const checkout: OrdersWorld['checkout'] = (...given) => world.checkout(...given);
const item: OrdersWorld['item'] = (...given) => world.item(...given);
const anAccount: OrdersWorld['anAccount'] = (...given) => world.anAccount(...given);
const nobody = `0x${'ab'.repeat(20)}`;
const collection = (collectionLocator: string) => ({ lineItems: [{ collectionLocator }] });

describe('POST orders', () => {
  it('an offramp is priced and has its deposit instructions', { tags: 'slow' }, async () => {
    const { order, clientSecret } = await created();
    expect(clientSecret).toMatch(/^os_[\w-]{43}$/);
    expect(order).toMatchObject({
      phase: 'payment',
      locale: 'en-US',
      quote: { status: 'valid', totalPrice: { amount: '100', currency: 'usdc' } },
      payment: {
        status: 'awaiting-payment',
        method: 'base-sepolia',
        currency: 'usdc',
        receiptEmail: 'alice@example.com',
        preparation: {
          chain: 'base-sepolia',
          payerAddress: expect.any(String),
          serializedTransaction: expect.stringMatching(/^0x[0-9a-f]+$/),
          transactionParameters: { amount: '100000000', memo: expect.any(String) },
        },
      },
      legal: { requirements: [] },
    });
    expect(Date.parse(order.quote.expiresAt) - Date.parse(order.quote.quotedAt)).toBe(600_000);
    expect(order.lineItems).toHaveLength(1);
    expect(order.lineItems[0]).toMatchObject({
      chain: 'base-sepolia',
      executionMode: 'exact-in',
      executionParams: {
        mode: 'exact-in',
        amount: '100',
        outFiatCurrency: 'usd',
        effectiveAmount: '99',
      },
      maxSlippageBps: '100',
      quantity: 1,
      quote: {
        status: 'valid',
        charges: {
          unit: { amount: '99', currency: 'usd' },
          fees: [{ type: 'service', amount: '1', currency: 'usd' }],
        },
        totalPrice: { amount: '100', currency: 'usd' },
        quantityRange: { lowerBound: '98.01', upperBound: '99' },
      },
      delivery: { status: 'awaiting-payment', recipient: { paymentMethodId: account } },
    });
  });

  it('an offramp of somebody whom nobody knows yet waits for the identity check', async () => {
    await setProductEnabled(stack.ctx, { projectId: stack.api.projectId, enabled: true });
    await settings({ kycRequired: true });
    const payer = await stack.call('POST', '/2025-06-09/wallets', {
      body: {
        chainType: 'evm',
        type: 'smart',
        owner: 'userId:newcomer',
        config: { adminSigner: { type: 'api-key' } },
      },
    });
    const recipient = { paymentMethodId: await anAccount('userId:newcomer') };
    const { order } = await created(
      offramp({ recipient, payment: { ...offramp().payment, payerAddress: payer.body.address } }),
    );
    await setProductEnabled(stack.ctx, { projectId: stack.api.projectId, enabled: false });
    expect([order.phase, order.payment.status]).toEqual(['payment', 'requires-kyc']);
    expect(order.payment.preparation).not.toHaveProperty('serializedTransaction');
  });

  it('an onramp is priced in the currency of the card', async () => {
    const { order } = await created(
      onramp({ payment: { method: 'card', currency: 'eur', receiptEmail: 'a@example.com' } }),
    );
    // 100 EUR less 1 % and 2.9 % and $0.30, which is 0.27 EUR, at 1 / 1.1.
    expect(order.lineItems[0].quote.charges.fees).toEqual([
      { type: 'service', amount: '1', currency: 'eur' },
      { type: 'card', amount: '3.17', currency: 'eur' },
    ]);
    expect(order.quote.totalPrice).toEqual({ amount: '100', currency: 'eur' });
    expect(order.lineItems[0].executionParams.effectiveAmount).toBe('105.413');
    expect(order.lineItems[0].chain).toBe('base-sepolia');
  });

  it('exact-out delivers exactly what was asked for', async () => {
    const { order } = await created(
      onramp(
        item({ executionParameters: { mode: 'exact-out', amount: '50', maxSlippageBps: '25' } }),
      ),
    );
    expect(order.lineItems[0]).toMatchObject({
      maxSlippageBps: '25',
      executionParams: { amount: '50', effectiveAmount: '50' },
      quote: {
        charges: { unit: { amount: '50' } },
        quantityRange: { lowerBound: '50', upperBound: '50' },
      },
    });
    const parts = order.lineItems[0].quote.charges.fees.map(
      (fee: { amount: string }) => Number(fee.amount) * 100,
    );
    expect(parts.reduce((sum: number, part: number) => sum + Math.round(part), 5_000)).toBe(
      Math.round(Number(order.quote.totalPrice.amount) * 100),
    );
  });

  it('a checkout is paid in one token and delivers another', async () => {
    const { order } = await created(checkout());
    expect(order.quote.totalPrice).toEqual({ amount: '25.25', currency: 'usdc' });
    expect(order.lineItems[0].quote).toMatchObject({
      charges: { unit: { amount: '25', currency: 'usd' } },
      totalPrice: { amount: '25.25' },
    });
  });

  it('main chain names mean their test networks', async () => {
    const { order } = await created(offramp({ payment: { ...offramp().payment, method: 'base' } }));
    expect([order.payment.method, order.lineItems[0].chain]).toEqual([
      'base-sepolia',
      'base-sepolia',
    ]);
  });

  it('an order is found in the list by its wallet, however its address is written', async () => {
    const { id } = await created(onramp());
    const find = async (recipientAddress: string) => {
      const { body } = await stack.call(
        'GET',
        `${path}?${new URLSearchParams({ recipientAddress, orderId: id })}`,
      );
      return body.data.map(({ orderId }: { orderId: string }) => orderId);
    };
    for (const spelling of [wallet, wallet.toLowerCase(), `0x${wallet.slice(2).toUpperCase()}`])
      expect([spelling, await find(spelling)]).toEqual([spelling, [id]]);
    expect(await find(`0x${'ab'.repeat(20)}`)).toEqual([]);
  });

  it('what is missing or cannot be had is told in the quote', async () => {
    const { order: noRecipient } = await created(onramp({ recipient: undefined }));
    expect([
      noRecipient.phase,
      noRecipient.payment.status,
      noRecipient.quote.status,
      noRecipient.lineItems[0].quote.status,
    ]).toEqual(['quote', 'requires-quote', 'requires-recipient', 'requires-recipient']);
    const { order: notSold } = await created(
      onramp(item({ tokenLocator: `base-sepolia:0x${'12'.repeat(20)}` })),
    );
    expect([notSold.quote.status, notSold.lineItems[0].quote]).toEqual([
      'all-line-items-unavailable',
      {
        status: 'item-unavailable',
        unavailabilityReason: { code: 'token-not-offered', message: expect.any(String) },
      },
    ]);
  });

  it('a draft is priced, stored nowhere and payable by nobody', async () => {
    const { status, body } = await create({ ...onramp(), state: 'draft' });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('clientSecret');
    expect(body.order).toMatchObject({
      phase: 'quote',
      quote: { status: 'valid' },
      payment: { status: 'draft' },
    });
    expect(body.order.lineItems[0]).toMatchObject({
      delivery: { status: 'draft' },
      quote: { quantityRange: { upperBound: '95.8' } },
    });
    expect(await refused(stack.call('GET', `${path}/${body.order.orderId}`))).toEqual([
      404,
      undefined,
    ]);
  });

  it.each<[string, () => unknown, number, string]>([
    ['an unknown field', () => ({ ...onramp(), extra: 1 }), 400, 'validation-error'],
    [
      'an unknown field of the recipient',
      () => onramp({ recipient: { walletAddress: wallet, x: 1 } }),
      400,
      'validation-error',
    ],
    [
      'an unknown field of the line item',
      () => onramp(item({ price: '1' })),
      400,
      'validation-error',
    ],
    ['no payment', () => ({ ...onramp(), payment: undefined }), 400, 'validation-error'],
    ['no line items', () => ({ ...onramp(), lineItems: undefined }), 400, 'validation-error'],
    [
      'two line items',
      () => onramp({ lineItems: [onramp().lineItems[0], onramp().lineItems[0]] }),
      400,
      'validation-error',
    ],
    ['an empty list', () => onramp({ lineItems: [] }), 400, 'validation-error'],
    [
      'an external order',
      () => ({ ...onramp(), lineItems: undefined, externalOrder: {} }),
      400,
      'validation-error',
    ],
    [
      'a collection that nobody registered',
      () => onramp(collection(`base-sepolia:${nobody}`)),
      400,
      'token-not-supported',
    ],
    [
      'a collection that is none',
      () => checkout(collection('base-sepolia:0xabc')),
      400,
      'validation-error',
    ],
    [
      'a token with an id that nobody sells',
      () => checkout({ lineItems: [{ tokenLocator: `base-sepolia:${nobody}:1` }] }),
      400,
      'token-not-supported',
    ],
    ['an unknown language', () => onramp({ locale: 'xx-XX' }), 400, 'validation-error'],
    [
      'no execution parameters',
      () => onramp(item({ executionParameters: undefined })),
      400,
      'validation-error',
    ],
    [
      'two things at once',
      () => onramp(item({ currencyLocator: 'fiat:usd' })),
      400,
      'validation-error',
    ],
    [
      'an amount as a number',
      () => onramp(item({ executionParameters: { mode: 'exact-in', amount: 5 } })),
      400,
      'validation-error',
    ],
    [
      'an amount of 0',
      () => onramp(item({ executionParameters: { mode: 'exact-in', amount: '0' } })),
      400,
      'validation-error',
    ],
    [
      'a negative amount',
      () => onramp(item({ executionParameters: { mode: 'exact-in', amount: '-5' } })),
      400,
      'validation-error',
    ],
    [
      'a fraction of a cent',
      () => onramp(item({ executionParameters: { mode: 'exact-in', amount: '5.001' } })),
      400,
      'validation-error',
    ],
    [
      'an unknown mode',
      () => onramp(item({ executionParameters: { mode: 'about', amount: '5' } })),
      400,
      'validation-error',
    ],
    [
      'slippage as a number',
      () =>
        onramp(item({ executionParameters: { mode: 'exact-in', amount: '5', maxSlippageBps: 5 } })),
      400,
      'validation-error',
    ],
    [
      'slippage above half',
      () =>
        onramp(
          item({ executionParameters: { mode: 'exact-in', amount: '5', maxSlippageBps: '5001' } }),
        ),
      400,
      'validation-error',
    ],
    [
      'a token locator that cannot be read',
      () => onramp(item({ tokenLocator: 'usdc' })),
      400,
      'validation-error',
    ],
    [
      'a token that nobody has',
      () => onramp(item({ tokenLocator: 'base-sepolia:nosuch' })),
      400,
      'token-not-supported',
    ],
    [
      'a token on an unknown chain',
      () => onramp(item({ tokenLocator: 'nowhere:usdc' })),
      400,
      'chain-not-supported',
    ],
    [
      'a currency that cards are not charged in',
      () => onramp({ payment: { method: 'card', currency: 'xyz' } }),
      400,
      'validation-error',
    ],
    [
      'a payer of a card',
      () => onramp({ payment: { method: 'card', payerAddress: wallet } }),
      400,
      'validation-error',
    ],
    [
      'an address for receipts that is none',
      () => onramp({ payment: { method: 'card', receiptEmail: 'nobody' } }),
      400,
      'validation-error',
    ],
    [
      'a wallet and an e-mail',
      () => onramp({ recipient: { walletAddress: wallet, email: 'a@example.com' } }),
      400,
      'validation-error',
    ],
    [
      'a payout method for tokens',
      () => onramp({ recipient: { paymentMethodId: account } }),
      400,
      'validation-error',
    ],
    [
      'a card scheme of somebody else',
      () => onramp({ payment: { method: 'stripe-payment-element' } }),
      400,
      'payment-method-not-supported',
    ],
    [
      'a country of three letters',
      () =>
        checkout({
          recipient: {
            walletAddress: wallet,
            physicalAddress: { name: 'A', line1: 'B', city: 'C', postalCode: '1', country: 'USA' },
          },
        }),
      400,
      'validation-error',
    ],
    [
      'less than the card minimum',
      () => onramp(item({ executionParameters: { mode: 'exact-in', amount: '0.49' } })),
      400,
      'amount-below-minimum',
    ],
    [
      'what the fees eat up',
      () =>
        offramp({
          lineItems: {
            currencyLocator: 'fiat:usd',
            executionParameters: { mode: 'exact-in', amount: '0.001' },
          },
        }),
      400,
      'amount-below-minimum',
    ],
    [
      'an offramp by card',
      () => offramp({ payment: { method: 'card' } }),
      400,
      'payment-method-not-supported',
    ],
    [
      'an offramp without a payer',
      () => offramp({ payment: { method: 'base-sepolia', currency: 'usdc' } }),
      400,
      'validation-error',
    ],
    [
      'an offramp without a payout method',
      () => offramp({ recipient: {} }),
      400,
      'validation-error',
    ],
    [
      'an offramp to a wallet',
      () => offramp({ recipient: { paymentMethodId: account, walletAddress: wallet } }),
      400,
      'validation-error',
    ],
    [
      'an offramp of an exact payout',
      () =>
        offramp({
          lineItems: {
            currencyLocator: 'fiat:usd',
            executionParameters: { mode: 'exact-out', amount: '5' },
          },
        }),
      400,
      'validation-error',
    ],
    [
      'fiat that nobody pays out',
      () =>
        offramp({
          lineItems: {
            currencyLocator: 'fiat:xau',
            executionParameters: { mode: 'exact-in', amount: '5' },
          },
        }),
      400,
      'validation-error',
    ],
    [
      'fiat of another account',
      () =>
        offramp({
          lineItems: {
            currencyLocator: 'fiat:eur',
            executionParameters: { mode: 'exact-in', amount: '5' },
          },
        }),
      400,
      'payment-method-not-supported',
    ],
    [
      'a deposit in fiat',
      () => offramp({ payment: { ...offramp().payment, currency: 'usd' } }),
      400,
      'validation-error',
    ],
    [
      'a deposit in a token that is not taken',
      () => offramp({ payment: { ...offramp().payment, currency: 'sol' } }),
      400,
      'token-not-supported',
    ],
    [
      'a deposit nowhere',
      () => offramp({ payment: { ...offramp().payment, method: 'nowhere' } }),
      400,
      'payment-method-not-supported',
    ],
    [
      'a payer address that is none',
      () => offramp({ payment: { ...offramp().payment, payerAddress: '0x12' } }),
      400,
      'validation-error',
    ],
    [
      'a payer that nobody linked',
      () => offramp({ payment: { ...offramp().payment, payerAddress: `0x${'34'.repeat(20)}` } }),
      400,
      'ExternalWalletNotLinkedToUserError',
    ],
    [
      'an unknown payout method',
      () => offramp({ recipient: { paymentMethodId: '01a200c0-3ac2-7699-98d7-2fd5c3f56fe7' } }),
      404,
      'payment-method-not-found',
    ],
    [
      'a rail that the account has not',
      () => offramp({ recipient: { paymentMethodId: account, rail: 'sepa' } }),
      400,
      'rail-not-supported',
    ],
  ])('%s is refused', async (_, body, status, code) => {
    expect(await refused(create(body()))).toEqual([status, code]);
  });

  it('a rail that is not supported is answered with the status and the supported list', async () => {
    const { body } = await create(
      offramp({ recipient: { paymentMethodId: account, rail: 'sepa' } }),
    );
    expect(body).toEqual({
      error: true,
      code: 'rail-not-supported',
      message: expect.stringMatching(/Status: active; supported: ach, wire, rtp/),
    });
  });

  it('a field of a line item that is wrong is named, in a list or without one', async () => {
    const wrong = item({ executionParameters: { mode: 'exact-in', amount: 5 } }).lineItems;
    for (const lineItems of [wrong, wrong[0]]) {
      const { body } = await create(onramp({ lineItems }));
      expect(body.message).toContain(
        'body.lineItems: executionParameters.amount: must be text, and is a number',
      );
    }
    expect((await create(onramp(item({ price: '1' })))).body.message).toContain(
      'body.lineItems: has a field that is not known: leave out "price"',
    );
    expect((await create(onramp({ lineItems: 'usdc' }))).body.message).toContain(
      'must be a line item, or a list of them',
    );
  });

  it('where a project takes no token, that is said', async () => {
    await settings({ tokens: [] });
    const { body } = await create(offramp());
    expect(body.code).toBe('token-not-supported');
    expect(body.message).toMatch(
      /is not taken on base-sepolia\. This project takes no deposits there: name another chain\.$/,
    );
  });

  it('the wallet and the bank account have to be of one user', async () => {
    const other = await anAccount('userId:bob');
    expect(await refused(create(offramp({ recipient: { paymentMethodId: other } })))).toEqual([
      400,
      'payer-wallet-mismatch',
    ]);
  });

  it('a fee of the rail is part of the price, also when the rail is the default', async () => {
    await settings({
      fees: [
        { type: 'rail', rail: 'ach', fixedUsd: '0.10' },
        { type: 'service', bps: 0 },
      ],
    });
    const { order } = await created();
    expect(order.lineItems[0].quote.charges.fees).toEqual([
      { type: 'rail', amount: '0.1', currency: 'usd' },
    ]);
    const { order: wired } = await created(
      offramp({ recipient: { paymentMethodId: account, rail: 'wire' } }),
    );
    expect(wired.lineItems[0].quote.charges.fees).toEqual([
      { type: 'rail', amount: '5', currency: 'usd' },
    ]);
  });

  it('legal requirements are those of the project', async () => {
    const legal = [
      { display: 'show-checkbox' as const, type: 'terms', url: 'https://example.com/terms' },
    ];
    await settings({ legal });
    expect((await created()).order.legal.requirements).toEqual(legal);
  });

  it('a repeat with the same idempotency key answers the same order and the same secret', async () => {
    const call = { headers: { 'x-idempotency-key': 'order-1' } };
    const [first, again] = [await created(offramp(), call), await created(offramp(), call)];
    expect(again).toMatchObject({ id: first.id, clientSecret: first.clientSecret });
    // The process died before it stored the answer.
    await stack.ctx.store.query({
      text: `update idempotency_keys set status = null, body = null, lease_until = '2020-01-01'`,
    });
    expect(await created(offramp(), call)).toMatchObject({
      id: first.id,
      clientSecret: first.clientSecret,
    });
    expect(await refused(create(onramp(), call))).toEqual([422, 'idempotency-key-reused']);
  });

  it('client keys create; a server key needs orders.create, or orders', async () => {
    await created(onramp(), { key: stack.api.clientKey });
    const { projectId } = stack.api;
    for (const [scopes, status] of [
      [['orders'], 201],
      [['orders.create'], 201],
      [['orders.read', 'orders.update'], 403],
    ] as const) {
      const { key } = await issueKey(stack.ctx, { projectId, kind: 'server', scopes: [...scopes] });
      expect((await create(onramp(), { key })).status, scopes.join()).toBe(status);
    }
  });
});

describe('the erasure of a person', () => {
  it('takes them out of their orders, whose amounts stay, and waits while money is on its way', async () => {
    const { id } = await created(
      offramp({ payment: { ...offramp().payment, receiptEmail: 'canary-of-alice@example.com' } }),
    );
    const { userId } = (await selectOrder(stack.ctx.store, { by: 'id', id }))!;
    const users = userId === undefined ? [] : [userId];
    if (users.length === 0) {
      users.push(stack.ctx.ids.randomUuid());
      await writeOrder(
        stack.ctx.store,
        'update orders set user_id = $2 where id = $1',
        id,
        users[0],
      );
    }
    const forget = () =>
      stack.ctx.store.transaction((tx) =>
        forgetOrders(tx, { projectId: stack.api.projectId, userIds: users, locators: [] }),
      );
    await world.putInto(id, 'payout_submitted');
    await expect(forget()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(id),
    });
    await world.putInto(id, 'payout_final');
    expect(await forget()).toContain(id);
    const { rows } = await stack.ctx.store.query<{ row: string }>({
      text: 'select o::text as row from orders o where id = $1',
      values: [id],
    });
    expect(rows[0]!.row).not.toContain('canary-of-alice');
    expect((await stack.call('GET', `${path}/${id}`)).body).toMatchObject({
      orderId: id,
      quote: { totalPrice: { amount: '100' } },
    });
  });

  it('takes somebody out of an order that never came as far as a user', async () => {
    const email = 'canary-of-carol@example.com';
    const { id } = await created(
      onramp({ payment: { method: 'card', currency: 'usd', receiptEmail: email } }),
    );
    await writeOrder(
      stack.ctx.store,
      `update orders set user_id = null, user_locator = $2 where id = $1`,
      id,
      `email:${email}`,
    );
    const { projectId } = stack.api;
    await performRule(stack.ctx, userErase, {
      actor: commandLineActor(),
      projectId,
      params: { locator: `email:${email.toUpperCase()}` },
      reason: 'test',
    });
    const { rows } = await stack.ctx.store.query<{ row: string }>({
      text: `select o::text as row from orders o where id = $1
        union all select e::text from events e where object = 'order:' || $1::text union all select e::text from outbox e where object = 'order:' || $1::text`,
      values: [id],
    });
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map(({ row }) => row).join()).not.toContain('canary-of-carol');
    expect((await selectOrder(stack.ctx.store, { by: 'id', id }))!.sealProblem).toBeUndefined();
  });

  it('takes the answer along that an idempotency key kept, which no dump shows before either: a repeat makes no second order', async () => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() };
    const body = onramp({
      payment: { method: 'card', currency: 'usd', receiptEmail: 'canary-of-bob@example.com' },
    });
    const first = await create(body, { headers });
    const kept = async () =>
      (
        await stack.ctx.store.query<{ row: string }>({
          text: 'select k::text as row from idempotency_keys k',
        })
      ).rows
        .map(({ row }) => row)
        .join();
    for (const secret of ['canary-of-bob', first.body.clientSecret]) {
      expect(first.text).toContain(secret);
      expect(await kept()).not.toContain(secret);
    }
    expect((await create(body, { headers })).text).toBe(first.text);
    const { projectId } = stack.api;
    const eraseElsewhere = async () => false;
    await eraseUser(stack.ctx, {
      projectId,
      locator: 'email:canary-of-bob@example.com',
      eraseElsewhere,
      onErase: async () => false,
    });
    const again = await create(body, { headers });
    expect([again.status, again.body.code, again.text.includes('canary')]).toEqual([
      404,
      'user-not-found',
      false,
    ]);
    const { body: orders } = await stack.call('GET', `${path}?orderId=${first.body.order.orderId}`);
    expect(orders.data).toHaveLength(1);
  });
});
