import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout, options, thanks } from './kit.ts';

/**
 * Links and tiles for everything that others do with fields: colours as pictures, sizes as links,
 * ways of delivery as tiles.
 */
const product = inPage(
  'Linen Shirt | Loom',
  `<header><a href="/">Loom</a><a href="/bag" class="bag-link">Bag <span>0</span></a></header><main><h1>Linen Shirt</h1><div class="price">£40.00</div><div class="colour"><p>Colour</p><ul class="swatches">${['White', 'Navy', 'Sage'].map((one, at) => `<li class="swatch${at === 0 ? ' selected' : ''}" data-c="${one}" style="cursor:pointer"><img alt="${one}" width="40" height="40" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></li>`).join('')}</ul></div>
<div class="size"><p>Size</p><div class="sizes">${['S', 'M', 'L'].map((one) => `<a href="#" class="size-link">${one}</a>`).join(' ')} <a href="/size-guide">Size guide</a></div></div><a href="#" role="button" class="add">Add to bag</a><div class="mini" role="region" aria-label="Mini bag" hidden><p>Added to your bag</p><a href="/bag">View bag and check out</a></div></main>
<script>let c='White',s='';document.querySelectorAll('.swatch').forEach((x)=>x.onclick=()=>{document.querySelectorAll('.swatch').forEach((y)=>y.classList.toggle('selected',y===x));c=x.dataset.c});document.querySelectorAll('.size-link').forEach((x)=>x.onclick=(e)=>{e.preventDefault();document.querySelectorAll('.size-link').forEach((y)=>y.classList.toggle('active',y===x));s=x.textContent});
document.querySelector('.add').onclick=async(e)=>{e.preventDefault();if(!s)return;await fetch('/bag/add',{method:'POST',body:new URLSearchParams({colour:c,size:s})});document.querySelector('.mini').hidden=false}</script>`,
);

const bag = (quantity: number) =>
  inPage(
    'Your bag | Loom',
    `<main><h1>Your bag</h1><div class="row"><a href="/shirt">Linen Shirt</a><span>£40.00</span><select aria-label="Qty" class="q">${options(
      Array.from({ length: 9 }, (_, at) => [String(at + 1), String(at + 1)] as const),
      String(quantity),
    )}</select><a href="/bag?remove=1">Remove</a></div><p>Subtotal £${40 * quantity}.00</p><a href="/checkout/email" class="cta">Check out securely</a></main><script>document.querySelector('.q').onchange=async(e)=>{await fetch('/bag/set',{method:'POST',body:new URLSearchParams({quantity:e.target.value})});location.reload()}</script>`,
  );

const email = inPage(
  'Checkout | Loom',
  '<main><h1>Checkout</h1><form method="post" action="/checkout/email"><label>Enter your email address to continue <input type="email" name="email" required></label><button>Continue</button></form></main>',
);
const known = inPage(
  'Checkout | Loom',
  '<main><h1>Welcome back</h1><form method="post" action="/login"><label>Password <input type="password" name="password"></label><button>Sign in</button><a href="/forgot">Forgotten password?</a></form><p>Or</p><a href="/checkout/delivery" class="btn-outline">Continue as a guest</a></main>',
);
const delivery = inPage(
  'Delivery | Loom',
  `<main><h1>Delivery</h1><form method="post" action="/checkout/delivery" id="f"><label>Title*<select name="title" required>${options(
    [
      ['', 'Please select'],
      ['mr', 'Mr'],
      ['ms', 'Ms'],
      ['dr', 'Dr'],
    ],
  )}</select></label><label>First name*<input name="a1" required></label><label>Surname*<input name="a2" required></label><label>Dialling code<select name="dial">${options(
    [
      ['+44', 'United Kingdom (+44)'],
      ['+49', 'Germany (+49)'],
      ['+1', 'United States (+1)'],
    ],
    '+44',
  )}</select></label><label>Mobile number*<input name="a3" type="tel" required></label><label>Country<select name="country">${options(
    [
      ['GB', 'United Kingdom'],
      ['IE', 'Ireland'],
      ['US', 'USA'],
    ],
    'GB',
  )}</select></label><label>Street address*<input name="a4" required></label><label>Town/City*<input name="a5" required></label><label>County / State<input name="a6"></label><label>Postcode / ZIP*<input name="a7" required></label>
<div role="radiogroup" aria-label="Delivery options"><div role="radio" aria-checked="true" tabindex="0" data-v="nom" class="tile" style="cursor:pointer"><b>Next day</b><span>£9.95</span></div><div role="radio" aria-checked="false" tabindex="-1" data-v="std" class="tile" style="cursor:pointer"><b>Standard, 3-5 days</b><span>£4.00</span></div><div role="radio" aria-checked="false" tabindex="-1" data-v="cc" class="tile" style="cursor:pointer"><b>Click &amp; Collect from a store</b><span>Free</span></div></div><input type="hidden" name="way" value="nom"><label><input type="checkbox" name="news" checked> Keep me posted about new arrivals and offers</label><button type="submit">Continue to payment</button></form></main>
<script>document.querySelectorAll('.tile').forEach((t)=>t.onclick=()=>{document.querySelectorAll('.tile').forEach((x)=>x.setAttribute('aria-checked',String(x===t)));document.getElementById('f').way.value=t.dataset.v})</script>`,
);
const payment = (goods: number, way: number) =>
  inPage(
    'Payment | Loom',
    `<main><h1>Payment</h1><form method="post" action="/order" id="p"><label>Name on card<input name="c1"></label><label>Card number<input name="c2" inputmode="numeric"></label><div><span>Expiry date</span><input name="c3" placeholder="MM" maxlength="2" aria-label="Expiry month"><input name="c4" placeholder="YY" maxlength="2" aria-label="Expiry year"></div><label>CVV<input name="c5" maxlength="4"></label></form><dl><dt>Items</dt><dd>£${goods.toFixed(2)}</dd><dt>Delivery</dt><dd>£${way.toFixed(2)}</dd><dt>Total to pay</dt><dd>£${(goods + way).toFixed(2)}</dd></dl><a role="button" href="#" id="go">Place order &amp; pay</a></main><script>document.getElementById('go').onclick=(e)=>{e.preventDefault();document.getElementById('p').requestSubmit()}</script>`,
  );

const costs: Readonly<Record<string, number>> = { nom: 9.95, std: 4, cc: 0 };
const shop: Handler = ({ method, path, form, session }, orders) => {
  const quantity = Number(session.get('quantity') ?? 1);
  if (method === 'POST' && path !== '/login')
    for (const [name, value] of form) session.set(name, value);
  switch (`${method} ${path}`) {
    case 'GET /shirt':
      return { html: product };
    case 'POST /bag/add':
    case 'POST /bag/set':
      return { json: {} };
    case 'GET /bag':
      return { html: bag(quantity) };
    case 'GET /checkout/email':
      return { html: email };
    case 'POST /checkout/email':
      return { html: known };
    case 'GET /checkout/delivery':
      return { html: delivery };
    case 'POST /checkout/delivery':
      return { html: payment(40 * quantity, costs[form.get('way') ?? 'nom']!) };
    case 'POST /order':
      orders.push(Object.fromEntries(session));
      return { to: '/done' };
    default:
      return path === '/done' ? { html: thanks('L-88') } : undefined;
  }
};

export const tiles: Layout = {
  title:
    'links and tiles: pictures as colours, e-mail first, a page that knows the account, calling code, no second line for the address',
  path: '/shirt',
  shop,
  task: { request: 'navy, medium, two of them', maxCost: { amountMinor: 9_000n, currency: 'GBP' } },
  answer: (request) =>
    request.kind === 'option-choice'
      ? { choice: request.options.find((one) => one.title === 'Dr')!.value }
      : undefined,
  asks: ['option-choice'],
  buys: {
    colour: 'Navy',
    size: 'M',
    quantity: '2',
    email: 'ada@example.com',
    title: 'dr',
    a1: 'Ada',
    a2: 'Lovelace',
    dial: '+1',
    a3: /^\(?415/,
    country: 'US',
    a4: /^12 Main Street,? Apt 4$/,
    a5: 'San Francisco',
    a6: /CA|California/,
    a7: '94105',
    way: 'std',
    c1: 'Ada Lovelace',
    c2: /4242/,
    c3: '07',
    c4: '31',
    c5: '123',
  },
  without: ['news', 'password'],
};
