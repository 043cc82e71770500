import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Whoever was told the last word has this long to stop sending and to hang up. */
export const lingerMs = 1_000;
/** What is still read, and thrown away, of a refused body. */
const lingerBytesMax = 8 * 1_024 * 1_024;

/**
 * Bytes that arrive at a closed connection are answered with a reset, which takes the answer away
 * from a caller who is still sending: a refused body would be told as a failed connection. So a
 * connection that ends with such an answer is closed for writing, and read for a little while
 * (RFC 9112, section 9.6).
 */
export function lingerOverBodies(server: FastifyInstance): void {
  server.server.prependListener('request', (request: IncomingMessage) => {
    const { socket } = request;
    // Node.js calls it when an answer is the connection's last.
    socket.destroySoon = () => {
      if (request.complete) Socket.prototype.destroySoon.call(socket);
      else linger(request);
    };
  });
}

function linger(request: IncomingMessage): void {
  const { socket } = request;
  const begin = socket.bytesRead;
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  request
    .on('data', () => {
      if (socket.bytesRead - begin > lingerBytesMax) socket.destroy();
    })
    .once('end', () => Socket.prototype.destroySoon.call(socket))
    .resume();
  socket.end();
}
