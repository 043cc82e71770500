import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Overwrites what arrived of each body once it has been put together, or will not be read: it may hold an account number, and freed
 * memory keeps what lay in it.
 */
export function wipeReceivedBodies(server: FastifyInstance): void {
  // Before anybody else hears of the request: a body that nobody reads is thrown away without a word.
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
 * Overwrites the bytes of each connection once they have been read, headers included. They go through JavaScript for it, which costs
 * a little: for servers that are sent what nobody may find.
 */
export function wipeConnections(server: FastifyInstance): void {
  server.server.on('connection', (socket) => {
    // The parser hears of a chunk in this same turn, and copies what it keeps.
    socket.on('data', (chunk: Buffer) => setImmediate(() => chunk.fill(0)));
  });
}
