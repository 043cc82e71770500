import { z } from 'zod';
import { readCorrectedData } from './corrected-data.ts';
import type { NoticeOfChange, PayoutReport } from './payout.ts';
import type { PayoutRail } from './rails.ts';
import { safeCode } from './reason-codes.ts';

/**
 * What Column answers and posts, as far as it is needed. Account numbers that its objects hold are
 * not read at all.
 */

export type TransferKind = 'ach' | 'wire' | 'realtime';

export const kindOfRail: Readonly<Partial<Record<PayoutRail, TransferKind>>> = {
  ach: 'ach',
  'same-day-ach': 'ach',
  wire: 'wire',
  // Column chooses between the two instant networks itself.
  rtp: 'realtime',
  fednow: 'realtime',
};

const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
const timeSchema = z.iso.datetime({ offset: true }).nullish().catch(undefined);
const wordSchema = z.string().max(100).nullish().catch(undefined);

export const counterpartySchema = z.object({ id: idSchema });

const noticeSchema = z.object({
  id: idSchema.nullish().catch(undefined),
  code: wordSchema,
  change_code: wordSchema,
  corrected_data: z.string().max(100).nullish().catch(undefined),
  created_at: timeSchema,
});

export const transferSchema = z.object({
  id: idSchema,
  amount: z.int().nonnegative(),
  currency_code: z.string().regex(/^[A-Za-z]{3}$/),
  status: z.string().min(1).max(60),
  idempotency_key: wordSchema,
  counterparty_id: wordSchema,
  same_day: z.boolean().nullish().catch(undefined),
  created_at: timeSchema,
  updated_at: timeSchema,
  settled_at: timeSchema,
  completed_at: timeSchema,
  returned_at: timeSchema,
  rejected_at: timeSchema,
  canceled_at: timeSchema,
  return_details: z
    .array(z.object({ return_code: wordSchema, created_at: timeSchema }))
    .nullish()
    .catch(undefined),
  rejection_code: wordSchema,
  notifications_of_change: z.array(noticeSchema).nullish().catch(undefined),
  // Of the event about a notice of change, which also has these two beside the transfer's own
  // fields.
  change_code: wordSchema,
  corrected_data: z.string().max(100).nullish().catch(undefined),
});
export type ColumnTransfer = z.output<typeof transferSchema>;

export const transferPageSchema = z.object({
  transfers: z.array(transferSchema),
  has_more: z.boolean(),
});

export const eventSchema = z.object({
  id: idSchema,
  created_at: z.iso.datetime({ offset: true }),
  type: z.string().min(1).max(100),
  data: z.unknown(),
});

export const errorSchema = z.object({ code: z.string().max(200) });

type Fate =
  | { readonly status: 'pending' | 'settled' | 'final' | 'returned' }
  | { readonly status: 'rejected'; readonly code?: string };

/**
 * ACH and wire states are written in capitals, those of instant transfers in small letters: both
 * are read in capitals.
 */
const fates: Readonly<Record<TransferKind, Readonly<Record<string, Fate>>>> = {
  ach: {
    SETTLED: { status: 'settled' },
    PENDING_RETURN: { status: 'settled' },
    COMPLETED: { status: 'final' },
    RETURNED: { status: 'returned' },
    RETURN_CONTESTED: { status: 'returned' },
    RETURN_DISHONORED: { status: 'returned' },
    RETURN_DISHONORED_FUNDS_UNLOCKED: { status: 'returned' },
    CANCELED: { status: 'rejected', code: 'canceled' },
    REJECTED: { status: 'rejected' },
    MANUAL_REVIEW_REJECTED: { status: 'rejected', code: 'compliance' },
  },
  wire: {
    COMPLETED: { status: 'final' },
    RETURNED: { status: 'returned' },
    REJECTED: { status: 'rejected' },
    CANCELED: { status: 'rejected', code: 'canceled' },
    MANUAL_REVIEW_REJECTED: { status: 'rejected', code: 'compliance' },
  },
  realtime: {
    COMPLETED: { status: 'final' },
    RETURNED: { status: 'returned' },
    REJECTED: { status: 'rejected' },
    BLOCKED: { status: 'rejected', code: 'compliance' },
    CANCELED: { status: 'rejected', code: 'canceled' },
    MANUAL_REVIEW_REJECTED: { status: 'rejected', code: 'compliance' },
  },
};

/**
 * What a transfer's state means. A word that is not known means that the bank has it: nothing is
 * concluded from it.
 */
export function reportOfTransfer(
  kind: TransferKind,
  transfer: ColumnTransfer,
  fallbackAt: Date,
): PayoutReport {
  const fate: Fate = fates[kind][transfer.status.toUpperCase()] ?? { status: 'pending' };
  const common = {
    bankReference: transfer.id,
    at: readTime(timeOf(fate, transfer), fallbackAt),
    money: { amountMinor: BigInt(transfer.amount), currency: transfer.currency_code.toLowerCase() },
  };
  if (fate.status === 'returned')
    return {
      ...common,
      status: 'returned',
      code: safeCode(transfer.return_details?.at(-1)?.return_code),
    };
  if (fate.status === 'rejected')
    return { ...common, status: 'rejected', code: fate.code ?? safeCode(transfer.rejection_code) };
  return { ...common, status: fate.status };
}

/**
 * Notices that a transfer, or the event about one, carries. Each has an id that is the same when it
 * comes again.
 */
export function noticesOfTransfer(transfer: ColumnTransfer, fallbackAt: Date): NoticeOfChange[] {
  const listed = transfer.notifications_of_change ?? [];
  const own = transfer.change_code
    ? [{ change_code: transfer.change_code, corrected_data: transfer.corrected_data }]
    : [];
  return [...listed, ...own].map((notice) => {
    const code = safeCode(notice.change_code ?? ('code' in notice ? notice.code : undefined));
    return {
      id: `${transfer.id}_${code}`,
      code,
      at: readTime('created_at' in notice ? notice.created_at : undefined, fallbackAt),
      corrected: readCorrectedData(code, notice.corrected_data ?? ''),
    };
  });
}

/** A refusal in words of ours: what Column calls it is kept only in the form of a code. */
export function rejectionOf(body: unknown): string {
  const code = errorSchema.safeParse(body).data?.code ?? '';
  if (/insufficient|balance/i.test(code)) return 'insufficient-funds';
  if (/limit|amount/i.test(code)) return 'amount-not-allowed';
  if (/ofac|sanction|compliance|blocked/i.test(code)) return 'compliance';
  if (/not_(?:supported|eligible|reachable)|unsupported|ineligible/i.test(code))
    return 'bank-unreachable';
  return /counterparty|routing|account/i.test(code) ? 'account-invalid' : safeCode(code);
}

function timeOf(fate: Fate, transfer: ColumnTransfer): string | null | undefined {
  const byStatus = {
    pending: transfer.created_at,
    settled: transfer.settled_at,
    final: transfer.completed_at,
    returned: transfer.returned_at ?? transfer.return_details?.at(-1)?.created_at,
    rejected: transfer.rejected_at ?? transfer.canceled_at,
  };
  return byStatus[fate.status] ?? transfer.updated_at ?? transfer.created_at;
}

function readTime(text: string | null | undefined, fallback: Date): Date {
  return text ? new Date(text) : fallback;
}
