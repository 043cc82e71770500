import type { WebSocket } from 'ws';

const heartbeatMs = 15_000;

/**
 * Ends a connection whose other end is gone, which does not say so by itself. Stops when the
 * connection is closed.
 */
export function keepBeating(socket: WebSocket): void {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, heartbeatMs);
  socket.on('close', () => clearInterval(timer));
}
