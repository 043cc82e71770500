import { type ChildProcess, execFile } from 'node:child_process';
import type { Server } from 'node:net';
import { promisify } from 'node:util';

/**
 * How a program is started in a network namespace of its own (network_namespaces(7)), in which
 * there is nothing but its own loopback.
 */
export interface NetworkNamespace {
  /** Of the egress proxy, as the program sees it. */
  readonly proxyServer: string;
  /**
   * Where Node.js puts the channel over which the listener comes: one file descriptor behind the
   * browser's pipes.
   */
  readonly channelFd: 5;
  /**
   * Command and arguments that start `path` in it, without any capability and as an unprivileged
   * user.
   */
  commandOf(path: string, args: readonly string[]): readonly [string, readonly string[]];
}

/** The namespace is new, so nothing else is on this port. */
const port = 3_128;
/** Where util-linux and iproute2 are. */
export const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin';
const probeTimeoutMs = 10_000;
const listenerTimeoutMs = 20_000;

/**
 * Opened inside, used outside: a socket stays in the namespace that it was made in, whoever holds
 * it.
 */
const openListener = `const listener = require('node:net').createServer().listen(${port}, '127.0.0.1', () => process.send('open', listener, () => process.exit()))`;
const prepare =
  'ip link set lo up && "$0" --eval "$1" && shift && unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE && exec 5>&- && exec "$@"';

interface Way {
  readonly enter: readonly string[];
  readonly drop: readonly string[];
}

/**
 * The service's own user keeps its name, and the right to set up the namespace until the browser
 * begins.
 */
function wayOf(isRoot: boolean, unprivilegedId: number): Way {
  return isRoot
    ? {
        enter: ['--net'],
        drop: [
          `--reuid=${unprivilegedId}`,
          `--regid=${unprivilegedId}`,
          '--clear-groups',
          '--inh-caps=-all',
          '--bounding-set=-all',
        ],
      }
    : {
        enter: ['--user', '--map-current-user', '--keep-caps', '--net'],
        drop: ['--ambient-caps=-all', '--inh-caps=-all'],
      };
}

/**
 * Whether this system lets the browser have a network namespace of its own; else why not. Needs
 * Linux, util-linux, iproute2 and either root with CAP_SYS_ADMIN or unprivileged user namespaces.
 */
export async function findNamespace(
  unprivilegedId: number,
): Promise<NetworkNamespace | { readonly missing: string }> {
  if (process.platform !== 'linux') return { missing: 'there are none on this system' };
  const { enter, drop } = wayOf(process.getuid?.() === 0, unprivilegedId);
  try {
    await run('unshare', [
      ...enter,
      '--',
      'sh',
      '-c',
      'ip link set lo up && exec "$@"',
      'sh',
      'setpriv',
      ...drop,
      '--',
      'true',
    ]);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { missing: (stderr || message).trim().split('\n').at(-1)!.slice(0, 200) };
  }
  return {
    proxyServer: `http://127.0.0.1:${port}`,
    channelFd: 5,
    commandOf: (path, args) => [
      'unshare',
      [
        ...enter,
        '--',
        'sh',
        '-c',
        prepare,
        process.execPath,
        openListener,
        'setpriv',
        ...drop,
        '--',
        path,
        ...args,
      ],
    ],
  };
}

const run = (command: string, args: string[]) =>
  promisify(execFile)(command, args, { timeout: probeTimeoutMs, env: { PATH: systemPath } });

/** The listener on the proxy's port inside; undefined when the program ended first. */
export function receiveListener(child: ChildProcess): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), listenerTimeoutMs);
    const end = (listener?: Server) => {
      clearTimeout(timer);
      if (child.connected) child.disconnect();
      resolve(listener);
    };
    child.once('message', (_, listener) => end(listener as Server | undefined));
    child.once('error', () => end());
    child.once('exit', () => end());
  });
}
