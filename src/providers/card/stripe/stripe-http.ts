import type Stripe from 'stripe';
import { z } from 'zod';
import type { Logger } from '../../../lib/log/log.ts';
import { boundResponse } from '../../../lib/net/bounded-body.ts';
import { countedFetch } from '../../../lib/net/call-counts.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import { CardProviderError, CardRefusedError } from '../card.ts';

/**
 * Calls to Stripe through its official package, and what is known when one goes wrong. No error
 * says what was sent or answered.
 */
export interface StripeHttpOptions {
  /** Scheme, host and port. */
  readonly url: string;
  readonly secretKey: Secret;
  readonly log: Logger;
  /** For a whole exchange, the last byte of the answer included. */
  readonly timeoutMs?: number;
  /** Waits between tries. For tests. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** What Stripe says is wrong with a call. */
export interface StripeRefusal {
  /** `card_error`, `invalid_request_error`, … */
  readonly type: string;
  readonly code: string;
}

export type StripeOutcome<T> =
  | { readonly value: T; readonly isReplayed: boolean }
  | { readonly refusal: StripeRefusal };

export interface StripeHttp {
  /**
   * @throws CardProviderError; CardRefusedError for other input under a used key, and for what is
   * wrong with our account or key
   */
  read<T>(
    schema: z.ZodType<T>,
    run: (client: Stripe) => Promise<unknown>,
  ): Promise<StripeOutcome<T>>;
  /** A call that changes something, safe to repeat under its key. Throws as `read` does. */
  write<T>(
    key: string,
    schema: z.ZodType<T>,
    run: (client: Stripe, options: Stripe.RequestOptions) => Promise<unknown>,
  ): Promise<StripeOutcome<T>>;
}

export const stripeName = 'stripe';
const defaultTimeoutMs = 20_000;
const answerBytesMax = 4 * 1024 * 1024;
const triesMax = 4;
const firstPauseMs = 250;
const pauseMaxMs = 5_000;

/**
 * The connection never stood: nothing of the request has left. Everything else may have arrived.
 */
const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|ERR_TLS_CERT_ALTNAME_INVALID)$/;

export function createStripeHttp(options: StripeHttpOptions): StripeHttp {
  const pause =
    options.pause ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  let client: Promise<Stripe> | undefined;
  const open = () => (client ??= openClient(options));

  /** "Not now" is tried again, with a cap; Stripe has done nothing by such a call. */
  async function withPatience<T>(
    schema: z.ZodType<T>,
    isWrite: boolean,
    run: (client: Stripe) => Promise<unknown>,
  ): Promise<StripeOutcome<T>> {
    for (let tries = 1; ; tries++) {
      try {
        return readAnswer(schema, await run(await open()), isWrite);
      } catch (error) {
        const fault = readFault(error);
        const isBusy = fault.status === 429 || (fault.status === 409 && isWrite);
        if (!isBusy || tries >= triesMax) return judge(fault, isWrite, error);
        const pauseMs = Math.min(fault.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1), pauseMaxMs);
        options.log.info(
          { provider: stripeName, status: fault.status, tries, pauseMs },
          'Stripe asks to wait',
        );
        await pause(pauseMs);
      }
    }
  }

  return {
    read: (schema, run) => withPatience(schema, false, run),
    async write(key, schema, run) {
      const send = (idempotencyKey: string) =>
        withPatience(schema, true, (stripe) => run(stripe, { idempotencyKey }));
      try {
        return await send(key);
      } catch (error) {
        // Stripe answers a key for a day as it did at first, its own faults included. All our calls
        // may come twice.
        if (!(error instanceof RepeatedFaultError)) throw error;
        return send(`${key}_again`);
      }
    },
  };
}

/** An answer of a fault that lies back, under a key that Stripe remembers. */
class RepeatedFaultError extends CardProviderError {}

/** Loaded when the first call is made: who has another acquirer never loads it. */
async function openClient({
  url,
  secretKey,
  timeoutMs = defaultTimeoutMs,
}: StripeHttpOptions): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe');
  const { protocol, hostname, port } = new URL(url);
  return new StripeClient(secretKey.reveal(), {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: StripeClient.createFetchHttpClient(cappedFetch),
  });
}

/** The package reads answers whole, of whatever size, and would follow redirects with the key. */
async function cappedFetch(
  input: Parameters<typeof fetch>[0],
  init?: RequestInit,
): Promise<Response> {
  const headers = new Headers(init?.headers);
  // A kept connection may have died unnoticed, and a capture sent on it would be an unknown
  // outcome.
  headers.set('connection', 'close');
  const response = await countedFetch(stripeName, input, { ...init, headers, redirect: 'error' });
  return boundResponse(response, answerBytesMax);
}

function readAnswer<T>(schema: z.ZodType<T>, answer: unknown, isWrite: boolean): StripeOutcome<T> {
  const read = schema.safeParse(answer);
  if (!read.success)
    throw new CardProviderError(stripeName, 'its answer cannot be read.', {
      mayHaveHappened: isWrite,
    });
  // No field of the JSON: the package hangs the response on, hidden.
  const { lastResponse } = answer as { readonly lastResponse?: unknown };
  return {
    value: read.data,
    isReplayed:
      lastResponse instanceof Response &&
      lastResponse.headers.get('idempotent-replayed') === 'true',
  };
}

interface Fault extends StripeRefusal {
  /** Undefined when no complete answer came, or one that is no JSON. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly isReplayed: boolean;
  /** Short word for messages, e.g. `ECONNREFUSED`. */
  readonly reason: string;
}

const faultSchema = z.looseObject({
  statusCode: z.number().optional(),
  rawType: z.string().optional(),
  code: z.string().optional(),
  decline_code: z.string().optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
  detail: z.unknown(),
});

function readFault(error: unknown): Fault {
  if (error instanceof CardProviderError) throw error;
  const {
    statusCode,
    rawType = '',
    code = '',
    headers = {},
    detail,
  } = faultSchema.safeParse(error).data ?? {};
  const wait = String(headers['retry-after'] ?? '');
  return {
    status: statusCode,
    type: rawType,
    code,
    isReplayed: headers['idempotent-replayed'] === 'true',
    reason: statusCode === undefined ? reasonOf(detail ?? error) : String(statusCode),
    ...(/^\d{1,6}$/.test(wait) && { retryAfterMs: Number(wait) * 1_000 }),
  };
}

/** A short code: the texts of such errors may quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no complete answer';
  const { code } = (error.cause ?? error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'no complete answer';
}

/** What a fault means: a refusal is a result, everything else is thrown. */
function judge(
  fault: Fault,
  isWrite: boolean,
  cause: unknown,
): { readonly refusal: StripeRefusal } {
  const { status, type, code, reason, retryAfterMs } = fault;
  if (status === undefined) {
    if (neverConnected.test(reason))
      throw new CardProviderError(stripeName, `it cannot be reached (${reason}).`, {
        mayHaveHappened: false,
      });
    throw new CardProviderError(stripeName, `no complete answer came (${reason}).`, {
      mayHaveHappened: isWrite,
      cause: nameOf(cause),
    });
  }
  if (type === 'idempotency_error' && status !== 409)
    throw new CardRefusedError(stripeName, 'the idempotency key was used for another call.');
  if (status === 401 || status === 403)
    throw new CardProviderError(stripeName, `it does not take our key (${status}).`, {
      mayHaveHappened: false,
    });
  if (status === 429)
    throw new CardProviderError(stripeName, 'it asks to wait (429).', {
      mayHaveHappened: false,
      retryAfterMs,
    });
  if ([400, 402, 404].includes(status)) return { refusal: { type, code } };
  const Fault =
    fault.isReplayed && isWrite && status >= 500 ? RepeatedFaultError : CardProviderError;
  throw new Fault(stripeName, `it answered with status ${status}.`, { mayHaveHappened: isWrite });
}

/** Of the package's error only the name: it holds the whole exchange. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
