import { cardFault, type HeldOutShop, html, options, pause, reply, serve } from './kit.ts';

/*
 * A scripted shop: swatches that are pictures, sizes that are buttons, one sold out, the cart in a
 * drawer; one page for the whole checkout, whose total comes late and whose button cannot be
 * clicked until then.
 */
const STATES = {
  '': 'State',
  CA: 'California',
  IL: 'Illinois',
  NY: 'New York',
  OR: 'Oregon',
  TX: 'Texas',
  WA: 'Washington',
};
const HEAD = `<meta property="og:type" content="product"><meta property="product:price:currency" content="USD"><style>.off{display:none}.drawer{position:fixed;right:0;top:0;width:320px;background:#fff;border:1px solid}.sw img{width:24px;height:24px;background:#575}.soldout{text-decoration:line-through;opacity:.4}[aria-pressed=true]{outline:2px solid}</style>`;

const PRODUCT = `<header><a href="/">Fernwood</a> <button id="bagbtn" aria-label="Open bag">Bag (<span id="n">0</span>)</button></header>
<div class="pdp"><h1>Trail Shell Jacket</h1><div class="price">$128</div>
<div class="sw" role="radiogroup" aria-label="Color">
<label><input type="radio" name="color" value="mss" aria-label="Moss" checked><img alt=""></label>
<label><input type="radio" name="color" value="slt" aria-label="Slate Blue"><img alt=""></label>
<label><input type="radio" name="color" value="emb" aria-label="Ember"><img alt=""></label></div>
<div class="sizes"><span id="szl">Size</span><div role="group" aria-labelledby="szl">
<button type="button" class="sz" aria-pressed="false">S</button><button type="button" class="sz" aria-pressed="false">M</button><button type="button" class="sz" aria-pressed="false">L</button><button type="button" class="sz" aria-pressed="false">XL</button></div><a href="#guide">Size guide</a></div>
<label>Qty <select id="q"><option>1</option><option>2</option><option>3</option><option>4</option></select></label>
<button type="button" id="add">Select a size</button><p id="msg" role="status"></p>
<button type="button" class="heart" aria-label="Save to wishlist">♡</button></div>
<aside class="drawer off" id="bag" aria-label="Your bag"><h2>Your bag</h2><div id="lines"></div><a href="/checkout" class="go">Checkout</a><button type="button" id="keep">Keep shopping</button></aside>
<script>
let size = ''; const sold = { 'mss': ['M'], 'emb': ['S', 'XL'] };
const color = () => document.querySelector('[name=color]:checked').value;
function paint() { for (const b of document.querySelectorAll('.sz')) { const out = (sold[color()] || []).includes(b.textContent); b.classList.toggle('soldout', out); b.setAttribute('aria-disabled', out); b.title = out ? 'Sold out' : ''; b.setAttribute('aria-pressed', String(b.textContent === size)); }
 const out = (sold[color()] || []).includes(size); const a = document.getElementById('add'); a.textContent = size === '' ? 'Select a size' : out ? 'Notify me when back' : 'Add to bag'; a.disabled = size === ''; }
for (const b of document.querySelectorAll('.sz')) b.onclick = () => { size = b.textContent; paint(); };
for (const r of document.querySelectorAll('[name=color]')) r.onchange = paint;
paint();
async function show() { const bag = await (await fetch('/api/bag')).json(); document.getElementById('n').textContent = bag.qty; document.getElementById('lines').innerHTML = bag.qty ? '<p>' + bag.name + ' <span>Qty ' + bag.qty + '</span> $' + (bag.qty * 128) + '</p>' : 'Your bag is empty'; }
document.getElementById('add').onclick = async (e) => { if (e.target.textContent !== 'Add to bag') { document.getElementById('msg').textContent = 'We will let you know.'; return; } e.target.textContent = 'Adding…';
 const r = await fetch('/api/bag', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ color: color(), size, qty: Number(document.getElementById('q').value) }) });
 await r.json(); paint(); await show(); document.getElementById('bag').classList.remove('off'); };
document.getElementById('bagbtn').onclick = async () => { await show(); document.getElementById('bag').classList.remove('off'); };
document.getElementById('keep').onclick = () => document.getElementById('bag').classList.add('off');
show();
</script>`;

const CHECKOUT = `<a href="/">Fernwood</a><main id="app"><form id="f" novalidate>
<section><h2>Contact</h2><input name="email" type="email" placeholder="Email" autocomplete="email"><label><input type="checkbox" name="news" checked> Email me with news and offers</label></section>
<section><h2>Delivery</h2><select name="country" autocomplete="country"><option value="CA">Canada</option><option value="US">United States</option></select>
<input name="firstName" placeholder="First name"><input name="lastName" placeholder="Last name"><input name="address1" placeholder="Address"><input name="address2" placeholder="Apartment, suite, etc. (optional)">
<input name="city" placeholder="City"><select name="zone" aria-label="State">${options(STATES)}</select><input name="zip" placeholder="ZIP code"><input name="phone" placeholder="Phone (optional)"></section>
<section id="ship"><h2>Shipping method</h2><p>Enter your shipping address to view available shipping methods.</p></section>
<section><h2>Payment</h2><p>All transactions are secure and encrypted.</p><input placeholder="Card number" id="number" inputmode="numeric"><input placeholder="Expiration date (MM / YY)" id="expiry"><input placeholder="Security code" id="cvv"><input placeholder="Name on card" id="holder">
<label><input type="checkbox" id="same" checked> Use shipping address as billing address</label></section>
<p id="err" role="alert"></p><button id="pay" disabled>Place order</button></form>
<aside><h3>Order summary</h3><div id="line"></div><dl><dt>Subtotal</dt><dd id="sub"></dd><dt>Shipping</dt><dd id="shp">—</dd><dt>Estimated taxes</dt><dd id="tax">—</dd><dt>Total</dt><dd id="tot">Calculating…</dd></dl>
<label>Discount code <input name="discount"></label><button type="button">Apply</button></aside></main>
<script>
const f = document.getElementById('f'), $ = (c) => '$' + (c / 100).toFixed(2); let speed = '', wait = 0, quote = null;
fetch('/api/bag').then((r) => r.json()).then((b) => { line.textContent = b.name + ' × ' + b.qty; sub.textContent = $(b.qty * 12800); });
function options(list) { ship.innerHTML = '<h2>Shipping method</h2>' + list.map((o, i) => '<label><input type="radio" name="speed" value="' + o.id + '"' + (i === 0 ? ' checked' : '') + '>' + o.name + ' ' + $(o.cost) + '</label>').join('');
 for (const r of ship.querySelectorAll('input')) r.onchange = () => { speed = r.value; ask(); }; }
async function ask() { if (!f.zone.value || f.zip.value.length < 5 || f.country.value !== 'US') return; const mine = ++wait; pay.disabled = true; tot.textContent = 'Calculating…'; tax.textContent = '…';
 const r = await (await fetch('/api/estimate?state=' + f.zone.value + '&speed=' + speed)).json(); if (mine !== wait) return;
 if (speed === '') { speed = 'std'; options(r.methods); } quote = r; shp.textContent = $(r.ship); tax.textContent = $(r.tax); tot.innerHTML = '<small>USD</small> <strong>' + $(r.total) + '</strong>'; pay.disabled = false; }
f.zone.onchange = ask; f.zip.onchange = ask; f.country.onchange = ask;
f.onsubmit = async (e) => { e.preventDefault(); if (!quote) return; pay.disabled = true; pay.textContent = 'Processing…';
 const r = await fetch('/api/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: f.email.value, news: f.news.checked, zone: f.zone.value, country: f.country.value, name: f.firstName.value + ' ' + f.lastName.value, address: f.address1.value + ' ' + f.city.value + ' ' + f.zip.value, speed, number: number.value, expiry: expiry.value, cvv: cvv.value }) });
 const a = await r.json(); if (a.error) { err.textContent = a.error; pay.disabled = false; pay.textContent = 'Place order'; return; }
 history.pushState({}, '', '/checkout/done'); app.innerHTML = '<h1>Thank you, ' + f.firstName.value + '!</h1><p>Confirmation #' + a.number + '</p><p>Your order is confirmed. Total ' + $(a.total) + '</p>'; };
</script>`;

/** Starts the scripted shop. */
export function fernwood(): Promise<HeldOutShop> {
  const colours: Record<string, string> = { mss: 'Moss', slt: 'Slate Blue', emb: 'Ember' };
  function cost(
    quantity: number,
    state: string,
    speed: string,
  ): { ship: number; tax: number; total: number } {
    const goods = quantity * 12_800;
    const ship = speed === 'two' ? 1900 : goods >= 20_000 ? 0 : 795;
    const tax = Math.round(goods * (state === 'NY' ? 0.088_75 : state === 'OR' ? 0 : 0.0725));
    return { ship, tax, total: goods + ship + tax };
  }
  return serve(['/api/orders'], async ({ method, path, query, json, session }, shop) => {
    const quantity = Number(session.get('qty') ?? 0);
    const name = `Trail Shell Jacket – ${colours[session.get('color') ?? '']} / ${session.get('size')}`;
    if (path === '/products/trail-shell-jacket')
      return html('en', 'Trail Shell Jacket – Fernwood', PRODUCT, HEAD);
    if (path === '/checkout')
      return quantity === 0
        ? html('en', 'Bag', 'Your bag is empty')
        : html('en', 'Checkout – Fernwood', CHECKOUT);
    if (path === '/api/bag' && method === 'POST') {
      await pause(300);
      session.set('color', String(json.color));
      session.set('size', String(json.size));
      session.set('qty', String(quantity + Number(json.qty)));
      return reply({ ok: true });
    }
    if (path === '/api/bag') return reply({ qty: quantity, name });
    if (path === '/api/estimate') {
      await pause(1300);
      return reply({
        ...cost(quantity, query.get('state') ?? '', query.get('speed') ?? ''),
        methods: [
          { id: 'std', name: 'Standard (4–6 days)', cost: quantity > 1 ? 0 : 795 },
          { id: 'two', name: '2-Day Air', cost: 1900 },
        ],
      });
    }
    if (path === '/api/orders') {
      await pause(700);
      if (
        !String(json.email).includes('@') ||
        String(json.name).trim() === '' ||
        String(json.address).length < 12
      )
        return reply({ error: 'Enter a valid address.' }, 422);
      const fault = cardFault(
        String(json.number),
        String(json.expiry).replaceAll(' ', ''),
        String(json.cvv),
      );
      if (fault !== undefined) return reply({ error: `Check your card ${fault}.` }, 422);
      const sum = cost(quantity, String(json.zone), String(json.speed));
      const number = `FW${48_213 + shop.book.length}`;
      shop.book.push({
        number,
        item: name,
        quantity,
        total: sum.total,
        currency: 'USD',
        email: String(json.email),
        address: `${json.name} ${json.address} ${json.zone} ${json.country}`,
        extras: json.news === true ? ['newsletter'] : [],
        card: String(json.number).slice(-4),
      });
      session.clear();
      return reply({ number, total: sum.total });
    }
    return undefined;
  });
}
