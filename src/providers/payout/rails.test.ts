import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addBankingDays,
  addDays,
  holidaysOf,
  instantOf,
  isBankingDay,
  localTimeOf,
} from './banking-calendar.ts';
import {
  expectSettlement,
  finalAt,
  findRail,
  type PayoutAccountType,
  type PayoutRail,
  railTable,
} from './rails.ts';

describe('banking days', () => {
  // Schedules as the Federal Reserve Banks publish them.
  test.each([
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25'],
    [2028, '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25'],
    [2029, '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
    [2030, '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
  ])('the holidays of the Federal Reserve in %i are %s', (year, days) => {
    expect([...holidaysOf('us-federal-reserve', year).keys()]).toEqual(
      days.split(' ').map((day) => `${year}-${day}`),
    );
  });

  test('a holiday on a Saturday does not close the banks on Friday, one on a Sunday closes them on Monday', () => {
    expect(isBankingDay('us-federal-reserve', '2026-07-03')).toBe(true);
    expect(isBankingDay('us-federal-reserve', '2027-07-05')).toBe(false);
    expect(isBankingDay('us-federal-reserve', '2021-06-18')).toBe(true);
  });

  test('the European system closes on its six days', () => {
    expect([...holidaysOf('target', 2026).keys()]).toEqual([
      '2026-01-01',
      '2026-04-03',
      '2026-04-06',
      '2026-05-01',
      '2026-12-25',
      '2026-12-26',
    ]);
  });

  test('Colombia keeps its eighteen holidays, most of them on Mondays', () => {
    expect([...holidaysOf('colombia', 2026).keys()].map((date) => date.slice(5)).join(' ')).toBe(
      '01-01 01-12 03-23 04-02 04-03 05-01 05-18 06-08 06-15 06-29 07-20 08-07 08-17 10-12 11-02 11-16 12-08 12-25',
    );
  });

  test('weekends and holidays are skipped', () => {
    expect(addBankingDays('us-federal-reserve', '2026-01-16', 1)).toBe('2026-01-20');
    expect(addBankingDays('us-federal-reserve', '2026-01-17', 0)).toBe('2026-01-20');
    expect(addBankingDays('target', '2026-04-02', 2)).toBe('2026-04-08');
    expect(addBankingDays('every-day', '2026-12-25', 3)).toBe('2026-12-28');
  });

  test('wall-clock times and instants turn into each other, on days when the clocks change too', () => {
    const instants = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2035-01-01'),
      noInvalidDate: true,
    });
    const calendars = fc.constantFrom(
      'us-federal-reserve' as const,
      'target' as const,
      'colombia' as const,
    );
    fc.assert(
      fc.property(instants, calendars, (at, calendar) => {
        const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
        const { date, time } = localTimeOf(calendar, minute);
        const back = instantOf(calendar, date, time);
        // In autumn one hour comes twice.
        expect([0, 3_600_000]).toContain(Math.abs(back.getTime() - minute.getTime()));
        expect(localTimeOf(calendar, back)).toEqual({ date, time });
      }),
    );
    for (const [local, utc] of [
      ['2026-03-08 01:59', '2026-03-08T06:59Z'],
      ['2026-03-08 03:00', '2026-03-08T07:00Z'],
      ['2026-11-01 12:00', '2026-11-01T17:00Z'],
    ] as const) {
      const [date, time] = local.split(' ') as [string, string];
      expect(instantOf('us-federal-reserve', date, time)).toEqual(new Date(utc));
    }
  });
});

const railOf = (rail: PayoutRail, type: PayoutAccountType = 'bank-account-us') =>
  findRail(rail, type)!;

describe('when a rail settles', () => {
  test.each([
    // New York is five hours behind in January, four in July.
    ['ach', '2026-01-15T21:59Z', '2026-01-16T13:30Z', 'before the cut-off: next banking day'],
    [
      'ach',
      '2026-01-15T22:00Z',
      '2026-01-20T13:30Z',
      'at the cut-off of a Thursday before a long weekend: it counts as Friday’s',
    ],
    [
      'ach',
      '2026-01-17T15:00Z',
      '2026-01-21T13:30Z',
      'on a Saturday before a holiday: it counts as Tuesday’s',
    ],
    ['ach', '2026-07-02T15:00Z', '2026-07-03T12:30Z', 'in summer time'],
    ['same-day-ach', '2026-01-15T15:29Z', '2026-01-15T18:00Z', 'first window'],
    ['same-day-ach', '2026-01-15T15:30Z', '2026-01-15T22:00Z', 'second window'],
    ['same-day-ach', '2026-01-15T21:44Z', '2026-01-15T23:00Z', 'third window'],
    ['same-day-ach', '2026-01-15T21:45Z', '2026-01-16T18:00Z', 'after the last window'],
    ['same-day-ach', '2026-12-25T15:00Z', '2026-12-28T18:00Z', 'on Christmas Day'],
    ['wire', '2026-01-15T15:00Z', '2026-01-15T16:00Z', 'within an hour while open'],
    ['wire', '2026-01-15T11:00Z', '2026-01-15T15:00Z', 'an hour after the opening'],
    [
      'wire',
      '2026-01-16T23:45Z',
      '2026-01-20T15:00Z',
      'after the closing on a Friday before a holiday',
    ],
    ['wire', '2026-01-18T15:00Z', '2026-01-20T15:00Z', 'on a Sunday'],
    ['rtp', '2026-12-25T03:00Z', '2026-12-25T03:00:15Z', 'at any time'],
    ['fednow', '2026-01-18T03:00Z', '2026-01-18T03:00:20Z', 'at any time'],
  ] as [PayoutRail, string, string, string][])(
    '%s handed in at %s settles at %s: %s',
    (rail, at, expected) => {
      expect(expectSettlement(railOf(rail), new Date(at))).toEqual(new Date(expected));
    },
  );

  test('SEPA takes a banking day of its own calendar, SEPA instant ten seconds', () => {
    const sepa = railOf('sepa', 'bank-account-sepa-iban');
    expect(expectSettlement(sepa, new Date('2026-04-02T10:00Z'))).toEqual(
      new Date('2026-04-07T07:00Z'),
    );
    const instant = railOf('sepa-instant', 'bank-account-sepa-iban');
    expect(expectSettlement(instant, new Date('2026-04-05T10:00Z'))).toEqual(
      new Date('2026-04-05T10:00:10Z'),
    );
  });

  test('it is never before it was handed in, and on a banking day of its calendar', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...railTable),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true }),
        (rules, at) => {
          const settles = expectSettlement(rules, at);
          expect(settles.getTime()).toBeGreaterThanOrEqual(at.getTime());
          expect(settles.getTime() - at.getTime()).toBeLessThan(8 * 86_400_000);
          if (rules.timing.kind === 'windows')
            expect(isBankingDay(rules.calendar, localTimeOf(rules.calendar, settles).date)).toBe(
              true,
            );
        },
      ),
    );
  });
});

describe('when it is final', () => {
  test('wire, rtp, fednow, sepa-instant, swift and spei are final when they settle', () => {
    const settledAt = new Date('2026-01-15T15:00Z');
    const atOnce = railTable
      .filter((rules) => finalAt(rules, settledAt).getTime() === settledAt.getTime())
      .map(({ rail }) => rail);
    expect(atOnce).toEqual(['wire', 'rtp', 'fednow', 'sepa-instant', 'swift', 'spei']);
  });

  test('ach is final sixty days after it settled, at the same hour of the wall clock', () => {
    expect(finalAt(railOf('ach'), new Date('2026-01-16T13:30Z'))).toEqual(
      new Date('2026-03-17T12:30Z'),
    );
  });

  test('sepa is final after three banking days', () => {
    expect(
      finalAt(railOf('sepa', 'bank-account-sepa-iban'), new Date('2026-04-02T07:00Z')),
    ).toEqual(new Date('2026-04-09T07:00Z'));
  });
});

test('amounts are capped by the rules of each network', () => {
  const caps = Object.fromEntries(
    railTable
      .filter(({ currency }) => currency === 'usd')
      .map(({ rail, amountMaxMinor }) => [rail, amountMaxMinor]),
  );
  expect(caps).toEqual({
    ach: 99_999_999_99n,
    'same-day-ach': 1_000_000_00n,
    wire: 9_999_999_999_99n,
    rtp: 10_000_000_00n,
    fednow: 10_000_000_00n,
  });
});

test('addDays crosses months and leap days', () => {
  expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
});
