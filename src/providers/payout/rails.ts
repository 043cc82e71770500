import {
  addBankingDays,
  addDays,
  type CalendarName,
  instantOf,
  localTimeOf,
} from './banking-calendar.ts';

/** The ways a payout can take, in the interface's words. */
export const payoutRails = [
  'ach',
  'same-day-ach',
  'wire',
  'rtp',
  'fednow',
  'sepa',
  'sepa-instant',
  'swift',
  'spei',
] as const;
export type PayoutRail = (typeof payoutRails)[number];

/** Account schemes that can be paid out to, named as the payment methods are. */
export type PayoutAccountType =
  | 'bank-account-us'
  | 'bank-account-sepa-iban'
  | 'bank-account-mx-clabe'
  | 'bank-account-co';
export type PayoutCurrency = 'usd' | 'eur' | 'mxn' | 'cop';

/** When a rail settles what was handed to it. Times are wall-clock times of the rail's calendar. */
export type RailTiming =
  | { readonly kind: 'at-once'; readonly withinMs: number }
  /**
   * Handed in between the two times of a banking day it settles within the given time, else from
   * the next opening on.
   */
  | {
      readonly kind: 'opening-hours';
      readonly opens: string;
      readonly closes: string;
      readonly withinMs: number;
    }
  /**
   * Handed in until `cutOff` of a banking day it settles at `settles`, that many banking days
   * later.
   */
  | {
      readonly kind: 'windows';
      readonly windows: readonly {
        readonly cutOff: string;
        readonly settles: string;
        readonly bankingDaysLater: number;
      }[];
    };

/**
 * When what has settled cannot be taken back any more. *Settled* and *final* are two things: until
 * the end of this window the receiving bank may return the money.
 */
export type RailFinality =
  | { readonly kind: 'at-settlement' }
  | { readonly kind: 'banking-days'; readonly days: number }
  | { readonly kind: 'calendar-days'; readonly days: number; readonly usualBankingDays: number };

export interface RailRules {
  readonly rail: PayoutRail;
  readonly type: PayoutAccountType;
  readonly currency: PayoutCurrency;
  readonly calendar: CalendarName;
  /** Largest single payout, in the currency's smallest unit. */
  readonly amountMaxMinor: bigint;
  readonly timing: RailTiming;
  readonly finality: RailFinality;
  /** A payout that has not settled this long after it should have needs an operator. */
  readonly overdueMs: number;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Ten digits of cents: the amount field of the ACH file. */
const achFieldMax = 9_999_999_999n;

/** Every rail and account scheme that go together. A rail is added with a row. */
export const railTable: readonly RailRules[] = [
  {
    rail: 'ach',
    type: 'bank-account-us',
    currency: 'usd',
    calendar: 'us-federal-reserve',
    amountMaxMinor: achFieldMax,
    timing: {
      kind: 'windows',
      windows: [{ cutOff: '17:00', settles: '08:30', bankingDaysLater: 1 }],
    },
    // Most returns of credits come within two banking days; R06 and R23 may come later.
    finality: { kind: 'calendar-days', days: 60, usualBankingDays: 2 },
    overdueMs: 5 * dayMs,
  },
  {
    rail: 'same-day-ach',
    type: 'bank-account-us',
    currency: 'usd',
    calendar: 'us-federal-reserve',
    amountMaxMinor: 1_000_000_00n,
    timing: {
      kind: 'windows',
      windows: [
        { cutOff: '10:30', settles: '13:00', bankingDaysLater: 0 },
        { cutOff: '14:45', settles: '17:00', bankingDaysLater: 0 },
        { cutOff: '16:45', settles: '18:00', bankingDaysLater: 0 },
      ],
    },
    finality: { kind: 'calendar-days', days: 60, usualBankingDays: 2 },
    overdueMs: 5 * dayMs,
  },
  {
    rail: 'wire',
    type: 'bank-account-us',
    currency: 'usd',
    calendar: 'us-federal-reserve',
    amountMaxMinor: 999_999_999_999n,
    timing: { kind: 'opening-hours', opens: '09:00', closes: '18:45', withinMs: hourMs },
    finality: { kind: 'at-settlement' },
    overdueMs: 2 * dayMs,
  },
  {
    rail: 'rtp',
    type: 'bank-account-us',
    currency: 'usd',
    calendar: 'every-day',
    amountMaxMinor: 10_000_000_00n,
    timing: { kind: 'at-once', withinMs: 15 * secondMs },
    finality: { kind: 'at-settlement' },
    overdueMs: hourMs,
  },
  {
    rail: 'fednow',
    type: 'bank-account-us',
    currency: 'usd',
    calendar: 'every-day',
    amountMaxMinor: 10_000_000_00n,
    timing: { kind: 'at-once', withinMs: 20 * secondMs },
    finality: { kind: 'at-settlement' },
    overdueMs: hourMs,
  },
  {
    rail: 'sepa',
    type: 'bank-account-sepa-iban',
    currency: 'eur',
    calendar: 'target',
    amountMaxMinor: 99_999_999_999n,
    timing: {
      kind: 'windows',
      windows: [{ cutOff: '15:00', settles: '09:00', bankingDaysLater: 1 }],
    },
    finality: { kind: 'banking-days', days: 3 },
    overdueMs: 5 * dayMs,
  },
  {
    rail: 'sepa-instant',
    type: 'bank-account-sepa-iban',
    currency: 'eur',
    calendar: 'every-day',
    amountMaxMinor: 99_999_999_999n,
    timing: { kind: 'at-once', withinMs: 10 * secondMs },
    finality: { kind: 'at-settlement' },
    overdueMs: hourMs,
  },
  {
    // A message from bank to bank: euros that leave outside of the SEPA schemes, as a large payment
    // through TARGET.
    rail: 'swift',
    type: 'bank-account-sepa-iban',
    currency: 'eur',
    calendar: 'target',
    amountMaxMinor: 999_999_999_999n,
    timing: { kind: 'opening-hours', opens: '07:00', closes: '17:00', withinMs: 4 * hourMs },
    finality: { kind: 'at-settlement' },
    overdueMs: 5 * dayMs,
  },
  {
    rail: 'spei',
    type: 'bank-account-mx-clabe',
    currency: 'mxn',
    calendar: 'every-day',
    amountMaxMinor: 999_999_999_999n,
    timing: { kind: 'at-once', withinMs: 30 * secondMs },
    finality: { kind: 'at-settlement' },
    overdueMs: hourMs,
  },
  {
    rail: 'ach',
    type: 'bank-account-co',
    currency: 'cop',
    calendar: 'colombia',
    amountMaxMinor: 999_999_999_999n,
    timing: {
      kind: 'windows',
      windows: [{ cutOff: '15:00', settles: '08:30', bankingDaysLater: 1 }],
    },
    finality: { kind: 'banking-days', days: 3 },
    overdueMs: 5 * dayMs,
  },
];

/** The rules of a rail towards a scheme; undefined when the two do not go together. */
export function findRail(rail: PayoutRail, type: PayoutAccountType): RailRules | undefined {
  return railTable.find((rules) => rules.rail === rail && rules.type === type);
}

/** The rails that reach accounts of a scheme. */
export function railsOf(type: PayoutAccountType): PayoutRail[] {
  return railTable.filter((rules) => rules.type === type).map(({ rail }) => rail);
}

/** When a payout handed in at `at` is expected to settle. */
export function expectSettlement(rules: RailRules, at: Date): Date {
  const { calendar, timing } = rules;
  if (timing.kind === 'at-once') return new Date(at.getTime() + timing.withinMs);
  const local = localTimeOf(calendar, at);
  const day = addBankingDays(calendar, local.date, 0);
  const time = day === local.date ? local.time : '00:00';
  if (timing.kind === 'opening-hours') {
    if (time >= timing.closes)
      return new Date(openingOf(rules, addDays(day, 1), timing.opens).getTime() + timing.withinMs);
    const from = time < timing.opens ? instantOf(calendar, day, timing.opens) : at;
    return new Date(from.getTime() + timing.withinMs);
  }
  const open = timing.windows.find(({ cutOff }) => time < cutOff);
  const window = open ?? timing.windows[0]!;
  const handedIn = open ? day : addBankingDays(calendar, addDays(day, 1), 0);
  return instantOf(
    calendar,
    addBankingDays(calendar, handedIn, window.bankingDaysLater),
    window.settles,
  );
}

/** When what settled at `settledAt` can no longer be returned. */
export function finalAt(rules: RailRules, settledAt: Date): Date {
  const { calendar, finality } = rules;
  if (finality.kind === 'at-settlement') return settledAt;
  const { date, time } = localTimeOf(calendar, settledAt);
  const day =
    finality.kind === 'banking-days'
      ? addBankingDays(calendar, date, finality.days)
      : addDays(date, finality.days);
  return instantOf(calendar, day, time);
}

function openingOf(rules: RailRules, date: string, opens: string): Date {
  return instantOf(rules.calendar, addBankingDays(rules.calendar, date, 0), opens);
}
