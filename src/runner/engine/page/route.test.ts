import { expect, it } from 'vitest';
import { pageOf, pathOf } from './route.ts';

it.each([
  ['plain', 'https://shop.example/checkout/cart?x=1', '/checkout/cart'],
  ['OpenCart 4.1', 'https://shop.example/index.php?route=checkout/cart&language=en-gb', '/checkout/cart'],
  ['AbanteCart 1.4', 'https://shop.example/index.php?rt=checkout/cart', '/checkout/cart'],
  ['Zen Cart 2.2', 'https://shop.example/store/index.php?main_page=shopping_cart', '/store/shopping_cart'],
  ['PrestaShop 8', 'https://shop.example/index.php?controller=order', '/order'],
  ['a page of one script', 'https://shop.example/app/?x=1#/cart?step=2', '/cart'],
  ['an anchor', 'https://shop.example/cart#total', '/cart'],
  ['no route but a sentence', 'https://shop.example/find?route=over the hills', '/find'],
])('the page of an address of %s', (_, address, path) => {
  expect(pathOf(address)).toBe(path);
});

it('two addresses of one page differ by their anchors alone', () => {
  expect(pageOf('https://shop.example/#/p/mug')).not.toBe(pageOf('https://shop.example/#/p/mug-xl'));
  expect(pageOf('https://shop.example/p/mug#reviews')).toBe(pageOf('https://shop.example/p/mug'));
});
