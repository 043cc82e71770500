import dgram from 'node:dgram';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame } from 'playwright-core';
import { openEgressProxy } from '../egress/index.ts';
import type { BrowserExecutable } from './executable.ts';
import { openRunBrowser, type RunBrowser, type RunBrowserOptions } from './open.ts';

/** What a browser was tried with, and let nothing of out. */
export interface BrowserProof {
  /** As `Chrome/150.0.7871.100`. */
  readonly version: string;
  readonly tried: readonly string[];
  /** In a network namespace of its own, where there is nothing to reach but the proxy. */
  readonly isNamespaced: boolean;
}

const pageHost = 'proof.example';
const popupPath = '/popup';
/** Stands for the internet: what the proxy connects to it ends at the proof's own page. */
const publicAddress = '93.184.216.34';
const proofMaxMs = 60_000;
/** For what a popup shows. */
const shownMaxMs = 2_000;
const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  'localhost',
  'localhost.',
  'shop.localhost',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '①②⑦.⓪.⓪.①',
];

/**
 * Opens a page of ours in this very browser, as a run opens a shop's, and lets it try every way
 * past the proxy: to sockets and a file of ours that only somebody on this machine reaches.
 * Whatever a new version lets through shows here and not in a shop.
 * @throws Error one sentence with browser and version when something gets out, or when it cannot be
 * seen that nothing does
 */
export async function proveBrowser(
  executable: BrowserExecutable,
  options: Pick<RunBrowserOptions, 'namespace'> = {},
): Promise<BrowserProof> {
  const trap = await openTrap();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`its page has not ended within ${proofMaxMs / 1_000} s`)),
      proofMaxMs,
    );
  });
  let version = 'of unknown version';
  try {
    const proxy = await openEgressProxy({
      resolve: async (name) => (name === pageHost ? [publicAddress] : ['127.0.0.1']),
      connect: (address, port) =>
        address === publicAddress
          ? net.connect(trap.pagePort, '127.0.0.1')
          : net.connect(port, address),
    });
    let browser: RunBrowser | undefined;
    try {
      browser = await openRunBrowser({
        ...options,
        egress: proxy,
        pagesMax: 100,
        ...(executable.source === 'package' ? {} : { chromiumPath: executable.path }),
      });
      version = browser.version;
      const isAsked = () =>
        proxy.decisions().some(({ port, allowed }) => port === trap.port && !allowed);
      const tried = await Promise.race([
        tryEverything(browser, trap, isAsked),
        browser.health,
        late,
      ]);
      const out = trap.caught();
      if (out.length > 0) throw new Escape(out);
      return { version, tried, isNamespaced: browser.isNamespaced };
    } finally {
      await browser?.close();
      await proxy.close();
    }
  } catch (error) {
    throw new Error(explain(error as Error, `${executable.path} (${version})`), { cause: error });
  } finally {
    clearTimeout(timer);
    await trap.close();
  }
}

class Escape extends Error {
  constructor(out: readonly string[]) {
    super(out.join(', '));
  }
}

function explain(error: Error, browser: string): string {
  return error instanceof Escape
    ? `Pages get out of the browser ${browser}, past the proxy: ${error.message}. The runner does not work with it: set CHROMIUM_PATH to a version that docs/guides/runner.md names.`
    : `It cannot be proven that nothing gets out of the browser ${browser}: ${error.message}. The runner does not work with it.`;
}

interface Trap {
  /** Of TCP and UDP on loopback: whatever arrives got out. */
  readonly port: number;
  readonly pagePort: number;
  readonly fileUrl: string;
  readonly mark: string;
  caught(): string[];
  note(what: string): void;
  close(): Promise<void>;
}

async function openTrap(): Promise<Trap> {
  const out = new Set<string>();
  const closers: (() => unknown)[] = [];
  const page = await listen('127.0.0.1', 0, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>proof</title>');
  });
  const answer: RequestListener = ({ url }, response) => {
    if (url === popupPath) out.add('a popup');
    response.end();
  };
  const tcp = await listen('127.0.0.1', 0, answer);
  const { port } = tcp.address() as AddressInfo;
  const servers = [tcp];
  // A machine without IPv6 has nothing that is reached by it.
  const tcp6 = await listen('::1', port, answer).catch(() => undefined);
  if (tcp6) servers.push(tcp6);
  for (const server of servers)
    server.on('connection', ({ localAddress }) => out.add(`TCP to ${localAddress}`));
  for (const server of [page, ...servers])
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
  const udp = dgram.createSocket('udp4', () => out.add('UDP (WebRTC or WebTransport)'));
  closers.push(() => udp.close());
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(port, '127.0.0.1', resolve);
  });
  const folder = await mkdtemp(join(tmpdir(), 'purser-proof-'));
  const mark = 'a file of this machine';
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'file.html'), `<title>${mark}</title>${mark}`, { mode: 0o644 });
  return {
    port,
    pagePort: (page.address() as AddressInfo).port,
    fileUrl: pathToFileURL(join(folder, 'file.html')).href,
    mark,
    caught: () => [...out],
    note: (what) => out.add(what),
    async close() {
      for (const close of closers) close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listen(host: string, port: number, answer: RequestListener): Promise<http.Server> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** @throws Error when the page could not try, which proves nothing */
async function tryEverything(
  { page, context }: RunBrowser,
  trap: Trap,
  isAsked: () => boolean,
): Promise<string[]> {
  await page.goto(`http://${pageHost}/`);
  if ((await page.title()) !== 'proof') throw new Error('its page does not open');
  await page.evaluate(
    `(${tryAddresses})(${JSON.stringify({ port: trap.port, spellings, fileUrl: trap.fileUrl })})`,
  );
  await page.evaluate(`(${tryUdp})(${trap.port})`);
  for (const url of [`http://127.0.0.1:${trap.port}${popupPath}`, trap.fileUrl]) {
    await page.evaluate(`void open(${JSON.stringify(url)})`);
    await page.evaluate(`void open(${JSON.stringify(url)}, '_blank', 'noopener')`);
  }
  // The proxy was asked for the trap and refused: so the page did try, and not in vain because it
  // was broken.
  if (!isAsked()) throw new Error('its page did not ask the proxy');
  await Promise.all(
    context.pages().map(async (one) => {
      await one.waitForLoadState('load', { timeout: shownMaxMs }).catch(() => undefined);
      for (const frame of one.frames()) {
        const shown = await textOf(frame);
        if (shown.includes(trap.mark) || frame.url().startsWith('file:'))
          trap.note(`a file (${frame === page.mainFrame() ? 'page' : 'frame or popup'})`);
      }
    }),
  );
  if (await page.evaluate('Boolean(window.fileRead)')) trap.note('a file (fetch)');
  return ['loopback', 'file', 'popup', 'WebRTC', 'WebTransport'];
}

/** Empty when it does not answer: a popup that was refused its address may not. */
async function textOf(frame: Frame): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), shownMaxMs);
  });
  const read = frame.evaluate<string>('document.documentElement.outerHTML').catch(() => '');
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

/** In the page. Ends when each request has: what is refused ends at once. */
const tryAddresses = `async ({ port, spellings, fileUrl }) => {
  const within = (work) => Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 5000))]);
  const frame = (src) => new Promise((resolve) => {
    const one = document.createElement('iframe');
    one.onload = one.onerror = () => resolve();
    one.src = src;
    document.body.append(one);
  });
  const socket = (url) => new Promise((resolve) => { const one = new WebSocket(url); one.onclose = one.onerror = () => resolve(); });
  await Promise.all([
    ...spellings.map((host) => within(fetch('http://' + host + ':' + port + '/fetch', { mode: 'no-cors' }))),
    ...spellings.map(async (host) => within(socket('ws://' + host + ':' + port + '/socket'))),
    within(fetch('https://127.0.0.1:' + port + '/tls', { mode: 'no-cors' })),
    within(frame('http://127.0.0.1:' + port + '/frame')),
    within(frame(fileUrl)),
    within(fetch(fileUrl).then((answer) => answer.text()).then((text) => { window.fileRead = text.length > 0; })),
  ]);
}`;

/**
 * In the page. Gathering ends by itself where no packet may leave; else after some packets have
 * been sent.
 */
const tryUdp = `async (port) => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  if (typeof RTCPeerConnection !== 'undefined') {
    const urls = ['stun:127.0.0.1:' + port, 'stun:localhost:' + port];
    const turns = ['turn:127.0.0.1:' + port + '?transport=udp', 'turn:127.0.0.1:' + port + '?transport=tcp'];
    const peer = new RTCPeerConnection({ iceServers: [{ urls }, { urls: turns, username: 'a', credential: 'b' }] });
    const other = new RTCPeerConnection();
    peer.createDataChannel('x');
    const gathered = new Promise((resolve) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve(); });
    await peer.setLocalDescription(await peer.createOffer());
    await other.setRemoteDescription(peer.localDescription);
    await other.setLocalDescription(await other.createAnswer());
    await peer.setRemoteDescription(other.localDescription);
    for (const way of ['udp 2122260223 127.0.0.1 ' + port + ' typ host', 'tcp 1518280447 127.0.0.1 ' + port + ' typ host tcptype passive'])
      await peer.addIceCandidate({ candidate: 'candidate:1 1 ' + way, sdpMLineIndex: 0 }).catch(() => undefined);
    await Promise.all([Promise.race([gathered, pause(3000)]), pause(500)]);
  }
  if (typeof WebTransport !== 'undefined') await Promise.race([new WebTransport('https://127.0.0.1:' + port + '/').ready.catch(() => undefined), pause(3000)]);
}`;
