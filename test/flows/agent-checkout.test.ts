import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buyer, type CheckoutWorld, startCheckoutWorld } from '../harness/checkout-world.ts';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await startCheckoutWorld();
  await world.startRunner();
});
afterAll(() => world?.close());

const tee = { shop: 'plain', product: 'trail-tee', request: 'size M, Moss' } as const;

describe('an agent checkout', () => {
  test('is queued, runs, asks its user, and buys once', async () => {
    const buyerProfileId = (await world.as('ann', 'POST', '/buyer-profiles', buyer)).body.id;
    const id = await world.create('ann', { ...tee, profiles: { buyerProfileId } });
    const asked: string[] = [];
    const view = await world.follow('ann', id, {
      answer: ({ message }) => {
        asked.push(message);
        return undefined;
      },
    });
    expect(view).toMatchObject({
      status: 'succeeded',
      receipt: { total: { currency: 'USD' }, merchantOrderId: expect.any(String), capturedAt: expect.any(String) },
    });
    const orders = await world.shops.readOrders('plain');
    expect(orders).toHaveLength(1);
    expect(orders[0]!.number).toBe(view.receipt.merchantOrderId);
    expect(asked).toEqual([expect.stringMatching(/^Buy for 47\.71 USD/), expect.stringMatching(/^Which card pays 47\.71 USD/)]);
    expect(view.progressItems.map((item: { title: string }) => item.title)).toEqual(
      expect.arrayContaining(['A browser is opened', 'Added to the cart', 'Placing the order', 'Bought']),
    );
    // What was typed and what stood in addresses is nowhere in the log.
    expect(world.logLines.join('')).not.toMatch(/4242|ada@example|Lovelace|Main Street/);
  });

  test('with a browser profile comes back to the shop as whom it knows', async () => {
    const buyerProfileId = (await world.as('bea', 'POST', '/buyer-profiles', buyer)).body.id;
    const browserProfileId = (await world.as('bea', 'POST', '/browser-profiles', {})).body.id;
    await world.shops.resetShop('plain');
    for (const product of ['map-case', 'trail-tee']) {
      const id = await world.create('bea', { ...tee, product, profiles: { buyerProfileId, browserProfileId } });
      expect(await world.follow('bea', id)).toMatchObject({ status: 'succeeded' });
    }
    const visits = await world.shops.readRequests('plain');
    expect(visits.map(({ outcome }) => outcome)).toEqual(['placed', 'placed']);
    expect(new Set(visits.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  test('is one of four that are bought at once, each in a browser of its own', async () => {
    const wishes = [
      tee,
      { shop: 'app', product: 'sumi-ink', request: 'Indigo', maxCost: '60000' },
      { shop: 'frames', product: 'bel', request: 'Brass' },
      { shop: 'steps', product: 'A-104', request: '100 g, tin' },
    ] as const;
    for (const { shop } of wishes) await world.shops.resetShop(shop);
    const views = await Promise.all(
      wishes.map(async (wish, index) => {
        const user = `four-${index}`;
        const buyerProfileId = (await world.as(user, 'POST', '/buyer-profiles', buyer)).body.id;
        const id = await world.create(user, { ...wish, profiles: { buyerProfileId } });
        return world.follow(user, id, { timeoutMs: 200_000 });
      }),
    );
    const ends = views.map(({ status, failure }) => failure ?? status);
    expect(ends).toEqual(wishes.map(() => 'succeeded'));
    for (const { shop } of wishes) expect(await world.shops.readOrders(shop)).toHaveLength(1);
    // On a machine that does much else besides, four browsers take their time.
  }, 240_000);
});
