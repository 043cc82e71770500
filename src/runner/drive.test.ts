import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { expect, test } from 'vitest';
import { gatewaySeeds, workerPublicKey } from '../../test/harness/runner-gateway.ts';
import { systemClock } from '../lib/clock.ts';
import { driveRun } from './drive.ts';
import { aTask } from './engine/testing/test-shop-kit.ts';
import { LinkRefusedError, type RunLink } from './link/client.ts';
import { runnerPeer } from './link/wire.ts';
import { startRunner } from './runner.ts';

const config = {
  chromiumPath: '/nowhere',
  runsMax: 1,
  memoryBytesMax: 1,
  allowedPrivateOrigins: [],
  blockedOrigins: [],
  paymentFrameOrigins: [],
};

test('a run that is given back to a worker that refuses it is over all the same, and ends nothing else', async () => {
  const asked: string[] = [];
  const link = new Proxy({} as RunLink, {
    get: (_, operation: string) => async () => {
      asked.push(operation);
      throw new LinkRefusedError('The input does not fit.');
    },
  });
  const run = driveRun(
    {
      link,
      config,
      leaseMs: 60_000,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      warn: () => undefined,
    },
    {
      hold: { checkoutId: '01900000-0000-7000-8000-000000000000', fence: '1' },
      task: aTask('http://shop.example/') as never,
    },
    performance.now(),
    () => undefined,
  );
  await run.giveBack(0);
  await run.done;
  expect(asked).toEqual(['release']);
});

test('a runner that is stopped while it asks for a run has stopped when the answer is there', async () => {
  const asked: ServerResponse[] = [];
  const worker = createServer((_, response) => void asked.push(response));
  await new Promise<void>((resolve) => worker.listen(0, '127.0.0.1', resolve));
  const runner = await startRunner({
    config,
    link: {
      origin: `http://127.0.0.1:${(worker.address() as AddressInfo).port}`,
      identity: { name: runnerPeer, seed: gatewaySeeds.runner },
      workerPublicKey,
    },
    log: pino({ level: 'silent' }),
    clock: systemClock,
    name: 'runner-1',
    // The pause after it.
    pollMs: 10_000,
  });
  await expect.poll(() => asked.length).toBe(1);
  let hasStopped = false;
  const stopping = runner.stop().then(() => (hasStopped = true));
  asked[0]!.destroy();
  await expect.poll(() => hasStopped, { timeout: 5_000 }).toBe(true);
  await stopping;
  worker.close();
});
