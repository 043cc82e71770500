import type { Browser } from 'playwright-core';
import type { RunTask } from '../../types.ts';
import { pageOf, plainFields, plainShop } from './pages-kit.ts';
import {
  aTask,
  type Handler,
  runInShop,
  startTestShop,
  type TestAnswers,
} from './test-shop-kit.ts';

/**
 * A shop that sells on account: its way on from the address orders, under a name that tells
 * nothing. `thanks`: the page after it.
 */
export const onAccount =
  (
    thanks = '<h1>Thank you for your order!</h1><p>Your order number is <b>ACC-7001</b>.</p><p>Total paid <b>$25.00</b></p>',
  ): Handler =>
  (request, orders) => {
    switch (`${request.method} ${request.path}`) {
      case 'GET /checkout':
        return {
          html: pageOf(
            'Checkout',
            `<h1>Delivery address</h1><form method="post" action="/step/2">${plainFields}<button>Continue</button></form>`,
          ),
        };
      case 'POST /step/2':
        orders.push(Object.fromEntries(request.form));
        return { to: '/done' };
      case 'GET /done':
        return { html: pageOf('Done', thanks) };
      default:
        return plainShop()(request, orders);
    }
  };

/** One run for the mug of a shop, and the shop's orders after it. */
export async function buyMug(
  browser: Browser,
  handler: Handler,
  more: TestAnswers = {},
  task: Partial<RunTask> = {},
) {
  const shop = await startTestShop(handler);
  try {
    return {
      ...(await runInShop(browser, aTask(`${shop.origin}/mug`, task), more)),
      orders: shop.orders,
      posts: shop.posts,
    };
  } finally {
    await shop.close();
  }
}
