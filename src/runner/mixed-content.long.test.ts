import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestAuthority, type TestAuthority } from '../../test/harness/certificates.ts';
import {
  pageOf,
  plainCard,
  plainFields,
  plainShop,
  plainSummary,
} from './engine/testing/pages-kit.ts';
import { aTask, type Handler, runInShop } from './engine/testing/test-shop-kit.ts';
import { installOrderGate, looksLikeOrder } from './gate/order-gate.ts';
import { type RunWorld, startRunWorld } from './testing/run-world.ts';
import { type SecureFront, startSecureFront } from './testing/secure-front.ts';

let world: RunWorld;
let authority: TestAuthority;
let front: SecureFront | undefined;
beforeEach(async () => {
  world = await startRunWorld();
  authority = await makeTestAuthority();
});
afterEach(async () => {
  await world.close();
  await front?.close();
});

async function buyIn(handler: Handler) {
  front = await startSecureFront(world, authority, handler);
  const browser = await world.openBrowser({ trustedKeyHashes: [authority.publicKeyHash] });
  const gate = await installOrderGate(browser.context, { match: looksLikeOrder(front.origin) });
  const run = await runInShop(browser, aTask(`${front.origin}/mug`), {
    gate: {
      arm: () => void gate.armOnce(),
      placedRequests: () => gate.passedCount(),
      covers: (request) => gate.covers(request),
    },
  });
  return { ...run, orders: front.shop.orders, inClear: front.open.requests };
}

/** Every page changed in one way. */
const changing =
  (change: (html: string) => string, handler: Handler = plainShop()): Handler =>
  (request, orders) => {
    const reply = handler(request, orders);
    return reply !== undefined && 'html' in reply ? { ...reply, html: change(reply.html) } : reply;
  };

describe('a shop over https whose pages have parts over http', () => {
  it('is bought in: the browser loads such parts over TLS or not at all, and nothing goes out in clear', async () => {
    const parts = `<img src="http://mixed.example/picture.png" width="20" height="20"><script src="http://mixed.example/add.js"></script>
      <link rel="stylesheet" href="http://mixed.example/look.css"><iframe src="http://mixed.example/offer"></iframe>
      <script>fetch('http://mixed.example/price', { method: 'POST', body: 'x' }).catch(() => 0)</script>`;
    const { end, orders, inClear } = await buyIn(
      changing((html) => html.replace('</main>', `</main>${parts}`)),
    );
    expect(end).toMatchObject({ outcome: 'succeeded', merchantOrderId: 'ORD-1001' });
    expect([orders.length, inClear]).toEqual([1, []]);
  });

  it.each<[string, string, string, string]>([
    [
      'name and address',
      '/checkout',
      'http://mixed.example/card',
      'without TLS, to http://mixed.example: nothing was filled in',
    ],
    [
      'card',
      '/card',
      'http://mixed.example/order',
      'The card form sends to http://mixed.example, which is not allowed',
    ],
  ])(
    'gets no %s into a form that would send them without TLS',
    async (_name, path, action, message) => {
      const form = (to: string, fields: string, button: string) =>
        pageOf(
          'Checkout',
          `<h1>Checkout</h1><form method="post" action="${to}">${fields}<button>${button}</button></form>`,
        );
      const { end, orders, inClear, cards } = await buyIn((request, all) => {
        const clear = (own: string) => (request.path === path ? action : own);
        if (request.path === '/checkout')
          return { html: form(clear('/card'), plainFields, 'Continue') };
        if (request.path === '/card')
          return { html: form(clear('/order'), plainCard + plainSummary, 'Place order') };
        return plainShop()(request, all);
      });
      expect(end).toMatchObject({
        outcome: 'failed',
        placed: 'no',
        message: expect.stringContaining(message),
      });
      expect([orders, cards, inClear]).toEqual([[], 0, []]);
    },
  );
});
