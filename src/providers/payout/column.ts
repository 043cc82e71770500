import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json/parse-json.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { type BankAnswer, type BankHttp, createBankHttp } from './bank-http.ts';
import {
  type ColumnTransfer,
  counterpartySchema,
  errorSchema,
  eventSchema,
  kindOfRail,
  noticesOfTransfer,
  rejectionOf,
  reportOfTransfer,
  type TransferKind,
  transferPageSchema,
  transferSchema,
} from './column-shapes.ts';
import {
  type BankTransferPage,
  type CallbackResult,
  type FoundPayout,
  type Introduced,
  type IntroduceInput,
  type ListTransfersInput,
  type PayoutCallback,
  PayoutNotSentError,
  type PayoutOrder,
  PayoutOutcomeUnknownError,
  type PayoutProvider,
  type PayoutQuery,
  type PayoutReport,
  PayoutUnavailableError,
} from './payout.ts';
import type { PayoutRail } from './rails.ts';

export interface ColumnOptions {
  /** Base address, e.g. `https://api.column.com`. */
  readonly url: string;
  readonly apiKey: Secret;
  /** The bank account that payouts are made from. */
  readonly bankAccountId: string;
  /** Of the webhook endpoint; during a rotation the new one and the old one. */
  readonly webhookSecrets: readonly Secret[];
  readonly clock: Clock;
  /** 15 s when absent. */
  readonly timeoutMs?: number;
}

const columnName = 'column';
const defaultTimeoutMs = 15_000;
const dayMs = 86_400_000;
/** Column's time may differ from ours by this much. */
const clockSkewMs = 5 * 60_000;
/**
 * Column signs no time of sending: an event is taken this long after it happened, and recognised by
 * its id meanwhile.
 */
const replayWindowMs = 7 * dayMs;
const pageSizeMax = 100;
const pagesMax = 10;

/**
 * Column, a bank with an HTTP API: a counterparty per payout, transfers by ACH, wire and the
 * instant networks, an event per step. Its idempotency keys live for 30 days.
 */
export function createColumn(options: ColumnOptions): PayoutProvider {
  const http = createBankHttp({
    provider: columnName,
    url: options.url.replace(/\/+$/, ''),
    authorization: new Secret(
      `Basic ${Buffer.from(`:${options.apiKey.reveal()}`).toString('base64')}`,
    ),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  });
  const now = () => options.clock.now();
  return {
    name: columnName,
    isSandbox: false,
    offers: [{ type: 'bank-account-us', rails: ['ach', 'same-day-ach', 'wire', 'rtp', 'fednow'] }],
    lookupLagMs: 60_000,
    keyKeptMs: 30 * dayMs,
    introduce: (input, signal) => introduce(http, input, signal),
    submit: (order, signal) =>
      submit({ http, bankAccountId: options.bankAccountId, now: now() }, order, signal),
    find: (query, signal) => findTransfer(http, query, { now: now(), signal }),
    readCallback: (callback) => readCallback(callback, options.webhookSecrets),
    listTransfers: (input, signal) =>
      listTransfers({ http, bankAccountId: options.bankAccountId, now: now() }, input, signal),
  };
}

async function introduce(
  http: BankHttp,
  { key, destination }: IntroduceInput,
  signal: AbortSignal,
): Promise<Introduced> {
  if (destination.type !== 'bank-account-us')
    return { status: 'rejected', code: 'bank-unreachable' };
  const { holder } = destination;
  const { address } = holder;
  const form = {
    routing_number: destination.routingNumber,
    account_number: destination.accountNumber.reveal(),
    account_type: destination.accountType,
    name: toBankText(holder.name, 140),
    legal_type: holder.entityType,
    ...(address && {
      'address[line_1]': toBankText(address.line1, 70),
      ...(address.line2 && { 'address[line_2]': toBankText(address.line2, 70) }),
      'address[city]': toBankText(address.city, 35),
      ...(address.stateOrRegion && { 'address[state]': toBankText(address.stateOrRegion, 35) }),
      'address[postal_code]': toBankText(address.postalCode, 16),
      'address[country_code]': address.country,
    }),
  };
  // A key of its own: were keys not kept apart by path, the payout would be answered with its
  // counterparty.
  const answer = await http.post('/counterparties', form, { key: `${key}-to`, signal });
  refuseUncertain(answer);
  if (answer.status >= 400) return { status: 'rejected', code: rejectionOf(answer.body) };
  const counterparty = counterpartySchema.safeParse(answer.body);
  if (!counterparty.success)
    throw new PayoutOutcomeUnknownError(
      columnName,
      'the answer about a counterparty cannot be read.',
    );
  return { status: 'known', counterparty: counterparty.data.id };
}

interface Place {
  readonly http: BankHttp;
  readonly bankAccountId: string;
  readonly now: Date;
}

async function submit(
  { http, bankAccountId, now }: Place,
  order: PayoutOrder,
  signal: AbortSignal,
): Promise<PayoutReport> {
  const kind = requireKind(order.rail);
  const common = {
    amount: order.amountMinor.toString(),
    currency_code: order.currency.toUpperCase(),
    bank_account_id: bankAccountId,
    counterparty_id: order.counterparty,
    description: order.statement,
    allow_overdraft: 'false',
  };
  const form =
    kind === 'ach'
      ? {
          ...common,
          type: 'CREDIT',
          // Credits to people and to companies are different kinds of entries.
          entry_class_code: order.entityType === 'business' ? 'CCD' : 'PPD',
          company_entry_description: order.statement,
          same_day: String(order.rail === 'same-day-ach'),
        }
      : common;
  const answer = await http.post(`/transfers/${kind}`, form, { key: order.key, signal });
  refuseUncertain(answer);
  if (answer.status >= 400) return { status: 'rejected', code: rejectionOf(answer.body), at: now };
  const transfer = transferSchema.safeParse(answer.body);
  if (!transfer.success)
    throw new PayoutOutcomeUnknownError(columnName, 'the answer about a transfer cannot be read.');
  if (!isOrdered(transfer.data, order))
    throw new PayoutNotSentError(columnName, 'the key was used for another payout.');
  return reportOfTransfer(kind, transfer.data, now);
}

/** @throws for answers that neither take nor refuse the payout */
function refuseUncertain({ status, body, retryAfterMs }: BankAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403)
    throw new PayoutNotSentError(columnName, `the API key is refused (${status}).`);
  if (status === 404)
    throw new PayoutNotSentError(
      columnName,
      'the bank account, counterparty or address does not exist (404).',
    );
  if (status === 429)
    throw new PayoutNotSentError(columnName, 'too many calls (429).', { retryAfterMs });
  if ((status === 400 || status === 422) && errorSchema.safeParse(body).success) {
    if (/idempoten/i.test(errorSchema.parse(body).code))
      throw new PayoutNotSentError(columnName, 'the key was used for another payout.');
    return;
  }
  throw new PayoutOutcomeUnknownError(columnName, `the answer has status ${status}.`, {
    retryAfterMs,
  });
}

async function findTransfer(
  http: BankHttp,
  query: PayoutQuery,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<FoundPayout | undefined> {
  const kind = requireKind(query.rail);
  const transfer =
    query.bankReference === undefined
      ? await searchTransfer(http, { ...query, kind }, signal)
      : await readTransfer(http, { kind, id: query.bankReference }, signal);
  if (transfer === undefined) return undefined;
  if (transfer.idempotency_key && transfer.idempotency_key !== query.key)
    throw new PayoutUnavailableError(columnName, 'a look-up was answered with another transfer.');
  return {
    report: reportOfTransfer(kind, transfer, now),
    notices: noticesOfTransfer(transfer, now),
  };
}

async function readTransfer(
  http: BankHttp,
  { kind, id }: { readonly kind: TransferKind; readonly id: string },
  signal: AbortSignal,
): Promise<ColumnTransfer | undefined> {
  const answer = await http.get(`/transfers/${kind}/${encodeURIComponent(id)}`, {}, signal);
  if (answer.status === 404) return undefined;
  const transfer = transferSchema.safeParse(requireOk(answer));
  if (!transfer.success)
    throw new PayoutUnavailableError(
      columnName,
      'a look-up was answered with something that cannot be read.',
    );
  return transfer.data;
}

/**
 * There is no look-up by key: the transfers to the payout's own counterparty are listed, which are
 * none or one.
 */
async function searchTransfer(
  http: BankHttp,
  query: PayoutQuery & { readonly kind: TransferKind },
  signal: AbortSignal,
): Promise<ColumnTransfer | undefined> {
  let after: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await readPage(
      http,
      {
        kind: query.kind,
        filter: {
          counterparty_id: query.counterparty,
          'created.gte': new Date(query.sentAfter.getTime() - clockSkewMs).toISOString(),
          limit: String(pageSizeMax),
          ...(after && { starting_after: after }),
        },
      },
      signal,
    );
    const found = page.transfers.find((transfer) => transfer.idempotency_key === query.key);
    if (found) return found;
    after = page.transfers.at(-1)?.id;
    if (!page.has_more || after === undefined) return undefined;
  }
  throw new PayoutUnavailableError(columnName, `a look-up did not end within ${pagesMax} pages.`);
}

async function listTransfers(
  { http, bankAccountId, now }: Place,
  input: ListTransfersInput,
  signal: AbortSignal,
): Promise<BankTransferPage> {
  const kind = requireKind(input.rail);
  const page = await readPage(
    http,
    {
      kind,
      filter: {
        bank_account_id: bankAccountId,
        is_incoming: 'false',
        'created.gte': input.from.toISOString(),
        'created.lt': input.until.toISOString(),
        limit: String(Math.min(input.limit, pageSizeMax)),
        ...(input.cursor && { starting_after: input.cursor }),
      },
    },
    signal,
  );
  return {
    transfers: page.transfers
      .filter(
        (transfer) =>
          kind !== 'ach' || (transfer.same_day === true) === (input.rail === 'same-day-ach'),
      )
      .map((transfer) => ({
        ...reportOfTransfer(kind, transfer, now),
        key: transfer.idempotency_key ?? undefined,
        createdAt: transfer.created_at ? new Date(transfer.created_at) : now,
      })),
    nextCursor: page.has_more ? page.transfers.at(-1)?.id : undefined,
  };
}

async function readPage(
  http: BankHttp,
  { kind, filter }: { kind: TransferKind; filter: Record<string, string> },
  signal: AbortSignal,
) {
  const page = transferPageSchema.safeParse(
    requireOk(await http.get(`/transfers/${kind}`, filter, signal)),
  );
  if (!page.success)
    throw new PayoutUnavailableError(
      columnName,
      'a look-up was answered with something that cannot be read.',
    );
  return page.data;
}

function requireOk({ status, body, retryAfterMs }: BankAnswer): unknown {
  if (status !== 200)
    throw new PayoutUnavailableError(columnName, `a look-up was answered with status ${status}.`, {
      retryAfterMs,
    });
  return body;
}

function readCallback(
  { headers, body, receivedAt }: PayoutCallback,
  secrets: readonly Secret[],
): CallbackResult {
  if (!isSigned(body, headers['column-signature'], secrets))
    return { kind: 'refused', reason: 'signature' };
  const event = eventSchema.safeParse(parseJson(body));
  if (!event.success) return { kind: 'refused', reason: 'unreadable' };
  const { id, type, data } = event.data;
  const at = new Date(event.data.created_at);
  const ageMs = receivedAt.getTime() - at.getTime();
  if (ageMs > replayWindowMs || ageMs < -clockSkewMs)
    return { kind: 'refused', reason: 'replay-window' };
  const [, kind] = /^(ach|wire|realtime)\.outgoing_transfer\./.exec(type) ?? [];
  if (kind === undefined) return { kind: 'ignored', eventId: id };
  const transfer = transferSchema.safeParse(data);
  if (!transfer.success) return { kind: 'refused', reason: 'unreadable' };
  const [notice] = type.endsWith('.noc') ? noticesOfTransfer(transfer.data, at) : [];
  return {
    kind: 'event',
    event: {
      id,
      at,
      key: transfer.data.idempotency_key ?? undefined,
      bankReference: transfer.data.id,
      report: reportOfTransfer(kind as TransferKind, transfer.data, at),
      ...(notice && { notice }),
    },
  };
}

function isSigned(body: Buffer, given: string | undefined, secrets: readonly Secret[]): boolean {
  if (given === undefined || !/^[0-9a-fA-F]{64}$/.test(given)) return false;
  const signature = Buffer.from(given, 'hex');
  return secrets.some((secret) =>
    timingSafeEqual(createHmac('sha256', secret.reveal()).update(body).digest(), signature),
  );
}

function isOrdered(transfer: ColumnTransfer, order: PayoutOrder): boolean {
  return (
    BigInt(transfer.amount) === order.amountMinor &&
    transfer.currency_code.toLowerCase() === order.currency
  );
}

function requireKind(rail: PayoutRail): TransferKind {
  const kind = kindOfRail[rail];
  if (kind === undefined)
    throw new PayoutNotSentError(columnName, `the rail ${rail} is not offered.`);
  return kind;
}

/** Banks read a small set of letters: accents are dropped, what is left over becomes a space. */
function toBankText(text: string, lengthMax: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 .,'()/+:?-]/g, ' ');
  return plain.replace(/ +/g, ' ').trim().slice(0, lengthMax);
}
