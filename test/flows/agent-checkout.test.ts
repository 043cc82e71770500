import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stepsAccounts } from '../../fixtures/shops/index.ts';
import { startBrowser } from '../harness/browser.ts';
import {
  buyer,
  type CheckoutWorld,
  cardAnswer,
  startCheckoutWorld,
} from '../harness/checkout-world.ts';
import {
  countShowing,
  openLiveStream,
  openLiveViewer,
  type Place,
  shopViewport,
} from '../harness/live-viewer.ts';
import { withoutIds } from '../harness/without-ids.ts';

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
      receipt: {
        total: { currency: 'USD' },
        merchantOrderId: expect.any(String),
        capturedAt: expect.any(String),
      },
    });
    const orders = await world.shops.readOrders('plain');
    expect(orders).toHaveLength(1);
    expect(orders[0]!.number).toBe(view.receipt.merchantOrderId);
    expect(asked).toEqual([
      expect.stringMatching(/^Buy for 47\.71 USD/),
      expect.stringMatching(/^Which card pays 47\.71 USD/),
    ]);
    expect(view.progressItems.map((item: { title: string }) => item.title)).toEqual(
      expect.arrayContaining([
        'A browser is opened',
        'Added to the cart',
        'Placing the order',
        'Bought',
      ]),
    );
    // What was typed and what stood in addresses is nowhere in the log.
    expect(withoutIds(world.logLines.join(''))).not.toMatch(
      /4242|ada@example|Lovelace|Main Street/,
    );
  });

  test('with a browser profile comes back to the shop as whom it knows', {
    tags: 'slow',
  }, async () => {
    const buyerProfileId = (await world.as('bea', 'POST', '/buyer-profiles', buyer)).body.id;
    const browserProfileId = (await world.as('bea', 'POST', '/browser-profiles', {})).body.id;
    await world.shops.resetShop('plain');
    for (const product of ['map-case', 'trail-tee']) {
      const id = await world.create('bea', {
        ...tee,
        product,
        profiles: { buyerProfileId, browserProfileId },
      });
      expect(await world.follow('bea', id)).toMatchObject({ status: 'succeeded' });
    }
    const visits = await world.shops.readRequests('plain');
    expect(visits.map(({ outcome }) => outcome)).toEqual(['placed', 'placed']);
    expect(new Set(visits.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  test('is one of four that are bought at once, each in a browser of its own', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    const wishes = [
      tee,
      { shop: 'app', product: 'sumi-ink', request: 'Indigo', maxCost: '60000' },
      { shop: 'frames', product: 'bel', request: 'Brass' },
      { shop: 'steps', product: 'A-104', request: '100 g, tin' },
    ] as const;
    // That shop delivers to five countries of Europe.
    const dutch = {
      ...buyer,
      shipping: {
        addressLines: ['Oudegracht 12'],
        locality: 'Utrecht',
        postalCode: '3511 AB',
        countryCode: 'NL',
      },
    };
    for (const { shop } of wishes) await world.shops.resetShop(shop);
    const views = await Promise.all(
      wishes.map(async (wish, index) => {
        const user = `four-${index}`;
        const buyerProfileId = (
          await world.as(user, 'POST', '/buyer-profiles', wish.shop === 'frames' ? dutch : buyer)
        ).body.id;
        const id = await world.create(user, { ...wish, profiles: { buyerProfileId } });
        return world.follow(user, id, { timeoutMs: 200_000 });
      }),
    );
    const ends = views.map(({ status, failure }) => failure ?? status);
    expect(ends).toEqual(wishes.map(() => 'succeeded'));
    for (const { shop } of wishes) expect(await world.shops.readOrders(shop)).toHaveLength(1);
    // On a machine that does much else besides, four browsers take their time.
  });
});

describe('the live page of a run', { tags: 'slow' }, () => {
  const account = stepsAccounts.password;
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()));
  afterAll(() => browser?.close());

  /**
   * The shop in a browser of the test: where things are on its pages, and what the typed number
   * looks like.
   */
  async function lookAtShop() {
    const page = await browser.newPage({ viewport: shopViewport });
    const centreOf = async (selector: string): Promise<Place> => {
      const box = (await page.locator(selector).first().boundingBox())!;
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    await page.goto(world.shops.shop('steps').productUrl('A-104'));
    await page.getByLabel('Weight').selectOption('100 g');
    await page.getByRole('button', { name: 'Add to basket' }).click();
    await page.goto(new URL('/checkout', page.url()).href);
    const places = {
      user: await centreOf('#le'),
      password: await centreOf('#lp'),
      home: await centreOf('a.name'),
    };
    await page.locator('#le').fill(account.email);
    await page.locator('#lp').fill(account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Proceed to payment' }).click();
    await page.locator('#d_rm24').check();
    await page.getByRole('button', { name: 'Place order and continue' }).click();
    await page.locator('#pan').fill(cardAnswer.number);
    const box = (await page.locator('#pan').boundingBox())!;
    const clip = {
      x: Math.round(box.x) + 8,
      y: Math.round(box.y) + 8,
      width: 150,
      height: Math.round(box.height) - 16,
    };
    return { page, places, number: { png: await page.screenshot({ clip }), x: clip.x } };
  }

  /** Sessions of the shop that are signed in: that of the test's own browser is one of them. */
  async function signedInCount(): Promise<number> {
    const { rows } = await world.api.ctx.store.query({
      text: `select 1 from shops.sessions where shop = 'steps' and data->>'account' = $1`,
      values: [account.email],
    });
    return rows.length;
  }

  test('lets its user sign in by hand, hides the card, and comes back when the connection breaks', async () => {
    await world.shops.resetShop('steps');
    const { page: shopPage, places, number } = await lookAtShop();
    // The measure finds the number in a picture like those of runs.
    expect(
      await countShowing(
        shopPage,
        [await shopPage.screenshot({ type: 'jpeg', quality: 60 })],
        number,
      ),
    ).toBe(1);

    const request = `100 g, tin. Use my existing account.`;
    const id = await world.create('lea', { shop: 'steps', product: 'A-104', request });
    const asked = await world.follow('lea', id, {
      answer: () => 'wait',
      until: ({ pendingUserAction }) => pendingUserAction !== undefined,
      timeoutMs: 120_000,
    });
    expect(asked.failure ?? asked.status).toBe('awaiting_user_action');
    expect(asked.browser.permissions).toEqual(['view', 'control']);
    expect(asked.pendingUserAction.message).toMatch(/^Sign in at http/);
    const url = new URL(asked.browser.embedUrl, world.api.baseUrl).href;
    const viewer = await openLiveViewer(browser, url);
    const stream = await openLiveStream(url);
    const { page } = viewer;
    await page.getByText('do it here').waitFor();
    await expect
      .poll(() => page.locator('#picture').getAttribute('role'), { timeout: 20_000 })
      .toBe('application');
    await expect.poll(() => stream.pictures.length, { timeout: 20_000 }).toBeGreaterThan(0);

    const click = async (place: Place) => {
      const { x, y } = await viewer.placeOf(place);
      await page.mouse.click(x, y);
    };
    await viewer.breakConnection();
    await expect.poll(() => viewer.connectionCount(), { timeout: 20_000 }).toBe(2);
    await expect
      .poll(() => page.locator('#picture').getAttribute('role'), { timeout: 20_000 })
      .toBe('application');
    await click(places.user);
    await page.keyboard.type(account.email);
    await click(places.password);
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await expect.poll(signedInCount, { timeout: 20_000 }).toBe(2);
    await page.getByRole('button', { name: 'Done, go on' }).click();

    const asksApproval = (view: { pendingUserAction?: { message: string } }) =>
      view.pendingUserAction?.message.startsWith('Buy for') === true;
    const waiting = await world.follow('lea', id, {
      answer: ({ message }) => (message.startsWith('Buy for') ? 'wait' : undefined),
      until: asksApproval,
      timeoutMs: 120_000,
    });
    expect(waiting.browser.permissions).toEqual(['view']);
    await page
      .getByText('Answer in the app that started this checkout.', { exact: true })
      .waitFor();
    // Away from the checkout, if anybody listened.
    await stream.say({ kind: 'wheel', deltaX: 0, deltaY: -2_000 });
    for (const type of ['move', 'down', 'up'])
      await stream.say({ kind: 'mouse', type, ...places.home });
    const end = await world.follow('lea', id, { timeoutMs: 120_000 });
    expect(end.failure ?? end.status).toBe('succeeded');
    expect(await world.shops.readOrders('steps')).toMatchObject([{ email: account.email }]);

    await page.getByText('This checkout is over.').waitFor();
    // A page may be too slow to be shown that it was hidden; the second watcher never is.
    expect(stream.masked.count).toBeGreaterThan(0);
    for (const one of [viewer, stream]) {
      expect(one.pictures.length).toBeGreaterThan(0);
      expect(one.masked.wrongCount).toBe(0);
      expect(await countShowing(shopPage, one.pictures, number)).toBe(0);
    }
    expect(viewer.mistakes).toEqual([]);
    expect(world.logLines.join('')).not.toContain(account.password);
    await Promise.all([viewer, stream].map((one) => one.close()));
    await shopPage.close();
    // Two browsers and a purchase: on a machine that does much else besides, they take their time.
  }, 400_000);
});
