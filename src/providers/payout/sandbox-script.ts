import { Secret } from '../../lib/sealing/secret.ts';
import {
  addBankingDays,
  addDays,
  type CalendarName,
  instantOf,
  localTimeOf,
} from './banking-calendar.ts';
import type { CorrectedAccount, PayoutDestination } from './payout.ts';
import { expectSettlement, finalAt, type RailRules } from './rails.ts';

/**
 * What the sandbox bank does with a payout is written in the account number: `1111` and four
 * digits, the last ones of the number (of a CLABE: the last ones before its check digit). Every
 * other number settles. docs/guides/payouts.md shows the same table; a test compares them.
 */

export interface SandboxScript {
  /** The four digits behind `1111`; empty for what any other number does. */
  readonly digits: string;
  readonly name: string;
  /** For the documentation. */
  readonly does: string;
  /** The destination itself is refused. */
  readonly introduction?: 'refused';
  /** What happens to calls that hand it in. */
  readonly calls?: 'answer-lost' | 'request-lost' | 'answer-lost-and-silent' | 'down-three-times';
  readonly end?: SandboxEnd;
  readonly notice?: { readonly code: 'C01' | 'C02' | 'C05'; readonly corrected: CorrectedAccount };
}

type SandboxEnd =
  | { readonly kind: 'rejected'; readonly code: string; readonly afterMs: number }
  /**
   * `after` counts from the settlement. On rails that are final at settlement the bank refuses at
   * once instead.
   */
  | {
      readonly kind: 'returned';
      readonly code: string;
      readonly isoCode: string;
      readonly bankingDaysAfter: number;
    }
  /** Returned after everybody thought it final, on every rail. */
  | {
      readonly kind: 'returned-late';
      readonly code: string;
      readonly isoCode: string;
      readonly daysAfter: number;
    }
  | { readonly kind: 'slow'; readonly bankingDaysMore: number; readonly atOnceMoreMs: number }
  | { readonly kind: 'never' };

const marker = '1111';
const minuteMs = 60_000;
/** So long look-ups fail after a lost answer of `6003`. */
export const sandboxSilenceMs = 10 * minuteMs;
/** So many calls of `6004` are refused. */
export const sandboxRefusals = 3;

/** The account that notices of change lead to: it settles. */
const sandboxCorrections = {
  accountNumber: '000123456789',
  routingNumber: '021000021',
  accountType: 'savings',
} as const;

const returned = (code: string, isoCode: string, bankingDaysAfter: number): SandboxEnd => ({
  kind: 'returned',
  code,
  isoCode,
  bankingDaysAfter,
});

export const sandboxScripts: readonly SandboxScript[] = [
  { digits: '', name: 'settles', does: 'Settles when the rail does.' },
  {
    digits: '5001',
    name: 'rejected-account',
    does: 'Rejected as it is handed in: `account-invalid`.',
    end: { kind: 'rejected', code: 'account-invalid', afterMs: 0 },
  },
  {
    digits: '5002',
    name: 'rejected-amount',
    does: 'Rejected as it is handed in: `amount-not-allowed`.',
    end: { kind: 'rejected', code: 'amount-not-allowed', afterMs: 0 },
  },
  {
    digits: '5003',
    name: 'rejected-review',
    does: 'Reviewed for an hour, then rejected: `compliance`.',
    end: { kind: 'rejected', code: 'compliance', afterMs: 60 * minuteMs },
  },
  {
    digits: '5004',
    name: 'rejected-funds',
    does: 'Rejected as it is handed in: `insufficient-funds`.',
    end: { kind: 'rejected', code: 'insufficient-funds', afterMs: 0 },
  },
  {
    digits: '5005',
    name: 'rejected-destination',
    does: 'The destination is refused before anything is handed in: `account-invalid`.',
    introduction: 'refused',
  },
  {
    digits: '6001',
    name: 'answer-lost',
    does: 'The bank takes it and the answer is lost. A look-up finds it; then it settles.',
    calls: 'answer-lost',
  },
  {
    digits: '6002',
    name: 'request-lost',
    does: 'The first call is lost before the bank has it. A look-up finds nothing; the next call works.',
    calls: 'request-lost',
  },
  {
    digits: '6003',
    name: 'answer-lost-and-silent',
    does: 'As `6001`, and look-ups fail for ten minutes.',
    calls: 'answer-lost-and-silent',
  },
  {
    digits: '6004',
    name: 'down-three-times',
    does: 'The bank cannot be reached for three calls, then it settles.',
    calls: 'down-three-times',
  },
  {
    digits: '7000',
    name: 'slow',
    does: 'Settles two banking days later than the rail says, ten minutes later on rails that settle at once.',
    end: { kind: 'slow', bankingDaysMore: 2, atOnceMoreMs: 10 * minuteMs },
  },
  { digits: '7999', name: 'never', does: 'Stays pending for ever.', end: { kind: 'never' } },
  {
    digits: '8001',
    name: 'notice-c01',
    does: `Settles; the next banking day a notice of change corrects the account number to \`${sandboxCorrections.accountNumber}\` (C01).`,
    notice: {
      code: 'C01',
      corrected: { accountNumber: new Secret(sandboxCorrections.accountNumber) },
    },
  },
  {
    digits: '8002',
    name: 'notice-c02',
    does: `Settles; the next banking day a notice of change corrects the routing number to \`${sandboxCorrections.routingNumber}\` (C02).`,
    notice: { code: 'C02', corrected: { routingNumber: sandboxCorrections.routingNumber } },
  },
  {
    digits: '8005',
    name: 'notice-c05',
    does: `Settles; the next banking day a notice of change corrects the account’s kind to \`${sandboxCorrections.accountType}\` (C05).`,
    notice: { code: 'C05', corrected: { accountType: sandboxCorrections.accountType } },
  },
  {
    digits: '9002',
    name: 'returned-r02',
    does: 'Settles; returned with R02 a banking day later.',
    end: returned('R02', 'AC04', 1),
  },
  {
    digits: '9003',
    name: 'returned-r03',
    does: 'Settles; returned with R03 a banking day later.',
    end: returned('R03', 'AC01', 1),
  },
  {
    digits: '9004',
    name: 'returned-r04',
    does: 'Settles; returned with R04 a banking day later.',
    end: returned('R04', 'AC03', 1),
  },
  {
    digits: '9016',
    name: 'returned-r16',
    does: 'Settles; returned with R16 two banking days later.',
    end: returned('R16', 'AC06', 2),
  },
  {
    digits: '9020',
    name: 'returned-r20',
    does: 'Settles; returned with R20 two banking days later.',
    end: returned('R20', 'AG01', 2),
  },
  {
    digits: '9023',
    name: 'returned-r23',
    does: 'Settles; returned with R23 two banking days later.',
    end: returned('R23', 'MS02', 2),
  },
  {
    digits: '9906',
    name: 'returned-late',
    does: 'Settles; returned with R06 thirty days later, on every rail.',
    end: { kind: 'returned-late', code: 'R06', isoCode: 'CUST', daysAfter: 30 },
  },
];

/** The script that an account number asks for. */
export function chooseScript(destination: PayoutDestination): SandboxScript {
  const tail = numberOf(destination).slice(-8);
  const digits = tail.startsWith(marker) ? tail.slice(marker.length) : '';
  return (
    sandboxScripts.find((script) => script.digits !== '' && script.digits === digits) ??
    sandboxScripts[0]!
  );
}

/** The last four characters, as a bank shows an account. */
export function suffixOf(destination: PayoutDestination): string {
  const { type } = destination;
  const whole =
    type === 'bank-account-mx-clabe' ? destination.clabe.reveal() : numberOf(destination);
  return whole.slice(-4);
}

export function findScript(name: string): SandboxScript {
  const script = sandboxScripts.find((one) => one.name === name);
  if (script === undefined) throw new Error(`The sandbox bank has no script "${name}".`);
  return script;
}

/** The digits that steer: of a CLABE without its check digit. */
function numberOf(destination: PayoutDestination): string {
  if (destination.type === 'bank-account-sepa-iban') return destination.iban.reveal();
  if (destination.type === 'bank-account-mx-clabe') return destination.clabe.reveal().slice(0, -1);
  return destination.accountNumber.reveal();
}

export type SandboxStep =
  | { readonly status: 'pending' | 'settled' | 'final'; readonly at: Date }
  | { readonly status: 'rejected' | 'returned'; readonly at: Date; readonly code: string }
  | { readonly status: 'notice'; readonly at: Date; readonly code: string };

/**
 * Everything that happens to a payout that the bank took at `takenAt`, in order; the last one may
 * be far away.
 */
export function planSteps(
  script: SandboxScript,
  rules: RailRules,
  takenAt: Date,
): readonly SandboxStep[] {
  const { end, notice } = script;
  const pending: SandboxStep = { status: 'pending', at: takenAt };
  const settles = expectSettlement(rules, takenAt);
  const atOnce = rules.finality.kind === 'at-settlement';
  const isAch = rules.rail === 'ach' || rules.rail === 'same-day-ach';
  if (end?.kind === 'never') return [pending];
  if (end?.kind === 'rejected') {
    const rejected: SandboxStep = {
      status: 'rejected',
      at: new Date(takenAt.getTime() + end.afterMs),
      code: end.code,
    };
    return end.afterMs === 0 ? [rejected] : [pending, rejected];
  }
  if (end?.kind === 'returned' && atOnce)
    return [pending, { status: 'rejected', at: settles, code: end.isoCode }];
  const settledAt = end?.kind === 'slow' ? delaySettlement(rules, settles, end) : settles;
  const steps: SandboxStep[] = [pending, { status: 'settled', at: settledAt }];
  if (notice)
    steps.push({
      status: 'notice',
      at: bankingMorning(rules.calendar, settledAt, 1),
      code: notice.code,
    });
  const isFinalAt = finalAt(rules, settledAt);
  if (end?.kind === 'returned') {
    const at = bankingMorning(rules.calendar, settledAt, end.bankingDaysAfter);
    return [...steps, { status: 'returned', at, code: isAch ? end.code : end.isoCode }];
  }
  if (end?.kind === 'returned-late') {
    const day = addDays(localTimeOf(rules.calendar, settledAt).date, end.daysAfter);
    const returnedAt = instantOf(rules.calendar, day, '10:00');
    if (isFinalAt < returnedAt) steps.push({ status: 'final', at: isFinalAt });
    return [...steps, { status: 'returned', at: returnedAt, code: isAch ? end.code : end.isoCode }];
  }
  return [...steps, { status: 'final' as const, at: isFinalAt }].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
}

function delaySettlement(
  rules: RailRules,
  settles: Date,
  slow: Extract<SandboxEnd, { kind: 'slow' }>,
): Date {
  if (rules.timing.kind === 'at-once') return new Date(settles.getTime() + slow.atOnceMoreMs);
  const { date, time } = localTimeOf(rules.calendar, settles);
  return instantOf(
    rules.calendar,
    addBankingDays(rules.calendar, date, slow.bankingDaysMore),
    time,
  );
}

function bankingMorning(calendar: CalendarName, after: Date, days: number): Date {
  return instantOf(
    calendar,
    addBankingDays(calendar, localTimeOf(calendar, after).date, days),
    '10:00',
  );
}
