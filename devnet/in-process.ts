import { mkdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DevnetError } from './errors.ts';
import { catchUp, type LocalChain, type LocalNode } from './local-chain.ts';

/** Chains that run in this process, each with a server of its own. */

export interface InProcessOptions {
  /** Where the chain is kept between starts. Absent: in memory, for as long as it runs. */
  readonly folder?: string;
  /** Absent: any that is free. */
  readonly port?: number;
  /** How many transactions are remembered. Default 20,000. */
  readonly historyMax?: number;
}

export interface LocalServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; closing it ends its connections too. */
export async function listenLocally(
  serve: (request: http.IncomingMessage, response: http.ServerResponse) => Promise<unknown>,
  port: number,
): Promise<LocalServer> {
  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

/** @throws what `tooLarge` makes, of a body with more bytes than that */
export async function readBody(
  request: http.IncomingMessage,
  bytesMax: number,
  tooLarge = () => new Error('The body is too large'),
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > bytesMax) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What a chain writes down itself, in its journal. */
interface KeptChain {
  save(): void;
  advanceTime(seconds: number): void;
  close(): void;
}

/**
 * Opens a chain and serves it; with a folder it goes on where it was, `kill -9` included.
 * @throws DevnetError
 */
export async function startInProcess<Chain extends KeptChain>(
  {
    label,
    open,
    listen,
  }: {
    /** The family's name as people write it. */
    readonly label: string;
    readonly open: (kept: { readonly file?: string; readonly historyMax: number }) => Chain;
    readonly listen: (chain: Chain, port: number) => Promise<LocalServer>;
  },
  { folder, port = 0, historyMax = 20_000 }: InProcessOptions,
): Promise<{ readonly chain: Chain; readonly node: Omit<LocalNode, 'time'> }> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = folder === undefined ? undefined : join(folder, 'journal.jsonl');
  const chain = openKept(label, file, () => open({ file, historyMax }));
  const server = await listen(chain, port).catch((error: unknown) => {
    chain.close();
    throw new DevnetError(`The local ${label} chain cannot listen: ${messageOf(error)}`);
  });
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await server.close();
    chain.close();
    end();
  };
  const node = {
    url: `http://127.0.0.1:${server.port}`,
    ended,
    save: async () => chain.save(),
    advanceTime: async (seconds: number) => chain.advanceTime(seconds),
    stop: () => (stopping ??= stop()),
  };
  return { chain, node };
}

function openKept<Chain>(label: string, file: string | undefined, open: () => Chain): Chain {
  try {
    return open();
  } catch (error) {
    throw new DevnetError(
      `The journal of the local ${label} chain cannot be read (${messageOf(error)}): delete ${file} to begin a new chain.`,
    );
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A chain that ends with the process that started it. */
export function inProcessChain<Node extends LocalNode>({
  name,
  chainsDir,
  now,
  start,
  prepare,
}: {
  readonly name: string;
  readonly chainsDir: string;
  readonly now: () => Date;
  readonly start: (folder: string) => Promise<Node>;
  /** Puts there what the chain holds before its first use. */
  readonly prepare: (node: Node) => void | Promise<void>;
}): LocalChain {
  const folder = join(chainsDir, name);
  return {
    name,
    async start() {
      const node = await start(folder);
      try {
        await prepare(node);
        await catchUp(node, now());
        return node;
      } catch (error) {
        await node.stop();
        throw error;
      }
    },
    async reset() {
      rmSync(folder, { recursive: true, force: true });
    },
    hasOrphan: () => false,
  };
}
