import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installOrderGate, looksLikeOrder, type OrderGate } from './order-gate.ts';
import { type RunWorld, startRunWorld } from './testing/run-world.ts';

let world: RunWorld;
let browser: Awaited<ReturnType<RunWorld['openBrowser']>>;
let gate: OrderGate;

const shopOrigin = 'http://shop.example';
const checkout = `<form method="post" action="/checkout/place-order"><button>Buy</button></form>`;
const placed = () => world.shop.requests.filter((line) => /^(POST|PUT) \/checkout\/place-order/.test(line)).length;

beforeAll(async () => {
  world = await startRunWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await browser?.close();
  browser = await world.openBrowser();
  world.shop.requests.length = 0;
  world.shop.answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>shop</title>${checkout}`);
  gate = await installOrderGate(browser.context, {
    match: looksLikeOrder(shopOrigin),
    beforePass: (url) => browser.proxy.closeTunnels(url.hostname),
  });
  await browser.page.goto(`${shopOrigin}/checkout`);
});

const reasons = () => gate.requests().map((one) => one.reason);

describe('the order request', () => {
  it('is kept back until the run is armed, however it is sent', async () => {
    await browser.page.evaluate(`(async () => {
      await fetch('/checkout/place-order', { method: 'POST', body: 'x' }).catch(() => undefined);
      await fetch('/checkout/place-order', { method: 'PUT', keepalive: true }).catch(() => undefined);
      await new Promise((resolve) => { const x = new XMLHttpRequest(); x.onloadend = resolve; x.open('POST', '/checkout/place-order'); x.send(); });
      navigator.sendBeacon('/checkout/place-order', 'x');
    })()`);
    await expect.poll(() => reasons().length).toBe(4);
    await browser.page.evaluate('document.forms[0].submit()');
    await expect.poll(() => reasons().length).toBe(5);
    expect(new Set(reasons())).toEqual(new Set(['not-armed']));
    expect([placed(), gate.hasPassed()]).toEqual([0, false]);
  });

  it('passes once: two clicks at the same moment place one order', async () => {
    expect(gate.armOnce()).toBe(true);
    await browser.page.evaluate(`Promise.allSettled([1, 2, 3].map(() => fetch('/checkout/place-order', { method: 'POST' })))`);
    expect(placed()).toBe(1);
    expect(reasons().toSorted()).toEqual(['passed', 'repeat', 'repeat']);
    expect([gate.armOnce(), gate.hasPassed()]).toEqual([false, true]);
  });

  it('passes once as a form too, and its page loads', async () => {
    gate.armOnce();
    await Promise.all([browser.page.waitForURL('**/place-order'), browser.page.click('button')]);
    await browser.page.evaluate('document.forms[0].submit()');
    await expect.poll(reasons).toEqual(['passed', 'repeat']);
    expect(placed()).toBe(1);
  });

  it('is not repeated by a page that does so by itself, by a beacon, or by a worker', async () => {
    gate.armOnce();
    world.shop.answer = (request, response) => {
      if (request.method === 'POST') return void request.socket.destroy();
      response.end('ok');
    };
    await browser.page.evaluate(`(async () => {
      for (let i = 0; i < 3; i++) await fetch('/checkout/place-order', { method: 'POST' }).catch(() => undefined);
      navigator.sendBeacon('/checkout/place-order', 'again');
    })()`);
    await browser.page.evaluate(`new Promise((resolve) => {
      const code = "fetch('${shopOrigin}/checkout/place-order', { method: 'POST' }).catch(() => 0).then(() => postMessage(1))";
      new Worker(URL.createObjectURL(new Blob([code]))).onmessage = resolve;
    })`);
    await expect.poll(() => reasons().length).toBe(5);
    expect(placed()).toBe(1);
    expect(reasons().filter((reason) => reason === 'passed')).toHaveLength(1);
  });

  it('in another tab or frame meets the same gate', async () => {
    gate.armOnce();
    const tab = await browser.context.newPage();
    await tab.goto(`${shopOrigin}/checkout`);
    const order = `fetch('/checkout/place-order', { method: 'POST' }).catch(() => undefined).then(() => undefined)`;
    await tab.evaluate(order);
    await browser.page.evaluate(order);
    await browser.page.evaluate(
      `new Promise((resolve) => { const f = document.createElement('iframe'); f.src = '/checkout'; f.onload = resolve; document.body.append(f); })`,
    );
    await browser.page.frames()[1]!.evaluate(order);
    expect(placed()).toBe(1);
    expect(reasons()).toEqual(['passed', 'repeat', 'repeat']);
  });

  it('is not every request: reading and earlier steps pass untouched, and what is written down has no query', async () => {
    await browser.page.evaluate(`(async () => {
      await fetch('/checkout/shipping', { method: 'POST' });
      await fetch('/orders');
      await fetch('/checkout/place-order?card=4242', { method: 'POST' }).catch(() => undefined);
    })()`);
    expect(world.shop.requests).toEqual(expect.arrayContaining(['POST /checkout/shipping', 'GET /orders']));
    expect(gate.requests()).toEqual([{ method: 'POST', url: `${shopOrigin}/checkout/place-order`, passed: false, reason: 'not-armed' }]);
  });
});
