import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import { withoutIds } from '../../../test/harness/without-ids.ts';
import { createManualClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { testPayouts } from './payout.contract.ts';
import type { PayoutCallback, PayoutDestination, PayoutReport } from './payout.ts';
import { findRail, type PayoutRail, railTable } from './rails.ts';
import { createSandboxBank, type SandboxBank } from './sandbox.ts';
import { chooseScript, sandboxScripts } from './sandbox-script.ts';
import { aClabe, aColombianAccount, anIban, aUsAccount, startPayoutDatabase } from './test-kit.ts';

let database: TestDatabase;
let clock: ReturnType<typeof createManualClock>;
let bank: SandboxBank;
const never = new AbortController().signal;
// A Thursday, 07:00 in New York.
const thursday = new Date('2026-01-15T12:00:00.000Z');

const openBank = () =>
  createSandboxBank({
    store: database.store,
    clock,
    ids: systemIds,
    callbackSecret: new Secret('whisper'),
  });

beforeAll(async () => {
  database = await startPayoutDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  clock = createManualClock(thursday);
  bank = openBank();
});

testPayouts('sandbox', async () => {
  const own = await startPayoutDatabase();
  const ownClock = createManualClock(thursday);
  const provider = createSandboxBank({
    store: own.store,
    clock: ownClock,
    ids: systemIds,
    callbackSecret: new Secret('whisper'),
  });
  return {
    provider,
    settles: aUsAccount(),
    rejects: aUsAccount('5001'),
    losesAnswer: aUsAccount('6001'),
    rail: 'ach',
    now: ownClock.now,
    settle: async () => ownClock.advance(2 * 86_400_000),
    countTaken: async (key) => {
      const { rowCount } = await own.store.query({
        text: 'select 1 from sandbox_bank_transfers where key = $1 and taken_at is not null',
        values: [key],
      });
      return rowCount;
    },
    callBack: async (key) => {
      const callbacks: PayoutCallback[] = [];
      for (let rounds = 0; rounds < 10; rounds++) {
        await provider.deliverDue(async (callback) => void callbacks.push(callback));
        const found = callbacks.find(({ body }) => body.includes(key));
        if (found) return found;
      }
      throw new Error('no callback came');
    },
    close: own.close,
  };
});

let payouts = 0;
async function pay(destination: PayoutDestination, rail: PayoutRail) {
  const key = `sandbox_${payouts++}`;
  const introduced = await bank.introduce({ key, rail, destination }, never);
  if (introduced.status !== 'known') throw new Error(introduced.code);
  const order = {
    key,
    counterparty: introduced.counterparty,
    type: destination.type,
    entityType: destination.holder.entityType,
    rail,
    amountMinor: 500_00n,
    currency: findRail(rail, destination.type)!.currency,
    statement: 'PAYOUT',
  };
  const submit = () => bank.submit(order, never);
  const find = async () => (await bank.find({ ...order, sentAfter: thursday }, never))?.report;
  const notices = async () => (await bank.find({ ...order, sentAfter: thursday }, never))?.notices;
  return { key, order, submit, find, notices };
}

const hours = (count: number) => count * 3_600_000;
const days = (count: number) => hours(24 * count);
const brief = (report: PayoutReport | undefined) =>
  report && 'code' in report ? `${report.status} ${report.code}` : report?.status;

test('an ordinary number settles with the rail and is final when its return window is over', async () => {
  const payout = await pay(aUsAccount(), 'ach');
  expect(brief(await payout.submit())).toBe('pending');
  clock.set(new Date('2026-01-16T13:29:00Z'));
  expect(brief(await payout.find())).toBe('pending');
  clock.set(new Date('2026-01-16T13:30:00Z'));
  expect(await payout.find()).toMatchObject({
    status: 'settled',
    at: new Date('2026-01-16T13:30:00Z'),
  });
  clock.advance(days(59));
  expect(brief(await payout.find())).toBe('settled');
  clock.advance(days(1));
  expect(brief(await payout.find())).toBe('final');
});

describe.each([
  ['9002', 'R02', 1],
  ['9003', 'R03', 1],
  ['9004', 'R04', 1],
  ['9016', 'R16', 2],
  ['9020', 'R20', 2],
  ['9023', 'R23', 2],
])('an ACH payout to …1111%s', (digits, code, bankingDays) => {
  test(`settles and is returned with ${code} after ${bankingDays} banking days, not counting weekend and holiday`, async () => {
    const payout = await pay(aUsAccount(digits), 'ach');
    await payout.submit();
    // Settles on Friday; Monday is a holiday, so the first banking day after it is Tuesday the
    // 20th.
    clock.set(new Date('2026-01-17T12:00:00Z'));
    expect(brief(await payout.find())).toBe('settled');
    clock.set(new Date(`2026-01-${19 + bankingDays}T14:59:00Z`));
    expect(brief(await payout.find())).toBe('settled');
    clock.advance(60_000);
    expect(brief(await payout.find())).toBe(`returned ${code}`);
    clock.advance(days(100));
    expect(brief(await payout.find())).toBe(`returned ${code}`);
  });
});

test('rails that are final at settlement reject instead of returning, with the code of their network', async () => {
  for (const [destination, rail, code] of [
    [aUsAccount('9003'), 'rtp', 'AC01'],
    [aUsAccount('9016'), 'fednow', 'AC06'],
    [aUsAccount('9002'), 'wire', 'AC04'],
    [anIban('9023'), 'sepa-instant', 'MS02'],
    [aClabe('9020'), 'spei', 'AG01'],
  ] as const) {
    const payout = await pay(destination, rail);
    await payout.submit();
    clock.advance(hours(4));
    expect(brief(await payout.find()), rail).toBe(`rejected ${code}`);
  }
});

test('SEPA payouts are returned with ISO codes, Colombian ones with those of ACH', async () => {
  const [sepa, co] = [
    await pay(anIban('9003'), 'sepa'),
    await pay(aColombianAccount('9002'), 'ach'),
  ];
  await sepa.submit();
  await co.submit();
  clock.advance(days(7));
  expect(brief(await sepa.find())).toBe('returned AC01');
  expect(brief(await co.find())).toBe('returned R02');
});

test('a late return comes after the payout was final', async () => {
  const payout = await pay(aUsAccount('9906'), 'rtp');
  await payout.submit();
  clock.advance(60_000);
  expect(brief(await payout.find())).toBe('final');
  clock.advance(days(31));
  expect(brief(await payout.find())).toBe('returned CUST');
});

test.each([
  ['5001', 'account-invalid'],
  ['5002', 'amount-not-allowed'],
  ['5004', 'insufficient-funds'],
])('…1111%s is rejected as it is handed in: %s', async (digits, code) => {
  const payout = await pay(aUsAccount(digits), 'wire');
  expect(brief(await payout.submit())).toBe(`rejected ${code}`);
});

test('…11115003 is reviewed for an hour and rejected; …11115005 is refused before it is handed in', async () => {
  const payout = await pay(aUsAccount('5003'), 'rtp');
  expect(brief(await payout.submit())).toBe('pending');
  clock.advance(hours(1));
  expect(brief(await payout.find())).toBe('rejected compliance');
  await expect(pay(aUsAccount('5005'), 'rtp')).rejects.toThrow('account-invalid');
});

test('…11116002 loses the first call before the bank has it; …11116003 is silent for ten minutes', async () => {
  const lost = await pay(aUsAccount('6002'), 'rtp');
  await expect(lost.submit()).rejects.toThrow('without an answer');
  expect(await lost.find()).toBeUndefined();
  expect(brief(await lost.submit())).toBe('pending');
  const silent = await pay(aUsAccount('6003'), 'rtp');
  await expect(silent.submit()).rejects.toThrow('without an answer');
  await expect(silent.find()).rejects.toThrow('does not answer look-ups');
  clock.advance(600_000);
  expect(brief(await silent.find())).toBe('final');
});

test('…11116004 refuses three calls', async () => {
  const payout = await pay(aUsAccount('6004'), 'rtp');
  for (let call = 0; call < 3; call++)
    await expect(payout.submit()).rejects.toThrow('cannot be reached');
  expect(brief(await payout.submit())).toBe('pending');
});

test('slow payouts settle late, and …11117999 never', async () => {
  const [ach, rtp, none] = [
    await pay(aUsAccount('7000'), 'ach'),
    await pay(aUsAccount('7000'), 'rtp'),
    await pay(aUsAccount('7999'), 'rtp'),
  ];
  for (const payout of [ach, rtp, none]) await payout.submit();
  clock.advance(600_000);
  expect(brief(await rtp.find())).toBe('pending');
  clock.advance(15_000);
  expect(brief(await rtp.find())).toBe('final');
  clock.set(new Date('2026-01-21T13:29:00Z'));
  expect(brief(await ach.find())).toBe('pending');
  clock.advance(60_000);
  expect(brief(await ach.find())).toBe('settled');
  clock.advance(days(400));
  expect(brief(await none.find())).toBe('pending');
});

test('notices of change come the banking day after the settlement and name what to correct', async () => {
  const corrections = [];
  for (const digits of ['8001', '8002', '8005']) {
    const payout = await pay(aUsAccount(digits), 'ach');
    await payout.submit();
    clock.set(new Date('2026-01-20T14:59:00Z'));
    expect(await payout.notices()).toEqual([]);
    clock.set(new Date('2026-01-20T15:00:00Z'));
    corrections.push(
      ...(await payout.notices())!.map(({ code, corrected }) => [code, Object.keys(corrected)]),
    );
    expect(brief(await payout.find())).toBe('settled');
    clock.set(thursday);
  }
  expect(corrections).toEqual([
    ['C01', ['accountNumber']],
    ['C02', ['routingNumber']],
    ['C05', ['accountType']],
  ]);
});

test('the bank’s books outlive a restart', async () => {
  const payout = await pay(aUsAccount('9003'), 'ach');
  const { bankReference } = await payout.submit();
  bank = openBank();
  clock.advance(days(10));
  expect(await payout.find()).toMatchObject({ bankReference, status: 'returned', code: 'R03' });
});

test('its callbacks tell each step once and in order, and again what could not be handed over', async () => {
  const payout = await pay(aUsAccount('9003'), 'ach');
  await payout.submit();
  const told: string[] = [];
  const deliver = async (callback: PayoutCallback) => {
    const result = bank.readCallback(callback);
    if (result.kind !== 'event') throw new Error(result.kind);
    if (result.event.key === payout.key)
      told.push(`${result.event.id.slice(-2)} ${brief(result.event.report)}`);
  };
  await bank.deliverDue(deliver);
  expect(told).toEqual(['_0 pending']);
  clock.advance(days(10));
  await expect(
    bank.deliverDue(async () => {
      throw new Error('away');
    }),
  ).rejects.toThrow('away');
  bank = openBank();
  await bank.deliverDue(deliver);
  expect(told).toEqual(['_0 pending', '_1 settled', '_2 returned R03']);
  await bank.deliverDue(deliver);
  expect(told).toHaveLength(3);
});

test('every rail of the table can be paid on', async () => {
  const made = {
    'bank-account-us': aUsAccount,
    'bank-account-sepa-iban': anIban,
    'bank-account-mx-clabe': aClabe,
    'bank-account-co': aColombianAccount,
  };
  for (const { rail, type } of railTable) {
    const payout = await pay(made[type](), rail);
    expect(brief(await payout.submit()), `${rail} to ${type}`).toBe('pending');
    clock.advance(days(5));
    expect(brief(await payout.find()), `${rail} to ${type}`).toMatch(/^(settled|final)$/);
    clock.set(thursday);
  }
});

test('no account number is in its tables', async () => {
  const destinations = [
    aUsAccount('9003'),
    aUsAccount('8001'),
    anIban(),
    aClabe('6001'),
    aColombianAccount(),
  ];
  for (const destination of destinations) {
    const rail =
      destination.type === 'bank-account-sepa-iban'
        ? 'sepa'
        : destination.type === 'bank-account-mx-clabe'
          ? 'spei'
          : 'ach';
    await (await pay(destination, rail)).submit().catch(() => undefined);
  }
  const { rows } = await database.store.query<{ text: string }>({
    text: `select string_agg(t::text, ' ') || (select string_agg(c::text, ' ') from sandbox_bank_counterparties c) as text from sandbox_bank_transfers t`,
  });
  expect(withoutIds(rows[0]!.text)).not.toMatch(/7700|0111|DE\d\d|0020100|5500/);
});

test('the table of magic numbers in the guide is the one in force', () => {
  const guide = readFileSync(new URL('../../../docs/guides/payouts.md', import.meta.url), 'utf8');
  for (const { digits, does } of sandboxScripts)
    expect(guide).toContain(
      `| ${digits === '' ? 'any other number' : `\`…1111${digits}\``} | ${does} |`,
    );
});

test('the numbers to copy in the guide do what they are said to do', () => {
  const guide = readFileSync(new URL('../../../docs/guides/payouts.md', import.meta.url), 'utf8');
  for (const [digits, script, usAccount] of [
    ['', 'settles', '000123456789'],
    ['9003', 'returned-r03', '000011119003'],
    ['6001', 'answer-lost', '000011116001'],
  ] as const) {
    const destinations = [
      { ...aUsAccount(), accountNumber: new Secret(usAccount) },
      anIban(digits),
      aClabe(digits),
    ];
    expect(destinations.map((destination) => chooseScript(destination).name)).toEqual([
      script,
      script,
      script,
    ]);
    expect(guide).toContain(
      `| \`${usAccount}\` | \`${anIban(digits).iban.reveal()}\` | \`${aClabe(digits).clabe.reveal()}\` |`,
    );
  }
});
