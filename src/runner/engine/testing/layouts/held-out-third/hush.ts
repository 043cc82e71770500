import { doc, missing, money, openStall, type Stall, whole } from './desk.ts';

/**
 * No order number in its thanks. 'raised': the order's press answers with a higher total and asks
 * again; 'ticked': paid extras are ticked before one comes.
 */
export const hush = (mode: 'quiet' | 'raised' | 'ticked'): Promise<Stall> =>
  openStall('/shop/candle', (call, sales) => {
    const v = call.visitor;
    const f = call.form;
    const base = Number(v.n ?? 1) * 1250 + 400;
    const up = v.up === 'yes' ? 900 : 0;
    const extra = v.extras ? 399 * v.extras.split(',').length : 0;
    const total = base + up + extra;
    if (call.path === '/shop/candle')
      return {
        html: doc(
          'Candle',
          `<h1>Candle, beeswax</h1><p>12,50 USD</p><form method="post" action="/shop/basket"><p><label>Scent <select name="s"><option value="0">none</option><option value="1">Cedar</option><option value="2">Fig (sold out)</option></select></label></p><p><label>Pieces <select name="n">${[1, 2, 3, 4, 5].map((i) => `<option>${i}</option>`).join('')}</select></label></p><button>Add to basket</button></form>`,
        ),
      };
    if (call.path === '/shop/basket' && call.method === 'POST') {
      Object.assign(v, { s: f.get('s') ?? '', n: f.get('n') ?? '1' });
      return { to: '/shop/basket' };
    }
    if (call.path === '/shop/basket')
      return {
        html: doc(
          'Basket',
          `<h1>Basket</h1><p>${v.n} candle(s) ${money(base - 400)} USD</p><form method="post" action="/shop/address">${mode === 'ticked' ? '<p><input type="checkbox" name="x" value="wrap" id="x1" checked><label for="x1">Gift wrapping (+3.99 USD)</label></p><p><input type="checkbox" name="x" value="care" id="x2" checked><label for="x2">Breakage cover (+3.99 USD)</label></p>' : ''}<button>Continue to address</button></form>`,
        ),
      };
    if (call.path === '/shop/address') {
      v.extras = f.getAll('x').join(',');
      return {
        html: doc(
          'Address',
          `<h1>Address</h1><form method="post" action="/shop/pay"><p><label for="i1">Full name</label><input id="i1" name="a"></p><p><label for="i2">E-mail</label><input id="i2" name="b"></p><p><label for="i3">Address</label><textarea id="i3" name="c" rows="3" placeholder="Street, number"></textarea></p><p><label for="i4">Post code</label><input id="i4" name="d"></p><p><label for="i5">Place</label><input id="i5" name="e"></p><p><label for="i6">Country</label><input id="i6" name="g"></p><button>Continue to payment</button></form>`,
        ),
      };
    }
    const summary = `<p>Candles ${money(base - 400)} USD</p><p>Shipping 4.00 USD</p>${extra ? `<p>Extras ${money(extra)} USD</p>` : ''}${up ? '<p>Fuel surcharge 9.00 USD</p>' : ''}<p><b>Total ${money(total)} USD</b></p>`;
    const pay = (said: string): string =>
      doc(
        'Payment',
        `<h1>Payment</h1>${said}${summary}<form method="post" action="/shop/finish"><p><label for="n">Credit card number</label><input id="n" name="n"></p><p><label for="x">Expiration (MM/YY)</label><input id="x" name="x"></p><p><label for="c">Card verification code</label><input id="c" name="c"></p><button>Buy</button></form>`,
      );
    if (call.path === '/shop/pay') {
      Object.assign(v, {
        mail: f.get('b') ?? v.mail ?? '',
        addr: ['c', 'd', 'e', 'g'].map((k) => f.get(k)).join(' '),
      });
      if (!f.get('a') || !f.get('b') || !f.get('c') || !f.get('d'))
        return { html: doc('Address', '<p>Something is missing. Please go back.</p>') };
      return { html: pay('') };
    }
    if (call.path === '/shop/finish') {
      if (!whole(f.get('n')) || !f.get('x') || !f.get('c'))
        return { html: pay('<p>Please complete the card.</p>') };
      if (mode === 'raised' && !up) {
        v.up = 'yes';
        return {
          html: doc(
            'Payment',
            `<h1>Prices have changed</h1><p>We had to add a fuel surcharge of 9.00 USD. New total <b>${money(total + 900)} USD</b></p><form method="post" action="/shop/finish"><input type="hidden" name="n" value="${f.get('n')}"><input type="hidden" name="x" value="1"><input type="hidden" name="c" value="1"><button>Buy</button></form>`,
          ),
        };
      }
      sales.push({
        item: `candle ${v.s}`,
        quantity: Number(v.n),
        total,
        extras: (v.extras ?? '').split(',').filter(Boolean),
        card: true,
        email: v.mail ?? '',
        address: v.addr ?? '',
      });
      return {
        html: doc(
          'Thank you',
          '<h1>Thank you for your purchase</h1><p>We have received your order and will write to you soon.</p>',
        ),
      };
    }
    return missing;
  });
