import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../context.ts';
import type { KeyedAnswer, KeyedRequest, KeyedRoute } from '../http/routes/keyed-routes.ts';
import { readDailyMax, type ToolCtx } from './tool.ts';

const bodyLimitBytes = 128 * 1_024;
/** What checkouts of the user may cost in 24 hours, said by whoever connects the agent. */
const dailyMaxHeader = 'x-checkout-daily-max';

/**
 * The tools over streamable HTTP. Nothing is kept between two requests: each brings its key, each
 * is answered as one JSON body, and any process may answer the next one. Whoever calls without a
 * valid key has been refused before.
 */
export const mcpRoute: KeyedRoute = {
  path: '/mcp',
  methods: ['GET', 'POST', 'DELETE'],
  bodyLimitBytes,
  handler: serveMcp,
};

async function serveMcp(ctx: Ctx, request: KeyedRequest): Promise<KeyedAnswer> {
  // Sessions and streams of the server's own are not offered, which the protocol answers so.
  if (request.method !== 'POST')
    return refuse(
      405,
      'Only POST: this server keeps no sessions and sends no messages of its own.',
    );
  const dailyMax = request.headers[dailyMaxHeader];
  const checkoutDailyMax = dailyMax === undefined ? undefined : readDailyMax(String(dailyMax));
  if (dailyMax !== undefined && !checkoutDailyMax)
    return refuse(
      400,
      `The header ${dailyMaxHeader} is an amount and a currency, as in "10.00 USD".`,
    );
  // Only who uses it pays for the time and memory that it takes.
  const [{ createMcpHandler }, { createToolServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ]);
  const handler = createMcpHandler(
    () =>
      createToolServer(
        { ...toolCtxOf(ctx, request), ...(checkoutDailyMax && { checkoutDailyMax }) },
        { log: ctx.log },
      ),
    {
      keepAliveMs: 0,
      maxSubscriptions: 0,
    },
  );
  try {
    const answer = await handler.fetch(webRequest(ctx, request), { parsedBody: request.body });
    const contentType = answer.headers.get('content-type');
    return {
      status: answer.status,
      headers: contentType === null ? {} : { 'content-type': contentType },
      body: await answer.text(),
    };
  } finally {
    await handler.close();
  }
}

function refuse(status: 400 | 405, message: string): KeyedAnswer {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  return {
    status,
    headers: { allow: 'POST', 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

/**
 * The request as the protocol's library reads it: without key and token, which it has no use for.
 */
function webRequest(ctx: Ctx, { headers, body, signal }: KeyedRequest): Request {
  const passed = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(headers))
    if (name === 'accept' || name.startsWith('mcp-'))
      passed.set(name, Array.isArray(value) ? value.join(',') : (value ?? ''));
  return new Request(new URL('/mcp', ctx.config.api.baseUrl), {
    method: 'POST',
    headers: passed,
    body: JSON.stringify(body ?? null),
    signal,
  });
}

function toolCtxOf(ctx: Ctx, request: KeyedRequest): ToolCtx {
  return {
    now: () => ctx.clock.now(),
    wait: async (ms) => void (await delay(ms, undefined, { signal: request.signal })),
    async call({ idempotencyKey, ...call }) {
      const { status, headers, body } = await request.call({
        ...call,
        ...(idempotencyKey !== undefined && { headers: { 'x-idempotency-key': idempotencyKey } }),
      });
      return { status, body, isReplayed: headers['idempotency-replayed'] === 'true' };
    },
  };
}
