import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Overwrites what arrived of each body once it has been put together, or will not be read: it may
 * hold an account number, and freed memory keeps what lay in it.
 */
export function wipeReceivedBodies(server: FastifyInstance): void {
  // Before anybody else hears of the request: a body that nobody reads is thrown away without a
  // word.
  server.server.prependListener('request', wipeChunks);
}

function wipeChunks(request: IncomingMessage): void {
  const chunks: Buffer[] = [];
  const push = request.push;
  request.push = (chunk: Buffer | null, ...others) => {
    if (chunk !== null) chunks.push(chunk);
    return push.call(request, chunk, ...others);
  };
  // Others hear of the end in this same turn, and copy then.
  const wipe = () => setImmediate(() => chunks.splice(0).forEach((chunk) => chunk.fill(0)));
  request.once('end', wipe);
  request.once('close', wipe);
}

/**
 * An answer that no handler gave (`417` for an unknown `Expect`) says nothing of the connection's
 * end: it is over this much later.
 */
const idleMs = 1_000;

/**
 * Leaves nothing of a connection in memory: its bytes are overwritten once they have been read,
 * headers included, and its parser ends with its first request. Both cost a little: for servers
 * that are sent what nobody may find.
 * @throws Error one sentence where this Node.js does not let go of its parsers
 */
export function wipeConnections(server: FastifyInstance): void {
  keepNoParsers();
  server.server.keepAliveTimeout = idleMs;
  // A parser holds the address of its last request, and headers that came in pieces, until the next
  // one.
  server.server.prependListener(
    'request',
    (_, response: ServerResponse) => void response.setHeader('connection', 'close'),
  );
  server.server.on('connection', (socket) => {
    // The parser hears of a chunk in this same turn, and copies what it keeps.
    socket.on('data', (chunk: Buffer) => setImmediate(() => chunk.fill(0)));
  });
}

/**
 * Node.js keeps up to 1,000 parsers of closed connections for new ones, as they are: on a server
 * with few connections what one of them was sent stays for ever. With no room for any, each is
 * freed.
 */
function keepNoParsers(): void {
  const common = process.getBuiltinModule('node:_http_common' as 'node:http') as
    | { readonly parsers?: { max?: unknown } }
    | undefined;
  if (typeof common?.parsers?.max !== 'number')
    throw new Error(
      `Node.js ${process.version} would keep what requests held after they are over: run the vault with 20, 22 or 24.`,
    );
  common.parsers.max = 0;
}
