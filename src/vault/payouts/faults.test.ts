/** @module-tag slow */

import { afterAll, beforeAll, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import { startPayoutDatabase } from '../../providers/payout/test-kit.ts';
import { runSeed } from '../testing/payout-faults-kit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startPayoutDatabase({ poolSize: 20 });
});
afterAll(() => database.close());

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'seed %i: each payout is paid at most once, each ends as it must, each step is told once',
  (seed) => runSeed(database.store, seed),
);
