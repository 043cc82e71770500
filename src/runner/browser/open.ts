import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { EgressProxy } from '../egress/index.ts';
import type { BrowserState } from '../types.ts';
import { RunBrowserError } from './errors.ts';
import { findExecutable } from './executable.ts';
import { type BrowserIncident, guardContext } from './guards.ts';
import { watchHealth } from './health.ts';
import { findNamespace, type NetworkNamespace } from './namespace.ts';
import { placeOf } from './place.ts';
import { type BrowserProcess, startBrowserProcess, unprivilegedId } from './process.ts';
import { keepState, toPlaywrightState } from './state.ts';
import { createTransport, shownUserAgent } from './transport.ts';

export interface RunBrowserOptions {
  /** The only way out; opened before the browser and closed after it by whoever runs. */
  readonly egress: Pick<EgressProxy, 'server' | 'username' | 'password' | 'adopt'>;
  readonly chromiumPath?: string;
  /** `required` refuses to start where Chromium can have no sandbox. */
  readonly sandbox?: 'when-possible' | 'required';
  /** `none` for tests alone: the browser as it is where the system has no network namespaces. */
  readonly namespace?: 'when-possible' | 'none';
  /** ISO 3166-1 alpha-2 of the buyer: language and time zone follow. */
  readonly countryCode?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly state?: BrowserState;
  /**
   * For tests alone, and reached by no configuration: base64 SHA-256 of public keys (SPKI). A
   * certificate whose chain has one is taken as it is, without a look at who signed it, for which
   * host and until when.
   */
  readonly trustedKeyHashes?: readonly string[];
  readonly memoryBytesMax?: number;
  readonly hangTimeoutMs?: number;
  readonly pingIntervalMs?: number;
  /** Pages at once, the first one included. */
  readonly pagesMax?: number;
  readonly warn?: (sentence: string) => void;
}

/** The browser of one run. */
export interface RunBrowser {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly isSandboxed: boolean;
  /** It has a network of its own, on which there is the proxy and nothing else. */
  readonly isNamespaced: boolean;
  /** As `Chrome/150.0.7871.100`. */
  readonly version: string;
  /**
   * Rejects with a {@link RunBrowserError} within seconds of a crash, a hang or too much memory;
   * never resolves.
   */
  readonly health: Promise<never>;
  /** What pages tried and did not get; the last hundred. */
  incidents(): readonly BrowserIncident[];
  /** Highest memory of all its processes, in bytes. */
  memoryPeakBytes(): number;
  /**
   * Cookies, localStorage, IndexedDB and sessionStorage of the origins visited.
   * @throws RunBrowserError `closed`
   */
  saveState(): Promise<BrowserState>;
  /** Ends all its processes and removes its folder. May be called twice. */
  close(): Promise<void>;
}

const defaults = {
  memoryBytesMax: 1_024 * 1_048_576,
  hangTimeoutMs: 15_000,
  pingIntervalMs: 1_000,
  pagesMax: 4,
  viewport: { width: 1_280, height: 900 },
};
const connectTimeoutMs = 30_000;
const incidentsMax = 100;

/**
 * Starts a browser of its own for one run: an empty profile or the given state, no way out but the
 * egress proxy, no downloads, permissions, service workers or dialogs, and only http and https
 * addresses.
 * @throws RunBrowserError `no-browser`, `not-startable`
 */
export async function openRunBrowser(options: RunBrowserOptions): Promise<RunBrowser> {
  const executable = await findExecutable({ chromiumPath: options.chromiumPath });
  const warn = options.warn ?? (() => undefined);
  const started = await startBrowserProcess({
    executable,
    egress: options.egress,
    ...(options.namespace !== 'none' && { namespace: await findNamespaceOnce(warn) }),
    sandbox: options.sandbox ?? 'when-possible',
    trustedKeyHashes: options.trustedKeyHashes ?? [],
    warn,
  });
  try {
    return await dress(started, options);
  } catch (cause) {
    await started.kill();
    throw new RunBrowserError('not-startable', 'Chromium started and could not be prepared.', {
      cause,
    });
  }
}

let namespace: ReturnType<typeof findNamespace> | undefined;

/** The system is asked once; that it has none is said at each browser, as is a missing sandbox. */
async function findNamespaceOnce(
  warn: (sentence: string) => void,
): Promise<NetworkNamespace | undefined> {
  namespace ??= findNamespace(unprivilegedId);
  const found = await namespace;
  if (!('missing' in found)) return found;
  warn(
    `Chromium runs WITHOUT a network namespace of its own (${found.missing}): that nothing passes the proxy by UDP is up to its own policy. See docs/guides/runner.md.`,
  );
  return undefined;
}

async function dress(started: BrowserProcess, options: RunBrowserOptions): Promise<RunBrowser> {
  const incidents: BrowserIncident[] = [];
  const onIncident = (incident: BrowserIncident) => {
    incidents.push(incident);
    if (incidents.length > incidentsMax) incidents.shift();
  };
  const transport = createTransport(started, {
    onRefused: (scheme) => onIncident({ kind: 'address', scheme }),
    onGivenUp: (why) => options.warn?.(why),
  });
  const browser = await chromium.connectOverCDP(transport, {
    isLocal: true,
    noDefaults: true,
    timeout: connectTimeoutMs,
    artifactsDir: started.profileFolder,
  });
  const { context, version } = await openContext(browser, options, started.proxyServer);
  guardContext(context, { pagesMax: options.pagesMax ?? defaults.pagesMax, onIncident });
  const keeper = await keepState(context, options.state);
  const page = await context.newPage();
  const limits = {
    memoryBytesMax: options.memoryBytesMax ?? defaults.memoryBytesMax,
    hangTimeoutMs: options.hangTimeoutMs ?? defaults.hangTimeoutMs,
    pingIntervalMs: options.pingIntervalMs ?? defaults.pingIntervalMs,
  };
  const health = watchHealth({ browser: started, context, limits });
  let closing: Promise<void> | undefined;
  return {
    page,
    context,
    isSandboxed: started.isSandboxed,
    isNamespaced: started.proxyServer !== options.egress.server,
    version,
    health: health.failed,
    incidents: () => [...incidents],
    memoryPeakBytes: health.memoryPeakBytes,
    saveState: async () => {
      if (closing || !browser.isConnected())
        throw new RunBrowserError('closed', 'The browser is no more.');
      return Promise.race([keeper.save(), health.failed]);
    },
    close: () => {
      health.stop();
      closing ??= started.kill();
      return closing;
    },
  };
}

async function openContext(
  browser: Browser,
  options: RunBrowserOptions,
  proxyServer: string,
): Promise<{ context: BrowserContext; version: string }> {
  const { egress } = options;
  const session = await browser.newBrowserCDPSession();
  const { userAgent, product } = await session.send('Browser.getVersion');
  const context = await browser.newContext({
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    viewport: { ...(options.viewport ?? defaults.viewport) },
    userAgent: shownUserAgent(userAgent),
    ...placeOf(options.countryCode),
    proxy: { server: proxyServer, username: egress.username, password: egress.password.reveal() },
    ...(options.state ? { storageState: toPlaywrightState(options.state) } : {}),
  });
  await context.grantPermissions([]);
  return { context, version: product };
}
