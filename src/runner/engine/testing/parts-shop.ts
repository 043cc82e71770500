import { pageOf, plainCard, plainFields, plainShop, plainSummary } from './pages-kit.ts';
import type { Handler, Reply } from './test-shop-kit.ts';

const [contact, delivery] = plainFields.split('<h2>Delivery</h2>') as [string, string];
const ways = `<label><input type="radio" name="shipping_method" value="flat"> Flat rate, 3 to 5 days - $5.00</label>
  <label><input type="radio" name="shipping_method" value="express"> Express, next day - $12.00</label>`;
const part = (name: string, title: string, body: string, isSaved: boolean) =>
  `<fieldset><legend>${title}</legend><form method="post" action="/save/${name}">${body}<button>Continue</button></form>${isSaved ? '<span>✓</span>' : ''}</fieldset>`;

export interface PartsLook {
  /** The card is saved by a button of its own, above the order's. */
  readonly hasCard?: boolean;
}

/**
 * A shop whose checkout saves each part by a button of its own, as OpenCart 4 does: contact,
 * address, and a delivery that is chosen in a dialog behind an empty box. It takes no order before
 * each of them is there, and keeps none of them twice.
 */
export function partsShop({ hasCard = false }: PartsLook = {}): Handler {
  return (request, orders) => {
    const { method, path, form, session } = request;
    const has = (name: string) => session.has(`saved-${name}`);
    const saved = /^\/save\/(\w+)$/.exec(path)?.[1];
    if (method === 'POST' && saved !== undefined) {
      session.set(`saved-${saved}`, JSON.stringify(Object.fromEntries(form)));
      return { to: '/checkout' };
    }
    switch (`${method} ${path}`) {
      case 'GET /checkout': {
        const box = `<fieldset><legend>Shipping method</legend><div><input readonly value="${has('delivery') ? 'Flat rate' : ''}" placeholder="Please choose"><button type="button" onclick="way.hidden = false">${has('delivery') ? 'Edit' : 'Choose'}</button></div></fieldset>
          <div id="way" role="dialog" hidden style="position:fixed;inset:0;background:#fff;z-index:9"><h3>Shipping method</h3><form method="post" action="/save/delivery">${ways}<button>Continue</button></form></div><style>[hidden]{display:none}</style>`;
        const card = hasCard
          ? part('card', 'Payment', plainCard.replaceAll(' required', ''), has('card'))
          : '';
        return {
          html: pageOf(
            'Checkout',
            `<h1>Checkout</h1>${part('contact', 'Contact', contact, has('contact'))}${part('address', 'Address', delivery, has('address'))}${box}${card}
            <form method="post" action="/order">${plainSummary}<button>Place order</button></form>`,
          ),
        };
      }
      case 'POST /order':
        return order(
          hasCard ? ['contact', 'address', 'delivery', 'card'] : ['contact', 'address', 'delivery'],
          session,
          orders,
        );
      default:
        return plainShop()(request, orders);
    }
  };
}

function order(
  wanted: readonly string[],
  session: Map<string, string>,
  orders: Record<string, string>[],
): Reply {
  const missing = wanted.find((name) => !session.has(`saved-${name}`));
  if (missing !== undefined)
    return {
      html: pageOf(
        'Checkout',
        `<h1>Checkout</h1><p role="alert">Payment failed: no ${missing}.</p>`,
      ),
    };
  orders.push(Object.fromEntries(wanted.map((name) => [name, session.get(`saved-${name}`)!])));
  return { to: '/thanks' };
}
