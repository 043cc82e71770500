import { expect, test } from 'vitest';
import { chooseSecondLook, type FailedRun } from './second-look.mjs';

const failed = (files: readonly string[], more: Partial<FailedRun> = {}): FailedRun => ({
  reason: 'failed',
  files,
  unhandledErrors: 0,
  ...more,
});
const [orders, shops, live, wallets] = ['orders', 'shops', 'live', 'wallets'].map(
  (name) => `src/areas/${name}/${name}.test.ts`,
) as [string, string, string, string];

test('up to three files that failed are run once more', () => {
  expect(chooseSecondLook(failed([orders, shops, live])).files).toEqual([orders, shops, live]);
});

const refused: readonly (readonly [name: string, run: FailedRun | undefined, why: string])[] = [
  ['four', failed([orders, shops, live, wallets]), '4 files failed'],
  ['a run that ended early', undefined, 'did not come to its end'],
  [
    'a run that was stopped',
    failed([orders], { reason: 'interrupted' }),
    'did not come to its end',
  ],
  ['an error that nobody heard', failed([orders], { unhandledErrors: 1 }), 'heard by nobody'],
  ['a run without a failed file', failed([]), 'no file failed'],
  ...[
    'test/faults/faults.test.ts',
    'test/run-faults/run-faults.test.ts',
    'src/areas/orders/kinds/onramp/faults.test.ts',
    'src/areas/orders/legs/refund/kill.test.ts',
    'src/jobs/kill.test.ts',
    'contracts/wallet.invariant.test.ts',
    'test/interface/openapi-fuzz.test.ts',
    'test/flows/vault-canary.test.ts',
    'test/tidy/tidy.test.ts',
  ].map((file) => [file, failed([orders, file]), 'its first failure counts'] as const),
];
test.each(refused)('%s gets no second look', (_, run, why) => {
  expect(chooseSecondLook(run)).toEqual({ files: [], why: expect.stringContaining(why) });
});
