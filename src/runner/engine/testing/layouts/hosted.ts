import type { Handler } from '../test-shop-kit.ts';
import { hiddenStyle, inPage, type Layout, options, thanks } from './kit.ts';

const swatch = (group: string, value: string, at: number, sold = false) =>
  `<input type="radio" id="s-${group}-${at}" name="${group}-1" value="${value}" form="product-form-1" class="visually-hidden${sold ? ' disabled' : ''}"${at === 0 ? ' checked' : ''}><label for="s-${group}-${at}" style="border:1px solid;padding:4px 9px">${value}<span class="visually-hidden">Variant sold out or unavailable</span></label>`;

const product = inPage(
  'Crew Tee – Northwind',
  `<div class="announcement">Free shipping over $100</div><header><a href="/">Northwind</a><a href="/cart" id="cart-icon-bubble"><svg width="20" height="20"></svg><span class="visually-hidden">Cart</span></a></header>
<main><product-info><h1>Crew Tee</h1><div class="price"><span class="visually-hidden">Regular price</span><s>$30.00 USD</s> <span>$24.00 USD</span></div>
<variant-selects><fieldset class="product-form__input--pill"><legend>Color</legend>${['Black', 'Blue', 'Sand'].map((one, at) => swatch('Color', one, at)).join('')}</fieldset>
<fieldset class="product-form__input--pill"><legend>Size</legend>${['S', 'M', 'L'].map((one, at) => swatch('Size', one, at)).join('')}</fieldset></variant-selects>
<div class="product-form__quantity"><label for="q1">Quantity</label><quantity-input><button name="minus" type="button"><span class="visually-hidden">Decrease quantity for Crew Tee</span>−</button><input id="q1" type="number" name="quantity" min="1" value="1" form="product-form-1"><button name="plus" type="button"><span class="visually-hidden">Increase quantity for Crew Tee</span>+</button></quantity-input></div>
<form method="post" action="/cart/add" id="product-form-1"><input type="hidden" name="id" value="101"><button type="submit" name="add"><span>Add to cart</span></button><div class="payment-button"><button type="button" class="unbranded">Buy it now</button><a href="#" class="more">More payment options</a></div></form></product-info>
<section class="related"><h2>You may also like</h2><ul><li class="card"><a href="/products/cap">Cap</a> <span>$12.00 USD</span><form action="/cart/add" method="post" class="quick"><input type="hidden" name="id" value="999"><button name="add">Add to cart</button></form></li></ul></section></main>
<cart-drawer style="display:none;position:fixed;right:0;top:0;bottom:0;width:360px;background:#fff" role="dialog" aria-label="Your cart"><h2>Your cart</h2><button type="button" aria-label="Close">×</button><div id="lines"></div><form action="/checkout" method="get" id="CartDrawer-Form"></form><div>Estimated total <b>$<span id="sum"></span> USD</b></div><button type="submit" name="checkout" form="CartDrawer-Form">Check out</button></cart-drawer>
<footer><form id="ContactFooter" action="/contact" method="post"><h2>Subscribe to our emails</h2><input type="email" name="contact[email]" placeholder="Email"><button name="commit" aria-label="Subscribe">→</button></form></footer>
<script>const f=document.getElementById('product-form-1');const ids={Color:['Black','Blue','Sand'],Size:['S','M','L']};
document.querySelector('variant-selects').onchange=()=>{const v=(n)=>document.querySelector('input[name="'+n+'-1"]:checked').value;f.elements.id.value=100+ids.Color.indexOf(v('Color'))*10+ids.Size.indexOf(v('Size'))};
document.querySelectorAll('quantity-input button').forEach((b)=>b.onclick=()=>{const i=document.getElementById('q1');i.value=Math.max(1,+i.value+(b.name==='plus'?1:-1))});
f.onsubmit=async(e)=>{e.preventDefault();const r=await (await fetch('/cart/add.js',{method:'POST',body:new URLSearchParams(new FormData(f))})).json();const d=document.querySelector('cart-drawer');document.getElementById('lines').innerHTML='<div class="cart-item">Crew Tee <quantity-input><button name="minus">−</button><input type="number" name="updates[]" aria-label="Quantity for Crew Tee" value="'+r.quantity+'"><button name="plus">+</button></quantity-input> $24.00</div>';document.getElementById('sum').textContent=(24*r.quantity).toFixed(2);d.style.display='block'};</script>`,
  { head: hiddenStyle },
);

const field = (name: string, label: string, token: string, more = '') =>
  `<div class="f"><label for="TextField-${name}">${label}</label><input id="TextField-${name}" name="${name}" placeholder="${label}" autocomplete="shipping ${token}" ${more}></div>`;
const cardFrame = (name: string, title: string) =>
  `<iframe title="Field container for: ${title}" src="/card-fields/${name}" style="width:100%;height:44px;border:0"></iframe>`;

const checkout = (quantity: number) =>
  inPage(
    'Checkout - Northwind',
    `<header><a href="/">Northwind</a></header><div id="app"></div><script>
const q=${quantity};const card={};addEventListener('message',(e)=>{if(e.data&&e.data.field)card[e.data.field]=e.data.value});
const zones={US:[['CA','California'],['NY','New York']],CA:[['ON','Ontario'],['QC','Quebec']]};
setTimeout(()=>{document.getElementById('app').innerHTML=document.getElementById('t').innerHTML;start()},150);
function start(){const f=document.getElementById('Form1');const $=(n)=>f.elements[n];
const zone=()=>{const z=zones[$('countryCode').value];document.getElementById('zone').innerHTML=z?'<label for="Select1">'+($('countryCode').value==='US'?'State':'Province')+'</label><select id="Select1" name="zone" autocomplete="shipping address-level1" required><option value="">&nbsp;</option>'+z.map((x)=>'<option value="'+x[0]+'">'+x[1]+'</option>').join('')+'</select>':'';f.querySelector('[for=TextField-postalCode]').textContent=$('countryCode').value==='US'?'ZIP code':'Postal code'};
$('countryCode').onchange=()=>{zone();rates()};zone();let n=0;
const rates=async()=>{if(!($('address1').value&&$('city').value&&$('postalCode').value&&(!$('zone')||$('zone').value)))return;const key=$('countryCode').value+$('postalCode').value+($('zone')?$('zone').value:'');if(key===f.dataset.rated)return;f.dataset.rated=key;const at=++n;const r=await (await fetch('/rates',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({zip:$('postalCode').value,country:$('countryCode').value})})).json();if(at!==n)return;
document.getElementById('ship').innerHTML='<fieldset><legend class="visually-hidden">Choose a shipping method</legend>'+r.rates.map((x,i)=>'<div><input type="radio" id="r'+i+'" name="shipping_methods" value="'+x.id+'"'+(i===0?' checked':'')+'><label for="r'+i+'">'+x.name+' <span>$'+x.price+'</span></label></div>').join('')+'</fieldset>';
f.querySelectorAll('[name=shipping_methods]').forEach((x)=>x.onchange=sum);sum();document.getElementById('checkout-pay-button').disabled=false};
const sum=()=>{const c=f.querySelector('[name=shipping_methods]:checked');const p=+/\\$([\\d.]+)/.exec(c.nextElementSibling.textContent)[1];document.getElementById('sc').textContent='$'+p.toFixed(2);document.getElementById('tot').textContent='$'+(24*q+p).toFixed(2)};
f.addEventListener('focusout',()=>setTimeout(rates,30));
f.onsubmit=async(e)=>{e.preventDefault();const b=document.getElementById('checkout-pay-button');b.disabled=true;const r=await (await fetch('/order',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({...Object.fromEntries(new FormData(f)),...card})})).json();location.href=r.to}}
</script><template id="t"><main><section aria-label="Express checkout"><h2>Express checkout</h2><button type="button" aria-label="Shop Pay" onclick="location='/wallet'">Shop Pay</button><button type="button" aria-label="PayPal" onclick="location='/wallet'">PayPal</button><button type="button" aria-label="Google Pay" onclick="location='/wallet'">G Pay</button></section><div>OR</div>
<form id="Form1" novalidate><section><h2>Contact</h2><a href="/login">Log in</a><div class="f"><label for="email">Email or mobile phone number</label><input id="email" name="email" type="text" autocomplete="shipping email" placeholder="Email or mobile phone number" required></div><input type="checkbox" id="mo" name="marketing_opt_in" checked><label for="mo">Email me with news and offers</label></section>
<section><h2>Delivery</h2><div class="f"><label for="Select0">Country/Region</label><select id="Select0" name="countryCode" autocomplete="shipping country">${options(
      [
        ['CA', 'Canada'],
        ['DE', 'Germany'],
        ['US', 'United States'],
      ],
      'CA',
    )}</select></div>
${field('firstName', 'First name (optional)', 'given-name')}${field('lastName', 'Last name', 'family-name', 'required')}${field('address1', 'Address', 'address-line1', 'required aria-autocomplete="list" role="combobox" aria-expanded="false"')}${field('address2', 'Apartment, suite, etc. (optional)', 'address-line2')}${field('city', 'City', 'address-level2', 'required')}<div id="zone"></div>${field('postalCode', 'Postal code', 'postal-code', 'required')}${field('phone', 'Phone (optional)', 'tel', 'type="tel"')}
<input type="checkbox" id="sms" name="sms_opt_in"><label for="sms">Text me with news and offers</label></section>
<section><h2>Shipping method</h2><div id="ship"><p>Enter your shipping address to view available shipping methods.</p></div></section>
<section><h2>Payment</h2><p>All transactions are secure and encrypted.</p><fieldset><legend class="visually-hidden">Choose a payment method</legend><input type="radio" name="basic" id="b0" value="creditCard" checked><label for="b0">Credit card</label><div>${cardFrame('number', 'Card number')}${cardFrame('expiry', 'Expiration date (MM / YY)')}${cardFrame('verification_value', 'Security code')}${cardFrame('name', 'Name on card')}<input type="checkbox" id="same" name="billing_same" checked><label for="same">Use shipping address as billing address</label></div><input type="radio" name="basic" id="b1" value="paypal"><label for="b1">PayPal</label></fieldset></section>
<section><h2>Remember me</h2><input type="checkbox" id="rm" name="RememberMe"><label for="rm">Save my information for a faster checkout with a shop account</label></section>
<button type="submit" id="checkout-pay-button" disabled>Pay now</button></form></main>
<aside><h2 class="visually-hidden">Order summary</h2><div role="table"><div role="row"><div role="cell">Crew Tee × ${quantity}</div><div role="cell">$${(24 * quantity).toFixed(2)}</div></div></div><form id="red"><label for="rd">Discount code or gift card</label><input id="rd" name="reductions" placeholder="Discount code or gift card"><button type="submit" disabled>Apply</button></form><div role="table"><div role="row"><div role="rowheader">Subtotal</div><div role="cell">$${(24 * quantity).toFixed(2)}</div></div><div role="row"><div role="rowheader">Shipping</div><div role="cell" id="sc">Enter shipping address</div></div><div role="row"><div role="rowheader"><strong>Total</strong></div><div role="cell"><abbr>USD</abbr> <strong id="tot">$${(24 * quantity).toFixed(2)}</strong></div></div></div></aside></template>`,
    { head: hiddenStyle },
  );

const cardFields: Readonly<Record<string, readonly [label: string, token: string]>> = {
  number: ['Card number', 'cc-number'],
  expiry: ['Expiration date (MM / YY)', 'cc-exp'],
  verification_value: ['Security code', 'cc-csc'],
  name: ['Name on card', 'cc-name'],
};

const shop: Handler = ({ method, path, form, session }, orders) => {
  if (path === '/products/crew-tee') return { html: product };
  if (path === '/cart/add.js' && method === 'POST') {
    for (const name of ['id', 'quantity']) session.set(name, form.get(name) ?? '');
    return { json: { quantity: Number(form.get('quantity')) } };
  }
  if (path === '/checkout') return { to: '/checkouts/cn/9f3' };
  if (path === '/checkouts/cn/9f3') return { html: checkout(Number(session.get('quantity'))) };
  if (path === '/rates')
    return {
      json: {
        rates: [
          { id: 'exp', name: 'Express (1–2 business days)', price: '14.90' },
          { id: 'std', name: 'Standard (3–5 business days)', price: '4.90' },
        ],
      },
    };
  if (path.startsWith('/card-fields/')) {
    const name = path.split('/').at(-1)!;
    const [label, token] = cardFields[name]!;
    return {
      html: inPage(
        label,
        `<form><label class="visually-hidden" for="${name}">${label}</label><input id="${name}" name="${name}" autocomplete="${token}" placeholder="${label}" inputmode="numeric" oninput="parent.postMessage({field:'${name}',value:this.value},'*')"></form>`,
        { head: hiddenStyle },
      ),
    };
  }
  if (path === '/order') {
    orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
    return { json: { to: '/thank-you' } };
  }
  return path === '/thank-you' ? { html: thanks('NW1001') } : undefined;
};

export const hosted: Layout = {
  title:
    'a hosted platform: radio swatches, cart drawer, rates after the address, card in four frames',
  path: '/products/crew-tee',
  shop,
  task: { request: 'the blue one in medium, 2 pieces' },
  buys: {
    id: '111',
    quantity: '2',
    email: 'ada@example.com',
    countryCode: 'US',
    zone: 'CA',
    firstName: 'Ada',
    lastName: 'Lovelace',
    address1: '12 Main Street',
    address2: 'Apt 4',
    city: 'San Francisco',
    postalCode: '94105',
    shipping_methods: 'std',
    basic: 'creditCard',
    billing_same: 'on',
    number: /4242/,
    verification_value: '123',
  },
  without: ['marketing_opt_in', 'sms_opt_in', 'RememberMe', 'reductions'],
};
