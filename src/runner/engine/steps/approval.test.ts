import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import type { RunTask } from '../../types.ts';
import { buyMug } from '../testing/on-account.ts';
import { plainCard, plainFields, plainShop, type ShopLook } from '../testing/pages-kit.ts';
import type { TestAnswers } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const row = (title: string, amount: string) => `<tr><td>${title}</td><td>${amount}</td></tr>`;
const summaryOf = (rows: string, total = '$25.00') =>
  `<table>${rows}${row('Shipping', '$5.00')}<tr><th>Total</th><td><b>${total}</b></td></tr></table>`;

/** What was approved, one after the other. */
async function buy(look: ShopLook, task: Partial<RunTask> = {}, more: TestAnswers = {}) {
  const run = await buyMug(browser, plainShop(look), more, task);
  return {
    ...run,
    approvals: run.asked.flatMap((one) => (one.kind === 'approve-purchase' ? [one] : [])),
  };
}
/** Changes the page as soon as a card is typed: the approval is given then. */
const whenTyped = (script: string) =>
  `<script>addEventListener('input', (event) => { if (event.target.name === 'cardnumber') { ${script} } })</script>`;
const changed = { title: 'Note: something of it has changed since you approved it.' };

describe('after the approval', () => {
  it('another product in the summary is approved anew', async () => {
    const summary = summaryOf(row('Blue Mug', '$20.00'));
    const head = whenTyped(`document.querySelector('.summary td').textContent = 'Grey Mug'`);
    const { approvals, orders } = await buy({ summary, head });
    expect(
      approvals.map(({ lines }) =>
        lines.filter(({ title }) => title.includes('Mug') && !title.startsWith('You')),
      ),
    ).toEqual([
      [{ title: 'Blue Mug', amount: '$20.00' }],
      [{ title: 'Grey Mug', amount: '$20.00' }],
    ]);
    expect(approvals[1]!.lines).toContainEqual(changed);
    expect(orders).toHaveLength(1);
  });

  /**
   * The number stands on the picture, apart from name and amount, as in summaries that a framework
   * draws.
   */
  const pictured = `<ul><li><div><i id="count">1</i></div><div><h3>Blue Mug</h3> <b>$20.00</b></div></li></ul>${summaryOf('')}`;

  it('another number of the product is approved anew, though the total is the same', async () => {
    const { approvals, orders } = await buy(
      { summary: pictured, head: whenTyped(`count.textContent = '2'`) },
      {},
      { answer: declineSecond() },
    );
    expect([approvals.length, orders]).toEqual([2, []]);
    expect(approvals[1]!.lines).toContainEqual(changed);
  });

  it.each([
    ['another product', `document.querySelector('h3').textContent = 'Grey Mug'`],
    ['another number', `count.textContent = '2'`],
  ])('%s that comes behind the permit is not bought', { tags: 'slow' }, async (_what, script) => {
    const onStep: TestAnswers['onStep'] = async (step, { page }) => {
      if (step === 'armed') await page.evaluate(script);
    };
    const { end, orders, armed } = await buy({ summary: pictured }, {}, { onStep });
    expect([armed, orders]).toEqual([1, []]);
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('What the shop lists changed'),
    });
  });

  it('a lower total is approved anew, and declined it is not bought', {
    tags: 'slow',
  }, async () => {
    const head = whenTyped(
      `const box = document.querySelector('.summary'); box.innerHTML = box.innerHTML.replace('$5.00', '$4.00').replace('$25.00', '$24.00');`,
    );
    let asked = 0;
    const answer: TestAnswers['answer'] = ({ kind }) => {
      if (kind === 'approve-purchase') asked += 1;
      return asked === 2 ? 'decline' : undefined;
    };
    const { approvals, orders, end } = await buy({ head }, {}, { answer });
    expect(approvals.map(({ total }) => total.amountMinor)).toEqual([2_500n, 2_400n]);
    expect([end, orders]).toMatchObject([
      { outcome: 'failed', reason: 'user_cancelled', placed: 'no' },
      [],
    ]);
  });

  it('another way of delivery is approved anew, though it costs the same', {
    tags: 'slow',
  }, async () => {
    const ways = (chosen: number) =>
      ['Standard $5.00', 'Express $5.00']
        .map(
          (way, index) =>
            `<label><input type="radio" name="shipping"${index === chosen ? ' checked' : ''}> ${way}</label>`,
        )
        .join('');
    const checkoutFields = `${plainFields}<fieldset><legend>Shipping method</legend>${ways(0)}</fieldset>${plainCard}`;
    const chosen = await buy({
      checkoutFields,
      head: whenTyped(`document.querySelectorAll('[name=shipping]')[1].checked = true;`),
    });
    expect(chosen.approvals.map(({ delivery }) => delivery)).toEqual([
      'Standard $5.00',
      'Express $5.00',
    ]);
    expect(chosen.approvals[1]!.lines).toContainEqual(changed);
    const summary = summaryOf(row('Blue Mug', '$20.00'));
    const told = await buy({
      summary,
      head: whenTyped(
        `document.querySelectorAll('.summary td')[2].textContent = 'Shipping (Express)';`,
      ),
    });
    expect(
      told.approvals.map(({ lines }) => lines.filter(({ title }) => title.startsWith('Shipping'))),
    ).toEqual([
      [{ title: 'Shipping', amount: '$5.00' }],
      [{ title: 'Shipping (Express)', amount: '$5.00' }],
    ]);
  });

  it('another address is approved anew', { tags: 'slow' }, async () => {
    const fields = plainFields.replace(
      '<label>Address',
      '<p id="to">Deliver to</p><p id="where">12 Main Street, San Francisco</p><label>Address',
    );
    const head = whenTyped(
      `where.textContent = '9 Other Road, Reno'; document.querySelector('[name=address]').value = '9 Other Road';`,
    );
    const { approvals } = await buy(
      { checkoutFields: fields + plainCard, head },
      {},
      { answer: declineSecond() },
    );
    expect(approvals.map(({ address }) => address)).toEqual([
      expect.stringContaining('12 Main Street'),
      expect.stringContaining('9 Other Road'),
    ]);
  });
});

function declineSecond(): TestAnswers['answer'] {
  let asked = 0;
  return ({ kind }) => {
    if (kind === 'approve-purchase') asked += 1;
    return asked === 2 ? 'decline' : undefined;
  };
}

describe('the approval', { tags: 'slow' }, () => {
  it('says what the shop does not say, and never comes behind a card', async () => {
    const order: string[] = [];
    const { approvals } = await buy(
      { checkoutFields: '<label>Email <input type="email" name="email" required></label>' },
      {},
      { answer: ({ kind }) => void order.push(kind) },
    );
    expect(approvals).toMatchObject([
      { paying: 'the shop does not say', address: 'the shop shows none on this page' },
    ]);
    const withCard = await buy(
      {},
      {},
      { answer: ({ kind }) => (kind === 'approve-purchase' ? 'decline' : undefined) },
    );
    expect([withCard.cards, withCard.orders]).toEqual([0, []]);
  });

  it('that is asked again because a browser was lost says so', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const { approvals } = await buy(
      {},
      { resume: { step: 'approve', evidence: [{ step: 'approve', at }] } },
    );
    expect(approvals[0]!.lines).toContainEqual({
      title:
        'Note: you approved it before, then the run lost its browser and began again; nothing was ordered by then.',
    });
    const first = await buy({});
    expect(first.approvals[0]!.lines.filter(({ title }) => title.startsWith('Note'))).toEqual([]);
  });
});

describe('the lines of the approval', { tags: 'slow' }, () => {
  const rows = row('Blue Mug', '$20.00');
  const mugs = (lines: readonly { readonly title: string }[]) =>
    lines.filter(({ title }) => title === 'Blue Mug').length;

  it('list a product once that the page shows twice, and twice where it is billed twice', async () => {
    const shown = await buy({ summary: summaryOf(rows + rows + row('Subtotal', '$20.00')) });
    expect(shown.approvals.map(({ lines }) => mugs(lines))).toEqual([1]);
    const unknown = await buy({ summary: summaryOf(rows + rows, '$25.00') });
    expect(unknown.approvals.map(({ lines }) => mugs(lines))).toEqual([2]);
  });

  it('name the product as its page does once the variant is chosen', async () => {
    const productForm =
      '<label>Size <select name="size"><option>Small</option><option>Large</option></select></label>';
    const head = `<script>addEventListener('change', (event) => { document.querySelector('h1').textContent = 'Blue Mug, ' + event.target.value; })</script>`;
    const { approvals, end } = await buy({ productForm, head }, { request: 'size large' });
    expect(approvals[0]!.lines[0]).toEqual({ title: 'You asked for: Blue Mug, Large × 1' });
    expect(end.outcome).toBe('succeeded');
  });
});

it('the question about an order names shop, product, total and time', {
  tags: 'slow',
}, async () => {
  const { asked, end } = await buyMug(browser, (request, orders) =>
    request.path === '/order'
      ? { hang: true }
      : request.path === '/'
        ? { html: 'Welcome' }
        : plainShop()(request, orders),
  );
  expect(asked.at(-1)).toMatchObject({
    kind: 'confirm-outcome',
    question: expect.stringMatching(
      /Does the shop have the order of “Blue Mug” for 25\.00 USD at http:\/\/127\.0\.0\.1:\d+, of \d{4}-\d\d-\d\d \d\d:\d\d UTC\?$/,
    ),
  });
  expect(end).toMatchObject({ outcome: 'failed', placed: 'unknown' });
});

it('a purchase without a card has no step of one', { tags: 'slow' }, async () => {
  const { steps } = await buy({ checkoutFields: plainFields });
  expect(steps.filter((step) => ['authorise', 'fill-card'].includes(step))).toEqual([]);
  expect(steps).toContain('armed');
});
