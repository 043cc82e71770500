import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Browser } from 'playwright-core';
import { Secret } from '../../../lib/sealing/secret.ts';
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
 * A stand-in for a merchant of the Agentic Commerce Protocol, written from its published OpenAPI
 * document of 2026-04-17. What comes in and what goes out is held against the published JSON Schema
 * (fixtures/protocols); `problems` says where it does not fit. `orders` is the truth.
 */

export interface AcpLook extends ShopLook {
  /** SKU that the page names. Default: the mug's. */
  readonly sku?: string;
  /** Of the shop's item; default that of the page. */
  readonly price?: number;
  readonly title?: string;
  /** Changes an answer before it leaves. `call`: `create`, `update 1`, `read 2`, `complete`. */
  readonly distort?: (call: string, session: AcpSession) => AcpSession | undefined;
  readonly onComplete?:
    | 'places'
    | 'places-but-loses-answer'
    | 'loses-call'
    | 'declines'
    | 'asks-for-3ds';
  /** The operator has no key of this shop. */
  readonly isKeyless?: boolean;
  /** Where its document says that its interface is. */
  readonly apiBase?: string;
}

/** As it is on the wire. */
export interface AcpSession {
  id: string;
  status: string;
  currency: string;
  line_items: {
    id: string;
    item: { id: string };
    quantity: number;
    name: string;
    unit_amount: number;
    totals: AcpTotal[];
  }[];
  totals: AcpTotal[];
  messages: Record<string, string>[];
  [more: string]: unknown;
}
interface AcpTotal {
  type: string;
  display_text: string;
  amount: number;
}

export const acpItem = 'mug-blue-01';
const version = '2026-04-17';
const key = 'key-of-the-agent';
const handlerName = 'dev.acp.tokenized.card';
const sharedToken = 'spt_123';

const schemaAt = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../fixtures/protocols/${name}.json`, import.meta.url), 'utf8'),
  ) as { $id: string };
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const [checkoutSchema, delegateSchema] = ['acp-checkout', 'acp-delegate-payment'].map((name) => {
  const schema = schemaAt(name);
  ajv.addSchema(schema);
  return schema.$id;
}) as [string, string];

/** What of a message does not fit the published schema; empty when it does. */
export function acpProblems(definition: string, message: unknown): readonly string[] {
  const id = definition.startsWith('Delegate') ? delegateSchema : checkoutSchema;
  const validate = ajv.getSchema(`${id}#/$defs/${definition}`)!;
  return validate(message) === true
    ? []
    : (validate.errors ?? []).map((one) => `${definition}${one.instancePath} ${one.message}`);
}

const total = (type: string, display_text: string, amount: number): AcpTotal => ({
  type,
  display_text,
  amount,
});
const ways = [
  { id: 'express', title: 'Express', amount: 1_500 },
  { id: 'standard', title: 'Standard', amount: 500 },
];
const options = ways.map(({ id, title, amount }) => ({
  type: 'shipping',
  id,
  title,
  totals: [total('total', title, amount)],
}));
const payment = {
  handlers: [
    {
      id: 'card_tokenized',
      name: handlerName,
      version: '2026-01-22',
      spec: 'https://acp.dev/handlers/tokenized.card',
      requires_delegate_payment: true,
      requires_pci_compliance: false,
      psp: 'stripe',
      config_schema: 'https://acp.dev/schemas/handlers/tokenized.card/config.json',
      instrument_schemas: ['https://acp.dev/schemas/handlers/tokenized.card/instrument.json'],
      config: { merchant_id: 'acct_1' },
    },
  ],
};

export function acpShop(look: AcpLook = {}) {
  const { sku = acpItem, price = 2_000, title = 'Blue Mug' } = look;
  const head = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Blue Mug","sku":"${sku}"}</script>${look.head ?? ''}`;
  const pages = plainShop({ ...look, head });
  const sessions = new Map<string, AcpSession>();
  const known = new Map<string, { readonly body: string; readonly reply: Reply }>();
  const counts = new Map<string, number>();
  const [calls, problems, delegated]: [string[], string[], Record<string, any>[]] = [[], [], []];
  const check = (definition: string, message: unknown) =>
    void problems.push(...acpProblems(definition, message));
  const refuse = (code: string, status: number): Reply => {
    const json = { type: 'invalid_request', code, message: `The request is not taken: ${code}.` };
    check('Error', json);
    return { json, status };
  };

  function describe({ headers }: PageRequest): Reply {
    const json = {
      protocol: { name: 'acp', version, supported_versions: ['2026-01-30', version] },
      api_base_url: look.apiBase ?? `http://${headers.host}/api`,
      transports: ['rest'],
      capabilities: { services: ['checkout', 'orders', 'delegate_payment'] },
    };
    check('DiscoveryResponse', json);
    return { json };
  }

  function write(session: AcpSession, body: Record<string, any>): void {
    const asked = body['line_items'] as { id: string }[] | undefined;
    if (asked !== undefined)
      session.line_items = [...new Set(asked.map(({ id }) => id))].map((id, index) => {
        const quantity = asked.filter((one) => one.id === id).length;
        const amount = price * quantity;
        const totals = [
          total('items_base_amount', 'Base', amount),
          total('subtotal', 'Subtotal', amount),
          total('total', 'Total', amount),
        ];
        return {
          id: `line_${index + 1}`,
          item: { id },
          quantity,
          name: title,
          unit_amount: price,
          totals,
        };
      });
    for (const name of ['buyer', 'fulfillment_details', 'selected_fulfillment_options'])
      if (name in body) session[name] = body[name];
    const [chosen] =
      (session['selected_fulfillment_options'] as { option_id: string }[] | undefined) ?? [];
    const way = ways.find(({ id }) => id === chosen?.option_id);
    const goods = session.line_items.reduce((sum, line) => sum + price * line.quantity, 0);
    session.status =
      way !== undefined && session['buyer'] !== undefined
        ? 'ready_for_payment'
        : 'not_ready_for_payment';
    session.totals = [
      total('items_base_amount', 'Items', goods),
      total('subtotal', 'Subtotal', goods),
      ...(way === undefined ? [] : [total('fulfillment', 'Shipping', way.amount)]),
      total('total', 'Total', goods + (way?.amount ?? 0)),
    ];
  }

  function complete(
    session: AcpSession,
    body: Record<string, any>,
    orders: Record<string, string>[],
  ): Reply | undefined {
    if (session.status !== 'ready_for_payment') return refuse('conflict', 409);
    if (look.onComplete === 'loses-call') return { hang: true };
    if (look.onComplete === 'asks-for-3ds') {
      Object.assign(session, { status: 'authentication_required' });
      return undefined;
    }
    const isPaid =
      body['payment_data']?.instrument?.credential?.token === sharedToken &&
      delegated.at(-1)?.['allowance'].max_amount >= session.totals.at(-1)!.amount;
    if (look.onComplete === 'declines' || !isPaid) {
      session.messages = [
        {
          type: 'error',
          code: 'payment_declined',
          content_type: 'plain',
          content: 'Your card was declined.',
        },
      ];
      return undefined;
    }
    const { address } = session['fulfillment_details'] as { address: Record<string, string> };
    orders.push({
      way: 'acp',
      item: session.line_items[0]!.item.id,
      quantity: String(session.line_items[0]!.quantity),
      street: address['line_one']!,
      total: String(session.totals.at(-1)!.amount),
    });
    const order = {
      id: `ord_${orders.length}`,
      checkout_session_id: session.id,
      order_number: `#100${orders.length}`,
      permalink_url: `https://shop.example/orders/${orders.length}?token=secret`,
    };
    Object.assign(session, { status: 'completed', order });
    return look.onComplete === 'places-but-loses-answer' ? { hang: true } : undefined;
  }

  function answer(call: string, session: AcpSession): Reply {
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    const json =
      look.distort?.(
        ['create', 'complete'].includes(call) ? call : `${call} ${count}`,
        structuredClone(session),
      ) ?? session;
    check(session.status === 'completed' ? 'CheckoutSessionWithOrder' : 'CheckoutSession', json);
    return { json, status: call === 'create' ? 201 : 200 };
  }

  const requests = {
    create: 'CheckoutSessionCreateRequest',
    update: 'CheckoutSessionUpdateRequest',
    complete: 'CheckoutSessionCompleteRequest',
    cancel: 'CancelSessionRequest',
  } as const;

  /** What a delegated-payment provider does: a token for one checkout and at most one amount. */
  function delegate({ body, headers }: PageRequest): Reply {
    const asked = JSON.parse(body) as Record<string, any>;
    check('DelegatePaymentRequest', asked);
    if (headers['idempotency-key'] === undefined || headers['api-version'] !== version)
      problems.push('delegate_payment without its headers');
    delegated.push(asked);
    const json = { id: sharedToken, created: '2026-01-01T00:00:00Z', metadata: {} };
    check('DelegatePaymentResponse', json);
    return { json, status: 201 };
  }

  const handler: Handler = (request, orders) => {
    const { method, path, headers } = request;
    if (path === '/.well-known/acp.json') return describe(request);
    if (path === '/agentic_commerce/delegate_payment') return delegate(request);
    if (!path.startsWith('/api/')) return pages(request, orders);
    if (headers.authorization !== `Bearer ${key}`) return refuse('unauthorized', 401);
    if (headers['api-version'] !== version) return refuse('unsupported_version', 400);
    const idempotency = headers['idempotency-key'] as string | undefined;
    if (method === 'POST' && idempotency === undefined)
      return refuse('idempotency_key_required', 400);
    const before = idempotency === undefined ? undefined : known.get(idempotency);
    if (before !== undefined)
      return before.body === request.body ? before.reply : refuse('idempotency_conflict', 422);
    const [, , , id, action] = path.split('/');
    const call = (action ?? (method === 'GET' ? 'read' : id === undefined ? 'create' : 'update')) as
      | keyof typeof requests
      | 'read';
    const fresh = {
      id: `csn_${sessions.size + 1}`,
      currency: 'usd',
      line_items: [],
      totals: [],
      messages: [],
      links: [],
      fulfillment_options: options,
      capabilities: { payment },
      status: 'incomplete',
    };
    const session = id === undefined ? (fresh as AcpSession) : sessions.get(id);
    if (session === undefined) return refuse('not_found', 404);
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, any>);
    calls.push(call);
    if (call !== 'read') check(requests[call], body);
    if (call === 'create' || call === 'update') write(session, body);
    if (call === 'create') sessions.set(session.id, session);
    if (call === 'cancel' && session.status === 'completed') return refuse('conflict', 405);
    if (call === 'cancel') session.status = 'canceled';
    const reply =
      (call === 'complete' ? complete(session, body, orders) : undefined) ?? answer(call, session);
    if (idempotency !== undefined && !('hang' in reply))
      known.set(idempotency, { body: request.body, reply });
    return reply;
  };
  return { handler, calls, problems, delegated };
}

/** One run for the mug of such a shop, through the way out of runs. */
export async function buyByAcp(
  browser: Browser,
  look: AcpLook = {},
  answers: TestAnswers = {},
  task: Partial<RunTask> = {},
) {
  const { handler, calls, problems, delegated } = acpShop(look);
  const shop = await startTestShop(handler);
  const proxy = await openEgressProxy({ allowedPrivate: [readOriginPattern(shop.origin)!] });
  const commerce = openCommerce(
    {
      profileUrl: 'https://purser.example/.well-known/ucp',
      tokenizers: [
        {
          handler: handlerName,
          url: `${shop.origin}/agentic_commerce/delegate_payment`,
          kind: 'delegate',
        },
      ],
      acpShops: look.isKeyless ? [] : [{ shop: shop.origin, key: new Secret(key) }],
    },
    proxy,
  );
  try {
    const run = await runInShop(browser, aTask(`${shop.origin}/mug`, task), {
      ...answers,
      commerce,
    });
    return { ...run, orders: shop.orders, calls, problems, delegated };
  } finally {
    await commerce.close();
    await proxy.close();
    await shop.close();
  }
}
