import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../jobs/test-kit.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { sandboxCards } from '../../providers/card/index.ts';
import { createStripeCard } from '../../providers/card/stripe/stripe.ts';
import { type OfframpWorld, startOfframpWorld } from '../orders/testing/offramp-kit.ts';
import { aBuyer, createOnramp, payByCard, untilState } from '../orders/testing/onramp-kit.ts';
import { fundTreasury, withdrawFromTreasury } from '../treasury/index.ts';
import {
  addReconciliationMetrics,
  reconcileAll,
  reconcileBooks,
  reconcileCommand,
  reconcileProject,
} from './index.ts';

const chain = 'base-sepolia';
let world: OfframpWorld;

beforeAll(async () => {
  world = await startOfframpWorld();
  await world.account();
  await fundTreasury(world.stack.ctx, {
    projectId: world.projectId,
    chain,
    token: 'usdc',
    amount: '10000',
  });
}, 180_000);
afterAll(() => world?.close());

const query = async (text: string, values: readonly unknown[] = []) =>
  (await world.stack.ctx.store.query({ text, values })).rows;
const turn = () => reconcileProject(world.stack.ctx, world.projectId, { pauseMs: 300 });
const confirmed = () =>
  query(
    'select problem, gone_at as "goneAt" from reconciliation_differences where confirmed_at is not null order by nr',
  );

async function offramp(input: { accountNumber?: string; minor?: bigint; until: string }) {
  const order = await world.order({
    amount: '100',
    rail: 'rtp',
    ...(input.accountNumber && { accountNumber: input.accountNumber }),
  });
  const told = await world.deposit({ memo: order.memo, amountMinor: input.minor ?? 100_000_000n });
  await told.finalize();
  await world.submitted(order.id);
  await world.stack.advance(15_000);
  await world.until(order.id, input.until);
  return order.id;
}

async function onramp() {
  const { address } = await aBuyer(world.stack);
  const { id } = await createOnramp(world.stack, { address });
  await payByCard(world.stack, id, sandboxCards.approved.number);
  await untilState(world.stack, id, 'delivered');
  return id;
}

async function runCommand(...argv: string[]) {
  const lines: string[] = [];
  const { ctx } = world.stack;
  const input = {
    argv,
    print: (line: string) => lines.push(line),
    projectOf: async () => world.projectId,
  };
  return { code: await reconcileCommand(async () => ctx, input), text: lines.join('\n') };
}

/** Plants a capture of one unit less at the acquirer. */
async function plant(orderId: string, units = 1) {
  await query(
    `update sandbox_card_payments set captured_minor = captured_minor - $2 where reference = (select split_part(card_reference, '/', 2) from orders where id = $1)`,
    [orderId, units],
  );
}

describe('orders under way', { tags: 'slow' }, () => {
  it('raise no false alarm, however often they are looked at', async () => {
    const { ctx } = world.stack;
    const looks: number[] = [];
    let isOver = false;
    const looking = async () => {
      while (!isOver)
        looks.push((await reconcileProject(ctx, world.projectId, { pauseMs: 100 })).compared);
    };
    const lookers = Promise.all([looking(), looking()]);
    const withdrawal = {
      projectId: world.projectId,
      chain,
      token: 'usdxm',
      amount: '1',
      recipientAddress: `0x${'7'.repeat(40)}`,
    };
    const wave = () =>
      Promise.all([
        ...Array.from({ length: 3 }, () => offramp({ until: 'payout_final' })),
        offramp({ until: 'payout_final', minor: 103_000_000n }),
        ...Array.from({ length: 3 }, onramp),
        withdrawFromTreasury(ctx, { ...withdrawal, transferId: ctx.ids.uuid() }),
      ]);
    await wave()
      .then(wave)
      .finally(() => {
        isOver = true;
      });
    await lookers;
    expect(looks.length).toBeGreaterThan(3);
    expect(await confirmed()).toEqual([]);
    await eventually(
      'nothing is under way',
      async () =>
        (await query('select 1 from reconciliation_differences')).length === 0 ||
        (await turn(), false),
    );
    expect(await turn()).toMatchObject({ differences: [], skipped: [] });
  }, 180_000);
});

describe('a turn of the timer', { tags: 'slow' }, () => {
  it('is taken by one process of several, tells of a difference in the log, and once', async () => {
    const id = await onramp();
    const errors: string[] = [];
    const log = {
      ...world.stack.ctx.log,
      warn: () => undefined,
      error: (_: object, text: string) => void errors.push(text),
    };
    const ctx = { ...world.stack.ctx, log: log as unknown as typeof world.stack.ctx.log };
    const take = () => reconcileAll(ctx, { pauseMs: 50, everyMs: 0 });
    // The worker's own turn is over, and its next one is far away.
    const endedAt = async () =>
      (
        await query('select ended_at as "at" from reconciliation_turns where project_id = $1', [
          world.projectId,
        ])
      )[0]?.at;
    const now = ctx.clock.now();
    await eventually(
      'a turn before',
      async () =>
        (await take(), ((await endedAt()) as Date | null | undefined) ?? new Date(0)) >= now,
    );
    await plant(id);
    await Promise.all([take(), take()]);
    expect(await take()).toBe(1);
    expect(errors).toEqual([
      `a difference: sandbox has captured 1999 units of usd of order ${id}, and the ledger 2000 units of usd`,
    ]);
    expect(await metricsText()).toContain('purser_reconciliation_differences{comparison="card"} 1');
    await plant(id, -1);
    expect(await take()).toBe(0);
    expect(await confirmed()).toEqual([
      { problem: expect.stringContaining(id), goneAt: expect.any(Date) },
    ]);
    expect(await metricsText()).toContain('purser_reconciliation_differences{comparison="card"} 0');
  }, 60_000);

  it('waits with a dispute that the acquirer may still tell of', async () => {
    const id = await onramp();
    const dispute = (minor: number) =>
      query(
        `update sandbox_card_payments set disputed_minor = $2 where reference = (select split_part(card_reference, '/', 2) from orders where id = $1)`,
        [id, minor],
      );
    const status = await query(
      `update sandbox_card_payments set dispute_status = 'open', disputed_minor = 1 where reference = (select split_part(card_reference, '/', 2) from orders where id = $1) returning 1`,
      [id],
    );
    expect(status).toHaveLength(1);
    expect((await turn()).differences).toEqual([]);
    world.stack.advanceClock(16 * 60_000);
    expect((await turn()).differences.map(({ problem }) => problem)).toEqual([
      `sandbox has disputed 1 unit of usd of order ${id}, and the ledger 0 units of usd`,
    ]);
    await dispute(0);
    expect((await turn()).differences).toEqual([]);
  }, 60_000);

  it('says what it could not compare, and concludes nothing from it', async () => {
    const orderId = await offramp({ until: 'payout_final' });
    const vault = world.stack.vault!;
    const change = (by: number) =>
      vault.store.query({
        text: 'update payouts set amount_minor = amount_minor + $2 where object = $1',
        values: [`order:${orderId}`, by],
      });
    await change(1);
    // What the vault has told and nobody has heard yet is not compared.
    await expect.poll(async () => (await turn()).differences.length, { timeout: 30_000 }).toBe(1);
    const { ctx } = world.stack;
    const vaultless = await reconcileProject(withoutVault(), world.projectId, { pauseMs: 50 });
    expect(vaultless.differences).toHaveLength(1);
    expect(vaultless.skipped.join()).toMatch(/payouts: this instance has no vault/);
    await vault.store.query({ text: 'alter table payouts rename to payouts_away' });
    const [faulty, books] = [await turn(), await reconcileBooks(ctx)];
    await vault.store.query({ text: 'alter table payouts_away rename to payouts' });
    expect(faulty.differences).toHaveLength(1);
    expect(faulty.skipped.join()).toMatch(/payouts/);
    expect(books).toMatchObject({ differences: [], skipped: [expect.stringMatching(/banks/)] });
    await vault.stop();
    const blind = await turn();
    expect(blind.differences).toHaveLength(1);
    expect(blind.skipped.join()).toMatch(/payouts/);
    await vault.start();
    await change(-1);
    expect(await turn()).toMatchObject({ differences: [], skipped: [] });
  }, 90_000);

  it('concludes nothing of payments at an acquirer that is not in use any more, nor of differences that it has no room for', async () => {
    const ids = [await onramp(), await onramp()];
    for (const id of ids) await plant(id);
    expect((await turn()).differences).toHaveLength(2);
    const { ctx } = world.stack;
    const narrow = await reconcileProject(ctx, world.projectId, { pauseMs: 50, findingsMax: 1 });
    expect(narrow.differences).toHaveLength(2);
    expect(narrow.skipped.join()).toMatch(/more than 1 differences/);
    const secretKey = new Secret('sk_test_unused');
    const stripe = createStripeCard({
      url: 'http://127.0.0.1:9',
      secretKey,
      publishableKey: 'pk_test',
      webhookSecrets: [],
      log: ctx.log,
    });
    for (const card of [undefined, stripe]) {
      const blind = await reconcileProject(
        { ...ctx, providers: { ...ctx.providers, card } },
        world.projectId,
        { pauseMs: 50 },
      );
      expect(blind.differences).toHaveLength(2);
      expect(blind.skipped.join()).toMatch(
        /card payments: they are at an acquirer that this instance does not use/,
      );
    }
    for (const id of ids) await plant(id, -1);
    expect(await turn()).toMatchObject({ differences: [], skipped: [] });
  }, 60_000);
});

describe('purser reconcile', () => {
  it('ends with 0 when all agree, and with 1 and a sentence for each difference otherwise', async () => {
    const id = await onramp();
    const clean = await runCommand('--full');
    expect([clean.code, clean.text]).toEqual([
      0,
      expect.stringMatching(/^\d+ compared, no differences\.$/),
    ]);
    await plant(id);
    const found = await runCommand();
    expect(found.code).toBe(1);
    expect(found.text).toMatch(
      new RegExp(
        `card +sandbox has captured 1999 units of usd of order ${id}, .* 19\\.99 USD +20\\.00 USD`,
      ),
    );
    expect(found.text).toMatch(/compared, 1 difference\.$/);
    const json = await runCommand('--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.text)).toMatchObject({
      skipped: [],
      differences: [
        {
          comparison: 'card',
          object: id,
          aspect: 'captured',
          asset: 'usd',
          expectedMinor: '1999',
          foundMinor: '2000',
        },
      ],
    });
    await plant(id, -1);
    expect((await runCommand()).code).toBe(0);
    expect((await runCommand('--history')).text).toContain(id);
  }, 90_000);
});

it('the ledger as a whole, and the banks’ own lists, are compared too', {
  tags: 'slow',
}, async () => {
  const { ctx } = world.stack;
  expect(await reconcileBooks(ctx)).toMatchObject({ differences: [], skipped: [] });
  const vault = world.stack.vault!.store;
  await vault.query({
    text: `update payouts set amount_minor = amount_minor + 1 where id = (select id from payouts where status = 'final' limit 1)`,
  });
  const { differences } = await reconcileBooks(ctx);
  expect(differences.map(({ comparison, problem }) => [comparison, problem])).toEqual([
    [
      'bank',
      expect.stringMatching(
        /^payout .* at sandbox: the amounts differ; the vault says \d+ usd, the bank \d+ usd$/,
      ),
    ],
  ]);
  expect((await reconcileBooks(withoutVault())).differences).toHaveLength(1);
});

function withoutVault() {
  const { ctx } = world.stack;
  return { ...ctx, config: { ...ctx.config, vault: undefined } };
}

async function metricsText(): Promise<string> {
  const registry = new Registry();
  addReconciliationMetrics({ registry }, world.stack.ctx);
  return registry.metrics();
}
