import type { Handler } from '../test-shop-kit.ts';
import { hiddenStyle, inPage, type Layout, options, thanks } from './kit.ts';

const head = `${hiddenStyle}<style>.disabled{opacity:.5;cursor:not-allowed}.blockUI{position:absolute;inset:0;background:#fff;opacity:.6;z-index:1000}.select2-hidden-accessible{border:0!important;clip:rect(0 0 0 0)!important;height:1px!important;overflow:hidden!important;padding:0!important;position:absolute!important;width:1px!important}.select2-results{border:1px solid;background:#fff}</style>`;
const header =
  '<header id="masthead"><a href="/">Atelier</a><nav><ul><li><a href="/shop">Shop</a></li><li><a href="/my-account">My account</a></li></ul></nav><form role="search" class="woo-search"><input type="search" name="s" placeholder="Search products…"><button>Search</button></form><a class="cart-contents" href="/cart">$0.00 <span>0 items</span></a></header>';
const variations = [
  { attribute_size: 'small', attribute_logo: 'Yes', variation_id: 31, price: '18.00' },
  { attribute_size: 'large', attribute_logo: 'Yes', variation_id: 32, price: '20.00' },
  { attribute_size: 'large', attribute_logo: 'No', variation_id: 33, price: '19.00' },
];

const product = (message: string) =>
  inPage(
    'Hoodie – Atelier',
    `${header}<div id="content">${message}<div class="product"><h1 class="product_title entry-title">Hoodie</h1><p class="price">$18.00 – $20.00</p>
<form class="variations_form cart" action="/product/hoodie" method="post" data-product_variations='${JSON.stringify(variations)}'><table class="variations"><tbody><tr><th class="label"><label for="size">Size</label></th><td class="value"><select id="size" name="attribute_size" data-attribute_name="attribute_size"><option value="">Choose an option</option><option value="small">Small</option><option value="large">Large</option></select></td></tr><tr><th class="label"><label for="logo">Logo</label></th><td class="value"><select id="logo" name="attribute_logo"><option value="">Choose an option</option><option value="Yes">Yes</option><option value="No">No</option></select><a class="reset_variations" href="#">Clear</a></td></tr></tbody></table>
<div class="single_variation_wrap"><div class="single_variation"></div><div class="variations_button"><div class="quantity"><label class="screen-reader-text" for="q">Hoodie quantity</label><input id="q" class="input-text qty text" type="number" name="quantity" value="1" min="1"></div><button type="submit" class="single_add_to_cart_button button alt disabled wc-variation-selection-needed">Add to cart</button><input type="hidden" name="variation_id" value="0"></div></div></form>
<div class="woocommerce-tabs"><ul role="tablist"><li role="tab"><a href="#tab-description">Description</a></li><li role="tab"><a href="#tab-reviews">Reviews (0)</a></li></ul><div id="reviews"><form id="commentform" class="comment-form"><label>Your rating <select name="rating" required><option value="">Rate…</option><option value="5">Perfect</option><option value="4">Good</option></select></label><label>Your review <textarea name="comment" required></textarea></label><label>Name <input name="author"></label><label>Email <input type="email" name="email"></label><button>Submit</button></form></div></div></div></div>
<script>const f=document.querySelector('.variations_form'),b=f.querySelector('button'),all=JSON.parse(f.dataset.product_variations);f.addEventListener('change',()=>{const v=all.find((x)=>x.attribute_size===f.attribute_size.value&&x.attribute_logo===f.attribute_logo.value);f.variation_id.value=v?v.variation_id:0;b.classList.toggle('disabled',!v);f.querySelector('.single_variation').innerHTML=v?'<span class="price">$'+v.price+'</span>':''});b.onclick=(e)=>{if(b.classList.contains('disabled')){e.preventDefault();alert('Please select some product options before adding this product to your cart.')}}</script>`,
    { head },
  );

const cart = (quantity: number) =>
  inPage(
    'Cart – Atelier',
    `${header}<div id="content"><h1>Cart</h1><form class="woocommerce-cart-form" action="/cart" method="post"><table class="shop_table cart"><thead><tr><th></th><th>Product</th><th>Price</th><th>Quantity</th><th>Subtotal</th></tr></thead><tbody><tr class="cart_item"><td><a href="/cart?remove_item=1" class="remove" aria-label="Remove Hoodie from cart">×</a></td><td><a href="/product/hoodie">Hoodie - Large, No</a></td><td>$19.00</td><td><div class="quantity"><input type="number" class="qty" name="cart[1][qty]" aria-label="Product quantity" value="${quantity}"></div></td><td>$${19 * quantity}.00</td></tr><tr><td colspan="5" class="actions"><div class="coupon"><label for="coupon_code" class="screen-reader-text">Coupon:</label><input name="coupon_code" id="coupon_code" placeholder="Coupon code"><button type="submit" name="apply_coupon">Apply coupon</button></div><button type="submit" name="update_cart" disabled>Update cart</button></td></tr></tbody></table></form>
<div class="cart-collaterals"><h2>Cart totals</h2><table><tr><th>Subtotal</th><td>$${19 * quantity}.00</td></tr><tr><th>Total</th><td><strong>$${19 * quantity}.00</strong></td></tr></table><div class="wc-proceed-to-checkout"><a href="/checkout" class="checkout-button button alt wc-forward">Proceed to checkout</a></div></div></div>
<script>document.querySelector('.qty').addEventListener('input',()=>{document.querySelector('[name=update_cart]').disabled=false})</script>`,
    { head },
  );

const row = (id: string, label: string, required: boolean, control: string) =>
  `<p class="form-row" id="${id}_field"><label for="${id}">${label}&nbsp;${required ? '<abbr class="required" title="required">*</abbr>' : '<span class="optional">(optional)</span>'}</label><span class="woocommerce-input-wrapper">${control}</span></p>`;
const input = (id: string, token: string, type = 'text') =>
  `<input type="${type}" class="input-text" name="${id}" id="${id}" autocomplete="${token}">`;
const review = (quantity: number, shipping: string | undefined) =>
  `<table class="shop_table"><thead><tr><th>Product</th><th>Subtotal</th></tr></thead><tbody><tr><td>Hoodie - Large, No <strong>× ${quantity}</strong></td><td>$${19 * quantity}.00</td></tr></tbody><tfoot><tr><th>Subtotal</th><td>$${19 * quantity}.00</td></tr><tr class="shipping"><th>Shipping</th><td>${shipping === undefined ? 'Enter your address to view shipping options.' : `<ul id="shipping_method"><li><input type="radio" name="shipping_method[0]" value="flat_rate:1" id="sm1"${shipping === 'flat_rate:1' ? ' checked' : ''}><label for="sm1">Flat rate: $6.00</label></li><li><input type="radio" name="shipping_method[0]" value="local_pickup:2" id="sm2"${shipping === 'local_pickup:2' ? ' checked' : ''}><label for="sm2">Local pickup</label></li></ul>`}</td></tr><tr class="order-total"><th>Total</th><td><strong>$${19 * quantity + (shipping === 'flat_rate:1' ? 6 : 0)}.00</strong></td></tr></tfoot></table>`;

const checkout = (quantity: number) =>
  inPage(
    'Checkout – Atelier',
    `${header}<div id="content"><h1>Checkout</h1><div class="woocommerce-info">Returning customer? <a href="#" class="showlogin">Click here to login</a></div><form class="login" method="post" action="/login" style="display:none"><input name="username"><input type="password" name="password"><button>Login</button></form><div class="woocommerce-info">Have a coupon? <a href="#" class="showcoupon">Click here to enter your code</a></div>
<form name="checkout" method="post" class="checkout woocommerce-checkout" action="/checkout/order" style="position:relative" novalidate><h3>Billing details</h3>${row('billing_first_name', 'First name', true, input('billing_first_name', 'given-name'))}${row('billing_last_name', 'Last name', true, input('billing_last_name', 'family-name'))}${row('billing_company', 'Company name', false, input('billing_company', 'organization'))}
${row(
  'billing_country',
  'Country / Region',
  true,
  `<select name="billing_country" id="billing_country" class="country_to_state select2-hidden-accessible" tabindex="-1" aria-hidden="true" autocomplete="country">${options(
    [
      ['', 'Select a country / region…'],
      ['CA', 'Canada'],
      ['DE', 'Germany'],
      ['US', 'United States (US)'],
    ],
    'DE',
  )}</select><span class="select2 select2-container" style="display:inline-block;width:300px"><span class="select2-selection" role="combobox" aria-haspopup="true" aria-expanded="false" tabindex="0" aria-label="Country / Region" style="display:block;border:1px solid"><span class="select2-selection__rendered">Germany</span></span></span>`,
)}
${row('billing_address_1', 'Street address', true, `<input class="input-text" name="billing_address_1" id="billing_address_1" placeholder="House number and street name" autocomplete="address-line1">`)}<p class="form-row"><label for="billing_address_2" class="screen-reader-text">Apartment, suite, unit, etc.</label><input name="billing_address_2" id="billing_address_2" placeholder="Apartment, suite, unit, etc. (optional)" autocomplete="address-line2"></p>
${row('billing_city', 'Town / City', true, input('billing_city', 'address-level2'))}<div id="state"></div>${row('billing_postcode', 'Postcode / ZIP', true, input('billing_postcode', 'postal-code'))}${row('billing_phone', 'Phone', true, input('billing_phone', 'tel', 'tel'))}${row('billing_email', 'Email address', true, input('billing_email', 'email username', 'email'))}<p><label><input type="checkbox" name="createaccount" value="1"> <span>Create an account?</span></label></p>
<h3 id="ship-to-different-address"><label><input type="checkbox" name="ship_to_different_address" value="1"> <span>Ship to a different address?</span></label></h3><div class="shipping_address" style="display:none">${row('shipping_address_1', 'Street address', true, input('shipping_address_1', 'address-line1'))}</div>${row('order_comments', 'Order notes', false, '<textarea name="order_comments" id="order_comments" placeholder="Notes about your order, e.g. special notes for delivery."></textarea>')}
<h3>Your order</h3><div id="order_review" style="position:relative"><div id="rows">${review(quantity, undefined)}</div><div id="payment"><ul class="wc_payment_methods"><li><input id="pm_bacs" type="radio" name="payment_method" value="bacs" checked><label for="pm_bacs">Direct bank transfer</label><div class="payment_box bacs">Make your payment directly into our bank account.</div></li><li><input id="pm_cc" type="radio" name="payment_method" value="gateway"><label for="pm_cc">Credit Card <img alt="Visa"></label><div class="payment_box cc" style="display:none"><p class="form-row"><label>Card number <span class="required">*</span></label><input id="gateway-card-number" name="gateway-card-number" class="wc-credit-card-form-card-number" placeholder="•••• •••• •••• ••••" autocomplete="cc-number"></p><p><label>Expiry (MM/YY) *</label><input name="gateway-card-expiry" placeholder="MM / YY"></p><p><label>Card code *</label><input name="gateway-card-cvc" placeholder="CVC" maxlength="4"></p></div></li></ul>
<p><label><input type="checkbox" name="terms" id="terms"> <span>I have read and agree to the website <a href="/terms">terms and conditions</a></span>&nbsp;<abbr title="required">*</abbr></label><input type="hidden" name="terms-field" value="1"></p><button type="submit" class="button alt" id="place_order" value="Place order">Place order</button></div></div></form></div>
<script>const f=document.querySelector('form.checkout'),c=f.billing_country,s2=document.querySelector('.select2-selection');let timer,n=0;
const update=()=>{clearTimeout(timer);timer=setTimeout(async()=>{const at=++n;const o=document.createElement('div');o.className='blockUI blockOverlay';document.getElementById('order_review').append(o);const r=await (await fetch('/ajax/update_order_review',{method:'POST',body:new URLSearchParams(new FormData(f))})).text();o.remove();if(at===n)document.getElementById('rows').innerHTML=JSON.parse(r).html},250)};
const states=()=>{document.getElementById('state').innerHTML=c.value==='US'?'<p class="form-row"><label for="billing_state">State <abbr>*</abbr></label><select name="billing_state" id="billing_state"><option value="">Select an option…</option><option value="CA">California</option><option value="NY">New York</option></select></p>':'';document.querySelector('[for=billing_postcode]').firstChild.data=c.value==='US'?'ZIP Code ':'Postcode / ZIP '};
s2.onclick=()=>{if(document.querySelector('.select2-results'))return document.querySelector('.select2-results').remove();const l=document.createElement('ul');l.className='select2-results';l.setAttribute('role','listbox');l.innerHTML=[...c.options].filter((o)=>o.value).map((o)=>'<li role="option" class="select2-results__option" data-v="'+o.value+'">'+o.text+'</li>').join('');document.body.append(l);l.onclick=(e)=>{c.value=e.target.dataset.v;s2.firstElementChild.textContent=e.target.textContent;l.remove();states();update()}};
f.addEventListener('change',(e)=>{if(e.target.name==='payment_method'){f.querySelector('.cc').style.display=e.target.value==='gateway'?'block':'none';f.querySelector('.bacs').style.display=e.target.value==='bacs'?'block':'none'}if(/address|city|postcode|state|shipping_method/.test(e.target.name))update()});</script>`,
    { head },
  );

const shop: Handler = ({ method, path, form, session }, orders) => {
  const quantity = Number(session.get('quantity') ?? 0);
  if (path === '/product/hoodie' && method === 'POST') {
    for (const name of ['variation_id', 'quantity']) session.set(name, form.get(name) ?? '');
    return {
      html: product(
        '<div class="woocommerce-message" role="alert"><a href="/cart" class="button wc-forward">View cart</a> “Hoodie” has been added to your cart.</div>',
      ),
    };
  }
  if (path === '/product/hoodie') return { html: product('') };
  if (path === '/cart') return { html: cart(quantity) };
  if (path === '/checkout') return { html: checkout(quantity) };
  if (path === '/ajax/update_order_review')
    return {
      json: {
        html: review(
          quantity,
          form.get('billing_postcode')
            ? (form.get('shipping_method[0]') ?? 'local_pickup:2')
            : undefined,
        ),
      },
    };
  if (path !== '/checkout/order')
    return path === '/order-received' ? { html: thanks('2201') } : undefined;
  orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
  return { to: '/order-received' };
};

export const plugin: Layout = {
  title:
    'a shop plug-in: variants that must all be chosen, drawn country list, order review that is fetched again, terms, bank transfer first',
  path: '/product/hoodie',
  shop,
  task: { request: 'large, logo: no' },
  buys: {
    variation_id: '33',
    quantity: '1',
    billing_first_name: 'Ada',
    billing_last_name: 'Lovelace',
    billing_country: 'US',
    billing_address_1: '12 Main Street',
    billing_address_2: 'Apt 4',
    billing_city: 'San Francisco',
    billing_state: 'CA',
    billing_postcode: '94105',
    billing_phone: /415\W*555\W*0123/,
    billing_email: 'ada@example.com',
    'shipping_method[0]': 'flat_rate:1',
    payment_method: 'gateway',
    'gateway-card-number': '4242424242424242',
    terms: 'on',
  },
  without: [
    'createaccount',
    'ship_to_different_address',
    'billing_company',
    'order_comments',
    'coupon_code',
  ],
};
