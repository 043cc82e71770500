import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { createCoingeckoPricing } from './coingecko.ts';
import { createPricing } from './index.ts';
import { testPricing } from './pricing.contract.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const usual: Record<string, { usd: number; [fiat: string]: number }> = {
  bitcoin: { usd: 100_000, eur: 80_000, gbp: 75_000, jpy: 15_000_000.5 },
  'usd-coin': { usd: 0.9998 },
  ethereum: { usd: 2512.34 },
  solana: { usd: 151.2 },
  stellar: { usd: 0.2481 },
  sui: { usd: 2.1 },
  aptos: { usd: 5.5 },
  'polygon-ecosystem-token': { usd: 0.51 },
  'avalanche-2': { usd: 24 },
  binancecoin: { usd: 612 },
};
const json =
  (body: unknown): Handler =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A stand-in for the price service. `handler` may be exchanged while it runs. */
async function startSource(handler: Handler) {
  const source = {
    handler,
    requests: [] as IncomingMessage[],
    url: '',
    close: async () => undefined as void,
  };
  const server = createServer((request, response) => {
    source.requests.push(request);
    source.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  source.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return source;
}

async function start(
  handler: Handler = json(usual),
  options: { apiKey?: Secret; timeoutMs?: number } = {},
) {
  const source = await startSource(handler);
  closers.push(source.close);
  const clock = createManualClock();
  const logged: string[] = [];
  const log = pino(
    new Writable({ write: (line, _encoding, done) => (logged.push(String(line)), done()) }),
  );
  const pricing = createCoingeckoPricing({ url: source.url, clock, log, ...options });
  const eth = async () => (await pricing.pricesUsd(['eth'])).get('eth');
  return { source, clock, pricing, eth, logged };
}

testPricing('coingecko', async () => {
  const source = await startSource(json(usual));
  return {
    pricing: createPricing(
      { pricing: { kind: 'coingecko', url: source.url } },
      { clock: createManualClock() },
    ),
    close: source.close,
  };
});

describe('the request', () => {
  test('asks once for all coins, in US dollars and the other currencies', async () => {
    const { source, pricing } = await start();
    await pricing.pricesUsd(['eth']);
    await pricing.pricesUsd(['usdc', 'sol']);
    expect(source.requests).toHaveLength(1);
    const url = new URL(source.requests[0]!.url!, source.url);
    expect(url.pathname).toBe('/api/v3/simple/price');
    expect(url.searchParams.get('vs_currencies')).toBe(
      'usd,eur,gbp,aud,cop,mxn,jpy,sgd,hkd,krw,inr,vnd',
    );
    expect(url.searchParams.get('ids')!.split(',')).toContain('ethereum');
    expect(source.requests[0]!.headers).not.toHaveProperty('x-cg-demo-api-key');
  });

  test('carries the key as a header, and neither the address nor the log shows it', async () => {
    const { source, pricing, logged } = await start(
      (_request, response) => void response.writeHead(401).end(),
      {
        apiKey: new Secret('CG-very-secret'),
      },
    );
    await pricing.pricesUsd(['eth']);
    expect(source.requests[0]!.headers['x-cg-demo-api-key']).toBe('CG-very-secret');
    expect(source.requests[0]!.url).not.toContain('secret');
    expect(logged.join()).toContain('status 401');
    expect(logged.join()).not.toContain('secret');
  });

  test('is not made for symbols that have no coin', async () => {
    const { source, pricing } = await start();
    expect(Object.fromEntries(await pricing.pricesUsd(['usdxm', 'unheard-of']))).toEqual({
      usdxm: '1',
    });
    expect(source.requests).toHaveLength(0);
  });

  test('is one for all who ask at the same time', async () => {
    const { source, eth } = await start();
    expect(new Set(await Promise.all(Array.from({ length: 50 }, eth)))).toEqual(
      new Set(['2512.34']),
    );
    expect(source.requests).toHaveLength(1);
  });
});

describe('prices', () => {
  test('are the digits that were sent, without exponents', async () => {
    const { pricing } = await start(
      (_request, response) =>
        void response.end(
          '{"ethereum":{"usd":1.5e-7},"solana":{"usd":1e21},"stellar":{"usd":123456.789012},"sui":{"usd":1.25e22},"aptos":{"usd":0.1},"coti":{"usd":5e-324}}',
        ),
    );
    const prices = await pricing.pricesUsd(['eth', 'sol', 'xlm', 'sui', 'apt', 'coti']);
    expect(Object.fromEntries(prices)).toEqual({
      eth: '0.00000015',
      sol: '1000000000000000000000',
      xlm: '123456.789012',
      sui: '12500000000000000000000',
      apt: '0.1',
    });
  });

  test('that are no price are left out', async () => {
    const { pricing } = await start(
      json({
        ethereum: { usd: 2500 },
        solana: { usd: null },
        stellar: {},
        sui: { usd: 0 },
        aptos: { usd: -1 },
        __proto__: { usd: 3 },
      }),
    );
    expect(
      Object.fromEntries(await pricing.pricesUsd(['eth', 'sol', 'xlm', 'sui', 'apt', 'usdc'])),
    ).toEqual({ eth: '2500' });
  });

  test('are kept for a minute, then read again', async () => {
    const { source, clock, eth } = await start();
    expect(await eth()).toBe('2512.34');
    source.handler = json({ ethereum: { usd: 2600 } });
    clock.advance(59_999);
    expect(await eth()).toBe('2512.34');
    clock.advance(1);
    expect(await eth()).toBe('2600');
    expect(source.requests).toHaveLength(2);
  });
});

const refused: Record<string, Handler> = {
  'answers 429': (_request, response) => void response.writeHead(429).end('slow down'),
  'answers 500': (_request, response) => void response.writeHead(500).end('{"ethereum":{"usd":1}}'),
  'answers a redirect': (_request, response) =>
    void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'answers no JSON': (_request, response) => void response.end('<html>'),
  'answers other JSON': json({ ethereum: { usd: '2500' } }),
  'answers a list': json([1, 2]),
  'answers null': json(null),
  'answers without any known coin': json({}),
  'answers too much': (_request, response) =>
    void response.end(`{"ethereum":{"usd":1},"x":{"name":"${'x'.repeat(300_000)}"}}`),
  'breaks off in the middle': (_request, response) => {
    response
      .writeHead(200, { 'content-length': '100' })
      .write('{"ethereum":', () => response.destroy());
  },
  'closes the connection': (request) => void request.socket.destroy(),
  'never answers': () => undefined,
  'never ends its answer': (_request, response) => void response.write('{"ethereum":'),
};

describe.each(Object.entries(refused))('while the source %s', (_name, handler) => {
  test('older prices are served for ten minutes, then none, and then new ones', async () => {
    const { source, clock, eth, logged } = await start(json(usual), { timeoutMs: 150 });
    expect(await eth()).toBe('2512.34');
    source.handler = handler;
    clock.advance(60_000);
    expect(await eth()).toBe('2512.34');
    expect(logged).toHaveLength(1);
    clock.advance(539_999);
    expect(await eth()).toBe('2512.34');
    clock.advance(1);
    expect(await eth()).toBeUndefined();
    source.handler = json({ ethereum: { usd: 2700 } });
    clock.advance(120_000);
    expect(await eth()).toBe('2700');
  });
});

test('a source that refuses connections gives no prices and no exception', async () => {
  const { source, pricing } = await start();
  await source.close();
  expect(Object.fromEntries(await pricing.pricesUsd(['eth', 'usdxm']))).toEqual({ usdxm: '1' });
});

describe('after a failure', () => {
  const failing =
    (headers: Record<string, string> = {}): Handler =>
    (_request, response) =>
      void response.writeHead(429, headers).end();

  test.each([
    ['ten seconds', {}, 10_000],
    ['as long as the source says', { 'retry-after': '45' }, 45_000],
    ['ten seconds at least', { 'retry-after': '0' }, 10_000],
    ['two minutes at most', { 'retry-after': '86400' }, 120_000],
    ['ten seconds when what it says cannot be read', { 'retry-after': 'tomorrow' }, 10_000],
  ])('the source is left alone for %s', async (_name, headers, waitMs) => {
    const { source, clock, eth } = await start(failing(headers));
    await eth();
    clock.advance(waitMs - 1);
    await eth();
    expect(source.requests).toHaveLength(1);
    clock.advance(1);
    await eth();
    expect(source.requests).toHaveLength(2);
  });

  test('a clock that was turned back does not stop it for good', async () => {
    const { source, clock, eth } = await start(failing());
    await eth();
    source.handler = json(usual);
    clock.advance(-86_400_000);
    expect(await eth()).toBe('2512.34');
    clock.advance(-86_400_000);
    source.handler = json({ ethereum: { usd: 2800 } });
    expect(await eth()).toBe('2800');
  });
});
