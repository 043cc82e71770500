import { expect, it } from 'vitest';
import { linkTo, pageOf, pathOf } from './route.ts';

it.each([
  ['plain', 'https://shop.example/checkout/cart?x=1', '/checkout/cart'],
  [
    'OpenCart 4.1',
    'https://shop.example/index.php?route=checkout/cart&language=en-gb',
    '/checkout/cart',
  ],
  ['AbanteCart 1.4', 'https://shop.example/index.php?rt=checkout/cart', '/checkout/cart'],
  [
    'Zen Cart 2.2',
    'https://shop.example/store/index.php?main_page=shopping_cart',
    '/store/shopping_cart',
  ],
  ['PrestaShop 8', 'https://shop.example/index.php?controller=order', '/order'],
  ['a page of one script', 'https://shop.example/app/?x=1#/cart?step=2', '/cart'],
  ['an anchor', 'https://shop.example/cart#total', '/cart'],
  ['no route but a sentence', 'https://shop.example/find?route=over the hills', '/find'],
])('the page of an address of %s', (_, address, path) => {
  expect(pathOf(address)).toBe(path);
});

it('two addresses of one page differ by their anchors alone', () => {
  expect(pageOf('https://shop.example/#/p/mug')).not.toBe(
    pageOf('https://shop.example/#/p/mug-xl'),
  );
  expect(pageOf('https://shop.example/p/mug#reviews')).toBe(pageOf('https://shop.example/p/mug'));
});

it.each([
  [
    'https://shop.example/index.php?route=checkout/success&language=de',
    'https://shop.example/index.php?route=checkout/success',
  ],
  [
    'https://shop.example/index.php?route=account/order.info&order_id=12&user_token=s3cr3t',
    'https://shop.example/index.php?route=account/order.info&order_id=12',
  ],
  [
    'https://shop.example/thanks/BB-1042?key=wc_order_x&utm_source=mail',
    'https://shop.example/thanks/BB-1042',
  ],
  ['https://shop.example/#/orders/7?t=1', 'https://shop.example/#/orders/7'],
  ['no address', ''],
])('the link of a receipt to %s is %s: the page and the order, and no token', (address, link) => {
  expect(linkTo(address)).toBe(link);
});
