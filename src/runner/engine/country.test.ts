import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { isCountry } from './fields/places.ts';
import { buyMug } from './testing/on-account.ts';
import { plainShop } from './testing/pages-kit.ts';
import { aBuyer } from './testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a country that the shop does not deliver to', { tags: 'slow' }, () => {
  it('ends the run with its name, and the shop’s own choice is not taken in its place', async () => {
    const shipping = {
      addressLines: ['1-2-3 Ginza'],
      locality: 'Tokyo',
      administrativeAreaCode: 'JP-13',
      postalCode: '104-0061',
    };
    const buyer = { ...aBuyer, shipping: { ...shipping, countryCode: 'JP' } };
    const { end, orders, cards } = await buyMug(browser, plainShop(), {}, { buyer });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: 'The shop does not deliver to Japan (JP): its list of countries does not offer it.',
    });
    expect([orders, cards]).toEqual([[], 0]);
  });
});

it('countries are known by code and by name in the languages of the engine', () => {
  expect(
    ['JP', 'Germany', 'Deutschland', 'États-Unis', 'Países Bajos', 'UK', 'Stati Uniti'].filter(
      isCountry,
    ),
  ).toHaveLength(7);
  expect(['Choose…', 'Express', 'Niemcy'].some(isCountry)).toBe(false);
});
