import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectLedgerBalanced } from '../../../test/harness/ledger.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { sandboxCards } from '../../providers/card/index.ts';
import type { Store } from '../../store/types.ts';
import { resolveByContinuing, resolveByRefund } from '../orders/operator/operator.ts';
import {
  accountBalance,
  cardPaymentOf,
  clearingBalances,
  orderEvents,
  orderRecord,
  payByCard,
  untilState,
} from '../orders/testing/onramp-kit.ts';
import { selectTransfersOfSubject } from '../treasury/index.ts';
import {
  anAddress,
  aTokenPayer,
  type CollectionsWorld,
  collectionsChain as chain,
  startCollectionsWorld,
} from './collections-kit.ts';

let world: CollectionsWorld;
let stack: CollectionsWorld['stack'];
beforeAll(async () => {
  world = await startCollectionsWorld();
  ({ stack } = world);
}, 120_000);
afterAll(() => world?.close());
afterEach(() => expectLedgerBalanced(stack.ctx.store));

const add = (...argv: string[]) => world.purser('add', '--chain', chain, ...argv);
const freeOrder = (collectionLocator: string, over: object = {}) => ({
  recipient: { walletAddress: anAddress() },
  payment: { method: 'card' },
  lineItems: [{ collectionLocator, ...over }],
});
const cardOrder = (collectionLocator: string, over: object = {}) => ({
  ...freeOrder(collectionLocator, over),
  payment: { method: 'card', receiptEmail: 'fan@example.com' },
});
async function created(body: object) {
  const answer = await world.create(body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.order;
}
const takenOf = async (id: string) => (await world.purser('show', id)).taken;
const transfersOf = async (id: string) =>
  (await selectTransfersOfSubject(stack.ctx.store, `order:${id}`)).map(({ status }) => status);

describe('purser collections', () => {
  it('adds a collection that the treasury may mint, with what the contract says of itself', async () => {
    const offer = await world.sellPictures('--price', '12.50', '--supply', '3');
    expect(offer).toMatchObject({
      kind: 'mint',
      standard: 'erc721',
      mintFunction: 'mintTo(address to)',
      name: 'Test pictures',
      symbol: 'TPIC',
      price: { amount: '12.50', currency: 'usd' },
      supplyMax: 3,
      perOrderMax: 10,
      taken: 0,
    });
    expect(await world.purser('show', offer.id)).toEqual(offer);
    expect(await world.purser('stop', offer.id)).toEqual({ id: offer.id, stopped: true });
    expect(await world.purser('stop', offer.id)).toEqual({ id: offer.id, stopped: false });
    expect((await world.purser('list')).some(({ id }: { id: string }) => id === offer.id)).toBe(
      false,
    );
    expect(
      (await world.purser('list', '--all')).some(({ id }: { id: string }) => id === offer.id),
    ).toBe(true);
  });

  it.each<[string, () => string[], string]>([
    [
      'neither a price nor --free',
      () => ['--contract', world.pictures],
      'Say --price 12.50, or --free',
    ],
    [
      'a price of 0',
      () => ['--contract', world.pictures, '--price', '0'],
      'say that the item is free',
    ],
    [
      'a fraction of a cent',
      () => ['--contract', world.pictures, '--price', '1.005'],
      'send at most 2',
    ],
    [
      'a currency without prices',
      () => ['--contract', world.pictures, '--price', '1', '--currency', 'doge'],
      'is one of usd, eur',
    ],
    [
      'an address without a contract',
      () => ['--contract', anAddress(), '--free'],
      'neither that it is ERC-721 nor ERC-1155',
    ],
    [
      'an edition without its id',
      () => ['--contract', world.editions, '--free'],
      'name the one that is minted',
    ],
    [
      'an id with leading zeros',
      () => ['--contract', world.editions, '--token-id', '007', '--free'],
      'with decimal digits',
    ],
    [
      'an id that is written in hex',
      () => ['--contract', world.editions, '--token-id', '0x7', '--free'],
      'with decimal digits',
    ],
    [
      'another standard',
      () => ['--contract', world.pictures, '--free', '--standard', 'erc1155'],
      'says that it is erc721',
    ],
    [
      'a mint function that is not there',
      () => ['--contract', world.pictures, '--free', '--mint', 'give(address)'],
      'cannot mint',
    ],
    [
      'a function that mints nothing',
      () => ['--contract', world.pictures, '--free', '--mint', 'balanceOf(address)'],
      'no item comes out of it',
    ],
    [
      'an argument that nobody gives',
      () => ['--contract', world.pictures, '--free', '--mint', 'mintTo(address to, string uri)'],
      'callData.uri is missing',
    ],
    [
      'more per order than one operation mints',
      () => ['--contract', world.pictures, '--free', '--per-order', '50'],
      'at most 20 items',
    ],
    [
      'an image that is no address',
      () => ['--contract', world.pictures, '--free', '--image', 'javascript:1'],
      'begins with https://',
    ],
  ])('refuses %s, and says what to do', async (_, argv, message) => {
    await expect(add(...argv())).rejects.toThrow(message);
  });

  it('refuses a collection of somebody else: the treasury cannot mint there', async () => {
    await world.setClosed(world.pictures, true);
    await expect(world.sellPictures('--free')).rejects.toThrow(
      `The treasury ${world.treasury} cannot mint: make it the owner`,
    );
    await world.setClosed(world.pictures, false);
  });

  it('refuses to offer the same twice', async () => {
    const { id } = await add('--contract', world.editions, '--token-id', '1', '--free');
    await expect(
      add('--contract', world.editions, '--token-id', '1', '--price', '3'),
    ).rejects.toThrow('stop that first');
    await world.purser('stop', id);
    await add('--contract', world.editions, '--token-id', '1', '--price', '3');
  });

  it('refuses to sell a token that the treasury does not hold', async () => {
    await expect(
      world.purser('sell', `${chain}:${world.editions}:900`, '--price', '3'),
    ).rejects.toThrow('holds 0 of');
  });
});

describe('orders of items', () => {
  it('are refused before anything is stored where nothing such is sold', async () => {
    const count = async () =>
      (await stack.ctx.store.query({ text: 'select 1 from orders' })).rowCount;
    const before = await count();
    const { id } = await world.sellPictures('--free');
    await world.purser('stop', id);
    const other = anAddress();
    for (const lineItem of [
      { collectionLocator: id },
      { collectionLocator: `${chain}:${other}` },
      { collectionLocator: `${chain}:${world.editions}:77` },
      { collectionLocator: stack.ctx.ids.uuid() },
      { tokenLocator: `${chain}:${world.pictures}:1` },
    ]) {
      const { status, body } = await world.create({ ...freeOrder(''), lineItems: [lineItem] });
      expect([status, body.code, body.message]).toEqual([
        400,
        'token-not-supported',
        expect.stringContaining('does not sell'),
      ]);
    }
    expect(await count()).toBe(before);
  });

  it.each<[string, object, string]>([
    ['more than the limit per order', { callData: { quantity: 4 } }, 'may have 3 of'],
    ['a count that is none', { callData: { quantity: 'two' } }, 'a whole number from 1'],
    [
      'two counts',
      { callData: { quantity: 2 }, executionParameters: { mode: 'exact-out', amount: '3' } },
      'is not what',
    ],
    [
      'an amount of money',
      { executionParameters: { mode: 'exact-in', amount: '3' } },
      'is exact-out',
    ],
  ])('refuse %s', async (_, over, message) => {
    const { id } = await world.sellPictures('--free', '--per-order', '3');
    const { status, body } = await world.create(freeOrder(id, over));
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('are held to the limits of an offer also where several line items take of it', async () => {
    const payer = await aTokenPayer(world);
    const { id } = await world.sellPictures('--free', '--per-order', '3', '--supply', '2');
    const ask = async (count: number) => {
      const lineItems = Array.from({ length: count }, () => ({ collectionLocator: id }));
      const { status, body } = await world.create({
        ...freeOrder(''),
        payment: payer.payment,
        lineItems,
      });
      return [status, body.message];
    };
    expect(await ask(4)).toEqual([
      400,
      expect.stringContaining('one order may have 3 of "Test pictures", not 4'),
    ]);
    expect(await ask(3)).toEqual([
      400,
      'lineItems[2]: Of "Test pictures" 2 are left. Leave it out.',
    ]);
    expect(await takenOf(id)).toBe(0);
  });

  it('of one recipient are as many as they may have, also when the first is not delivered yet', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.sellPictures('--free', '--per-recipient', '2');
    const body = freeOrder(id, { callData: { quantity: 2 } });
    await untilState(stack, (await created(body)).orderId, 'delivered');
    const refused = await world.create(body);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('one recipient may have 2'),
    ]);
    expect(
      (await world.create({ ...body, recipient: { walletAddress: anAddress() } })).status,
    ).toBe(201);
  });

  it('for the last piece at the same moment: one has it, the others are told that it is sold out', async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const answers = await Promise.all(Array.from({ length: 5 }, () => created(cardOrder(id))));
    const statuses = answers.map(({ lineItems }) => lineItems[0].quote.status).toSorted();
    expect(statuses).toEqual([
      'item-unavailable',
      'item-unavailable',
      'item-unavailable',
      'item-unavailable',
      'valid',
    ]);
    const lost = answers.find(({ quote }) => quote.status !== 'valid');
    expect([lost.quote.status, lost.lineItems[0].quote.unavailabilityReason]).toEqual([
      'all-line-items-unavailable',
      { code: 'sold-out', message: '"Test pictures" is sold out.' },
    ]);
    expect(await takenOf(id)).toBe(1);
    // Given back when the quote ends unpaid: then whoever asks again has it.
    await stack.advance(11 * 60_000);
    await untilState(
      stack,
      answers.find(({ quote }) => quote.status === 'valid').orderId,
      'quote_expired',
    );
    expect(await takenOf(id)).toBe(0);
    const recipient = { walletAddress: anAddress() };
    const again = await stack.call('PATCH', `/2022-06-09/orders/${lost.orderId}`, {
      body: { recipient },
    });
    expect([again.status, again.body.quote.status, await takenOf(id)]).toEqual([200, 'valid', 1]);
  });

  it('that a PATCH prices anew keep what they hold, and hold it once', async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const { payerAddress: _, ...payment } = (await aTokenPayer(world)).payment;
    const order = await created({ ...freeOrder(id), payment });
    expect(order.payment.status).toBe('requires-crypto-payer-address');
    const { status, body } = await stack.call('PATCH', `/2022-06-09/orders/${order.orderId}`, {
      body: { payment: { ...payment, currency: 'eth' } },
    });
    expect([status, body.quote.totalPrice.currency, await takenOf(id)]).toEqual([200, 'eth', 1]);
  });

  it('that are paid after their quote have the item while it is there, else the money goes back', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const [first, second] = [await aTokenPayer(world), await aTokenPayer(world)];
    const late = await created({ ...freeOrder(id), payment: first.payment });
    await stack.advance(11 * 60_000);
    await untilState(stack, late.orderId, 'quote_expired');
    const quicker = await created({ ...freeOrder(id), payment: second.payment });
    expect([quicker.quote.status, await takenOf(id)]).toEqual(['valid', 1]);
    await first.pay(late);
    const { payment } = await untilState(stack, late.orderId, 'refunded');
    expect([payment.failureReason.message, await first.held()]).toEqual([
      expect.stringContaining('it is sent back'),
      100_000_000n,
    ]);
    await stack.advance(11 * 60_000);
    await untilState(stack, quicker.orderId, 'quote_expired');
    await second.pay(quicker);
    await untilState(stack, quicker.orderId, 'delivered');
    expect(await takenOf(id)).toBe(1);
  });

  it('that are free wait for their recipient alone', { tags: 'slow' }, async () => {
    const { id } = await world.sellPictures('--free');
    const { orderId, quote } = await created({ ...freeOrder(id), recipient: {} });
    expect(quote.status).toBe('requires-recipient');
    const body = { recipient: { email: 'winner@example.com' }, payment: { method: 'card' } };
    expect((await stack.call('PATCH', `/2022-06-09/orders/${orderId}`, { body })).status).toBe(200);
    const { lineItems, payment } = await untilState(stack, orderId, 'delivered');
    expect([payment.status, payment.totalPaid]).toEqual([
      'completed',
      { amount: '0', currency: 'usd' },
    ]);
    const { recipient, tokens } = lineItems[0].delivery;
    expect(await world.held(world.pictures, recipient.walletAddress, tokens[0].tokenId)).toBe(1n);
  });
});

describe('a mint that reverts', () => {
  it('gives a card payment back before it is taken, when that is seen in time', async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const { orderId } = await created(cardOrder(id));
    await world.setClosed(world.pictures, true);
    try {
      await payByCard(stack, orderId, sandboxCards.approved.number);
      const order = await untilState(stack, orderId, 'payment_failed');
      expect(order.payment).toMatchObject({
        status: 'failed',
        failureReason: { retryPolicy: 'new-order' },
      });
    } finally {
      await world.setClosed(world.pictures, false);
    }
    expect([
      (await cardPaymentOf(stack, orderId)).capturedMinor,
      await transfersOf(orderId),
      await takenOf(id),
    ]).toEqual([0n, [], 0]);
  });

  it('gives a card payment back that was taken, when the chain refuses what the simulation allowed', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const { orderId, quote } = await created(cardOrder(id));
    await stack.chainCall(chain, 'evm_setAutomine', [false]);
    try {
      // It waits for its block, and is before the mint there.
      await world.closeSoon(world.pictures);
      await payByCard(stack, orderId, sandboxCards.approved.number);
      await untilState(stack, orderId, 'delivering');
      await eventually(
        'the mint is handed over',
        async () => (await transfersOf(orderId)).length > 0,
      );
    } finally {
      await stack.chainCall(chain, 'evm_setAutomine', [true]);
      await stack.chainCall(chain, 'anvil_mine', ['0x1']);
    }
    try {
      // What was signed might still run: nothing goes back before its validity is over.
      await stack.advance(7 * 3_600_000);
      const order = await untilState(stack, orderId, 'refunded');
      expect([order.payment.status, order.payment.refunded]).toEqual([
        'refunded',
        quote.totalPrice,
      ]);
    } finally {
      await world.setClosed(world.pictures, false);
    }
    const { capturedMinor, refundedMinor } = await cardPaymentOf(stack, orderId);
    expect([capturedMinor > 0n, refundedMinor === capturedMinor]).toEqual([true, true]);
    expect([
      (await transfersOf(orderId)).includes('final'),
      await clearingBalances(stack, orderId),
      await takenOf(id),
    ]).toEqual([false, {}, 0]);
  });

  it('waits for the operator when the chain took it and nothing arrived, is not minted again, and goes back by their word', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const { orderId } = await created(cardOrder(id));
    const code = await stack.chainCall<string>(chain, 'eth_getCode', [world.pictures, 'latest']);
    // Answers 1 whatever it is asked, and does nothing.
    await stack.chainCall(chain, 'anvil_setCode', [world.pictures, '0x600160005260206000f3']);
    try {
      await payByCard(stack, orderId, sandboxCards.approved.number);
      await untilState(stack, orderId, 'needs_operator');
    } finally {
      await stack.chainCall(chain, 'anvil_setCode', [world.pictures, code]);
    }
    const { attention, projectId } = await orderRecord(stack, orderId);
    expect([attention, await takenOf(id)]).toEqual([expect.stringContaining('0 of 1 items'), 1]);
    const decision = { projectId, orderId, note: 'the contract minted nothing' };
    await resolveByContinuing(stack.ctx, decision);
    await eventually('they are asked again', async () => {
      const asked = (await orderEvents(stack, orderId)).filter(
        (event) => event === 'attention-needed',
      ).length;
      return asked === 2 && (await orderRecord(stack, orderId)).state === 'needs_operator';
    });
    // The piece was held all the time, and counts once.
    expect([await takenOf(id), (await transfersOf(orderId)).length]).toEqual([1, 1]);
    await resolveByRefund(stack.ctx, decision);
    await untilState(stack, orderId, 'refunded');
    const { capturedMinor, refundedMinor } = await cardPaymentOf(stack, orderId);
    expect([capturedMinor > 0n, refundedMinor === capturedMinor]).toEqual([true, true]);
    expect([await clearingBalances(stack, orderId), await takenOf(id)]).toEqual([{}, 0]);
  });

  it('refunds a deposit, and the piece is there for others again', { tags: 'slow' }, async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '1');
    const payer = await aTokenPayer(world);
    const order = await created({ ...freeOrder(id), payment: payer.payment });
    await world.setClosed(world.pictures, true);
    try {
      await payer.pay(order);
      const ended = await untilState(stack, order.orderId, 'refunded');
      expect(ended).toMatchObject({
        phase: 'completed',
        payment: { status: 'refunded' },
        lineItems: [{ delivery: { status: 'failed' } }],
      });
    } finally {
      await world.setClosed(world.pictures, false);
    }
    expect([
      await payer.held(),
      await clearingBalances(stack, order.orderId),
      await takenOf(id),
    ]).toEqual([100_000_000n, {}, 0]);
  });

  it('ends a free order without anything to give back', async () => {
    const { id } = await world.sellPictures('--free', '--supply', '1');
    await world.setClosed(world.pictures, true);
    try {
      const { orderId } = await created(freeOrder(id));
      const ended = await untilState(stack, orderId, 'refunded');
      expect([ended.lineItems[0].delivery.status, await takenOf(id)]).toEqual(['failed', 0]);
    } finally {
      await world.setClosed(world.pictures, false);
    }
  });

  it('of one of several line items pays that one back, and the others arrive', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.sellPictures('--price', '5', '--supply', '10');
    const [edition] = (await world.purser('list')).filter(
      ({ tokenId }: { tokenId?: string }) => tokenId === '1',
    );
    const payer = await aTokenPayer(world);
    const recipient = anAddress();
    const order = await created({
      recipient: { walletAddress: recipient },
      payment: payer.payment,
      lineItems: [
        { collectionLocator: id },
        { collectionLocator: edition.id, callData: { quantity: '2' } },
      ],
    });
    expect(order.quote.totalPrice).toMatchObject({ currency: 'usdxm' });
    await world.setClosed(world.pictures, true);
    try {
      await payer.pay(order);
      await untilState(stack, order.orderId, 'refunded');
    } finally {
      await world.setClosed(world.pictures, false);
    }
    const { body } = await stack.call('GET', `/2022-06-09/orders/${order.orderId}`);
    expect(
      body.lineItems.map(({ delivery }: any) => [
        delivery.status,
        delivery.tokens?.map((token: any) => [token.tokenId, token.quantity]),
      ]),
    ).toEqual([
      ['failed', undefined],
      ['completed', [['1', '2']]],
    ]);
    const [first, second] = (await orderRecord(stack, order.orderId)).terms!.items!;
    expect(body.payment).toMatchObject({ status: 'refunded', refunded: { currency: 'usdxm' } });
    expect(await payer.held()).toBe(100_000_000n - second!.pay.amountMinor);
    expect(first!.pay.amountMinor).toBeGreaterThan(0n);
    expect([
      await world.held(world.editions, recipient, '1'),
      await clearingBalances(stack, order.orderId),
    ]).toEqual([2n, {}]);
    expect([await takenOf(id), await takenOf(edition.id)]).toEqual([0, 2]);
  });
});

describe('a token that the treasury holds', () => {
  it('is sold in editions as many as are offered', async () => {
    await world.mintEdition(world.treasury, 902, 3);
    const tokenLocator = `${chain}:${world.editions}:902`;
    const offer = await world.purser('sell', tokenLocator, '--free', '--supply', '3');
    const { orderId } = await created({
      ...freeOrder(''),
      lineItems: [{ tokenLocator, callData: { quantity: 2 } }],
    });
    const { recipient, tokens } = (await untilState(stack, orderId, 'delivered')).lineItems[0]
      .delivery;
    expect(tokens).toMatchObject([{ tokenId: '902', quantity: '2' }]);
    expect([
      await world.held(world.editions, recipient.walletAddress, '902'),
      await takenOf(offer.id),
    ]).toEqual([2n, 2]);
  });

  it('is sold once: of two orders at the same moment one has it', async () => {
    await world.mintEdition(world.treasury, 901, 1);
    const tokenLocator = `${chain}:${world.editions}:901`;
    const offer = await world.purser(
      'sell',
      tokenLocator,
      '--price',
      '7',
      '--name',
      'The only one',
    );
    const order = () => created({ ...cardOrder(''), lineItems: [{ tokenLocator }] });
    const answers = await Promise.all([order(), order()]);
    const won = answers.find(({ quote }) => quote.status === 'valid');
    expect(answers.filter(({ quote }) => quote.status === 'valid')).toHaveLength(1);
    await payByCard(stack, won.orderId, sandboxCards.approved.number);
    const delivered = await untilState(stack, won.orderId, 'delivered');
    const { recipient, tokens } = delivered.lineItems[0].delivery;
    expect(tokens).toMatchObject([
      {
        locator: tokenLocator,
        contractAddress: world.editions,
        tokenId: '901',
        quantity: '1',
        decimals: 0,
      },
    ]);
    expect(await world.held(world.editions, recipient.walletAddress, '901')).toBe(1n);
    expect(await takenOf(offer.id)).toBe(1);
    const { terms } = await orderRecord(stack, won.orderId);
    expect([terms!.unit.amountMinor, await clearingBalances(stack, won.orderId)]).toEqual([
      700n,
      {},
    ]);
    expect(await accountBalance(stack, 'sales:collections', 'usd')).toBeLessThanOrEqual(-700n);
  });
});

describe('a process that dies', { tags: 'slow' }, () => {
  it('at any commit leaves each order with one mint', async () => {
    const { id } = await world.sellPictures('--free', '--supply', '4', '--per-order', '1');
    const { store } = stack.ctx;
    const { transaction } = store;
    const faulty = store as { transaction: Store['transaction'] };
    let turn = 0;
    faulty.transaction = (work) =>
      transaction.call(store, async (tx) => {
        const done = await work(tx);
        // Every ninth commit is lost, with the process that was about to make it.
        if (++turn % 9 === 0) throw new Error('the process was killed before its commit');
        return done;
      }) as never;
    // An answer that was lost may hide an order that is stored.
    const ordered = async () =>
      (
        await store.query<{ id: string }>({
          text: `select id from orders where terms->'collectible'->>'offerId' = $1`,
          values: [id],
        })
      ).rows;
    for (let tries = 0; (await ordered()).length < 4 && tries < 40; tries++)
      await world.create(freeOrder(id));
    const ids = (await ordered()).map((row) => row.id);
    expect([ids.length, await takenOf(id)]).toEqual([4, 4]);
    await stack.advance(30_000);
    const rest = ids.map((orderId) => untilState(stack, orderId, 'delivered'));
    await Promise.race(rest).finally(() => {
      faulty.transaction = transaction;
    });
    await stack.advance(60_000);
    const orders = await Promise.all(rest);
    for (const { orderId, lineItems } of orders) {
      expect([await transfersOf(orderId), lineItems[0].delivery.tokens.length]).toEqual([
        ['final'],
        1,
      ]);
    }
    expect(
      new Set(orders.map(({ lineItems }) => lineItems[0].delivery.tokens[0].tokenId)).size,
    ).toBe(4);
  }, 60_000);
});
