import { doc, missing, money, openStall, type Stall, whole } from './desk.ts';

/**
 * The connection closes after the order was written down; 'list' shows it under /orders, 'silent'
 * never does.
 */
export const vanish = (mode: 'list' | 'silent'): Promise<Stall> =>
  openStall('/product?id=88', (call, sales) => {
    const v = call.visitor;
    const f = call.form;
    const top = `<nav><a href="/product?id=88">Shop</a> ${mode === 'list' ? '<a href="/orders">My orders</a>' : ''} <a href="/cart">Cart</a></nav>`;
    const total = Number(v.n ?? 0) * 2199 + 500;
    if (call.path === '/product')
      return {
        html: doc(
          'Desk fan',
          `${top}<h1>Desk fan</h1><p>Price: <s>$29.99</s> $21.99</p><form method="post" action="/cart"><p>Colour: <label><input type="radio" name="c" value="white"> White</label> <label><input type="radio" name="c" value="black"> Black</label></p><label>Quantity <input type="number" name="n" value="1"></label><button>Add to cart</button></form>`,
        ),
      };
    if (call.path === '/cart' && call.method === 'POST') {
      Object.assign(v, { n: f.get('n') ?? '1', c: f.get('c') ?? 'white' });
      return { to: '/cart' };
    }
    if (call.path === '/cart')
      return {
        html: doc(
          'Cart',
          `${top}<h1>Cart</h1><p>Desk fan (${v.c}), quantity ${v.n}</p><p>Subtotal: $${money(total - 500)}</p><a href="/details">Checkout</a>`,
        ),
      };
    if (call.path === '/details')
      return {
        html: doc(
          'Checkout',
          `${top}<form method="post" action="/confirm"><h2>Contact</h2><label>Email <input name="email" type="email" required></label><h2>Ship to</h2><label>First name <input name="first" required></label><label>Last name <input name="last" required></label><label>Address <input name="address" required></label><label>City <input name="city" required></label><label>State <select name="state"><option value="">--</option><option value="CA">California</option><option value="NY">New York</option><option value="OR">Oregon</option></select></label><label>ZIP <input name="zip" required></label><h2>Card</h2><label>Number <input name="number" autocomplete="cc-number" required></label><label>MM <input name="mm" autocomplete="cc-exp-month" required></label><label>YYYY <input name="yyyy" autocomplete="cc-exp-year" required></label><label>CVC <input name="cvc" autocomplete="cc-csc" required></label><p>Total: $${money(total)}</p><button>Review order</button></form>`,
        ),
      };
    if (call.path === '/confirm') {
      Object.assign(v, {
        mail: f.get('email') ?? '',
        addr: ['address', 'zip', 'city', 'state'].map((k) => f.get(k)).join(' '),
        card: whole(f.get('number')) ? 'y' : '',
      });
      return {
        html: doc(
          'Review',
          `${top}<h1>Review your order</h1><p>Desk fan (${v.c}) × ${v.n} — $${money(total - 500)}</p><p>Shipping — $5.00</p><p>Total — $${money(total)}</p><form method="post" action="/place"><button>Place order</button></form>`,
        ),
      };
    }
    if (call.path === '/place') {
      if (!v.card) return { to: '/details' };
      sales.push({
        item: `fan ${v.c}`,
        quantity: Number(v.n),
        total,
        extras: [],
        card: true,
        email: v.mail ?? '',
        address: v.addr ?? '',
      });
      v.mine = `FAN${sales.length}04`;
      return 'hang up';
    }
    if (call.path === '/orders' && mode === 'list')
      return {
        html: doc(
          'My orders',
          `${top}<h1>My orders</h1><table>${v.mine ? `<tr><td>${v.mine}</td><td>Desk fan × ${v.n}</td><td>$${money(total)}</td><td>Processing</td></tr>` : '<tr><td>No orders yet</td></tr>'}</table>`,
        ),
      };
    return missing;
  });
