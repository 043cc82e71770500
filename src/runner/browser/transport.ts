import type { Readable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';
import type { BrowserProcess } from './process.ts';

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: {
    readonly url?: unknown;
    readonly userAgent?: string;
    readonly userAgentMetadata?: object;
    readonly request?: {
      readonly postDataEntries?: readonly { bytes?: string }[];
      postData?: string;
    };
  };
}

/** Addresses that a browser may be sent to. Everything else is none of a shop's. */
export function isWebAddress(address: string): boolean {
  if (address === 'about:blank') return true;
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}

type TransportBrowser = Pick<BrowserProcess, 'input' | 'output' | 'kill'>;

export interface TransportListener {
  /** It was told to open an address that no run may open. */
  onRefused(scheme: string): void;
  /** What it says cannot be read, so that it is ended. */
  onGivenUp(why: string): void;
}

/**
 * The browser's pipe as Playwright speaks it. The one place that every command passes, so here the
 * browser is kept from addresses that no proxy sees: `file:`, `data:`, `chrome:`, `view-source:`,
 * `javascript:`.
 */
export function createTransport(
  browser: TransportBrowser,
  { onRefused, onGivenUp }: TransportListener,
): ConnectOverCDPTransport {
  const giveUp = (why: string) => {
    onGivenUp(why);
    void browser.kill();
  };
  const cutBodies = createBodyLimit();
  /** Of commands without an answer yet: where an answer goes that is not read. */
  const sessions = new Map<number, string | undefined>();
  const write = (message: Message) => {
    if (message.id !== undefined) sessions.set(message.id, message.sessionId);
    browser.input.write(`${JSON.stringify(message)}\0`);
  };
  const transport: ConnectOverCDPTransport = {
    send(message: Message) {
      // Playwright lets a worker run, and only then asks to be told of the workers that it starts:
      // some would begin unseen.
      if (message.method === 'Runtime.runIfWaitingForDebugger')
        return queueMicrotask(() => write(message));
      if (message.method === 'Emulation.setUserAgentOverride') return write(withBrands(message));
      const address = message.method === 'Page.navigate' ? String(message.params?.url) : undefined;
      if (address === undefined || isWebAddress(address)) return write(message);
      onRefused(/^[a-z][a-z0-9+.-]*/i.exec(address)?.[0] ?? '');
      const error = {
        code: -32_000,
        message: 'Refused: only http and https addresses are opened.',
      };
      queueMicrotask(() =>
        transport.onmessage?.({ id: message.id, sessionId: message.sessionId, error }),
      );
    },
    close: () => void browser.input.end(),
  };
  readMessages(browser.output, {
    // Each message in a task of its own, as Playwright's own pipe does it: it answers some of them
    // before it reads the next, and a popup whose first messages come at once would be waited for
    // for ever.
    onMessage: (text) => setImmediate(() => handOver(text)),
    onTooLarge: (head) => {
      const id = Number(/^\{"id":(\d+)\b/.exec(head)?.[1]);
      if (!sessions.has(id))
        return giveUp(
          'A browser was given up: a page makes it send larger messages than are read.',
        );
      const error = { code: -32_000, message: 'The answer is larger than is read.' };
      setImmediate(() => handOver(JSON.stringify({ id, sessionId: sessions.get(id), error })));
    },
  });
  const handOver = (text: string) => {
    try {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) sessions.delete(message.id);
      cutBodies(message);
      transport.onmessage?.(message);
    } catch (error) {
      // Thrown in here it would end the process, with the browsers of all the other runs.
      giveUp(`A browser was given up: what it says cannot be read (${(error as Error).name}).`);
    }
  };
  browser.output.once('close', () => setImmediate(() => transport.onclose?.()));
  browser.output.resume();
  return transport;
}

/**
 * The user agent of a browser with a window: shops keep no session for one that names itself
 * headless.
 */
export const shownUserAgent = (userAgent: string) =>
  userAgent.replace('HeadlessChrome/', 'Chrome/');

/**
 * Playwright overrides the user agent and leaves its client hints to the browser, whose brands say
 * headless: here they are those of Chromium (https://wicg.github.io/ua-client-hints/#interface).
 */
function withBrands(message: Message): Message {
  const version = /Chrome\/([\d.]+)/.exec(message.params?.userAgent ?? '')?.[1];
  const { userAgentMetadata } = message.params ?? {};
  if (version === undefined || userAgentMetadata === undefined) return message;
  const brandsAt = (of: (whole: string) => string) => [
    { brand: 'Chromium', version: of(version) },
    { brand: 'Not A(Brand', version: of('24.0.0.0') },
  ];
  const brands = brandsAt((whole) => whole.split('.')[0]!);
  const fullVersionList = brandsAt((whole) => whole);
  return {
    ...message,
    params: {
      ...message.params,
      userAgentMetadata: { ...userAgentMetadata, brands, fullVersionList },
    },
  };
}

/**
 * Beyond what a page shows or answers. A text of half a gibibyte cannot even be read, and is soon
 * said by a page.
 */
const messageBytesMax = 64 * 1_048_576;
/**
 * What pages say to themselves: nobody here listens, and Playwright keeps hundreds of them for each
 * page.
 */
const talk = /^\{"method":"Runtime\.(?:consoleAPICalled|exceptionThrown)"/;
const talkBytesMax = 16_384;

const headBytes = 100;
/** Of all that a browser has sent, in base64; after that each is cut. */
const bodiesCharactersMax = 32 * 1_048_576;
const bodyCharactersMax = 8_192;

/**
 * Playwright keeps the bodies of thousands of requests as long as the browser lives: a page that
 * posts all the time fills the memory.
 */
function createBodyLimit(): (message: Message) => void {
  let left = bodiesCharactersMax;
  const cut = (body: string) => {
    const kept =
      body.length <= Math.max(left, bodyCharactersMax) ? body : body.slice(0, bodyCharactersMax);
    left -= kept.length;
    return kept;
  };
  return ({ method, params }) => {
    const request = params?.request;
    if (!request || (method !== 'Fetch.requestPaused' && method !== 'Network.requestWillBeSent'))
      return;
    for (const entry of request.postDataEntries ?? [])
      if (entry.bytes !== undefined) entry.bytes = cut(entry.bytes);
    if (request.postData !== undefined) request.postData = cut(request.postData);
  };
}

/**
 * Messages end with a zero byte. Long ones that nobody reads are not even put together:
 * `onTooLarge` is told how they begin.
 */
function readMessages(
  output: Readable,
  on: { onMessage(text: string): void; onTooLarge(head: string): void },
): void {
  let parts: Buffer[] = [];
  let byteCount = 0;
  let isSkipped = false;
  const head = () => Buffer.concat(parts.slice(0, headBytes)).toString('latin1', 0, headBytes);
  const skip = () => {
    isSkipped = true;
    parts = [];
  };
  const take = (part: Buffer) => {
    if (isSkipped) return;
    const before = byteCount;
    byteCount += part.length;
    parts.push(part);
    if (before <= talkBytesMax && byteCount > talkBytesMax && talk.test(head())) return skip();
    if (byteCount <= messageBytesMax) return;
    on.onTooLarge(head());
    skip();
  };
  const end = () => {
    if (!isSkipped) on.onMessage(Buffer.concat(parts).toString('utf8'));
    parts = [];
    byteCount = 0;
    isSkipped = false;
  };
  output.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; ) {
      const at = chunk.indexOf(0, start);
      take(chunk.subarray(start, at === -1 ? chunk.length : at));
      if (at === -1) return;
      end();
      start = at + 1;
    }
  });
}
