import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseJson } from '../../lib/json/parse-json.ts';
import { BodyTooLongError, readBounded } from '../../lib/net/bounded-body.ts';
import type { EgressProxy } from '../egress/index.ts';
import { CommerceAwayError } from './types.ts';

export interface CommerceRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** Default: as long as an order may take. */
  readonly timeoutMs?: number;
}

export interface CommerceAnswer {
  readonly status: number;
  /** Parsed JSON; undefined when it is none. */
  readonly body: unknown;
}

/**
 * HTTP to shops and tokenizers, through the run's own way out: what a page may not reach, this may
 * not either.
 */
export interface CommerceExit {
  /** @throws CommerceAwayError without a whole answer, after a redirect, or when it is too long */
  send(request: CommerceRequest): Promise<CommerceAnswer>;
  close(): Promise<void>;
}

const answerBytesMax = 512 * 1024;
const connectTimeoutMs = 10_000;
/** A shop that places an order asks its bank meanwhile. */
const answerTimeoutMs = 60_000;

export function openCommerceExit(
  proxy: Pick<EgressProxy, 'server' | 'username' | 'password'>,
): CommerceExit {
  const token = `Basic ${Buffer.from(`${proxy.username}:${proxy.password.reveal()}`).toString('base64')}`;
  return exitOf(new ProxyAgent({ ...limits, uri: proxy.server, token, proxyTunnel: false }));
}

/** To addresses that the operator has configured. */
export function openDirectExit(): CommerceExit {
  return exitOf(new Agent(limits));
}

const limits = {
  connect: { timeout: connectTimeoutMs },
  headersTimeout: answerTimeoutMs,
  bodyTimeout: answerTimeoutMs,
};

function exitOf(dispatcher: Dispatcher): CommerceExit {
  return { send: (request) => send(dispatcher, request), close: () => dispatcher.destroy() };
}

async function send(
  agent: Dispatcher,
  { method, url, headers, body, timeoutMs = answerTimeoutMs }: CommerceRequest,
): Promise<CommerceAnswer> {
  const { origin, pathname, search } = new URL(url);
  try {
    const answer = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.statusCode >= 300 && answer.statusCode < 400) {
      answer.body.destroy();
      throw new CommerceAwayError(
        `${origin} leads elsewhere (${answer.statusCode}), which is not followed.`,
      );
    }
    return {
      status: answer.statusCode,
      body: parseJson(String(await readBounded(answer.body, answerBytesMax))),
    };
  } catch (error) {
    if (error instanceof CommerceAwayError) throw error;
    if (error instanceof BodyTooLongError)
      throw new CommerceAwayError(`${origin} answers more than ${error.bytesMax} bytes.`);
    throw new CommerceAwayError(`${origin} did not answer.`, { cause: error });
  }
}
