import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../../test/harness/browser.ts';
import type { RunTask } from '../../../types.ts';
import { buyMug } from '../../testing/on-account.ts';
import {
  pageOf,
  plainCard,
  plainFields,
  plainShop,
  plainSummary,
} from '../../testing/pages-kit.ts';
import type { Handler } from '../../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const login =
  '<form method="post" action="/login"><label>E-mail <input name="user"></label><label>Password <input type="password" name="secret" autocomplete="new-password"></label>';
const registration =
  '<td><h3>Register</h3><label>Name <input name="r_name"></label><label>E-mail <input name="r_mail"></label><label>Choose a password <input type="password" name="r_secret"></label><button name="do" value="new">Register</button></td>';

interface MembersLook {
  /** Who is not signed in sees no button. */
  readonly isClosed?: boolean;
  /** Login and registration are one form with two buttons. */
  readonly isBeside?: boolean;
  /** The login is sent by a link that a script listens to. */
  readonly isLink?: boolean;
  /** The head of each page leads to the account alone, which has the login. */
  readonly isBehindAccount?: boolean;
}

/** A shop with a login behind a link, which leads to the account and not back. */
function membersShop({
  isClosed = false,
  isBeside = false,
  isLink = false,
  isBehindAccount = false,
}: MembersLook): Handler {
  return (request, orders) => {
    const { method, path, form, session } = request;
    const button = isLink
      ? '<a href="#" role="button" onclick="this.closest(`form`).submit()">Log in</a>'
      : '<button name="do" value="login">Log in</button>';
    switch (`${method} ${path}`) {
      case 'GET /login':
        return {
          html: pageOf(
            'Login',
            isBeside
              ? `<h1>Login</h1>${login}<table><tr><td>${button}</td>${registration}</tr></table></form>`
              : `<h1>Login</h1>${login}${button}</form>`,
          ),
        };
      case 'POST /login':
        if (form.get('do') === 'new') session.set('account', 'new');
        else if (form.get('secret') === 'right') session.set('account', form.get('user')!);
        return { to: '/account' };
      case 'GET /account':
        if (!session.has('account'))
          return {
            html: pageOf(
              'Account',
              '<h1>Account</h1><p>Customers, <a href="/login">log in</a>.</p>',
            ),
          };
        return { html: pageOf('Account', '<h1>My account</h1><a href="/logout">Log out</a>') };
      case 'GET /mug':
        if (session.has('account') || !isClosed) break;
        return {
          html: pageOf(
            'Blue Mug',
            '<h1>Blue Mug</h1><p>Log in to see prices. <a href="/login">Log in</a></p>',
          ),
        };
    }
    const reply = plainShop()(request, orders);
    if (reply === undefined || !('html' in reply)) return reply;
    const head = isBehindAccount
      ? '<a href="/account">My Account</a>'
      : `<a href="/login">${session.has('account') ? 'Log out' : 'Log in'}</a>`;
    return { html: reply.html.replace('<header>', `<header>${head} `) };
  };
}

const buyIn = (look: MembersLook, task: Partial<RunTask> = {}) =>
  buyMug(
    browser,
    membersShop(look),
    {
      answer: ({ kind }) =>
        kind === 'merchant-login' ? { username: 'ada@example.com', password: 'right' } : undefined,
    },
    task,
  );

describe('the account of the user', () => {
  it('is signed in to before anything is chosen where the request wants it, and the product is bought with it', async () => {
    const { end, orders, steps } = await buyIn({}, { request: 'Use my existing account' });
    expect(end).toMatchObject({ outcome: 'succeeded' });
    expect(orders[0]).toMatchObject({ account: 'ada@example.com' });
    expect(steps.slice(0, 3)).toEqual(['open', 'login', 'select']);
  });

  it('is signed in to behind the link to it, where the page has no login, as in OpenCart 3', {
    tags: 'slow',
  }, async () => {
    const { orders } = await buyIn(
      { isBehindAccount: true },
      { request: 'Use my existing account' },
    );
    expect(orders[0]).toMatchObject({ account: 'ada@example.com' });
  });

  it('is asked for where a product can be seen and not bought without one', {
    tags: 'slow',
  }, async () => {
    const { end, orders } = await buyIn({ isClosed: true, isLink: true });
    expect(end).toMatchObject({ outcome: 'succeeded' });
    expect(orders[0]).toMatchObject({ account: 'ada@example.com' });
  });

  it('is the one that there is, and none is made, where login and registration are one form, as in Zen Cart 2.2', {
    tags: 'slow',
  }, async () => {
    const { end, orders } = await buyIn({ isClosed: true, isBeside: true });
    expect(end).toMatchObject({ outcome: 'succeeded' });
    expect(orders[0]).toMatchObject({ account: 'ada@example.com' });
  });

  it('is none that is made in a registration beside the login: the login is asked for', async () => {
    const forms = `<h1>Checkout</h1><form method="post" action="/login"><h2>Sign in</h2><label>Email <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>
      <form method="post" action="/register"><h2>Create an account</h2><label>First name <input name="first"></label><label>Last name <input name="last"></label><label>Email <input type="email" name="mail"></label><label>Password <input type="password" name="new"></label><button>Create account</button></form>`;
    const { asked, posts } = await buyMug(browser, (request, orders) =>
      `${request.method} ${request.path}` === 'GET /checkout'
        ? { html: pageOf('Checkout', forms) }
        : plainShop()(request, orders),
    );
    expect(asked.map(({ kind }) => kind)).toEqual(['merchant-login']);
    expect(posts.some(({ path }) => path === '/register')).toBe(false);
  });

  it('is not asked for where nobody wants it', { tags: 'slow' }, async () => {
    const { asked, orders } = await buyIn({});
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect(orders[0]).not.toHaveProperty('account');
  });
});

/** Who is signed in has an empty book of addresses: the form opens by a button. */
const emptyBook: Handler = (request, orders) => {
  if (`${request.method} ${request.path}` !== 'GET /checkout') return plainShop()(request, orders);
  const [contact, address] = plainFields.split('<h2>Delivery</h2>');
  const book = `<h2>Delivery</h2><button type="button" onclick="book.hidden = false">Add a new address</button><div id="book" hidden>${address}</div>`;
  return {
    html: pageOf(
      'Checkout',
      `<h1>Checkout</h1><form method="post" action="/order">${contact}${book}${plainCard}${plainSummary}<button>Place order</button></form>`,
    ),
  };
};

it('a book of addresses without the buyer’s is opened for a new one', {
  tags: 'slow',
}, async () => {
  const { end, orders } = await buyMug(browser, emptyBook);
  expect(end).toMatchObject({ outcome: 'succeeded' });
  expect(orders[0]).toMatchObject({ address: '12 Main Street, Apt 4', city: 'San Francisco' });
});

/**
 * The first step: an e-mail address beside two boxes, one of which offers an account and has a
 * password.
 */
const stepWithAccount: Handler = (request, orders) => {
  if (`${request.method} ${request.path}` === 'POST /step')
    request.session.set('mail', request.form.get('email') ?? '');
  if (request.path === '/step') return { to: '/checkout' };
  if (`${request.method} ${request.path}` !== 'GET /checkout' || request.session.get('mail'))
    return plainShop()(request, orders);
  const boxes = `<label><input type="checkbox" name="news"> Send me offers and news</label><label><input type="checkbox" name="account" checked> Create an account?</label><div><label>Choose a password <input type="password" name="secret"></label></div>`;
  return {
    html: pageOf(
      'Checkout',
      `<h1>Checkout</h1><form method="post" action="/step"><label>Email <input name="email" type="email"></label>${boxes}<button>Continue</button></form>`,
    ),
  };
};

it('a step that offers an account is no login, and none is made', { tags: 'slow' }, async () => {
  const { end, asked, posts } = await buyMug(browser, stepWithAccount);
  expect([end.outcome, asked.map(({ kind }) => kind)]).toEqual(['succeeded', ['approve-purchase']]);
  expect(posts.find(({ path }) => path === '/step')?.values).toEqual({
    email: 'ada@example.com',
    secret: '',
  });
});

describe('addresses of an account in a list, as OpenCart 4.1.0.3 has them', {
  tags: 'slow',
}, () => {
  const listOf = (rows: readonly string[]) =>
    `<h2>Contact</h2><label>Email <input type="email" name="email" required></label><h2>Delivery address</h2><label>Address <select name="address_id">${rows
      .map((row, index) => `<option value="${index + 1}">${row}</option>`)
      .join('')}</select></label>${plainCard}`;
  const strangers = 'Grace Hopper, 9 Old Street, Arlington, 22201, United States';

  it('of which one has the buyer’s street in another town are not taken for it', async () => {
    const other = 'Ada Lovelace, 12 Main Street, Oakland, California, 94607, United States';
    const { orders } = await buyMug(
      browser,
      plainShop({ checkoutFields: listOf([strangers, other]) }),
    );
    expect(orders.filter((order) => order['address_id'] === '2')).toEqual([]);
  });

  it('beside “existing” and “new”, as OpenCart 3 has them, are no ways of paying, and the buyer’s is chosen', async () => {
    const own = 'Ada Lovelace, 12 Main Street, San Francisco, California, 94105, United States';
    const radios = ['existing', 'new']
      .map(
        (one) =>
          `<label><input type="radio" name="payment_address" value="${one}"${one === 'existing' ? ' checked' : ''}> I want to use ${one === 'new' ? 'a new' : 'an existing'} address</label>`,
      )
      .join('');
    const { asked, orders } = await buyMug(
      browser,
      plainShop({ checkoutFields: radios + listOf([strangers, own]) }),
    );
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect(orders[0]).toMatchObject({ payment_address: 'existing', address_id: '2' });
  });

  it('are read, and the buyer’s is chosen', async () => {
    const own = 'Ada Lovelace, 12 Main Street, San Francisco, California, 94105, United States';
    const { end, orders } = await buyMug(
      browser,
      plainShop({ checkoutFields: listOf([strangers, own]) }),
    );
    expect(end).toMatchObject({ outcome: 'succeeded' });
    expect(orders[0]).toMatchObject({ address_id: '2' });
  });
});
