import { expect, test } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { guessLimit, sendingLimits } from './limits.ts';

test('an hour has 5 codes for a signer, 20 for a wallet and 1000 for a project; a day has 50 guesses', () => {
  const identityHash = Buffer.alloc(32);
  const sending = sendingLimits(
    { config: testConfig() },
    { projectId: 'p', walletId: 'w', identityHash },
  );
  expect(
    [...sending, guessLimit(identityHash)].map(({ max, windowMs }) => [max, windowMs / 3_600_000]),
  ).toEqual([
    [5, 1],
    [20, 1],
    [1_000, 1],
    [50, 24],
  ]);
});
