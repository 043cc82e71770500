import pino from 'pino';
import { expect, test } from 'vitest';
import { idleAfter, runScheduledJobs } from './every.ts';

test('a scheduled job that finds nothing for long is done less often, and as before when it finds something', async () => {
  const log = pino({ level: 'silent' });
  let turns = 0;
  const lookInVain = async () => {
    turns += 1;
    return 0;
  };
  const jobs = runScheduledJobs(
    [{ name: 'look', everyMs: 1, idleMs: 3_600_000, run: lookInVain }],
    log,
  );
  await expect.poll(() => turns).toBe(idleAfter);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(turns).toBe(idleAfter);
  await jobs.stop();

  let found = 0;
  const busy = runScheduledJobs(
    [
      {
        name: 'look',
        everyMs: 1,
        idleMs: 3_600_000,
        run: async () => ((found += 1) % 10 === 0 ? 1 : 0),
      },
    ],
    log,
  );
  await expect.poll(() => found).toBeGreaterThan(2 * idleAfter);
  await busy.stop();
});
