import type { Handler, PageRequest } from './test-shop-kit.ts';

/** How the pages of a plain shop are written; what is left out is the plainest way. */
export interface ShopLook {
  readonly product?: string;
  readonly productForm?: string;
  readonly addButton?: string;
  readonly checkoutFields?: string;
  readonly summary?: string;
  readonly orderButton?: string;
  readonly aroundCheckout?: string;
  readonly head?: string;
  readonly thanks?: (id: string) => string;
}

export const plainFields = `
  <h2>Contact</h2><label>Email <input type="email" name="email" required></label>
  <h2>Delivery</h2>
  <label>Country <select name="country" required><option value="">Choose…</option><option value="DE">Germany</option><option value="US">United States</option></select></label>
  <label>First name <input name="first" required></label><label>Last name <input name="last" required></label>
  <label>Address <input name="address" required></label><label>City <input name="city" required></label>
  <label>State <select name="state"><option value="">-</option><option value="CA">California</option><option value="NY">New York</option></select></label>
  <label>ZIP code <input name="zip" required></label>`;
export const plainCard = `
  <h2>Payment</h2><label>Card number <input name="cardnumber" autocomplete="cc-number" required></label>
  <label>Expiry (MM/YY) <input name="expiry" placeholder="MM/YY" required></label><label>CVC <input name="cvc" maxlength="4" required></label>
  <label>Name on card <input name="ccname" required></label>`;
export const plainSummary =
  '<table><tr><td>Subtotal</td><td>$20.00</td></tr><tr><td>Shipping</td><td>$5.00</td></tr><tr><th>Total</th><td><b>$25.00</b></td></tr></table>';

export const pageOf = (
  title: string,
  body: string,
  head = '',
) => `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><header><a href="/">Shop</a> <a href="/cart">Cart</a><form role="search" action="/search"><input name="q" placeholder="Search"></form></header><main>${body}</main>
<footer><form class="newsletter" action="/newsletter" method="post"><label>Get offers by email <input type="email" name="email"></label><button>Subscribe</button></form></footer></body></html>`;

/** A shop of product page, cart, one-page checkout and confirmation. */
export function plainShop(look: ShopLook = {}): Handler {
  const {
    product = 'Blue Mug',
    addButton = 'Add to cart',
    orderButton = 'Place order',
    checkoutFields = plainFields + plainCard,
    summary = plainSummary,
  } = look;
  return ({ method, path, form, session }: PageRequest, orders) => {
    const key = `${method} ${path}`;
    switch (key) {
      case 'GET /mug':
        return {
          html: pageOf(
            product,
            `<h1>${product}</h1><p>$20.00</p><form method="post" action="/cart">${look.productForm ?? ''}<button>${addButton}</button></form>`,
            look.head,
          ),
        };
      case 'POST /cart':
        session.set(
          'quantity',
          String(Number(session.get('quantity') ?? 0) + Number(form.get('quantity') ?? 1)),
        );
        for (const [name, value] of form) session.set(`chosen-${name}`, value);
        return { to: '/cart' };
      case 'POST /cart/update':
        session.set('quantity', form.get('quantity') ?? '1');
        return { to: '/cart' };
      case 'GET /cart':
        return {
          html: pageOf(
            'Your cart',
            `<h1>Your cart</h1><form method="post" action="/cart/update"><table><tr><td>${product}</td><td><input type="number" name="quantity" aria-label="Quantity" value="${session.get('quantity') ?? 0}"></td><td>$20.00</td></tr></table><button>Update cart</button></form><a href="/checkout">Proceed to checkout</a>`,
          ),
        };
      case 'GET /checkout':
        return {
          html: pageOf(
            'Checkout',
            `<h1>Checkout</h1>${look.aroundCheckout ?? ''}<form id="checkout" method="post" action="/order">${checkoutFields}<section class="summary"><h2>Order summary</h2>${summary}</section><button>${orderButton}</button></form>`,
            look.head,
          ),
        };
      case 'POST /order':
        orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
        return { to: '/thanks' };
      case 'GET /thanks':
        return {
          html: pageOf(
            'Thank you',
            (
              look.thanks ??
              ((id) =>
                `<h1>Thank you for your order!</h1><p>Your order number is <b>${id}</b>.</p>`)
            )(`ORD-${1000 + orders.length}`),
          ),
        };
      default:
        return undefined;
    }
  };
}
