import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { EgressProxy } from '../egress/index.ts';
import { ownFolderPrefix } from '../leftovers.ts';
import { RunBrowserError } from './errors.ts';
import type { BrowserExecutable } from './executable.ts';
import { type NetworkNamespace, receiveListener, systemPath } from './namespace.ts';

export interface BrowserProcessOptions {
  readonly executable: BrowserExecutable;
  readonly egress: Pick<EgressProxy, 'server' | 'adopt'>;
  /**
   * Where the browser reaches nothing but the proxy, whatever its version; without one only its own
   * settings keep it there.
   */
  readonly namespace?: NetworkNamespace;
  readonly sandbox: 'when-possible' | 'required';
  /** See `RunBrowserOptions`; none outside of tests. */
  readonly trustedKeyHashes?: readonly string[];
  readonly warn: (sentence: string) => void;
}

/** One browser, spoken to over a pipe that nobody else on the machine can open. */
export interface BrowserProcess {
  readonly pid: number;
  readonly isSandboxed: boolean;
  readonly profileFolder: string;
  /** `http://127.0.0.1:<port>` of the egress proxy, as the browser reaches it. */
  readonly proxyServer: string;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the browser's main process has ended, with what it said last. */
  readonly exited: Promise<string>;
  /**
   * Ends every process of the browser and removes its folder. May be called twice; never rejects.
   */
  kill(): Promise<void>;
}

/** `nobody`, when the service runs as root. */
export const unprivilegedId = 65_534;
const stderrBytesMax = 8_192;
const startTimeoutMs = 30_000;
const killTimeoutMs = 5_000;

/**
 * Starts Chromium with an empty profile of its own, as an unprivileged user, in Chromium's sandbox
 * where the system has it.
 * @throws RunBrowserError `not-startable`
 */
export async function startBrowserProcess(options: BrowserProcessOptions): Promise<BrowserProcess> {
  const sandboxed = await tryStart(options, true);
  if (typeof sandboxed !== 'string') return sandboxed;
  if (!/sandbox|namespace/i.test(sandboxed))
    throw new RunBrowserError('not-startable', `Chromium does not start: ${lastLine(sandboxed)}`);
  if (options.sandbox === 'required')
    throw new RunBrowserError(
      'not-startable',
      'This system lets Chromium have no sandbox: allow unprivileged user namespaces.',
    );
  options.warn(
    'Chromium runs WITHOUT its sandbox, because this system allows it no user namespaces: a hostile page that breaks out of it has the rights of the runner. Allow unprivileged user namespaces for the runner.',
  );
  const plain = await tryStart(options, false);
  if (typeof plain !== 'string') return plain;
  throw new RunBrowserError('not-startable', `Chromium does not start: ${lastLine(plain)}`);
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';

/** The running browser, or what it said before it ended. */
async function tryStart(
  options: BrowserProcessOptions,
  isSandboxed: boolean,
): Promise<BrowserProcess | string> {
  const profileFolder = await mkdtemp(join(tmpdir(), await ownFolderPrefix()));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(profileFolder, unprivilegedId, unprivilegedId);
  let started: Started;
  try {
    started = spawnBrowser(options, { profileFolder, isSandboxed, isRoot });
  } catch (error) {
    // No memory, no file handles: there is no process, and no event that would say so.
    await removeFolder(profileFolder, options.warn);
    return (error as Error).message;
  }
  const { child, exited, input, output } = started;
  let killing: Promise<void> | undefined;
  const kill = () => {
    killing ??= killGroup(child, exited).then(() => removeFolder(profileFolder, options.warn));
    return killing;
  };
  if (options.namespace) {
    const listener = await receiveListener(child);
    if (listener) options.egress.adopt(listener);
  }
  if (!(await answers(input, output, exited))) {
    await kill();
    return exited;
  }
  return {
    pid: child.pid!,
    isSandboxed,
    profileFolder,
    proxyServer: proxyServerOf(options),
    input,
    output,
    exited,
    kill,
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<string>;
  readonly input: Writable;
  readonly output: Readable;
}

function spawnBrowser(
  options: BrowserProcessOptions,
  place: {
    readonly profileFolder: string;
    readonly isSandboxed: boolean;
    readonly isRoot: boolean;
  },
): Started {
  const { executable, namespace } = options;
  const flags = flagsOf({ ...options, ...place });
  const [command, args] = namespace?.commandOf(executable.path, flags) ?? [executable.path, flags];
  const child = spawn(command, args, {
    ...(place.isRoot && !namespace ? { uid: unprivilegedId, gid: unprivilegedId } : {}),
    // A group of its own, so that all of it can be ended at once.
    detached: true,
    cwd: place.profileFolder,
    // Nothing of the service's environment: it holds secrets.
    env: environmentOf(executable, place.profileFolder),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...(namespace ? (['ipc'] as const) : [])],
  });
  const exited = watchExit(child);
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  for (const pipe of [input, output]) pipe.on('error', () => undefined);
  return { child, exited, input, output };
}

const proxyServerOf = ({ egress, namespace }: BrowserProcessOptions) =>
  namespace?.proxyServer ?? egress.server;

function flagsOf(
  input: BrowserProcessOptions & { profileFolder: string; isSandboxed: boolean },
): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${input.profileFolder}`,
    `--proxy-server=${proxyServerOf(input)}`,
    // Loopback is no exception from the proxy.
    '--proxy-bypass-list=<-loopback>',
    // What goes through the proxy is resolved there; anything that would resolve by itself fails.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    // One policy under two names: Chromium has renamed the flag, and does not know the other name
    // of it.
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-domain-reliability',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-default-apps',
    '--disable-extensions',
    // What these send the order gate does not see: workers that pages share, and `fetchLater` once
    // its page is gone.
    '--disable-shared-workers',
    '--disable-field-trial-config',
    '--disable-client-side-phishing-detection',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,DialMediaRouteProvider,FetchLaterAPI',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
    '--mute-audio',
    '--hide-scrollbars',
    ...(input.isSandboxed ? [] : ['--no-sandbox']),
    ...(input.trustedKeyHashes?.length
      ? [`--ignore-certificate-errors-spki-list=${input.trustedKeyHashes.join(',')}`]
      : []),
  ];
}

function environmentOf(
  executable: BrowserExecutable,
  profileFolder: string,
): Record<string, string> {
  const fonts: Record<string, string> =
    executable.fontsFolder === undefined ? {} : { FONTCONFIG_PATH: executable.fontsFolder };
  return {
    PATH: systemPath,
    HOME: profileFolder,
    TMPDIR: profileFolder,
    LANG: 'C.UTF-8',
    ...fonts,
  };
}

function watchExit(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-stderrBytesMax);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(said));
  });
}

/** Asks for the version once: the answer proves that the pipe and the browser behind it work. */
async function answers(
  input: Writable,
  output: Readable,
  exited: Promise<string>,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), startTimeoutMs);
  });
  const answered = new Promise<boolean>((resolve) => {
    // An answer ends with a zero byte, which may come by itself.
    const read = (chunk: Buffer) => {
      if (!chunk.includes(0)) return;
      output.off('data', read);
      resolve(true);
    };
    output.on('data', read);
  });
  input.write('{"id":1,"method":"Browser.getVersion"}\0');
  const isUp = await Promise.race([answered, exited.then(() => false), late]);
  clearTimeout(timer);
  output.pause();
  return isUp;
}

async function killGroup(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.pid === undefined) return;
  try {
    // The group outlives its leader: what a crash left behind ends too.
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
  await Promise.race([
    exited,
    new Promise((resolve) => setTimeout(resolve, killTimeoutMs).unref()),
  ]);
}

/**
 * Whoever ends a browser cannot mend a disk: what stays is said, and goes when the next runner
 * sweeps.
 */
async function removeFolder(folder: string, warn: (sentence: string) => void): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
    (error: NodeJS.ErrnoException) =>
      warn(`The folder of a browser cannot be removed (${error.code}): ${folder}`),
  );
}
