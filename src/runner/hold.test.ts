import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { gatewaySeeds, workerPublicKey } from '../../test/harness/runner-gateway.ts';
import { systemClock } from '../lib/clock.ts';
import { keepHold, type RunHold } from './hold.ts';
import { createRunLink } from './link/client.ts';
import { runnerPeer } from './link/wire.ts';
import { RunLostError } from './types.ts';

const log = pino({ level: 'silent' });
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A worker that takes requests and answers none. */
async function startHangingWorker(): Promise<{
  readonly origin: string;
  readonly asked: string[];
}> {
  const asked: string[] = [];
  const server = createServer((request) => void asked.push(request.url ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('a run is lost at the end of its lease, also while a worker that hangs owes the answer', async () => {
  const worker = await startHangingWorker();
  const identity = { name: runnerPeer, seed: gatewaySeeds.runner };
  const link = createRunLink({
    origin: worker.origin,
    identity,
    workerPublicKey,
    clock: systemClock,
    log,
  });
  const hold = { checkoutId: '01900000-0000-7000-8000-000000000000', fence: '1' };
  const held: RunHold = keepHold({ link, hold, leaseMs: 1_000, askedAtMs: performance.now(), log });
  ends.push(() => held.close());
  expect(held.isOver()).toBe(false);
  // An answer is awaited for ten seconds: by then another runner could have the run for long.
  await expect.poll(() => held.lost.aborted, { timeout: 5_000 }).toBe(true);
  expect([held.lost.reason, held.stopped.aborted, held.isOver()]).toEqual([
    expect.any(RunLostError),
    true,
    true,
  ]);
  expect(worker.asked).toEqual(['/runner/v1/renew']);
});

test('a process that stood still for longer than the lease knows that its run is over, before any timer tells it', async () => {
  const worker = await startHangingWorker();
  const identity = { name: runnerPeer, seed: gatewaySeeds.runner };
  const link = createRunLink({
    origin: worker.origin,
    identity,
    workerPublicKey,
    clock: systemClock,
    log,
  });
  const hold = { checkoutId: '01900000-0000-7000-8000-000000000000', fence: '1' };
  const held = keepHold({ link, hold, leaseMs: 1_000, askedAtMs: performance.now(), log });
  ends.push(() => held.close());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  expect([held.lost.aborted, held.isOver()]).toEqual([false, true]);
});
