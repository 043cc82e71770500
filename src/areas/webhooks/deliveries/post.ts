import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import {
  bareHostname,
  createCheckedLookup,
  ForbiddenTargetError,
  type TargetRule,
} from '../endpoints/target.ts';

/** Time for everything: name, connection, request and answer (supplement, section 16). */
const postTimeoutMs = 15_000;
/** So much of an answer is kept … */
const answerBytesMax = 1_024;
/** … and so much is read, for the connection to be used again; then it is cut off. */
const answerReadBytesMax = 65_536;
const freeSocketsPerHostMax = 4;
const freeSocketMs = 30_000;

export interface PostInput {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of one POST. Without `statusCode` there was no answer, and `error` says why. */
export interface PostOutcome {
  readonly statusCode?: number;
  /** The first KiB. */
  readonly answer?: string;
  readonly retryAfter?: string;
  readonly error?: string;
  readonly durationMs: number;
}

export interface Poster {
  /** Never throws: whatever goes wrong is the outcome. */
  post(input: PostInput): Promise<PostOutcome>;
  close(): void;
}

export interface PosterOptions {
  readonly rule: TargetRule;
  readonly timeoutMs?: number;
  /** For tests: another authority. */
  readonly ca?: string;
}

/** Sends to receivers; connections are kept alive per host, redirects are not followed. */
export function createPoster(options: PosterOptions): Poster {
  const { rule, timeoutMs = postTimeoutMs } = options;
  const common = {
    keepAlive: true,
    maxFreeSockets: freeSocketsPerHostMax,
    timeout: freeSocketMs,
    lookup: createCheckedLookup(rule),
  };
  const agents = {
    http: new http.Agent(common),
    https: new https.Agent({ ...common, ...(options.ca && { ca: options.ca }) }),
  };
  return {
    async post(input) {
      const startedMs = performance.now();
      const end = (outcome: Omit<PostOutcome, 'durationMs'>): PostOutcome => ({
        ...outcome,
        durationMs: Math.round(performance.now() - startedMs),
      });
      const url = new URL(input.url);
      const refusal = refuseTarget(url, rule);
      if (refusal) return end({ error: refusal });
      const first = await send(agents, url, input, timeoutMs);
      // The receiver closed the connection while it was idle: nothing was wrong with this request.
      const again = first.staleConnection
        ? await send(agents, url, input, Math.max(1, timeoutMs - (performance.now() - startedMs)))
        : first;
      const { staleConnection: _, ...outcome } = again;
      return end(outcome);
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Names are checked when they are resolved; an address stands in the URL itself and is never
 * resolved.
 */
function refuseTarget(url: URL, rule: TargetRule): string | undefined {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rule.allowsHttp))
    return 'Only https addresses are sent to.';
  const hostname = bareHostname(url);
  if (isIP(hostname) !== 0 && !rule.isAllowed(hostname))
    return 'The address is no machine of the public internet.';
  return undefined;
}

type Sent = Omit<PostOutcome, 'durationMs'> & { readonly staleConnection?: boolean };

function send(
  agents: { http: http.Agent; https: https.Agent },
  url: URL,
  input: PostInput,
  timeoutMs: number,
): Promise<Sent> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve) => {
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: secure ? agents.https : agents.http,
      headers: { ...input.headers, 'content-length': Buffer.byteLength(input.body) },
    });
    // The time is over for whoever waits, whatever the connection says of its end, or whether it
    // says anything.
    let atTimeout = (): void => finish({ error: `No answer within ${timeoutMs / 1_000} s.` });
    const timer = setTimeout(() => {
      atTimeout();
      request.destroy();
    }, timeoutMs);
    const finish = (sent: Sent) => {
      clearTimeout(timer);
      resolve(sent);
    };
    request.on('response', (response) => {
      atTimeout = readAnswer(response, finish);
    });
    // 101: nobody asked for another protocol. Without a listener the connection would end without a
    // word.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      finish({ statusCode: response.statusCode ?? 0 });
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      finish({
        error: explain(error),
        staleConnection: request.reusedSocket && error.code === 'ECONNRESET',
      }),
    );
    request.end(input.body);
  });
}

/**
 * The status decides; of the body only the beginning is kept, whether or not the rest arrives.
 * @returns what ends the reading
 */
function readAnswer(response: http.IncomingMessage, finish: (sent: Sent) => void): () => void {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  const end = () =>
    finish({
      statusCode: response.statusCode ?? 0,
      answer: Buffer.concat(chunks)
        .subarray(0, answerBytesMax)
        .toString('utf8')
        .replaceAll('\0', ''),
      ...(response.headers['retry-after'] !== undefined && {
        retryAfter: response.headers['retry-after'],
      }),
    });
  response.on('data', (chunk: Buffer) => {
    if (byteCount < answerBytesMax) chunks.push(chunk);
    byteCount += chunk.length;
    if (byteCount > answerReadBytesMax) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('close', end);
  return end;
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ENOTFOUND: 'The name cannot be found.',
  ENODATA: 'The name has no address.',
  ETIMEOUT: 'The name servers did not answer.',
  ESERVFAIL: 'The name servers did not answer.',
  EAI_AGAIN: 'The name servers did not answer.',
  ETIMEDOUT: 'The connection could not be opened in time.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
};

/** A sentence without addresses. */
function explain(error: NodeJS.ErrnoException): string {
  if (error instanceof ForbiddenTargetError) return error.message;
  const code = error.code ?? '';
  if (Object.hasOwn(sentences, code)) return sentences[code]!;
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(code))
    return `The secure connection failed (${code}).`;
  if (code.startsWith('HPE_')) return 'What came back was not HTTP.';
  return `The request failed${code === '' ? '' : ` (${code})`}.`;
}
