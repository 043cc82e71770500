import { cardFault, type HeldOutShop, html, pause, reply, serve } from './kit.ts';

/*
 * An accordion made of custom widgets: the country is a combobox to type into, the region a list
 * box of its own, the street brings suggestions, delivery ways are cards with aria-checked, and a
 * panel opens once the one before it was saved.
 */
const PRODUCT = `<div id="shop"><h1>Stoneware Dinner Set</h1><p><span itemprop="offers"><span itemprop="price" content="86.00">86.00</span></span></p>
<div id="glazeL">Glaze</div><button type="button" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="glazeL glazeV" aria-controls="glazes" id="glaze"><span id="glazeV">Choose a glaze</span></button>
<ul role="listbox" id="glazes" hidden aria-labelledby="glazeL"><li role="option" aria-selected="false">Oatmeal</li><li role="option" aria-selected="false">Ink Blue</li><li role="option" aria-selected="false" aria-disabled="true">Celadon — out of stock</li></ul>
<div class="step"><button type="button" id="dn" aria-label="Decrease">–</button><output id="cnt">1</output><button type="button" id="up" aria-label="Increase">+</button></div>
<button type="button" id="put">Add to cart</button><p id="note" role="alert"></p><a href="/cart" id="viewcart" hidden>View cart &amp; check out</a></div>
<script>
glaze.onclick = () => { glazes.hidden = !glazes.hidden; glaze.setAttribute('aria-expanded', String(!glazes.hidden)); };
for (const o of glazes.children) o.onclick = () => { if (o.ariaDisabled) return; for (const x of glazes.children) x.setAttribute('aria-selected', String(x === o)); glazeV.textContent = o.textContent; glazes.hidden = true; glaze.setAttribute('aria-expanded', 'false'); };
up.onclick = () => { cnt.textContent = Math.min(4, Number(cnt.textContent) + 1); }; dn.onclick = () => { cnt.textContent = Math.max(1, Number(cnt.textContent) - 1); };
put.onclick = async () => { if (glazeV.textContent.startsWith('Choose')) { note.textContent = 'Please choose a glaze.'; return; } const r = await fetch('/cart/lines', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ glaze: glazeV.textContent, n: Number(cnt.textContent) }) }); if (r.ok) { note.textContent = 'Added to your cart.'; viewcart.hidden = false; } };
</script>`;

const CHECKOUT = `<style>.opt{border:1px solid #999;padding:6px;cursor:pointer}.opt[aria-checked=true]{border-color:#06c}ul[role=listbox]{border:1px solid;list-style:none;padding:0;max-width:300px}[role=option]{padding:4px;cursor:pointer}.lock{opacity:.5}</style>
<h1>Checkout</h1><div class="acc">
<h2><button type="button" id="h1" aria-expanded="true" aria-controls="p1">1 Who is it for?</button></h2><div id="p1" role="region"><label>Email address<input id="em" type="text" inputmode="email"></label><label>Full name<input id="nm"></label><label>Mobile<input id="ph" type="tel"></label><button type="button" id="s1">Continue to delivery</button><p class="e"></p></div>
<h2><button type="button" id="h2" aria-expanded="false" aria-controls="p2" disabled>2 Where should it go?</button></h2><div id="p2" role="region" hidden>
<label id="cl" for="co">Country/region</label><input id="co" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="cos" placeholder="Start typing" autocomplete="off"><ul id="cos" role="listbox" hidden></ul>
<label for="st1">Street address</label><input id="st1" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="sug" autocomplete="off"><ul id="sug" role="listbox" hidden></ul>
<label>Unit<input id="st2"></label><label>Town / City<input id="ci"></label>
<div id="rw" hidden><span id="rl">State</span><div tabindex="0" role="combobox" id="rg" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="rl" aria-controls="rgs">Select…</div><ul id="rgs" role="listbox" hidden></ul></div>
<label>Postcode / ZIP<input id="zp"></label><button type="button" id="s2">Continue to shipping</button><p class="e"></p></div>
<h2><button type="button" id="h3" aria-expanded="false" aria-controls="p3" disabled>3 How fast?</button></h2><div id="p3" role="region" hidden><div role="radiogroup" aria-label="Shipping speed" id="ways"></div><button type="button" id="s3">Continue to payment</button></div>
<h2><button type="button" id="h4" aria-expanded="false" aria-controls="p4" disabled>4 Payment</button></h2><div id="p4" role="region" hidden>
<div role="tablist"><button role="tab" type="button" aria-selected="true" id="tw">Wallet</button><button role="tab" type="button" aria-selected="false" id="tc">Card</button></div><div id="pw">Pay with your phone.</div>
<div id="pc" hidden><label>Card number<input id="n" autocomplete="cc-number"></label><label>Expiry<input id="x" autocomplete="cc-exp" placeholder="MM/YY"></label><label>CVC<input id="v" autocomplete="cc-csc"></label></div>
<div><span role="checkbox" aria-checked="false" tabindex="0" id="tos" style="display:inline-block;width:16px;height:16px;border:1px solid"></span> <span id="tosl">I agree to the Terms of Sale</span></div><p class="e" role="alert"></p><button type="button" id="buy">Pay and place order</button></div></div>
<div id="sum" aria-live="polite"></div>
<script>
const C = ['Austria', 'Canada', 'France', 'Germany', 'United Arab Emirates', 'United Kingdom', 'United States', 'United States Minor Outlying Islands'], S = ['California', 'Illinois', 'New York', 'Oregon', 'Texas', 'Washington'];
let country = '', state = '', way = '', picked = false; tos.setAttribute('aria-labelledby', 'tosl');
const post = async (u, d) => { const r = await fetch(u, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(d) }); return r.json(); };
const open = (n) => { for (let i = 1; i < 5; i++) { const b = document.getElementById('h' + i); if (i === n) b.disabled = false; b.setAttribute('aria-expanded', String(i === n)); document.getElementById('p' + i).hidden = i !== n; } };
for (let i = 1; i < 5; i++) document.getElementById('h' + i).onclick = () => open(i);
function fill(list, items, take) { list.innerHTML = ''; for (const t of items) { const li = document.createElement('li'); li.setAttribute('role', 'option'); li.textContent = t; li.onmousedown = (e) => { e.preventDefault(); take(t); list.hidden = true; }; list.append(li); } list.hidden = items.length === 0; }
co.oninput = () => { country = ''; fill(cos, C.filter((c) => c.toLowerCase().includes(co.value.toLowerCase())), (t) => { co.value = t; country = t; rw.hidden = t !== 'United States'; }); };
co.onblur = () => { setTimeout(() => { if (!country) co.value = ''; cos.hidden = true; }, 100); };
st1.oninput = async () => { if (st1.value.length < 4) return; await new Promise((r) => setTimeout(r, 250)); fill(sug, [st1.value + ', Springfield', st1.value + ', Shelbyville'], (t) => { st1.value = t.split(',')[0]; ci.value = t.split(', ')[1]; }); }; st1.onblur = () => { sug.hidden = true; };
rg.onclick = () => { fill(rgs, S, (t) => { state = t; rg.textContent = t; rg.setAttribute('aria-expanded', 'false'); }); rg.setAttribute('aria-expanded', 'true'); };
tos.onclick = () => tos.setAttribute('aria-checked', String(tos.getAttribute('aria-checked') !== 'true')); tosl.onclick = tos.onclick;
tc.onclick = () => { pc.hidden = false; pw.hidden = true; tc.setAttribute('aria-selected', 'true'); tw.setAttribute('aria-selected', 'false'); };
const say = (n, t) => { document.querySelector('#p' + n + ' .e').textContent = t; };
s1.onclick = async () => { const r = await post('/co/who', { em: em.value, nm: nm.value, ph: ph.value }); say(1, r.error || ''); if (!r.error) open(2); };
s2.onclick = async () => { const r = await post('/co/where', { country, state, st1: st1.value, ci: ci.value, zp: zp.value }); say(2, r.error || ''); if (r.error) return; ways.innerHTML = ''; for (const w of r.ways) { const d = document.createElement('div'); d.className = 'opt'; d.setAttribute('role', 'radio'); d.setAttribute('aria-checked', 'false'); d.tabIndex = 0; d.textContent = w.name + ' — ' + w.price; d.onclick = async () => { for (const x of ways.children) x.setAttribute('aria-checked', String(x === d)); way = w.id; draw(await post('/co/way', { way })); }; ways.append(d); } open(3); };
s3.onclick = () => { if (way) open(4); };
function draw(q) { sum.innerHTML = '<table><tr><th scope=row>Items (' + q.n + ')</th><td>' + q.goods + '</td></tr><tr><th scope=row>Shipping</th><td>' + q.ship + '</td></tr><tr><th scope=row>Tax</th><td>' + q.tax + '</td></tr><tr><th scope=row>Order total</th><td>' + q.total + '</td></tr></table>'; }
buy.onclick = async () => { buy.disabled = true; const r = await post('/co/pay', { n: n.value, x: x.value, v: v.value, tos: tos.getAttribute('aria-checked') }); if (r.error) { say(4, r.error); buy.disabled = false; return; } location.href = '/thank-you/' + r.key; };
</script>`;

/** Starts the accordion. */
export function hearth(): Promise<HeldOutShop> {
  const ways = [
    { id: 'eco', name: 'Economy, 5–8 days', cost: 900 },
    { id: 'fast', name: 'Express, 2 days', cost: 2450 },
  ];
  const usd = (cents: number) => `US$${(cents / 100).toFixed(2)}`;
  const currency = '<meta itemprop="priceCurrency" content="USD">';
  return serve(['/co/pay'], async ({ path, json, session }, shop) => {
    const count = Number(session.get('n') ?? 0);
    const ship = ways.find((way) => way.id === session.get('way'))?.cost ?? 0;
    const tax = Math.round(count * 8600 * 0.0625);
    const total = count * 8600 + ship + tax;
    if (path === '/p/stoneware-dinner-set')
      return html('en', 'Stoneware Dinner Set · Hearth & Hollow', PRODUCT, currency);
    if (path === '/cart/lines') {
      session.set('n', String(json.n));
      session.set('glaze', String(json.glaze));
      return reply({ ok: true });
    }
    if (path === '/cart')
      return html(
        'en',
        'Cart · Hearth & Hollow',
        count === 0
          ? 'Nothing here yet.'
          : `<h1>Cart</h1><div>Stoneware Dinner Set, ${session.get('glaze')}<br>${count} @ ${usd(8600)}</div><p>Merchandise ${usd(count * 8600)}</p><button type="button" onclick="location.href='/checkout'">Proceed to checkout</button>`,
        currency,
      );
    if (path === '/checkout') return html('en', 'Checkout · Hearth & Hollow', CHECKOUT);
    if (path === '/co/who') {
      if (
        !String(json.em).includes('@') ||
        !String(json.nm).trim().includes(' ') ||
        String(json.ph).length < 6
      )
        return reply({ error: 'Please enter your email, full name and mobile.' });
      session.set('em', String(json.em));
      session.set('nm', String(json.nm));
      return reply({});
    }
    if (path === '/co/where') {
      await pause(400);
      if (
        json.country === '' ||
        String(json.st1).length < 3 ||
        json.ci === '' ||
        String(json.zp).length < 4 ||
        (json.country === 'United States' && json.state === '')
      )
        return reply({ error: 'Please complete your address.' });
      session.set('to', `${json.st1} ${json.ci} ${json.state} ${json.zp} ${json.country}`);
      return reply({
        ways: ways.map((way) => ({ id: way.id, name: way.name, price: usd(way.cost) })),
      });
    }
    if (path === '/co/way') {
      session.set('way', String(json.way));
      const cost = ways.find((way) => way.id === json.way)?.cost ?? 0;
      return reply({
        n: count,
        goods: usd(count * 8600),
        ship: usd(cost),
        tax: usd(tax),
        total: usd(count * 8600 + cost + tax),
      });
    }
    if (path === '/co/pay') {
      await pause(500);
      if (json.tos !== 'true') return reply({ error: 'Please accept the terms.' });
      if (cardFault(String(json.n), String(json.x), String(json.v)) !== undefined)
        return reply({ error: 'Your card was not accepted. Check its details.' });
      shop.book.push({
        number: `HH-${900 + shop.book.length}`,
        item: `Dinner Set ${session.get('glaze')}`,
        quantity: count,
        total,
        currency: 'USD',
        email: session.get('em') ?? '',
        address: `${session.get('nm')} ${session.get('to')}`,
        extras: [],
        card: String(json.n).slice(-4),
      });
      return reply({ key: `HH-${899 + shop.book.length}` });
    }
    if (path.startsWith('/thank-you/'))
      return html(
        'en',
        'Thank you',
        `<h1>We've got it!</h1><p>Order ${path.slice(11)} is on its way to our packing table.</p>`,
      );
    return undefined;
  });
}
