import { plainCard } from '../pages-kit.ts';
import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout, thanks } from './kit.ts';

/** Home or pick-up as tabs, a day that must be chosen, balances and codes that stay empty. */
const checkout = inPage(
  'Checkout',
  `<main><h1>Checkout</h1><form id="f" method="post" action="/order"><section><h2>1. Your details</h2><label>E-mail<input type="email" name="email" required></label><label>Full name<input name="name" required></label><label>Phone<input type="tel" name="phone" required></label></section>
<section><h2>2. How would you like to get your order?</h2><div role="tablist"><button type="button" role="tab" aria-selected="true" data-way="pickup">Collect from a pick-up point<br>Free</button><button type="button" role="tab" aria-selected="false" data-way="home">Home delivery<br>from €4.00</button></div><input type="hidden" name="way" value="pickup">
<div id="pickup"><label>Find a pick-up point near you<input name="pickup_search" placeholder="Postcode or town"></label><label><input type="radio" name="point" value="p1"> Kiosk Central</label><label><input type="radio" name="point" value="p2"> Corner Shop</label></div>
<div id="home" hidden><label>Street and house number<input name="street"></label><label>Postal code<input name="zip"></label><label>Town<input name="town"></label><label>Country<select name="country"><option value="NL">Netherlands</option><option value="BE">Belgium</option></select></label>
<fieldset class="days"><legend>Delivery date</legend><label><input type="radio" name="day" value="mon"> Monday 23 November €4.00</label><label><input type="radio" name="day" value="tue"> Tuesday 24 November €4.00</label><label><input type="radio" name="day" value="eve"> Tuesday evening €7.50</label></fieldset></div></section>
<section><h2>3. Payment</h2><details><summary>I have a gift card</summary><label>Gift card number<input name="giftcard"></label><label>PIN<input name="giftpin" maxlength="4"></label></details><label>Gift card or store credit number<input name="credit"></label><label>Promo code<input name="promo"><button type="button">Apply</button></label><label>Loyalty number<input name="loyalty"></label>
<div role="radiogroup" aria-label="Payment method"><label><input type="radio" name="pay" value="ideal"> iDEAL</label><label><input type="radio" name="pay" value="card"> Credit card</label><label><input type="radio" name="pay" value="giftcard"> Gift card</label></div><div id="card" hidden>${plainCard}</div></section>
<section><h2>Your order</h2><table><tr><td>Tulip bulbs</td><td>€16.00</td></tr><tr><td>Delivery</td><td id="d">€0.00</td></tr><tr><td>Total (incl. VAT)</td><td id="t">€16.00</td></tr></table></section><button type="submit">Order and pay</button></form></main>
<script>const f=document.getElementById('f');document.querySelectorAll('[role=tab]').forEach((b)=>b.onclick=()=>{document.querySelectorAll('[role=tab]').forEach((x)=>x.setAttribute('aria-selected',String(x===b)));f.way.value=b.dataset.way;for(const id of ['pickup','home'])document.getElementById(id).hidden=id!==b.dataset.way;sum()});
const sum=()=>{const d=f.way.value==='home'?(f.day.value==='eve'?7.5:f.day.value?4:0):0;document.getElementById('d').textContent='€'+d.toFixed(2);document.getElementById('t').textContent='€'+(16+d).toFixed(2)};
f.onchange=()=>{document.getElementById('card').hidden=f.pay.value!=='card';document.querySelectorAll('#card input').forEach((x)=>{x.required=f.pay.value==='card'});sum()};document.querySelectorAll('#card input').forEach((x)=>{x.required=false});
f.onsubmit=(e)=>{if(f.way.value==='home'&&!(f.street.value&&f.day.value)||f.way.value==='pickup'&&!f.point.value){e.preventDefault();alert('Please choose')}};</script>`,
);

const shop: Handler = ({ path, form, session }, orders) => {
  if (path === '/bulbs')
    return {
      html: inPage(
        'Tulip bulbs',
        '<main><h1>Tulip bulbs</h1><p>€16.00</p><form method="post" action="/cart"><label>Deliver on <input type="date" name="wish"></label><button>Add to cart</button></form></main>',
      ),
    };
  if (path === '/cart') {
    for (const [name, value] of form) session.set(name, value);
    return {
      html: inPage(
        'Cart',
        '<main><h1>Shopping cart</h1><p>Tulip bulbs €16.00</p><form><label>Coupon <input name="coupon"></label><button>Redeem</button></form><a href="/checkout">Go to checkout</a></main>',
      ),
    };
  }
  if (path === '/checkout') return { html: checkout };
  if (path !== '/order') return path === '/thanks' ? { html: thanks('TB9') } : undefined;
  orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
  return { to: '/thanks' };
};

export const deliveries: Layout = {
  title:
    'home or pick-up point as tabs, a day to choose, and fields for balances and codes that stay empty',
  path: '/bulbs',
  shop,
  task: {
    maxCost: { amountMinor: 4_000n, currency: 'EUR' },
    buyer: {
      firstName: 'Sanne',
      lastName: 'de Vries',
      email: 'sanne@example.nl',
      phone: '+31612345678',
      shipping: {
        addressLines: ['Keizersgracht 12'],
        locality: 'Amsterdam',
        postalCode: '1015 CX',
        countryCode: 'NL',
      },
    },
  },
  buys: {
    way: 'home',
    name: 'Sanne de Vries',
    street: 'Keizersgracht 12',
    town: 'Amsterdam',
    zip: /1015 ?CX/,
    country: 'NL',
    day: 'mon',
    pay: 'card',
    cardnumber: '4242424242424242',
  },
  without: [
    'giftcard',
    'giftpin',
    'credit',
    'promo',
    'loyalty',
    'pickup_search',
    'point',
    'coupon',
    'wish',
  ],
};
