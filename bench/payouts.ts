import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chainEntrances } from '../src/areas/chain-entrances.ts';
import { writeOwnSettings } from '../src/areas/orders/pricing/index.ts';
import { selectMoves, selectOrder } from '../src/areas/orders/state/store.ts';
import { requireTreasury, treasuryCommand } from '../src/areas/treasury/index.ts';
import { aUsBody } from '../src/vault/testing/methods-kit.ts';
import { type Stack, startStack } from '../test/harness/stack.ts';
import { type BenchOptions, type Measure, median, percentile } from './measure.ts';

const chain = 'base-sepolia';
const within = { p50Ms: 1_000, p99Ms: 3_000 };
const counts = { quick: { alone: 5, together: 5 }, full: { alone: 200, together: 30 } };
const waitMaxMs = 60_000;

/**
 * How long after a deposit is final the bank has its payout, on a real-time rail: API, worker,
 * vault with the sandbox bank, database and chain in one process, deposits one after the other and
 * many final at the same moment. Read from the orders' own histories.
 */
export async function benchPayouts(options: BenchOptions): Promise<Measure[]> {
  const { alone, together } = options.quick ? counts.quick : counts.full;
  const stack = await startStack({ vault: true });
  try {
    const payer = await preparePayer(stack);
    const makeOrder = () => createOrder(stack, payer);
    options.progress(`payouts: ${alone} deposits, one after the other`);
    const times: number[] = [];
    for (let nr = 0; nr < alone; nr++)
      times.push(...(await payAll(stack, payer, [await makeOrder()])));
    options.progress(`payouts: ${together} deposits final at once`);
    const orders: string[] = [];
    for (let nr = 0; nr < together; nr++) orders.push(await makeOrder());
    const crowd = await payAll(stack, payer, orders);
    const [typical, slowest] = rows(
      `${together} deposits final at once, to payout submitted`,
      crowd,
    );
    // What waits for others has no promise for its middle.
    return [
      ...rows('deposit final to payout submitted', times),
      { name: typical.name, value: typical.value, unit: typical.unit },
      slowest,
    ];
  } finally {
    await stack.close();
  }
}

interface Payer {
  readonly address: string;
  readonly treasury: string;
  readonly paymentMethodId: string;
}

async function preparePayer(stack: Stack): Promise<Payer> {
  const { ctx, api } = stack;
  const { projectId } = api;
  await writeOwnSettings(ctx, { projectId, settings: { kycRequired: false, limits: [] } });
  await treasuryCommand(async () => ctx, {
    argv: ['fund', '--chain', chain, '--token', 'usdxm', '--amount', '100000'],
    print: () => undefined,
    projectOf: async () => projectId,
  });
  const wallet = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:alice',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  const method = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: api.serverKey,
    body: aUsBody(),
  });
  return {
    address: ctx.chains.familyOfChain(chain).canonicalAddress(wallet.body.address),
    treasury: (await requireTreasury(ctx, { projectId, chainType: 'evm' })).address,
    paymentMethodId: method.body.paymentMethodId,
  };
}

async function createOrder(stack: Stack, { address, paymentMethodId }: Payer): Promise<string> {
  const created = await stack.call('POST', '/2022-06-09/orders', {
    body: {
      recipient: { paymentMethodId, rail: 'rtp' },
      payment: {
        method: chain,
        currency: 'usdxm',
        payerAddress: address,
        receiptEmail: 'alice@example.com',
      },
      lineItems: {
        currencyLocator: 'fiat:usd',
        executionParameters: { mode: 'exact-in', amount: '100' },
      },
    },
  });
  if (created.status !== 201)
    throw new Error(`an order was answered with ${created.status}: ${created.text}`);
  return created.body.order.orderId;
}

let height = 1_000_000_000n;

/**
 * Tells of a deposit for each order, makes all of them final at once, and waits for the bank.
 * @returns milliseconds, one per order
 */
async function payAll(
  { ctx }: Stack,
  payer: Payer,
  orderIds: readonly string[],
): Promise<number[]> {
  const family = ctx.chains.familyOfChain(chain);
  const entrances = chainEntrances(ctx, family);
  const token = { ...(await family.resolveToken(chain, { symbol: 'usdxm' })), chain };
  const orders = await Promise.all(
    orderIds.map(async (id) => (await selectOrder(ctx.store, { by: 'id', id }))!),
  );
  height += 10n;
  const transfers = orders.map(({ memo, terms }) => ({
    id: `bench:${randomBytes(8).toString('hex')}`,
    chain,
    token,
    amountMinor: terms!.pay.amountMinor,
    sender: payer.address,
    recipient: payer.treasury,
    txId: `0x${randomBytes(32).toString('hex')}`,
    at: ctx.clock.now(),
    height,
    succeeded: true,
    ...(memo !== undefined && { memo }),
  }));
  await ctx.store.transaction((tx) => entrances.recordTransfers(tx, transfers));
  await ctx.store.transaction((tx) => entrances.finalizeTransfers(tx, chain, height));
  return Promise.all(orderIds.map((id) => payoutMs({ ctx }, id)));
}

async function payoutMs({ ctx }: Pick<Stack, 'ctx'>, orderId: string): Promise<number> {
  for (const endAt = Date.now() + waitMaxMs; ; await delay(20)) {
    const moves = await selectMoves(ctx.store, orderId);
    const submitted = moves.find(({ event }) => event === 'payout-submitted');
    const final = moves.find(({ event }) => event === 'deposit-exact');
    if (submitted && final) return submitted.at.getTime() - final.at.getTime();
    if (Date.now() > endAt)
      throw new Error(
        `order ${orderId} has no payout: ${moves.map(({ event }) => event).join(', ')}`,
      );
  }
}

function rows(name: string, times: readonly number[]): [p50: Measure, p99: Measure] {
  const row = (part: string, ms: number, atMostMs: number): Measure => ({
    name: `${name}, ${part}`,
    value: ms,
    unit: 'ms',
    beside: { what: 'promised', value: atMostMs },
    ratio: ms / atMostMs,
    goal: { atMost: 1 },
  });
  return [
    row('p50', median(times), within.p50Ms),
    row(
      'p99',
      percentile(
        times.toSorted((a, b) => a - b),
        0.99,
      ),
      within.p99Ms,
    ),
  ];
}
