import type { Browser } from 'playwright-core';
import { openCommerce } from '../../commerce/index.ts';
import { openEgressProxy, readOriginPattern } from '../../egress/index.ts';
import type { RunTask } from '../../types.ts';
import { plainShop, type ShopLook } from './pages-kit.ts';
import {
  aTask,
  type Handler,
  type PageRequest,
  type Reply,
  runInShop,
  startTestShop,
  type TestAnswers,
} from './test-shop-kit.ts';

/**
 * An emulator of a shop that speaks the Universal Commerce Protocol, written from its published
 * schemas: the plain shop's pages, and beside them profile, catalogue, checkouts and a tokenizer.
 * `orders` is the truth, as for the pages; an order by the protocol says so.
 */

export interface UcpLook extends ShopLook {
  /** Default 2026-04-08. */
  readonly version?: string;
  /** Names of payment handlers; default the one that has a tokenizer. */
  readonly handlers?: readonly string[];
  /** SKU that the page names. Default: the mug's. */
  readonly sku?: string;
  /** What it sells, by item id. */
  readonly items?: Readonly<Record<string, Item>>;
  /** Also answers catalogue look-ups. */
  readonly hasCatalog?: boolean;
  /**
   * Changes an answer before it leaves, as a shop that errs or lies. `call`: `create`, `update 1`,
   * `read 2`, `complete`, `cancel`.
   */
  readonly distort?: (
    call: string,
    checkout: UcpCheckout,
  ) => UcpCheckout | 'lost' | 'refused' | undefined;
  /** What completing does: default places the order. */
  readonly onComplete?:
    | 'places'
    | 'places-but-loses-answer'
    | 'loses-call'
    | 'payment-fails'
    | 'in-progress'
    | 'escalates';
}
interface Item {
  readonly title: string;
  readonly price: number;
  readonly options?: Readonly<Record<string, string>>;
}
/** As it is on the wire. */
export interface UcpCheckout {
  id: string;
  status: string;
  currency: string;
  line_items: {
    id: string;
    item: { id: string; title: string; price: number };
    quantity: number;
    totals: { type: string; amount: number }[];
  }[];
  totals: { type: string; amount: number; display_text?: string }[];
  messages: { type: string; code: string; severity?: string; content: string; path?: string }[];
  [more: string]: unknown;
}

export const mugItem = 'mug-blue-01';
const handlerName = 'com.example.processor_tokenizer';
const shippingMinor = 500;
export const wholeToken = 'tok_of_the_card';

interface Session {
  checkout: UcpCheckout;
  buyer: Record<string, string>;
  address?: Record<string, string>;
}

export function ucpShop(look: UcpLook = {}): {
  readonly handler: Handler;
  readonly calls: string[];
  readonly tokenized: Record<string, unknown>[];
} {
  const {
    version = '2026-04-08',
    items = { [mugItem]: { title: 'Blue Mug', price: 2_000 } },
    sku = mugItem,
  } = look;
  const isOld = version === '2026-01-11';
  const head = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Blue Mug","sku":"${sku}"}</script>${look.head ?? ''}`;
  const pages = plainShop({ ...look, head });
  const sessions = new Map<string, Session>();
  const answers = new Map<string, { readonly body: string; readonly reply: Reply }>();
  const calls: string[] = [];
  const counts = new Map<string, number>();
  const tokenized: Record<string, unknown>[] = [];

  const handlers = look.handlers ?? [handlerName];
  const declared = handlers.map((name) => ({
    id: name.split('.').at(-1)!,
    name,
    version,
    available_instruments: [{ type: 'card' }],
    config: { business_id: 'merchant_1' },
  }));

  function profile({ headers }: PageRequest): Reply {
    const endpoint = `http://${headers.host}/ucp`;
    const spec = (name: string) => ({
      version,
      spec: `https://ucp.dev/${version}/specification/${name}`,
      schema: `https://ucp.dev/${version}/schemas/shopping/${name}.json`,
    });
    const names = ['checkout', 'fulfillment', ...(look.hasCatalog ? ['catalog.lookup'] : [])];
    return {
      json: isOld
        ? {
            ucp: {
              version,
              services: { 'dev.ucp.shopping': { version, rest: { endpoint } } },
              capabilities: names.map((name) => ({
                name: `dev.ucp.shopping.${name}`,
                ...spec(name),
              })),
            },
            payment: { handlers: declared },
          }
        : {
            ucp: {
              version,
              services: {
                'dev.ucp.shopping': [
                  { version, transport: 'mcp', endpoint: `${endpoint}/mcp` },
                  { version, transport: 'rest', endpoint },
                ],
              },
              capabilities: Object.fromEntries(
                names.map((name) => [`dev.ucp.shopping.${name}`, [spec(name)]]),
              ),
              payment_handlers: Object.fromEntries(declared.map((one) => [one.name, [one]])),
            },
          },
    };
  }

  function answer(call: string, { checkout }: Session): Reply {
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    const said = look.distort?.(
      call === 'create' || call === 'complete' || call === 'cancel' ? call : `${call} ${count}`,
      structuredClone(checkout),
    );
    if (said === 'lost') return { hang: true };
    if (said === 'refused')
      return {
        json: {
          ucp: { version, status: 'error' },
          messages: [
            {
              type: 'error',
              code: 'item_unavailable',
              severity: 'unrecoverable',
              content: 'We do not sell that.',
            },
          ],
        },
      };
    return { json: said ?? checkout };
  }

  function write(session: Session, body: Record<string, any>): void {
    const lines = (body['line_items'] as { item: { id: string }; quantity: number }[]).map(
      ({ item, quantity }, index) => {
        const known = items[item.id] ?? { title: '', price: 0 };
        const amount = known.price * quantity;
        return {
          id: `li_${index + 1}`,
          item: { id: item.id, title: known.title, price: known.price },
          quantity,
          totals: [
            { type: 'subtotal', amount },
            { type: 'total', amount },
          ],
        };
      },
    );
    session.buyer = body['buyer'] ?? {};
    const method = body['fulfillment']?.methods?.[0];
    const [destination] = method?.destinations ?? [];
    if (destination !== undefined) session.address = { id: 'dest_1', ...destination };
    const isChosen = method?.selected_destination_id === 'dest_1';
    const option = method?.groups?.[0]?.selected_option_id as string | undefined;
    const subtotal = lines.reduce((sum, line) => sum + line.totals[0]!.amount, 0);
    const options = [
      {
        id: 'express',
        title: 'Express',
        description: 'Tomorrow',
        totals: [{ type: 'total', amount: 1_500 }],
      },
      {
        id: 'standard',
        title: 'Standard',
        description: '3 to 5 days',
        totals: [{ type: 'total', amount: shippingMinor }],
      },
    ];
    const shipping = options.find(({ id }) => id === option)?.totals[0]!.amount ?? 0;
    const missing =
      session.buyer['email'] === undefined
        ? '$.buyer.email'
        : option === undefined
          ? '$.fulfillment'
          : undefined;
    Object.assign(session.checkout, {
      line_items: lines,
      currency: 'USD',
      status: missing === undefined ? 'ready_for_complete' : 'incomplete',
      messages:
        missing === undefined
          ? []
          : [
              {
                type: 'error',
                code: 'missing',
                severity: 'recoverable',
                content: `${missing} is missing`,
                path: missing,
              },
            ],
      totals: [
        { type: 'subtotal', amount: subtotal },
        ...(option === undefined
          ? []
          : [{ type: 'fulfillment', display_text: 'Shipping', amount: shipping }]),
        { type: 'total', amount: subtotal + shipping },
      ],
      ...(session.address && {
        fulfillment: {
          methods: [
            {
              id: 'method_1',
              type: 'shipping',
              line_item_ids: lines.map(({ id }) => id),
              destinations: [session.address],
              selected_destination_id: isChosen ? 'dest_1' : null,
              groups: isChosen
                ? [
                    {
                      id: 'group_1',
                      line_item_ids: lines.map(({ id }) => id),
                      options,
                      selected_option_id: option ?? null,
                    },
                  ]
                : [],
            },
          ],
        },
      }),
      ...(isOld
        ? { payment: { handlers: declared } }
        : {
            ucp: {
              version,
              status: 'success',
              payment_handlers: Object.fromEntries(declared.map((one) => [one.name, [one]])),
            },
          }),
    });
  }

  function complete(
    session: Session,
    body: Record<string, any>,
    orders: Record<string, string>[],
  ): Reply | undefined {
    const { checkout } = session;
    if (checkout.status !== 'ready_for_complete')
      return { json: { detail: `The checkout is ${checkout.status}.` }, status: 409 };
    const instrument = isOld ? body['payment_data'] : body['payment']?.instruments?.[0];
    if (look.onComplete === 'loses-call') return { hang: true };
    if (look.onComplete === 'payment-fails' || instrument?.credential?.token !== wholeToken) {
      checkout.messages = [
        {
          type: 'error',
          code: 'payment_failed',
          severity: 'recoverable',
          content: 'Your card was declined.',
        },
      ];
      return undefined;
    }
    if (look.onComplete === 'escalates' && checkout['continue_url'] === undefined) {
      Object.assign(checkout, { status: 'requires_escalation', continue_url: undefined });
      return undefined;
    }
    place(session, orders);
    if (look.onComplete === 'in-progress') {
      checkout.status = 'complete_in_progress';
      setTimeout(() => Object.assign(checkout, { status: 'completed' }), 1_500).unref();
    }
    return look.onComplete === 'places-but-loses-answer' ? { hang: true } : undefined;
  }

  function place({ checkout, buyer, address }: Session, orders: Record<string, string>[]): void {
    const [line] = checkout.line_items;
    orders.push({
      way: 'ucp',
      item: line!.item.id,
      quantity: String(line!.quantity),
      email: buyer['email'] ?? '',
      street: address?.['street_address'] ?? '',
      total: String(checkout.totals.at(-1)!.amount),
    });
    Object.assign(checkout, {
      status: 'completed',
      order: {
        id: `UCP-${orders.length}`,
        permalink_url: `https://shop.example/orders/${orders.length}?token=secret`,
      },
    });
  }

  function catalogue(path: string): Reply {
    const products = [
      {
        id: 'product-1',
        title: 'Blue Mug',
        options: [
          {
            name: 'Size',
            values: [
              ...new Set(
                Object.values(items).flatMap(({ options }) => Object.values(options ?? {})),
              ),
            ].map((label) => ({ label })),
          },
        ],
        variants: Object.entries(items).map(([id, { title, price, options = {} }]) => ({
          id,
          title,
          price: { amount: price, currency: 'USD' },
          availability: { available: true },
          options: Object.entries(options).map(([name, label]) => ({ name, label })),
        })),
      },
    ];
    return {
      json:
        path === '/catalog/lookup'
          ? { ucp: { version }, products }
          : { ucp: { version }, product: products[0] },
    };
  }

  const handler: Handler = (request, orders) => {
    const { method, path } = request;
    if (path === '/.well-known/ucp') return profile(request);
    if (path === '/tokenize') {
      tokenized.push(JSON.parse(request.body) as Record<string, unknown>);
      return { json: { token: wholeToken } };
    }
    if (!path.startsWith('/ucp/')) return pages(request, orders);
    if (!String(request.headers['ucp-agent']).startsWith('profile="https://purser.example'))
      return { json: { code: 'invalid_profile' }, status: 401 };
    const rest = path.slice('/ucp'.length);
    if (rest.startsWith('/catalog/')) return catalogue(rest);
    const key = request.headers['idempotency-key'] as string | undefined;
    const known = key === undefined ? undefined : answers.get(key);
    if (known !== undefined)
      return known.body === request.body
        ? known.reply
        : { json: { code: 'conflict' }, status: 409 };
    const [, , id, action] = rest.split('/');
    const session: Session | undefined =
      id === undefined
        ? { checkout: { id: `chk_${sessions.size + 1}` } as UcpCheckout, buyer: {} }
        : sessions.get(id);
    if (session === undefined)
      return { json: { code: 'not_found', content: 'There is no such checkout.' }, status: 404 };
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    const call = action ?? (method === 'POST' ? 'create' : method === 'PUT' ? 'update' : 'read');
    calls.push(call);
    let reply: Reply | undefined;
    if (call === 'create' || call === 'update') write(session, body);
    if (call === 'create') sessions.set(session.checkout.id, session);
    if (call === 'complete') reply = complete(session, body, orders);
    if (call === 'cancel' && session.checkout.status !== 'completed')
      session.checkout.status = 'canceled';
    reply ??= answer(call, session);
    if (key !== undefined && !('hang' in reply)) answers.set(key, { body: request.body, reply });
    return reply;
  };
  return { handler, calls, tokenized };
}

/** Such a shop, and runs for its mug through the way out of runs. */
export async function openUcpShop(look: UcpLook = {}) {
  const { handler, calls, tokenized } = ucpShop(look);
  const shop = await startTestShop(handler);
  const proxy = await openEgressProxy({ allowedPrivate: [readOriginPattern(shop.origin)!] });
  const tokenizers = [{ handler: handlerName, url: `${shop.origin}/tokenize` }];
  const commerce = openCommerce(
    { profileUrl: 'https://purser.example/.well-known/ucp', tokenizers, acpShops: [] },
    proxy,
  );
  return {
    calls,
    tokenized,
    orders: shop.orders,
    origin: shop.origin,
    buy: (browser: Browser, answers: TestAnswers = {}, task: Partial<RunTask> = {}) =>
      runInShop(browser, aTask(`${shop.origin}/mug`, task), { ...answers, commerce }),
    async close() {
      await commerce.close();
      await proxy.close();
      await shop.close();
    },
  };
}

/** One run for the mug. */
export async function buyByUcp(
  browser: Browser,
  look: UcpLook = {},
  answers: TestAnswers = {},
  task: Partial<RunTask> = {},
) {
  const shop = await openUcpShop(look);
  try {
    return {
      ...(await shop.buy(browser, answers, task)),
      orders: shop.orders,
      calls: shop.calls,
      tokenized: shop.tokenized,
    };
  } finally {
    await shop.close();
  }
}
