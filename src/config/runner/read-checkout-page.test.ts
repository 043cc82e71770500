import { expect, test } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readCheckoutPageUrl } from './read-checkout-page.ts';

function read(text: string, environment: Environment = 'production') {
  const reader = createSettingReader({ CHECKOUT_PAGE_URL: text });
  return { url: readCheckoutPageUrl(reader, environment), problems: reader.problems };
}

test('the page of a checkout is an https address with the id in it; plain http is for development', () => {
  const page = 'https://app.example/checkouts/{checkoutId}';
  expect(read(page)).toEqual({ url: page, problems: [] });
  expect(read('http://localhost:5173/c?id={checkoutId}', 'development').problems).toEqual([]);
  for (const wrong of [
    'https://app.example/checkouts',
    'http://app.example/{checkoutId}',
    'https://a:b@app.example/{checkoutId}',
    '{checkoutId}',
  ])
    expect(read(wrong).problems).toEqual([
      expect.stringContaining('CHECKOUT_PAGE_URL is the https address'),
    ]);
});
