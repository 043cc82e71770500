import { describe, expect, it } from 'vitest';
import { isShopUrl, type Run } from './run.ts';

const rows: readonly (readonly [shop: string, address: string, isShop: boolean])[] = [
  ['https://www.brand.example', 'https://www.brand.example/cart', true],
  ['https://www.brand.example', 'https://brand.example/cart', true],
  ['https://brand.example', 'https://checkout.brand.example/pay', true],
  ['https://shop.brand.example', 'https://checkout.brand.example/pay', true],
  ['https://shop.brand.example', 'https://www.brand.example', true],
  ['https://shop.brand.example', 'https://evil.brand.example', false],
  ['https://shop.co.uk', 'https://pay.co.uk', false],
  ['https://shop.co.uk', 'https://www.shop.co.uk', true],
  ['https://shop.netlify.app', 'https://checkout.netlify.app', false],
  ['https://shop.myshopify.com', 'https://pay.myshopify.com', false],
  ['https://brand.myshopify.com', 'https://checkout.brand.myshopify.com', true],
  ['https://brand.example', 'https://brand.example.evil.example', false],
  ['https://brand.example', 'https://evilbrand.example', false],
  ['http://brand.example', 'https://brand.example/checkout', true],
  ['http://www.brand.example', 'https://secure.brand.example/checkout', true],
  ['https://brand.example', 'http://brand.example/checkout', false],
  ['https://brand.example', 'https://brand.example:8443/checkout', false],
  ['http://127.0.0.1:8001', 'http://127.0.0.1:8002', false],
  ['http://127.0.0.1:8001', 'http://1.127.0.0.1:8001', false],
  ['https://brand.example', 'javascript:alert(1)', false],
];

describe('what belongs to a shop', () => {
  it.each(rows)('at %s: %s is %s', (shopOrigin, address, isShop) => {
    expect(isShopUrl({ state: { shopOrigin } } as unknown as Run, address)).toBe(isShop);
  });
});
