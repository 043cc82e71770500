import { pageOf } from '../testing/pages-kit.ts';
import type { Handler } from '../testing/test-shop-kit.ts';

const at = (route: string) => `/index.php?route=${route}`;

const script = `
const send = (path, body) => fetch(path, { method: 'POST', body: new URLSearchParams(body) }).then((answer) => answer.json());
document.getElementById('form-register').addEventListener('submit', async (event) => {
  event.preventDefault();
  await send('/save/address', new FormData(event.target));
  document.getElementById('alert').innerHTML = '<div class="alert-success">Success: Your guest account information has been saved!</div>';
});
for (const what of ['shipping', 'payment']) document.getElementById('button-' + what).addEventListener('click', async () => {
  const { error, ways } = await send('/quote/' + what, {});
  if (error) return;
  const rows = ways.map(([value, text]) => '<div><input type="radio" name="' + what + '_method" value="' + value + '" id="' + value + '"> <label for="' + value + '">' + text + '</label></div>').join('');
  document.getElementById('modal').innerHTML = '<div role="dialog" class="modal" style="position:fixed;inset:10%;background:#fff"><h5>' + what + ' method</h5><form><p>Please select the preferred ' + what + ' method to use on this order.</p>' + rows + '<button type="submit">Continue</button></form></div>';
  document.querySelector('#modal form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = new FormData(event.target).get(what + '_method');
    if (!chosen) return;
    const { total } = await send('/save/' + what, { chosen });
    document.getElementById('modal').innerHTML = '';
    document.getElementById('input-' + what).value = ways.find(([value]) => value === chosen)[1];
    document.getElementById('summary').innerHTML = total;
    const order = document.getElementById('order');
    if (order.disabled) order.disabled = what !== 'payment';
    order.onclick = async () => { await send('/order', {}); location = '/index.php?route=checkout/success'; };
  });
});`;

const fields = [
  'firstname:First Name',
  'lastname:Last Name',
  'email:E-Mail',
  'address_1:Address 1',
  'city:City',
  'postcode:Post Code',
]
  .map((one) => one.split(':'))
  .map(
    ([name, label]) =>
      `<div><label for="input-${name}">${label}</label><input name="${name}" id="input-${name}" placeholder="${label}"></div>`,
  )
  .join('');

const summaryOf = (shipping: boolean) =>
  `<table><tr><td>1x <a href="${at('product/product')}&product_id=40">Blue Mug</a></td><td>$20.00</td></tr><tr><td>Sub-Total</td><td>$20.00</td></tr>${
    shipping ? '<tr><td>Flat Shipping Rate</td><td>$5.00</td></tr>' : ''
  }<tr><td>Total</td><td>${shipping ? '$25.00' : '$20.00'}</td></tr></table>`;

const choose = (what: string, label: string) =>
  `<fieldset><legend>${label}</legend><div><input type="text" name="${what}_method" value="" placeholder="Choose ${what} method..." id="input-${what}" readonly><button type="button" id="button-${what}">Choose</button></div></fieldset>`;

const checkout = `<ul><li><a href="${at('checkout/cart')}">Shopping Cart</a></li><li><a href="${at('checkout/checkout')}">Checkout</a></li></ul>
<h1>Checkout</h1><div id="alert"></div><form id="form-register"><fieldset><legend>Your Personal Details</legend>
<div><input type="radio" name="account" value="1" id="input-register" checked> <label for="input-register">Register Account</label>
<input type="radio" name="account" value="0" id="input-guest"> <label for="input-guest">Guest Checkout</label></div>${fields}</fieldset><button type="submit" id="button-register">Continue</button></form>
<div>${choose('shipping', 'Shipping Method')}${choose('payment', 'Payment Method')}</div>
<div id="summary">${summaryOf(false)}</div><button type="button" id="order" disabled>Confirm Order</button><div id="modal"></div><script>${script}</script>`;

const product = `<ul><li><h1>Blue Mug</h1><div><a href="#">0 reviews</a> / <a href="#">Write a review</a></div></li></ul><h2>$20.00</h2>
<form method="post" action="/add"><label>Qty <input name="quantity" value="1"></label><button>Add to Cart</button></form><h3>Related Products</h3>`;

const cart = `<h1>Shopping Cart</h1><table><tr><td><a href="${at('product/product')}&product_id=40">Blue Mug</a></td><td><input name="quantity" value="1"></td><td>$20.00</td></tr></table><a href="${at('checkout/checkout')}">Checkout</a>`;

const ways: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  shipping: [['flat.flat', 'Flat Shipping Rate - $5.00']],
  payment: [
    ['bank_transfer', 'Bank Transfer'],
    ['cod', 'Cash On Delivery'],
  ],
};

const pages: Readonly<Record<string, string>> = {
  'product/product': pageOf('Blue Mug', product),
  'checkout/cart': pageOf('Shopping Cart', cart),
  'checkout/checkout': pageOf('Checkout', checkout),
  'checkout/success': pageOf(
    'Your order has been placed!',
    '<h1>Your order has been placed!</h1><p>Your order number is 7001.</p>',
  ),
};

/**
 * A shop behind one script, with a checkout of sections that each are sent for themselves, as
 * OpenCart 4.1.0.3 has it: the delivery and the way of paying are empty boxes beside “Choose”,
 * which opens a layer once the address is accepted.
 */
export const sectionsShop: Handler = ({ method, form, path, session }, orders) => {
  const page =
    method === 'GET' && path === '/index.php' ? pages[form.get('route') ?? ''] : undefined;
  if (page !== undefined) return { html: page };
  const [, verb, what = ''] = path.split('/');
  if (verb === 'add') return { to: at('checkout/cart') };
  if (verb === 'quote')
    return {
      json: session.has('address') ? { ways: ways[what] } : { error: 'Shipping address required!' },
    };
  if (verb === 'save') session.set(what, form.get('chosen') ?? form.get('address_1') ?? '');
  if (verb === 'save') return { json: { total: summaryOf(session.has('shipping')) } };
  if (verb !== 'order') return undefined;
  orders.push(Object.fromEntries(session));
  return { json: {} };
};
