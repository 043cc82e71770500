import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { storableText } from '../json/storable-text.ts';
import { countCalls, nodeName } from './call-counts.ts';

/** One JSON-RPC call. */
export interface RpcCall<Params extends RpcParams = readonly unknown[]> {
  readonly method: string;
  readonly params: Params;
}

/**
 * By place or by name, as the node takes them; null: none are sent, where a node refuses an empty
 * list.
 */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>> | null;

/**
 * The answer to one call of a batch: its result as the node sent it, or the error the node
 * answered.
 */
export type RpcResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: RpcError };

/** The node answered, and the answer is an error. The call was seen and refused. */
export class RpcError extends Error {
  readonly code: number;
  /** `error.data` as sent. */
  readonly data: unknown;
  readonly method: string;

  constructor(method: string, code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

export type RpcTransportKind = 'timeout' | 'connection' | 'http' | 'malformed';

/** No usable answer came. Whether the node acted on the call is not known. */
export class RpcTransportError extends Error {
  readonly kind: RpcTransportKind;
  readonly status: number | undefined;

  constructor(
    kind: RpcTransportKind,
    message: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'RpcTransportError';
    this.kind = kind;
    this.status = options.status;
  }
}

/**
 * A thin JSON-RPC client of one node: keep-alive, a time-out on every call, retries of reads only.
 */
export interface RpcClient<Params extends RpcParams = readonly unknown[]> {
  /**
   * Sends one call and answers its `result`, unread: parse it with a schema.
   * @throws RpcError the node answered an error
   * @throws RpcTransportError nothing usable came back; a write may or may not have happened
   */
  request(method: string, params?: Params): Promise<unknown>;
  /**
   * Sends many calls in few HTTP requests; answers in the order of `calls`. Errors of single calls
   * are in the results. A node that takes no batches gets the calls one by one.
   * @throws RpcError the node refused a whole batch, e.g. for its rate limit
   * @throws RpcTransportError when an HTTP request gave nothing usable (no result is known then)
   */
  batch(calls: readonly RpcCall<Params>[]): Promise<RpcResult[]>;
  /** Closes idle connections. */
  close(): void;
}

export interface RpcOptions {
  readonly url: string;
  readonly timeoutMs: number;
  /** Calls per HTTP request; public nodes often stop at 100. */
  readonly batchSizeMax?: number;
  /** Methods that change nothing: they are tried again after a lost connection or a busy node. */
  readonly readMethods: RegExp;
  /** Reads what the node sent; JSON when absent. @throws SyntaxError */
  readonly parse?: (text: string) => unknown;
}

const batchSizeDefault = 100;
const socketsMax = 32;
/**
 * A node that answers more than this is broken or hostile; the largest honest answers are full
 * blocks of a few MB.
 */
export const answerBytesMax = 64 * 1024 * 1024;
/** Of what a node says why: it is logged, and kept where an operator looks. */
const reasonLengthMax = 2_000;
/** Pauses before the second and third try of a read. */
const retryPausesMs = [50, 250] as const;
/** Invalid request, no such method, invalid params: what nodes say that do not know batches. */
const batchRefusalCodes = new Set([-32600, -32601, -32602, -32700]);
const batchRefusal = /batch/i;
const retriedStatuses = new Set([429, 502, 503, 504]);

const errorSchema = z.object({
  code: z.number().catch(-32000),
  message: z
    .string()
    .catch('The node gave no reason.')
    .transform((text) => storableText(text, reasonLengthMax)),
  data: z.unknown().optional(),
});
const answerSchema = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: errorSchema.nullish(),
});
type RpcAnswer = z.infer<typeof answerSchema>;

/** Opens a client; no connection is made before the first call. */
export function createJsonRpc<Params extends RpcParams = readonly unknown[]>(
  options: RpcOptions,
): RpcClient<Params> {
  const send = createPost(options);
  const { readMethods } = options;
  const batchSizeMax = options.batchSizeMax ?? batchSizeDefault;
  let batchesRefused = false;

  async function request(method: string, params: RpcParams = []): Promise<unknown> {
    const answer = await retryReads(readMethods, [method], () =>
      send.post(encodeCall({ method, params }, 1)),
    );
    return unwrap(method, readAnswer(answer));
  }

  async function requestResult(call: RpcCall<RpcParams>): Promise<RpcResult> {
    try {
      return { ok: true, value: await request(call.method, call.params) };
    } catch (error) {
      if (error instanceof RpcError) return { ok: false, error };
      throw error;
    }
  }

  async function sendChunk(calls: readonly RpcCall<RpcParams>[]): Promise<RpcResult[]> {
    if (calls.length === 1 || batchesRefused) return mapLimited(calls, 8, requestResult);
    const body = `[${calls.map((call, index) => encodeCall(call, index)).join(',')}]`;
    const methods = calls.map((call) => call.method);
    const answer = await retryReads(readMethods, methods, () => send.post(body));
    if (Array.isArray(answer)) return orderResults(calls, answer);
    // One error for the whole: the node takes no batches, or none of this size, or none just now.
    // It has done none of the calls.
    const { error } = readAnswer(answer);
    if (!error)
      throw new RpcTransportError('malformed', 'The node answered a batch with a single result.');
    if (!batchRefusal.test(error.message) && !batchRefusalCodes.has(error.code))
      throw new RpcError('batch', error.code, error.message, error.data);
    batchesRefused = true;
    return mapLimited(calls, 8, requestResult);
  }

  async function batch(calls: readonly RpcCall<RpcParams>[]): Promise<RpcResult[]> {
    const chunks: RpcCall<RpcParams>[][] = [];
    for (let at = 0; at < calls.length; at += batchSizeMax)
      chunks.push(calls.slice(at, at + batchSizeMax));
    return (await mapLimited(chunks, 4, sendChunk)).flat();
  }

  return { request, batch, close: send.close };
}

function encodeCall(call: RpcCall<RpcParams>, id: number): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: call.method,
    ...(call.params !== null && { params: call.params }),
  });
}

function readAnswer(value: unknown): RpcAnswer {
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success)
    throw new RpcTransportError('malformed', 'The node answered something that is not JSON-RPC.');
  return parsed.data;
}

function unwrap(method: string, answer: RpcAnswer): unknown {
  if (answer.error)
    throw new RpcError(method, answer.error.code, answer.error.message, answer.error.data);
  if (answer.result === undefined)
    throw new RpcTransportError(
      'malformed',
      `The node answered ${method} with neither result nor error.`,
    );
  return answer.result;
}

function orderResults(
  calls: readonly RpcCall<RpcParams>[],
  answers: readonly unknown[],
): RpcResult[] {
  const byId = new Map<number, RpcAnswer>();
  for (const raw of answers) {
    const answer = readAnswer(raw);
    if (answer.id !== undefined && answer.id !== null) byId.set(Number(answer.id), answer);
  }
  return calls.map((call, index) => {
    const answer = byId.get(index);
    if (!answer)
      throw new RpcTransportError(
        'malformed',
        `The node left out the answer to ${call.method} in a batch.`,
      );
    if (answer.error)
      return {
        ok: false,
        error: new RpcError(
          call.method,
          answer.error.code,
          answer.error.message,
          answer.error.data,
        ),
      };
    if (answer.result === undefined)
      throw new RpcTransportError(
        'malformed',
        `The node answered ${call.method} with neither result nor error.`,
      );
    return { ok: true, value: answer.result };
  });
}

/**
 * Reads are tried again after a lost connection or a busy node; a time-out is not repeated, it has
 * cost enough already.
 */
async function retryReads<T>(
  readMethods: RegExp,
  methods: readonly string[],
  run: () => Promise<T>,
): Promise<T> {
  const isRead = methods.every((method) => readMethods.test(method));
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const pauseMs = retryPausesMs[attempt];
      if (!isRead || pauseMs === undefined || !isRetried(error)) throw error;
      await delay(pauseMs);
    }
  }
}

function isRetried(error: unknown): boolean {
  if (!(error instanceof RpcTransportError)) return false;
  return (
    error.kind === 'connection' ||
    (error.kind === 'http' && error.status !== undefined && retriedStatuses.has(error.status))
  );
}

/** Runs `work` for each item, at most `limit` at once, and keeps the order. */
async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
    }
  });
  await Promise.all(lanes);
  return results;
}

/** POST over node's own http: about half of the CPU of `fetch` for the small bodies here. */
function createPost({ url: rawUrl, timeoutMs, parse = JSON.parse }: RpcOptions): {
  post(body: string): Promise<unknown>;
  close(): void;
} {
  const url = new URL(rawUrl);
  const isTls = url.protocol === 'https:';
  if (!isTls && url.protocol !== 'http:')
    throw new Error(`An RPC address must start with http:// or https://, not "${url.protocol}//".`);
  const agent = new (isTls ? https : http).Agent({
    keepAlive: true,
    maxSockets: socketsMax,
    scheduling: 'lifo',
  });
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const auth =
    url.username === '' ? undefined : `${decodePart(url.username)}:${decodePart(url.password)}`;
  // Addresses of hosted nodes carry a key in their path or query: messages name the host only.
  const options: https.RequestOptions = {
    agent,
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    auth,
  };

  const provider = nodeName(rawUrl);

  /** A call that the node refuses is one that it answered. */
  async function post(body: string): Promise<unknown> {
    let isFailed = true;
    try {
      const answer = await exchange(body);
      isFailed = false;
      return answer;
    } finally {
      countCalls({ provider, calls: 1, failures: isFailed ? 1 : 0 });
    }
  }

  function exchange(body: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(
        { ...options, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
        (response) => {
          const chunks: Buffer[] = [];
          let byteCount = 0;
          response.on('data', (chunk: Buffer) => {
            byteCount += chunk.length;
            if (byteCount > answerBytesMax)
              fail(
                new RpcTransportError(
                  'malformed',
                  `The node at ${url.host} answered more than ${answerBytesMax} bytes.`,
                ),
              );
            else chunks.push(chunk);
          });
          response.on('error', (cause) => fail(connectionLost(cause)));
          response.on('end', () => {
            clearTimeout(timer);
            try {
              resolve(
                readBody(parse, {
                  text: Buffer.concat(chunks).toString('utf8'),
                  status: response.statusCode ?? 0,
                  host: url.host,
                }),
              );
            } catch (error) {
              reject(error instanceof Error ? error : new Error(String(error)));
            }
          });
        },
      );
      const timer = setTimeout(
        () =>
          fail(
            new RpcTransportError(
              'timeout',
              `The node at ${url.host} did not answer within ${timeoutMs} ms.`,
            ),
          ),
        timeoutMs,
      );
      const connectionLost = (cause: unknown) =>
        new RpcTransportError('connection', `The connection to the node at ${url.host} failed.`, {
          cause,
        });
      const fail = (error: RpcTransportError) => {
        clearTimeout(timer);
        reject(error);
        request.destroy();
      };
      request.on('error', (cause) => fail(connectionLost(cause)));
      request.end(body);
    });
  }

  return { post, close: () => agent.destroy() };
}

/** A password may have a percent sign that encodes nothing. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Nodes send JSON-RPC errors with any HTTP status, so the body decides where it can be read. */
function readBody(
  parse: (text: string) => unknown,
  { text, status, host }: { readonly text: string; readonly status: number; readonly host: string },
): unknown {
  const isHttpError = status < 200 || status > 299;
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    if (isHttpError)
      throw new RpcTransportError('http', `The node at ${host} answered HTTP ${status}.`, {
        status,
      });
    throw new RpcTransportError(
      'malformed',
      `The node at ${host} answered something that is not JSON.`,
      { cause },
    );
  }
  // A proxy's own error may be JSON too; and one of these statuses says that the node did not get
  // to answer.
  if (isHttpError && (retriedStatuses.has(status) || !answerSchema.safeParse(value).data?.error)) {
    throw new RpcTransportError('http', `The node at ${host} answered HTTP ${status}.`, { status });
  }
  return value;
}
