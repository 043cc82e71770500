import { BodyTooLongError, readBounded } from '../../lib/net/bounded-body.ts';
import { countedFetch } from '../../lib/net/call-counts.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { deadlineSignal, isLate } from '../../lib/waiting/deadline.ts';
import { KycOutage } from './kyc.ts';

export interface PersonaHttpOptions {
  /** Base address, e.g. `https://api.withpersona.com/api/v1`. */
  readonly url: string;
  readonly apiKey: Secret;
  /** Dated version of the company's interface. */
  readonly version: string;
  readonly timeoutMs?: number;
}

export interface PersonaCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface PersonaAnswer {
  readonly status: number;
  /** Parsed JSON; undefined when there is none. Unchecked: read it with a schema. */
  readonly body: unknown;
}

const defaultTimeoutMs = 20_000;
const answerBytesMax = 4 * 1024 * 1024;

/**
 * One exchange with the company. Answers that say what is wrong with this call come back; those
 * that say "not now" or "not you" are thrown, since trying again is right.
 * @throws KycOutage
 */
export async function callPersona(
  options: PersonaHttpOptions,
  call: PersonaCall,
): Promise<PersonaAnswer> {
  const signal = deadlineSignal(options.timeoutMs ?? defaultTimeoutMs, call.signal);
  try {
    const response = await countedFetch(
      'persona',
      `${options.url.replace(/\/+$/, '')}${call.path}`,
      {
        method: call.method,
        redirect: 'error',
        signal,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${options.apiKey.reveal()}`,
          'persona-version': options.version,
          'key-inflection': 'kebab',
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
          ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
        },
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
      },
    );
    const { status } = response;
    const text = String(await readBounded(response.body, answerBytesMax));
    if (status >= 500 || [401, 403, 408, 409, 425, 429].includes(status))
      throw new KycOutage(
        `The identity company answered ${call.method} ${routeOf(call.path)} with status ${status}.`,
      );
    return { status, body: parse(text) };
  } catch (error) {
    if (error instanceof KycOutage) throw error;
    if (error instanceof BodyTooLongError)
      throw new KycOutage(`The identity company answered more than ${error.bytesMax} bytes.`);
    const reason = isLate(signal) ? 'did not answer in time' : 'cannot be reached';
    throw new KycOutage(`The identity company ${reason} (${call.method} ${routeOf(call.path)}).`, {
      cause: error,
    });
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new KycOutage('The identity company answered no JSON.');
  }
}

/** For logs: without ids and queries. */
function routeOf(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/\/inq_[^/]+/g, '/…');
}
