import { parseJson } from '../../lib/json/parse-json.ts';
import { BodyTooLongError, readBounded } from '../../lib/net/bounded-body.ts';
import { countedFetch } from '../../lib/net/call-counts.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { deadlineSignal } from '../../lib/waiting/deadline.ts';
import { PayoutNotSentError, PayoutOutcomeUnknownError, PayoutUnavailableError } from './payout.ts';

/**
 * Calls to a bank's HTTP API, and what is known when one goes wrong. No error says what was sent or
 * answered.
 */
export interface BankHttpOptions {
  readonly provider: string;
  /** Base address without a slash at its end. */
  readonly url: string;
  readonly authorization: Secret;
  /** For a whole exchange, the last byte of the answer included. */
  readonly timeoutMs: number;
}

export interface BankAnswer {
  readonly status: number;
  /** Undefined when the answer is no JSON. */
  readonly body: unknown;
  readonly retryAfterMs?: number;
}

export interface BankHttp {
  /**
   * Posts a form. @throws PayoutNotSentError when no connection came about
   * @throws PayoutOutcomeUnknownError when it broke before the answer was whole
   */
  post(
    path: string,
    form: Readonly<Record<string, string>>,
    options: { readonly key: string; readonly signal: AbortSignal },
  ): Promise<BankAnswer>;
  /** @throws PayoutUnavailableError */
  get(
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<BankAnswer>;
}

const answerBytesMax = 4 * 1024 * 1024;
const retryAfterMaxMs = 60 * 60_000;

/**
 * The connection never stood: nothing of the request has left. Everything else may have arrived.
 */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export function createBankHttp(options: BankHttpOptions): BankHttp {
  const { provider, url, timeoutMs } = options;

  async function exchange(
    path: string,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<BankAnswer> {
    const response = await countedFetch(provider, `${url}${path}`, {
      ...init,
      // A kept connection may have died unnoticed, and a payout sent on it would be an unknown
      // outcome.
      headers: {
        accept: 'application/json',
        connection: 'close',
        authorization: options.authorization.reveal(),
        ...init.headers,
      },
      // A redirected payout would be a payout to somebody else's server.
      redirect: 'manual',
      signal: deadlineSignal(timeoutMs, signal),
    });
    const body = parseJson(await readBounded(response.body, answerBytesMax));
    return {
      status: response.status,
      body,
      retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
    };
  }

  return {
    async post(path, form, { key, signal }) {
      if (signal.aborted)
        throw new PayoutNotSentError(provider, 'the call was given up before it began.');
      try {
        return await exchange(
          path,
          {
            method: 'POST',
            headers: {
              'content-type': 'application/x-www-form-urlencoded',
              'idempotency-key': key,
            },
            body: new URLSearchParams(form).toString(),
          },
          signal,
        );
      } catch (error) {
        const reason = reasonOf(error);
        if (neverConnected.has(reason))
          throw new PayoutNotSentError(provider, `the bank cannot be reached (${reason}).`);
        throw new PayoutOutcomeUnknownError(provider, `no complete answer came (${reason}).`);
      }
    },
    async get(path, query, signal) {
      const search = new URLSearchParams(query).toString();
      try {
        return await exchange(
          search === '' ? path : `${path}?${search}`,
          { method: 'GET' },
          signal,
        );
      } catch (error) {
        throw new PayoutUnavailableError(
          provider,
          `a look-up was not answered (${reasonOf(error)}).`,
        );
      }
    },
  };
}

/** A short code: the texts of such errors may quote the address, and addresses hold queries. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof BodyTooLongError) return 'the answer is too long';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return error.name;
  const { code } = (error.cause ?? error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'connection failed';
}

function readRetryAfter(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text)
    ? Math.min(Number(text) * 1_000, retryAfterMaxMs)
    : undefined;
}
