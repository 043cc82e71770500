import { ConnectionError } from './errors.ts';
import { deadlineSignal, pause } from './wait.ts';

export interface RetryOptions {
  /** How often a call is tried in all. Default 4; 1 never repeats. */
  readonly attemptsMax?: number;
  /** Of one try. Default 30,000. */
  readonly timeoutMs?: number;
}

const attemptsDefault = 4;
const timeoutDefaultMs = 30_000;
const backOffFirstMs = 250;
const backOffMaxMs = 8_000;
const retryAfterMaxMs = 60_000;
export const idempotencyHeader = 'x-idempotency-key';

/**
 * `fetch` that repeats what may be repeated: connection failures, 429 (after `Retry-After`), 502,
 * 503, 504, and a first call with the same idempotency key that still runs. Every POST carries an
 * idempotency key that stays the same over its tries, so that a lost answer never makes a second
 * object. Other writes are idempotent by themselves.
 * @throws ConnectionError, the signal's reason
 */
export function createRetryingFetch(
  fetchOnce: typeof fetch,
  options: RetryOptions = {},
): (request: Request) => Promise<Response> {
  const attemptsMax = options.attemptsMax ?? attemptsDefault;
  return async (request) => {
    const body = request.body === null ? undefined : await request.text();
    const headers = new Headers(request.headers);
    if (request.method === 'POST' && !headers.has(idempotencyHeader))
      headers.set(idempotencyHeader, crypto.randomUUID());
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= attemptsMax;
      let response: Response | undefined;
      try {
        response = await fetchOnce(request.url, {
          method: request.method,
          headers,
          ...(body === undefined ? {} : { body }),
          // A redirect would take the key to somebody else.
          redirect: 'error',
          signal: deadlineSignal(options.timeoutMs ?? timeoutDefaultMs, request.signal),
        });
        if (last || !(await isTransient(response))) return response;
      } catch (error) {
        request.signal.throwIfAborted();
        if (last)
          throw new ConnectionError(
            `${request.url} did not answer, or with a redirect, which is not followed.`,
            {
              status: 0,
              cause: error,
            },
          );
      }
      await pause(waitMs(attempt, response), request.signal);
    }
  };
}

async function isTransient(response: Response): Promise<boolean> {
  if ([429, 502, 503, 504].includes(response.status)) return true;
  if (response.status !== 409) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    body.code === 'idempotency-key-in-progress'
  );
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - Date.now();
}

function waitMs(attempt: number, response: Response | undefined): number {
  const askedMs = retryAfterMs(response?.headers.get('retry-after') ?? '');
  if (askedMs !== undefined) return Math.min(Math.max(askedMs, 0), retryAfterMaxMs);
  const backOffMs = Math.min(backOffFirstMs * 2 ** (attempt - 1), backOffMaxMs);
  return backOffMs * (0.5 + Math.random() / 2);
}
