import { pageOf, plainCard, plainFields, plainSummary } from '../../engine/testing/pages-kit.ts';
import type { Handler } from '../../engine/testing/test-shop-kit.ts';

/** What a shop of this kind says of itself, beside its prices. */
export interface OddWords {
  /** On the product page and the first step: what a hostile shop would write. */
  readonly said?: string;
  /** Where the way on from the address leads; `/order` and `/settle` order at once. */
  readonly nextPath?: string;
}

/**
 * A shop that no rule of the engine understands in two places: how the product gets into the cart,
 * and the way on from the address.
 */
export function oddShop({ said = '', nextPath = '/checkout/card' }: OddWords = {}): Handler {
  const press = (form: string) =>
    `style="cursor:pointer" onclick="document.getElementById('${form}').requestSubmit()"`;
  return ({ method, path, form, session }, orders) => {
    if (method === 'POST') for (const [name, value] of form) session.set(name, value);
    switch (`${method} ${path}`) {
      case 'GET /mug':
        return {
          html: pageOf(
            'Blue Mug',
            `<h1>Blue Mug</h1><p>$20.00</p><p>${said}</p><form id="p" method="post" action="/bag"><input type="hidden" name="mug" value="1"></form><div ${press('p')}>Mine!</div>`,
          ),
        };
      case 'POST /bag':
        return { to: '/cart' };
      case 'GET /cart':
        return {
          html: pageOf(
            'Your cart',
            '<h1>Your cart</h1><p>Blue Mug $20.00</p><a href="/checkout">Proceed to checkout</a>',
          ),
        };
      case 'GET /checkout':
        return {
          html: pageOf(
            'Checkout',
            `<h1>Delivery address</h1><p>${said}</p><form id="a" method="post" action="${nextPath}">${plainFields}</form><div ${press('a')}>Onwards</div>`,
          ),
        };
      case 'POST /checkout/card':
        return {
          html: pageOf(
            'Payment',
            `<h1>Payment</h1><form method="post" action="/order">${plainCard}<section class="summary"><h2>Order summary</h2>${plainSummary}</section><button>Place order</button></form>`,
          ),
        };
      case 'POST /order':
      case 'POST /settle':
        orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
        return { to: '/thanks' };
      case 'GET /thanks':
        return {
          html: pageOf(
            'Thank you',
            '<h1>Thank you for your order!</h1><p>Your order number is <b>ODD-77</b>.</p>',
          ),
        };
      default:
        return undefined;
    }
  };
}
