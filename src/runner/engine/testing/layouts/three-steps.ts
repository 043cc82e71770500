import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout, options, thanks } from './kit.ts';

const frame = (title: string, body: string) =>
  inPage(
    title,
    `<div id="top"><ul class="list-inline"><li><a href="/account"><span>My Account</span></a></li><li><a href="/wishlist">Wish List (0)</a></li><li><a href="/cart">Shopping Cart</a></li><li><a href="/checkout">Checkout</a></li></ul></div><header><div id="search"><input type="text" name="search" placeholder="Search"><button type="button"><i></i></button></div><div id="cart"><button type="button"><span id="cart-total">1 item(s) - $45.00</span></button></div></header><div id="content">${body}</div>`,
  );

const product = frame(
  'Desk Lamp',
  `<ul class="breadcrumb"><li><a href="/">Home</a></li></ul><h1>Desk Lamp</h1><ul><li>Product Code: L-2</li><li>Availability: In Stock</li></ul><h2>$45.00</h2><div id="product"><div class="form-group required"><label class="control-label" for="input-option226">Select</label><select name="option[226]" id="input-option226"><option value=""> --- Please Select --- </option><option value="15">Brass (+$5.00)</option><option value="16">Steel</option></select></div><div class="form-group"><label class="control-label" for="input-quantity">Qty</label><input type="text" name="quantity" value="1" id="input-quantity"><input type="hidden" name="product_id" value="42"><br><button type="button" id="button-cart">Add to Cart</button></div></div><div id="alert"></div>
<script>document.getElementById('button-cart').onclick=async()=>{const d=new URLSearchParams();document.querySelectorAll('#product input,#product select').forEach((x)=>d.append(x.name,x.value));const r=await (await fetch('/cart/add',{method:'POST',body:d})).json();document.querySelectorAll('.text-danger').forEach((x)=>x.remove());if(r.error){document.getElementById('input-option226').insertAdjacentHTML('afterend','<div class="text-danger">'+r.error+'</div>');return}document.getElementById('alert').innerHTML='<div class="alert alert-success">Success: You have added <a href="/p">Desk Lamp</a> to your <a href="/cart">shopping cart</a>!</div>'}</script>`,
);

const cart = (quantity: string) =>
  frame(
    'Shopping Cart',
    `<h1>Shopping Cart (5.00kg)</h1><form action="/cart" method="post"><table class="table"><tr><td>Image</td><td>Product Name</td><td>Quantity</td><td>Unit Price</td><td>Total</td></tr><tr><td></td><td><a href="/p">Desk Lamp</a><br><small>Select: Steel</small></td><td><div class="input-group"><input type="text" name="quantity[88]" value="${quantity}" size="1"><span><button type="submit" title="Update"><i>↻</i></button><button type="button" title="Remove"><i>×</i></button></span></div></td><td>$45.00</td><td>$${45 * Number(quantity)}.00</td></tr></table></form><h2>What would you like to do next?</h2><div class="panel"><a href="#collapse-coupon">Use Coupon Code</a></div><div class="panel"><a href="#collapse-shipping">Estimate Shipping &amp; Taxes</a></div><table><tr><td><strong>Total:</strong></td><td>$${45 * Number(quantity)}.00</td></tr></table><div class="buttons"><a href="/" class="btn btn-default">Continue Shopping</a><a href="/checkout" class="btn btn-primary">Checkout</a></div>`,
  );

const start = frame(
  'Checkout',
  `<h1>Checkout</h1><h4>Step 1: Checkout Options</h4><div class="row"><div class="col"><form action="/checkout/start" method="post"><h2>New Customer</h2><p>Checkout Options:</p><div class="radio"><label><input type="radio" name="account" value="register" checked> Register Account</label></div><div class="radio"><label><input type="radio" name="account" value="guest"> Guest Checkout</label></div><p>By creating an account you will be able to shop faster, be up to date on an order's status, and keep track of the orders you have previously made.</p><input type="submit" value="Continue" class="btn"></form></div>
<div class="col"><form action="/login" method="post"><h2>Returning Customer</h2><p>I am a returning customer</p><label for="input-email">E-Mail</label><input name="email" id="input-email" placeholder="E-Mail"><label for="input-password">Password</label><input type="password" name="password" id="input-password" placeholder="Password"><a href="/forgotten">Forgotten Password</a><input type="submit" value="Login"></form></div></div><h4>Step 2: Billing Details</h4><h4>Step 3: Delivery Method</h4><h4>Step 4: Payment Method</h4><h4>Step 5: Confirm Order</h4>`,
);

const group = (name: string, label: string, required = true, value = '') =>
  `<div class="form-group${required ? ' required' : ''}"><label class="control-label" for="input-payment-${name}">${label}</label><input type="text" name="${name}" value="${value}" placeholder="${label}" id="input-payment-${name}"></div>`;
const address = (error: string) =>
  frame(
    'Checkout',
    `<h1>Checkout</h1><h4>Step 2: Billing Details</h4>${error === '' ? '' : `<div class="alert alert-danger">${error}</div>`}<style>.required .control-label:before{content:'* ';color:red}</style><form action="/checkout/address" method="post"><fieldset><legend>Your Personal Details</legend>${group('firstname', 'First Name')}${group('lastname', 'Last Name')}${group('email', 'E-Mail')}${group('telephone', 'Telephone')}${group('fax', 'Fax', false)}</fieldset><fieldset><legend>Your Address</legend>${group('company', 'Company', false)}${group('address_1', 'Address 1')}${group('address_2', 'Address 2', false)}${group('city', 'City')}${group('postcode', 'Post Code')}<div class="form-group required"><label class="control-label" for="cc">Country</label><select name="country_id" id="cc">${options(
      [
        ['', ' --- Please Select --- '],
        ['81', 'Germany'],
        ['222', 'United Kingdom'],
        ['223', 'United States'],
      ],
      '222',
    )}</select></div><div class="form-group required"><label class="control-label" for="zz">Region / State</label><select name="zone_id" id="zz"></select></div></fieldset><div class="checkbox"><label><input type="checkbox" name="shipping_address" value="1" checked> My delivery and billing addresses are the same.</label></div><input type="submit" value="Continue"></form>
<script>const c=document.getElementById('cc'),z=document.getElementById('zz');c.onchange=async()=>{z.disabled=true;const r=await (await fetch('/zones?country='+c.value)).json();z.innerHTML='<option value=""> --- Please Select --- </option>'+r.map((x)=>'<option value="'+x[0]+'">'+x[1]+'</option>').join('');z.disabled=false};c.onchange()</script>`,
  );

const zones: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  223: [
    ['3624', 'California'],
    ['3655', 'New York'],
  ],
  222: [
    ['3513', 'Aberdeen'],
    ['3553', 'Greater London'],
  ],
};
const payment = (quantity: string) =>
  frame(
    'Checkout',
    `<h1>Checkout</h1><form action="/checkout/order" method="post"><h4>Step 3: Delivery Method</h4><p>Please select the preferred shipping method to use on this order.</p><p><strong>Flat Rate</strong></p><div class="radio"><label><input type="radio" name="shipping_method" value="flat.flat" checked> Flat Shipping Rate - $5.00</label></div><p><strong>Add Comments About Your Order</strong></p><textarea name="comment" rows="4"></textarea><h4>Step 4: Payment Method</h4><p>Please select the preferred payment method to use on this order.</p><div class="radio"><label><input type="radio" name="payment_method" value="cod" checked> Cash On Delivery</label></div><div class="radio"><label><input type="radio" name="payment_method" value="card"> Credit Card / Debit Card</label></div><div class="pull-right">I have read and agree to the <a href="/terms"><b>Terms &amp; Conditions</b></a> <input type="checkbox" name="agree" value="1"></div><h4>Step 5: Confirm Order</h4><table><tr><td>Desk Lamp</td><td>${quantity}</td><td>$${45 * Number(quantity)}.00</td></tr><tr><td>Sub-Total:</td><td>$${45 * Number(quantity)}.00</td></tr><tr><td>Flat Shipping Rate:</td><td>$5.00</td></tr><tr><td>Total:</td><td>$${45 * Number(quantity) + 5}.00</td></tr></table><fieldset id="card" hidden><legend>Credit Card Details</legend><label>Card Owner <input name="cc_owner"></label><label>Card Number <input name="cc_number"></label><label>Card Expiry Date</label><select name="cc_expire_date_month">${options(Array.from({ length: 12 }, (_, at) => [String(at + 1).padStart(2, '0'), new Date(Date.UTC(2000, at, 1)).toLocaleString('en', { month: 'long' })]))}</select><select name="cc_expire_date_year">${options(Array.from({ length: 10 }, (_, at) => [String(2026 + at), String(2026 + at)]))}</select><label>Card Security Code (CVV2) <input name="cc_cvv2" size="3"></label></fieldset><input type="submit" value="Confirm Order" id="button-confirm"></form><script>document.querySelectorAll('[name=payment_method]').forEach((x)=>x.onchange=()=>{document.getElementById('card').hidden=x.value!=='card'})</script>`,
  );

const shop: Handler = ({ method, path, form, session }, orders) => {
  for (const [name, value] of method === 'POST' ? form : [])
    if (path !== '/login') session.set(name, value);
  switch (path) {
    case '/p':
      return { html: product };
    case '/cart/add':
      return { json: form.get('option[226]') ? { success: true } : { error: 'Select required!' } };
    case '/cart':
      if (form.get('quantity[88]')) session.set('quantity', form.get('quantity[88]')!);
      return { html: cart(session.get('quantity') ?? '1') };
    case '/checkout':
      return { html: start };
    case '/checkout/start':
      return session.get('account') === 'guest' ? { html: address('') } : { to: '/register' };
    case '/zones':
      return { json: zones[form.get('country') ?? ''] ?? [] };
    case '/checkout/address':
      if (!/^\+?[\d ()-]{6,}$/.test(form.get('telephone') ?? ''))
        return { html: address('Telephone must be between 3 and 32 characters!') };
      return form.get('zone_id')
        ? { html: payment(session.get('quantity') ?? '1') }
        : { html: address('Please select a region / state!') };
    case '/checkout/order':
      orders.push(Object.fromEntries(session));
      return { to: '/success' };
    default:
      return path === '/success' ? { html: thanks('5511') } : undefined;
  }
};

export const threeSteps: Layout = {
  title:
    'three steps: guest among the ways to sign in, a telephone that is asked for, regions of the country, cash first',
  path: '/p',
  shop,
  task: {
    request: 'two of the steel ones',
    buyer: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      shipping: {
        addressLines: ['12 Main Street'],
        locality: 'San Francisco',
        administrativeAreaCode: 'US-CA',
        postalCode: '94105',
        countryCode: 'US',
      },
    },
    maxCost: { amountMinor: 10_000n, currency: 'USD' },
  },
  answer: (request) =>
    request.kind === 'contact-and-shipping' ? { phone: '+14155550123' } : undefined,
  asks: ['contact-and-shipping'],
  buys: {
    account: 'guest',
    quantity: '2',
    'option[226]': '16',
    firstname: 'Ada',
    telephone: /555/,
    city: 'San Francisco',
    country_id: '223',
    zone_id: '3624',
    payment_method: 'card',
    agree: '1',
    cc_number: '4242424242424242',
    cc_expire_date_month: '07',
    cc_expire_date_year: '2031',
    cc_cvv2: '123',
  },
  without: ['fax', 'company', 'comment'],
};
