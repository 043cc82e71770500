import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createScreening } from './index.ts';
import { createSandboxScreening, sandboxAddresses } from './sandbox.ts';
import { testScreening } from './screening.contract.ts';

testScreening('sandbox', async () => {
  const screening = createSandboxScreening();
  return {
    screening,
    listed: sandboxAddresses.blocked,
    broken: { screening, address: sandboxAddresses.unavailable },
  };
});

test('without lists everything is clear, and production is warned at the start', async () => {
  const warned: string[] = [];
  const log = pino({}, { write: (line: string) => void warned.push(line) });
  const screening = createScreening(
    { screening: { kind: 'off' }, environment: 'production' },
    { log },
  );
  expect(await screening.screen({ addresses: [sandboxAddresses.blocked], chain: 'base' })).toEqual({
    status: 'clear',
    lists: [],
    off: true,
  });
  expect(warned.join()).toContain('SCREENING is off');
  warned.length = 0;
  createScreening({ screening: { kind: 'off' }, environment: 'staging' }, { log });
  expect(warned).toEqual([]);
});
