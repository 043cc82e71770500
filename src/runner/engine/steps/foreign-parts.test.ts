/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { plainShop } from '../testing/pages-kit.ts';
import type { Handler } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const stars = [1, 2, 3, 4, 5]
  .map(
    (star) => `<label><input type="radio" name="rating" value="${star}" required> ${star}</label>`,
  )
  .join('');
const captcha = '<iframe src="/recaptcha/anchor" width="304" height="78"></iframe>';
const review = `</form><h3>Write a review</h3><form method="post" action="/review"><label>Your name <input name="author"></label><fieldset><legend>Rating</legend>${stars}</fieldset>
  <label>Your review <textarea name="text"></textarea></label>${captcha}<button>Send</button></form><form method="post" action="/cart">`;
const withFrame =
  (inner: Handler): Handler =>
  (request, orders) =>
    request.path.startsWith('/recaptcha/')
      ? { html: '<p>I am not a robot</p>' }
      : inner(request, orders);

describe('the form of a review on a product’s page', () => {
  it('has stars that are no options, and a human check that is none of the purchase', async () => {
    const { end, asked, posts } = await buyMug(
      browser,
      withFrame(plainShop({ productForm: review })),
    );
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect([end.outcome, posts.some(({ path }) => path === '/review')]).toEqual([
      'succeeded',
      false,
    ]);
  });

  it('a human check beside the order is the user’s to pass', async () => {
    const { asked, end } = await buyMug(browser, withFrame(plainShop({ aroundCheckout: captcha })));
    expect([asked[0]!.kind, end.outcome]).toEqual(['human-verification', 'failed']);
  });
});

it('a question says something, and lists what a page has twice once', async () => {
  const productForm =
    '<select required><option value="">Choose…</option><option value="1">Matt</option><option value="2">Matt</option><option value="3">Gloss</option></select>';
  const { asked } = await buyMug(browser, plainShop({ productForm }), {
    answer: (request) =>
      request.kind === 'option-choice' ? { choice: request.options[0]!.value } : undefined,
  });
  const [choice] = asked.flatMap((one) => (one.kind === 'option-choice' ? [one] : []));
  expect(choice?.question).toBe('Which one?');
  expect(choice?.options.map(({ title }) => title)).toEqual(['Matt', 'Gloss']);
});
