import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anAddress,
  aTokenPayer,
  type CollectionsWorld,
  collectionsChain as chain,
  startCollectionsWorld,
} from '../../src/areas/collections/collections-kit.ts';
import {
  clearingBalances,
  payByCard,
  untilState,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { reconcileProject } from '../../src/areas/reconciliation/index.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';

/**
 * Orders of collectibles as a client written from the document alone makes them: "Checkout body" of
 * the supplement (section 13), and the tables "Line item" and "Payment" of the interface.
 */

let world: CollectionsWorld;
let stack: CollectionsWorld['stack'];
let pictures: string;
let editions: string;
beforeAll(async () => {
  world = await startCollectionsWorld();
  ({ stack, pictures, editions } = world);
  await world.sellPictures(
    '--price',
    '12.50',
    '--name',
    'Picture',
    '--description',
    'A picture',
    '--image',
    'https://shop.test/picture.png',
  );
  await world.purser(
    'add',
    '--chain',
    chain,
    '--contract',
    editions,
    '--token-id',
    '7',
    '--free',
    '--per-order',
    '100',
  );
}, 120_000);
afterAll(() => world?.close());

const path = '/2022-06-09/orders';
async function create(body: object) {
  const { status, body: answer, text } = await stack.call('POST', path, { body });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return answer as { clientSecret: string; order: any };
}
const stored = async () => (await stack.call('GET', path)).body.data.length;

describe('a new item of a collection', () => {
  it('is bought by card: price, payment, mint, token with its id', async () => {
    const walletAddress = anAddress();
    const { order } = await create({
      recipient: { walletAddress },
      locale: 'de-DE',
      payment: { method: 'card', currency: 'usd', receiptEmail: 'buyer@example.com' },
      metadata: { campaign: 'spring' },
      lineItems: [{ collectionLocator: `${chain}:${pictures}`, callData: { quantity: 2 } }],
    });
    expect(order).toMatchObject({
      phase: 'payment',
      metadata: { campaign: 'spring' },
      quote: { status: 'valid', totalPrice: { amount: expect.any(String), currency: 'usd' } },
      payment: {
        status: 'awaiting-payment',
        method: 'card',
        currency: 'usd',
        preparation: { card: { provider: expect.any(String) } },
      },
      lineItems: [
        {
          chain,
          quantity: 2,
          executionMode: 'exact-out',
          executionParams: { mode: 'exact-out', amount: '2' },
          callData: { quantity: 2 },
          metadata: {
            name: 'Picture',
            description: 'A picture',
            imageUrl: 'https://shop.test/picture.png',
          },
          quote: {
            status: 'valid',
            charges: { unit: { amount: '25', currency: 'usd' } },
            quantityRange: { lowerBound: '2', upperBound: '2' },
          },
          delivery: {
            status: 'awaiting-payment',
            recipient: { walletAddress, locator: `${chain}:${walletAddress}` },
          },
        },
      ],
    });
    await payByCard(stack, order.orderId, sandboxCards.approved.number);
    const done = await untilState(stack, order.orderId, 'delivered');
    expect([done.phase, done.payment.status, done.payment.totalPaid]).toEqual([
      'completed',
      'completed',
      order.quote.totalPrice,
    ]);
    const { delivery } = done.lineItems[0];
    expect(delivery).toMatchObject({
      status: 'completed',
      txId: expect.stringMatching(/^0x/),
      completedAt: expect.any(String),
    });
    expect(delivery.tokens).toHaveLength(2);
    for (const token of delivery.tokens) {
      expect(token).toMatchObject({
        contractAddress: pictures,
        quantity: '1',
        symbol: 'tpic',
        decimals: 0,
      });
      expect(token.locator).toBe(`${chain}:${pictures}:${token.tokenId}`);
      expect(await world.held(pictures, walletAddress, token.tokenId)).toBe(1n);
    }
    expect(await clearingBalances(stack, order.orderId)).toEqual({});
  });

  it('is bought with tokens, for somebody who is known by e-mail', { tags: 'slow' }, async () => {
    const payer = await aTokenPayer(world);
    const { order } = await create({
      recipient: { email: 'friend@example.com' },
      payment: payer.payment,
      lineItems: { collectionLocator: `${chain}:${pictures}` },
    });
    expect(order.payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: { chain, payerAddress: payer.address },
    });
    await payer.pay(order);
    const done = await untilState(stack, order.orderId, 'delivered');
    const { recipient, tokens } = done.lineItems[0].delivery;
    const wallet = await stack.call(
      'GET',
      '/2025-06-09/wallets/email:friend@example.com:evm:smart',
    );
    expect([recipient.email, recipient.walletAddress]).toEqual([
      'friend@example.com',
      wallet.body.address,
    ]);
    expect(await world.held(pictures, wallet.body.address, tokens[0].tokenId)).toBe(1n);
    expect(await clearingBalances(stack, order.orderId)).toEqual({});
  });

  it('that is free needs no payment: it goes to the delivery, many at once where they are alike', async () => {
    const walletAddress = anAddress();
    const { order } = await create({
      recipient: { walletAddress },
      payment: { method: chain, currency: 'usdc' },
      lineItems: [
        {
          collectionLocator: `${chain}:${editions}:7`,
          executionParameters: { mode: 'exact-out', amount: '40' },
        },
      ],
    });
    expect(order).toMatchObject({
      phase: 'delivery',
      payment: { status: 'completed' },
      quote: { totalPrice: { amount: '0', currency: 'usdc' } },
    });
    const done = await untilState(stack, order.orderId, 'delivered');
    expect(done.lineItems[0].delivery.tokens).toMatchObject([
      { locator: `${chain}:${editions}:7`, tokenId: '7', quantity: '40' },
    ]);
    expect(await world.held(editions, walletAddress, '7')).toBe(40n);
  });

  it('is priced in a draft, and nothing is stored or held', async () => {
    const before = await stored();
    const { order } = await create({
      state: 'draft',
      payment: { method: 'card', currency: 'eur' },
      lineItems: [{ collectionLocator: `${chain}:${pictures}` }],
    });
    expect(order).toMatchObject({
      payment: { status: 'draft' },
      lineItems: [
        { delivery: { status: 'draft' }, quote: { charges: { unit: { currency: 'eur' } } } },
      ],
    });
    expect(await stored()).toBe(before);
  });
});

it('what was sold leaves the books as chain and acquirer have them', async () => {
  const { differences } = await reconcileProject(stack.ctx, stack.api.projectId, {
    full: true,
    pauseMs: 500,
  });
  expect(differences).toEqual([]);
});

describe('what is refused with 400 before anything is stored', () => {
  it.each<[string, object, string]>([
    [
      'an externalOrder',
      { externalOrder: { shop: 'elsewhere' } },
      'body.externalOrder is not supported',
    ],
    [
      'an externalOrder beside line items',
      { externalOrder: {}, lineItems: [{ collectionLocator: `${chain}:${anAddress()}` }] },
      'is not supported',
    ],
    [
      'a collection that is not registered',
      { lineItems: [{ collectionLocator: `${chain}:${anAddress()}` }] },
      'does not sell',
    ],
    [
      'a token with an id that is not sold',
      { lineItems: [{ tokenLocator: `${chain}:${anAddress()}:5` }] },
      'does not sell',
    ],
  ])('%s', async (_, over, message) => {
    const before = await stored();
    const body = {
      recipient: { walletAddress: anAddress() },
      payment: { method: 'card', receiptEmail: 'a@example.com' },
      ...over,
    };
    const answer = await stack.call('POST', path, { body });
    expect([answer.status, answer.body.error, answer.body.message]).toEqual([
      400,
      true,
      expect.stringContaining(message),
    ]);
    expect(await stored()).toBe(before);
  });
});
