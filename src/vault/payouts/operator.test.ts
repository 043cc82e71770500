import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import type { Worker } from '../../jobs/index.ts';
import { cancelFlow } from '../../jobs/index.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { BankEvent, PayoutCallback } from '../../providers/payout/payout.ts';
import { writeSandboxCallback } from '../../providers/payout/sandbox-callbacks.ts';
import { aUsAccount, startPayoutDatabase } from '../../providers/payout/test-kit.ts';
import {
  aPayoutWorker,
  aPayoutWorld,
  aVault,
  type PayoutWorld,
  pay,
  projectId,
  reached,
  takenBy,
  toldOf,
} from '../testing/payout-kit.ts';
import { type CallbackOutcome, pruneBankEvents, receiveCallback } from './callbacks.ts';
import { cancelPayout, markPayout, retryPayout, reviveUnattended } from './operator.ts';
import { findPayout, listPayouts } from './store.ts';

const destinations = new Map(
  ['', '5001', '6001', '6002', '6003', '7999', '9003'].map((digits) => [
    digits || 'settles',
    aUsAccount(digits),
  ]),
);
const operator = { actor: 'operator' };

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
  await database.store.query({
    text: `update payouts set status = 'canceled' where status not in ('final', 'rejected', 'returned')`,
  });
});

const minutes = (count: number) => count * 60_000;
const days = (count: number) => count * 86_400_000;

/** What the sandbox bank would post, made by hand. */
async function post(
  id: string,
  report: Partial<NonNullable<BankEvent['report']>> & { status: string },
  eventId = `evt_${Math.random()}`,
): Promise<CallbackOutcome> {
  const payout = (await findPayout(database.store, id))!;
  const money = { amountMinor: payout.amountMinor, currency: payout.currency };
  const bankReference = payout.bankReference ?? 'po_by_hand';
  const full = { at: world.clock.now(), money, bankReference, ...report } as NonNullable<
    BankEvent['report']
  >;
  const event: BankEvent = {
    id: eventId,
    at: world.clock.now(),
    key: payout.bankKey,
    bankReference,
    report: full,
  };
  return deliver(
    writeSandboxCallback(event, { now: world.clock.now(), secret: new Secret('whisper') }),
  );
}
const deliver = ({ headers, body }: PayoutCallback) =>
  receiveCallback(world.ctx, { provider: 'sandbox', headers, body });

describe('callbacks of a bank', () => {
  test('count once however often they come', async () => {
    const { payoutId } = await pay(world.ctx);
    await reached(world.ctx, payoutId, 'pending');
    expect(await post(payoutId, { status: 'settled' }, 'evt_once')).toBe('applied');
    expect(await post(payoutId, { status: 'settled' }, 'evt_once')).toBe('duplicate');
    expect(
      await Promise.all(
        Array.from({ length: 10 }, () => post(payoutId, { status: 'settled' }, 'evt_tenfold')),
      ),
    ).toEqual(expect.arrayContaining(['applied', 'duplicate']));
    expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted', 'settled']);
  });

  test('in any order come to the same end', async () => {
    const steps = [
      { status: 'pending' },
      { status: 'settled' },
      { status: 'returned', code: 'R02' },
    ] as const;
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [2, 0, 1],
      [0, 2, 1],
      [1, 2, 0],
    ] as const) {
      const { payoutId } = await pay(world.ctx);
      await reached(world.ctx, payoutId, 'pending');
      for (const index of order) await post(payoutId, steps[index]!);
      expect(await findPayout(database.store, payoutId)).toMatchObject({
        status: 'returned',
        code: 'R02',
      });
      const told = await toldOf(world.ctx, payoutId);
      expect(told.filter((type) => type !== 'settled')).toEqual(['submitted', 'returned R02']);
    }
  });

  test('resolve what look-ups could not', async () => {
    const { payoutId } = await pay(world.ctx, { to: '6003' });
    await reached(world.ctx, payoutId, 'unknown');
    await post(payoutId, { status: 'settled' });
    expect(await findPayout(database.store, payoutId)).toMatchObject({
      status: 'settled',
      calls: 1,
    });
  });

  test('about payouts of somebody else are acknowledged and change nothing', async () => {
    const event: BankEvent = {
      id: 'evt_foreign',
      at: world.clock.now(),
      key: 'not-ours',
      bankReference: 'po_foreign',
    };
    const callback = writeSandboxCallback(event, {
      now: world.clock.now(),
      secret: new Secret('whisper'),
    });
    expect(await deliver(callback)).toBe('unknown-payout');
    expect(await deliver(callback)).toBe('unknown-payout');
  });

  test('that are not signed, too old, or for a bank that is not configured are refused', async () => {
    const event: BankEvent = {
      id: 'evt_x',
      at: world.clock.now(),
      key: 'k',
      bankReference: 'po_x',
    };
    const callback = writeSandboxCallback(event, {
      now: world.clock.now(),
      secret: new Secret('whisper'),
    });
    await expect(deliver({ ...callback, headers: {} })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await expect(
      receiveCallback(world.ctx, { ...callback, provider: 'column' }),
    ).rejects.toMatchObject({ code: 'route-not-found' });
    world.clock.advance(minutes(6));
    await expect(deliver(callback)).rejects.toMatchObject({
      code: 'validation-error',
      message: expect.stringContaining('window'),
    });
  });

  test('are forgotten after three months', async () => {
    const { payoutId } = await pay(world.ctx);
    await reached(world.ctx, payoutId, 'pending');
    await post(payoutId, { status: 'settled' });
    world.clock.advance(days(89));
    expect(await pruneBankEvents(world.ctx)).toBe(0);
    world.clock.advance(days(2));
    expect(await pruneBankEvents(world.ctx)).toBeGreaterThan(0);
  });
});

describe('what contradicts is left to an operator, told once, and moves nothing', () => {
  test.each([
    ['a settlement after a rejection', '5001', 'rejected', {}],
    ['another amount', 'settles', 'pending', { amount: '1' }],
    ['another currency', 'settles', 'pending', { currency: 'eur' }],
  ])(
    '%s',
    async (_, to, status, {
      amount = '50000',
      currency = 'usd',
    }: { amount?: string; currency?: string }) => {
      const report = {
        status: 'settled',
        money: { amountMinor: BigInt(amount), currency },
      } as const;
      const { payoutId } = await pay(world.ctx, { to });
      await reached(world.ctx, payoutId, status);
      await post(payoutId, report);
      await post(payoutId, report);
      expect(await findPayout(database.store, payoutId)).toMatchObject({
        status,
        attention: expect.stringContaining('the bank'),
      });
      expect(
        (await toldOf(world.ctx, payoutId)).filter((type) => type === 'attention-needed'),
      ).toHaveLength(1);
    },
  );

  test('a bank that rejects what it settled', async () => {
    const { payoutId } = await pay(world.ctx);
    await reached(world.ctx, payoutId, 'pending');
    await post(payoutId, { status: 'settled' });
    await post(payoutId, { status: 'rejected', code: 'AC04' });
    expect(await findPayout(database.store, payoutId)).toMatchObject({
      status: 'settled',
      code: null,
    });
    expect(await toldOf(world.ctx, payoutId)).toEqual(['submitted', 'settled', 'attention-needed']);
  });

  test('a bank that has what was cancelled here: while it can still be stopped there', async () => {
    const payoutId = await aCanceled();
    await post(payoutId, { status: 'pending' });
    expect(await findPayout(database.store, payoutId)).toMatchObject({
      status: 'canceled',
      attention: expect.stringContaining('the bank has it'),
    });
    expect(await toldOf(world.ctx, payoutId)).toEqual(['canceled', 'attention-needed']);
  });
});

/** One that an operator cancelled before it was handed in. */
async function aCanceled(): Promise<string> {
  vault.failNext(1_000);
  const { payoutId } = await pay(world.ctx);
  await eventually('it was tried', async () => vault.opened.length > 0);
  await reached(world.ctx, payoutId, 'accepted');
  await cancelPayout(world.ctx, { payoutId, ...operator });
  vault.failNext(0);
  return payoutId;
}

/** One whose key is too old to be used again: the bank never had it. */
async function anAbandoned(): Promise<string> {
  const { payoutId } = await pay(world.ctx, { to: '6002' });
  await reached(world.ctx, payoutId, 'unknown');
  world.clock.advance(days(30));
  await reached(world.ctx, payoutId, 'needs-operator');
  return payoutId;
}

describe('an operator', () => {
  test('retries: the payout is looked up again, and asks again when that changes nothing', async () => {
    const { payoutId } = await pay(world.ctx, { to: '7999', rail: 'rtp' });
    await reached(world.ctx, payoutId, 'pending');
    world.clock.advance(minutes(70));
    await reached(world.ctx, payoutId, 'needs-operator');
    expect(await retryPayout(world.ctx, { payoutId, ...operator })).toMatchObject({
      status: 'unknown',
    });
    await reached(world.ctx, payoutId, 'pending');
    world.clock.advance(minutes(61));
    await reached(world.ctx, payoutId, 'needs-operator');
    expect(
      (await toldOf(world.ctx, payoutId)).filter((type) => type === 'attention-needed'),
    ).toHaveLength(2);
    expect((await takenBy(database.store)).get(`purser-${payoutId}`)).toBe(1);
    expect(vault.audited).toContain('payout.retried {"from":"needs-operator","to":"unknown"}');
  });

  test.each([
    ['settled', 'settled', ['attention-needed', 'submitted', 'settled']],
    ['rejected', 'rejected', ['attention-needed', 'rejected operator']],
    ['returned', 'returned', ['attention-needed', 'submitted', 'returned R02']],
  ] as const)('marks as %s what the bank said on the telephone', async (as, status, told) => {
    const payoutId = await anAbandoned();
    await markPayout(world.ctx, {
      payoutId,
      as,
      ...(as === 'returned' && { code: 'R02' }),
      ...operator,
    });
    expect(await findPayout(database.store, payoutId)).toMatchObject({ status });
    expect(await toldOf(world.ctx, payoutId)).toEqual(told);
    expect(vault.audited).toContain(
      `payout.marked-${as} {"from":"needs-operator","to":"${status}"}`,
    );
  });

  test('may not mark, retry or cancel what goes on by itself', async () => {
    const { payoutId } = await pay(world.ctx);
    await reached(world.ctx, payoutId, 'pending');
    for (const attempt of [
      () => markPayout(world.ctx, { payoutId, as: 'settled', ...operator }),
      () => markPayout(world.ctx, { payoutId, as: 'rejected', ...operator }),
      () => markPayout(world.ctx, { payoutId, as: 'returned', ...operator }),
      () => retryPayout(world.ctx, { payoutId, ...operator }),
      () => cancelPayout(world.ctx, { payoutId, ...operator }),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('pending'),
      });
    await expect(
      retryPayout(world.ctx, { payoutId: '00000000-0000-4000-8000-000000000000', ...operator }),
    ).rejects.toMatchObject({
      code: 'validation-error',
    });
  });

  test('cancels what was not handed in, and it never is', async () => {
    const payoutId = await aCanceled();
    world.clock.advance(days(1));
    await reached(world.ctx, payoutId, 'canceled');
    expect(await toldOf(world.ctx, payoutId)).toEqual(['canceled']);
    expect((await takenBy(database.store)).has(`purser-${payoutId}`)).toBe(false);
  });

  test('is asked when its own work failed too often, and can start it again', async () => {
    vault.failNext(1_000_000);
    const { payoutId } = await pay(world.ctx);
    for (
      let round = 0;
      round < 80 && (await findPayout(database.store, payoutId))!.status === 'accepted';
      round++
    ) {
      world.clock.advance(minutes(16));
      await reached(world.ctx, payoutId, 'accepted', 'needs-operator');
    }
    expect(await findPayout(database.store, payoutId)).toMatchObject({
      status: 'needs-operator',
      calls: 0,
    });
    vault.failNext(0);
    await retryPayout(world.ctx, { payoutId, ...operator });
    await reached(world.ctx, payoutId, 'pending');
    expect(await toldOf(world.ctx, payoutId)).toEqual(['attention-needed', 'submitted']);
  });

  test('lists payouts by status, project and object', async () => {
    const { payoutId } = await pay(world.ctx);
    await reached(world.ctx, payoutId, 'pending');
    expect(
      (
        await listPayouts(database.store, {
          status: 'pending',
          projectId,
          object: `order:${payoutId}`,
        })
      ).map(({ id }) => id),
    ).toContain(payoutId);
    expect(await listPayouts(database.store, { object: 'order:none' })).toEqual([]);
    expect((await listPayouts(database.store, { limit: 1 })).length).toBe(1);
  });
});

test('a payout whose work was removed is found and goes on', async () => {
  const { payoutId } = await pay(world.ctx, { rail: 'rtp' });
  await reached(world.ctx, payoutId, 'pending');
  const { rows } = await database.store.query<{ id: string }>({
    text: 'select id from flows where key = $1',
    values: [payoutId],
  });
  await cancelFlow(database.store, rows[0]!.id, world.clock.now());
  world.clock.advance(minutes(1));
  expect(await reviveUnattended(world.ctx)).toBe(1);
  await reached(world.ctx, payoutId, 'final');
  expect(await reviveUnattended(world.ctx)).toBe(0);
  const second = await pay(world.ctx, { rail: 'rtp' });
  await reached(world.ctx, second.payoutId, 'pending');
  await worker.stop();
  await database.store.query({
    text: 'delete from flows where key = $1',
    values: [second.payoutId],
  });
  worker = aPayoutWorker(world.ctx);
  worker.start();
  world.clock.advance(minutes(1));
  expect(await reviveUnattended(world.ctx)).toBe(1);
  await reached(world.ctx, second.payoutId, 'pending');
  world.clock.advance(minutes(1));
  await reached(world.ctx, second.payoutId, 'final');
});
