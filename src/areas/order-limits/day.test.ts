import { describe, expect, it } from 'vitest';
import { hoursUntil, periodOf } from './day.ts';

const daily = (at: string) => {
  const { key, endsAt } = periodOf('daily', new Date(at));
  return [key, endsAt.toISOString(), hoursUntil(endsAt, new Date(at))];
};

describe('limits reset at midnight US Eastern', () => {
  it.each([
    ['in winter', '2026-01-15T12:00:00Z', 'd2026-01-15', '2026-01-16T05:00:00.000Z', 17],
    ['in summer', '2026-07-15T12:00:00Z', 'd2026-07-15', '2026-07-16T04:00:00.000Z', 16],
    [
      'in the last millisecond of a day',
      '2026-01-15T04:59:59.999Z',
      'd2026-01-14',
      '2026-01-15T05:00:00.000Z',
      1,
    ],
    [
      'in the first of the next',
      '2026-01-15T05:00:00.000Z',
      'd2026-01-15',
      '2026-01-16T05:00:00.000Z',
      24,
    ],
    ['at the end of a year', '2026-12-31T23:00:00Z', 'd2026-12-31', '2027-01-01T05:00:00.000Z', 6],
  ])('%s', (_, at, key, endsAt, hours) => expect(daily(at)).toEqual([key, endsAt, hours]));

  it('the day on which clocks go forward has 23 hours', () => {
    expect(daily('2026-03-08T05:00:00Z')).toEqual(['d2026-03-08', '2026-03-09T04:00:00.000Z', 23]);
    expect(daily('2026-03-08T06:59:59Z')).toEqual(['d2026-03-08', '2026-03-09T04:00:00.000Z', 22]);
    expect(daily('2026-03-09T03:59:59Z')).toEqual(['d2026-03-08', '2026-03-09T04:00:00.000Z', 1]);
  });

  it('the day on which they go back has 25', () => {
    expect(daily('2026-11-01T04:00:00Z')).toEqual(['d2026-11-01', '2026-11-02T05:00:00.000Z', 25]);
    expect(daily('2026-11-02T04:59:59Z')).toEqual(['d2026-11-01', '2026-11-02T05:00:00.000Z', 1]);
  });

  it('months end at midnight too, in the time that holds then', () => {
    expect(periodOf('monthly', new Date('2026-11-01T03:59:59Z'))).toEqual({
      key: 'm2026-10',
      endsAt: new Date('2026-11-01T04:00:00Z'),
    });
    expect(periodOf('monthly', new Date('2026-11-01T04:00:00Z'))).toEqual({
      key: 'm2026-11',
      endsAt: new Date('2026-12-01T05:00:00Z'),
    });
    expect(periodOf('monthly', new Date('2026-12-10T04:00:00Z')).endsAt).toEqual(
      new Date('2027-01-01T05:00:00Z'),
    );
  });
});
