import { plainShop } from '../pages-kit.ts';
import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout } from './kit.ts';

const card = (name: string, at: number) =>
  `<li class="product-card"><a href="/p/${at}"><img alt="${name}" src="data:," width="90" height="90"><h3>${name}</h3></a><span class="price">$${10 + at}.00</span><button type="button" data-id="${at}">Add to cart</button></li>`;
const listing = inPage(
  'Mugs – 48 results',
  `<header><a href="/">Shop</a></header><main><h1>Mugs</h1><p>48 results</p><label>Sort by <select name="sort"><option>Featured</option><option>Price: low to high</option></select></label><form class="filters"><fieldset><legend>Color</legend><label><input type="checkbox" name="c" value="b"> Blue (12)</label><label><input type="checkbox" name="c" value="r"> Red (9)</label></fieldset></form><ul>${['Blue Mug', 'Red Mug', 'Tall Mug', 'Tea Mug', 'Glass Mug', 'Tin Mug'].map(card).join('')}</ul><nav aria-label="Pagination"><a href="?page=2">2</a></nav></main>`,
);
const only =
  (path: string, html: string): Handler =>
  (request) =>
    request.path === path ? { html } : undefined;
const priced =
  (inner: Handler): Handler =>
  (request, orders) => {
    const reply = inner(request, orders);
    return reply !== undefined && 'html' in reply
      ? { ...reply, html: reply.html.replaceAll('$20.00', 'CHF 120.00').replaceAll('$', 'CHF ') }
      : reply;
  };
const gone =
  (status: number): Handler =>
  ({ path }) =>
    path === '/mug'
      ? {
          html: inPage(
            'Oops',
            '<main><h1>Page not found</h1><p>We could not find that page.</p><ul><li>Popular: Red Mug $12.00 <button>Add to cart</button></li></ul></main>',
          ),
          status,
        }
      : undefined;

export const listingPage: Layout = {
  title: 'a list of products is not bought from',
  path: '/mugs',
  shop: only('/mugs', listing),
  fails: /several products/i,
};
export const notFound: Layout = {
  title: 'a product that is gone (404) ends the run',
  path: '/mug',
  shop: gone(404),
  fails: /no such page.*404/i,
};
export const removed: Layout = {
  title: 'a product that was removed (410) ends the run',
  path: '/mug',
  shop: gone(410),
  fails: /410/i,
};
export const tooDear: Layout = {
  title: 'a price above the limit ends the run before anything is filled in',
  path: '/mug',
  shop: plainShop(),
  task: { maxCost: { amountMinor: 1_900n, currency: 'USD' } },
  fails: /20\.00 USD.*19\.00 USD/,
};
export const otherCurrency: Layout = {
  title:
    'a price in another currency than that of the limit ends the run before anything is filled in',
  path: '/mug',
  shop: priced(plainShop()),
  fails: /120\.00 CHF.*another currency/i,
};
