import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Clock, machineClock } from '../../lib/clock.ts';
import { type RequestVerdict, verifyRequest } from '../../lib/net/signed-requests.ts';

/**
 * Nonces in memory; a peer that asks more often than this within two windows is refused until they
 * are over.
 */
const noncesMax = 20_000;
const nothing = new Uint8Array();

/**
 * Lets each signed request in once. The runner has no database: a restart forgets nonces, and with
 * them every picture.
 */
export function createRequestGuard(options: {
  readonly peers: ReadonlyMap<string, KeyObject>;
  readonly clock: Clock;
}): (request: IncomingMessage) => RequestVerdict {
  const nonces = new Map<string, number>();
  return (request) => {
    const now = machineClock(options.clock).now();
    const verdict = verifyRequest({
      peers: options.peers,
      headers: request.headers,
      request: { method: request.method ?? '', path: request.url ?? '', body: nothing },
      now,
    });
    if (!verdict.ok) return verdict;
    for (const [nonce, expiresAtMs] of nonces)
      if (expiresAtMs < now.getTime()) nonces.delete(nonce);
    const nonce = `${verdict.peer} ${verdict.nonce}`;
    if (nonces.has(nonce)) return { ok: false, why: 'its nonce was used before' };
    if (nonces.size >= noncesMax) return { ok: false, why: 'too many requests at once' };
    nonces.set(nonce, verdict.expiresAt.getTime());
    return verdict;
  };
}
