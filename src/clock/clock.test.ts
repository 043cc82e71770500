/** @module-tag slow */

import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import type { Environment } from '../context.ts';
import { createMovableClock } from '../lib/clock.ts';
import type { Store } from '../store/types.ts';
import { clockCommand, type KeptClock, keepClock } from './index.ts';
import { readAheadMs, savePart } from './store.ts';

const dayMs = 86_400_000;
const log = pino({ level: 'silent' });

let database: TestDatabase;
let kept: KeptClock[];
beforeEach(async () => {
  database = await startTestDatabase();
  kept = [];
});
afterEach(async () => {
  for (const one of kept) await one.stop();
  await database.close();
});

async function keep(
  part: string,
  options: { onMoved?: () => Promise<void>; environment?: Environment; store?: Store } = {},
) {
  const clock = createMovableClock();
  const one = await keepClock({
    environment: 'development',
    store: database.store,
    clock,
    log,
    part,
    ...options,
  });
  kept.push(one);
  return { clock, ...one };
}

async function run(
  words: string,
  options: { environment?: Environment; waitMaxMs?: number } = {},
): Promise<string> {
  const lines: string[] = [];
  const argv = words.split(' ').filter((word) => word !== '');
  await clockCommand({
    argv,
    print: (line) => lines.push(line),
    environment: 'development',
    store: database.store,
    ...options,
  }).catch((error: Error) => lines.push(`refused: ${error.message}`));
  return lines.join('\n');
}

const aheadMs = () => readAheadMs(database.store);

describe('purser clock', () => {
  it('shows the time of this machine as long as nobody has moved it', async () => {
    const shown = await run('');
    expect(shown).toMatch(
      /^The service’s time is \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, that of this machine\.$/,
    );
    expect((await run('show')).slice(-20)).toBe(shown.slice(-20));
  });

  it('advance moves every process that runs, and comes back when all of them keep the new time', async () => {
    const [api, worker] = [await keep('api'), await keep('worker')];
    expect(await run('advance 1d12h')).toMatch(
      /was .+Z and is .+Z now, 1d12h ahead of this machine\.\nMoved: api, worker\.$/,
    );
    expect([api.clock.aheadMs(), worker.clock.aheadMs()]).toEqual([1.5 * dayMs, 1.5 * dayMs]);
    await run('advance 90m');
    expect(await run('show')).toContain('1d13h30m ahead');
  });

  it.each([
    ['', 'How long?'],
    ['yesterday', 'is no length of time'],
    ['1h1d', 'is no length of time'],
    ['-3d', 'Time only goes forwards'],
    ['0s', 'No time at all'],
    ['401d', 'At most 400 days'],
    ['3d 4d', 'one word too many'],
  ])('advance refuses "%s" with one sentence, and moves nothing', async (length, sentence) => {
    expect(await run(`advance ${length}`)).toContain(sentence);
    expect(await aheadMs()).toBe(0);
  });

  it('does not offer to go back, and says how to start anew', async () => {
    expect(await run('reset')).toContain('Time never goes back. npm start -- --reset starts empty');
    expect(await run('back 3d')).toContain('Unknown command "clock back"');
  });

  it('advances that come at once all count', async () => {
    const part = await keep('api');
    await Promise.all([run('advance 1d'), run('advance 2d'), run('advance 3d')]);
    expect(await aheadMs()).toBe(6 * dayMs);
    expect(part.clock.aheadMs()).toBe(6 * dayMs);
  });

  it('waits for a part whose chains are not there yet, and names it when they do not come', async () => {
    let tries = 0;
    await keep('dev', {
      onMoved: async () => (++tries < 3 ? Promise.reject(new Error('no chain yet')) : undefined),
    });
    expect(await run('advance 3d')).toContain('Moved: dev.');
    expect(tries).toBe(3);
    await keep('broken', { onMoved: () => Promise.reject(new Error('never')) });
    expect(await run('advance 1d', { waitMaxMs: 600 })).toMatch(
      /refused: The clock was moved, but .* these parts have not followed: broken\./,
    );
  });

  it('waits for nobody who has ended, whether with a word or without', async () => {
    const gone = await keep('gone');
    await gone.stop();
    await savePart(database.store, { name: 'killed', aheadMs: 0 });
    await database.store.query({
      text: `update service_clock_parts set seen_at = now() - interval '6 seconds' where name = 'killed'`,
    });
    expect(await run('advance 1d')).toContain(
      'Nothing runs: what is started next begins at that time.',
    );
    expect((await keep('next')).clock.aheadMs()).toBe(dayMs);
  });

  it.each(['staging', 'production'] as const)('is refused in %s', async (environment) => {
    expect(await run('advance 3d', { environment })).toBe(
      `refused: The clock is moved in development only; this is ${environment}.`,
    );
    expect(await aheadMs()).toBe(0);
  });
});

describe('a process of development', () => {
  it('that is started while its database is away for a moment serves once it has the time of it', async () => {
    await run('advance 3d');
    let refusals = 2;
    const store: Store = {
      ...database.store,
      query: (statement) =>
        refusals-- > 0
          ? Promise.reject(new Error('connect ECONNREFUSED'))
          : database.store.query(statement),
    };
    expect((await keep('api', { store })).clock.aheadMs()).toBe(3 * dayMs);
  });
});

describe('a process of staging or production', () => {
  it('starts on a database whose clock was never moved', async () => {
    expect((await keep('api', { environment: 'production' })).clock.aheadMs()).toBe(0);
  });

  it.each(['staging', 'production'] as const)(
    'does not start in %s on a database whose clock was moved',
    async (environment) => {
      await run('advance 3d');
      await expect(keep('api', { environment })).rejects.toThrow(
        `The clock of this database was moved 3d ahead with purser clock advance, which is for development: in ${environment} Purser does not start on it.`,
      );
    },
  );

  it('that was started while its database was away ends as soon as it finds the moved clock', async () => {
    await run('advance 3d');
    let isAway = true;
    const store: Store = {
      ...database.store,
      query: (statement) =>
        isAway
          ? Promise.reject(new Error('connect ECONNREFUSED'))
          : database.store.query(statement),
    };
    const { refused } = await keep('worker', { environment: 'production', store });
    isAway = false;
    expect((await refused).message).toContain('was moved 3d ahead');
  });

  it('starts before its database is migrated', async () => {
    await database.store.query({ text: 'drop table service_clock' });
    await keep('api', { environment: 'production' });
  });
});
