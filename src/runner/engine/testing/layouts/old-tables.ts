import type { RunBuyer } from '../../../types.ts';
import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout, thanks } from './kit.ts';

import { french, german, japanese, spanish, type Words } from './old-words.ts';

const head = `<style>td{font:12px Verdana;padding:3px}</style>`;
const page = (title: string, words: Words, body: string) =>
  inPage(
    title,
    `<table width="800" align="center"><tr><td><a href="/index.php"><img src="/logo.gif" alt="Shop"></a></td><td align="right"><form action="/search.php" method="get"><input type="text" name="keywords" size="10"><input type="image" src="/s.gif" alt="?"></form><a href="/cart.php">${words.cart}</a> | <a href="/login.php">${words.login}</a></td></tr><tr><td valign="top" width="140"><table><tr><td><a href="/c1.php">Tee</a></td></tr><tr><td><a href="/c2.php">Kaffee</a></td></tr></table></td><td>${body}</td></tr></table>`,
    { head, lang: words.lang },
  );
const image = (alt: string, name: string) =>
  `<input type="image" src="/img/${name}.gif" alt="${alt}" title=" ${alt} " border="0" width="120" height="24">`;

function oldShop(words: Words): Handler {
  const [goods, shipping, total] = words.sums;
  return ({ method, path, form, session }, orders) => {
    if (method === 'POST' && path !== '/login.php')
      for (const [name, value] of form) session.set(name, value);
    const quantity = Number(session.get('cart_quantity') ?? 1);
    switch (path) {
      case '/product_info.php':
        return {
          html: page(
            words.product,
            words,
            `<form name="cart_quantity" action="/add.php" method="post"><table><tr><td><font size="4"><b>${words.product}</b></font></td><td align="right">${words.price(20)}</td></tr><tr><td colspan="2">${words.quantity} <input type="text" name="cart_quantity" value="1" size="3"> <input type="hidden" name="products_id" value="7">${image(words.add, 'button_in_cart')}</td></tr></table></form>`,
          ),
        };
      case '/add.php':
        return { to: '/cart.php' };
      case '/cart.php':
        return {
          html: page(
            words.cart,
            words,
            `<font size="4"><b>${words.cart}</b></font><table><tr><td><a href="/product_info.php">${words.product}</a></td><td><b>${quantity}</b></td><td>${words.price(20 * quantity)}</td></tr></table><a href="/checkout.php"><img src="/img/button_checkout.gif" alt="${words.checkout}" width="110" height="24" border="0"></a>`,
          ),
        };
      case '/checkout.php':
        return {
          html: page(
            words.login,
            words,
            `<table><tr><td valign="top"><form action="/login.php" method="post"><b>${words.login}</b><br>E-Mail: <input type="text" name="email_address"><br>*** <input type="password" name="password"><br>${image(words.login, 'button_login')}</form></td><td valign="top"><b>${words.guest}</b><br><a href="/address.php"><img src="/img/button_guest.gif" alt="${words.guest}" width="110" height="24"></a></td></tr></table>`,
          ),
        };
      case '/address.php':
        return {
          html: page(
            '',
            words,
            `<form name="account" action="/pay.php" method="post"><table border="0" cellpadding="2">${words.rows.map(([name, label, control]) => `<tr><td class="fieldKey">${label}</td><td class="fieldValue">${control ?? `<input type="text" name="${name}">`}</td></tr>`).join('')}<tr><td colspan="2"><input type="checkbox" name="newsletter" value="1" checked> ${words.news}</td></tr></table>${image(words.next, 'button_continue')}</form>`,
          ),
        };
      case '/pay.php':
        return {
          html: page(
            '',
            words,
            `<form name="checkout_confirmation" action="/order.php" method="post"><table><tr><td><input type="radio" name="payment" value="invoice" checked></td><td>${words.invoice}</td></tr><tr><td><input type="radio" name="payment" value="cc"></td><td>${words.card}</td></tr></table><table><tr><td>${words.cardFields[0]}</td><td><input type="text" name="cc1"></td></tr><tr><td>${words.cardFields[1]}</td><td><select name="cc2">${Array.from({ length: 12 }, (_, at) => `<option>${String(at + 1).padStart(2, '0')}</option>`).join('')}</select> / <select name="cc3">${Array.from({ length: 10 }, (_, at) => `<option>${2026 + at}</option>`).join('')}</select></td></tr><tr><td>${words.cardFields[2]}</td><td><input type="text" name="cc4" size="4" maxlength="4"></td></tr><tr><td>${words.cardFields[3]}</td><td><input type="text" name="cc5"></td></tr></table><table><tr><td>${goods}</td><td>${words.price(20 * quantity)}</td></tr><tr><td>${shipping}</td><td>${words.price(5)}</td></tr><tr><td><b>${total}</b></td><td><b>${words.price(20 * quantity + 5)}</b></td></tr></table><input type="checkbox" name="conditions" value="1"> ${words.terms}<br>${image(words.order, 'button_confirm')}</form>`,
          ),
        };
      case '/order.php':
        orders.push(Object.fromEntries(session));
        return { to: '/success.php' };
      default:
        return path === '/success.php'
          ? { html: thanks('903').replace('Thank you for your order', words.thanks) }
          : path === '/index.php'
            ? { html: page('', words, '') }
            : undefined;
    }
  };
}

const buyer = (address: RunBuyer['shipping'], phone: string): RunBuyer => ({
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.com',
  phone,
  shipping: address!,
});
const cap = (currency: string) => ({ amountMinor: 9_000n, currency });
const common = {
  n1: 'Ada',
  n2: 'Byron',
  m: 'ada@example.com',
  payment: 'cc',
  cc1: '4242424242424242',
  cc2: '07',
  cc3: '2031',
  cc4: '123',
  cc5: 'Ada Lovelace',
  conditions: '1',
};

export const oldGerman: Layout = {
  title: 'tables and image buttons in German: form of address asked, house number of its own',
  path: '/product_info.php',
  shop: oldShop(german),
  task: {
    request: 'zwei davon',
    maxCost: cap('EUR'),
    buyer: buyer(
      {
        addressLines: ['Lange Straße 5a'],
        locality: 'Jena',
        postalCode: '07743',
        countryCode: 'DE',
      },
      '+493641123456',
    ),
  },
  answer: (request) =>
    request.kind === 'option-choice'
      ? { choice: request.options.find((one) => one.title === 'Frau')!.value }
      : undefined,
  asks: ['option-choice'],
  buys: {
    ...common,
    cart_quantity: '2',
    gender: '2',
    s1: 'Lange Straße',
    s2: '5a',
    z: '07743',
    o: 'Jena',
    l: '1',
  },
  without: ['newsletter'],
};
export const oldFrench: Layout = {
  title: 'tables and image buttons in French: e-mail twice, form of address as radio buttons',
  path: '/product_info.php',
  shop: oldShop(french),
  task: {
    request: 'trois',
    maxCost: cap('EUR'),
    buyer: buyer(
      {
        addressLines: ['8 rue des Lilas', 'Bât. B'],
        locality: 'Lyon',
        postalCode: '69003',
        countryCode: 'FR',
      },
      '+33612345678',
    ),
  },
  answer: (request) =>
    request.kind === 'option-choice'
      ? { choice: request.options.find((one) => /Mme/.test(one.title))!.value }
      : undefined,
  asks: ['option-choice'],
  buys: {
    ...common,
    cart_quantity: '3',
    civ: '2',
    s1: '8 rue des Lilas',
    s3: 'Bât. B',
    z: '69003',
    o: 'Lyon',
    l: '3',
    t: /6/,
    m2: 'ada@example.com',
  },
  without: ['newsletter'],
};
export const oldSpanish: Layout = {
  title: 'tables and image buttons in Spanish: postcode first, province as a list',
  path: '/product_info.php',
  shop: oldShop(spanish),
  task: {
    maxCost: cap('EUR'),
    buyer: buyer(
      {
        addressLines: ['Calle Mayor 3'],
        locality: 'Madrid',
        administrativeAreaCode: 'ES-M',
        postalCode: '28013',
        countryCode: 'ES',
      },
      '+34612345678',
    ),
  },
  buys: {
    ...common,
    cart_quantity: '1',
    s1: 'Calle Mayor 3',
    z: '28013',
    o: 'Madrid',
    pr: '2',
    l: '2',
    t: /612/,
  },
  without: ['newsletter'],
};
export const oldJapanese: Layout = {
  title: 'tables and image buttons in Japanese: family name first, postcode before the prefecture',
  path: '/product_info.php',
  shop: oldShop(japanese),
  task: {
    maxCost: cap('JPY'),
    buyer: buyer(
      {
        addressLines: ['丸の内1-1-1', '101号室'],
        locality: '千代田区',
        administrativeAreaCode: 'JP-13',
        postalCode: '100-0005',
        countryCode: 'JP',
      },
      '+81312345678',
    ),
  },
  buys: {
    ...common,
    cart_quantity: '1',
    pr: '2',
    z: /100-?0005/,
    o: '千代田区',
    s1: '丸の内1-1-1',
    s3: '101号室',
    m2: 'ada@example.com',
    t: /3/,
  },
  without: ['newsletter'],
};
