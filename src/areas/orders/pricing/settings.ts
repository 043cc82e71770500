import { z } from 'zod';
import { limitRuleSchema } from '../../order-limits/index.ts';
import { orderKinds } from '../state/machine.ts';

/** A share: 100 basis points are 1 %. */
const bps = (max: number) => z.number().int().min(0).max(max);
const usd = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, 'must be a decimal of US dollars, e.g. "0.30"');

const feeRuleSchema = z
  .strictObject({
    /**
     * As answers name it. Of the rules of one type the first that fits counts, the project's before
     * the defaults.
     */
    type: z.string().regex(/^[a-z][a-z-]{0,31}$/),
    fixedUsd: usd.optional(),
    bps: bps(1_000).optional(),
    kind: z.enum(orderKinds).optional(),
    /** `card`, or the network of the deposit. */
    method: z.string().min(1).max(64).optional(),
    /** Of the payout. */
    rail: z.string().min(1).max(64).optional(),
    /** On which tokens are delivered. */
    network: z.string().min(1).max(64).optional(),
  })
  .refine(({ type }) => type !== 'rounding', 'the fee `rounding` makes itself');
export type FeeRule = z.output<typeof feeRuleSchema>;

const legalRequirementSchema = z.strictObject({
  display: z.enum(['show-checkbox', 'show-text']),
  type: z.string().min(1).max(64),
  url: z.url().max(500),
});

/**
 * What an operator sets per project. Everything may be left out: see {@link defaultOrderSettings}.
 */
export const orderSettingsSchema = z.strictObject({
  fees: z.array(feeRuleSchema).max(100).optional(),
  /** How long a price holds. */
  quoteMinutes: z.number().int().min(1).max(1_440).optional(),
  /** How far a price may move until execution, where the order does not say. */
  maxSlippageBps: bps(5_000).optional(),
  /**
   * A deposit that is short by no more than the larger of both is taken as it is, and the price
   * made anew.
   */
  shortToleranceBps: bps(1_000).optional(),
  /** Below this nothing is refunded, and no deposit is short. */
  dustUsd: usd.optional(),
  /**
   * A deposit that comes so long after the quote's end is honoured when the price still covers it.
   */
  lateToleranceMinutes: z.number().int().min(0).max(10_080).optional(),
  limits: z.array(limitRuleSchema).max(100).optional(),
  /** Volume per token and day in US dollars, by symbol. */
  tokenDailyUsd: z.record(z.string().min(1).max(20), usd).optional(),
  /** What follows when a bank returns a payout. */
  onPayoutReturned: z.enum(['refund', 'operator']).optional(),
  /** Absent: when the project has identity verification. */
  kycRequired: z.boolean().optional(),
  /** A card payment that is disputed: left to the operator, or accepted as lost. */
  onDispute: z.enum(['operator', 'accept']).optional(),
  /** `legal.requirements` of every order. */
  legal: z.array(legalRequirementSchema).max(20).optional(),
  /**
   * Symbols of tokens that stand for goods which are sent to somebody's door: their orders need a
   * physical address.
   */
  shippedTokens: z
    .array(z.string().regex(/^[a-z0-9.]{1,20}$/))
    .max(100)
    .optional(),
  /** Symbols of the tokens that are bought, sold and taken as payment. */
  tokens: z
    .array(z.string().regex(/^[a-z0-9.]{1,20}$/))
    .max(100)
    .optional(),
});
export type OrderSettingsInput = z.output<typeof orderSettingsSchema>;

/** The settings that hold for a project. */
export interface OrderSettings extends Required<Omit<OrderSettingsInput, 'kycRequired'>> {
  readonly kycRequired?: boolean;
}

export const defaultOrderSettings: OrderSettings = {
  fees: [
    { type: 'service', bps: 100 },
    { type: 'card', method: 'card', bps: 290, fixedUsd: '0.30' },
    { type: 'rail', rail: 'wire', fixedUsd: '5' },
    { type: 'rail', rail: 'swift', fixedUsd: '5' },
    { type: 'rail', rail: 'rtp', fixedUsd: '0.25' },
    { type: 'rail', rail: 'sepa-instant', fixedUsd: '0.25' },
  ],
  quoteMinutes: 10,
  maxSlippageBps: 100,
  shortToleranceBps: 50,
  dustUsd: '0.05',
  lateToleranceMinutes: 60,
  limits: [{ kind: 'onramp', subject: 'user', singleUsd: '2000', dailyUsd: '2000' }],
  tokenDailyUsd: {},
  onPayoutReturned: 'refund',
  onDispute: 'operator',
  legal: [],
  shippedTokens: [],
  tokens: ['usdc', 'usdxm', 'eth'],
};

/**
 * A project's own rules come first, its other values replace the defaults. Symbols count in any
 * case: orders name them in lower case.
 */
export function withDefaults(own: OrderSettingsInput): OrderSettings {
  const given = Object.fromEntries(
    Object.entries(own).filter(([, value]) => value !== undefined),
  ) as OrderSettingsInput;
  const tokenDailyUsd = Object.fromEntries(
    Object.entries(own.tokenDailyUsd ?? {}).map(([symbol, usd]) => [symbol.toLowerCase(), usd]),
  );
  return {
    ...defaultOrderSettings,
    ...given,
    tokenDailyUsd,
    fees: [...(own.fees ?? []), ...defaultOrderSettings.fees],
  };
}
