/** @module-tag slow */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestAuthority, type TestAuthority } from '../../test/harness/certificates.ts';
import { explainRefusal } from './egress/index.ts';
import { plainShop } from './engine/testing/pages-kit.ts';
import { aTask, runInShop, startTestShop } from './engine/testing/test-shop-kit.ts';
import { installOrderGate, looksLikeOrder } from './gate/order-gate.ts';
import { type LocalServer, type LocalTls, startLocalServer } from './testing/local-servers.ts';
import { type RunWorld, startRunWorld } from './testing/run-world.ts';

let world: RunWorld;
let authority: TestAuthority;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  world = await startRunWorld();
  authority = await makeTestAuthority();
});
afterEach(async () => {
  await world.close();
  for (const close of closers.splice(0)) await close();
});

/**
 * A machine at port 443 of a name, with a certificate of the authority for that name unless another
 * one is given.
 */
async function openSecure(host: string, options: Partial<LocalTls> = {}): Promise<LocalServer> {
  const tls = {
    protocol: 'h2',
    ...(options.cert === undefined ? await authority.issue([host]) : {}),
    ...options,
  } as LocalTls;
  const server = await startLocalServer(
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>x'),
    tls,
  );
  closers.push(() => server.close());
  const address = `93.184.216.${50 + closers.length}`;
  world.internet.names.set(host, [address]);
  world.internet.machines.set(`${address}:443`, server.port);
  return server;
}
const openTrusting = () => world.openBrowser({ trustedKeyHashes: [authority.publicKeyHash] });

it('a shop sees the browser that is there, and nowhere the word for one without a window: shops keep no session for that', async () => {
  const server = await openSecure('shop.example');
  const heard: unknown[] = [];
  server.answer = (request, response) => {
    heard.push(request.headers['user-agent'], request.headers['sec-ch-ua']);
    response
      .writeHead(200, { 'content-type': 'text/html', 'accept-ch': 'Sec-CH-UA-Full-Version-List' })
      .end('<p>x');
  };
  const browser = await openTrusting();
  await browser.page.goto('https://shop.example/');
  const said = await browser.page.evaluate(`(async () => {
    const script = 'fetch("https://shop.example/worker").finally(() => postMessage(navigator.userAgent))';
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    const ofWorker = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    const { fullVersionList } = await navigator.userAgentData.getHighEntropyValues(['fullVersionList']);
    return [navigator.userAgent, ofWorker, navigator.userAgentData.brands, fullVersionList];
  })()`);
  const all = JSON.stringify([heard, said]);
  expect(all).toMatch(/ Chrome\/\d+/);
  expect(all).toContain('Chromium');
  expect(all).not.toMatch(/headless/i);
});

describe('an order over TLS', () => {
  it.each(['h2', 'http/1.1'] as const)(
    'is not sent again by the browser itself when its connection breaks: %s',
    async (protocol) => {
      const server = await openSecure('shop.example', { protocol });
      server.answer = (request, response) => {
        // The connection that the page came by, and with HTTP/2 all of it.
        const { stream } = request as unknown as {
          readonly stream?: { readonly session: { destroy(): void } };
        };
        if (request.method === 'POST') return (stream?.session ?? request.socket).destroy();
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>x');
      };
      const browser = await openTrusting();
      const gate = await installOrderGate(browser.context, {
        match: looksLikeOrder('https://shop.example'),
        beforePass: (url) => browser.proxy.closeTunnels(url.hostname),
      });
      await browser.page.goto('https://shop.example/');
      const order = () =>
        browser.page.evaluate(
          `fetch('/order', { method: 'POST', body: 'x' }).then(() => 'answered', () => 'lost')`,
        );
      expect([await order(), gate.passedCount()]).toEqual(['lost', 0]);
      gate.armOnce();
      expect([await order(), gate.passedCount()]).toEqual(['lost', 1]);
      expect([await order(), gate.passedCount()]).toEqual(['lost', 1]);
      expect(server.requests.filter((line) => line.startsWith('POST'))).toEqual(['POST /order']);
    },
  );

  it('is sent once also while its page asks the shop for its state all the time, which would give it a connection that was used', async () => {
    const server = await openSecure('shop.example', { protocol: 'http/1.1' });
    server.answer = (request, response) =>
      request.url === '/order' ? request.socket.destroy() : response.end('<p>x');
    const browser = await openTrusting();
    for (let round = 0; round < 8; round++) {
      const gate = await installOrderGate(browser.context, {
        match: looksLikeOrder('https://shop.example'),
        beforePass: (url) => browser.proxy.closeTunnels(url.hostname),
      });
      await browser.page.goto('https://shop.example/');
      gate.armOnce();
      server.requests.length = 0;
      const asks = (method: string) =>
        `(async () => { for (;;) await fetch('/status', { method: '${method}' }).catch(() => 0); })()`;
      await browser.page.evaluate(
        `${asks('GET')}; ${asks('GET')}; ${asks('POST')}; fetch('/order', { method: 'POST', body: 'x' }).catch(() => 'lost')`,
      );
      expect(server.requests.filter((line) => line.endsWith('order'))).toEqual(['POST /order']);
      // They go on afterwards.
      server.requests.length = 0;
      await expect.poll(() => server.requests.length).toBeGreaterThan(3);
      await browser.context.unroute('**/*');
    }
  });
});

describe('a shop whose certificate is not valid', () => {
  const sentence = (host: string) =>
    `The shop’s certificate is not valid (${host}: ERR_CERT_AUTHORITY_INVALID), so the page was not opened.`;

  it('is not opened: signed by nobody whom the browser trusts, expired, or of another host', async () => {
    const others = await makeTestAuthority('Another authority');
    const rows: [string, Partial<LocalTls>][] = [
      ['unknown.example', await others.issue(['unknown.example'])],
      ['expired.example', await others.issue(['expired.example'], { isExpired: true })],
      ['mistaken.example', await others.issue(['another.example'])],
    ];
    const browser = await openTrusting();
    for (const [host, certificate] of rows) {
      const server = await openSecure(host, certificate);
      const page = await browser.context.newPage();
      const { end, progress, cards } = await runInShop(
        { page, context: browser.context },
        aTask(`https://${host}/mug`),
        {
          refusalOf: (address) => explainRefusal(browser.proxy.decisions(), address),
        },
      );
      const message = sentence(host);
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'automation_failed',
        placed: 'no',
        message,
      });
      expect(progress).toEqual([{ title: 'The shop’s page was not opened', message }]);
      expect([server.requests, cards]).toEqual([[], 0]);
      await page.close();
    }
    // The browser itself is in order.
    await openSecure('good.example');
    expect((await browser.page.goto('https://good.example/'))?.status()).toBe(200);
  });

  it('ends the run at its checkout too, before anything is typed there', async () => {
    const checkout = await openSecure(
      'checkout.shop.example',
      await (await makeTestAuthority()).issue(['checkout.shop.example']),
    );
    const look = plainShop();
    const shop = await startTestShop((request, orders) =>
      request.path === '/checkout'
        ? { to: 'https://checkout.shop.example/checkout' }
        : look(request, orders),
    );
    closers.push(() => shop.close());
    world.internet.machines.set('93.184.216.34:80', Number(new URL(shop.origin).port));
    const run = await runInShop(await openTrusting(), aTask('http://shop.example/mug'));
    expect(run.end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: sentence('checkout.shop.example'),
    });
    expect([checkout.requests, run.cards, run.armed, run.asked]).toEqual([[], 0, 0, []]);
    expect(shop.posts.map(({ path }) => path)).toEqual(['/cart']);
  });
});
