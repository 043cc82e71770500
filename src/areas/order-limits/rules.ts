import { z } from 'zod';

const limitedKinds = ['onramp', 'offramp', 'checkout'] as const;
export type LimitedKind = (typeof limitedKinds)[number];

/** How well the person behind an order is known. */
export type VerificationLevel = 'none' | 'light' | 'full';

const usd = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,2})?$/, 'must be a decimal of US dollars, e.g. "2000"');

export const limitRuleSchema = z
  .strictObject({
    /** Whose orders count together. */
    subject: z.enum(['user', 'project']),
    kind: z.enum(limitedKinds).optional(),
    /** `card`, a network, or a payout rail. */
    method: z.string().min(1).max(64).optional(),
    /** For people verified this far; `light` also holds for those who are not verified at all. */
    level: z.enum(['light', 'full']).optional(),
    singleUsd: usd.optional(),
    dailyUsd: usd.optional(),
    monthlyUsd: usd.optional(),
  })
  .refine(
    (rule) => rule.singleUsd ?? rule.dailyUsd ?? rule.monthlyUsd,
    'names no limit: singleUsd, dailyUsd or monthlyUsd',
  );
export type LimitRule = z.output<typeof limitRuleSchema>;

/** What decides which limits an order falls under. */
export interface LimitCase {
  readonly kind: LimitedKind;
  /** `card`, a network, a payout rail: all that the order goes through. */
  readonly methods: readonly string[];
  readonly level: VerificationLevel;
  readonly userId?: string | undefined;
}

/** The rules that an order falls under. One without a known user falls under none of a user. */
export function rulesFor(rules: readonly LimitRule[], limitCase: LimitCase): LimitRule[] {
  const level = limitCase.level === 'full' ? 'full' : 'light';
  return rules.filter(
    (rule) =>
      (rule.kind === undefined || rule.kind === limitCase.kind) &&
      (rule.method === undefined || limitCase.methods.includes(rule.method)) &&
      (rule.level === undefined || rule.level === level) &&
      (rule.subject === 'project' || limitCase.userId !== undefined),
  );
}

/** Whose counter a rule counts on. Levels share one: who is verified better keeps what was used. */
export function subjectOf(rule: LimitRule, userId: string | undefined): string {
  const whose = rule.subject === 'user' ? `user:${userId ?? ''}` : 'project';
  return [whose, rule.kind ?? '*', rule.method ?? '*'].join('/');
}

/** US dollars as cents; the schema lets no more than two decimals through. */
export function centsOf(amountUsd: string): bigint {
  const [whole, fraction = ''] = amountUsd.split('.') as [string, string?];
  return BigInt(whole + fraction.padEnd(2, '0'));
}
