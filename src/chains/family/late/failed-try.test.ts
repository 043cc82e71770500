import pino from 'pino';
import { expect, it } from 'vitest';
import { afterFailedTry } from './failed-try.ts';
import { lateLimits } from './limits.ts';

const { againPauseMs, againPauseMaxMs } = lateLimits;

it.each([
  [0, againPauseMs, 1],
  [2, againPauseMs * 4, 3],
  [10, againPauseMaxMs, 11],
  [-20, againPauseMs, 1],
  [2_147_483_647, againPauseMaxMs, 11],
])(
  'after %s failed tries an operation is tried again later, by numbers that its columns take',
  (misses, pauseMs, next) => {
    const tried = { operationId: 'one', misses };
    const error = new Error('no node answers');
    expect(afterFailedTry(pino({ enabled: false }), tried, error, { buildsAnew: true })).toEqual({
      pauseMs,
      misses: next,
    });
  },
);
