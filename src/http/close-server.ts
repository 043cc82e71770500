import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** What is still running this long after a shutdown began is cut off. */
const shutdownMs = 10_000;
const sweepMs = 50;

/** What arrives during a shutdown is served: its first byte may be on its way so long. */
const silentMs = 500;

/** With the time at which each was opened. */
const connectionsOf = new WeakMap<Server, Map<Socket, number>>();

/** So that {@link closeServer} knows those which have said nothing yet. */
export function watchConnections({ server }: FastifyInstance): void {
  const connections = new Map<Socket, number>();
  connectionsOf.set(server, connections);
  server.on('connection', (socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
}

/** Stops accepting, lets running requests finish, and after `capMs` cuts off what still runs. */
export async function closeServer(server: FastifyInstance, capMs = shutdownMs): Promise<void> {
  const cutOff = setTimeout(() => server.server.closeAllConnections(), capMs);
  const sweep = setInterval(() => closeUnused(server.server), sweepMs);
  try {
    await server.close();
  } finally {
    clearTimeout(cutOff);
    clearInterval(sweep);
  }
}

/**
 * Node.js keeps a connection alive whose last request ends during the shutdown, and takes one on
 * which nothing was ever said, as browsers and pools open them ahead, for one that is in use.
 */
function closeUnused(server: Server): void {
  server.closeIdleConnections();
  const openedBefore = performance.now() - silentMs;
  for (const [socket, openedAt] of connectionsOf.get(server) ?? [])
    if (socket.bytesRead === 0 && openedAt < openedBefore) socket.destroy();
}
