import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import { withoutIds } from '../../../test/harness/without-ids.ts';
import type { Worker } from '../../jobs/index.ts';
import { eventually } from '../../jobs/test-kit.ts';
import type { PayoutDestination } from '../../providers/payout/payout.ts';
import { payoutRails } from '../../providers/payout/rails.ts';
import {
  aClabe,
  anIban,
  aUsAccount,
  startPayoutDatabase,
} from '../../providers/payout/test-kit.ts';
import {
  aPayoutWorker,
  aPayoutWorld,
  aVault,
  deliverCallbacks,
  type PayoutWorld,
  pay,
  projectId,
  reached,
  takenBy,
  toldOf,
} from '../testing/payout-kit.ts';
import { availableRails, disburse, getPayout } from './disburse.ts';
import { readPayoutEvents } from './events.ts';
import { applyReport } from './reports.ts';
import { findPayout, lockPayout } from './store.ts';

const destinations = new Map<string, PayoutDestination>([
  ['settles', aUsAccount()],
  ['iban', anIban()],
  ['clabe', aClabe()],
  ...[
    '5001',
    '5003',
    '5005',
    '6001',
    '6002',
    '6003',
    '6004',
    '7000',
    '7999',
    '8001',
    '8002',
    '8005',
    '9003',
    '9016',
    '9906',
  ].map((digits) => [digits, aUsAccount(digits)] as const),
]);

let database: TestDatabase;
let vault: ReturnType<typeof aVault>;
let world: PayoutWorld;
let worker: Worker;

beforeAll(async () => {
  database = await startPayoutDatabase({ poolSize: 20 });
});
afterAll(() => database.close());
beforeEach(() => {
  vault = aVault(destinations);
  world = aPayoutWorld(database.store, vault.vault);
  worker = aPayoutWorker(world.ctx);
  worker.start();
});
afterEach(async () => {
  await worker.stop();
  await database.store.query({
    text: `update flows set status = 'canceled', finished_at = now() where finished_at is null`,
  });
});

interface Refusal {
  readonly overrides: Parameters<typeof pay>[1];
  readonly code: string;
  readonly message: string;
}

const minutes = (count: number) => count * 60_000;
const days = (count: number) => count * 86_400_000;
const takenOnce = async (id: string) =>
  expect((await takenBy(database.store)).get(`purser-${id}`) ?? 0).toBe(1);

describe('a payout that the bank takes', () => {
  test('is submitted, settles when its rail does, and is final when it can no longer be returned', async () => {
    const { payoutId, status } = await pay(world.ctx);
    expect(status).toBe('accepted');
    expect(await reached(world.ctx, payoutId, 'pending')).toMatchObject({
      bankReference: expect.stringMatching(/^po_/),
      calls: 1,
    });
    expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted']);
    world.clock.set(new Date('2026-01-16T13:31:00Z'));
    const settled = await reached(world.ctx, payoutId, 'settled');
    expect(settled.settledAt).toEqual(new Date('2026-01-16T13:30:00Z'));
    expect(settled.finalAt).toEqual(new Date('2026-03-17T12:30:00Z'));
    expect(vault.paidAt.get('settles')).toEqual(settled.settledAt);
    world.clock.set(new Date('2026-03-17T12:31:00Z'));
    await reached(world.ctx, payoutId, 'final');
    expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted', 'settled', 'final']);
    await takenOnce(payoutId);
  });

  test('is final as soon as the bank says so, though the window of its rail is open, and once', async () => {
    const { payoutId } = await pay(world.ctx);
    await reached(world.ctx, payoutId, 'pending');
    world.clock.advance(days(1.5));
    const { bankReference, settledAt } = await reached(world.ctx, payoutId, 'settled');
    const at = new Date(settledAt!.getTime() + minutes(1));
    for (let times = 0; times < 2; times++)
      await database.store.transaction(async (tx) =>
        applyReport(world.ctx, tx, await lockPayout(tx, payoutId), {
          status: 'final',
          bankReference: bankReference!,
          at,
        }),
      );
    expect(await findPayout(database.store, payoutId)).toMatchObject({
      status: 'final',
      finalAt: at,
    });
    expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted', 'settled', 'final']);
  });

  test('on a rail that is final at settlement is settled and final at once', async () => {
    for (const [to, rail, currency] of [
      ['settles', 'rtp', 'usd'],
      ['settles', 'fednow', 'usd'],
      ['iban', 'sepa-instant', 'eur'],
      ['clabe', 'spei', 'mxn'],
    ] as const) {
      const { payoutId } = await pay(world.ctx, { to, rail, currency });
      await reached(world.ctx, payoutId, 'pending');
      world.clock.advance(minutes(1));
      await reached(world.ctx, payoutId, 'final');
      expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted', 'settled', 'final']);
    }
  });

  test('is returned with the bank’s code within its window, and the main side is told why', async () => {
    const { payoutId } = await pay(world.ctx, { to: '9003' });
    await reached(world.ctx, payoutId, 'pending');
    world.clock.advance(days(1.5));
    await reached(world.ctx, payoutId, 'settled');
    world.clock.advance(days(6));
    await reached(world.ctx, payoutId, 'returned');
    expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted', 'settled', 'returned R03']);
    expect(await getPayout(world.ctx, { projectId, payoutId })).toMatchObject({
      status: 'returned',
      code: 'R03',
      reason: 'account-unknown',
      accountUnusable: true,
    });
  });

  test('may be returned after it was final, when the bank says so, and is told as late', async () => {
    const { payoutId } = await pay(world.ctx, { to: '9906', rail: 'wire' });
    await reached(world.ctx, payoutId, 'pending');
    world.clock.advance(days(1));
    await reached(world.ctx, payoutId, 'final');
    world.clock.advance(days(40));
    await deliverCallbacks(world);
    await reached(world.ctx, payoutId, 'returned');
    const { rows } = await database.store.query<{ late: boolean }>({
      text: `select (data->>'late')::boolean as late from outbox where object = $1 and type = 'payouts.returned'`,
      values: [`payout:${payoutId}`],
    });
    expect(rows).toEqual([{ late: true }]);
  });

  test('corrects the saved account once when the receiving bank asks for it, and settles all the same', async () => {
    for (const [to, code, correction] of [
      ['8001', 'C01', { accountNumber: expect.anything() }],
      ['8002', 'C02', { routingNumber: '021000021' }],
      ['8005', 'C05', { accountType: 'savings' }],
    ] as const) {
      world.clock.set(new Date('2026-01-15T12:00:00Z'));
      const { payoutId } = await pay(world.ctx, { to });
      await reached(world.ctx, payoutId, 'pending');
      world.clock.advance(days(6));
      await reached(world.ctx, payoutId, 'settled');
      await deliverCallbacks(world);
      await eventually('the notice is told', async () =>
        (await toldOf(world.ctx, payoutId)).includes(`notice-of-change ${code}`),
      );
      world.clock.advance(days(70));
      await reached(world.ctx, payoutId, 'final');
      expect(vault.corrections.filter(({ id }) => id === to)).toEqual([{ id: to, correction }]);
      expect(
        (await toldOf(world.ctx, payoutId)).filter((told) => told.startsWith('notice')),
      ).toHaveLength(1);
    }
    expect(vault.corrections[0]!.correction.accountNumber?.reveal()).toBe('000123456789');
  });

  test('and is slow is waited for; one that never settles needs an operator after its time', async () => {
    const slow = await pay(world.ctx, { to: '7000' });
    const never = await pay(world.ctx, { to: '7999', rail: 'rtp' });
    await reached(world.ctx, slow.payoutId, 'pending');
    await reached(world.ctx, never.payoutId, 'pending');
    world.clock.advance(minutes(62));
    await reached(world.ctx, never.payoutId, 'needs-operator');
    world.clock.set(new Date('2026-01-20T13:40:00Z'));
    await reached(world.ctx, slow.payoutId, 'pending');
    world.clock.set(new Date('2026-01-21T13:40:00Z'));
    await reached(world.ctx, slow.payoutId, 'settled');
    world.clock.advance(days(40));
    await reached(world.ctx, never.payoutId, 'needs-operator');
    expect(await toldOf(world.ctx, never.payoutId)).toEqual(['submitted', 'attention-needed']);
  });
});

describe('a payout that the bank refuses', () => {
  test('is rejected with a code, at once or after a review', async () => {
    const atOnce = await pay(world.ctx, { to: '5001', rail: 'rtp' });
    await reached(world.ctx, atOnce.payoutId, 'rejected');
    expect(await toldOf(world.ctx, atOnce.payoutId)).toEqual(['rejected account-invalid']);
    const reviewed = await pay(world.ctx, { to: '5003' });
    await reached(world.ctx, reviewed.payoutId, 'pending');
    world.clock.advance(days(1));
    await reached(world.ctx, reviewed.payoutId, 'rejected');
    expect(await toldOf(world.ctx, reviewed.payoutId)).toEqual([
      'submitted',
      'rejected compliance',
    ]);
  });

  test('because of its destination is rejected before any call that moves money', async () => {
    const { payoutId } = await pay(world.ctx, { to: '5005' });
    expect(await reached(world.ctx, payoutId, 'rejected')).toMatchObject({
      calls: 0,
      code: 'account-invalid',
    });
  });

  test('because its method was deleted in between is rejected', async () => {
    const gone = new Map(destinations);
    const forgetful = aVault(gone);
    const ctx = { ...world.ctx, payouts: { ...world.ctx.payouts, vault: forgetful.vault } };
    await worker.stop();
    const { payoutId } = await pay(ctx);
    gone.delete('settles');
    worker = aPayoutWorker(ctx);
    worker.start();
    expect(await reached(ctx, payoutId, 'rejected')).toMatchObject({
      calls: 0,
      code: 'method-unusable',
    });
  });
});

describe('when nobody knows whether the bank has it', () => {
  test('it is looked up and not sent again', async () => {
    const { payoutId } = await pay(world.ctx, { to: '6001', rail: 'rtp' });
    expect(await reached(world.ctx, payoutId, 'pending')).toMatchObject({ calls: 1 });
    world.clock.advance(minutes(1));
    expect(await reached(world.ctx, payoutId, 'final')).toMatchObject({ calls: 1 });
    await takenOnce(payoutId);
  });

  test('and look-ups fail too, it waits until they do not', async () => {
    const { payoutId } = await pay(world.ctx, { to: '6003', rail: 'rtp' });
    await reached(world.ctx, payoutId, 'unknown');
    for (let minute = 0; minute < 9; minute++) {
      world.clock.advance(minutes(1));
      await reached(world.ctx, payoutId, 'unknown');
    }
    world.clock.advance(minutes(20));
    expect(await reached(world.ctx, payoutId, 'final')).toMatchObject({ calls: 1 });
    await takenOnce(payoutId);
  });

  test('it is sent again under its key only when a look-up that is late enough finds nothing', async () => {
    const { payoutId } = await pay(world.ctx, { to: '6002', rail: 'rtp' });
    expect(await reached(world.ctx, payoutId, 'unknown')).toMatchObject({ calls: 1 });
    world.clock.advance(1_999);
    expect(await reached(world.ctx, payoutId, 'unknown')).toMatchObject({ calls: 1 });
    world.clock.advance(1);
    expect(await reached(world.ctx, payoutId, 'pending')).toMatchObject({ calls: 2 });
    await takenOnce(payoutId);
  });

  test('and the key is too old to be sent again, an operator is asked', async () => {
    const { payoutId } = await pay(world.ctx, { to: '6002', rail: 'rtp' });
    await reached(world.ctx, payoutId, 'unknown');
    world.clock.advance(days(30));
    expect(await reached(world.ctx, payoutId, 'needs-operator')).toMatchObject({ calls: 1 });
    expect(await toldOf(world.ctx, payoutId)).toEqual(['attention-needed']);
    expect((await takenBy(database.store)).has(`purser-${payoutId}`)).toBe(false);
  });
});

test('a bank that cannot be reached is called again, with pauses, under the same key', async () => {
  const { payoutId } = await pay(world.ctx, { to: '6004', rail: 'rtp' });
  for (const calls of [1, 2, 3]) {
    // It is accepted before the bank is called, too.
    await eventually(
      `call ${calls} failed`,
      async () => (await reached(world.ctx, payoutId, 'accepted')).calls === calls,
    );
    world.clock.advance(minutes(1));
  }
  expect(await reached(world.ctx, payoutId, 'pending')).toMatchObject({ calls: 4 });
  await takenOnce(payoutId);
});

test('a key service that is away delays the payout and loses nothing', async () => {
  vault.failNext(3);
  const { payoutId } = await pay(world.ctx, { rail: 'rtp' });
  for (let tries = 1; tries <= 3; tries++) {
    await eventually('the try failed', async () => vault.opened.length >= tries);
    await reached(world.ctx, payoutId, 'accepted');
    world.clock.advance(minutes(1));
  }
  expect(await reached(world.ctx, payoutId, 'pending')).toMatchObject({ calls: 1 });
});

describe('asked twice', () => {
  test('with the same id it is one payout, also for fifty at once', async () => {
    const first = await pay(world.ctx);
    await reached(world.ctx, first.payoutId, 'pending');
    const again = await Promise.all(
      Array.from({ length: 50 }, () => pay(world.ctx, { id: first.payoutId })),
    );
    expect(new Set(again.map(({ payoutId, status }) => `${payoutId} ${status}`))).toEqual(
      new Set([`${first.payoutId} pending`]),
    );
    const id = '99999999-9999-4999-8999-999999999999';
    await Promise.all(Array.from({ length: 50 }, () => pay(world.ctx, { id })));
    await reached(world.ctx, id, 'pending');
    await takenOnce(first.payoutId);
    await takenOnce(id);
  });

  test('with the same id and anything else it is refused', async () => {
    const { payoutId } = await pay(world.ctx);
    for (const other of [{ amountMinor: 1n }, { to: '9003' }, { rail: 'wire' }])
      await expect(pay(world.ctx, { id: payoutId, ...other })).rejects.toMatchObject({
        code: 'idempotency-key-reused',
      });
    await expect(
      disburse(world.ctx, {
        projectId: '22222222-2222-4222-8222-222222222222',
        paymentMethodId: 'settles',
        payout: {
          id: payoutId,
          object: 'order:1',
          rail: 'ach',
          amountMinor: 500_00n,
          currency: 'usd',
        },
      }),
    ).rejects.toMatchObject({ code: 'idempotency-key-reused' });
  });
});

describe('what cannot be paid is refused before it is stored', () => {
  test('a rail that does not reach the method, with the rails that do', async () => {
    for (const [to, rail, supported] of [
      ['settles', 'sepa', ['ach', 'same-day-ach', 'wire', 'rtp', 'fednow']],
      ['iban', 'ach', ['sepa', 'sepa-instant', 'swift']],
      ['clabe', 'ach', ['spei']],
    ] as const)
      await expect(pay(world.ctx, { to, rail })).rejects.toMatchObject({
        code: 'rail-not-supported',
        message: expect.stringContaining(supported.join(', ')),
        details: { parameters: { status: 'active', supported } },
      });
    await expect(pay(world.ctx, { to: 'card', rail: 'ach' })).rejects.toMatchObject({
      code: 'rail-not-supported',
      details: { parameters: { status: 'unavailable', supported: [] } },
    });
  });

  test.each(
    [
      [{ to: 'nobody' }, 'payment-method-not-found', ''],
      [{ amountMinor: 0n }, 'validation-error', 'above zero'],
      [{ amountMinor: -5n }, 'validation-error', 'above zero'],
      [{ rail: 'rtp', amountMinor: 10_000_000_01n }, 'validation-error', 'at most 1000000000'],
      [{ currency: 'eur' }, 'validation-error', 'pays usd'],
      [{ id: 'order-1' }, 'validation-error', 'UUID'],
    ].map(([overrides, code, message]) => ({ overrides, code, message }) as Refusal),
  )('$code $message', async ({ overrides, code, message }) => {
    await expect(pay(world.ctx, overrides)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('a provider that is not on the allow-list', async () => {
    const ctx = { ...world.ctx, payouts: { ...world.ctx.payouts, providers: [] } };
    await expect(pay(ctx)).rejects.toMatchObject({ code: 'rail-not-supported' });
    expect(availableRails(ctx, 'bank-account-us')).toEqual([]);
    expect(availableRails(world.ctx, 'bank-account-us')).toEqual(payoutRails.slice(0, 5));
  });
});

test('the events are read in order, again from the same place, and by id only once', async () => {
  const [first, second] = [
    await pay(world.ctx, { rail: 'rtp' }),
    await pay(world.ctx, { rail: 'rtp' }),
  ];
  for (const { payoutId } of [first, second]) await reached(world.ctx, payoutId, 'pending');
  world.clock.advance(minutes(1));
  for (const { payoutId } of [first, second]) await reached(world.ctx, payoutId, 'final');
  const seen: { id: string; position: bigint; type: string }[] = [];
  for (let after = 0n; ; ) {
    const page = await readPayoutEvents(world.ctx, { afterPosition: after, limit: 2 });
    expect(await readPayoutEvents(world.ctx, { afterPosition: after, limit: 2 })).toEqual(page);
    if (page.events.length === 0) break;
    seen.push(
      ...page.events.map(({ id, position, type }) => ({ id, position: BigInt(position), type })),
    );
    after = seen.at(-1)!.position;
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  expect(seen.map(({ position }) => position)).toEqual(
    seen.map(({ position }) => position).toSorted((a, b) => Number(a - b)),
  );
  expect(seen.length).toBeGreaterThanOrEqual(6);
});

test('no account number is in any table, log line or answer, whatever went wrong', async () => {
  const views = [];
  for (const [to, rail] of [
    ['settles', 'ach'],
    ['5001', 'rtp'],
    ['5005', 'rtp'],
    ['6001', 'rtp'],
    ['6002', 'rtp'],
    ['8001', 'ach'],
    ['9003', 'ach'],
  ] as const)
    views.push(await pay(world.ctx, { to, rail }));
  for (const { payoutId } of views)
    await reached(world.ctx, payoutId, 'pending', 'unknown', 'rejected');
  world.clock.advance(minutes(1));
  for (const { payoutId } of views)
    await reached(world.ctx, payoutId, 'pending', 'final', 'rejected');
  world.clock.advance(days(7));
  const answers = [];
  for (const { payoutId } of views) {
    await reached(world.ctx, payoutId, 'settled', 'final', 'returned', 'rejected');
    answers.push((await getPayout(world.ctx, { projectId, payoutId }))!);
    expect(await findPayout(database.store, payoutId)).toBeDefined();
  }
  await deliverCallbacks(world);
  const { rows: tables } = await database.store.query<{ name: string }>({
    text: `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  });
  let text = `${JSON.stringify([views, answers])}${world.logged.join('')}`;
  for (const { name } of tables) {
    const { rows } = await database.store.query<{ text: string | null }>({
      text: `select string_agg(t::text, ' ') as text from ${name} t`,
    });
    text += rows[0]!.text ?? '';
  }
  expect(text).toContain(views[0]!.payoutId);
  // Every number of this file begins with these digits; the second is what a notice of change
  // corrects to.
  expect(withoutIds(text)).not.toMatch(/7700|000123456789|0532013000|07777777777/);
});
