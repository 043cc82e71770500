import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../../test/harness/browser.ts';
import { systemClock } from '../lib/clock.ts';
import { startDeadline } from './deadline.ts';
import { RunStop, runCheckout } from './engine/index.ts';
import { plainShop } from './engine/testing/pages-kit.ts';
import { aTask, startTestShop, type TestShop, testCard } from './engine/testing/test-shop-kit.ts';
import type { RunHold } from './hold.ts';
import { LinkAwayError, LinkRefusedError, type RunLink } from './link/client.ts';
import { linkBodyBytesMax, toWire } from './link/wire.ts';
import { clipEnd } from './port-limits.ts';
import { createRunMemory, createRunPorts } from './ports.ts';
import { createRunLog } from './run-log.ts';
import type { RunCard } from './types.ts';

const card: RunCard = { ...testCard, number: '4929123456789015', cvc: '827' };

let browser: Awaited<ReturnType<typeof startBrowser>>;
let shop: TestShop;
beforeAll(async () => {
  browser = await startBrowser();
  const head = `<script>addEventListener('input', ({ target }) => {
    if (target.name === 'cardnumber') history.replaceState(null, '', '/checkout/' + target.value);
  })</script>`;
  const thanks = () =>
    `<h1>Thank you for your order!</h1><p>Order number: ${card.number}</p><p>4929 1234 5678 9015, CVC ${card.cvc}, 07/31</p>`;
  const plain = plainShop({ head, thanks });
  shop = await startTestShop((request, orders) => {
    if (request.path.startsWith('/thanks/')) return plain({ ...request, path: '/thanks' }, orders);
    const reply = plain(request, orders);
    return request.path === '/order' ? { to: `/thanks/${card.number}?card=${card.number}` } : reply;
  });
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
});

/** The worker's side: agrees to everything, and keeps what it is told. */
function listeningWorker() {
  const said: unknown[] = [];
  const answers: Record<string, unknown> = {
    ask: { actionId: '01900000-0000-7000-8000-000000000001' },
    'take-answer': { action: 'submit', values: { approved: true } },
    arm: true,
    card,
    'card-use': { state: 'unknown' },
  };
  const link = new Proxy({} as RunLink, {
    get: (_, operation: string) => async (input: unknown) => {
      said.push({ operation, input });
      return answers[operation] ?? null;
    },
  });
  const never = new AbortController().signal;
  const hold = { checkoutId: '01900000-0000-7000-8000-000000000000', fence: '1' };
  const held = {
    hold,
    lost: never,
    stopped: never,
    ask: (send: (one: typeof hold) => unknown) => send(hold),
  } as unknown as RunHold;
  return { said, link, held };
}

test('a shop that writes the typed card into its addresses and its order number does not bring it out of the runner', {
  tags: 'slow',
}, async () => {
  const { said, link, held } = listeningWorker();
  const memory = createRunMemory(false);
  const deadline = startDeadline(120_000);
  const { ports, drain } = createRunPorts({
    link,
    held,
    memory,
    deadline,
    clock: systemClock,
    signal: deadline.signal,
    onAsking: () => undefined,
    checkBrowser: async () => undefined,
  });
  const lines: string[] = [];
  const write = (fields: object, message: string) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log = createRunLog(
    { info: write, warn: write } as unknown as Parameters<typeof createRunLog>[0],
    (text) => memory.scrubber.text(text),
  );
  const context = await browser.newContext();
  const end = await runCheckout({
    page: await context.newPage(),
    context,
    task: aTask(`${shop.origin}/mug`),
    ports,
    signal: deadline.signal,
    log,
  });
  await drain();
  deadline.close();
  await context.close();

  // What the page says is what the shop wants it to say.
  expect(end).toMatchObject({
    outcome: 'succeeded',
    merchantOrderId: card.number,
    confirmationUrl: `${shop.origin}/thanks/${card.number}`,
  });
  expect(memory.evidence.map(({ url }) => url)).toContain(`${shop.origin}/checkout/${card.number}`);

  const told = clipEnd(memory.scrubber.end(end));
  expect(told).toMatchObject({
    outcome: 'succeeded',
    confirmationUrl: `${shop.origin}/thanks/***`,
  });
  expect(told).not.toHaveProperty('merchantOrderId');
  const records = said.filter((one) => (one as { operation: string }).operation === 'record');
  expect(JSON.stringify(records)).toContain(`${shop.origin}/checkout/***`);
  const everything = JSON.stringify([said, lines, told], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(everything.replaceAll(/[ -]/g, '')).not.toContain(card.number);
  expect(everything).not.toMatch(/cvc\W*827/i);
});

test('a step on a page with an endless address is recorded all the same, cut to what the worker takes', async () => {
  const { said, link, held } = listeningWorker();
  const deadline = startDeadline(120_000);
  const { ports } = createRunPorts({
    link,
    held,
    memory: createRunMemory(false),
    deadline,
    clock: systemClock,
    signal: deadline.signal,
    onAsking: () => undefined,
    checkBrowser: async () => undefined,
  });
  const url = `https://shop.example/${'a'.repeat(1_000_000)}`;
  await ports.record({
    step: 'open',
    at: new Date(0).toISOString(),
    url,
    detail: { product: 'b'.repeat(1_000_000) },
  });
  deadline.close();
  const body = toWire((said[0] as { input: unknown }).input);
  expect(body).toContain('"url":"https://shop.example/aaa');
  expect(body.length).toBeLessThan(linkBodyBytesMax('record'));
});

test('a card that the worker refuses ends the run with its reason, and a worker that is away does not', async () => {
  const { link, held } = listeningWorker();
  const deadline = startDeadline(120_000);
  const cardFrom = (refuse: () => Promise<never>) => {
    const { ports } = createRunPorts({
      link: new Proxy(link, {
        get: (known, operation: keyof RunLink) =>
          operation === 'card' ? refuse : known[operation],
      }),
      held,
      memory: createRunMemory(false),
      deadline,
      clock: systemClock,
      signal: deadline.signal,
      onAsking: () => undefined,
      checkBrowser: async () => undefined,
    });
    return ports.card({
      origin: 'https://shop.example',
      total: { amountMinor: 2_000n, currency: 'USD' },
    });
  };
  const refused = cardFrom(() =>
    Promise.reject(new LinkRefusedError('The saved card was deleted.')),
  );
  await expect(refused).rejects.toThrow(RunStop);
  await expect(refused).rejects.toMatchObject({
    end: {
      outcome: 'failed',
      reason: 'automation_failed',
      message: 'The saved card was deleted.',
      placed: 'no',
    },
  });
  await expect(cardFrom(() => Promise.reject(new LinkAwayError('no answer')))).rejects.toThrow(
    LinkAwayError,
  );
  deadline.close();
});
