import { expect, test } from 'vitest';
import { allowsOrigin, isOriginPattern } from './allow-lists.ts';

test.each([
  [['https://shop.example'], 'https://shop.example', true],
  [['https://shop.example'], 'HTTPS://Shop.Example', true],
  [['https://shop.example'], 'http://shop.example', false],
  [['https://shop.example'], 'https://shop.example:8443', false],
  [['https://shop.example'], 'https://shop.example.evil.example', false],
  [['https://*.shop.example'], 'https://a.shop.example', true],
  [['https://*.shop.example'], 'https://a.b.shop.example', true],
  [['https://*.shop.example'], 'https://shop.example', false],
  [['https://*.shop.example'], 'https://evilshop.example', false],
  [['https://*.shop.example'], 'https://evil.example/.shop.example', false],
  [['https://*.shop.example'], 'https://.shop.example', false],
  [['*'], 'null', true],
  [[], 'https://shop.example', false],
  [['https://shop.example'], 'null', false],
])('%j and %s: %s', (allowed, origin, expected) => {
  expect(allowsOrigin(allowed, origin)).toBe(expected);
});

test('an entry is an origin, a pattern of subdomains, or *', () => {
  for (const good of [
    'https://shop.example',
    'http://localhost:3000',
    'https://*.shop.example',
    'chrome-extension://abcdef',
    'http://[::1]:80',
    '*',
  ])
    expect(isOriginPattern(good)).toBe(true);
  for (const bad of [
    '',
    'shop.example',
    'https://',
    'https://shop.example/',
    'https://shop.example/path',
    'https://*',
    'https://a.*.example',
    '**',
    'https://a b',
  ])
    expect(isOriginPattern(bad)).toBe(false);
});
