import type { FastifyInstance, RequestPayload } from 'fastify';

/**
 * Overwrites what arrived of each body once it has been put together, or will not be: it may hold an account number, and freed memory
 * keeps what lay in it.
 */
export function wipeReceivedBodies(server: FastifyInstance): void {
  server.addHook('preParsing', (_, __, payload, done) => {
    wipeChunks(payload);
    done(null, payload);
  });
}

function wipeChunks(payload: RequestPayload): void {
  let chunks: Buffer[] = [];
  payload.on('data', (chunk: Buffer) => chunks.push(chunk));
  const wipe = () => {
    const received = chunks;
    chunks = [];
    // Others hear of the end in this same turn, and copy then.
    setImmediate(() => received.forEach((chunk) => chunk.fill(0)));
  };
  payload.once('end', wipe);
  payload.once('close', wipe);
}
