import { parseJson } from '../../lib/json/parse-json.ts';
import { BodyTooLongError, readBounded } from '../../lib/net/bounded-body.ts';
import { countedFetch } from '../../lib/net/call-counts.ts';

/** Why no JSON came: for the log, and for how long to wait before the next attempt. */
export class HttpJsonError extends Error {
  readonly status?: number;
  /** Seconds that the answer asked to wait. */
  readonly retryAfterSeconds?: number;

  constructor(
    message: string,
    options: {
      readonly status?: number;
      readonly retryAfterSeconds?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'HttpJsonError';
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export interface GetJsonInput {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole exchange, the last byte of the body included. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/**
 * One GET without redirects. The answer is not checked: read it with a schema.
 * @throws HttpJsonError
 */
export async function getJson({
  url,
  headers,
  timeoutMs,
  bytesMax,
}: GetJsonInput): Promise<unknown> {
  const abort = new AbortController();
  const timer = setTimeout(
    () => abort.abort(new HttpJsonError(`No complete answer in ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    const response = await countedFetch(`prices ${new URL(url).host}`, url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: abort.signal,
    });
    if (!response.ok)
      throw new HttpJsonError(`The answer has status ${response.status}.`, {
        status: response.status,
        retryAfterSeconds: readSeconds(response.headers.get('retry-after')),
      });
    const answer = parseJson(await readBounded(response.body, bytesMax));
    if (answer === undefined) throw new HttpJsonError('The answer is no JSON.');
    return answer;
  } catch (error) {
    if (error instanceof HttpJsonError) throw error;
    if (error instanceof BodyTooLongError) throw new HttpJsonError(error.message);
    throw new HttpJsonError('The connection failed.', { cause: error });
  } finally {
    clearTimeout(timer);
    // Also closes a connection whose answer was too long or not wanted.
    abort.abort();
  }
}

function readSeconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
