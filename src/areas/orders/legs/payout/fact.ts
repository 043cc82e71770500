import type { OrderRecord } from '../../state/types.ts';

/** `asked`: the vault may know it; `held`: it has it; then as the bank says. */
export const payoutFactStatuses = [
  'asked',
  'held',
  'settled',
  'final',
  'rejected',
  'returned',
] as const;
export type PayoutFactStatus = (typeof payoutFactStatuses)[number];

/**
 * The payout of an order under way, or its last one: `facts.payout`. Its id is stored before the
 * vault is asked.
 */
export type PayoutFact = {
  readonly id: string;
  readonly rail: string;
  readonly currency: string;
  /** Smallest units as text. */
  readonly amountMinor: string;
  readonly askedAt: string;
  readonly status: PayoutFactStatus;
  /** When the bank had it, by its own clock. */
  readonly submittedAt?: string;
  /** The bank; known once the vault has answered. */
  readonly provider?: string;
  /**
   * What the vault waits for before it hands it in: a second person, the end of a new account’s
   * waiting time, or both.
   */
  readonly waitsFor?: { readonly needsApproval: boolean; readonly until?: string };
  readonly code?: string;
  readonly reason?: string;
  /** Another payout to this account would come back too. */
  readonly accountUnusable?: boolean;
};

/** What was converted for a payout: `facts.conversion`. */
export type ConversionFact = {
  readonly nr: number;
  /** Not taken back. */
  readonly open: boolean;
};

export function payoutOf(order: OrderRecord): PayoutFact | undefined {
  return order.facts.payout as PayoutFact | undefined;
}

/**
 * What a payout waits for before it is handed in, in words; undefined when it waits for nothing.
 */
export function explainWait({ waitsFor }: PayoutFact): string | undefined {
  if (waitsFor === undefined) return undefined;
  const reasons = [
    ...(waitsFor.needsApproval ? ['a second person (purser payouts approve)'] : []),
    ...(waitsFor.until === undefined ? [] : [`its new account, until ${waitsFor.until}`]),
  ];
  return `waits for ${reasons.join(' and for ')}`;
}

export function conversionOf(order: OrderRecord): ConversionFact | undefined {
  return order.facts.conversion as ConversionFact | undefined;
}

/**
 * True while a bank may have, or may yet pay, the order's money: nothing else may be done with it
 * then.
 */
export function isPaidOut(order: OrderRecord): boolean {
  const status = payoutOf(order)?.status;
  return status !== undefined && status !== 'rejected' && status !== 'returned';
}

/**
 * In these cases somebody has decided, at the bank or at its desk: asked again, it might be paid
 * against their will.
 */
const decidedReasons: ReadonlySet<string> = new Set([
  'compliance',
  'refused-by-recipient',
  'returned-on-request',
]);
const decidedCodes: ReadonlySet<string> = new Set(['canceled']);

/**
 * True of a rejected payout that may be asked for once more: neither the account nor anybody's
 * decision stands against it.
 */
export function isWorthAnother({ code, reason, accountUnusable }: PayoutFact): boolean {
  return (
    accountUnusable !== true && !decidedReasons.has(reason ?? '') && !decidedCodes.has(code ?? '')
  );
}
