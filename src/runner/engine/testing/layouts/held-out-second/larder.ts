import {
  type Answer,
  cardFault,
  type HeldOutShop,
  html,
  options,
  pause,
  reply,
  serve,
  to,
} from '../held-out-first/kit.ts';

/*
 * A British shop in the classic way: every field of the address is there twice (billing_,
 * shipping_), the second one open and empty because “ship to a different address” is ticked; the
 * address is found by its postcode, and who is not in the list has to ask for the fields; a
 * newsletter opens over the till when somebody has been there for a while.
 */
const gbp = (pence: number) => `£${(pence / 100).toFixed(2)}`;
const COUNTRIES = { GB: 'United Kingdom', IE: 'Ireland', FR: 'France' };
const unit = 1450;
const page = (title: string, main: string): Answer =>
  html(
    'en-GB',
    `${title} – The Larder`,
    `<div id="top"><a href="/">The Larder</a> | <a href="/shop/">Shop</a> | <a href="/basket/">Basket</a> | <a href="/checkout/">Checkout</a></div><div id="page">${main}</div><div id="foot"><form action="/subscribe" method="post"><input type="email" name="news" placeholder="Email for recipes"><button>Sign up</button></form></div>`,
    '<style>.hide{display:none}.over{position:fixed;inset:0;background:#0008;z-index:99}.over>div{margin:10vh auto;width:50vw;background:#fff;padding:2em}</style>',
  );
const row = (id: string, label: string, more = '') =>
  `<p class="form-row"><label for="${id}">${label} <abbr class="required" title="required">*</abbr></label><input id="${id}" name="${id}" ${more}></p>`;
const fields = (kind: string, isHidden: boolean) =>
  `${row(`${kind}_first_name`, 'First name')}${row(`${kind}_last_name`, 'Last name')}<p><label for="${kind}_country">Country / Region</label><select id="${kind}_country" name="${kind}_country">${options(COUNTRIES, 'GB')}</select></p>
<p class="finder"><label for="${kind}_find">Find your address</label><input id="${kind}_find" placeholder="Enter your postcode"><button type="button" data-find="${kind}">Find address</button> <a href="#" data-manual="${kind}">Enter address manually</a></p><div id="${kind}_found"></div><div id="${kind}_fields" class="${isHidden ? 'hide' : ''}">${row(`${kind}_address_1`, 'Street address')}<p><label for="${kind}_address_2">Flat, suite, unit (optional)</label><input id="${kind}_address_2" name="${kind}_address_2"></p>${row(`${kind}_city`, 'Town / City')}<p><label for="${kind}_state">County (optional)</label><input id="${kind}_state" name="${kind}_state"></p>${row(`${kind}_postcode`, 'Postcode')}</div>`;

/** Starts the British shop. */
export function larder(): Promise<HeldOutShop> {
  return serve(['/checkout/pay'], async ({ method, path, form, session, query }, shop) => {
    const count = Number(session.get('qty') ?? 0);
    if (path === '/product/marmalade/' && method === 'POST') {
      session.set('qty', form.get('quantity') ?? '1');
      return to('/product/marmalade/?added=1');
    }
    if (path === '/product/marmalade/')
      return page(
        'Seville Marmalade',
        `${query.has('added') ? '<div class="message" role="status">“Seville Marmalade” has been added to your basket. <a href="/basket/">View basket</a></div>' : ''}<h1>Seville Marmalade, 6 jars</h1><p class="price">${gbp(unit)}</p><form method="post"><label>Quantity <input type="number" name="quantity" value="1"></label><button name="add-to-cart">Add to basket</button></form>`,
      );
    if (path === '/basket/')
      return page(
        'Basket',
        count === 0
          ? '<h1>Basket</h1><p>Your basket is currently empty.</p>'
          : `<h1>Basket</h1><table><tr><td>Seville Marmalade, 6 jars</td><td>${count}</td><td>${gbp(count * unit)}</td></tr></table><p>Subtotal ${gbp(count * unit)}</p><a href="/checkout/">Proceed to checkout</a>`,
      );
    if (path === '/api/find') {
      await pause(500);
      return reply(['1 High Street, Hexham', '2 High Street, Hexham']);
    }
    if (path === '/checkout/' && count === 0) return to('/basket/');
    if (path === '/checkout/')
      return page(
        'Checkout',
        `<h1>Checkout</h1><ul class="error" role="alert">${query.has('e') ? `<li>${query.get('e')}</li>` : ''}</ul><form method="post" action="/checkout/pay" id="f"><h3>Billing details</h3>${fields('billing', true)}${row('billing_phone', 'Phone', 'type="tel"')}${row('billing_email', 'Email address', 'type="email"')}<p><label for="billing_vat">VAT number (optional)</label><input id="billing_vat" name="billing_vat"></p>
<h3><label><input type="checkbox" name="ship_to_different_address" id="diff" checked> Ship to a different address?</label></h3><div id="ship">${fields('shipping', true)}</div><p><label for="notes">Order notes (optional)</label><textarea id="notes" name="notes"></textarea></p>
<h3>Your order</h3><table><tr><td>Seville Marmalade × ${count}</td><td>${gbp(count * unit)}</td></tr><tr><td>Delivery</td><td><label><input type="radio" name="ship" value="rm48" checked> Royal Mail Tracked 48: ${gbp(395)}</label><br><label><input type="radio" name="ship" value="click"> Click &amp; collect from Hexham: Free</label></td></tr><tr><th>Total</th><td id="tot">${gbp(count * unit + 395)}</td></tr></table>
<p><label>Card number <input name="card_no" inputmode="numeric"></label></p><p><label>Expiry date <input name="card_exp" placeholder="MM / YY"></label></p><p><label>Card code (CVC) <input name="card_cvc"></label></p><p><label><input type="checkbox" name="terms"> I have read and agree to the website terms and conditions *</label></p><button>Place order</button></form>
<script>for (const b of document.querySelectorAll('[data-find]')) b.onclick = async () => { const k = b.dataset.find, l = await (await fetch('/api/find')).json(); document.getElementById(k + '_found').innerHTML = '<select><option>Select your address…</option>' + l.map((x) => '<option>' + x + '</option>').join('') + '</select>'; };
for (const a of document.querySelectorAll('[data-manual]')) a.onclick = (e) => { e.preventDefault(); document.getElementById(a.dataset.manual + '_fields').classList.remove('hide'); };
diff.onchange = () => ship.classList.toggle('hide', !diff.checked); for (const r of f.ship) r.onchange = () => { tot.textContent = f.ship.value === 'rm48' ? '${gbp(count * unit + 395)}' : '${gbp(count * unit)}'; };
setTimeout(() => { const d = document.createElement('div'); d.className = 'over'; d.innerHTML = '<div><h2>Before you go… 10% off your next order?</h2><p>Join our newsletter for recipes and offers.</p><input type="email" placeholder="Your email"><button type="button">Yes please</button> <a href="#" id="nt">No thanks, I like paying full price</a></div>'; document.body.append(d); nt.onclick = (e) => { e.preventDefault(); d.remove(); }; }, 2500);</script>`,
      );
    if (path === '/checkout/pay' && method === 'POST') {
      const kind = form.has('ship_to_different_address') ? 'shipping' : 'billing';
      const wanted = (which: string) =>
        ['first_name', 'last_name', 'address_1', 'city', 'postcode'].map(
          (name) => `${which}_${name}`,
        );
      const missing = [
        ...wanted('billing'),
        ...(kind === 'shipping' ? wanted('shipping') : []),
        'billing_phone',
        'billing_email',
      ].filter((name) => (form.get(name) ?? '') === '');
      if (missing.length > 0) return to(`/checkout/?e=Required:+${missing.join()}`);
      if (!form.has('terms')) return to('/checkout/?e=Please+accept+the+terms');
      if (
        cardFault(
          form.get('card_no') ?? '',
          form.get('card_exp') ?? '',
          form.get('card_cvc') ?? '',
        ) !== undefined
      )
        return to('/checkout/?e=Card+declined');
      shop.book.push({
        number: `L${shop.book.length + 301}`,
        item: 'Marmalade',
        quantity: count,
        total: count * unit + (form.get('ship') === 'rm48' ? 395 : 0),
        currency: 'GBP',
        email: form.get('billing_email') ?? '',
        address: [...wanted(kind), `${kind}_country`].map((name) => form.get(name)).join(' '),
        extras: [form.get('billing_vat') ?? '', form.get('notes') ?? ''].filter(
          (one) => one !== '',
        ),
        card: (form.get('card_no') ?? '').slice(-4),
      });
      return to('/checkout/order-received/');
    }
    if (path === '/checkout/order-received/')
      return shop.book.length === 0
        ? to('/basket/')
        : page(
            'Order received',
            `<h1>Order received</h1><p>Thank you. Your order has been received.</p><p>Order number: L${300 + shop.book.length}</p>`,
          );
    return path === '/' || path === '/shop/'
      ? page('Home', '<a href="/product/marmalade/">Seville Marmalade</a>')
      : undefined;
  });
}
