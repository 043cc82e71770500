import type { ConnectOverCDPTransport } from 'playwright-core';
import type { BrowserProcess } from './process.ts';

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: { readonly url?: unknown };
}

/** Addresses that a browser may be sent to. Everything else is none of a shop's. */
export function isWebAddress(address: string): boolean {
  if (address === 'about:blank') return true;
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}

/**
 * The browser's pipe as Playwright speaks it. The one place that every command passes, so here the browser is kept from
 * addresses that no proxy sees: `file:`, `data:`, `chrome:`, `view-source:`, `javascript:`.
 */
export function createTransport(browser: BrowserProcess, onRefused: (scheme: string) => void): ConnectOverCDPTransport {
  const write = (message: Message) => void browser.input.write(`${JSON.stringify(message)}\0`);
  const transport: ConnectOverCDPTransport = {
    send(message: Message) {
      // Playwright lets a worker run, and only then asks to be told of the workers that it starts: some would begin unseen.
      if (message.method === 'Runtime.runIfWaitingForDebugger') return queueMicrotask(() => write(message));
      const address = message.method === 'Page.navigate' ? String(message.params?.url) : undefined;
      if (address === undefined || isWebAddress(address)) return write(message);
      onRefused(/^[a-z][a-z0-9+.-]*/i.exec(address)?.[0] ?? '');
      const error = { code: -32_000, message: 'Refused: only http and https addresses are opened.' };
      queueMicrotask(() => transport.onmessage?.({ id: message.id, sessionId: message.sessionId, error }));
    },
    close: () => void browser.input.end(),
  };
  let rest: Buffer[] = [];
  browser.output.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const text = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
      // Each message in a task of its own, as Playwright's own pipe does it: it answers some of them before it reads the next,
      // and a popup whose first messages come at once would be waited for for ever.
      setImmediate(() => transport.onmessage?.(JSON.parse(text) as object));
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  });
  browser.output.once('close', () => setImmediate(() => transport.onclose?.()));
  browser.output.resume();
  return transport;
}
