import type { Handler } from '../test-shop-kit.ts';
import { hiddenStyle, inPage, type Layout, options, thanks } from './kit.ts';

/**
 * A checkout whose script binds everything: e-mail with a possible login, delivery as a table,
 * masks while it loads, payment behind a hash.
 */
const product = inPage(
  'Push It Messenger Bag',
  `<div class="page-header"><a class="action showcart" href="/checkout/cart"><span class="text">My Cart</span><span class="counter" id="n"></span></a><div class="block-search"><form class="minisearch"><input name="q" placeholder="Search entire store here..." role="combobox" aria-haspopup="false" aria-autocomplete="both"><button title="Search">Search</button></form></div></div><main id="maincontent"><div class="messages" id="m"></div><h1 class="page-title"><span>Push It Messenger Bag</span></h1><div class="price-box"><span class="price">$45.00</span></div><form id="product_addtocart_form" action="/checkout/cart/add" method="post"><div class="swatch-opt"><div class="swatch-attribute size"><span class="swatch-attribute-label" id="o1">Size</span><div class="swatch-attribute-options" role="listbox" aria-labelledby="o1">${['14 inch', '15 inch', '17 inch'].map((one, at) => `<div class="swatch-option text${at === 2 ? ' disabled' : ''}" role="option" aria-checked="false" tabindex="0" option-id="${at}" aria-label="${one}" style="display:inline-block;padding:4px;cursor:pointer">${one}</div>`).join('')}</div><input type="hidden" name="super_attribute" value=""></div></div><div class="field qty"><label for="qty"><span>Qty</span></label><input type="number" name="qty" id="qty" value="1" class="input-text qty"></div><button type="submit" title="Add to Cart" class="action primary tocart" id="product-addtocart-button"><span>Add to Cart</span></button></form><a href="#" class="towishlist"><span>Add to Wish List</span></a></main><footer><form class="subscribe"><label for="nl"><span>Sign Up for Our Newsletter:</span></label><input id="nl" name="email" type="email" placeholder="Enter your email address"><button class="subscribe"><span>Subscribe</span></button></form></footer>
<script>const f=document.getElementById('product_addtocart_form');document.querySelectorAll('.swatch-option').forEach((o)=>o.onclick=()=>{if(o.classList.contains('disabled'))return;document.querySelectorAll('.swatch-option').forEach((x)=>{x.classList.toggle('selected',x===o);x.setAttribute('aria-checked',String(x===o))});f.super_attribute.value=o.getAttribute('option-id')});
f.onsubmit=async(e)=>{e.preventDefault();if(f.super_attribute.value===''){f.insertAdjacentHTML('beforeend','<div class="mage-error" role="alert">This is a required field.</div>');return}const b=document.getElementById('product-addtocart-button');b.disabled=true;b.querySelector('span').textContent='Adding...';await fetch('/checkout/cart/add',{method:'POST',body:new URLSearchParams(new FormData(f))});b.querySelector('span').textContent='Added';document.getElementById('n').textContent=f.qty.value;document.getElementById('m').innerHTML='<div class="message success" role="alert">You added Push It Messenger Bag to your <a href="/checkout/cart">shopping cart</a>.</div>';setTimeout(()=>{b.disabled=false;b.querySelector('span').textContent='Add to Cart'},800)}</script>`,
  { head: hiddenStyle },
);

const cart = (quantity: number) =>
  inPage(
    'Shopping Cart',
    `<main><h1>Shopping Cart</h1><form id="form-validate" action="/checkout/cart/update" method="post"><table class="cart items"><tbody><tr><td><a href="/bag.html">Push It Messenger Bag</a><dl><dt>Size</dt><dd>15 inch</dd></dl></td><td>$45.00</td><td><label><span class="visually-hidden">Qty</span><input name="qty" class="input-text qty" value="${quantity}" type="number"></label></td><td>$${45 * quantity}.00</td></tr><tr><td colspan="4"><a href="#" class="action-delete" title="Remove item"><span>Remove item</span></a></td></tr></tbody></table><button type="submit" class="action update"><span>Update Shopping Cart</span></button></form><div class="cart-summary"><strong>Summary</strong><div id="block-shipping"><strong role="heading">Estimate Shipping and Tax</strong><form id="shipping-zip-form" style="display:none"><select name="country_id"><option>US</option></select></form></div><table><tr><th>Subtotal</th><td>$${45 * quantity}.00</td></tr><tr><th>Order Total</th><td>$${45 * quantity}.00</td></tr></table><button type="button" class="action primary checkout" title="Proceed to Checkout" onclick="location='/checkout'"><span>Proceed to Checkout</span></button><a href="/multishipping"><span>Check Out with Multiple Addresses</span></a></div></main>`,
    { head: hiddenStyle },
  );

const text = (name: string, label: string, isRequired = true) =>
  `<div class="field${isRequired ? ' _required' : ''}" name="shippingAddress.${name}"><label class="label" for="K${name}"><span>${label}</span></label><div class="control"><input class="input-text" type="text" name="${name}" id="K${name}" aria-required="${isRequired}"></div></div>`;
const checkout = (quantity: number) =>
  inPage(
    'Checkout',
    `<style>.loading-mask{position:fixed;inset:0;background:#fff9;z-index:100}.field._required>label:after{content:'*';color:#e02b27}</style><header><a href="/">Logo</a></header><main><div class="opc-estimated-total">Estimated Total $${45 * quantity}.00</div><div id="shipping"><div class="step-title">Shipping Address</div><form class="form form-login" data-role="email-with-possible-login" onsubmit="return false"><fieldset id="customer-email-fieldset"><div class="field required"><label for="customer-email"><span>Email Address</span></label><input type="email" name="username" id="customer-email"><span class="note">You can create an account after checkout.</span></div><fieldset class="hidden-fields" id="pw" style="display:none"><label for="pwd"><span>Password</span></label><input type="password" name="password" id="pwd" placeholder="Password"><span>You already have an account with us. Sign in or continue as guest.</span><button type="button" class="action login"><span>Login</span></button><a href="/forgot">Forgot Your Password?</a></fieldset></fieldset></form>
<form class="form-shipping-address" id="co-shipping-form" onsubmit="return false">${text('firstname', 'First Name')}${text('lastname', 'Last Name')}${text('company', 'Company', false)}<fieldset class="field street"><legend><span>Street Address</span></legend><div class="control"><div class="field"><label for="s0"><span class="visually-hidden">Street Address: Line 1</span></label><input name="street[0]" id="s0"></div><div class="field"><label for="s1"><span class="visually-hidden">Street Address: Line 2</span></label><input name="street[1]" id="s1"></div></div></fieldset><div class="field"><label for="cn"><span>Country</span></label><select name="country_id" id="cn">${options(
      [
        ['', ''],
        ['DE', 'Germany'],
        ['US', 'United States'],
      ],
      'DE',
    )}</select></div><div class="field" id="rg"><label for="r1"><span>State/Province</span></label><input name="region" id="r1"></div>${text('city', 'City')}${text('postcode', 'Zip/Postal Code')}${text('telephone', 'Phone Number')}</form>
<div class="step-title">Shipping Methods</div><form id="co-shipping-method-form" onsubmit="return false"><div id="rates"><p>Sorry, no quotes are available for this order at this time</p></div><div class="actions-toolbar"><button type="submit" class="button action continue primary"><span>Next</span></button></div><div role="alert" class="message error" id="err" hidden></div></form></div>
<div id="payment" style="display:none"><div class="step-title">Payment Method</div><form onsubmit="return false"><div class="payment-method _active"><input type="radio" name="payment[method]" id="checkmo" value="checkmo"><label for="checkmo"><span>Check / Money order</span></label></div><div class="payment-method"><input type="radio" name="payment[method]" id="cc" value="ccsave"><label for="cc"><span>Credit Card</span></label><div class="payment-method-content" id="ccbox" hidden><input type="checkbox" name="billing-address-same-as-shipping" id="same" checked><label for="same"><span>My billing and shipping address are the same</span></label>${text('cc_number', 'Credit Card Number')}<div class="field date"><label><span>Expiration Date</span></label><select name="cc_exp_month">${options([['', 'Month'], ...Array.from({ length: 12 }, (_, at) => [String(at + 1), `${String(at + 1).padStart(2, '0')} - ${new Date(Date.UTC(2000, at, 1)).toLocaleString('en', { month: 'long' })}`] as const)])}</select><select name="cc_exp_year">${options([['', 'Year'], ...Array.from({ length: 9 }, (_, at) => [String(2026 + at), String(2026 + at)] as const)])}</select></div>${text('cc_cid', 'Card Verification Number')}<div class="checkout-agreement"><input type="checkbox" id="ag" name="agreement[1]" required><label for="ag"><span>I accept the terms of sale</span></label></div><button class="action primary checkout" type="submit" title="Place Order" id="po"><span>Place Order</span></button></div></div><div class="discount"><strong>Apply Discount Code</strong><input name="discount_code" placeholder="Enter discount code" style="display:none"></div></form></div>
<aside class="opc-summary"><strong>Order Summary</strong><table id="tt"></table></aside></main>
<script>const $=(s)=>document.querySelector(s);const mask=()=>{const d=document.createElement('div');d.className='loading-mask';document.body.append(d);return ()=>d.remove()};let rates=false;
$('#customer-email').onchange=async()=>{await fetch('/rest/isEmailAvailable',{method:'POST',body:'{}'});$('#pw').style.display='block'};
$('#cn').onchange=()=>{$('#rg').innerHTML='<label for="r1"><span>State/Province</span></label>'+($('#cn').value==='US'?'<select name="region_id" id="r1"><option value="">Please select a region, state or province.</option><option value="12">California</option><option value="43">New York</option></select>':'<input name="region" id="r1">');estimate()};
const estimate=async()=>{const r=await (await fetch('/rest/estimate',{method:'POST',body:'{}'})).json();rates=true;$('#rates').innerHTML='<table class="table-checkout-shipping-method"><tbody>'+r.map((x)=>'<tr class="row"><td><input type="radio" name="ko_unique" value="'+x.id+'" aria-labelledby="lm_'+x.id+' lc_'+x.id+'"></td><td>$'+x.price+'</td><td id="lm_'+x.id+'">'+x.method+'</td><td id="lc_'+x.id+'">'+x.carrier+'</td></tr>').join('')+'</tbody></table>'};
$('#co-shipping-form').addEventListener('change',(e)=>{if(e.target.name==='postcode')estimate()});
$('#co-shipping-method-form').onsubmit=async(e)=>{e.preventDefault();const m=$('[name=ko_unique]:checked');if(!m){$('#err').hidden=false;$('#err').textContent='The shipping method is missing. Select the shipping method and try again.';return false}const un=mask();const r=await (await fetch('/rest/shipping-information',{method:'POST',body:new URLSearchParams({...Object.fromEntries(new FormData($('#co-shipping-form'))),email:$('#customer-email').value,method:m.value})})).json();setTimeout(()=>{un();$('#shipping').style.display='none';$('#payment').style.display='block';location.hash='payment';$('#tt').innerHTML='<tr><th>Cart Subtotal</th><td>$'+r.subtotal+'</td></tr><tr><th>Shipping</th><td>$'+r.shipping+'</td></tr><tr><th><strong>Order Total</strong></th><td><strong>$'+r.grand_total+'</strong></td></tr>'},300);return false};
document.querySelectorAll('[name="payment[method]"]').forEach((x)=>x.onchange=()=>{$('#ccbox').hidden=x.value!=='ccsave'});
$('#payment form').onsubmit=async(e)=>{e.preventDefault();const un=mask();await fetch('/rest/order',{method:'POST',body:new URLSearchParams(new FormData($('#payment form')))});location='/success';un();return false}</script>`,
    { head: hiddenStyle },
  );

const shop: Handler = ({ method, path, form, session }, orders) => {
  const quantity = Number(session.get('qty') ?? 1);
  if (method === 'POST') for (const [name, value] of form) session.set(name, value);
  switch (path) {
    case '/bag.html':
      return { html: product };
    case '/checkout/cart/add':
    case '/rest/isEmailAvailable':
      return { json: {} };
    case '/checkout/cart':
      return { html: cart(quantity) };
    case '/checkout':
      return { html: checkout(quantity) };
    case '/rest/estimate':
      return {
        json: [
          { id: 'table', price: '15.00', method: 'Best Way', carrier: 'Express' },
          { id: 'flat', price: '5.00', method: 'Fixed', carrier: 'Flat Rate' },
        ],
      };
    case '/rest/shipping-information': {
      const cost = form.get('method') === 'flat' ? 5 : 15;
      return {
        json: {
          subtotal: `${45 * quantity}.00`,
          shipping: `${cost}.00`,
          grand_total: `${45 * quantity + cost}.00`,
        },
      };
    }
    case '/rest/order':
      orders.push(Object.fromEntries(session));
      return { json: 1 };
    default:
      return path === '/success' ? { html: thanks('000000123') } : undefined;
  }
};

export const bindings: Layout = {
  title:
    'a checkout bound by script: e-mail with a possible login, delivery as a table, masks, the payment behind a hash',
  path: '/bag.html',
  shop,
  task: { request: 'the 15 inch one' },
  buys: {
    super_attribute: '1',
    qty: '1',
    email: 'ada@example.com',
    firstname: 'Ada',
    lastname: 'Lovelace',
    'street[0]': '12 Main Street',
    'street[1]': 'Apt 4',
    country_id: 'US',
    region_id: '12',
    city: 'San Francisco',
    postcode: '94105',
    telephone: /415/,
    method: 'flat',
    'payment[method]': 'ccsave',
    cc_number: /4242/,
    cc_exp_month: '7',
    cc_exp_year: '2031',
    cc_cid: '123',
    'agreement[1]': 'on',
  },
  without: ['password', 'company', 'discount_code'],
};
