import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import type { RunTask } from '../types.ts';
import {
  plainCard,
  plainFields,
  plainShop,
  plainSummary,
  type ShopLook,
} from './testing/pages-kit.ts';
import {
  aTask,
  type Handler,
  runInShop,
  startTestShop,
  type TestAnswers,
} from './testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

async function buyIn(
  look: ShopLook,
  task: Partial<RunTask> = {},
  answers: TestAnswers = {},
  around: (inner: Handler) => Handler = (inner) => inner,
) {
  const shop = await startTestShop(around(plainShop(look)));
  try {
    const run = await runInShop(browser, aTask(`${shop.origin}/mug`, task), answers);
    return { ...run, orders: shop.orders, posts: shop.posts };
  } finally {
    await shop.close();
  }
}

describe('money', () => {
  it('above the cap ends with max_cost_exceeded before a card is asked for or anything is approved', async () => {
    const { end, cards, asked, orders } = await buyIn(
      {},
      { maxCost: { amountMinor: 2499n, currency: 'USD' } },
    );
    expect(end).toMatchObject({ outcome: 'failed', reason: 'max_cost_exceeded', placed: 'no' });
    expect({ cards, asked, orders }).toEqual({ cards: 0, asked: [], orders: [] });
  });

  it('that two sources tell differently, or that comes again every month, is not paid', {
    tags: 'slow',
  }, async () => {
    const two = await buyIn({ orderButton: 'Pay $26.00' });
    expect(two.end).toMatchObject({ outcome: 'failed', reason: 'automation_failed', placed: 'no' });
    const monthly = await buyIn({
      summary: plainSummary.replace('<th>Total', '<th>Total per month'),
    });
    expect(monthly.end).toMatchObject({ outcome: 'failed', placed: 'no' });
    expect([two.cards, monthly.cards, two.orders.length, monthly.orders.length]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  it('that rises after the approval is not paid', { tags: 'slow' }, async () => {
    const head = `<script>addEventListener('input', (e) => { if (e.target.name === 'cardnumber') { const b = document.querySelector('.summary'); b.innerHTML = b.innerHTML.replace('$5.00', '$8.00').replace('$25.00', '$28.00'); } })</script>`;
    const { end, armed, orders } = await buyIn({ head });
    expect(end).toMatchObject({ outcome: 'failed', placed: 'no' });
    expect({ armed, orders }).toEqual({ armed: 0, orders: [] });
  });
});

describe('in the last moment before the click', () => {
  /** Changes the page when the gate is armed: the permit is given, and nothing is pressed yet. */
  const changing = (script: string): TestAnswers => ({
    gate: async (context) => ({
      arm: () => void context.pages()[0]!.evaluate(script),
      placedRequests: () => 0,
    }),
  });

  it('a total that rises is not paid', async () => {
    const script = `document.querySelectorAll('.summary b')[0].textContent = '$28.00'`;
    const { end, armed, orders } = await buyIn({}, {}, changing(script));
    expect(end).toMatchObject({ outcome: 'failed', placed: 'no' });
    expect({ armed, orders }).toEqual({ armed: 1, orders: [] });
  });

  it.each(['form', 'button'])(
    'a %s that sends the card elsewhere is not pressed',
    { tags: 'slow' },
    async (what) => {
      const thief = await startTestShop(() => ({ html: 'thanks' }));
      const turn =
        what === 'form'
          ? `form.action = '${thief.origin}/'`
          : `form.querySelector('button').formAction = '${thief.origin}/'`;
      const script = `{ const form = document.getElementById('checkout'); ${turn}; }`;
      const late = await buyIn({}, {}, changing(script));
      const early = await buyIn({
        head: `<script>addEventListener('input', (event) => { if (event.target.name === 'cvc') ${script} })</script>`,
      });
      await thief.close();
      expect(thief.posts).toEqual([]);
      expect([late.end, early.end]).toMatchObject([{ placed: 'no' }, { placed: 'no' }]);
      expect([late.armed, early.armed, late.orders.length, early.orders.length]).toEqual([
        1, 0, 0, 0,
      ]);
    },
  );
});

describe('what nobody asked for', { tags: 'slow' }, () => {
  it('is unticked, terms are ticked, the cheapest delivery is taken and honeypots stay empty', async () => {
    const extras = `<fieldset><legend>Delivery method</legend><label><input type="radio" name="ship" value="next" checked> Express, next day $15.00</label><label><input type="radio" name="ship" value="std"> Standard $5.00</label></fieldset>
      <label><input type="checkbox" name="insurance" checked> Add shipping insurance (+$2.00)</label><label><input type="checkbox" name="news" checked> Send me offers and news</label><label><input type="checkbox" name="terms" required> I agree to the terms and conditions</label>
      <input name="website" style="position:absolute;left:-4000px"><input name="cardnumber2" autocomplete="cc-number" style="opacity:0">`;
    const { end, orders } = await buyIn({ checkoutFields: plainFields + extras + plainCard });
    expect(end.outcome).toBe('succeeded');
    expect(orders).toMatchObject([{ ship: 'std', terms: 'on', website: '', cardnumber2: '' }]);
    expect(Object.keys(orders[0]!).filter((name) => ['insurance', 'news'].includes(name))).toEqual(
      [],
    );
  });
});

describe('the product page', { tags: 'slow' }, () => {
  const productForm = `<label>Size <select name="size"><option value="">Choose</option><option>S</option><option>M</option></select></label>
    <fieldset><legend>Colour</legend><label><input type="radio" name="colour" value="r"> Red</label><label><input type="radio" name="colour" value="b"> Blue</label></fieldset><label>Quantity <input type="number" name="quantity" value="1"></label>`;

  it('is filled by the request; what it leaves open is asked', async () => {
    const summary = plainSummary.replace('$20.00', '$40.00').replace('$25.00', '$45.00');
    const said = await buyIn(
      { productForm, product: 'Shirt', summary },
      { request: 'size M, blue, two of them' },
    );
    expect(said.orders).toMatchObject([
      { 'chosen-size': 'M', 'chosen-colour': 'b', quantity: '2' },
    ]);
    const open = await buyIn(
      { productForm, product: 'Shirt' },
      { request: 'size S' },
      {
        answer: (request) =>
          request.kind === 'option-choice'
            ? { choice: request.options.find((one) => one.title === 'Red')!.value }
            : undefined,
      },
    );
    expect(open.asked.map(({ kind }) => kind)).toEqual(['option-choice', 'approve-purchase']);
    expect(open.orders).toMatchObject([
      { 'chosen-size': 'S', 'chosen-colour': 'r', quantity: '1' },
    ]);
  });
});

describe('the cart', () => {
  it('of an earlier try is set to what was asked for, not added to', { tags: 'slow' }, async () => {
    const left =
      (inner: Handler): Handler =>
      (request, orders) => {
        if (request.path === '/mug') request.session.set('quantity', '1');
        return inner(request, orders);
      };
    const { end, orders } = await buyIn(
      {},
      { resume: { step: 'add-to-cart', evidence: [] } },
      {},
      left,
    );
    expect(end.outcome).toBe('succeeded');
    expect(orders).toMatchObject([{ quantity: '1' }]);
  });

  it('that wants its terms accepted before the checkout gets them, and its newsletter stays out', {
    tags: 'slow',
  }, async () => {
    const asking =
      (inner: Handler): Handler =>
      (request, orders) => {
        const { method, path, form, session } = request;
        if (method === 'POST' && path === '/leave') {
          session.set('news', form.get('news') ?? 'no');
          return { to: form.get('tos') === null ? '/cart' : '/checkout' };
        }
        const answer = inner(request, orders);
        if (path !== '/cart' || method !== 'GET' || !answer || !('html' in answer)) return answer;
        const ask = (name: string, label: string) =>
          `<label><input type="checkbox" name="${name}"> ${label}</label>`;
        const boxes = `${ask('tos', 'I agree with the terms of service')}${ask('news', 'Keep me posted with your newsletter')}`;
        const leave = `<form method="post" action="/leave">${boxes}<button>Checkout</button></form>`;
        return { html: answer.html.replace('<a href="/checkout">Proceed to checkout</a>', leave) };
      };
    const { end, orders, posts } = await buyIn({}, {}, {}, asking);
    expect(end.outcome).toBe('succeeded');
    expect(orders).toHaveLength(1);
    expect(posts.filter(({ path }) => path === '/leave').map(({ values }) => values)).toEqual([
      { tos: 'on' },
    ]);
  });
});

describe('the card', { tags: 'slow' }, () => {
  it('is not typed into a frame of an origin that is not listed', async () => {
    const thief = await startTestShop(() => ({ html: `<form>${plainCard}</form>` }));
    const fields = `${plainFields}<iframe src="${thief.origin}/card" width="500" height="300"></iframe>`;
    const refused = await buyIn({ checkoutFields: fields });
    expect(refused.end).toMatchObject({ outcome: 'failed', placed: 'no' });
    expect(refused.cards).toBe(0);
    const listed = await buyIn({ checkoutFields: fields }, { paymentFrameOrigins: [thief.origin] });
    await thief.close();
    expect(listed.cards).toBe(1);
    expect(listed.orders).toHaveLength(1);
  });
});

describe('from the permit on', () => {
  const lost =
    (inner: Handler): Handler =>
    (request, orders) =>
      request.path === '/order'
        ? (inner(request, orders), { hang: true })
        : request.path === '/'
          ? { html: 'Welcome' }
          : inner(request, orders);

  it('a refused permit clicks nothing', async () => {
    const { end, orders } = await buyIn({}, {}, { mayArm: false });
    expect(orders).toEqual([]);
    expect(end).toMatchObject({ outcome: 'failed', placed: 'unknown' });
  });

  it('a lost answer is never clicked again: the user says what the shop has', async () => {
    const { end, posts, asked } = await buyIn(
      {},
      {},
      {
        answer: (request) =>
          request.kind === 'confirm-outcome'
            ? { outcome: 'placed', merchantOrderId: 'A7' }
            : undefined,
      },
      lost,
    );
    expect(posts.filter((post) => post.path === '/order')).toHaveLength(1);
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase', 'confirm-outcome']);
    expect(end).toMatchObject({
      outcome: 'succeeded',
      merchantOrderId: 'A7',
      total: { amountMinor: 2500n },
    });
  });

  it('a swallowed click ends as not placed only where the gate proves it', {
    tags: 'slow',
  }, async () => {
    const head = `<script>addEventListener('submit', (e) => { if (e.target.id === 'checkout') e.preventDefault(); })</script>`;
    const proven = await buyIn(
      { head },
      {},
      { gate: { arm: () => undefined, placedRequests: () => 0 } },
    );
    expect(proven.end).toMatchObject({ outcome: 'failed', placed: 'no' });
    expect(proven.orders).toEqual([]);
  });

  it('a later try only reads', { tags: 'slow' }, async () => {
    const { end, posts, steps } = await buyIn({}, { resume: { step: 'armed', evidence: [] } });
    expect(posts).toEqual([]);
    expect(steps).toEqual([]);
    expect(end).toMatchObject({ outcome: 'failed', placed: 'unknown' });
  });
});

describe('questions', { tags: 'slow' }, () => {
  it('ask for what the buyer has not told, and a declined approval buys nothing', async () => {
    const asks = await buyIn(
      {},
      { buyer: {} },
      {
        answer: (request) =>
          request.kind === 'contact-and-shipping'
            ? {
                fullName: 'Ada Lovelace',
                email: 'a@b.co',
                addressLine1: '1 Road',
                city: 'Reno',
                state: 'US-NV',
                postalCode: '89501',
                countryCode: 'US',
              }
            : undefined,
      },
    );
    expect(asks.asked.map(({ kind }) => kind)).toEqual([
      'contact-and-shipping',
      'approve-purchase',
    ]);
    expect(asks.orders).toMatchObject([
      { first: 'Ada', last: 'Lovelace', city: 'Reno', zip: '89501' },
    ]);
    const declined = await buyIn(
      {},
      {},
      { answer: (request) => (request.kind === 'approve-purchase' ? 'decline' : undefined) },
    );
    expect(declined.end).toMatchObject({
      outcome: 'failed',
      reason: 'user_cancelled',
      placed: 'no',
    });
    expect([declined.cards, declined.orders.length]).toEqual([0, 0]);
  });

  const openSummary =
    '<p>Subtotal: $20.00</p><table><tr><th>Shipping</th><td id="s">Calculated at next step</td></tr><tr><th>Estimated taxes</th><td id="x">—</td></tr><tr><th>Total</th><td id="t">$20.00</td></tr></table>';
  const whoBuys = {
    fullName: 'Ada Lovelace',
    email: 'a@b.co',
    addressLine1: '1 Road',
    city: 'Reno',
    postalCode: '10001',
  };

  it('ask for a region that the shop needs and does not mark, and for the country that it has chosen by itself', async () => {
    const fields = plainFields
      .replace('<option value="US">', '<option value="US" selected>')
      .replaceAll(' required', '');
    const head = `<script>addEventListener('change', () => { const f = document.forms.checkout; if (!f.state.value || !f.zip.value) return; s.textContent = '$5.00'; x.textContent = '$2.00'; t.textContent = '$27.00'; })</script>`;
    const { end, asked, orders } = await buyIn(
      { checkoutFields: fields + plainCard, summary: openSummary, head },
      { buyer: {} },
      {
        answer: ({ kind }) =>
          kind === 'contact-and-shipping'
            ? { ...whoBuys, state: 'New York', countryCode: 'us' }
            : undefined,
      },
    );
    const missing = [
      'email',
      'fullName',
      'addressLine1',
      'city',
      'state',
      'postalCode',
      'countryCode',
    ];
    expect(asked).toMatchObject([
      {
        kind: 'contact-and-shipping',
        missing: expect.arrayContaining(missing),
        countries: ['DE', 'US'],
      },
      {
        kind: 'approve-purchase',
        total: { amountMinor: 2_700n },
        lines: expect.arrayContaining([
          { title: 'You asked for: Blue Mug × 1' },
          { title: 'Subtotal', amount: '$20.00' },
          { title: 'Shipping', amount: '$5.00' },
        ]),
      },
    ]);
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 2_700n } });
    expect(orders).toMatchObject([{ state: 'NY', country: 'US' }]);
  });

  it('are never about a total to which the shop says that something is still to be added', async () => {
    const { end, asked, cards, orders } = await buyIn({ summary: openSummary });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('Shipping: Calculated at next step'),
    });
    expect({ asked, cards, orders }).toEqual({ asked: [], cards: 0, orders: [] });
  });
});
