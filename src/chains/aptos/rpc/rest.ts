import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { storableText } from '../../../lib/json/storable-text.ts';
import { BodyTooLongError, readBounded } from '../../../lib/net/bounded-body.ts';
import { countedFetch, nodeName } from '../../../lib/net/call-counts.ts';
import { RpcTransportError } from '../../../lib/net/json-rpc.ts';

/** The node answered with an error: it has seen the request and refused it. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal';
  readonly status: number;
  /** `error_code` of the answer, e.g. `transaction_not_found`. */
  readonly code: string;
  readonly ledger: Ledger;

  constructor(refusal: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly ledger: Ledger;
  }) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.ledger = refusal.ledger;
  }
}

export interface RestAnswer {
  readonly body: unknown;
  /** Where the node stood when it answered. */
  readonly ledger: Ledger;
}

export interface Ledger {
  readonly chainId: number;
  readonly version: bigint;
  readonly timestampUs: bigint;
}

/** A full node's REST API below `/v1`. */
export interface AptosRest {
  /** @throws RestRefusal, RpcTransportError */
  get(path: string): Promise<RestAnswer>;
  /**
   * Calls of views and simulations change nothing and are tried again; a submission is not.
   * @throws as {@link get}
   */
  post(path: string, body: Uint8Array | object): Promise<RestAnswer>;
}

const answerBytesMax = 32 * 1024 * 1024;
const reasonLengthMax = 2_000;
const retryPausesMs = [50, 250] as const;
const retriedStatuses = new Set([429, 502, 503, 504]);
const signedType = 'application/x.aptos.signed_transaction+bcs';

const errorSchema = z.object({
  message: z.string().transform((text) => storableText(text, reasonLengthMax)),
  error_code: z.string().max(100),
});

/** @param options.url with or without `/v1` at its end */
export function createAptosRest(options: {
  readonly url: string;
  readonly timeoutMs: number;
}): AptosRest {
  const base = options.url.replace(/\/+$/, '').replace(/\/v1$/, '');

  async function once(path: string, body: Uint8Array | object | undefined): Promise<RestAnswer> {
    const isBytes = body instanceof Uint8Array;
    const response = await countedFetch(nodeName(base), `${base}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': isBytes ? signedType : 'application/json' }),
      },
      ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs),
    }).catch((error: unknown) => {
      throw transportError(error);
    });
    const answer = await readJson(response);
    if (response.ok) return { body: answer, ledger: ledgerOf(response.headers) };
    const { data: refusal } = errorSchema.safeParse(answer);
    if (!refusal || response.status >= 500 || retriedStatuses.has(response.status))
      throw new RpcTransportError('http', `The node answered with status ${response.status}.`, {
        status: response.status,
      });
    const { error_code: code, message } = refusal;
    throw new RestRefusal({
      status: response.status,
      code,
      message,
      ledger: ledgerOf(response.headers),
    });
  }

  async function ask(path: string, body: Uint8Array | object | undefined): Promise<RestAnswer> {
    const isRepeatable = path !== '/transactions' || body === undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(path, body);
      } catch (error) {
        const pauseMs = retryPausesMs[attempt];
        if (!isRepeatable || pauseMs === undefined || !isRetried(error)) throw error;
        await delay(pauseMs);
      }
    }
  }

  return { get: (path) => ask(path, undefined), post: ask };
}

function isRetried(error: unknown): boolean {
  if (!(error instanceof RpcTransportError)) return false;
  return (
    error.kind === 'connection' || (error.status !== undefined && retriedStatuses.has(error.status))
  );
}

function transportError(error: unknown): RpcTransportError {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  return new RpcTransportError(
    isLate ? 'timeout' : 'connection',
    isLate ? 'The node did not answer in time.' : 'The node is not reachable.',
    {
      cause: error,
    },
  );
}

async function readJson(response: Response): Promise<unknown> {
  const text = await readBounded(response.body, answerBytesMax).catch((error: unknown) => {
    if (error instanceof BodyTooLongError)
      throw new RpcTransportError(
        'malformed',
        'The node answered more than any honest answer has.',
      );
    throw transportError(error);
  });
  try {
    return JSON.parse(String(text));
  } catch {
    throw new RpcTransportError(
      response.ok ? 'malformed' : 'http',
      'The node answered something that is not JSON.',
      {
        status: response.status,
      },
    );
  }
}

function ledgerOf(headers: Headers): Ledger {
  const numberOf = (name: string) => {
    const text = headers.get(`x-aptos-${name}`) ?? '';
    if (!/^\d{1,20}$/.test(text))
      throw new RpcTransportError('malformed', `The node does not say x-aptos-${name}.`);
    return BigInt(text);
  };
  return {
    chainId: Number(numberOf('chain-id')),
    version: numberOf('ledger-version'),
    timestampUs: numberOf('ledger-timestampusec'),
  };
}
