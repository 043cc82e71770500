import { lookup } from 'node:dns/promises';
import https from 'node:https';
import { isIP } from 'node:net';
import { BodyTooLongError, readBounded } from './bounded-body.ts';
import { isPublicAddress } from './public-address.ts';

export { isPublicAddress };

/**
 * Reads addresses that strangers wrote: https only, to public machines only. A name is resolved
 * once, every address it has is checked, and the connection goes to the one that was checked, so
 * that a name cannot point elsewhere in between.
 */
export interface PublicFetchOptions {
  /** For everything together, redirects included. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** For tests: other name servers, authorities, and addresses that count as public. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly ca?: string;
  readonly isPublic?: (address: string) => boolean;
  readonly portAllowed?: number;
}

/** Why nothing was read; the text names no internal address. */
export class PublicFetchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PublicFetchError';
  }
}

const redirectsMax = 3;
const httpsPort = 443;

/**
 * The body at a public https address.
 * @throws PublicFetchError for other schemes, ports, private addresses, refusals, time-outs, and
 * bodies that are too large
 */
export async function fetchPublic(text: string, options: PublicFetchOptions): Promise<Buffer> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  let url = readUrl(text, options);
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await request(url, await resolvePublic(url, options, signal), options, signal);
    if (Buffer.isBuffer(answer)) return answer;
    url = readUrl(new URL(answer.location, url.href).href, options);
  }
  throw new PublicFetchError(`${url.hostname} redirects too often.`);
}

function readUrl(text: string, { portAllowed = httpsPort }: PublicFetchOptions): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new PublicFetchError('Only https addresses without credentials are read.');
  if (Number(url.port || httpsPort) !== portAllowed)
    throw new PublicFetchError(`Only port ${portAllowed} is read.`);
  return url;
}

async function resolvePublic(
  url: URL,
  options: PublicFetchOptions,
  signal: AbortSignal,
): Promise<string> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const resolve = options.resolve ?? resolveName;
  const addresses = isIP(hostname)
    ? [hostname]
    : await withSignal(resolve(hostname), signal, hostname);
  const isPublic = options.isPublic ?? isPublicAddress;
  const [first] = addresses;
  if (first === undefined || !addresses.every(isPublic))
    throw new PublicFetchError(`${hostname} is no public machine.`);
  return first;
}

async function resolveName(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal, hostname: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new PublicFetchError(`${hostname} did not answer in time.`));
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    work
      .then(resolve, (cause: unknown) =>
        reject(new PublicFetchError(`${hostname} cannot be found.`, { cause })),
      )
      .finally(() => signal.removeEventListener('abort', late));
  });
}

function request(
  url: URL,
  address: string,
  options: PublicFetchOptions,
  signal: AbortSignal,
): Promise<Buffer | { location: string }> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown) =>
      reject(new PublicFetchError(message, { cause }));
    const outgoing = https.request(
      {
        agent: false,
        host: address,
        port: options.portAllowed ?? httpsPort,
        path: `${url.pathname}${url.search}`,
        ...(isIP(hostname) ? {} : { servername: hostname }),
        ...(options.ca === undefined ? {} : { ca: options.ca }),
        headers: { host: url.host, accept: 'application/json', 'user-agent': 'purser' },
        signal,
      },
      (response) => {
        const { statusCode = 0 } = response;
        const { location } = response.headers;
        if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
          response.destroy();
          return URL.canParse(location, url.href)
            ? resolve({ location })
            : fail(`${hostname} redirects to nowhere.`);
        }
        if (statusCode !== 200) {
          response.destroy();
          return fail(`${hostname} answered ${statusCode}.`);
        }
        readBounded(response, options.bytesMax).then(resolve, (cause: unknown) =>
          cause instanceof BodyTooLongError
            ? fail(`${hostname} answered more than ${options.bytesMax} bytes.`)
            : fail(`${hostname} did not finish its answer.`, cause),
        );
      },
    );
    // Without a listener the connection would end without a word, and nobody would ever know.
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      fail(`${hostname} answered ${response.statusCode}.`);
    });
    outgoing.on('error', (cause) =>
      fail(
        signal.aborted ? `${hostname} did not answer in time.` : `${hostname} cannot be reached.`,
        cause,
      ),
    );
    outgoing.end();
  });
}
