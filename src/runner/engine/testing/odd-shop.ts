import { pageOf, plainCard, plainFields } from './pages-kit.ts';
import type { Handler } from './test-shop-kit.ts';

/** A shop of one product whose cart is written as no other. */
export interface OddShop {
  readonly title: string;
  readonly price: string;
  /** What its checkout bills. */
  readonly sum: string | ((session: Map<string, string>) => string);
  /** How its product's page asks for the number. */
  readonly field?: string;
  /** The rows of its checkout's summary above the total; else a subtotal. */
  readonly rows?: (session: Map<string, string>) => string;
  /** What its cart shows of so many, above the way to the checkout. */
  readonly cart: (count: number, session: Map<string, string>) => string;
  readonly more?: Handler;
}

const numberField = '<label>Quantity <input name="quantity" value="1"></label>';

/** The way on from a cart. */
export const toCheckout = '<a href="/checkout">Proceed to checkout</a>';

/** Serves it; an order is the session as it was. */
export const oddShop =
  ({ title, price, sum, field, rows, cart, more }: OddShop): Handler =>
  (request, orders) => {
    const { method, path, session, form } = request;
    const given = more?.(request, orders);
    if (given !== undefined) return given;
    const count = Number(session.get('quantity') ?? 0);
    switch (`${method} ${path}`) {
      case 'GET /mug':
        return {
          html: pageOf(
            title,
            `<h1>${title}</h1><p>${price}</p><form method="post" action="/cart">${field ?? numberField}<button>Add to cart</button></form>`,
          ),
        };
      case 'POST /cart':
        session.set('quantity', String(count + Number(form.get('quantity') ?? 1)));
        return { to: '/cart' };
      case 'POST /cart/remove':
        session.set('quantity', '0');
        return { to: '/cart' };
      // Fields of a cart that are named after its lines.
      case 'POST /cart/set':
        for (const [name, value] of form) session.set(name, value);
        return { to: '/cart' };
      case 'GET /cart':
        return { html: pageOf('Your cart', `<h1>Your cart</h1>${cart(count, session)}`) };
      case 'GET /checkout': {
        const total = typeof sum === 'string' ? sum : sum(session);
        const above = rows?.(session) ?? `<tr><td>Subtotal</td><td>${total}</td></tr>`;
        return {
          html: pageOf(
            'Checkout',
            `<h1>Checkout</h1><form method="post" action="/order">${plainFields}${plainCard}<table>${above}<tr><th>Total</th><td>${total}</td></tr></table><button>Place order</button></form>`,
          ),
        };
      }
      case 'POST /order':
        orders.push(Object.fromEntries(session));
        return { to: '/thanks' };
      case 'GET /thanks':
        return {
          html: pageOf(
            'Thank you',
            '<h1>Thank you for your order!</h1><p>Order number <b>1</b></p>',
          ),
        };
      default:
        return undefined;
    }
  };

/** The button that takes the product out of such a cart. */
export const remove = '<form method="post" action="/cart/remove"><button>Remove</button></form>';
