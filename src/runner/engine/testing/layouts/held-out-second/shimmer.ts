import { cardFault, type HeldOutShop, html, pause, reply, serve } from '../held-out-first/kit.ts';

/*
 * A shop for businesses in one document: addresses change with pushState, every page is grey bars
 * for a while though nothing is asked of the server, prices are shown without VAT, a list changes
 * the currency, and a company may give its VAT number.
 */
const APP = `<style>.bar{height:18px;background:#eee;margin:8px;width:300px}</style>
<div class="top"><a href="/" data-in>Shimmer Supplies</a> <a href="/shop" data-in>Shop all</a> <a href="/basket" data-in>Basket (<span id="n">0</span>)</a> <select id="cur" aria-label="Currency"><option>GBP</option><option>EUR</option></select></div><main id="v"></main>
<script>
const slow = MEAN === 'never' ? { '/checkout/address': 1e9 } : {}; const S = sessionStorage; const basket = () => Number(S.n || 0);
const rate = () => cur.value === 'EUR' ? 1.2 : 1; const fmt = (c) => (cur.value === 'EUR' ? '€' : '£') + (Math.round(c * rate()) / 100).toFixed(2);
const unit = 6450, ways = { parcel: ['Parcel, 3 working days', 695], pallet: ['Pallet, booked slot', 4500] };
const sum = () => { const goods = unit * basket(), ship = S.way ? ways[S.way][1] : 0; return { goods, ship, vat: Math.round((goods + ship) * 0.2) }; };
const go = (to) => { history.pushState({}, '', to); draw(); };
cur.value = S.cur || 'EUR'; cur.onchange = () => { S.cur = cur.value; draw(); };
document.addEventListener('click', (e) => { const a = e.target.closest('[data-in]'); if (a) { e.preventDefault(); go(a.getAttribute('href')); } });
const field = (id, label, more = '') => '<p><label for="' + id + '">' + label + '</label><br><input id="' + id + '" name="' + id + '" ' + more + '></p>';
const pages = {
 '/': () => { v.innerHTML = '<h1>Welcome</h1><a data-in href="/p/rack">Steel rack</a>'; },
 '/shop': () => { v.innerHTML = '<h1>All products</h1><a data-in href="/p/rack">Steel rack</a>'; },
 '/p/rack': () => { v.innerHTML = '<h1>Steel storage rack</h1><p><b>' + fmt(unit) + '</b> excl. VAT (' + fmt(unit * 1.2) + ' incl. VAT)</p><label>Units <input id="q" type="number" value="1" min="1"></label> <button id="b">Add to basket</button><p id="m" role="status"></p>'; b.onclick = () => { S.n = basket() + Number(q.value); n.textContent = S.n; m.innerHTML = 'Added. <a data-in href="/basket">View basket</a>'; }; },
 '/basket': () => { v.innerHTML = basket() ? '<h1>Basket</h1><p>' + basket() + ' × Steel storage rack</p><p>Goods excl. VAT ' + fmt(sum().goods) + '</p><button id="c">Checkout</button>' : '<h1>Basket</h1><p>Nothing here yet</p>'; if (basket()) c.onclick = () => go('/checkout/address'); },
 '/checkout/address': () => { v.innerHTML = '<h1>Who is it for?</h1><form>' + field('company', 'Company (optional)') + field('vat', 'VAT number (optional)') + field('fn', 'First name') + field('ln', 'Last name') + field('em', 'Work e-mail', 'type="email"') + field('ph', 'Phone') + field('l1', 'Address line 1') + field('l2', 'Address line 2 (optional)') + field('ci', 'City') + field('pc', 'Postcode') + '<p><label>Country <select name="co"><option value="GB">United Kingdom</option><option value="IE">Ireland</option><option value="NL">Netherlands</option></select></label></p><p id="e" role="alert"></p><button>Continue to delivery</button></form>'; const f = v.querySelector('form'); f.onsubmit = (ev) => { ev.preventDefault(); const d = Object.fromEntries(new FormData(f)); const gap = ['fn', 'ln', 'em', 'ph', 'l1', 'ci', 'pc'].filter((k) => !d[k]); if (gap.length) { e.textContent = 'Please fill in: ' + gap; return; } S.to = JSON.stringify(d); go('/checkout/delivery'); }; },
 '/checkout/delivery': () => { v.innerHTML = '<h1>How should it come?</h1><form>' + Object.entries(ways).map(([id, [name, cost]]) => '<p><input type="radio" name="way" id="w' + id + '" value="' + id + '"><label for="w' + id + '">' + name + ' – ' + fmt(cost) + ' excl. VAT</label></p>').join('') + '<p id="e" role="alert"></p><button>Continue to payment</button></form>'; const f = v.querySelector('form'); f.onsubmit = (ev) => { ev.preventDefault(); const w = new FormData(f).get('way'); if (!w) { e.textContent = 'Choose a delivery'; return; } S.way = w; go('/checkout/payment'); }; },
 '/checkout/payment': () => { const s = sum(); v.innerHTML = '<h1>Payment</h1><dl><dt>Goods excl. VAT</dt><dd>' + fmt(s.goods) + '</dd><dt>Delivery excl. VAT</dt><dd>' + fmt(s.ship) + '</dd><dt>Total excl. VAT</dt><dd>' + fmt(s.goods + s.ship) + '</dd><dt>VAT 20%</dt><dd>' + fmt(s.vat) + '</dd><dt>Total incl. VAT</dt><dd><b>' + fmt(s.goods + s.ship + s.vat) + '</b></dd></dl><form>' + field('cn', 'Card number', 'inputmode="numeric"') + field('cx', 'Expiry (MM/YY)') + field('cc', 'Security code') + '<p><label><input type="checkbox" name="ok"> I agree to the terms of sale</label></p><p id="e" role="alert"></p><button id="pay">Pay ' + fmt(s.goods + s.ship + s.vat) + '</button></form>'; const f = v.querySelector('form'); f.onsubmit = async (ev) => { ev.preventDefault(); if (!f.ok.checked) { e.textContent = 'Please agree to the terms'; return; } pay.disabled = true; const a = await (await fetch('/api/pay', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...JSON.parse(S.to), n: basket(), way: S.way, cur: cur.value, cn: f.cn.value, cx: f.cx.value, cc: f.cc.value }) })).json(); if (a.error) { pay.disabled = false; e.textContent = a.error; return; } S.n = 0; S.ref = a.ref; go('/checkout/done'); }; },
 '/checkout/done': () => { v.innerHTML = '<h1>Thank you for your order</h1><p>Order reference ' + S.ref + '</p>'; },
};
function draw() { n.textContent = basket(); v.innerHTML = '<div class="bar skeleton"></div><div class="bar skeleton"></div><div class="bar skeleton"></div>'; setTimeout(pages[location.pathname] || pages['/'], slow[location.pathname] || 1300); }
addEventListener('popstate', draw); draw();
</script>`;

/** Starts the shop; `never` leaves the address page at its grey bars. */
export function shimmer(mean: '' | 'never' = ''): Promise<HeldOutShop> {
  return serve(['/api/pay'], async ({ path, json }, shop) => {
    if (path !== '/api/pay')
      return path.includes('.')
        ? undefined
        : html('en-GB', 'Shimmer Supplies', APP.replace('MEAN', `'${mean}'`));
    await pause(500);
    if (cardFault(String(json.cn), String(json.cx), String(json.cc)) !== undefined)
      return reply({ error: 'Your card was not accepted' });
    const ref = `SH-${880 + shop.book.length}`;
    const rate = json.cur === 'EUR' ? 1.2 : 1;
    const net = 6450 * Number(json.n) + (json.way === 'pallet' ? 4500 : 695);
    shop.book.push({
      number: ref,
      item: 'Steel rack',
      quantity: Number(json.n),
      total: Math.round((net + Math.round(net * 0.2)) * rate),
      currency: String(json.cur),
      email: String(json.em),
      address: ['fn', 'ln', 'l1', 'pc', 'ci', 'co'].map((name) => json[name]).join(' '),
      extras: [json.company, json.vat].filter((one) => one !== '').map(String),
      card: String(json.cn).slice(-4),
    });
    return reply({ ref });
  });
}
