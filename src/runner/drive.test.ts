import pino from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { driveRun } from './drive.ts';
import { aTask } from './engine/testing/test-shop-kit.ts';
import { LinkRefusedError, type RunLink } from './link/client.ts';

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
      config: {
        chromiumPath: '/nowhere',
        runsMax: 1,
        memoryBytesMax: 1,
        allowedPrivateOrigins: [],
        blockedOrigins: [],
        paymentFrameOrigins: [],
      },
      leaseMs: 60_000,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      warn: () => undefined,
    },
    { hold: { checkoutId: '01900000-0000-7000-8000-000000000000', fence: '1' }, task: aTask('http://shop.example/') as never },
    performance.now(),
    () => undefined,
  );
  await run.giveBack(0);
  await run.done;
  expect(asked).toEqual(['release']);
});
