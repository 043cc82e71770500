import { pageOf, plainCard, plainFields } from './pages-kit.ts';
import type { Handler } from './test-shop-kit.ts';

/** Products of a shop whose titles are alike. */
const products = {
  mug: { title: 'Blue Mug', price: 20 },
  'mug-xl': { title: 'Blue Mug XL', price: 24 },
  cap: { title: 'Red Cap', price: 9 },
} as const;
export type BasketProduct = keyof typeof products;

export interface BasketLook {
  /** In the cart before anybody has added anything: of the account, or left by somebody. */
  readonly left?: Partial<Record<BasketProduct, number>>;
  /** What the button of the mug really adds. */
  readonly adds?: BasketProduct;
  /** The page of the mug shows other products below it, each with a drawn button. */
  readonly hasRelated?: boolean;
  /** What is written on the mug's own button. */
  readonly button?: string;
  /** What the cart says a mug costs. */
  readonly mugInCart?: number;
  /** What the mug's larger sister costs. */
  readonly xlPrice?: number;
  /** The cart works out what the delivery costs, from country and postal code. */
  readonly estimates?: boolean;
  /** The checkout asks for no more than an e-mail and says that it cannot deliver. */
  readonly refuses?: boolean;
  /** What takes a line out: a button, the number zero, a minus, or nothing. */
  readonly takesOut?: 'button' | 'zero' | 'minus' | 'nothing';
  /** So many of a product may lie in the cart; more are left out without a word. */
  readonly most?: number;
  /** The pages say beside the cart how many lie in it. */
  readonly showsCount?: boolean;
}

/** Another product: picture, title, price, and a button that is a drawing with a title. */
const relatedCard = (name: BasketProduct) =>
  `<div class="product-thumb"><a href="/p/${name}"><b>${products[name].title}</b></a><p>$${products[name].price}.00</p><form method="post" action="/cart"><input type="hidden" name="product" value="${name}"><button title="Add to Cart" class="add-to-cart"><svg width="20" height="20"></svg></button></form></div>`;

const productForm = (name: BasketProduct, path: string, inside: string) =>
  `<form method="post" action="/cart/${path}"><input type="hidden" name="product" value="${name}">${inside}</form>`;
const removeForm = (name: BasketProduct) => productForm(name, 'remove', '<button>Remove</button>');
const lessForm = (name: BasketProduct, count: number) =>
  productForm(name, 'less', `<button>−</button><span>${count}</span>`);
const countForm = (name: BasketProduct, count: number) =>
  `<form method="post" action="/cart/update"><input type="number" name="${name}" aria-label="Quantity" value="${count}"><button>Update</button></form>`;

const estimate =
  '<h3>Delivery costs</h3><div><label>Country <select name="country"><option value="DE">Germany</option><option value="US">United States</option></select></label><label>ZIP code <input name="zip"></label><button type="button">Work out</button></div>';

/**
 * A shop whose cart has a line with a link, a number and a cross for each product. An order names
 * what it holds.
 */
export function basketShop({
  left = {},
  adds = 'mug',
  mugInCart = products.mug.price,
  xlPrice = products['mug-xl'].price,
  refuses = false,
  estimates = false,
  most = 99,
  showsCount = false,
  takesOut = 'button',
  hasRelated = false,
  button: caption = 'Add to cart',
}: BasketLook = {}): Handler {
  return ({ method, path, form, session }, orders) => {
    const held = (product: BasketProduct) => Number(session.get(product) ?? left[product] ?? 0);
    const names = Object.keys(products) as BasketProduct[];
    const lines = names.filter((name) => held(name) > 0);
    const priceOf = (name: BasketProduct) =>
      name === 'mug' ? mugInCart : name === 'mug-xl' ? xlPrice : products[name].price;
    const total = lines.reduce((sum, name) => sum + held(name) * priceOf(name), 0);
    const count = names.reduce((sum, name) => sum + held(name), 0);
    const top = showsCount ? `<header><a href="/cart">Cart (${count})</a></header>` : '';
    const countCell = takesOut === 'minus' ? lessForm : countForm;
    const product = /^\/p\/([\w-]+)$/.exec(path)?.[1] as BasketProduct | undefined;
    if (method === 'GET' && product !== undefined && product in products) {
      const { title, price } = products[product];
      const button = `<form method="post" action="/cart"><input type="hidden" name="product" value="${product === 'mug' ? adds : product}"><button>${caption}</button></form>`;
      const related = names.filter((name) => hasRelated && name !== product).map(relatedCard);
      return {
        html: pageOf(
          title,
          `${top}<h1>${title}</h1><p>$${price}.00</p>${button}<h2>Related products</h2><div>${related.join('')}</div>`,
        ),
      };
    }
    switch (`${method} ${path}`) {
      case 'POST /cart': {
        const name = form.get('product') as BasketProduct;
        session.set(name, String(Math.min(most, held(name) + 1)));
        return { to: '/cart' };
      }
      case 'POST /cart/update':
        for (const [name, count] of form)
          session.set(name, takesOut === 'nothing' && count === '0' ? '1' : count);
        return { to: '/cart' };
      case 'POST /cart/less':
        session.set(form.get('product')!, String(held(form.get('product') as BasketProduct) - 1));
        return { to: '/cart' };
      case 'POST /cart/remove':
        session.set(form.get('product')!, '0');
        return { to: '/cart' };
      case 'GET /cart': {
        const rows = lines.map(
          (name) =>
            `<tr><td><a href="/p/${name}">${products[name].title}</a></td><td>${countCell(name, held(name))}</td><td>$${priceOf(name) * held(name)}.00</td><td>${takesOut === 'button' ? removeForm(name) : ''}</td></tr>`,
        );
        return {
          html: pageOf(
            'Your cart',
            `${top}<h1>Your cart</h1><table>${rows.join('')}</table>${estimates ? estimate : ''}<a href="/checkout">Proceed to checkout</a>`,
          ),
        };
      }
      case 'GET /checkout': {
        if (refuses)
          return {
            html: pageOf(
              'Checkout',
              '<h1>Checkout</h1><p role="alert">We do not deliver these days.</p>',
            ),
          };
        const rows = lines.map(
          (name) =>
            `<tr><td>${products[name].title} × ${held(name)}</td><td>$${priceOf(name) * held(name)}.00</td></tr>`,
        );
        return {
          html: pageOf(
            'Checkout',
            `<h1>Checkout</h1><form method="post" action="/order">${plainFields}${plainCard}<h2>Order summary</h2><table>${rows.join('')}<tr><th>Total</th><td>$${total}.00</td></tr></table><button>Place order</button></form>`,
          ),
        };
      }
      case 'POST /order':
        orders.push(Object.fromEntries(lines.map((name) => [name, String(held(name))])));
        return { to: '/thanks' };
      case 'GET /thanks':
        return {
          html: pageOf(
            'Thank you',
            `<h1>Thank you for your order!</h1><p>Your order number is <b>ORD-${orders.length}</b>.</p>`,
          ),
        };
      default:
        return undefined;
    }
  };
}
