import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../lib/json/parse-json.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type {
  BankEvent,
  CallbackResult,
  NoticeOfChange,
  PayoutCallback,
  PayoutReport,
} from './payout.ts';

/**
 * The sandbox bank's callbacks: JSON with
 * `sandbox-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of t.body>`.
 */

const replayWindowMs = 5 * 60_000;
const signatureHeader = 'sandbox-signature';

const moneySchema = z.object({ amountMinor: z.string().regex(/^\d{1,40}$/), currency: z.string() });
const reportSchema = z.object({
  status: z.enum(['pending', 'settled', 'final', 'rejected', 'returned']),
  code: z.string().optional(),
  money: moneySchema,
});
const noticeSchema = z.object({
  id: z.string(),
  code: z.string(),
  accountNumber: z.string().optional(),
  routingNumber: z.string().optional(),
  accountType: z.enum(['checking', 'savings']).optional(),
});
const eventSchema = z.object({
  id: z.string().min(1).max(200),
  at: z.iso.datetime(),
  key: z.string(),
  bankReference: z.string(),
  report: reportSchema.optional(),
  notice: noticeSchema.optional(),
});

/** An event as the bank posts it. */
export function writeSandboxCallback(
  event: BankEvent,
  { now, secret }: { readonly now: Date; readonly secret: Secret },
): PayoutCallback {
  const { report, notice } = event;
  const body = Buffer.from(
    JSON.stringify({
      id: event.id,
      at: event.at.toISOString(),
      key: event.key,
      bankReference: event.bankReference,
      report: report && {
        status: report.status,
        code: 'code' in report ? report.code : undefined,
        money: {
          amountMinor: String(report.money?.amountMinor ?? 0n),
          currency: report.money?.currency ?? '',
        },
      },
      notice: notice && {
        id: notice.id,
        code: notice.code,
        ...notice.corrected,
        accountNumber: notice.corrected.accountNumber?.reveal(),
      },
    }),
  );
  const seconds = Math.floor(now.getTime() / 1_000);
  return {
    headers: { [signatureHeader]: `t=${seconds},v1=${sign(secret, seconds, body)}` },
    body,
    receivedAt: now,
  };
}

export function readSandboxCallback(
  { headers, body, receivedAt }: PayoutCallback,
  secret: Secret,
): CallbackResult {
  const [, seconds, given] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers[signatureHeader] ?? '') ?? [];
  if (seconds === undefined || given === undefined) return { kind: 'refused', reason: 'signature' };
  const expected = Buffer.from(sign(secret, Number(seconds), body), 'hex');
  if (!timingSafeEqual(expected, Buffer.from(given, 'hex')))
    return { kind: 'refused', reason: 'signature' };
  if (Math.abs(receivedAt.getTime() - Number(seconds) * 1_000) > replayWindowMs)
    return { kind: 'refused', reason: 'replay-window' };
  const read = eventSchema.safeParse(parseJson(body));
  if (!read.success) return { kind: 'refused', reason: 'unreadable' };
  const { id, key, bankReference, report, notice } = read.data;
  const at = new Date(read.data.at);
  return {
    kind: 'event',
    event: {
      id,
      at,
      key,
      bankReference,
      report: report && reportFrom(report, { bankReference, at }),
      notice: notice && noticeFrom(notice, at),
    },
  };
}

function reportFrom(
  report: z.output<typeof reportSchema>,
  common: { readonly bankReference: string; readonly at: Date },
): PayoutReport {
  const money = { amountMinor: BigInt(report.money.amountMinor), currency: report.money.currency };
  const { status, code = 'other' } = report;
  return status === 'rejected' || status === 'returned'
    ? { ...common, money, status, code }
    : { ...common, money, status };
}

function noticeFrom(notice: z.output<typeof noticeSchema>, at: Date): NoticeOfChange {
  const { id, code, accountNumber, routingNumber, accountType } = notice;
  return {
    id,
    code,
    at,
    corrected: {
      ...(accountNumber === undefined ? {} : { accountNumber: new Secret(accountNumber) }),
      ...(routingNumber === undefined ? {} : { routingNumber }),
      ...(accountType === undefined ? {} : { accountType }),
    },
  };
}

function sign(secret: Secret, seconds: number, body: Buffer): string {
  return createHmac('sha256', secret.reveal()).update(`${seconds}.`).update(body).digest('hex');
}
