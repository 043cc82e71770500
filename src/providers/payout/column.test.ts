import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withoutIds } from '../../../test/harness/without-ids.ts';
import { createManualClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { createColumn } from './column.ts';
import { columnSecrets, type Fault, startColumnStandIn } from './column-kit.ts';
import { readCorrectedData } from './corrected-data.ts';
import { testPayouts } from './payout.contract.ts';
import {
  type PayoutDestination,
  PayoutNotSentError,
  type PayoutOrder,
  PayoutOutcomeUnknownError,
  type PayoutProvider,
  PayoutUnavailableError,
} from './payout.ts';
import type { PayoutRail } from './rails.ts';
import { anIban, aUsAccount } from './test-kit.ts';

type StandIn = Awaited<ReturnType<typeof startColumnStandIn>>;

const connect = (bank: StandIn, clock: { now(): Date }, options: { timeoutMs?: number } = {}) =>
  createColumn({
    url: `${bank.url}/`,
    apiKey: new Secret(columnSecrets.apiKey),
    bankAccountId: bank.bankAccountId,
    webhookSecrets: [new Secret('whsec_next'), new Secret(columnSecrets.webhook)],
    clock,
    ...options,
  });

testPayouts('column', async () => {
  const clock = createManualClock();
  const bank = await startColumnStandIn(clock.now);
  return {
    provider: connect(bank, clock),
    settles: aUsAccount(),
    rejects: aUsAccount('5001'),
    losesAnswer: aUsAccount('6001'),
    rail: 'ach',
    now: clock.now,
    settle: async () => {
      for (const transfer of bank.transfers) transfer.status = 'SETTLED';
    },
    countTaken: async (key) => bank.transfers.filter((transfer) => transfer.key === key).length,
    callBack: async (key) =>
      bank.anEvent(
        bank.transfers.find((transfer) => transfer.key === key)!,
        'ach.outgoing_transfer.submitted',
      ),
    takeDown: async () => {
      await bank.stopListening();
      return bank.listenAgain;
    },
    close: bank.close,
  };
});

const never = new AbortController().signal;
let bank: StandIn;
let clock: ReturnType<typeof createManualClock>;
let column: PayoutProvider;
let keys = 0;

beforeEach(async () => {
  clock = createManualClock();
  bank = await startColumnStandIn(clock.now);
  column = connect(bank, clock, { timeoutMs: 300 });
});
afterEach(() => bank.close());

async function anOrder(
  rail: PayoutRail = 'ach',
  destination: PayoutDestination = aUsAccount(),
): Promise<PayoutOrder> {
  const key = `column_${keys++}`;
  const introduced = await column.introduce({ key, rail, destination }, never);
  if (introduced.status !== 'known') throw new Error(introduced.code);
  return {
    key,
    counterparty: introduced.counterparty,
    type: 'bank-account-us',
    entityType: destination.holder.entityType,
    rail,
    amountMinor: 1_234_56n,
    currency: 'usd',
    statement: 'PAYOUT',
  };
}
const find = (order: PayoutOrder, bankReference?: string) =>
  column.find({ ...order, bankReference, sentAfter: clock.now() }, never);

describe('what is sent', () => {
  test('a counterparty with number, name and address, in letters that banks read', async () => {
    const destination = aUsAccount();
    const order = await anOrder('wire', {
      ...destination,
      holder: { ...destination.holder, name: 'Zoë  Ødegård–Ñuñez 東京' },
    });
    expect(order.counterparty).toBe('cpty_1');
    expect(bank.requests[0]!.headers['idempotency-key']).toBe(`${order.key}-to`);
    expect(Object.fromEntries(bank.counterparties.get('cpty_1')!)).toEqual({
      routing_number: '021000021',
      account_number: '770000424242',
      account_type: 'checking',
      name: 'Zoe degard Nunez',
      legal_type: 'individual',
      'address[line_1]': '1 Main St',
      'address[city]': 'Springfield',
      'address[state]': 'IL',
      'address[postal_code]': '62701',
      'address[country_code]': 'US',
    });
  });

  test.each([
    ['ach', '/transfers/ach', { type: 'CREDIT', entry_class_code: 'PPD', same_day: 'false' }],
    [
      'same-day-ach',
      '/transfers/ach',
      { type: 'CREDIT', entry_class_code: 'PPD', same_day: 'true' },
    ],
    ['wire', '/transfers/wire', {}],
    ['rtp', '/transfers/realtime', {}],
    ['fednow', '/transfers/realtime', {}],
  ] as [PayoutRail, string, Record<string, string>][])(
    '%s goes to %s in cents, with our key and without overdraft',
    async (rail, path, form) => {
      const order = await anOrder(rail);
      await column.submit(order, never);
      const sent = bank.requests.at(-1)!;
      expect([sent.method, sent.url, sent.headers['idempotency-key']]).toEqual([
        'POST',
        path,
        order.key,
      ]);
      expect(Object.fromEntries(sent.form)).toMatchObject({
        amount: '123456',
        currency_code: 'USD',
        bank_account_id: 'bacc_house',
        counterparty_id: order.counterparty,
        allow_overdraft: 'false',
        ...form,
      });
    },
  );

  test('credits to companies are entries of another class', async () => {
    const destination = aUsAccount();
    await column.submit(
      await anOrder('ach', {
        ...destination,
        holder: { ...destination.holder, entityType: 'business' },
      }),
      never,
    );
    expect(bank.requests.at(-1)!.form.get('entry_class_code')).toBe('CCD');
  });

  test('other schemes than US accounts are refused without a call', async () => {
    expect(
      await column.introduce({ key: 'iban', rail: 'sepa', destination: anIban() }, never),
    ).toEqual({
      status: 'rejected',
      code: 'bank-unreachable',
    });
    expect(bank.requests).toEqual([]);
  });
});

describe('when a call goes wrong', () => {
  const afterwards: Fault[] = [
    'time-out-after',
    'reset-after',
    '500-after',
    'html-after',
    'half-after',
    'wrong-shape-after',
  ];

  test.each(afterwards)(
    '%s: the outcome is unknown, a look-up finds the one transfer, and so does a repeated call',
    async (fault) => {
      const order = await anOrder();
      bank.faults.push(fault);
      await expect(column.submit(order, never)).rejects.toThrow(PayoutOutcomeUnknownError);
      expect(await find(order)).toMatchObject({
        report: { status: 'pending', bankReference: bank.transfers[0]!.id },
      });
      expect((await column.submit(order, never)).bankReference).toBe(bank.transfers[0]!.id);
      expect(bank.transfers).toHaveLength(1);
    },
  );

  test.each(['time-out-before', '500-before', '409', 'redirect'] as Fault[])(
    '%s: the outcome is unknown, and a look-up finds nothing',
    async (fault) => {
      const order = await anOrder();
      bank.faults.push(fault);
      await expect(column.submit(order, never)).rejects.toThrow(PayoutOutcomeUnknownError);
      expect(await find(order)).toBeUndefined();
    },
  );

  test.each(['401', '429'] as Fault[])('%s: it was certainly not taken', async (fault) => {
    const order = await anOrder();
    bank.faults.push(fault);
    const error = await column.submit(order, never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PayoutNotSentError);
    expect((error as PayoutNotSentError).retryAfterMs).toBe(fault === '429' ? 7_000 : undefined);
    expect(bank.transfers).toEqual([]);
  });

  test.each(['time-out-before', '500-before', '401', '429', 'redirect'] as Fault[])(
    'a look-up that meets %s proves nothing',
    async (fault) => {
      const order = await anOrder();
      bank.faults.push(fault);
      await expect(find(order)).rejects.toThrow(PayoutUnavailableError);
      bank.faults.push(fault);
      await expect(find(order, 'acht_1')).rejects.toThrow(PayoutUnavailableError);
    },
  );

  test('an abort during the call leaves the outcome unknown, one before it does not', async () => {
    const order = await anOrder();
    bank.faults.push('time-out-after');
    const aborter = new AbortController();
    const call = column.submit(order, aborter.signal);
    setTimeout(() => aborter.abort(), 20);
    await expect(call).rejects.toThrow(PayoutOutcomeUnknownError);
    await expect(column.submit(order, AbortSignal.abort())).rejects.toThrow(PayoutNotSentError);
  });

  test('a refusal is given in our words, and what the bank said about the account is not repeated', async () => {
    const report = await column.submit(await anOrder('ach', aUsAccount('5001')), never);
    expect(report).toMatchObject({ status: 'rejected', code: 'account-invalid' });
    expect(withoutIds(inspect(report))).not.toContain('7700');
    await expect(anOrder('ach', aUsAccount('5005'))).rejects.toThrow('account-invalid');
  });

  test('a transfer of another amount or key is never taken for ours', async () => {
    const order = await anOrder();
    await column.submit(order, never);
    bank.transfers[0]!.more = { amount: 1 };
    await expect(column.submit(order, never)).rejects.toThrow(PayoutNotSentError);
    bank.transfers[0]!.more = { idempotency_key: 'other' };
    await expect(find(order, bank.transfers[0]!.id)).rejects.toThrow(PayoutUnavailableError);
    expect(await find(order)).toBeUndefined();
  });
});

describe('what the bank’s states mean', () => {
  test.each([
    ['ach', 'INITIATED', 'pending'],
    ['ach', 'PENDING_SUBMISSION', 'pending'],
    ['ach', 'MANUAL_REVIEW', 'pending'],
    ['ach', 'SUBMITTED', 'pending'],
    ['ach', 'A_WORD_OF_TOMORROW', 'pending'],
    ['ach', 'SETTLED', 'settled'],
    ['ach', 'COMPLETED', 'final'],
    ['ach', 'RETURNED', 'returned R03'],
    ['ach', 'CANCELED', 'rejected canceled'],
    ['wire', 'SUBMITTED', 'pending'],
    ['wire', 'COMPLETED', 'final'],
    ['wire', 'REJECTED', 'rejected AC04'],
    ['rtp', 'accepted', 'pending'],
    ['rtp', 'completed', 'final'],
    ['rtp', 'rejected', 'rejected AC04'],
    ['rtp', 'manual_review_rejected', 'rejected compliance'],
  ] as [PayoutRail, string, string][])('%s %s: %s', async (rail, status, expected) => {
    const order = await anOrder(rail);
    const { bankReference } = await column.submit(order, never);
    Object.assign(bank.transfers[0]!, {
      status,
      more: { return_details: [{ return_code: 'R03' }], rejection_code: 'AC04' },
    });
    const report = (await find(order, bankReference))!.report;
    expect('code' in report ? `${report.status} ${report.code}` : report.status).toBe(expected);
  });

  test('the bank’s own times are kept', async () => {
    const order = await anOrder();
    await column.submit(order, never);
    Object.assign(bank.transfers[0]!, {
      status: 'SETTLED',
      more: { settled_at: '2026-01-16T08:30:00-05:00' },
    });
    expect((await find(order))!.report.at).toEqual(new Date('2026-01-16T13:30:00Z'));
  });

  test('a transfer that vanished is not found', async () => {
    expect(await find(await anOrder(), 'acht_404')).toBeUndefined();
  });
});

describe('its webhooks', () => {
  test('carry the state, in any order and any number of times, under an id that stays', async () => {
    const order = await anOrder();
    await column.submit(order, never);
    const transfer = bank.transfers[0]!;
    const settled = bank.anEvent(transfer, 'ach.outgoing_transfer.settled', {
      id: 'evnt_s',
      data: { status: 'SETTLED' },
    });
    const submitted = bank.anEvent(transfer, 'ach.outgoing_transfer.submitted', {
      data: { status: 'SUBMITTED' },
    });
    for (const [callback, status] of [
      [settled, 'settled'],
      [submitted, 'pending'],
      [settled, 'settled'],
    ] as const)
      expect(column.readCallback(callback)).toMatchObject({
        kind: 'event',
        event: { key: order.key, report: { status } },
      });
    expect(column.readCallback(settled)).toMatchObject({ event: { id: 'evnt_s' } });
  });

  test('about anything but outgoing transfers are genuine and ignored', async () => {
    await column.submit(await anOrder(), never);
    for (const type of [
      'ach.incoming_transfer.settled',
      'book.transfer.completed',
      'identity.created',
    ])
      expect(column.readCallback(bank.anEvent(bank.transfers[0]!, type))).toMatchObject({
        kind: 'ignored',
      });
  });

  test('are taken for a week after the event, and not from the future', async () => {
    await column.submit(await anOrder(), never);
    const callback = bank.anEvent(bank.transfers[0]!, 'ach.outgoing_transfer.submitted');
    const arriving = (hours: number) =>
      column.readCallback({
        ...callback,
        receivedAt: new Date(clock.now().getTime() + hours * 3_600_000),
      }).kind;
    expect([arriving(0), arriving(167), arriving(169), arriving(-1)]).toEqual([
      'event',
      'event',
      'refused',
      'refused',
    ]);
  });

  test('about a notice of change name the correction, with the number as a secret', async () => {
    const order = await anOrder();
    await column.submit(order, never);
    const callback = bank.anEvent(bank.transfers[0]!, 'ach.outgoing_transfer.noc', {
      data: { status: 'SETTLED', change_code: 'C01', corrected_data: '000123456789'.padEnd(29) },
    });
    const result = column.readCallback(callback);
    if (result.kind !== 'event') throw new Error(result.kind);
    expect(result.event.notice).toMatchObject({ code: 'C01', id: `${bank.transfers[0]!.id}_C01` });
    expect(result.event.notice?.corrected.accountNumber?.reveal()).toBe('000123456789');
    expect(inspect(result, { depth: 10 })).not.toContain('000123456789');
  });
});

test.each([
  ['C01', '1234567890       ', { accountNumber: '1234567890' }],
  ['C02', '021000021', { routingNumber: '021000021' }],
  ['C03', '021000021   1234567890', { routingNumber: '021000021', accountNumber: '1234567890' }],
  ['C05', '32', { accountType: 'savings' }],
  ['C05', '22', { accountType: 'checking' }],
  [
    'C06',
    `${'1234567890'.padEnd(17)}   32`,
    { accountNumber: '1234567890', accountType: 'savings' },
  ],
  [
    'C07',
    `021000021${'1234567890'.padEnd(17)}22`,
    { routingNumber: '021000021', accountNumber: '1234567890', accountType: 'checking' },
  ],
  ['C05', '99', {}],
  ['C02', '12', {}],
  ['C01', '', {}],
  ['C09', 'whatever', {}],
])('the corrected data of %s reads %j', (code, data, expected) => {
  const { accountNumber, ...rest } = readCorrectedData(code, data);
  expect({ ...rest, ...(accountNumber && { accountNumber: accountNumber.reveal() }) }).toEqual(
    expected,
  );
});
