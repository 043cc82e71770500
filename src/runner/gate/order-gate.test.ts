import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunWorld, startRunWorld } from '../testing/run-world.ts';
import { installOrderGate, looksLikeOrder, type OrderGate } from './order-gate.ts';

let world: RunWorld;
let browser: Awaited<ReturnType<RunWorld['openBrowser']>>;
let gate: OrderGate;

const shopOrigin = 'http://shop.example';
const checkout = `<form method="post" action="/checkout/place-order"><button>Buy</button></form>`;
const placed = () =>
  world.shop.requests.filter((line) => /^(POST|PUT) \/checkout\/place-order/.test(line)).length;

beforeAll(async () => {
  world = await startRunWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await browser?.close();
  browser = await world.openBrowser();
  world.shop.requests.length = 0;
  world.shop.answer = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>shop</title>${checkout}`);
  gate = await installOrderGate(browser.context, {
    match: looksLikeOrder(shopOrigin),
    beforePass: (url) => browser.proxy.closeTunnels(url.hostname),
  });
  await browser.page.goto(`${shopOrigin}/checkout`);
});

/**
 * Opens the checkout once the browser shows that the form before it was kept back: its error page
 * would interrupt this one.
 */
async function backToCheckout() {
  await expect
    .poll(() => browser.page.evaluate('location.href').catch(() => ''))
    .toMatch(/^chrome-error:/);
  await browser.page.goto(`${shopOrigin}/checkout`);
}
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
    await browser.page.evaluate(
      `Promise.allSettled([1, 2, 3].map(() => fetch('/checkout/place-order', { method: 'POST' })))`,
    );
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

  it('passes as a form that opens a window, whose request comes before the window', {
    tags: 'slow',
  }, async () => {
    gate.armOnce();
    await browser.page.evaluate(`(() => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '/pay-here', target: '_blank' });
      document.body.append(form);
      form.submit();
    })()`);
    await expect.poll(reasons).toEqual(['passed']);
    await expect.poll(() => world.shop.requests).toContain('POST /pay-here');
    expect(gate.hasPassed()).toBe(true);
  });

  it('is kept back once the run belongs to another runner, also behind the permit', {
    tags: 'slow',
  }, async () => {
    const other = await world.openBrowser();
    let isOver = false;
    const late = await installOrderGate(other.context, {
      match: looksLikeOrder(shopOrigin),
      isOver: () => isOver,
    });
    await other.page.goto(`${shopOrigin}/checkout`);
    late.armOnce();
    isOver = true;
    await other.page.evaluate(
      `Promise.allSettled(['/checkout/place-order', '/shop/step-9'].map((path) => fetch(path, { method: 'POST' })))`,
    );
    expect([late.passedCount(), late.requests().map((one) => one.reason)]).toEqual([
      0,
      ['not-armed', 'not-armed'],
    ]);
    expect(world.shop.requests.filter((line) => line.startsWith('POST'))).toEqual([]);
    await other.close();
  });

  it('that the gate cannot judge is kept back, and ends nothing but itself', {
    tags: 'slow',
  }, async () => {
    const unheard: unknown[] = [];
    const note = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', note);
    const other = await world.openBrowser();
    await installOrderGate(other.context, {
      match: () => {
        throw new Error('It cannot be read.');
      },
    });
    await other.page.goto(`${shopOrigin}/checkout`);
    expect(
      await other.page.evaluate(
        `fetch('/pay-here', { method: 'POST' }).then(() => 'sent', () => 'kept back')`,
      ),
    ).toBe('kept back');
    await other.close();
    process.off('unhandledRejection', note);
    expect([unheard, world.shop.requests]).toEqual([[], ['GET /checkout', 'GET /checkout']]);
  });

  it('is not repeated by a page that does so by itself, by a beacon, or by a worker', {
    tags: 'slow',
  }, async () => {
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

  it('is kept back from workers of workers', { tags: 'slow' }, async () => {
    await browser.page.evaluate(`(async () => {
      const urlOf = (code) => URL.createObjectURL(new Blob([code]));
      const inner = urlOf("fetch('${shopOrigin}/checkout/place-order', { method: 'POST' }).catch(() => 0).then(() => postMessage(1))");
      const outer = urlOf('new Worker(' + JSON.stringify(inner) + ').onmessage = () => postMessage(1)');
      for (let i = 0; i < 30; i++) await new Promise((resolve) => { (window.held = new Worker(outer)).onmessage = resolve; });
    })()`);
    expect(placed()).toBe(0);
    expect(reasons()).toEqual(new Array(30).fill('not-armed'));
  });

  it('cannot be left to what no gate sees: workers that pages share, and requests of pages that are gone', {
    tags: 'slow',
  }, async () => {
    const proxy = await world.openProxy([world.shop.origin]);
    const other = await world.openBrowser({ egress: proxy });
    // Secure pages have more, and those of this machine count as such.
    await other.page.goto(`${world.shop.origin}/checkout`);
    const found = await other.page.evaluate(
      '[isSecureContext, typeof Worker, typeof SharedWorker, typeof fetchLater]',
    );
    await other.close();
    expect(found).toEqual([true, 'function', 'undefined', 'undefined']);
  });

  it('in another tab or frame meets the same gate', { tags: 'slow' }, async () => {
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
    expect(world.shop.requests).toEqual(
      expect.arrayContaining(['POST /checkout/shipping', 'GET /orders']),
    );
    expect(gate.requests()).toEqual([
      {
        method: 'POST',
        url: `${shopOrigin}/checkout/place-order`,
        passed: false,
        reason: 'not-armed',
      },
    ]);
  });
});

/** Paths of what reached the shop by POST, with how often. */
const posted = () => {
  const counts: Record<string, number> = {};
  for (const line of world.shop.requests)
    if (line.startsWith('POST ')) counts[line.slice(5)] = (counts[line.slice(5)] ?? 0) + 1;
  return counts;
};
const post = (path: string, body = 'x') =>
  browser.page.evaluate(
    `fetch(${JSON.stringify(path)}, { method: 'POST', body: ${JSON.stringify(body)} }).then(({ status }) => status, () => 'kept back')`,
  );

describe('an order request without a telling name', () => {
  it('is known by the armed click: what a script posts twice, at once or later, places one order', async () => {
    await post('/checkout/step');
    gate.armOnce();
    await browser.page.evaluate(
      `Promise.allSettled([1, 2].map((nr) => fetch('/api/finish', { method: 'POST', body: JSON.stringify({ nonce: nr }) })))`,
    );
    expect(await post('/api/finish/', 'another body')).toBe('kept back');
    expect(posted()).toEqual({ '/checkout/step': 1, '/api/finish': 1 });
    expect([gate.hasPassed(), gate.passedCount()]).toEqual([true, 1]);
  });

  it('is the form that two clicks send, though steps before used its address', {
    tags: 'slow',
  }, async () => {
    await post('/checkout', 'step=1');
    await browser.page.goto(`${shopOrigin}/review`);
    await browser.page.setContent(
      '<form method="post" action="/checkout"><button>Buy</button></form>',
    );
    gate.armOnce();
    await Promise.all([browser.page.waitForURL('**/checkout'), browser.page.click('button')]);
    await browser.page.goto(`${shopOrigin}/review`);
    await browser.page.setContent(
      '<form method="post" action="/checkout"><button>Buy</button></form>',
    );
    await browser.page.evaluate('document.forms[0].submit()');
    await expect
      .poll(() => reasons().filter((reason) => reason === 'repeat').length)
      .toBeGreaterThan(0);
    expect(posted()).toEqual({ '/checkout': 2 });
  });

  it('is not sent again when its answer is lost, by the form or by another way of the shop to order', {
    tags: 'slow',
  }, async () => {
    gate.armOnce();
    world.shop.answer = (request, response) => {
      if (request.method === 'POST') return void request.socket.destroy();
      response.end('ok');
    };
    await post('/api/orders');
    expect(await post('/api/orders')).toBe('kept back');
    expect(await post('/checkout/place-order')).toBe('kept back');
    expect(posted()).toEqual({ '/api/orders': 1 });
  });

  it('of a service that does everything at one address is told from the others by what it names', {
    tags: 'slow',
  }, async () => {
    const graph = (operationName: string) =>
      post('/graphql', JSON.stringify({ operationName, query: 'x' }));
    await graph('SetAddress');
    gate.armOnce();
    expect([
      await graph('SetAddress'),
      await graph('Submit'),
      await graph('Submit'),
      await graph('SetAddress'),
    ]).toEqual([200, 200, 'kept back', 200]);
  });
});

describe('what belongs to a payment', () => {
  it('passes: a gateway is paid, then the shop is told, and each is sent once', {
    tags: 'slow',
  }, async () => {
    await browser.page.context().unroute('**/*');
    gate = await installOrderGate(browser.context, {
      match: looksLikeOrder(shopOrigin),
      paymentOrigins: ['http://pay.other.example'],
    });
    await post('/checkout/payment', 'method=card');
    gate.armOnce();
    const gateway = 'http://other.example/v1/intents/pi_123456/confirm';
    await browser.page.evaluate(
      `fetch('${gateway}', { method: 'POST', mode: 'no-cors', body: 'card' })`,
    );
    expect(await post('/api/payments', '4242 4242 4242 4242')).toBe(200);
    expect(await post('/api/orders')).toBe(200);
    expect(await post('/api/orders')).toBe('kept back');
    expect(await post('/api/payments', '4242 4242 4242 4242')).toBe('kept back');
    expect(posted()).toMatchObject({
      '/v1/intents/pi_123456/confirm': 1,
      '/api/payments': 1,
      '/api/orders': 1,
    });
  });

  it('passes: the bank sends its customer back by a form, once, also to the address of the order', {
    tags: 'slow',
  }, async () => {
    gate.armOnce();
    await Promise.all([browser.page.waitForURL('**/place-order'), browser.page.click('button')]);
    for (const goes of [true, false]) {
      await browser.page.goto('http://other.example/bank');
      await browser.page.setContent(
        `<form method="post" action="${shopOrigin}/checkout/place-order"><input name="cres" value="x"></form>`,
      );
      await browser.page.evaluate('document.forms[0].submit()');
      if (goes) await browser.page.waitForURL(`${shopOrigin}/**`);
      else await expect.poll(() => reasons().at(-1)).toBe('repeat');
    }
    expect(posted()).toEqual({ '/checkout/place-order': 2 });
  });

  it('passes as often as it likes: asking for the state, codes that a bank asks for again, and measurements', {
    tags: 'slow',
  }, async () => {
    gate.armOnce();
    await post('/api/finish');
    for (let index = 0; index < 2; index++)
      expect([
        await post('/api/finish/status'),
        await post('/3ds/otp'),
        await post('/analytics/collect'),
      ]).toEqual([200, 200, 200]);
    await browser.page.goto('http://other.example/');
    for (let index = 0; index < 2; index++) expect(await post('/challenge/abc')).toBe(200);
    expect(gate.passedCount()).toBe(1);
  });

  it('is a step where it names one, though it stands below the orders', async () => {
    expect([
      await post('/order/details'),
      await post('/orders/12/shipping-address'),
      await post('/order/submit'),
    ]).toEqual([200, 200, 'kept back']);
  });

  it('may be an announced step: one form, of that address, without a card, and only before arming', {
    tags: 'slow',
  }, async () => {
    const send = (body: string) =>
      browser.page.evaluate(
        `fetch('/checkout/place-order', { method: 'POST', body: '${body}' }).then(() => true, () => false)`,
      );
    const card = 'number=4242424242424242&cvc=123';
    gate.allowStep(`${shopOrigin}/checkout/place-order`);
    expect(await send('a=1')).toBe(false);
    await browser.page.evaluate(`document.forms[0].action += '?x'; document.forms[0].submit()`);
    await expect.poll(() => reasons().length).toBe(2);
    await backToCheckout();
    await browser.page.evaluate(
      `document.forms[0].innerHTML = '<input name="c" value="${card}">'; document.forms[0].submit()`,
    );
    await expect.poll(() => reasons().length).toBe(3);
    expect(placed()).toBe(0);
    await backToCheckout();
    await Promise.all([browser.page.waitForURL('**/place-order'), browser.page.click('button')]);
    await browser.page.evaluate('document.forms[0].submit()');
    await expect.poll(() => reasons().length).toBe(4);
    expect([placed(), reasons()]).toEqual([
      1,
      ['not-armed', 'not-armed', 'not-armed', 'not-armed'],
    ]);
  });

  it('is no order before arming unless it pays: a step may be called payment, a card sent there is kept back', {
    tags: 'slow',
  }, async () => {
    expect([
      await post('/checkout/payment', 'method=card'),
      await post('/checkout/payment', 'pan=4242+4242+4242+4242'),
    ]).toEqual([200, 'kept back']);
  });
});
