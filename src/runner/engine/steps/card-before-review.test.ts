import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { pageOf, plainCard, plainFields, plainShop, plainSummary } from '../testing/pages-kit.ts';
import type { Handler } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface CardLook {
  /** Of the page before the card; empty: it shows no total either. */
  readonly before?: string;
  readonly review?: string;
}

/**
 * A shop that asks for the card on a page without any amount, and shows everything once more behind
 * it.
 */
function cardFirstShop(
  seen: string[],
  { before = plainSummary, review = plainSummary }: CardLook = {},
): Handler {
  const form = (to: string, fields: string, button: string) =>
    pageOf(
      'Checkout',
      `<h1>Checkout</h1><form method="post" action="${to}">${fields}<button>${button}</button></form>`,
    );
  return (request, orders) => {
    if (request.method === 'POST') seen.push(request.path);
    switch (`${request.method} ${request.path}`) {
      case 'GET /checkout':
        return { html: form('/details', plainFields + before, 'Continue to payment') };
      case 'POST /details':
        return { to: '/card' };
      case 'GET /card':
        return { html: form('/review', plainCard, 'Review your order') };
      case 'POST /review':
        return { to: '/review' };
      case 'GET /review':
        return { html: form('/order', review, 'Place order') };
      default:
        return plainShop()(request, orders);
    }
  };
}

async function buy(look: CardLook = {}) {
  const seen: string[] = [];
  const run = await buyMug(browser, cardFirstShop(seen, look), {
    onStep: (step) => void seen.push(step),
    answer: ({ kind }) => void seen.push(kind),
  });
  return {
    ...run,
    seen: seen.filter((one) =>
      ['approve-purchase', 'fill-card', '/review', 'armed', '/order'].includes(one),
    ),
  };
}

describe('a shop that asks for the card before it shows the order', () => {
  it('is approved by the total of the page before, and permitted on the page that has it again', {
    tags: 'slow',
  }, async () => {
    const { end, seen, asked, orders } = await buy();
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 2_500n } });
    expect(seen).toEqual(['approve-purchase', 'fill-card', '/review', 'armed', '/order']);
    const approval = asked.flatMap((one) => (one.kind === 'approve-purchase' ? [one] : []))[0]!;
    expect(approval.lines).toContainEqual({
      title: expect.stringContaining('the page with the card shows no total'),
    });
    expect(orders).toHaveLength(1);
  });

  it('is not ordered in when the review asks for more', async () => {
    const { end, seen, orders } = await buy({
      review: plainSummary.replace('$5.00', '$9.00').replace('$25.00', '$29.00'),
    });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('rose to 29.00 USD'),
    });
    expect([seen.includes('armed'), orders]).toEqual([false, []]);
  });

  it('gets no card where no page before it had a total: nothing is typed', {
    tags: 'slow',
  }, async () => {
    const { end, seen, cards } = await buy({ before: '' });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('shows no total'),
    });
    expect([seen, cards]).toEqual([[], 0]);
  });
});
