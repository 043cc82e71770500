import { pageOf, plainCard, plainFields, plainShop } from './pages-kit.ts';
import type { Handler } from './test-shop-kit.ts';

export interface CountingLook {
  /**
   * What its cart says: `3 × Blue Mug`, a line for each, a number beside the link to the cart, the
   * sum alone, what one costs, the same beside a field that nothing sends, or nothing at all.
   */
  readonly shows: 'times' | 'lines' | 'badge' | 'sum' | 'unit' | 'field' | 'nothing';
  /** What its checkout says beside the total: `subtotal` and delivery, delivery alone, or nothing. */
  readonly bills?: 'subtotal' | 'delivery' | 'nothing';
  /** More than so many of one product are not kept. */
  readonly keeps?: number;
  /** How many one press puts into the cart. */
  readonly atOnce?: number;
  /** Its product's page has a field for how many. */
  readonly hasField?: boolean;
  /** Its checkout has a login; so many lie in the basket of the account, which come to the cart. */
  readonly basket?: number;
  /** The account's basket takes the place of the cart. */
  readonly replaces?: boolean;
}

const login =
  '<form method="post" action="/login"><h2>Returning customer</h2><label>E-mail <input name="user"></label><label>Password <input type="password" name="secret"></label><button>Login</button></form>';

/** A shop that has no field for how many, neither with the product nor in the cart. */
export function countingShop({
  shows,
  keeps = 99,
  atOnce = 1,
  bills = shows === 'nothing' ? 'nothing' : 'subtotal',
  hasField = false,
  basket,
  replaces = false,
}: CountingLook): Handler {
  const plain = plainShop({
    productForm: hasField ? '<label>Quantity <input name="quantity" value="1"></label>' : '',
  });
  return (request, orders) => {
    const { method, path, session } = request;
    const count = Number(session.get('quantity') ?? 0);
    const page = (title: string, body: string) =>
      pageOf(title, body).replace(
        '>Cart</a>',
        shows === 'badge' ? `>Cart (${count})</a>` : '>Cart</a>',
      );
    const line = (text: string, amount: number) =>
      `<tr><td>${text}</td><td>$${amount}.00</td><td><form method="post" action="/cart/remove"><button>Remove</button></form></td></tr>`;
    const lines = {
      times: line(`${count} × Blue Mug`, count * 20),
      lines: line('Blue Mug', 20).repeat(count),
      badge: line('Blue Mug', 20),
      sum: line('Blue Mug', count * 20),
      unit: line('Blue Mug', 20),
      field: line(`Blue Mug <input aria-label="Quantity" value="${count}">`, 20),
      nothing: '<tr><td>Blue Mug</td></tr>',
    }[shows];
    switch (`${method} ${path}`) {
      case 'POST /cart': {
        const added = Number(request.form.get('quantity') ?? atOnce);
        session.set('quantity', String(Math.min(keeps, count + added)));
        return { to: '/cart' };
      }
      case 'POST /login':
        session.set('account', request.form.get('user')!);
        session.set('quantity', String((replaces ? 0 : count) + (basket ?? 0)));
        return { to: '/checkout' };
      case 'POST /cart/remove':
        session.set('quantity', String(Math.max(0, count - 1)));
        return { to: '/cart' };
      case 'GET /cart':
        return {
          html: page(
            'Your cart',
            `<h1>Your cart</h1><table>${lines}</table><a href="/checkout">Proceed to checkout</a>`,
          ),
        };
      case 'GET /checkout': {
        const subtotal = `<tr><td>Subtotal</td><td>$${count * 20}.00</td></tr>`;
        const delivery = '<tr><td>Shipping</td><td>$5.00</td></tr>';
        const sum = {
          subtotal: subtotal + delivery,
          delivery,
          nothing: '',
        }[bills];
        const isGuest = basket !== undefined && !session.has('account');
        return {
          html: page(
            'Checkout',
            `<h1>Checkout</h1>${isGuest ? login : ''}<form method="post" action="/order">${plainFields}${plainCard}<h2>Order summary</h2><table>${sum}<tr><th>Total</th><td>$${count * 20 + 5}.00</td></tr></table><button>Place order</button></form>`,
          ),
        };
      }
      default:
        return plain(request, orders);
    }
  };
}
