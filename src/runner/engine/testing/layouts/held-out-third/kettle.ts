import { type Call, doc, missing, money, openStall, type Stall, whole } from './desk.ts';

/**
 * Plain forms: a select for the finish, a cart with the quantity, one page with everything and the
 * card.
 */
export const kettle = (): Promise<Stall> =>
  openStall('/p/kettle', (call, sales) => {
    const v = call.visitor;
    const qty = Number(v.qty ?? 0);
    const sum = qty * 6400 + 795;
    if (call.path === '/p/kettle')
      return {
        html: doc(
          'Copper Kettle',
          `<p><a href="/">Pots & Co</a> | <a href="/cart">Cart (${qty})</a></p><h1>Copper Kettle</h1><p>$64</p>
          <form method="post" action="/add"><p>Finish <select name="f"><option value="">Choose…</option><option value="p">Polished</option><option value="b">Brushed</option></select></p>
          <button>Put in cart</button></form><h3>Customers also liked</h3><form method="post" action="/add"><input type="hidden" name="f" value="lid"><button>Add lid $12</button></form>`,
        ),
      };
    if (call.path === '/add') {
      const f = call.form.get('f') ?? '';
      if (!f) return { to: '/p/kettle' };
      if (v.f === f) v.qty = String(qty + 1);
      else Object.assign(v, { f, qty: '1' });
      return { to: '/cart' };
    }
    if (call.path === '/cart' && call.method === 'POST') {
      v.qty = call.form.get('n') ?? '1';
      return { to: '/cart' };
    }
    if (call.path === '/cart')
      return {
        html: doc(
          'Cart',
          `<h1>Your cart</h1><form method="post"><table><tr><td>Copper Kettle (${v.f === 'p' ? 'Polished' : 'Brushed'})</td><td><input name="n" size="2" value="${qty}" aria-label="Quantity"></td><td>$${money(qty * 6400)}</td></tr></table><button>Update cart</button></form>
          <p>Subtotal $${money(qty * 6400)}</p><p>Shipping is $7.95 flat.</p><form action="/checkout"><button>Proceed to checkout</button></form>`,
        ),
      };
    if (call.path === '/checkout' && call.method === 'POST') return place(call);
    if (call.path === '/checkout') return { html: page('') };
    if (call.path === '/thanks')
      return {
        html: doc(
          'Thanks',
          `<h1>Thank you!</h1><p>Your order number is ${call.query.get('n')}.</p><p>Total charged $${money(sum)}</p>`,
        ),
      };
    return missing;

    function page(wrong: string): string {
      const row = (label: string, name: string, extra = ''): string =>
        `<tr><td><label for="${name}">${label}</label></td><td><input id="${name}" name="${name}" ${extra}></td></tr>`;
      return doc(
        'Checkout',
        `<form action="/search"><input name="q" placeholder="Search"></form><h1>Checkout</h1><p style="color:red">${wrong}</p><form method="post" action="/checkout"><table>
        ${row('E-mail', 'mail')}${row('Full name', 'nm')}${row('Address', 'a1')}${row('Address line 2', 'a2')}${row('City', 'ct')}${row('State', 'st')}${row('ZIP', 'zp')}
        <tr><td>Country</td><td><select name="co"><option>United States</option><option>Canada</option><option>Germany</option></select></td></tr>
        ${row('Card number', 'cc')}${row('Expires (MM/YY)', 'ex')}${row('Security code', 'cv')}${row('Name on card', 'cn')}</table>
        <p>${qty} × Copper Kettle $${money(qty * 6400)}<br>Shipping $7.95<br><b>Total $${money(sum)}</b></p><button>Place order</button></form>`,
      );
    }
    function place(c: Call): { to: string } | { html: string } {
      const f = c.form;
      const lacking = ['mail', 'nm', 'a1', 'ct', 'zp', 'cc', 'ex', 'cv'].filter((k) => !f.get(k));
      if (lacking.length || !/^\d\d ?\/ ?\d\d$/.test(f.get('ex') ?? ''))
        return { html: page(`Please check: ${lacking.join(', ') || 'expiry date'}`) };
      sales.push({
        item: `kettle ${v.f}`,
        quantity: qty,
        total: sum,
        extras: [],
        card: whole(f.get('cc')),
        email: f.get('mail') ?? '',
        address: ['a1', 'zp', 'ct', 'st', 'co'].map((k) => f.get(k)).join(' '),
      });
      return { to: `/thanks?n=PC-${7300 + sales.length}` };
    }
  });
