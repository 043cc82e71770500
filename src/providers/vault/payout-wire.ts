import { z } from 'zod';

/** What the vault answers about payouts, as the main side reads it. */

export const payoutStatuses = [
  'accepted',
  'submitting',
  'unknown',
  'pending',
  'settled',
  'final',
  'rejected',
  'returned',
  'needs-operator',
  'canceled',
] as const;

/** Payouts that are asked for together. */
export const payoutsPerPageMax = 200;

/**
 * What a payout waits for before it is handed in: a second person, the end of a new destination's
 * waiting time, or both.
 */
const payoutHeldSchema = z.looseObject({
  needsApproval: z.boolean(),
  until: z.string().optional(),
});

export const payoutSchema = z.looseObject({
  payoutId: z.string(),
  projectId: z.string(),
  paymentMethodId: z.string(),
  object: z.string(),
  provider: z.string(),
  rail: z.string(),
  amountMinor: z.string(),
  currency: z.string(),
  status: z.enum(payoutStatuses),
  bankReference: z.string().optional(),
  code: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  accountUnusable: z.boolean().optional(),
  attention: z.string().optional(),
  held: payoutHeldSchema.optional(),
  submittedAt: z.string().optional(),
  settledAt: z.string().optional(),
  finalAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type PayoutAnswer = z.output<typeof payoutSchema>;

const payoutEventTypes = [
  'payouts.held',
  'payouts.submitted',
  'payouts.settled',
  'payouts.final',
  'payouts.rejected',
  'payouts.returned',
  'payouts.canceled',
  'payouts.notice-of-change',
  'payouts.attention-needed',
] as const;

const payoutEventSchema = z.looseObject({
  /** Stays the same for ever. */
  id: z.string(),
  position: z.string().regex(/^\d+$/),
  type: z.enum(payoutEventTypes),
  at: z.string(),
  projectId: z.string(),
  data: z.looseObject({
    payoutId: z.string(),
    object: z.string(),
    paymentMethodId: z.string(),
    provider: z.string(),
    rail: z.string(),
    amountMinor: z.string(),
    currency: z.string(),
    status: z.enum(payoutStatuses),
    bankReference: z.string().optional(),
    /** The bank's time. */
    at: z.string(),
    finalAt: z.string().optional(),
    code: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    accountUnusable: z.boolean().optional(),
    late: z.boolean().optional(),
    attention: z.string().optional(),
    outcome: z.string().optional(),
    held: payoutHeldSchema.optional(),
  }),
});
export type PayoutEvent = z.output<typeof payoutEventSchema>;

export const payoutEventPageSchema = z.looseObject({ events: z.array(payoutEventSchema) });
