import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';

/** What is compared with what. */
export const comparisons = [
  'treasury',
  'deposit',
  'transfer',
  'entry',
  'payout',
  'card',
  'clearing',
  'bank',
  'books',
] as const;
export type Comparison = (typeof comparisons)[number];

/** Two sources say different things of one number. */
export interface Finding {
  readonly comparison: Comparison;
  /** What was compared, e.g. the id of a deposit, or a chain. */
  readonly object: string;
  /** Which of its numbers. */
  readonly aspect: string;
  /** As the ledger names it. */
  readonly asset: string;
  readonly expectedMinor: bigint;
  readonly foundMinor: bigint;
  /** A sentence for people, without the point. */
  readonly problem: string;
  /** Until it has lasted this long it may be news on its way. */
  readonly patienceMs?: number;
}

/** What came of looking at some objects. */
export interface Look {
  readonly findings: readonly Finding[];
  /** Those of the objects that could not be compared now; nothing is concluded of them. */
  readonly unlooked?: readonly string[];
  /**
   * Those that this instance has no means to compare, e.g. a payment at an acquirer that it does
   * not use any more: nothing is concluded of them either, and what comes after them does not wait.
   */
  readonly beyondReach?: readonly string[];
  /** Why, for people. */
  readonly skipped?: readonly string[];
}

/** Objects that are to be looked at, by comparison. */
export type Targets = ReadonlyMap<Comparison, ReadonlySet<string>>;

/** Compares some objects of a project. */
export type Looker = (
  ctx: Ctx,
  input: { readonly projectId: string; readonly objects: readonly string[] },
) => Promise<Look>;

/** `1 unit of usdc`, `12 units of usd`. */
export function unitsOf(amountMinor: bigint, symbol: string): string {
  const amount = amountMinor < 0n ? -amountMinor : amountMinor;
  return `${amount} ${amount === 1n ? 'unit' : 'units'} of ${symbol.toLowerCase()}`;
}

/**
 * True of an error that only says that somebody who is to be asked is away, or at fault: the rest
 * can be compared all the same.
 */
export function isAway(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status >= 500;
}
